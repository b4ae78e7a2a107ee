"""The memory of local models: one copy, refused where it does not fit, freed where it ran out."""

import time
import weakref
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from firsthand.core.errors import MissingEngineError
from firsthand.masks.memory import ModelMemoryError
from firsthand.media.feed import Feed
from firsthand.subjects import transformers_model, transformers_placement
from firsthand.subjects.subject import SubjectMemoryError
from firsthand.subjects.transformers_model import forget_model, loaded_model
from firsthand.subjects.transformers_settings import Loading, weight_bytes
from tests.unit.subjects.test_transformers_subject import call, run, settings
from tests.unit.subjects.tiny_models import save_qwen


@pytest.fixture(autouse=True)
def empty() -> Iterator[None]:
    """Begin and end without a model in memory."""
    forget_model()
    yield
    forget_model()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_qwen(tmp_path_factory.mktemp("model"))


def test_a_model_that_does_not_fit_is_refused_before_it_is_loaded(folder: Path) -> None:
    with pytest.raises(ModelMemoryError, match="of which 1,000 may be used"):
        loaded_model(Loading(folder, most_memory_bytes=1_000))


def test_a_gpu_that_is_not_there_is_named(folder: Path) -> None:
    with pytest.raises(MissingEngineError, match="no GPU that torch can use"):
        loaded_model(Loading(folder, device="cuda:3"))


def test_weights_in_two_formats_are_counted_once(tmp_path: Path) -> None:
    for name, size in {"model.safetensors": 30, "pytorch_model.bin": 40}.items():
        (tmp_path / name).write_bytes(bytes(size))
        assert weight_bytes(tmp_path) == 30


def test_threads_that_ask_at_once_share_one_copy_of_the_weights(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads, real = [], transformers_model._model

    def slow(*arguments: Any) -> Any:
        loads.append(arguments)
        time.sleep(0.2)
        return real(*arguments)

    monkeypatch.setattr(transformers_model, "_model", slow)
    with ThreadPoolExecutor(4) as threads:
        models = list(threads.map(loaded_model, [Loading(folder)] * 4))
    assert len(loads) == len(set(map(id, models))) == 1


def test_a_model_is_gone_before_the_next_one_is_loaded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = weakref.ref(loaded_model(Loading(folder))._model)
    there = []
    real = transformers_placement.check_fit

    def looked(*arguments: Any) -> None:
        there.append(before())
        real(*arguments)

    monkeypatch.setattr(transformers_model, "check_fit", looked)
    loaded_model(Loading(folder, dtype="float32"))
    assert there == [None]


@pytest.mark.parametrize(
    "said",
    [
        "CUDA out of memory. Tried to allocate 2.00 GiB.",
        "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
    ],
)
def test_a_call_for_which_a_gpu_is_too_small_frees_what_it_held_and_says_what_to_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    import torch

    local = loaded_model(Loading(folder))
    model: Any = local._model
    held = []

    @wraps(type(model).forward)
    def exhausted(*_: Any, **__: Any) -> None:
        filled = torch.zeros(1_000)
        held.append(weakref.ref(filled))
        raise (torch.OutOfMemoryError if "Tried" in said else RuntimeError)(said)

    monkeypatch.setattr(type(model), "forward", exhausted)
    with pytest.raises(SubjectMemoryError, match="number of pictures") as error:
        local.complete(call())
    assert error.value.__cause__ is not None
    assert [one() for one in held] == [None]


def test_a_call_without_memory_ends_its_ask_and_no_other(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    kind = type(loaded_model(Loading(folder))._model)
    real, calls = kind.generate, []

    def generate(model: Any, **inputs: Any) -> Any:
        calls.append(inputs)
        if len(calls) == 1:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return real(model, **inputs)

    monkeypatch.setattr(kind, "generate", generate)
    with Feed() as feed:
        result = run(tmp_path, settings(folder), feed)
    outcomes = Counter(row["outcome"] for row in result.asks.to_pylist())
    assert outcomes["infrastructure_error(SubjectMemoryError)"] >= 1
    assert outcomes["answered"] > 1


def test_weights_that_do_not_fit_the_machine_on_their_way_to_a_gpu_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    # There is no GPU here: what one says of itself is made up.
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (1 << 40, 1 << 40))
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    monkeypatch.setattr(torch.cuda, "empty_cache", lambda: None)
    monkeypatch.setattr(transformers_placement, "free_memory_bytes", lambda: 10)
    with pytest.raises(ModelMemoryError, match="10 bytes of free memory on the machine"):
        loaded_model(Loading(folder, device="cuda"))
    with pytest.raises(MissingEngineError, match="1 GPUs that this process sees"):
        loaded_model(Loading(folder, device="cuda:1"))

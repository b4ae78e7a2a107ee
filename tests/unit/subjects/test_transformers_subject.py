"""A local model of a real class answers along a stream, as it would on a GPU."""

import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firsthand.core.errors import ConfigurationError, MissingEngineError, MissingWeightsError
from firsthand.core.taxonomy import Modality
from firsthand.endpoints.calls import Call, Generation, Media, Turn
from firsthand.endpoints.replies import ReplyLog
from firsthand.media.feed import Feed
from firsthand.media.feed_ahead import Footage
from firsthand.protocols import StreamingPolicy
from firsthand.subjects import Access, ResultTables, SubjectConfiguration, merge_shards, plan_asks
from firsthand.subjects.endpoint_settings import History, HistoryKind
from firsthand.subjects.results import run_shard
from firsthand.subjects.transformers_model import forget_model, loaded_model
from firsthand.subjects.transformers_settings import Loading, TransformersSettings
from firsthand.subjects.unit_media import ClipMedia
from tests.unit.media.numbered import write_numbered
from tests.unit.subjects.kitchen import S, kitchen
from tests.unit.subjects.tiny_models import (
    IMAGE,
    change_configuration,
    save_llava,
    save_qwen,
    save_with_own_code,
)

POLICY = StreamingPolicy(probe_step_us=5 * S, probes=1)


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let any connection fail the test."""

    def refused(*_: object) -> None:
        raise AssertionError("a local model opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refused)
    yield
    forget_model()


@pytest.fixture(scope="module", params=[save_qwen, save_llava], ids=["qwen", "generic"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    save: Callable[[Path], Path] = request.param
    return save(tmp_path_factory.mktemp("model"))


def picture(folder: Path, number: int) -> Media:
    footage = Footage(write_numbered(folder / "two.mp4", [0, 40]), "two")
    with Feed() as feed:
        return Media("image", "jpeg", feed.frame_at(footage, number * 40_000).jpeg)


def call(*pictures: Media, most_tokens: int = 6) -> Call:
    turns = (Turn("system", "You follow a day."), Turn("user", "What is seen?", pictures))
    return Call(turns, Generation(most_tokens))


def likeliest_one_by_one(model: Any, inputs: Any, steps: int) -> list[int]:
    """Greedy generation by its definition: the likeliest token, appended, again."""
    import torch

    ids, written = inputs["input_ids"], []
    marks = inputs.get("mm_token_type_ids")
    for _ in range(steps):
        more = {**inputs, "input_ids": ids, "attention_mask": torch.ones_like(ids)}
        if marks is not None:
            more["mm_token_type_ids"] = torch.nn.functional.pad(
                marks, (0, ids.shape[1] - marks.shape[1])
            )
        with torch.inference_mode():
            logits = model(**more, use_cache=False).logits
        written.append(int(logits[0, -1].argmax()))
        if written[-1] == model.generation_config.eos_token_id:
            break
        ids = torch.cat([ids, torch.tensor([[written[-1]]])], dim=1)
    return written


def test_a_reply_is_the_likeliest_token_each_time(folder: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForImageTextToText

    asked = call(picture(tmp_path, 0), picture(tmp_path, 1))
    local = loaded_model(Loading(folder))
    reply = local.complete(asked)
    model = AutoModelForImageTextToText.from_pretrained(folder, local_files_only=True)
    words = local._processor.tokenizer
    messages = [
        {
            "role": turn.role,
            "content": [
                *({"type": "image", "image": pil(media)} for media in turn.media),
                {"type": "text", "text": turn.text},
            ],
        }
        for turn in asked.turns
    ]
    inputs = local._processor.apply_chat_template(
        messages, add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
    )
    expected = likeliest_one_by_one(model, inputs, 6)
    assert reply.text == words.decode(expected, skip_special_tokens=True).strip()
    assert reply.output_tokens == len(expected)
    # Pictures of 192 x 96 pixels are 2 x 1 merged patches of 28 x 28 for Qwen (at most four),
    # and 2 x 2 patches of 14 x 14 for LLaVA: both numbers stand in the prompt as tokens.
    marks = (inputs["input_ids"] == words.convert_tokens_to_ids(IMAGE)).sum()
    assert reply.input_tokens == inputs["input_ids"].shape[1]
    assert int(marks) in (2 * 2, 2 * 4)


def pil(media: Media) -> Any:
    import io

    from PIL import Image

    return Image.open(io.BytesIO(media.payload)).convert("RGB")


def test_a_reply_cut_by_its_limit_says_so(folder: Path) -> None:
    local = loaded_model(Loading(folder))
    cut = local.complete(call(most_tokens=1))
    assert (cut.finish, cut.output_tokens) == ("length", 1)


def settings(folder: Path, **changes: Any) -> TransformersSettings:
    given = TransformersSettings(
        "local",
        Loading(folder),
        history=History(HistoryKind.LAST_UNITS, units=3, most_pictures=2),
        most_tokens=4,
        declared_latency_us=2 * S,
    )
    return replace(given, **changes)


def run(folder: Path, configured: TransformersSettings, feed: Feed) -> ResultTables:
    folder.mkdir(exist_ok=True)
    clips = {
        f"{name}-clip": write_numbered(folder / f"{name}.mp4", list(range(0, length_ms, 200)))
        for name, length_ms in {"ra": 12_000, "rb": 11_500, "rc": 10_000}.items()
    }
    times_us = {name: list(range(0, 12_000_000, 200_000)) for name in clips}
    access = Access(
        proxy_path=clips.__getitem__,
        frame_times=times_us.__getitem__,
        media=ClipMedia(feed, clips.__getitem__),
    )
    release = kitchen()
    log = ReplyLog(folder, "w")
    shards = plan_asks(release, [SubjectConfiguration("transformers", configured)], POLICY)
    return merge_shards(run_shard(shard, release, log, access) for shard in shards)


def test_it_follows_a_stream_and_answers_alike_each_time(folder: Path, tmp_path: Path) -> None:
    with Feed() as feed:
        first = run(tmp_path / "first", settings(folder), feed)
        assert run(tmp_path / "second", settings(folder), feed) == first
    outcomes = {row["ask_id"]: row["outcome"] for row in first.asks.to_pylist()}
    initial = {name: outcome for name, outcome in outcomes.items() if name.endswith("@0")}
    assert initial.pop("qb2@0") == "not_asked(due_after_stream_end)"
    assert set(initial.values()) == {"answered"}
    seen = {row["ask_id"]: row["last_frame_us"] for row in first.asks.to_pylist()}
    assert seen["qa1@0"] == 4 * S
    assert {row["latency_us"] for row in first.replies.to_pylist()} == {2 * S}
    assert {row["latency_source"] for row in first.replies.to_pylist()} == {"declared"}


def test_what_a_reply_depends_on_is_in_its_identity(folder: Path, tmp_path: Path) -> None:
    facts = SubjectConfiguration("transformers", settings(folder)).build().facts
    assert not facts.samples
    assert facts.receives == {Modality.VIDEO, Modality.SPEECH}
    same = tmp_path / folder.name
    same.mkdir()
    for path in folder.iterdir():
        (same / path.name).write_bytes(path.read_bytes())
    copied = SubjectConfiguration("transformers", settings(same)).build().facts
    assert copied.revision == facts.revision
    other = tmp_path / "other"
    other.mkdir()
    for path in folder.iterdir():
        (other / path.name).write_bytes(path.read_bytes())
    (other / "generation_config.json").write_text("{}")
    changed = SubjectConfiguration("transformers", settings(other)).build().facts
    assert changed.revision != facts.revision


def test_latency_is_measured_unless_declared(folder: Path) -> None:
    measured = replace(settings(folder), declared_latency_us=None)
    facts = SubjectConfiguration("transformers", measured).build().facts
    assert facts.latency_source == "measured"
    local = loaded_model(Loading(folder))
    ticks = iter([10.0, 12.5])
    local._clock = lambda: next(ticks)
    assert local.complete(call()).latency_us == 2_500_000


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingWeightsError, match=r"'nothing'.*no config"):
        loaded_model(Loading(tmp_path / "nothing"))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(MissingWeightsError, match="no weights"):
        loaded_model(Loading(tmp_path))


def test_a_model_that_brings_code_does_not_run_it(tmp_path: Path) -> None:
    save_qwen(tmp_path)
    change_configuration(tmp_path, auto_map={"AutoConfig": "evil.Config"})
    (tmp_path / "evil.py").write_text("raise SystemExit('ran')")
    with pytest.raises(ConfigurationError, match=r"code of its own.*trust_remote_code"):
        loaded_model(Loading(tmp_path))


def test_a_model_that_brings_code_runs_it_once_the_user_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "m"))
    monkeypatch.setattr("sys.path", [*sys.path])
    known = save_qwen(tmp_path / "known")
    own = save_with_own_code(tmp_path / "own")
    with pytest.raises(ConfigurationError, match=r"code of its own.*trust_remote_code"):
        loaded_model(Loading(own))
    local = loaded_model(Loading(own, runs_its_code=True))
    assert type(local._model).__module__.startswith("transformers_modules.")
    # Its code adds nothing to a class of transformers, and its weights are the same.
    said = local.complete(call(picture(tmp_path, 0)))
    expected = loaded_model(Loading(known)).complete(call(picture(tmp_path, 0)))
    assert (said.text, said.input_tokens) == (expected.text, expected.input_tokens)


@pytest.mark.parametrize(
    ("named", "found"),
    [
        ({"AutoModelForImageTextToText": "someone/else--own_code.OwnModel"}, "another repository"),
        ({"AutoModel": "own_code.OwnModel"}, "without a class for AutoModelForImageTextToText"),
    ],
)
def test_code_from_elsewhere_or_without_the_class_that_is_asked_is_refused(
    tmp_path: Path, named: dict[str, str], found: str
) -> None:
    save_qwen(tmp_path)
    change_configuration(tmp_path, auto_map=named)
    with pytest.raises(ConfigurationError, match=found):
        loaded_model(Loading(tmp_path, runs_its_code=True))


def test_a_folder_that_lacks_some_weights_is_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = save_qwen(tmp_path) / "model.safetensors"
    kept = load_file(weights)
    lost = next(name for name in kept if "q_proj.weight" in name)
    save_file({n: w for n, w in kept.items() if n != lost}, weights, metadata={"format": "pt"})
    with pytest.raises(ConfigurationError, match=r"1 weights .*q_proj\.weight"):
        loaded_model(Loading(tmp_path))


def test_a_model_of_no_known_class_is_refused(tmp_path: Path) -> None:
    save_qwen(tmp_path)
    change_configuration(tmp_path, model_type="unheard_of")
    with pytest.raises(ConfigurationError, match="does not load"):
        loaded_model(Loading(tmp_path))


def test_missing_torch_is_named_with_its_remedy(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingEngineError, match="setup-torch"):
        loaded_model(Loading(folder))

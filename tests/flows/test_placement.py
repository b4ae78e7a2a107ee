"""Subjects on a GPU run on the workers that have one, side by side, each alone on its worker."""

import os
import threading
import time
from pathlib import Path

import pytest
from distributed import LocalCluster, get_worker
from distributed.system import MEMORY_LIMIT

from firsthand.core.errors import MissingEngineError
from flows.workers import (
    Workers,
    check_gpus,
    chosen_cluster,
    on_workers_with,
    workers_in_use,
)
from tasks.stage import WorkerNeeds, split, worker_needs_of
from tests.flows.dask_clients import client_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

_PATIENCE_S = 60.0


def where(meeting_place: str, number: int, *, meets: int) -> dict[str, object]:
    """Tell which worker runs this, once as many others as `meets` have begun."""
    folder = Path(meeting_place)
    (folder / str(number)).touch()
    began_s = time.monotonic()
    while len(list(folder.iterdir())) < meets and time.monotonic() - began_s < _PATIENCE_S:
        time.sleep(0.05)
    worker = get_worker()
    return {
        "gpus": worker.state.total_resources.get("GPU", 0),
        "threads": worker.state.nthreads,
        "device": os.environ.get("CUDA_VISIBLE_DEVICES"),
        "memory_limit": worker.memory_manager.memory_limit,
        "pid": os.getpid(),
        "thread": threading.current_thread().name,
        "met": len(list(folder.iterdir())),
        "profiled": "profile" in worker.periodic_callbacks,
    }


def test_two_subjects_run_side_by_side_each_on_a_gpu_of_its_own(tmp_path: Path) -> None:
    folder = str(tmp_path)
    with client_of(Workers(processes=1, gpus=2, visible_gpus="3,GPU-5,7")) as client:
        with on_workers_with(1):
            waiting = [client.submit(where, folder, number, meets=2) for number in range(2)]
        on_gpus = client.gather(waiting)
        anywhere = client.gather(
            [client.submit(where, folder, 2 + number, meets=0) for number in range(4)]
        )
    assert [one["gpus"] for one in on_gpus] == [1, 1]
    # The first of the GPUs that the command itself may use.
    assert {one["device"] for one in on_gpus} == {"3", "GPU-5"}
    # Weights on their way to a GPU are no reason to end its worker.
    assert {one["memory_limit"] for one in on_gpus} == {None}
    assert len({one["pid"] for one in on_gpus}) == 2
    assert {one["threads"] for one in (*on_gpus, *anywhere)} == {1}
    # Asking for every thread's frames can lock up a process that asks many things at once.
    assert not any(one["profiled"] for one in (*on_gpus, *anywhere))
    # Each had begun before the other one ended.
    assert [one["met"] for one in on_gpus] == [2, 2]


def test_shards_for_one_gpu_wait_for_each_other(tmp_path: Path) -> None:
    folder = str(tmp_path)
    with client_of(Workers(processes=2, gpus=1)) as client, on_workers_with(1):
        waiting = [client.submit(where, folder, number, meets=0) for number in range(4)]
        done = client.gather(waiting)
    assert {one["gpus"] for one in done} == {1}
    assert len({(one["pid"], one["thread"]) for one in done}) == 1


def test_a_worker_without_a_gpu_of_its_own_sees_none_and_has_its_share_of_the_memory(
    tmp_path: Path,
) -> None:
    with client_of(Workers(processes=2, gpus=1)) as client:
        waiting = [client.submit(where, str(tmp_path), number, meets=3) for number in range(3)]
        found = client.gather(waiting)
    plain = [one for one in found if not one["gpus"]]
    assert {(one["device"], one["memory_limit"]) for one in plain} == {("", MEMORY_LIMIT // 3)}
    assert [one["device"] for one in found if one["gpus"]] == ["0"]


def test_more_gpus_than_are_visible_are_refused() -> None:
    few = Workers(processes=1, gpus=2, visible_gpus="0")
    with (
        workers_in_use(few),
        pytest.raises(MissingEngineError, match="workers with 2 GPUs"),
        chosen_cluster(),
    ):
        pass


def test_a_subject_that_no_worker_can_hold_is_refused_at_once() -> None:
    with (
        workers_in_use(Workers(processes=1)),
        pytest.raises(MissingEngineError, match="at most 0"),
    ):
        check_gpus(1)
    with workers_in_use(Workers(processes=1, gpus=1)):
        check_gpus(1)
        with pytest.raises(MissingEngineError, match="at most 1"):
            check_gpus(2)


def test_a_scheduler_elsewhere_is_asked_what_its_workers_have() -> None:
    with client_of(Workers(processes=1, gpus=1)) as client:
        elsewhere = Workers(scheduler=client.scheduler_info()["address"])
        with workers_in_use(elsewhere):
            check_gpus(0)
            check_gpus(1)
            with pytest.raises(MissingEngineError, match="at most 1"):
                check_gpus(2)


class _Asks:
    def __init__(self, item_id: str, needs: WorkerNeeds | None) -> None:
        self.item_id = item_id
        self.weight = 1.0
        if needs is not None:
            self.worker_needs = needs


def test_items_of_two_models_never_share_a_shard() -> None:
    items = [
        _Asks(f"{run}/{n}", WorkerNeeds(1, run) if run else None)
        for run in ("a", "b", "")
        for n in range(3)
    ]
    demands = sorted({worker_needs_of(item) for item in items})
    assert demands == [WorkerNeeds(), WorkerNeeds(1, "a"), WorkerNeeds(1, "b")]
    for needs in demands:
        for part in split([item for item in items if worker_needs_of(item) == needs], 2):
            assert {item.item_id[0] for item in part} in ({"a"}, {"b"}, {"/"})


def test_workers_elsewhere_that_run_the_profiler_are_warned_of(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with LocalCluster(
        n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    ) as theirs:
        elsewhere = Workers(scheduler=theirs.scheduler_address)
        with workers_in_use(elsewhere), chosen_cluster() as chosen:
            assert chosen == theirs.scheduler_address
    assert "1 of 1 workers" in (said := capsys.readouterr().err)
    assert "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED=False" in said


def test_workers_elsewhere_without_the_profiler_are_not_warned_of(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with client_of(Workers(processes=1, gpus=1)) as client:
        elsewhere = Workers(scheduler=client.scheduler_info()["address"])
        with workers_in_use(elsewhere), chosen_cluster():
            pass
    assert "warning" not in capsys.readouterr().err

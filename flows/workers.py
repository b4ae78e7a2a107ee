"""The Dask workers that shards run on: started when first needed, shared within a process."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

import dask
from dask import annotate  # type: ignore[attr-defined] # published, not listed
from distributed import Client, Scheduler, SpecCluster, Status, Worker
from distributed.system import MEMORY_LIMIT
from prefect.futures import PrefectFuture
from prefect.task_runners import TaskRunner
from prefect_dask.task_runners import DaskTaskRunner
from pydantic import BaseModel, ConfigDict, Field

from firsthand.core.errors import MissingEngineError
from flows.lost_workers import LASTING, PatientNanny, never_started
from flows.progress import say

__all__ = [
    "ON_THIS_MACHINE",
    "Workers",
    "check_gpus",
    "chosen_cluster",
    "close_cluster",
    "dask_task_runner",
    "on_workers_with",
    "workers_are_left",
    "workers_in_use",
]


class Workers(BaseModel):
    """Where shards run.

    A local cluster listens on loopback only. A scheduler elsewhere must bring its own
    transport security; its address is taken as it is. Its workers should run without Dask's
    profiler, as local ones do; where one does not, a warning says how.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    processes: int = Field(default=2, ge=1, description="Worker processes of the local cluster.")
    gpus: int = Field(
        default=0,
        ge=0,
        description="Further processes of the local cluster, each with a GPU for itself.",
    )
    visible_gpus: str | None = Field(
        default=None,
        description="The GPUs to choose from, as CUDA_VISIBLE_DEVICES names them; 0, 1, … if none.",
    )
    scheduler: str | None = Field(
        default=None, description="Address of a running Dask scheduler, instead of a local one."
    )

    @property
    def shards(self) -> int:
        """How many shards keep these workers evenly busy to the end."""
        return 3 * self.processes


ON_THIS_MACHINE = Workers()

_IN_USE: ContextVar[Workers] = ContextVar("workers_in_use")
_CLUSTERS: dict[Workers, SpecCluster] = {}
_GPU = "GPU"
_VISIBLE = "CUDA_VISIBLE_DEVICES"
_GONE = (Status.closing, Status.closed, Status.failed)
_LOOPBACK = "127.0.0.1"
# Dask's sampling profiler asks Python for all threads' frames a hundred times a second. In Python
# 3.11.7 a collection of garbage within that question can lock the process up for ever
# (CPython's issue 106883): a run of many threads stood still in this way.
_WITHOUT_PROFILE = {"distributed.worker.profile.enabled": False}
_WARNING = (
    "{} of {} workers of {} run Dask's profiler, under which Python 3.11 can lock up for ever: "
    "start them with DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED=False"
)


def dask_task_runner() -> TaskRunner[PrefectFuture[Any]]:
    """Return a task runner that connects, at the first shard, to the workers in use."""
    # Prefect enters whatever the callable returns; its annotation knows clusters only.
    runner = DaskTaskRunner(cluster_class=chosen_cluster)  # type: ignore[arg-type] # as said above
    return cast("TaskRunner[PrefectFuture[Any]]", runner)


@contextmanager
def workers_in_use(workers: Workers) -> Iterator[None]:
    """Let the shards submitted inside the block run on `workers`."""
    token = _IN_USE.set(workers)
    try:
        yield
    finally:
        _IN_USE.reset(token)


@contextmanager
def on_workers_with(gpus: int) -> Iterator[None]:
    """Let the shards submitted inside the block run on workers with so many free GPUs."""
    if not gpus:
        yield
        return
    with annotate(resources={_GPU: gpus}):
        yield


def check_gpus(gpus: int) -> None:
    """Return if some worker in use has so many GPUs: without one, a shard waits for ever.

    Raises:
        MissingEngineError: If none has.
    """
    most = max(_gpus_of_workers(_IN_USE.get()), default=0) if gpus else 0
    if most < gpus:
        raise MissingEngineError(
            f"workers for a subject on {gpus} GPUs",
            f"workers with at most {most}",
            "a worker with as many, which says so to the scheduler as its resource GPU",
            "Pass `--gpus 1`, or workers with `gpus` in the forms; start Dask workers with "
            "`--resources GPU=1`; or set `gpus: 0` for the subject.",
        )


def workers_are_left(client: Client, gpus: int) -> bool | None:
    """Return whether a worker in use with so many GPUs lives or is being started.

    Of a scheduler elsewhere nobody here knows whether a worker will come: None if none is there.
    """
    workers = _IN_USE.get()
    if workers.scheduler is not None:
        return True if max(_gpus_known_to(client), default=-1) >= gpus else None
    return any(
        (nanny.resources or {}).get(_GPU, 0) >= gpus
        for nanny in _CLUSTERS[workers].workers.values()
        if nanny.status not in _GONE
    )


def close_cluster() -> None:
    """Close the local cluster in use, so that the next flow of this process starts another."""
    cluster = _CLUSTERS.pop(_IN_USE.get(), None)
    if cluster is not None:
        cluster.close()


def _gpus_of_workers(workers: Workers) -> list[int]:
    if workers.scheduler is None:
        return [1] if workers.gpus else []
    with Client(workers.scheduler) as client:  # type: ignore[no-untyped-call] # Dask's
        return _gpus_known_to(client)


def _gpus_known_to(client: Client) -> list[int]:
    known = client.scheduler_info(n_workers=-1)["workers"].values()
    return [int(one["resources"].get(_GPU, 0)) for one in known]


@contextmanager
def chosen_cluster() -> Iterator[SpecCluster | str]:
    """Yield the workers in use: a local cluster, or a scheduler's address."""
    # Starting workers costs seconds and flows follow each other in one process, so a local
    # cluster stays until the process ends, when distributed's own exit handler closes it.
    workers = _IN_USE.get()
    if workers.scheduler is not None:
        _warn_of_profilers(workers.scheduler)
        yield workers.scheduler
        return
    if workers not in _CLUSTERS:
        _CLUSTERS[workers] = _local_cluster(workers)
    yield _CLUSTERS[workers]


def _warn_of_profilers(scheduler: str) -> None:
    with Client(scheduler) as client:  # type: ignore[no-untyped-call] # Dask's
        found = client.run(_is_profiled, on_error="ignore").values()
    if any(found):
        say(f"warning: {_WARNING.format(sum(found), len(found), scheduler)}")


def _is_profiled(dask_worker: Worker) -> bool:
    return "profile" in dask_worker.periodic_callbacks


def _options(workers: Workers) -> list[dict[str, Any]]:
    """Return the options of each process of a local cluster."""
    # One thread each: shards are processes' work, and a model is asked by one at a time.
    shared = {
        "nthreads": 1,
        "host": _LOOPBACK,
        "dashboard": False,
        "preload": "flows.interruption",
    }
    # Dask would give a process with one thread the share of one core, a sixteenth of a machine
    # with sixteen. Weights pass through a GPU worker's memory whole.
    limit = MEMORY_LIMIT // (workers.processes + workers.gpus)
    plain = {**shared, "memory_limit": limit, "env": {_VISIBLE: ""}}
    with_gpu = [
        {**shared, "memory_limit": 0, "resources": {_GPU: 1}, "env": {_VISIBLE: name}}
        for name in _gpu_names(workers)
    ]
    return [*(dict(plain) for _ in range(workers.processes)), *with_gpu]


def _gpu_names(workers: Workers) -> list[str]:
    if workers.visible_gpus is None:
        return [str(number) for number in range(workers.gpus)]
    names = [name.strip() for name in workers.visible_gpus.split(",") if name.strip()]
    if len(names) < workers.gpus:
        raise MissingEngineError(
            f"workers with {workers.gpus} GPUs",
            f"the visible GPUs {workers.visible_gpus!r}",
            "a GPU for each of them",
            "Ask for fewer, or let CUDA_VISIBLE_DEVICES name more.",
        )
    return names[: workers.gpus]


def _local_cluster(workers: Workers) -> SpecCluster:
    options = _options(workers)
    dask.config.set(LASTING)
    # Workers, also those that take a dead one's place, begin with the settings of this moment.
    with dask.config.set(_WITHOUT_PROFILE):
        try:
            return SpecCluster(  # type: ignore[no-untyped-call] # Dask's
                workers={n: {"cls": PatientNanny, "options": one} for n, one in enumerate(options)},
                scheduler={
                    "cls": Scheduler,
                    # Metrics are served even without a dashboard: on any free port of loopback.
                    "options": {
                        "host": _LOOPBACK,
                        "port": 0,
                        "dashboard": False,
                        "dashboard_address": f"{_LOOPBACK}:0",
                    },
                },
            )
        except RuntimeError as error:
            raise never_started(error) from error

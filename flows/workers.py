"""The Dask workers that shards run on: started when first needed, shared within a process."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

from distributed import LocalCluster
from prefect.futures import PrefectFuture
from prefect.task_runners import TaskRunner
from prefect_dask.task_runners import DaskTaskRunner
from pydantic import BaseModel, ConfigDict, Field

__all__ = ["ON_THIS_MACHINE", "Workers", "dask_task_runner", "workers_in_use"]


class Workers(BaseModel):
    """Where shards run.

    A local cluster listens on loopback only. A scheduler elsewhere must bring its own
    transport security; its address is taken as it is.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    processes: int = Field(default=2, ge=1, description="Worker processes of the local cluster.")
    scheduler: str | None = Field(
        default=None, description="Address of a running Dask scheduler, instead of a local one."
    )

    @property
    def shards(self) -> int:
        """How many shards keep these workers evenly busy to the end."""
        return 3 * self.processes


ON_THIS_MACHINE = Workers()

_IN_USE: ContextVar[Workers] = ContextVar("workers_in_use")
_CLUSTERS: dict[int, LocalCluster] = {}


def dask_task_runner() -> TaskRunner[PrefectFuture[Any]]:
    """Return a task runner that connects, at the first shard, to the workers in use."""
    # Prefect enters whatever the callable returns; its annotation knows clusters only.
    runner = DaskTaskRunner(cluster_class=_chosen_cluster)  # type: ignore[arg-type]
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
def _chosen_cluster() -> Iterator[LocalCluster | str]:
    # Starting workers costs seconds and flows follow each other in one process, so a local
    # cluster stays until the process ends, when distributed's own exit handler closes it.
    workers = _IN_USE.get()
    if workers.scheduler is not None:
        yield workers.scheduler
        return
    if workers.processes not in _CLUSTERS:
        _CLUSTERS[workers.processes] = LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=workers.processes,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            preload="flows.interruption",
        )
    yield _CLUSTERS[workers.processes]

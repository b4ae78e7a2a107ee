"""Workers that die: which come back, and how a job ends when none does."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any, Protocol, TypeVar

from distributed import Future, Nanny, Status
from distributed.scheduler import KilledWorker

from firsthand.core.errors import FirsthandError
from flows.progress import say

__all__ = ["LASTING", "PatientNanny", "WorkersLostError", "never_started", "outcome_of", "wait_for"]

ResultT_co = TypeVar("ResultT_co", covariant=True)

_LOOK_EVERY_S = 5.0
_SAY_EVERY_S = 60.0
_MOST_FAILED_STARTS = 5
_GO_ON = "What was stored is kept; the same command goes on from there."

LASTING = {"distributed.deploy.lost-worker-timeout": "7 days"}
"""Settings under which Dask never takes a worker that starts slowly for a dead one."""


class WorkersLostError(FirsthandError):
    """The workers that a job waits for have died, and none will come back."""


class PatientNanny(Nanny):
    """Starts a worker again whenever it has died, but not for ever.

    What counts is how often in a row the new process ended before it was a worker, never how
    long it took: on a machine with much other work a start may take minutes.
    """

    _failed_starts = 0

    async def instantiate(self) -> Status:
        """Start the worker's process; give it up once that has failed too often in a row."""
        if self._failed_starts >= _MOST_FAILED_STARTS:
            await self.close(reason="worker-never-starts")
            return self.status
        status = await super().instantiate()
        self._failed_starts = 0 if status is Status.running else self._failed_starts + 1
        return status


class Ended(Protocol[ResultT_co]):
    """A future that has ended."""

    def result(self) -> ResultT_co:
        """Return what it holds, or raise what ended it."""


def never_started(error: RuntimeError) -> WorkersLostError:
    """Return what to say when a local cluster has a worker that does not come up at all."""
    reason = error.__cause__ or error
    return WorkersLostError(
        "workers of the local cluster",
        f"one that cannot start ({type(reason).__name__}: {reason})",
        "workers that start",
        f"Look for the reason above: code or packages that do not load, or no free port. {_GO_ON}",
    )


def wait_for(future: Future[Any], are_left: Callable[[], bool | None]) -> None:
    """Return when a future has ended in whatever way.

    Args:
        future: What a worker is to compute.
        are_left: Whether a worker that can compute it lives or is being started; None if
            none is there and nobody here knows whether one will come.

    Raises:
        WorkersLostError: If none is left.
    """
    ended = threading.Event()
    future.add_done_callback(lambda _: ended.set())  # type: ignore[no-untyped-call] # Dask's
    said_s = time.monotonic()
    while not ended.wait(_LOOK_EVERY_S):
        left = are_left()
        if left is False:
            raise WorkersLostError(
                "workers of the local cluster",
                "none left: they died, and no new one could start",
                "a worker that starts and lives",
                "Look for the reason above: code or packages that changed under the command, or "
                f"too little memory. {_GO_ON}",
            )
        if left is None and time.monotonic() - said_s > _SAY_EVERY_S:
            said_s = time.monotonic()
            say("  no worker that could go on is connected to the scheduler: waiting for one")


def outcome_of(future: Ended[ResultT_co], shard: str) -> ResultT_co:
    """Return what an ended future holds, or raise what ended it.

    Args:
        future: The future.
        shard: Its name in errors.

    Raises:
        WorkersLostError: If workers died under it too often, or the scheduler was lost.
    """
    try:
        return future.result()
    except KilledWorker as error:
        raise WorkersLostError(
            shard,
            f"that each worker died under it: {error.allowed_failures + 1}",
            "a worker that lives to its end",
            "Most often a worker dies of too little memory: try fewer workers. The other shards "
            f"were ended first. {_GO_ON}",
        ) from error
    except CancelledError as error:
        raise WorkersLostError(
            shard,
            "no connection to the scheduler any more",
            "a scheduler that lives to its end",
            f"Start the scheduler and its workers again. {_GO_ON}",
        ) from error

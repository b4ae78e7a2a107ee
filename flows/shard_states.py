"""What the orchestrator's pages say of shards that nobody will end any more.

A shard tells its state from its worker. When that is gone, the last it told was that it ran,
and it would seem to run for ever.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
from prefect import Task
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.context import FlowRunContext
from prefect.exceptions import ObjectNotFound
from prefect.states import Crashed
from prefect_dask.task_runners import PrefectDaskFuture

from flows.progress import say

if TYPE_CHECKING:
    from prefect.client.schemas.objects import State

__all__ = ["SentShard", "ended_in_the_pages"]

_DONE = "finished"


@dataclass(frozen=True, slots=True)
class SentShard:
    """A shard that was sent to the workers.

    Args:
        name: Its name in the pages.
        task: What it is a run of.
        future: What will become of it.
    """

    name: str
    task: Task[..., Any]
    future: PrefectDaskFuture[Any]


@contextmanager
def ended_in_the_pages(shards: Sequence[SentShard]) -> Iterator[None]:
    """Say of shards that have not ended, when an error ends the block, that they are lost.

    They are shown as crashed, with the error as the reason; those that never began, too.
    """
    try:
        yield
    except BaseException as error:
        reason = str(error) or type(error).__name__
        unended = [one for one in shards if one.future.wrapped_future.status != _DONE]
        _tell(unended, f"Not done: {reason}")
        raise


def _tell(shards: Sequence[SentShard], message: str) -> None:
    try:
        with get_client(sync_client=True) as client:
            for shard in shards:
                _show_as_crashed(client, shard, message)
    except httpx.HTTPError as error:
        # What ended the work matters more than that the pages could not be told.
        say(f"warning: the orchestrator does not know of lost shards ({type(error).__name__})")


def _show_as_crashed(client: SyncPrefectClient, shard: SentShard, message: str) -> None:
    task_run_id = shard.future.task_run_id
    state: State[Any] = Crashed(message=message)
    try:
        client.read_task_run(task_run_id)
    except ObjectNotFound:
        # Workers make a run known when they begin it. One whose beginning the server hears of
        # later keeps this state, since it is the latest.
        flow = FlowRunContext.get()
        client.create_task_run(
            shard.task,
            flow_run_id=None if flow is None or flow.flow_run is None else flow.flow_run.id,
            dynamic_key=str(task_run_id),
            id=task_run_id,
            name=shard.name,
            state=state,
        )
    else:
        client.set_task_run_state(task_run_id, state, force=True)

"""A stage: one kind of step over many items, run in shards.

A stage says of an item which step it is and how its outputs are computed. Whether an
item is done is asked of the store, never of the orchestrator.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar, runtime_checkable

from firsthand.core.errors import FirsthandError
from firsthand.store import Outputs, Receipt, StepRequest, find_receipt, run_step
from firsthand.store.steps import damaged_outputs, discard_receipt
from tasks.job import Job

__all__ = ["Failure", "Item", "Stage", "WorkerNeeds", "run_items", "split", "worker_needs_of"]


class Item(Protocol):
    """What a stage works on: a recording, a participant's stream, a group of asks."""

    @property
    def item_id(self) -> str:
        """Identifier in logs and failures."""

    @property
    def weight(self) -> float:
        """Expected work, in any unit that is the same for all items of a stage."""


@dataclass(frozen=True, slots=True, order=True)
class WorkerNeeds:
    """What a worker must have to process an item.

    Args:
        gpus: GPUs that it needs for itself; 0 for none.
        group: Items of one group go to a worker together, those of two never do, so that
            no worker exchanges one model for another between them.
    """

    gpus: int = 0
    group: str = ""


@runtime_checkable
class DemandingItem(Protocol):
    """An item that not every worker can process."""

    @property
    def worker_needs(self) -> WorkerNeeds:
        """What a worker must have."""


def worker_needs_of(item: Item) -> WorkerNeeds:
    """Return what a worker must have to process an item; most items ask for nothing."""
    return item.worker_needs if isinstance(item, DemandingItem) else WorkerNeeds()


ItemT = TypeVar("ItemT", bound=Item)


@dataclass(frozen=True, slots=True)
class Failure:
    """An item that a stage could not process, while the others went on.

    Args:
        item_id: The item.
        stage: The stage that refused it.
        error: Name of the error.
        reason: Its text: subject, expectation, finding, remedy.
    """

    item_id: str
    stage: str
    error: str
    reason: str


@dataclass(frozen=True, slots=True)
class Stage(Generic[ItemT]):
    """One kind of step over items.

    Args:
        name: Verb of the field, as progress shows it.
        request: Names the step of an item and all that its result depends on.
        work: Computes an item's outputs, given an empty folder.
        is_final: Whether a finished step's result may be kept; one that may not is done
            again by the next job.
    """

    name: str
    request: Callable[[Job, ItemT], StepRequest]
    work: Callable[[Job, ItemT, Path], Outputs]
    is_final: Callable[[Receipt], bool] = lambda receipt: True  # noqa: ARG005 - kept as it is

    def receipt(self, job: Job, item: ItemT) -> Receipt | None:
        """Return the receipt of an item that is finished for good, or None."""
        found = find_receipt(job.store, self.request(job, item))
        return found if found is not None and self.is_final(found) else None

    def damaged(self, job: Job, item: ItemT) -> tuple[str, ...]:
        """Return the paths of an item's outputs that were lost or cut short since it finished."""
        return damaged_outputs(job.store, self.request(job, item))

    def run(self, job: Job, item: ItemT) -> Receipt:
        """Return an item's receipt, computing it if the store holds none."""
        request = self.request(job, item)
        found = find_receipt(job.store, request)
        if found is not None and not self.is_final(found):
            discard_receipt(job.store, request)
        return run_step(
            job.store,
            request,
            lambda folder: self.work(job, item, folder),
            job=job.name,
        )


def run_items(stage: Stage[ItemT], job: Job, items: Sequence[ItemT]) -> list[Receipt | Failure]:
    """Run a stage over items in order; one that fails with a known error stops no other."""
    return [_run_item(stage, job, item) for item in items]


def split(items: Sequence[ItemT], shards: int) -> list[list[ItemT]]:
    """Divide items into at most `shards` lists of about equal weight, heaviest first.

    The greedy rule (give the next heaviest to the lightest list) is within a third of
    the best division, and the same items always give the same shards.
    """
    lists: list[list[ItemT]] = [[] for _ in range(max(1, min(shards, len(items))))]
    loads = [0.0] * len(lists)
    for item in sorted(items, key=lambda item: (-item.weight, item.item_id)):
        lightest = min(range(len(lists)), key=loads.__getitem__)
        lists[lightest].append(item)
        loads[lightest] += item.weight
    return [members for members in lists if members]


def _run_item(stage: Stage[ItemT], job: Job, item: ItemT) -> Receipt | Failure:
    try:
        return stage.run(job, item)
    except FirsthandError as error:
        return Failure(item.item_id, stage.name, type(error).__name__, str(error))

"""Outcomes of stages that must not fail: a failure there ends the job."""

from collections.abc import Mapping

from firsthand.core.errors import FirsthandError
from firsthand.store import Receipt
from tasks.stage import Failure

__all__ = ["StageFailedError", "only_receipt"]


class StageFailedError(FirsthandError):
    """A stage that the whole job depends on could not be finished."""


def only_receipt(results: Mapping[str, Receipt | Failure]) -> Receipt:
    """Return the receipt of a stage that works on one item.

    Raises:
        StageFailedError: If the stage failed; it carries the failure's own words.
    """
    (outcome,) = results.values()
    if isinstance(outcome, Failure):
        raise StageFailedError(
            f"stage {outcome.stage} of {outcome.item_id!r}",
            outcome.error,
            "a finished stage",
            outcome.reason,
        )
    return outcome

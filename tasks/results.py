"""Outcomes of stages that must not fail: a failure there ends the job."""

from collections.abc import Mapping

from firsthand.core.errors import FirsthandError
from firsthand.store import Receipt
from tasks.stage import Failure

__all__ = ["Results", "StageFailedError", "only_receipt", "receipt_of"]


class StageFailedError(FirsthandError):
    """A stage that the whole job depends on could not be finished."""


Results = Mapping[str, Receipt | Failure]


def only_receipt(results: Results) -> Receipt:
    """Return the receipt of a stage that works on one item.

    Raises:
        StageFailedError: If the stage failed.
    """
    (outcome,) = results.values()
    return receipt_of(outcome)


def receipt_of(outcome: Receipt | Failure) -> Receipt:
    """Return a receipt, or raise what a failure says.

    Raises:
        StageFailedError: If the stage failed; it carries the failure's own words.
    """
    if isinstance(outcome, Failure):
        raise StageFailedError(
            f"stage {outcome.stage} of {outcome.item_id!r}",
            outcome.error,
            "a finished stage",
            outcome.reason,
        )
    return outcome

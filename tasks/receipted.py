"""Items that carry the receipts of the stages before them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from firsthand.core.errors import FirsthandError
from firsthand.store import Receipt

__all__ = ["MissingReceiptError", "Receipted"]


class MissingReceiptError(FirsthandError):
    """A stage was given an item that an earlier stage has not finished."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipted(ABC):
    """An item that stages work on one after the other.

    Args:
        receipts: What they have made of it, by stage name.
    """

    receipts: Mapping[str, Receipt] = field(default_factory=dict)

    @property
    @abstractmethod
    def subject(self) -> str:
        """What it is called where a receipt is missing, without private text."""

    def after(self, stage: str, receipt: Receipt) -> Self:
        """Return the item with a further receipt."""
        return replace(self, receipts={**self.receipts, stage: receipt})

    def receipt(self, stage: str) -> Receipt:
        """Return the receipt of an earlier stage.

        Raises:
            MissingReceiptError: If that stage has not finished this item.
        """
        if stage not in self.receipts:
            raise self.lacks(stage)
        return self.receipts[stage]

    def lacks(self, stage: str) -> MissingReceiptError:
        """Return the error of an item that `stage` has not finished."""
        return MissingReceiptError(
            self.subject,
            f"receipts of {', '.join(sorted(self.receipts)) or 'no stage'}",
            f"one of {stage}",
            "Run that stage first; the whole build runs them in order.",
        )

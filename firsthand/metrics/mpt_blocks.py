"""The two ways in which MPT of several subcategories is averaged into one figure."""

from collections.abc import Sequence
from dataclasses import dataclass

from firsthand.metrics.tally import Tally

__all__ = ["MptBlock", "by_initially_correct", "by_questions"]


@dataclass(frozen=True, slots=True)
class MptBlock:
    """One subcategory's MPT tally, in seconds, and how many questions started a memory.

    Args:
        tally: From `persistence_verdicts`.
        initially_correct: Questions first answered correctly.
    """

    tally: Tally
    initially_correct: int


def by_questions(blocks: Sequence[MptBlock]) -> float | None:
    """Return MPT in seconds over all questions (the published Overall, and our default)."""
    return sum((block.tally for block in blocks), Tally()).mean


def by_initially_correct(blocks: Sequence[MptBlock]) -> float | None:
    """Return MPT in seconds as the published "All" columns average it.

    Each subcategory's MPT weighs as many as its initially correct questions: subcategories
    that a subject is good at count more. None without such questions.
    """
    weighed = [
        (block.tally.mean, block.initially_correct)
        for block in blocks
        if block.tally.mean is not None
    ]
    total = sum(weight for _, weight in weighed)
    return sum(mean * weight for mean, weight in weighed) / total if total else None

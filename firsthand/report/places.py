"""Places on a board: subjects by score, equal scores sharing a rank, unranked ones last."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Protocol, TypeVar

import pyarrow as pa

from firsthand.subjects import SubjectFacts

__all__ = ["OverallRows", "overall_rows", "placed"]

OverallRows = Mapping[tuple[str, str, str], Mapping[str, object]]
"""Rows of the leaderboard's table over all questions, by run, metric and rule set."""


class Line(Protocol):
    """A subject's line: a frozen dataclass with a field `rank`."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def subject_id(self) -> str:
        """The subject."""

    @property
    def facts(self) -> SubjectFacts:
        """What it is."""


LineT = TypeVar("LineT", bound=Line)


def overall_rows(leaderboard: pa.Table) -> OverallRows:
    """Return the rows that stand for all questions."""
    return {
        (row["run_id"], row["metric"], row["rule_set"]): row
        for row in leaderboard.to_pylist()
        if row["group_kind"] == "overall"
    }


def placed(lines: Iterable[LineT], score: Callable[[LineT], float]) -> tuple[LineT, ...]:
    """Return lines with their ranks, best first, those that are never ranked last.

    Args:
        lines: The lines, in any order.
        score: What they are ranked by; more is better.
    """
    given = sorted(
        lines, key=lambda line: (not line.facts.is_ranked, -score(line), line.subject_id)
    )
    ranked = [score(line) for line in given if line.facts.is_ranked]
    return tuple(
        replace(line, rank=1 + ranked.index(score(line))) if line.facts.is_ranked else line
        for line in given
    )

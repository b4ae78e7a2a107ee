"""Verdict columns into tallies by group, in one pass per grouping column."""

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from firsthand.core.outcomes import Outcome
from firsthand.metrics.columns import OUTCOMES, Grouping, VerdictColumns
from firsthand.metrics.tally import Tally
from firsthand.metrics.ticks import joined_ticks, split_ticks

__all__ = ["OVERALL", "GroupKey", "group_tallies", "macro_mean", "merge_groups", "tally"]

GroupKey = tuple[str, str]
"""Kind and name of a group: `("subcategory", "Entity Tracking")`."""

OVERALL: GroupKey = ("overall", "overall")


def tally(verdicts: VerdictColumns) -> Tally:
    """Return the tally of all rows."""
    return group_tallies(verdicts, {})[OVERALL]


def group_tallies(verdicts: VerdictColumns, by: Mapping[str, Grouping]) -> dict[GroupKey, Tally]:
    """Return the tally of all rows, and of each group of each grouping column.

    Args:
        verdicts: The rows.
        by: Grouping columns by kind of group ("subcategory"), as long as the verdicts.

    Returns:
        Tallies by (kind, name), `OVERALL` always among them. Groups without rows appear
        if their name is listed in the grouping: their mean is None, never 0.

    Raises:
        ValueError: If a grouping column has another length than the verdicts.
    """
    everything = Grouping(np.zeros(len(verdicts), np.intp), (OVERALL[1],))
    tallies: dict[GroupKey, Tally] = {}
    for kind, grouping in {OVERALL[0]: everything, **by}.items():
        if len(grouping) != len(verdicts):
            raise ValueError(
                f"grouping {kind!r} has {len(grouping)} rows, the verdicts {len(verdicts)}"
            )
        for name, summed in zip(grouping.names, _sums(verdicts, grouping), strict=True):
            tallies[kind, name] = summed
    return tallies


def merge_groups(parts: Iterable[Mapping[GroupKey, Tally]]) -> dict[GroupKey, Tally]:
    """Add tallies of shards group by group; the order of shards never matters."""
    merged: dict[GroupKey, Tally] = {}
    for part in parts:
        for key, summed in part.items():
            merged[key] = merged[key] + summed if key in merged else summed
    return merged


def macro_mean(tallies: Mapping[GroupKey, Tally], kind: str) -> float | None:
    """Mean of the groups' means over the groups of one kind that are not empty."""
    means = [found.mean for (kind_of, _), found in tallies.items() if kind_of == kind]
    filled = [mean for mean in means if mean is not None]
    return sum(filled) / len(filled) if filled else None


def _sums(verdicts: VerdictColumns, grouping: Grouping) -> list[Tally]:
    """Add each group's rows exactly: as whole ticks, low and high bits apart."""
    named = grouping.codes >= 0
    codes, outcome = grouping.codes[named], verdicts.outcome[named]
    size, kinds = len(grouping.names), len(OUTCOMES)
    high, low = split_ticks(verdicts.score[named])
    high_sums = np.bincount(codes, high, size)
    low_sums = np.bincount(codes, low, size)
    counts = np.bincount(codes * kinds + outcome, minlength=size * kinds).reshape(size, kinds)
    return [
        Tally(joined_ticks(high_sums[place], low_sums[place]), *_counted(counts[place]))
        for place in range(size)
    ]


def _counted(counts: npt.NDArray[np.intp]) -> tuple[int, dict[Outcome, int]]:
    kept = {OUTCOMES[code]: int(counts[code]) for code in np.flatnonzero(counts)}
    return int(counts.sum()), kept

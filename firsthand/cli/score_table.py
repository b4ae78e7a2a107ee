"""Scores as rows that are never without n, clusters and interval."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from firsthand.core.outcomes import Outcome
from firsthand.metrics.catalogue import METRICS, Metric
from firsthand.metrics.columns import CODE_OF, Grouping, VerdictColumns
from firsthand.metrics.comparison import paired_comparison
from firsthand.metrics.groups import OVERALL, group_tallies
from firsthand.metrics.intervals import clustered_interval
from firsthand.metrics.tally import UNRECORDED, Tally

__all__ = [
    "Denominator",
    "Difference",
    "Figure",
    "ScoreRow",
    "difference",
    "score_rows",
    "share_rows",
]

GroupName = TypeVar("GroupName", bound=str)

_LEVEL = 0.95
_SEED = 20_260_101
"""Fixed, so that scoring the same run twice prints the same intervals."""


class Denominator(StrEnum):
    """Which rows a headline is the mean of."""

    PLANNED = "planned"
    """All planned asks: what was lost counts as 0."""
    RECORDED = "recorded"
    """Asks that brought a reply, as released code counts."""
    JUDGED = "judged"
    """Recorded asks with a valid judgement."""


_LOST = {
    Denominator.PLANNED: frozenset[Outcome](),
    Denominator.RECORDED: UNRECORDED,
    Denominator.JUDGED: UNRECORDED | {Outcome.JUDGE_FAILED},
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One column of scores and what it is called.

    Args:
        metric: Name in the list of metrics.
        variant: What tells it from others of the same metric ("strict", "clip_mean").
        verdicts: One row per ask, referent or clip.
        clusters: Participant or recording of each row.
        over: What the headline is the mean of.
        rows: What each row is about, each once; without it, two figures are compared row
            by row.
    """

    metric: str
    variant: str
    verdicts: VerdictColumns
    clusters: Grouping
    over: Denominator = Denominator.PLANNED
    rows: tuple[Hashable, ...] = ()

    @property
    def name(self) -> str:
        """Name as printed."""
        return f"{self.metric} {self.variant}".strip()

    @property
    def counted(self) -> npt.NDArray[np.bool_]:
        """Rows that the headline is the mean of."""
        lost = [CODE_OF[outcome] for outcome in _LOST[self.over]]
        return ~np.isin(self.verdicts.outcome, lost)

    @property
    def kind(self) -> Metric:
        """Unit, bounds and direction."""
        return METRICS[self.metric]


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One score of one group.

    Args:
        metric: Name of the figure.
        kind: Kind of group ("overall", "subcategory").
        group: Name of the group.
        value: The score in `unit`; None for an empty group.
        unit: Its unit.
        n: Rows that it is the mean of.
        clusters: Participants or recordings that they come from.
        low: Lower end of the 95 % interval; None for an empty group.
        high: Upper end.
        method: How the interval was made.
        recorded_only: Mean over recorded asks; None where there are none.
        outcomes: How the asks ended.
    """

    metric: str
    kind: str
    group: str
    value: float | None
    unit: str
    n: int
    clusters: int
    low: float | None
    high: float | None
    method: str
    recorded_only: float | None
    outcomes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Difference:
    """A paired difference to another subject, in the figure's printed unit."""

    metric: str
    other: str
    difference: float
    unit: str
    low: float
    high: float
    p_value: float
    smallest_p: float
    n: int
    clusters: int


def score_rows(figure: Figure, by: Mapping[GroupName, Grouping]) -> list[ScoreRow]:
    """Return a figure's rows: overall, then each group of each kind."""
    groups = {str(kind): grouping for kind, grouping in by.items()}
    tallies = group_tallies(figure.verdicts, groups)
    whole = Grouping(np.zeros(len(figure.verdicts), np.intp), (OVERALL[1],))
    return [
        _row(figure, (kind, name), tallies[kind, name], grouping.codes == place)
        for kind, grouping in {OVERALL[0]: whole, **groups}.items()
        for place, name in enumerate(grouping.names)
    ]


def difference(figure: Figure, other: Figure, other_name: str) -> Difference:
    """Compare two subjects' figures on the rows that both have; no score is compared alone.

    Raises:
        ValueError: If they have none in common.
    """
    unit, factor = figure.kind.printed_in
    mine, theirs = _shared_rows(figure, other)
    found = paired_comparison(
        figure.verdicts.score[mine],
        other.verdicts.score[theirs],
        figure.clusters.codes[mine].astype(str),
        level=_LEVEL,
        rng=np.random.default_rng(_SEED),
        bounds=figure.kind.bounds,
    )
    return Difference(
        figure.name,
        other_name,
        found.difference * factor,
        unit,
        found.interval.low * factor,
        found.interval.high * factor,
        found.p_value,
        found.smallest_p,
        found.interval.n,
        found.interval.clusters,
    )


def share_rows(figure: Figure, other: Figure) -> bool:
    """Return whether two figures have a row in common."""
    return bool(len(_shared_rows(figure, other)[0]))


def _shared_rows(
    figure: Figure, other: Figure
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the places of what both figures have, in the first one's order."""
    if not figure.rows and not other.rows:
        every = np.arange(len(figure.verdicts))
        return every, every
    place_of = {row: place for place, row in enumerate(other.rows)}
    pairs = [(n, place_of[row]) for n, row in enumerate(figure.rows) if row in place_of]
    columns = np.array(pairs, np.intp).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]


def _row(
    figure: Figure, group: tuple[str, str], tally: Tally, member: npt.NDArray[np.bool_]
) -> ScoreRow:
    unit, factor = figure.kind.printed_in
    kind, name = group
    member = member & figure.counted
    outcomes = {outcome.value: count for outcome, count in sorted(tally.outcomes.items())}
    recorded = tally.recorded_only
    shown = None if recorded is None else recorded * factor
    if not member.any():
        return ScoreRow(
            figure.name, kind, name, None, unit, 0, 0, None, None, "empty", shown, outcomes
        )
    interval = clustered_interval(
        figure.verdicts.score[member],
        figure.clusters.codes[member].astype(str),
        level=_LEVEL,
        rng=np.random.default_rng(_SEED),
        bounds=_bounds(figure),
    )
    return ScoreRow(
        metric=figure.name,
        kind=kind,
        group=name,
        value=_mean(tally, figure.over) * factor,
        unit=unit,
        n=interval.n,
        clusters=interval.clusters,
        low=interval.low * factor,
        high=interval.high * factor,
        method=interval.method.value,
        recorded_only=shown,
        outcomes=outcomes,
    )


def _mean(tally: Tally, over: Denominator) -> float:
    means = {
        Denominator.PLANNED: tally.mean,
        Denominator.RECORDED: tally.recorded_only,
        Denominator.JUDGED: tally.judged_only,
    }
    mean = means[over]
    if mean is None:
        raise ValueError(f"a group of {tally.planned} rows has no mean over {over} ones")
    return mean


def _bounds(figure: Figure) -> tuple[float, float]:
    # The released code counts the initial answer as a minute more, beyond the definition.
    low, high = figure.kind.bounds
    return low, max(high, float(figure.verdicts.score.max(initial=high)))

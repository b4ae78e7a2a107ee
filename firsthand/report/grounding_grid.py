"""The grid of grounding runs: each cell's scores, and paired differences to the reference."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from firsthand.core.identity import canonical_json
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.metrics.comparison import Comparison, paired_comparison
from firsthand.metrics.ecog import EcogMetric
from firsthand.metrics.intervals import clustered_interval
from firsthand.metrics.tally import UNRECORDED
from firsthand.protocols import GroundingCell, GroundingPolicy
from firsthand.report.leaderboard import INTERVAL_LEVEL, EvaluatedRun
from firsthand.store.table import table_from_rows
from firsthand.store.tables import GROUNDING_GRID
from firsthand.subjects import SubjectFacts
from firsthand.subjects.grounding_shard import cell_of

__all__ = [
    "CLIP_MEAN",
    "PER_REFERENT",
    "CellScores",
    "GridScores",
    "grid_figures",
    "grounding_table",
]

CLIP_MEAN = "clip_mean"
"""Variant: the mean over clips of the share of right referents, as the published tables."""

PER_REFERENT = "per_referent"
"""Variant: the share of right referents, as the paper's text."""

_SEED = 0
_PERCENT = 100.0

Row = Mapping[str, object]
Place = tuple[str, int]
"""Clip and referent; the referent is 0 where a row stands for a whole clip."""


def grounding_table(release_id: str, runs: Sequence[EvaluatedRun]) -> pa.Table:
    """Return the rows of table `grounding_grid` for the grounding runs over a release."""
    rows = [row for run in runs for row in _Grid(release_id, run).rows()]
    return table_from_rows(GROUNDING_GRID, _ranked(rows))


@dataclass(frozen=True, slots=True)
class CellScores:
    """Scores of one cell under one rule set, in one metric and variant, by place."""

    by_place: Mapping[Place, float]
    outcome_of: Mapping[Place, str]

    @property
    def outcomes(self) -> Mapping[str, int]:
        """How often a clip's ask, or one on a referent, ended how."""
        return Counter(self.outcome_of.values())

    @property
    def was_asked(self) -> bool:
        """Whether any clip was put; what never was has no score, not a bad one."""
        return bool(self.by_place) and set(self.outcomes) != {str(Outcome.NOT_ASKED)}


class GridScores:
    """The verdicts of one grounding run, by cell, metric and rule set."""

    def __init__(self, verdicts: Iterable[Row]) -> None:
        self._verdicts: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
        for row in verdicts:
            key = (cell_of(str(row["ask_id"])), str(row["metric"]), str(row["rule_set"]))
            self._verdicts[key].append(row)

    def of(
        self, cell: GroundingCell, metric: EcogMetric, variant: str, rule_set: RuleSet
    ) -> CellScores:
        """Return a cell's scores.

        Under `official` clips without a reply are left out: the released code knows none.
        """
        rows = self._verdicts.get((cell.name, str(metric), str(rule_set)), [])
        if rule_set is RuleSet.OFFICIAL:
            rows = [row for row in rows if row["outcome"] not in UNRECORDED]
        places: dict[Place, list[Row]] = defaultdict(list)
        for row in rows:
            index = int(str(row["referent_index"])) if variant == PER_REFERENT else 0
            places[str(row["question_id"]), index].append(row)
        members = dict(sorted(places.items()))
        return CellScores(
            {
                place: sum(float(str(row["score"])) for row in mine) / len(mine)
                for place, mine in members.items()
            },
            {place: _outcome(mine) for place, mine in members.items()},
        )


class _Grid:
    """One run's cells."""

    def __init__(self, release_id: str, run: EvaluatedRun) -> None:
        self._release_id = release_id
        self._run = run.run
        self._policy = GroundingPolicy.from_json(json.loads(str(run.run["policy"])))
        self._facts = SubjectFacts.from_json(json.loads(str(run.run["subject"])))
        self._scores = GridScores(run.results.verdicts.to_pylist())

    def rows(self) -> Iterator[dict[str, object]]:
        reference = self._policy.reference_cell
        for rule_set in self._policy.rule_sets:
            for metric, variant in grid_figures():
                against = self._scores.of(reference, metric, variant, rule_set)
                for cell in self._policy.cells:
                    scores = self._scores.of(cell, metric, variant, rule_set)
                    yield {
                        **self._named(cell),
                        "metric": str(metric),
                        "variant": variant,
                        "rule_set": str(rule_set),
                        **_values(scores),
                        **_differences(None if cell == reference else against, scores),
                    }

    def _named(self, cell: GroundingCell) -> dict[str, object]:
        return {
            "release_id": self._release_id,
            "run_id": self._run["run_id"],
            "subject_id": self._run["subject_id"],
            "cell": cell.name,
            "stack": str(cell.stack),
            "frames_per_second": cell.frames_per_second,
            "options": str(self._policy.options),
            "diagnostic": cell.contents.diagnostic,
            "reference_cell": self._policy.reference_cell.name,
            # Whether it may be ranked at all; the place itself comes last.
            "rank": None if cell.contents.diagnostic or self._facts.reads_truth else 0,
            "points_order": str(self._facts.points.order),
            "points_scale": self._facts.points.scale,
            "complete": self._run["complete"],
        }


def grid_figures() -> Iterator[tuple[EcogMetric, str]]:
    """Yield the metrics, each in its variants."""
    for metric in EcogMetric:
        yield metric, CLIP_MEAN
        if metric is not EcogMetric.SEQ:
            yield metric, PER_REFERENT


def _outcome(members: Sequence[Row]) -> str:
    """Return how the ask about a clip, or about one referent, ended."""
    known = {str(row["outcome"]) for row in members}
    return known.pop() if len(known) == 1 else str(Outcome.PARTIAL)


def _values(scores: CellScores) -> dict[str, object]:
    counted = canonical_json(dict(scores.outcomes)).decode()
    shared = {"planned": len(scores.by_place), "outcomes": counted}
    if not scores.was_asked:
        nothing = dict.fromkeys(("value", "low", "high"))
        return {**shared, **nothing, "interval": "not asked", "clusters": 0}
    column, clips = _columns(scores.by_place)
    interval = clustered_interval(
        column, clips, level=INTERVAL_LEVEL, rng=np.random.default_rng(_SEED), bounds=(0.0, 1.0)
    )
    return {
        **shared,
        "value": float(column.mean()) * _PERCENT,
        "low": interval.low * _PERCENT,
        "high": interval.high * _PERCENT,
        "interval": str(interval.method),
        "clusters": interval.clusters,
    }


def _differences(against: CellScores | None, scores: CellScores) -> dict[str, object]:
    found = None if against is None else _compared(scores, against)
    names = ("difference", "difference_low", "difference_high", "p_value", "smallest_p")
    if found is None:
        return {**dict.fromkeys(names), "paired": 0}
    interval = found.interval
    values = (
        found.difference * _PERCENT,
        interval.low * _PERCENT,
        interval.high * _PERCENT,
        found.p_value,
        found.smallest_p,
    )
    return {**dict(zip(names, values, strict=True)), "paired": interval.n}


def _compared(scores: CellScores, against: CellScores) -> Comparison | None:
    """Compare two cells on what both have; None if one was never asked."""
    shared = [place for place in scores.by_place if place in against.by_place]
    if not shared or not scores.was_asked or not against.was_asked:
        return None
    first, clips = _columns({place: scores.by_place[place] for place in shared})
    second, _ = _columns({place: against.by_place[place] for place in shared})
    rng = np.random.default_rng(_SEED)
    return paired_comparison(first, second, clips, level=INTERVAL_LEVEL, rng=rng)


def _columns(by_place: Mapping[Place, float]) -> tuple[npt.NDArray[np.float64], list[str]]:
    return np.array(list(by_place.values()), np.float64), [clip for clip, _ in by_place]


def _ranked(rows: Sequence[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Yield the rows with their places: by `acc_eco`, among subjects in the same cell."""

    def is_ranked(row: Row) -> bool:
        headline = (row["metric"], row["variant"]) == (str(EcogMetric.ECO), CLIP_MEAN)
        return row["rank"] is not None and headline and row["value"] is not None

    for row in rows:
        if not is_ranked(row):
            yield {**row, "rank": None}
            continue
        peers = [
            float(str(one["value"]))
            for one in rows
            if is_ranked(one) and (one["cell"], one["rule_set"]) == (row["cell"], row["rule_set"])
        ]
        yield {**row, "rank": 1 + sum(value > float(str(row["value"])) for value in peers)}

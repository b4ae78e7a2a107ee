"""The leaderboard's rows: scores of runs, by group, with intervals and counted outcomes."""

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from firsthand.core.identity import canonical_json
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.core.taxonomy import QuestionType
from firsthand.metrics import (
    OVERALL,
    Grouping,
    GroupKey,
    Tally,
    VerdictColumns,
    group_tallies,
    outcome_codes,
)
from firsthand.metrics.columns import CODE_OF
from firsthand.metrics.intervals import Interval, clustered_interval
from firsthand.metrics.persistence import WindowVariant
from firsthand.metrics.tally import UNRECORDED
from firsthand.protocols import Overlap, StreamingPolicy
from firsthand.store.table import table_from_rows
from firsthand.store.tables import LEADERBOARD
from firsthand.subjects import ResultTables
from firsthand.subjects.judged import OPEN_SCORE
from firsthand.subjects.material import KeptQuestion, ReleaseTables, questions_of
from firsthand.subjects.scoring import RTA
from firsthand.subjects.serial import MPT_SERIAL, RTA_SERIAL

__all__ = [
    "HEADLINE_VARIANT",
    "INTERVAL_LEVEL",
    "MPT",
    "EvaluatedRun",
    "leaderboard_table",
    "longest_minutes",
    "policy_of",
]

MPT = "mpt"
"""Memory Persistence Time, in minutes."""

INTERVAL_LEVEL = 0.95

HEADLINE_VARIANT: Mapping[RuleSet, WindowVariant] = {
    RuleSet.PAPER: WindowVariant.STRICT,
    RuleSet.OFFICIAL: WindowVariant.NO_WINDOW,
}
"""The variant of table `probes` that each rule set's MPT is made of."""

_MINUTE_US = 60_000_000
_NOT_RECORDED = [CODE_OF[outcome] for outcome in UNRECORDED]

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class EvaluatedRun:
    """A finished run.

    Args:
        run: Its row of table `runs`.
        results: Its asks, replies, readings, verdicts and probes.
    """

    run: Row
    results: ResultTables


def policy_of(run: Row) -> StreamingPolicy:
    """Return the policy that travels with a run."""
    return StreamingPolicy.from_json(json.loads(str(run["policy"])))


def longest_minutes(policy: StreamingPolicy, rule_set: RuleSet) -> float:
    """Return the longest MPT there can be; `official` counts the initial answer as a step."""
    steps = policy.probes + (rule_set is RuleSet.OFFICIAL)
    return steps * policy.probe_step_us / _MINUTE_US


def leaderboard_table(release: ReleaseTables, runs: Sequence[EvaluatedRun]) -> pa.Table:
    """Return the rows of table `leaderboard` for runs over one release.

    Closed-form questions are scored by RTA in percent and MPT in minutes, judged open ones
    by `open_score` in percent, overall and by category, subcategory, question type and
    participant. `value` is the rule set's
    own figure: over all planned questions under `paper`, over the recorded ones under
    `official`, whose code knows no others; `recorded_only` stands beside it. The metrics
    of answers that queue are named `rta_serial` and `mpt_serial`.

    Raises:
        ValueError: If a run belongs to another release.
    """
    others = {run.run["run_id"] for run in runs if run.run["release_id"] != release.release_id}
    if others:
        raise ValueError(f"runs {sorted(map(str, others))} are not about {release.release_id!r}")
    every = questions_of(release)
    is_open = [question.question_type is QuestionType.OPEN_ENDED for question in every]
    closed = _Board(release, [q for q, answer in zip(every, is_open, strict=True) if not answer])
    judged = _Board(release, [q for q, answer in zip(every, is_open, strict=True) if answer])
    rows = (row for run in runs for row in (*closed.rows(run), *judged.judged_rows(run)))
    return table_from_rows(LEADERBOARD, rows)


class _Board:
    """The questions of a release, as the columns by which scores are grouped."""

    def __init__(self, release: ReleaseTables, questions: Sequence[KeptQuestion]) -> None:
        self._release_id = release.release_id
        self._question_ids = [question.question_id for question in questions]
        self._groupings = {
            "category": Grouping.of([question.category for question in questions]),
            "subcategory": Grouping.of([question.subcategory for question in questions]),
            "question_type": Grouping.of([str(q.question_type) for q in questions]),
            "participant": Grouping.of([question.participant_id for question in questions]),
        }
        self._clusters = np.array(_recordings_asked_about(release, questions), np.str_)

    def rows(self, run: EvaluatedRun) -> Iterator[Row]:
        """Yield the rows of one run over closed-form questions."""
        policy = policy_of(run.run)
        for rule_set in policy.rule_sets:
            longest = longest_minutes(policy, rule_set)
            for metric, unit, highest, columns in self._columns(run, rule_set, longest):
                yield from self._metric_rows(run, rule_set, (metric, unit, highest), columns)

    def judged_rows(self, run: EvaluatedRun) -> Iterator[Row]:
        """Yield the rows of one run over open questions; none if no judge graded them."""
        if OPEN_SCORE in _metrics_of(run):
            columns = self._rta_columns(run, RuleSet.PAPER, OPEN_SCORE)
            yield from self._metric_rows(run, RuleSet.PAPER, (OPEN_SCORE, "%", 100.0), columns)

    def _metric_rows(
        self,
        run: EvaluatedRun,
        rule_set: RuleSet,
        named: tuple[str, str, float],
        columns: VerdictColumns,
    ) -> Iterator[Row]:
        metric, unit, highest = named
        facts = {
            "release_id": self._release_id,
            "run_id": run.run["run_id"],
            "subject_id": run.run["subject_id"],
            "metric": metric,
            "unit": unit,
            "rule_set": str(rule_set),
            "latency_source": _latency_source(run.results),
            "complete": run.run["complete"],
        }
        for key, tally in group_tallies(columns, self._groupings).items():
            interval = self._interval(key, columns, rule_set, highest)
            yield {**facts, **_figures(key, tally, interval, rule_set)}

    def _columns(
        self, run: EvaluatedRun, rule_set: RuleSet, longest: float
    ) -> Iterator[tuple[str, str, float, VerdictColumns]]:
        """Yield metric, unit, highest value and columns of what the run was scored by."""
        is_queue = policy_of(run.run).overlap is Overlap.SERIAL
        suffix = "_serial" if is_queue else ""
        variant = str(HEADLINE_VARIANT[rule_set])
        yield f"{RTA}{suffix}", "%", 100.0, self._rta_columns(run, rule_set, RTA)
        yield f"{MPT}{suffix}", "min", longest, self._mpt_columns(run, rule_set, RTA, variant)
        if rule_set is RuleSet.PAPER and RTA_SERIAL in _metrics_of(run):
            serial = self._mpt_columns(run, rule_set, RTA_SERIAL, MPT_SERIAL)
            yield RTA_SERIAL, "%", 100.0, self._rta_columns(run, rule_set, RTA_SERIAL)
            yield f"{MPT}_serial", "min", longest, serial

    def _interval(
        self, key: GroupKey, columns: VerdictColumns, rule_set: RuleSet, highest: float
    ) -> Interval | None:
        rows = self._rows_of(key)
        if rule_set is RuleSet.OFFICIAL:
            rows = rows[~np.isin(columns.outcome[rows], _NOT_RECORDED)]
        if not len(rows):
            return None
        return clustered_interval(
            columns.score[rows],
            self._clusters[rows],
            level=INTERVAL_LEVEL,
            # Each interval draws for itself, so that no row depends on the rows before it.
            rng=np.random.default_rng(0),
            bounds=(0.0, highest),
        )

    def _rows_of(self, key: GroupKey) -> npt.NDArray[np.intp]:
        if key == OVERALL:
            return np.arange(len(self._question_ids))
        grouping = self._groupings[key[0]]
        return np.flatnonzero(grouping.codes == grouping.names.index(key[1]))

    def _rta_columns(self, run: EvaluatedRun, rule_set: RuleSet, metric: str) -> VerdictColumns:
        verdicts = self._by_question(run.results.verdicts, metric=metric, rule_set=str(rule_set))
        return VerdictColumns(
            np.array([100 * float(str(row["score"])) for row in verdicts], np.float64),
            outcome_codes(str(row["outcome"]) for row in verdicts),
        )

    def _mpt_columns(
        self, run: EvaluatedRun, rule_set: RuleSet, metric: str, variant: str
    ) -> VerdictColumns:
        held = self._by_question(run.results.probes, variant=variant, rule_set=str(rule_set))
        initial = self._by_question(run.results.verdicts, metric=metric, rule_set=str(rule_set))
        return VerdictColumns(
            np.array([int(str(row["persistence_us"])) / _MINUTE_US for row in held], np.float64),
            # A censored question carries why; any other keeps how its initial ask ended.
            outcome_codes(
                f"censored_{row['censored_by']}" if row["censored_by"] else str(asked["outcome"])
                for row, asked in zip(held, initial, strict=True)
            ),
        )

    def _by_question(self, table: pa.Table, **where: str) -> list[Row]:
        found = {
            row["question_id"]: row
            for row in table.to_pylist()
            if all(row[name] == value for name, value in where.items())
        }
        return [found.get(question_id, _LEFT_OUT) for question_id in self._question_ids]


_LEFT_OUT: Row = {
    "score": 0.0,
    "outcome": str(Outcome.NOT_ASKED),
    "persistence_us": 0,
    "censored_by": None,
}
"""A question of the release that the run did not plan: counted, and shown as not asked."""


def _figures(key: GroupKey, tally: Tally, interval: Interval | None, rule_set: RuleSet) -> Row:
    outcomes = {str(outcome): count for outcome, count in tally.outcomes.items()}
    return {
        "group_kind": key[0],
        "group_name": key[1],
        "value": tally.mean if rule_set is RuleSet.PAPER else tally.recorded_only,
        "low": interval and interval.low,
        "high": interval and interval.high,
        "interval": f"{interval.method}, {INTERVAL_LEVEL:.0%}" if interval else "none",
        "planned": tally.planned,
        "clusters": interval.clusters if interval else 0,
        "recorded_only": tally.recorded_only,
        "outcomes": canonical_json(outcomes).decode(),
    }


def _metrics_of(run: EvaluatedRun) -> frozenset[str]:
    return frozenset(run.results.verdicts.column("metric").unique().to_pylist())


def _latency_source(results: ResultTables) -> str:
    sources = sorted(set(results.replies.column("latency_source").to_pylist()))
    return " and ".join(sources) or "none"


def _recordings_asked_about(release: ReleaseTables, questions: Iterable[KeptQuestion]) -> list[str]:
    """Return, for each question, the recording in which its evidence ends.

    Questions about one recording share its footage, so they are no independent samples.
    A moment on the boundary of two recordings belongs to the earlier one, since evidence
    ends there.
    """
    places: dict[str, list[tuple[int, str]]] = {}
    for row in release.table("timeline").to_pylist():
        places.setdefault(row["stream_id"], []).append((row["stream_end_us"], row["recording_id"]))
    ends = {stream_id: sorted(found) for stream_id, found in places.items()}
    evidence_end_us: dict[str, int] = {}
    for row in release.table("evidence").to_pylist():
        last_us = evidence_end_us.get(row["question_id"], 0)
        evidence_end_us[row["question_id"]] = max(last_us, row["end_us"])
    recordings = []
    for question in questions:
        in_stream = ends[question.stream_id]
        moment_us = evidence_end_us.get(question.question_id, question.due_us)
        place = bisect_left(in_stream, (moment_us, ""))
        recordings.append(in_stream[min(place, len(in_stream) - 1)][1])
    return recordings

"""The leaderboard's rows: scores of runs, by group, with intervals and counted outcomes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from firsthand.core.identity import canonical_json
from firsthand.core.outcomes import RuleSet
from firsthand.core.taxonomy import QuestionType
from firsthand.metrics import GroupKey, Tally, VerdictColumns
from firsthand.metrics.cells import Cells, CellSums
from firsthand.metrics.columns import CODE_OF
from firsthand.metrics.intervals import Interval, interval_of_sums
from firsthand.metrics.persistence import WindowVariant
from firsthand.metrics.tally import UNRECORDED
from firsthand.protocols import Overlap, StreamingPolicy
from firsthand.protocols.lifelong_policy import LifelongPolicy
from firsthand.protocols.standing import ProactivePolicy
from firsthand.report.question_rows import (
    NOT_CENSORED,
    FoundRows,
    PlacedRows,
    QuestionRows,
    grouping_of,
)
from firsthand.store.table import table_from_rows
from firsthand.store.tables import LEADERBOARD
from firsthand.subjects import LIFELONG, PROACTIVE, ResultTables
from firsthand.subjects.judged import OPEN_SCORE
from firsthand.subjects.lifelong_scoring import ACCURACY, ref_metric
from firsthand.subjects.material import ReleaseTables
from firsthand.subjects.scoring import RTA
from firsthand.subjects.serial import MPT_SERIAL, RTA_SERIAL
from firsthand.subjects.standing_scoring import PROACTIVE_METRIC

__all__ = [
    "HEADLINE_VARIANT",
    "INTERVAL_LEVEL",
    "MPT",
    "TOO_EARLY",
    "EvaluatedRun",
    "leaderboard_table",
    "lifelong_policy_of",
    "longest_minutes",
    "policy_of",
    "standing_policy_of",
]

MPT = "mpt"
"""Memory Persistence Time, in minutes."""

TOO_EARLY = "too_early"
"""Share of standing questions that were answered before due, in percent; less is better."""

INTERVAL_LEVEL = 0.95

HEADLINE_VARIANT: Mapping[RuleSet, WindowVariant] = {
    RuleSet.PAPER: WindowVariant.STRICT,
    RuleSet.OFFICIAL: WindowVariant.NO_WINDOW,
}
"""The variant of table `probes` that each rule set's MPT is made of."""

_MINUTE_US = 60_000_000
_NOT_RECORDED = np.array([CODE_OF[outcome] for outcome in UNRECORDED], np.intp)

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
    """Return the policy that travels with a run whose questions were put."""
    return StreamingPolicy.from_json(json.loads(str(run["policy"])))


def standing_policy_of(run: Row) -> ProactivePolicy:
    """Return the policy that travels with a run whose questions stood."""
    return ProactivePolicy.from_json(json.loads(str(run["policy"])))


def lifelong_policy_of(run: Row) -> LifelongPolicy:
    """Return the policy that travels with a run about whole lives."""
    return LifelongPolicy.from_json(json.loads(str(run["policy"])))


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
    of answers that queue are named `rta_serial` and `mpt_serial`; those of questions that
    stood `proactive` and `too_early`; those of questions about a whole life `lifelong`, closed
    and judged open answers together, and `ref@N`. Without a judge, `lifelong` is over the
    closed-form questions alone.

    Raises:
        ValueError: If a run belongs to another release.
    """
    others = {run.run["run_id"] for run in runs if run.run["release_id"] != release.release_id}
    if others:
        raise ValueError(f"runs {sorted(map(str, others))} are not about {release.release_id!r}")
    every = release.table("questions")
    is_open = pc.equal(every.column("question_type"), str(QuestionType.OPEN_ENDED))
    closed = _Board(release, every.filter(pc.invert(is_open)))
    judged = _Board(release, every.filter(is_open))
    whole = _Board(release, every)

    def rows(run: EvaluatedRun) -> list[Row]:
        if run.run["protocol"] == LIFELONG:
            return [*whole.ref_rows(run), *_answer_rows(run, closed, whole)]
        return [*closed.rows(run), *judged.judged_rows(run)]

    # Columns are added up outside the interpreter's lock, so threads share the runs.
    with ThreadPoolExecutor(max_workers=pa.cpu_count()) as threads:
        return table_from_rows(LEADERBOARD, chain.from_iterable(threads.map(rows, runs)))


def _answer_rows(run: EvaluatedRun, closed: "_Board", whole: "_Board") -> Iterator[Row]:
    judged = run.results.verdicts.filter(
        pc.equal(run.results.verdicts.column("metric"), OPEN_SCORE)
    )
    graded_under = set(judged.column("rule_set").to_pylist())
    for rule_set in lifelong_policy_of(run.run).rule_sets:
        board = whole if str(rule_set) in graded_under else closed
        if board.has_questions:
            yield from board.answer_rows(run, rule_set)


class _Board:
    """The questions of a release, as the columns by which scores are grouped."""

    def __init__(self, release: ReleaseTables, questions: pa.Table) -> None:
        self._release_id = release.release_id
        self._rows = QuestionRows(questions)
        ordered = self._rows.questions
        kinds = {name: name for name in ("category", "subcategory", "question_type")}
        groups = {
            kind: grouping_of(ordered.column(name))
            for kind, name in {**kinds, "participant": "participant_id"}.items()
        }
        recordings = _recordings_asked_about(release, ordered)
        _, clusters = np.unique(recordings, return_inverse=True)
        self._cells = Cells.of(groups, clusters.astype(np.intp))
        self._members = self._cells.members()

    def rows(self, run: EvaluatedRun) -> Iterator[Row]:
        """Yield the rows of one run over closed-form questions."""
        if run.run["protocol"] == PROACTIVE:
            yield from self._standing_rows(run)
            return
        policy = policy_of(run.run)
        placed = self._placed(run)
        for rule_set in policy.rule_sets:
            longest = longest_minutes(policy, rule_set)
            for metric, unit, highest, columns in self._columns(run, placed, rule_set, longest):
                yield from self._metric_rows(run, rule_set, (metric, unit, highest), columns)

    def _standing_rows(self, run: EvaluatedRun) -> Iterator[Row]:
        verdicts = self._rows.beside(run.results.verdicts)
        answers = self._rows.beside(run.results.standing_answers)
        for rule_set in standing_policy_of(run.run).rule_sets:
            found = verdicts.where(metric=PROACTIVE_METRIC, rule_set=str(rule_set))
            named = (PROACTIVE_METRIC, "%", 100.0)
            yield from self._metric_rows(run, rule_set, named, _percent_columns(found))
            early = answers.where(rule_set=str(rule_set)).numbers("too_early") > 0
            columns = VerdictColumns(np.where(early, 100.0, 0.0), found.outcomes())
            yield from self._metric_rows(run, rule_set, (TOO_EARLY, "%", 100.0), columns)

    @property
    def has_questions(self) -> bool:
        """Whether there is anything to score."""
        return len(self._cells) > 0

    def answer_rows(self, run: EvaluatedRun, rule_set: RuleSet) -> Iterator[Row]:
        """Yield how right a lifelong run's answers are, closed-form and judged ones alike."""
        verdicts = self._rows.beside(run.results.verdicts)
        closed = verdicts.where(metric=ACCURACY, rule_set=str(rule_set))
        judged = verdicts.where(metric=OPEN_SCORE, rule_set=str(rule_set))
        is_judged = np.zeros(closed.questions, np.bool_)
        is_judged[judged.place] = True
        columns = VerdictColumns(
            100 * (closed.numbers("score") + judged.numbers("score")),
            np.where(is_judged, judged.outcomes(), closed.outcomes()),
        )
        yield from self._metric_rows(run, rule_set, (LIFELONG, "%", 100.0), columns)

    def ref_rows(self, run: EvaluatedRun) -> Iterator[Row]:
        """Yield how well a lifelong run's answers point at their evidence."""
        policy = lifelong_policy_of(run.run)
        verdicts = self._rows.beside(run.results.verdicts)
        for rule_set in policy.rule_sets:
            for bin_s in policy.ref_bins_s:
                metric = ref_metric(bin_s)
                found = verdicts.where(metric=metric, rule_set=str(rule_set))
                named = (metric, "%", 100.0)
                yield from self._metric_rows(run, rule_set, named, _percent_columns(found))

    def judged_rows(self, run: EvaluatedRun) -> Iterator[Row]:
        """Yield the rows of one run over open questions; none if no judge graded them."""
        if len(self._cells) and OPEN_SCORE in _metrics_of(run):
            graded = self._placed(run).of_metric(OPEN_SCORE, RuleSet.PAPER)
            named = (OPEN_SCORE, "%", 100.0)
            yield from self._metric_rows(run, RuleSet.PAPER, named, _percent_columns(graded))

    def _placed(self, run: EvaluatedRun) -> "_PlacedRun":
        results = run.results
        return _PlacedRun(self._rows.beside(results.verdicts), self._rows.beside(results.probes))

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
        sums = self._cells.add_up(columns)
        for key, cells in self._members.items():
            interval = self._interval(sums, cells, rule_set, highest)
            yield {**facts, **_figures(key, sums.tally(cells), interval, rule_set)}

    def _columns(
        self, run: EvaluatedRun, placed: "_PlacedRun", rule_set: RuleSet, longest: float
    ) -> Iterator[tuple[str, str, float, VerdictColumns]]:
        """Yield metric, unit, highest value and columns of what the run was scored by."""
        is_queue = policy_of(run.run).overlap is Overlap.SERIAL
        suffix = "_serial" if is_queue else ""
        variant = str(HEADLINE_VARIANT[rule_set])
        initial = placed.of_metric(RTA, rule_set)
        yield f"{RTA}{suffix}", "%", 100.0, _percent_columns(initial)
        yield f"{MPT}{suffix}", "min", longest, placed.minutes(initial, variant, rule_set)
        if rule_set is RuleSet.PAPER and RTA_SERIAL in _metrics_of(run):
            queued = placed.of_metric(RTA_SERIAL, rule_set)
            yield RTA_SERIAL, "%", 100.0, _percent_columns(queued)
            minutes = placed.minutes(queued, MPT_SERIAL, rule_set)
            yield f"{MPT}_serial", "min", longest, minutes

    def _interval(
        self, sums: CellSums, cells: npt.NDArray[np.bool_], rule_set: RuleSet, highest: float
    ) -> Interval | None:
        left_out = _NOT_RECORDED if rule_set is RuleSet.OFFICIAL else None
        found = self._cells.cluster_sums(sums, cells, left_out)
        if found is None:
            return None
        return interval_of_sums(
            found,
            level=INTERVAL_LEVEL,
            # Each interval draws for itself, so that no row depends on the rows before it.
            rng=np.random.default_rng(0),
            bounds=(0.0, highest),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _PlacedRun:
    """A run's verdicts and probes beside the questions."""

    verdicts: PlacedRows
    probes: PlacedRows

    def of_metric(self, metric: str, rule_set: RuleSet) -> FoundRows:
        """Return the verdicts of one metric under one rule set."""
        return self.verdicts.where(metric=metric, rule_set=str(rule_set))

    def minutes(self, initial: FoundRows, variant: str, rule_set: RuleSet) -> VerdictColumns:
        """Return how long each question was remembered, by what its initial ask came to."""
        held = self.probes.where(variant=variant, rule_set=str(rule_set))
        # A censored question carries why; any other keeps how its initial ask ended.
        censored, ended = held.censored(), initial.outcomes()
        return VerdictColumns(
            held.numbers("persistence_us") / _MINUTE_US,
            np.where(censored == NOT_CENSORED, ended, censored).astype(np.uint8),
        )


def _percent_columns(found: FoundRows) -> VerdictColumns:
    return VerdictColumns(100 * found.numbers("score"), found.outcomes())


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


def _recordings_asked_about(release: ReleaseTables, questions: pa.Table) -> npt.NDArray[np.str_]:
    """Return, for each question, the recording in which its evidence ends.

    Questions about one recording share its footage, so they are no independent samples.
    A moment on the boundary of two recordings belongs to the earlier one, since evidence
    ends there.
    """
    if not questions.num_rows:
        return np.zeros(0, np.str_)
    ends = release.table("evidence").group_by("question_id").aggregate([("end_us", "max")])
    place = pc.index_in(
        questions.column("question_id"), value_set=ends.column("question_id").combine_chunks()
    )
    last_us = ends.column("end_us_max").take(place)
    moment_us = pc.coalesce(last_us, questions.column("due_us")).to_numpy()
    streams = questions.column("stream_id").combine_chunks().dictionary_encode()
    stream_of = streams.indices.to_numpy()
    timeline = release.table("timeline").sort_by(
        [("stream_end_us", "ascending"), ("recording_id", "ascending")]
    )
    recordings = np.full(questions.num_rows, "", np.object_)
    for code, stream_id in enumerate(streams.dictionary.to_pylist()):
        here = timeline.filter(pc.equal(timeline.column("stream_id"), stream_id))
        names = np.array(here.column("recording_id").to_pylist(), np.object_)
        mine = np.flatnonzero(stream_of == code)
        found = np.searchsorted(here.column("stream_end_us").to_numpy(), moment_us[mine])
        recordings[mine] = names[np.minimum(found, len(names) - 1)]
    return recordings.astype(np.str_)

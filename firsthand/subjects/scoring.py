"""Reading and scoring what a shard brought; both can be done again without a subject."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from firsthand.answers import READER_VERSIONS, Answer, NoAnswer, NoAnswerReason, Reading
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.core.taxonomy import QuestionType
from firsthand.endpoints.replies import Reply
from firsthand.metrics import NOT_MEASURED, AskColumns, outcome_codes
from firsthand.metrics.columns import OUTCOMES
from firsthand.metrics.persistence import (
    Event,
    Persistence,
    ProbeColumns,
    WindowVariant,
    persistence_columns,
)
from firsthand.metrics.rta import rta_verdicts
from firsthand.store.table import table_from_rows
from firsthand.store.tables import PROBES, READINGS, VERDICTS
from firsthand.subjects.asking import ANSWERED
from firsthand.subjects.grading import is_right, reading_of
from firsthand.subjects.material import KeptQuestion, ReleaseTables, questions_of
from firsthand.subjects.planned_shard import PlannedShard
from firsthand.subjects.planning import Shard
from firsthand.subjects.running import AskedShard
from firsthand.subjects.timing import elapsed_times_us

__all__ = [
    "RECALL",
    "RTA",
    "SCORER_VERSION",
    "ScoredShard",
    "read_shard",
    "readings_by_ask",
    "readings_of_asks",
    "reply_of_row",
    "score_shard",
]

SCORER_VERSION = 1
"""Raised when the same readings would be scored otherwise."""

RTA = "rta"
"""Metric of initial asks."""

RECALL = "recall"
"""Metric of probes."""

_VARIANTS: Mapping[RuleSet, tuple[WindowVariant, ...]] = {
    RuleSet.PAPER: tuple(WindowVariant),
    RuleSet.OFFICIAL: (WindowVariant.NO_WINDOW,),
}

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ScoredShard:
    """What scoring made of a shard.

    Args:
        verdicts: Rows of table `verdicts`.
        probes: Rows of table `probes`.
    """

    verdicts: pa.Table
    probes: pa.Table


def read_shard(shard: Shard, release: ReleaseTables, asked: AskedShard) -> pa.Table:
    """Return the rows of table `readings`: every reply, read by every rule set's reader."""
    return readings_of_asks(shard, release, asked)


def readings_of_asks(shard: PlannedShard, release: ReleaseTables, asked: AskedShard) -> pa.Table:
    """Return the rows of table `readings` for asks of closed or open questions."""
    questions = {kept.question_id: kept for kept in questions_of(release, shard.stream_id)}
    replies = {str(row["reply_key"]): reply_of_row(row) for row in asked.replies.to_pylist()}
    return table_from_rows(
        READINGS,
        (
            _reading_row(
                ask, reading_of(replies[str(ask["reply_key"])], question, rule_set), rule_set
            )
            for ask in asked.asks.to_pylist()
            if ask["outcome"] == ANSWERED
            for question in [questions[str(ask["question_id"])]]
            for rule_set in shard.policy.rule_sets
        ),
    )


def score_shard(
    shard: Shard, release: ReleaseTables, asked: AskedShard, readings: pa.Table
) -> ScoredShard:
    """Score a shard's closed-form asks and probes under every rule set, side by side.

    Open-ended questions have no verdict here: a judge scores them.
    """
    questions = {kept.question_id: kept for kept in questions_of(release, shard.stream_id)}
    closed = [
        row
        for row in asked.asks.to_pylist()
        if questions[str(row["question_id"])].question_type is not QuestionType.OPEN_ENDED
    ]
    read = {rule_set: readings_by_ask(readings, rule_set) for rule_set in shard.policy.rule_sets}
    sheet = _Sheet(shard, questions, closed, _elapsed_us(shard, questions, asked, read))
    scored = [sheet.scored(rule_set, read[rule_set]) for rule_set in shard.policy.rule_sets]
    return ScoredShard(
        table_from_rows(VERDICTS, (row for verdicts, _ in scored for row in verdicts)),
        table_from_rows(PROBES, (row for _, probes in scored for row in probes)),
    )


class _Sheet:
    """The closed-form asks of a shard, as rows and as the columns that metrics take."""

    def __init__(
        self,
        shard: Shard,
        questions: Mapping[str, KeptQuestion],
        rows: Sequence[Row],
        elapsed_us: Mapping[str, int],
    ) -> None:
        self._shard = shard
        self._questions = questions
        self._initial = [row for row in rows if row["phase"] == "initial"]
        self._probes = [row for row in rows if row["phase"] == "probe"]
        self._elapsed_us = elapsed_us

    def scored(
        self, rule_set: RuleSet, readings: Mapping[str, Reading]
    ) -> tuple[list[Row], list[Row]]:
        """Return the verdict rows and the probe rows under one rule set."""
        initial = self._columns(self._initial, rule_set, readings)
        probes = self._columns(self._probes, rule_set, readings)
        verdicts = [
            *self._verdict_rows(RTA, self._initial, initial, rule_set),
            *self._verdict_rows(RECALL, self._probes, probes, rule_set),
        ]
        persistence = [
            row
            for variant in _VARIANTS[rule_set]
            for row in self._persistence_rows(initial, probes, rule_set, variant)
        ]
        return verdicts, persistence

    def _columns(
        self, rows: Sequence[Row], rule_set: RuleSet, readings: Mapping[str, Reading]
    ) -> AskColumns:
        outcomes = [self._outcome(row, rule_set, readings) for row in rows]
        elapsed_us = [self._elapsed_us.get(str(row["ask_id"]), NOT_MEASURED) for row in rows]
        return AskColumns(outcome_codes(outcomes), np.array(elapsed_us, np.int64))

    def _outcome(self, row: Row, rule_set: RuleSet, readings: Mapping[str, Reading]) -> Outcome:
        if row["outcome"] != ANSWERED:
            # The reason stands in brackets behind the outcome.
            return Outcome(str(row["outcome"]).split("(")[0])
        reading = readings[str(row["ask_id"])]
        if isinstance(reading, NoAnswer):
            return Outcome(str(reading.reason))
        question = self._questions[str(row["question_id"])]
        return Outcome.CORRECT if is_right(reading, question, rule_set) else Outcome.WRONG

    def _verdict_rows(
        self, metric: str, rows: Sequence[Row], columns: AskColumns, rule_set: RuleSet
    ) -> Iterator[Row]:
        window_us = self._shard.policy.window_us
        verdicts = rta_verdicts(columns, window_us=window_us, rule_set=rule_set)
        for row, score, code in zip(rows, verdicts.score, verdicts.outcome, strict=True):
            yield {
                **{name: row[name] for name in _ASK_COLUMNS},
                "ask_id": row["ask_id"],
                "referent_index": 0,
                "metric": metric,
                "rule_set": str(rule_set),
                "reader": str(rule_set),
                "reader_version": READER_VERSIONS[rule_set],
                "scorer_version": SCORER_VERSION,
                "score": float(score),
                "outcome": str(OUTCOMES[code]),
            }

    def _persistence_rows(
        self, initial: AskColumns, probes: AskColumns, rule_set: RuleSet, variant: WindowVariant
    ) -> Iterator[Row]:
        place = {str(row["question_id"]): number for number, row in enumerate(self._initial)}
        columns = ProbeColumns(
            np.array([place[str(row["question_id"])] for row in self._probes], np.intp),
            np.array([row["probe_round"] for row in self._probes], np.int64),
            probes,
        )
        held = persistence_columns(initial, columns, self._shard.policy, variant)
        for number, row in enumerate(self._initial):
            yield {
                **{name: row[name] for name in _ASK_COLUMNS},
                "rule_set": str(rule_set),
                "variant": str(variant),
                **_persistence_values(held.row(number), row["due_us"]),
                "persistence_us": self._persistence_us(held.row(number), rule_set),
            }

    def _persistence_us(self, held: Persistence, rule_set: RuleSet) -> int:
        # The released code adds a step for every leading right answer, the initial one
        # included: a question that never fails gets one step more than it was observed.
        is_longer = rule_set is RuleSet.OFFICIAL and held.event is Event.CENSORED
        return held.persistence_us + (self._shard.policy.probe_step_us if is_longer else 0)


_ASK_COLUMNS = ("participant_id", "run_id", "question_id", "subject_id")


def _persistence_values(held: Persistence, due_us: object) -> Row:
    return {
        "t_star_us": None if held.event is Event.NEVER_CORRECT else due_us,
        "probes_asked": held.probes_asked,
        "event": str(held.event),
        "censored_by": held.censored_by and str(held.censored_by).removeprefix("censored_"),
    }


def _reading_row(ask: Row, reading: Reading, rule_set: RuleSet) -> Row:
    found = reading if isinstance(reading, Answer) else None
    missing = reading if isinstance(reading, NoAnswer) else None
    return {
        "participant_id": ask["participant_id"],
        "run_id": ask["run_id"],
        "ask_id": ask["ask_id"],
        "reader": str(rule_set),
        "reader_version": READER_VERSIONS[rule_set],
        "status": str(missing.reason) if missing else "answer",
        "answer": list(found.value) if found else [],
        "reason": missing.detail if missing else None,
    }


def readings_by_ask(readings: pa.Table, rule_set: RuleSet) -> Mapping[str, Reading]:
    """Return what a rule set's reader made of each reply, by ask."""
    return {
        str(row["ask_id"]): Answer(tuple(row["answer"]))
        if row["status"] == "answer"
        else NoAnswer(NoAnswerReason(str(row["status"])), str(row["reason"]))
        for row in readings.to_pylist()
        if row["reader"] == str(rule_set)
    }


def _elapsed_us(
    shard: Shard,
    questions: Mapping[str, KeptQuestion],
    asked: AskedShard,
    read: Mapping[RuleSet, Mapping[str, Reading]],
) -> Mapping[str, int]:
    """Return the time from due to the last token, by ask."""
    by_key = dict(
        zip(
            asked.replies.column("reply_key").to_pylist(),
            asked.replies.column("latency_us").to_pylist(),
            strict=True,
        )
    )
    answered = [row for row in asked.asks.to_pylist() if row["outcome"] == ANSWERED]
    keys = {row["ask_id"]: (row["question_id"], row["probe_round"]) for row in answered}
    correct = {
        keys[row["ask_id"]]: frozenset(
            rule_set
            for rule_set, readings in read.items()
            if is_right(readings[row["ask_id"]], questions[row["question_id"]], rule_set)
        )
        for row in answered
    }
    elapsed_us = elapsed_times_us(
        [questions[name].planned for name in shard.question_ids],
        {keys[row["ask_id"]]: by_key[row["reply_key"]] for row in answered},
        correct,
        shard.policy,
    )
    return {ask_id: elapsed_us[key] for ask_id, key in keys.items() if key in elapsed_us}


def reply_of_row(row: Row) -> Reply:
    """Return the reply that a row of table `replies` holds, as far as readers need it."""
    return Reply(
        text=str(row["text"]),
        finish="length" if row["finish"] == "length" else "stop",
        latency_us=int(str(row["latency_us"])),
    )

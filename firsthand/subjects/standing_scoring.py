"""Scoring what was said while questions stood: the first right answer from due on decides."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from firsthand.answers import READER_VERSIONS
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.protocols.proactive import ProactiveVerdict, SpokenAnswer, proactive_verdict
from firsthand.store.table import table_from_rows
from firsthand.store.tables import PROBES, STANDING_ANSWERS, VERDICTS
from firsthand.subjects.asking import ANSWERED, Row
from firsthand.subjects.grading import is_right
from firsthand.subjects.material import KeptQuestion, ReleaseTables, questions_of
from firsthand.subjects.results import ResultTables
from firsthand.subjects.running import AskedShard
from firsthand.subjects.scoring import ScoredShard, readings_by_ask
from firsthand.subjects.standing_asks import StandingShard, spoken

__all__ = ["PROACTIVE_METRIC", "STANDING_SCORER_VERSION", "score_standing", "standing_results"]

STANDING_SCORER_VERSION = 1
"""Raised when the same readings would be scored otherwise."""

PROACTIVE_METRIC = "proactive"
"""Metric of standing questions: 1 if the first right answer came within the window."""

_FOUND = (Outcome.CORRECT, Outcome.LATE)


def score_standing(
    shard: StandingShard, release: ReleaseTables, asked: AskedShard, readings: pa.Table
) -> ScoredShard:
    """Score a shard's standing questions under every rule set, one verdict a question.

    A turn that brought no reply leaves open what was said first, so that a question without
    a right answer before it ends as that turn did. The verdict names the turn that decided.
    """
    sheets = _sheets(shard, release, asked, readings)
    rows = (
        {
            **sheet.shared,
            "ask_id": sheet.deciding_ask,
            "referent_index": 0,
            "metric": PROACTIVE_METRIC,
            "reader": sheet.shared["rule_set"],
            "reader_version": READER_VERSIONS[RuleSet(str(sheet.shared["rule_set"]))],
            "scorer_version": STANDING_SCORER_VERSION,
            "score": float(sheet.outcome is Outcome.CORRECT),
            "outcome": str(sheet.outcome),
        }
        for sheet in sheets
    )
    return ScoredShard(table_from_rows(VERDICTS, rows), PROBES.schema.empty_table())


def standing_results(
    release: ReleaseTables, shards: Sequence[StandingShard], results: ResultTables
) -> ResultTables:
    """Return a run's results with the rows of table `standing_answers` added."""
    asked = AskedShard(results.asks, results.replies)
    rows = (
        sheet.row()
        for stream_id in sorted({shard.stream_id for shard in shards})
        for names in [[n for one in shards if one.stream_id == stream_id for n in one.question_ids]]
        for shard in [replace(shards[0], stream_id=stream_id, question_ids=tuple(names))]
        for sheet in _sheets(shard, release, asked, results.readings)
    )
    return replace(results, standing_answers=table_from_rows(STANDING_ANSWERS, rows))


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A question under one rule set.

    Args:
        shared: What its rows have in common.
        due_us: When it is due.
        turns: Its rows of table `asks`, in order.
        said_us: When each spoken turn's last token came, by ask.
        verdict: What came of what was said.
    """

    shared: Mapping[str, object]
    due_us: int
    turns: Sequence[Row]
    said_us: Mapping[str, int]
    verdict: ProactiveVerdict

    @property
    def outcome(self) -> Outcome:
        """How it ended; a right answer stands, whatever was lost after it."""
        lost = [str(row["outcome"]) for row in self.turns if row["outcome"] != ANSWERED]
        if lost and self.verdict.outcome not in _FOUND:
            # The reason stands in brackets behind the outcome.
            return Outcome(lost[0].split("(")[0])
        return self.verdict.outcome

    @property
    def deciding_ask(self) -> str:
        """The turn of the first right answer, or else the last one."""
        first_us = self.verdict.first_correct_us
        if first_us is not None:
            at_us = self.due_us + first_us
            return next(ask_id for ask_id, said_us in self.said_us.items() if said_us == at_us)
        return str(self.turns[-1]["ask_id"])

    def row(self) -> Row:
        """Its row of table `standing_answers`."""
        return {
            **self.shared,
            "due_us": self.due_us,
            "turns": sum(row["outcome"] == ANSWERED for row in self.turns),
            "spoken": len(self.said_us),
            "too_early": self.verdict.too_early,
            "too_early_right": self.verdict.too_early_right,
            "wrong_before": self.verdict.wrong_before,
            "first_correct_us": self.verdict.first_correct_us,
            "outcome": str(self.outcome),
        }


def _sheets(
    shard: StandingShard, release: ReleaseTables, asked: AskedShard, readings: pa.Table
) -> Iterator[_Sheet]:
    """Yield the shard's questions in order, under one rule set after another."""
    questions = {kept.question_id: kept for kept in questions_of(release, shard.stream_id)}
    latency_us = {row["reply_key"]: row["latency_us"] for row in asked.replies.to_pylist()}
    said_us: dict[str, dict[str, int]] = {}
    for row in spoken(asked).asks.to_pylist():
        moment_us = row["due_us"] + latency_us[row["reply_key"]]
        said_us.setdefault(row["question_id"], {})[row["ask_id"]] = moment_us
    turns: dict[str, list[Row]] = {}
    for row in sorted(asked.asks.to_pylist(), key=lambda row: row["probe_round"]):
        turns.setdefault(row["question_id"], []).append(row)
    for rule_set in shard.policy.rule_sets:
        right = _right_asks(readings, rule_set, questions, said_us)
        for name in shard.question_ids:
            said = said_us.get(name, {})
            answers = [
                SpokenAnswer(at_us, frozenset({rule_set}) if ask_id in right else frozenset())
                for ask_id, at_us in said.items()
            ]
            planned = questions[name].planned
            yield _Sheet(
                {
                    "participant_id": questions[name].participant_id,
                    "run_id": shard.run_id,
                    "question_id": name,
                    "subject_id": shard.subject.settings.subject_id,
                    "rule_set": str(rule_set),
                },
                planned.due_us,
                turns[name],
                said,
                proactive_verdict(planned, answers, shard.policy.timing, rule_set),
            )


def _right_asks(
    readings: pa.Table,
    rule_set: RuleSet,
    questions: Mapping[str, KeptQuestion],
    said_us: Mapping[str, Mapping[str, int]],
) -> frozenset[str]:
    """Return the spoken turns in which the rule set's reader finds the right answer."""
    by_ask = readings_by_ask(readings, rule_set)
    return frozenset(
        ask_id
        for name, asks in said_us.items()
        if name in questions
        for ask_id in asks
        if is_right(by_ask[ask_id], questions[name], rule_set)
    )

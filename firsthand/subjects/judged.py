"""Open answers and their judges: what is judged, and what judgements make of a run."""

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from firsthand.answers import NoAnswer
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.core.taxonomy import QuestionType
from firsthand.judging import Judged, Judgement, JudgeSettings, OpenAnswer, Rubric, credit
from firsthand.store.table import table_from_rows
from firsthand.store.tables import JUDGEMENTS, VERDICTS
from firsthand.subjects.asking import ANSWERED, Row
from firsthand.subjects.grading import reading_of
from firsthand.subjects.material import KeptQuestion, ReleaseTables, questions_of
from firsthand.subjects.planning import Shard
from firsthand.subjects.running import AskedShard
from firsthand.subjects.scoring import SCORER_VERSION, reply_of_row

__all__ = ["OPEN_SCORE", "judged_verdicts", "judgement_rows", "open_answers"]

OPEN_SCORE = "open_score"
"""Metric of judged answers: their credit from 0 to 1."""


def open_answers(shard: Shard, release: ReleaseTables, asked: AskedShard) -> dict[str, OpenAnswer]:
    """Return the open answers of a shard that can be judged, by ask.

    Initial answers alone; what the `paper` reader finds refused, cut off or empty is no
    answer.
    """
    questions = _open_questions(release, shard)
    texts = {str(row["reply_key"]): row for row in asked.replies.to_pylist()}
    found = {}
    for row in _initial(asked, questions):
        if row["outcome"] != ANSWERED:
            continue
        question, reply = (
            questions[str(row["question_id"])],
            reply_of_row(texts[str(row["reply_key"])]),
        )
        if not isinstance(reading_of(reply, question, RuleSet.PAPER), NoAnswer):
            reference = " / ".join(question.answer)
            found[str(row["ask_id"])] = OpenAnswer(
                question.participant_id, question.text, reference, reply.text
            )
    return found


def judgement_rows(
    run_id: str, answers: Mapping[str, OpenAnswer], judged: Sequence[Judged], judge: JudgeSettings
) -> pa.Table:
    """Return the rows of table `judgements` for answers and their judgements, in one order."""
    rubric = judge.rubric
    return table_from_rows(
        JUDGEMENTS,
        (
            {
                "participant_id": answer.participant_id,
                "run_id": run_id,
                "ask_id": ask_id,
                "judge": judge.judge_id,
                "rubric": rubric.name,
                "repeat": one.repeat,
                "score": one.grade,
                "failure": one.failure,
            }
            for (ask_id, answer), judgements in zip(answers.items(), judged, strict=True)
            for one in judgements
        ),
    )


def judged_verdicts(
    shard: Shard,
    release: ReleaseTables,
    asked: AskedShard,
    judgements: pa.Table,
    judge: JudgeSettings,
) -> pa.Table:
    """Return the verdicts of a shard's open questions under `paper`.

    The score is the credit of the median judgement. Precedence is that of every verdict: an
    answer that was not given, could not be read or came late is none, whatever it is worth;
    one that no judgement brought a grade for ends as `judge_failed`.
    """
    if RuleSet.PAPER not in shard.policy.rule_sets:
        return VERDICTS.schema.empty_table()
    rubric = judge.rubric
    sheet = _JudgedSheet(
        shard, asked, _credits(judgements, rubric), _open_questions(release, shard)
    )
    return table_from_rows(
        VERDICTS, sheet.rows(f"judge {judge.judge_id} {rubric.name}", rubric.version)
    )


class _JudgedSheet:
    def __init__(
        self,
        shard: Shard,
        asked: AskedShard,
        credit_of: Mapping[str, float | None],
        questions: Mapping[str, KeptQuestion],
    ) -> None:
        self._window_us = shard.policy.window_us
        self._asked = asked
        self._credit_of = credit_of
        self._questions = questions
        self._replies = {str(row["reply_key"]): row for row in asked.replies.to_pylist()}

    def rows(self, reader: str, reader_version: int) -> Iterator[Row]:
        for row in _initial(self._asked, self._questions):
            outcome, score = self._verdict(row)
            yield {
                **{name: row[name] for name in _ASK_COLUMNS},
                "referent_index": 0,
                "metric": OPEN_SCORE,
                "rule_set": str(RuleSet.PAPER),
                "reader": reader,
                "reader_version": reader_version,
                "scorer_version": SCORER_VERSION,
                "score": score,
                "outcome": str(outcome),
            }

    def _verdict(self, row: Row) -> tuple[Outcome, float]:
        if row["outcome"] != ANSWERED:
            # The reason stands in brackets behind the outcome.
            return Outcome(str(row["outcome"]).split("(")[0]), 0.0
        reply = reply_of_row(self._replies[str(row["reply_key"])])
        reading = reading_of(reply, self._questions[str(row["question_id"])], RuleSet.PAPER)
        unread = Outcome(str(reading.reason)) if isinstance(reading, NoAnswer) else None
        if unread in (Outcome.REFUSED, Outcome.TRUNCATED):
            return unread, 0.0
        if reply.latency_us > self._window_us:
            return Outcome.LATE, 0.0
        if unread is not None:
            return unread, 0.0
        worth = self._credit_of.get(str(row["ask_id"]))
        if worth is None:
            return Outcome.JUDGE_FAILED, 0.0
        return _GRADED.get(worth, Outcome.PARTIAL), worth


_ASK_COLUMNS = ("participant_id", "run_id", "ask_id", "question_id", "subject_id")
_GRADED = {0.0: Outcome.WRONG, 1.0: Outcome.CORRECT}


def _open_questions(release: ReleaseTables, shard: Shard) -> Mapping[str, KeptQuestion]:
    asked = set(shard.question_ids)
    return {
        kept.question_id: kept
        for kept in questions_of(release, shard.stream_id)
        if kept.question_id in asked and kept.question_type is QuestionType.OPEN_ENDED
    }


def _initial(asked: AskedShard, questions: Mapping[str, KeptQuestion]) -> Iterator[Row]:
    for row in asked.asks.to_pylist():
        if row["phase"] == "initial" and row["question_id"] in questions:
            yield row


def _credits(judgements: pa.Table, rubric: Rubric) -> Mapping[str, float | None]:
    repeats: dict[str, list[Judgement]] = {}
    for row in judgements.to_pylist():
        one = Judgement(int(row["repeat"]), row["score"], row["failure"])
        repeats.setdefault(str(row["ask_id"]), []).append(one)
    return {ask_id: credit(judged, rubric) for ask_id, judged in repeats.items()}

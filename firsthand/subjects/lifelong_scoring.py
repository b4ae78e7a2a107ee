"""Reading, judging and scoring lifelong answers: how right they are, and where they point."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from firsthand.answers import NoAnswer
from firsthand.answers.clues import CLUE_READER_VERSION, ClueAnswer, read_clue_reply
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.core.time import us_to_s
from firsthand.judging import JudgeSettings, OpenAnswer
from firsthand.metrics.columns import ANSWERED as WAS_ANSWERED
from firsthand.metrics.columns import CODE_OF, OUTCOMES
from firsthand.metrics.lifelong import IntervalColumns, ref_at_n, ref_verdicts
from firsthand.store.table import table_from_rows
from firsthand.store.tables import PROBES, REPLIES, VERDICTS
from firsthand.subjects.asking import ANSWERED
from firsthand.subjects.grading import reading_of
from firsthand.subjects.judged import judged_verdicts, open_answers
from firsthand.subjects.lifelong_planning import LifelongShard
from firsthand.subjects.material import ReleaseTables, clues_of, questions_of
from firsthand.subjects.running import AskedShard
from firsthand.subjects.scoring import (
    RTA,
    ScoredShard,
    read_shard,
    reply_of_row,
    score_shard,
)

__all__ = [
    "ACCURACY",
    "LIFELONG_SCORER_VERSION",
    "judge_lifelong",
    "lifelong_open_answers",
    "read_lifelong",
    "ref_metric",
    "score_lifelong",
]

LIFELONG_SCORER_VERSION = 1
"""Raised when the same replies would be scored otherwise."""

ACCURACY = "accuracy"
"""Metric of closed-form lifelong answers, whatever time they took."""

_READER = "clues"

Row = Mapping[str, object]


def ref_metric(bin_s: int) -> str:
    """Return how verdicts name Ref@N."""
    return f"ref@{bin_s}"


def read_lifelong(shard: LifelongShard, release: ReleaseTables, asked: AskedShard) -> pa.Table:
    """Return the rows of table `readings`: the answer of every reply, without its clues."""
    return read_shard(shard.untimed, release, _answers_alone(asked))


def lifelong_open_answers(
    shard: LifelongShard, release: ReleaseTables, asked: AskedShard
) -> Mapping[str, OpenAnswer]:
    """Return the open answers of a shard that can be judged, without their clues, by ask."""
    return open_answers(shard.untimed, release, _answers_alone(asked))


def judge_lifelong(
    shard: LifelongShard,
    release: ReleaseTables,
    asked: AskedShard,
    judgements: pa.Table,
    judge: JudgeSettings,
) -> pa.Table:
    """Return the verdicts of a shard's open questions under `paper`; none is ever late."""
    return judged_verdicts(shard.untimed, release, _answers_alone(asked), judgements, judge)


def score_lifelong(
    shard: LifelongShard, release: ReleaseTables, asked: AskedShard, readings: pa.Table
) -> ScoredShard:
    """Score a shard under every rule set: closed-form answers, and Ref@N of all of them.

    T of Ref@N is the end of the stream.
    """
    closed = score_shard(shard.untimed, release, _answers_alone(asked), readings)
    accuracy = (
        {**row, "metric": ACCURACY} for row in closed.verdicts.to_pylist() if row["metric"] == RTA
    )
    sheet = _ClueSheet(shard, release, asked)
    refs = (
        row
        for rule_set in shard.policy.rule_sets
        for bin_s in shard.policy.ref_bins_s
        for row in sheet.rows(bin_s, rule_set)
    )
    return ScoredShard(table_from_rows(VERDICTS, (*accuracy, *refs)), PROBES.schema.empty_table())


def _answers_alone(asked: AskedShard) -> AskedShard:
    """Return what was asked with replies that hold the answers alone.

    A reply that states no answer is empty then, and is read as one.
    """
    rows = [{**row, **_answer_alone(row)} for row in asked.replies.to_pylist()]
    return AskedShard(asked.asks, table_from_rows(REPLIES, rows))


def _answer_alone(row: Row) -> Row:
    found = _clue_answer(row)
    if isinstance(found, NoAnswer):
        return {"text": ""}
    return {"text": found.text, "finish": "stop" if found.is_whole else row["finish"]}


def _clue_answer(row: Row) -> ClueAnswer | NoAnswer:
    return read_clue_reply(str(row["text"]), finish=str(row["finish"]))


class _ClueSheet:
    """The asks of a shard beside their clues, as the columns that Ref@N takes."""

    def __init__(self, shard: LifelongShard, release: ReleaseTables, asked: AskedShard) -> None:
        self._asks: Sequence[Row] = asked.asks.to_pylist()
        self._replies = {str(row["reply_key"]): row for row in asked.replies.to_pylist()}
        self._questions = {one.question_id: one for one in questions_of(release, shard.stream_id)}
        clues = clues_of(release, shard.stream_id)
        named = [self._named(ask) for ask in self._asks]
        self._said = IntervalColumns.of(named)
        self._want = IntervalColumns.of(
            [
                [(us_to_s(begin_us), us_to_s(end_us)) for begin_us, end_us in clues[question_id]]
                for question_id in (str(ask["question_id"]) for ask in self._asks)
            ]
        )
        self._names_any = [bool(one) for one in named]
        self._end_s = np.full(len(self._asks), us_to_s(_stream_end_us(release, shard.stream_id)))

    def rows(self, bin_s: int, rule_set: RuleSet) -> Iterator[Row]:
        """Yield the verdicts of one Ref@N under one rule set."""
        found = ref_at_n(self._said, self._want, self._end_s, bin_s=bin_s, rule_set=rule_set)
        verdicts = ref_verdicts(found, self._outcomes(rule_set))
        for ask, score, code in zip(self._asks, verdicts.score, verdicts.outcome, strict=True):
            yield {
                **{name: ask[name] for name in _ASK_COLUMNS},
                "referent_index": 0,
                "metric": ref_metric(bin_s),
                "rule_set": str(rule_set),
                "reader": _READER,
                "reader_version": CLUE_READER_VERSION,
                "scorer_version": LIFELONG_SCORER_VERSION,
                "score": float(score),
                "outcome": str(OUTCOMES[code]),
            }

    def _named(self, ask: Row) -> Sequence[tuple[float, float]]:
        if ask["outcome"] != ANSWERED:
            return ()
        found = _clue_answer(self._replies[str(ask["reply_key"])])
        return () if isinstance(found, NoAnswer) else found.intervals_s

    def _outcomes(self, rule_set: RuleSet) -> npt.NDArray[np.int16]:
        codes = [
            WAS_ANSWERED if names_any else self._lost(ask, rule_set)
            for ask, names_any in zip(self._asks, self._names_any, strict=True)
        ]
        return np.array(codes, np.int16)

    def _lost(self, ask: Row, rule_set: RuleSet) -> int:
        """Return what kept an ask from naming clues, or that it was answered without any."""
        if ask["outcome"] != ANSWERED:
            # The reason stands in brackets behind the outcome.
            return int(CODE_OF[Outcome(str(ask["outcome"]).split("(")[0])])
        row = self._replies[str(ask["reply_key"])]
        question = self._questions[str(ask["question_id"])]
        reading = reading_of(reply_of_row({**row, **_answer_alone(row)}), question, rule_set)
        if isinstance(reading, NoAnswer):
            return int(CODE_OF[Outcome(str(reading.reason))])
        return int(WAS_ANSWERED)


_ASK_COLUMNS = ("participant_id", "run_id", "ask_id", "question_id", "subject_id")


def _stream_end_us(release: ReleaseTables, stream_id: str) -> int:
    places = release.table("timeline").to_pylist()
    return max(int(row["stream_end_us"]) for row in places if row["stream_id"] == stream_id)

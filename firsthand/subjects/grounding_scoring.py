"""Reading and scoring what was said about clips; both can be done again without a subject."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from firsthand.answers.grounding import (
    GroundingAnswer,
    GroundingReading,
    PointForm,
    grounding_object,
    read_grounding_reply,
)
from firsthand.answers.official_grounding import (
    ReleasedCodeError,
    official_grounding_answer,
    official_prediction,
)
from firsthand.answers.readings import NoAnswer, NoAnswerReason
from firsthand.core.identity import Json, canonical_json
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.endpoints.replies import Reply
from firsthand.metrics.columns import ANSWERED as READ
from firsthand.metrics.columns import CODE_OF, OUTCOMES, VerdictColumns
from firsthand.metrics.ecog import (
    EcogMetric,
    PointingColumns,
    ecog_hits,
    referent_verdicts,
)
from firsthand.metrics.ecog_official import official_ecog_hits
from firsthand.store.table import table_from_rows
from firsthand.store.tables import PROBES, READINGS, VERDICTS
from firsthand.subjects.asking import ANSWERED, Row
from firsthand.subjects.grounding_shard import GROUNDING_READERS, GroundingShard
from firsthand.subjects.material import ReleaseTables
from firsthand.subjects.pointing_clips import PointingClip, pointing_clips, referent_truth
from firsthand.subjects.running import AskedShard
from firsthand.subjects.scoring import ScoredShard, reply_of_row

__all__ = ["GROUNDING_SCORER", "read_grounding_shard", "score_grounding_shard"]

GROUNDING_SCORER = 1
"""Raised when the same readings would be scored otherwise."""

_NOWHERE = (np.nan, np.nan)


def read_grounding_shard(
    shard: GroundingShard, release: ReleaseTables, asked: AskedShard
) -> pa.Table:
    """Return rows of `readings`: every reply, read by every rule set's reader.

    Of each referent the answer holds an object: `option`, `point_xy_permille`, `moment_ms`;
    points are brought from the subject's declared form into [x, y] and thousandths.
    """
    clips = {clip.clip_id: clip for clip in pointing_clips(release)}
    texts = {str(row["reply_key"]): row for row in asked.replies.to_pylist()}
    points = shard.subject.build().facts.points
    return table_from_rows(
        READINGS,
        (
            _Reader(rule_set, points, len(clips[str(ask["question_id"])].referents)).row(
                ask, reply_of_row(texts[str(ask["reply_key"])])
            )
            for ask in asked.asks.to_pylist()
            if ask["outcome"] == ANSWERED
            for rule_set in shard.policy.rule_sets
        ),
    )


def score_grounding_shard(
    shard: GroundingShard, release: ReleaseTables, asked: AskedShard, readings: pa.Table
) -> ScoredShard:
    """Score a shard's asks under every rule set: what, where and when of each referent.

    `acc_cls`, `acc_s`, `acc_t` and `acc_eco` are verdicts on a referent, `acc_seq` is one
    on the clip, at referent 0.
    """
    clips = {clip.clip_id: clip for clip in pointing_clips(release)}
    asks = sorted(asked.asks.to_pylist(), key=lambda row: str(row["ask_id"]))
    read = {(str(row["ask_id"]), str(row["reader"])): row for row in readings.to_pylist()}
    sheet = _Sheet(asks, [clips[str(ask["question_id"])] for ask in asks])
    rows = (
        row
        for rule_set in shard.policy.rule_sets
        for row in sheet.verdict_rows(
            rule_set, [read.get((str(ask["ask_id"]), str(rule_set))) for ask in asks]
        )
    )
    return ScoredShard(table_from_rows(VERDICTS, rows), PROBES.schema.empty_table())


@dataclass(frozen=True, slots=True)
class _Reader:
    rule_set: RuleSet
    points: PointForm
    referents: int

    def row(self, ask: Row, reply: Reply) -> Row:
        reading = self._read(reply.text, reply.finish)
        missing = reading if isinstance(reading, NoAnswer) else None
        return {
            "participant_id": ask["participant_id"],
            "run_id": ask["run_id"],
            "ask_id": ask["ask_id"],
            "reader": str(self.rule_set),
            "reader_version": GROUNDING_READERS,
            "status": str(missing.reason) if missing else "answer",
            "answer": [] if isinstance(reading, NoAnswer) else self._spelled(reading),
            "reason": missing.detail if missing else None,
        }

    def _read(self, text: str, finish: str) -> GroundingReading:
        if self.rule_set is RuleSet.PAPER:
            return read_grounding_reply(text, order=self.points.order, finish=finish)
        prediction = official_prediction(grounding_object(text))
        try:
            return official_grounding_answer(prediction, self.referents, order=self.points.order)
        except ReleasedCodeError as stopped:
            return NoAnswer(NoAnswerReason.UNPARSED, f"the released code stops: {stopped.found}")

    def _spelled(self, answer: GroundingAnswer) -> list[str]:
        lines = []
        for place in range(max(len(answer.options), len(answer.referents))):
            at = answer.referents[place] if place < len(answer.referents) else None
            point = at.point_xy_permille if at else None
            said: Json = {
                "option": answer.options[place] if place < len(answer.options) else None,
                "point_xy_permille": None if point is None else list(self.points.permille(point)),
                "moment_ms": at.moment_ms if at else None,
            }
            lines.append(canonical_json(said).decode())
        return lines


class _Sheet:
    """Asks beside the truth about their clips, an ask being a clip of its own."""

    def __init__(self, asks: Sequence[Row], clips: Sequence[PointingClip]) -> None:
        self._asks = asks
        self._clips = clips
        self._truth = referent_truth(clips)

    def verdict_rows(
        self, rule_set: RuleSet, readings: Sequence[Mapping[str, object] | None]
    ) -> Iterator[Row]:
        if not self._asks:
            return
        said = self._said(readings)
        score = official_ecog_hits if rule_set is RuleSet.OFFICIAL else ecog_hits
        hits = score(self._truth, said)
        for metric in EcogMetric:
            places = self._places(metric)
            yield from self._rows(metric, rule_set, places, referent_verdicts(hits, metric))

    def _places(self, metric: EcogMetric) -> list[tuple[Row, int]]:
        return [
            (ask, index)
            for ask, clip in zip(self._asks, self._clips, strict=True)
            for index in range(1 if metric is EcogMetric.SEQ else len(clip.referents))
        ]

    def _rows(
        self,
        metric: EcogMetric,
        rule_set: RuleSet,
        places: Sequence[tuple[Row, int]],
        verdicts: VerdictColumns,
    ) -> Iterator[Row]:
        for (ask, index), score, code in zip(places, verdicts.score, verdicts.outcome, strict=True):
            yield {
                **{name: ask[name] for name in _ASK_COLUMNS},
                "referent_index": index,
                "metric": str(metric),
                "rule_set": str(rule_set),
                "reader": str(rule_set),
                "reader_version": GROUNDING_READERS,
                "scorer_version": GROUNDING_SCORER,
                "score": float(score),
                "outcome": str(OUTCOMES[code]),
            }

    def _said(self, readings: Sequence[Mapping[str, object] | None]) -> PointingColumns:
        rows = [
            row
            for ask, clip, reading in zip(self._asks, self._clips, readings, strict=True)
            for row in _referent_rows(ask, len(clip.referents), reading)
        ]
        return PointingColumns(
            [row.option for row in rows],
            np.array([row.point_xy_permille for row in rows], np.float64).reshape(-1, 2),
            np.array([row.moment_ms for row in rows], np.float64),
            np.array([row.outcome for row in rows], np.int16),
        )


_ASK_COLUMNS = ("participant_id", "run_id", "ask_id", "question_id", "subject_id")


@dataclass(frozen=True, slots=True)
class _Said:
    option: str | None
    point_xy_permille: tuple[float, float]
    moment_ms: float
    outcome: np.int16


def _referent_rows(
    ask: Row, referents: int, reading: Mapping[str, object] | None
) -> Iterator[_Said]:
    if reading is None or reading["status"] != "answer":
        # The reason stands in brackets behind the outcome.
        named = str(ask["outcome"]).split("(")[0] if reading is None else str(reading["status"])
        yield from [_Said(None, _NOWHERE, np.nan, np.int16(CODE_OF[Outcome(named)]))] * referents
        return
    lines = reading["answer"]
    said = [json.loads(line) for line in (lines if isinstance(lines, list) else [])]
    for place in range(referents):
        one = said[place] if place < len(said) else {}
        x_y, moment_ms = one.get("point_xy_permille"), one.get("moment_ms")
        yield _Said(
            one.get("option"),
            _NOWHERE if x_y is None else (float(x_y[0]), float(x_y[1])),
            np.nan if moment_ms is None else float(moment_ms),
            READ,
        )

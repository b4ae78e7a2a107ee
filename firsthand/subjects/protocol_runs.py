"""How runs of each protocol are planned, asked, read, judged, scored and concluded."""

from firsthand.answers import READER_VERSIONS
from firsthand.core.outcomes import RuleSet
from firsthand.protocols import GROUNDING_VERSION, STREAMING_VERSION
from firsthand.protocols.lifelong import LIFELONG_VERSION
from firsthand.protocols.standing import PROACTIVE_VERSION
from firsthand.subjects import grounding_baselines, grounding_models
from firsthand.subjects.evaluation_protocol import PROTOCOLS, EvaluationProtocol, JudgedProtocol
from firsthand.subjects.grounding_asking import ask_grounding_shard
from firsthand.subjects.grounding_scoring import (
    GROUNDING_SCORER,
    read_grounding_shard,
    score_grounding_shard,
)
from firsthand.subjects.grounding_shard import GROUNDING, GROUNDING_READERS, plan_grounding
from firsthand.subjects.judged import judged_verdicts, open_answers
from firsthand.subjects.lifelong_asking import ask_lifelong
from firsthand.subjects.lifelong_planning import LIFELONG, plan_lifelong
from firsthand.subjects.lifelong_scoring import (
    LIFELONG_SCORER_VERSION,
    judge_lifelong,
    lifelong_open_answers,
    read_lifelong,
    score_lifelong,
)
from firsthand.subjects.planning import STREAMING, plan_asks
from firsthand.subjects.running import ask_shard
from firsthand.subjects.scoring import SCORER_VERSION, read_shard, score_shard
from firsthand.subjects.serial import serial_results
from firsthand.subjects.standing_asks import (
    PROACTIVE,
    ask_standing,
    plan_standing,
    read_standing,
)
from firsthand.subjects.standing_scoring import (
    STANDING_SCORER_VERSION,
    score_standing,
    standing_results,
)

__all__ = ["GROUNDERS_LOADED", "GROUNDING_RUNS", "LIFELONG_RUNS", "STANDING_RUNS", "STREAMING_RUNS"]

GROUNDERS_LOADED = (grounding_baselines, grounding_models)
"""The modules that register who grounds."""

STREAMING_RUNS = PROTOCOLS.register(STREAMING)(
    EvaluationProtocol(
        version=STREAMING_VERSION,
        scorer_version=SCORER_VERSION,
        readers=READER_VERSIONS,
        plan=plan_asks,
        ask=ask_shard,
        read=read_shard,
        score=score_shard,
        judged=JudgedProtocol(open_answers, judged_verdicts),
        conclude=serial_results,
    )
)
"""Questions are asked along a stream."""

STANDING_RUNS = PROTOCOLS.register(PROACTIVE)(
    EvaluationProtocol(
        version=PROACTIVE_VERSION,
        scorer_version=STANDING_SCORER_VERSION,
        readers=READER_VERSIONS,
        plan=plan_standing,
        ask=ask_standing,
        read=read_standing,
        score=score_standing,
        conclude=standing_results,
    )
)
"""Questions stand, and the subject speaks up."""

LIFELONG_RUNS = PROTOCOLS.register(LIFELONG)(
    EvaluationProtocol(
        version=LIFELONG_VERSION,
        scorer_version=LIFELONG_SCORER_VERSION,
        readers=READER_VERSIONS,
        plan=plan_lifelong,
        ask=ask_lifelong,
        read=read_lifelong,
        score=score_lifelong,
        judged=JudgedProtocol(lifelong_open_answers, judge_lifelong),
    )
)
"""Questions are about a whole recorded life."""

GROUNDING_RUNS = PROTOCOLS.register(GROUNDING)(
    EvaluationProtocol(
        version=GROUNDING_VERSION,
        scorer_version=GROUNDING_SCORER,
        readers=dict.fromkeys(RuleSet, GROUNDING_READERS),
        plan=plan_grounding,
        ask=ask_grounding_shard,
        read=read_grounding_shard,
        score=score_grounding_shard,
    )
)
"""Clips are asked about in every cell of a grid."""

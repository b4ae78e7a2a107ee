"""The grounding protocol as an evaluation runs it: clips asked about in every cell of a grid."""

from firsthand.core.outcomes import RuleSet
from firsthand.protocols.grounding import GROUNDING_VERSION
from firsthand.subjects import grounding_baselines, grounding_models
from firsthand.subjects.evaluation_protocol import PROTOCOLS, EvaluationProtocol
from firsthand.subjects.grounding_asking import ask_grounding_shard
from firsthand.subjects.grounding_scoring import (
    GROUNDING_SCORER,
    read_grounding_shard,
    score_grounding_shard,
)
from firsthand.subjects.grounding_shard import GROUNDING, GROUNDING_READERS, plan_grounding

__all__ = ["GROUNDERS_LOADED", "GROUNDING_RUNS"]

GROUNDERS_LOADED = (grounding_baselines, grounding_models)
"""The modules that register who grounds."""

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

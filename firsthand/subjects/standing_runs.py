"""The proactive protocol as an evaluation runs it: questions stand, the subject speaks up."""

from firsthand.answers import READER_VERSIONS
from firsthand.protocols.standing import PROACTIVE_VERSION
from firsthand.subjects.evaluation_protocol import PROTOCOLS, EvaluationProtocol
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

__all__ = ["STANDING_RUNS"]

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

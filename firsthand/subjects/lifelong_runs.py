"""The lifelong protocol as an evaluation runs it: questions about a whole recorded life."""

from firsthand.answers import READER_VERSIONS
from firsthand.protocols.lifelong import LIFELONG_VERSION
from firsthand.subjects.evaluation_protocol import PROTOCOLS, EvaluationProtocol, JudgedProtocol
from firsthand.subjects.lifelong_asking import ask_lifelong
from firsthand.subjects.lifelong_planning import LIFELONG, plan_lifelong
from firsthand.subjects.lifelong_scoring import (
    LIFELONG_SCORER_VERSION,
    judge_lifelong,
    lifelong_open_answers,
    read_lifelong,
    score_lifelong,
)

__all__ = ["LIFELONG_RUNS"]

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

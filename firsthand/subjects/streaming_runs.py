"""The streaming protocol as an evaluation runs it: questions asked along a stream."""

from firsthand.answers import READER_VERSIONS
from firsthand.protocols import STREAMING_VERSION
from firsthand.subjects.evaluation_protocol import PROTOCOLS, EvaluationProtocol, JudgedProtocol
from firsthand.subjects.judged import judged_verdicts, open_answers
from firsthand.subjects.planning import STREAMING, plan_asks
from firsthand.subjects.running import ask_shard
from firsthand.subjects.scoring import SCORER_VERSION, read_shard, score_shard
from firsthand.subjects.serial import serial_results

__all__ = ["STREAMING_RUNS"]

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

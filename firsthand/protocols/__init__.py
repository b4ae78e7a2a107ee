"""Protocols: events in, instructions out; no input or output of their own."""

from firsthand.protocols.grounding import GROUNDING_VERSION
from firsthand.protocols.grounding_policy import GroundingCell, GroundingPolicy, InputStack
from firsthand.protocols.policy import FrameAt, Overlap, StreamingPolicy
from firsthand.protocols.single_question import question_events, question_moments
from firsthand.protocols.streaming import (
    STREAMING_VERSION,
    Ask,
    Censor,
    Event,
    Failed,
    Feed,
    Instruction,
    PlannedQuestion,
    Replied,
    Skip,
    Stop,
    StreamEnded,
    StreamingProtocol,
    UnitEnded,
    counting_rule_sets,
)

__all__ = [
    "GROUNDING_VERSION",
    "STREAMING_VERSION",
    "Ask",
    "Censor",
    "Event",
    "Failed",
    "Feed",
    "FrameAt",
    "GroundingCell",
    "GroundingPolicy",
    "InputStack",
    "Instruction",
    "Overlap",
    "PlannedQuestion",
    "Replied",
    "Skip",
    "Stop",
    "StreamEnded",
    "StreamingPolicy",
    "StreamingProtocol",
    "UnitEnded",
    "counting_rule_sets",
    "question_events",
    "question_moments",
]

"""Questions of one stream that are asked together, whatever the protocol."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar, Generic, TypeVar

from firsthand.subjects.configuration import SubjectConfiguration
from firsthand.subjects.material import KeptQuestion
from firsthand.subjects.planned_shard import RunPolicy

__all__ = ["StreamPiece", "StreamShard", "stream_pieces"]

PolicyT = TypeVar("PolicyT", bound=RunPolicy)

StreamPiece = tuple[str, tuple[str, ...], int]
"""A stream, some of its questions in order, and the number of the piece in its stream."""


@dataclass(frozen=True, slots=True)
class StreamShard(Generic[PolicyT]):
    """Asks of one run that belong together; small, so that it travels to any worker.

    Args:
        run_id: The run.
        subject: The subject, as configured.
        policy: The protocol's numbers.
        stream_id: The stream that the questions ask about.
        question_ids: Its questions, in the order they are asked.
        number: Number of the shard within its run and stream, from 0.
    """

    protocol: ClassVar[str]
    """Name of the protocol in the registry `PROTOCOLS`."""

    run_id: str
    subject: SubjectConfiguration
    policy: PolicyT
    stream_id: str
    question_ids: tuple[str, ...]
    number: int

    @property
    def shard_id(self) -> str:
        """Run, stream and number: unique in an evaluation."""
        return f"{self.run_id}/{self.stream_id}/{self.number}"


def stream_pieces(
    questions: Iterable[KeptQuestion], limit: int | None, most: int | None
) -> Iterator[StreamPiece]:
    """Cut the questions of each stream into pieces.

    Args:
        questions: Questions, those of a stream together and in the order they are asked.
        limit: How many of each stream are kept, the first ones; None for all.
        most: Most questions of a piece; None keeps each stream in one.
    """
    for stream_id, group in groupby(questions, key=lambda question: question.stream_id):
        kept = tuple(question.question_id for question in group)[:limit]
        size = len(kept) if most is None else most
        for first in range(0, len(kept), size):
            yield stream_id, kept[first : first + size], first // size

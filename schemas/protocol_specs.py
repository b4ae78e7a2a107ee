"""Protocols in a run file: one record for each, told apart by `name`."""

from typing import Annotated, Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from firsthand.protocols import InputStack
from schemas.yaml_records import Record

__all__ = [
    "GroundingSpec",
    "LifelongSpec",
    "ProactiveSpec",
    "ProtocolSpec",
    "SampleBudgetSpec",
    "StreamingSpec",
]


class StreamingSpec(Record):
    """Questions asked along the streams of a release; its numbers are the key `policy`."""

    name: Literal["streaming"] = "streaming"


class ProactiveSpec(Record):
    """Questions that stand: the subject speaks when it sees fit, or says nothing.

    A question stands from `stands_s` before it is due until `listens_s` after; the subject may
    speak whenever a unit of `unit_s` has ended. The first right answer from due on counts if it
    comes within `window_s`.
    """

    name: Literal["proactive"]
    window_s: NonNegativeFloat = 5.0
    unit_s: PositiveFloat = 1.0
    stands_s: NonNegativeFloat = 30.0
    listens_s: PositiveFloat = 30.0


class SampleBudgetSpec(Record):
    """How much of a recorded life a subject without a memory of its own is given.

    At most `most_frames` moments and `most_words` words; with `most_tokens`, no more of both
    than that many tokens at the declared rates, words taking at most `words_share` of them.
    """

    most_frames: NonNegativeInt = 64
    most_words: NonNegativeInt = 8_000
    most_tokens: PositiveInt | None = None
    tokens_per_frame: PositiveInt = 256
    tokens_per_word: PositiveFloat = 1.5
    tokens_per_sound_second: PositiveInt = 25
    words_share: Annotated[float, Field(ge=0, le=1)] = 0.5


class LifelongSpec(Record):
    """Every question once, about a whole recorded life, its evidence to be named.

    Subjects are given a uniform sample within `budget`, up to the `stream_end` or only up to
    the time when a question is `due`; subjects with a memory follow the stream in units of
    `unit_s`. Named evidence is scored by Ref@N for each N of `ref_bins_s`.
    """

    name: Literal["lifelong"]
    budget: SampleBudgetSpec = SampleBudgetSpec()
    asked_at: Literal["due", "stream_end"] = "stream_end"
    least_step_s: PositiveFloat = 1.0
    sound_s: PositiveFloat = 1.0
    unit_s: PositiveFloat = 1.0
    ref_bins_s: Annotated[tuple[PositiveInt, ...], Field(min_length=1, strict=False)] = (
        60,
        300,
        600,
    )


_Stack = Annotated[InputStack, Field(strict=False)]


class GroundingSpec(Record):
    """The clips in which somebody points, asked about in every cell of a grid.

    `stacks` say how a clip reaches the subjects, `fps` at which rates its frames are taken;
    differences are taken against `reference`, at the first rate; without one, against the
    first stack. It has no key `policy`.
    """

    name: Literal["grounding"]
    stacks: Annotated[tuple[_Stack, ...], Field(min_length=1, strict=False)] = tuple(InputStack)
    fps: Annotated[tuple[PositiveFloat, ...], Field(min_length=1, strict=False)] = (2.0,)
    reference: _Stack | None = None


ProtocolSpec = Annotated[
    StreamingSpec | ProactiveSpec | LifelongSpec | GroundingSpec, Field(discriminator="name")
]
"""Any protocol; `name` says which record its keys belong to."""

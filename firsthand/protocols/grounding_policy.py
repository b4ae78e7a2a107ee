"""The grid of the grounding protocol: stacks of input, crossed with sampling rates."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar

from firsthand.core.errors import ConfigurationError
from firsthand.core.identity import Json
from firsthand.core.outcomes import RuleSet
from firsthand.protocols.policy_json import SpelledPolicy

__all__ = [
    "STACKS",
    "ClosedLists",
    "GroundingCell",
    "GroundingPolicy",
    "InputStack",
    "StackContents",
]


class InputStack(StrEnum):
    """How a clip reaches a subject."""

    VIDEO_OMNI = "video_omni"
    """The film with its sound, and nothing else."""
    FRAMES_TEXT = "frames_text"
    """Frames with their times, and the words as plain text."""
    FRAMES_ASR = "frames_asr"
    """Frames with their times, and each word with its times: every anchor there is."""
    NO_FRAME_TIMES = "frames_asr_no_frame_times"
    """As `frames_asr`, the frames in order but without their times."""
    NO_WORD_TIMES = "frames_asr_no_word_times"
    """As `frames_asr`, the words without their times; the same ask as `frames_text`."""


class ClosedLists(StrEnum):
    """Where the options of a run's clips come from: known once it is planned."""

    CLIP_OPTIONS = "clip_options"
    """The table of that name: set up clip by clip from what is in the scene."""
    OTHER_CLIPS = "other_clips"
    """Names of what is meant in other clips of the release, which has no such table."""
    BOTH = "both"
    """The table for the clips that it knows, other clips for the rest."""
    UNKNOWN = "unknown"
    """Not planned yet."""


@dataclass(frozen=True, slots=True)
class StackContents:
    """What a stack consists of.

    Args:
        film: Whether the film with its sound is given, instead of frames and words.
        frame_times: Whether each frame's time is said.
        word_times: Whether each word's times are said.
        diagnostic: Whether it serves to find causes: never part of a ranking, since no
            deployed subject is handed such anchors.
    """

    film: bool
    frame_times: bool
    word_times: bool
    diagnostic: bool


STACKS: Mapping[InputStack, StackContents] = MappingProxyType(
    {
        InputStack.VIDEO_OMNI: StackContents(True, False, False, False),
        InputStack.FRAMES_TEXT: StackContents(False, True, False, False),
        InputStack.FRAMES_ASR: StackContents(False, True, True, True),
        InputStack.NO_FRAME_TIMES: StackContents(False, False, True, True),
        InputStack.NO_WORD_TIMES: StackContents(False, True, False, True),
    }
)
"""What each stack consists of."""


@dataclass(frozen=True, slots=True)
class GroundingCell:
    """One cell of a grid: a stack at a sampling rate.

    Args:
        stack: The stack.
        frames_per_second: Sampling rate of frames; None for a film, which the subject
            samples itself.
    """

    stack: InputStack
    frames_per_second: float | None

    @property
    def name(self) -> str:
        """The stack, and its rate where it has one: `frames_text-2fps`."""
        if self.frames_per_second is None:
            return str(self.stack)
        return f"{self.stack}-{self.frames_per_second:g}fps"

    @property
    def contents(self) -> StackContents:
        """What the stack consists of."""
        return STACKS[self.stack]


@dataclass(frozen=True, slots=True)
class GroundingPolicy(SpelledPolicy):
    """The grid of a run: stacks and sampling rates, declared before the first ask.

    Args:
        stacks: The stacks, each once.
        frames_per_second: The sampling rates, each once; a film has none.
        reference: Stack that differences are taken against, at the first rate.
        rule_sets: Rule sets under which replies are read and scored.
        options: Where the clips' options come from.
    """

    policy_name: ClassVar[str] = "grounding policy"

    stacks: tuple[InputStack, ...]
    frames_per_second: tuple[float, ...]
    reference: InputStack
    rule_sets: tuple[RuleSet, ...] = (RuleSet.PAPER, RuleSet.OFFICIAL)
    options: ClosedLists = ClosedLists.UNKNOWN

    def __post_init__(self) -> None:
        rates = self.frames_per_second
        wrong = {
            "stacks": not self.stacks or len(set(self.stacks)) < len(self.stacks),
            "frames_per_second": not rates or len(set(rates)) < len(rates) or min(rates) <= 0,
            "reference": self.reference not in self.stacks,
            "rule_sets": not self.rule_sets or len(set(self.rule_sets)) < len(self.rule_sets),
        }
        for name in (name for name, is_wrong in wrong.items() if is_wrong):
            raise ConfigurationError(
                f"grounding policy, {name}",
                str(getattr(self, name)),
                "at least one, each once; positive rates; a reference among the stacks",
                "Correct the policy.",
            )

    @property
    def cells(self) -> tuple[GroundingCell, ...]:
        """The cells, stack by stack."""
        return tuple(
            GroundingCell(stack, rate)
            for stack in self.stacks
            for rate in ((None,) if STACKS[stack].film else self.frames_per_second)
        )

    @property
    def reference_cell(self) -> GroundingCell:
        """The cell that differences are taken against."""
        return next(cell for cell in self.cells if cell.stack is self.reference)

    def to_json(self) -> dict[str, Json]:
        """Return every field under its name, and beside them which stacks are diagnostic."""
        diagnostic: list[Json] = [str(one) for one in self.stacks if STACKS[one].diagnostic]
        return {**SpelledPolicy.to_json(self), "diagnostic": diagnostic}

    @classmethod
    def fields_of(cls, kept: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the fields alone; older runs did not say that options came from other clips."""
        given = {name: value for name, value in kept.items() if name != "diagnostic"}
        return {"options": str(ClosedLists.OTHER_CLIPS), **given}

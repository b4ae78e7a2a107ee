"""The numbers of the streaming protocol, as one frozen value that travels with the results."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from firsthand.core.errors import ConfigurationError
from firsthand.core.identity import Json
from firsthand.core.outcomes import RuleSet
from firsthand.core.time import SECOND_US
from firsthand.protocols.policy_json import SpelledPolicy

__all__ = ["FrameAt", "Overlap", "StreamingPolicy"]


class Overlap(StrEnum):
    """How an answer is timed while another one is still being given."""

    INDEPENDENT = "independent"
    """Each ask is timed alone, as if nothing else were asked."""
    SERIAL = "serial"
    """An ask starts when the subject is free; its window still counts from due."""


class FrameAt(StrEnum):
    """Which frame of a unit a subject is shown."""

    UNIT_END = "unit_end"
    """The last frame at or before the unit's end; never one that lies ahead."""


@dataclass(frozen=True, slots=True)
class StreamingPolicy(SpelledPolicy):
    """How questions are asked along a stream.

    Args:
        window_us: T, the time from due within which an answer counts.
        probe_step_us: Distance of two probes of one question.
        probes: Most probes of one question; 0 asks none.
        unit_us: Length of a unit, the step in which subjects are fed.
        overlap: How asks that fall together are timed.
        frame_at: Which frame of a unit is shown.
        probe_all: Ask every probe, also of questions that no rule set counts correct, so
            that a later reader never misses one.
        rule_sets: Rule sets whose readers decide whether a question is probed again.
        real_time: Seconds of the stream in a second of the clock: units come when they end, and
            answers take the time they take. None for the virtual clock.
    """

    policy_name: ClassVar[str] = "streaming policy"

    window_us: int = 5 * SECOND_US
    probe_step_us: int = 60 * SECOND_US
    probes: int = 10
    unit_us: int = SECOND_US
    overlap: Overlap = Overlap.INDEPENDENT
    frame_at: FrameAt = FrameAt.UNIT_END
    probe_all: bool = False
    rule_sets: tuple[RuleSet, ...] = (RuleSet.PAPER, RuleSet.OFFICIAL)
    real_time: float | None = None

    def __post_init__(self) -> None:
        lengths = {
            "window_us": (self.window_us, 0),
            "probe_step_us": (self.probe_step_us, 1),
            "probes": (self.probes, 0),
            "unit_us": (self.unit_us, 1),
        }
        for name, (value, least) in lengths.items():
            if value < least:
                raise ConfigurationError(
                    f"streaming policy, {name}",
                    str(value),
                    f"a whole number of at least {least}",
                    "Correct the policy.",
                )
        if self.real_time is not None and not self.real_time > 0:
            raise ConfigurationError(
                "streaming policy, real_time",
                str(self.real_time),
                "a number above 0, or none",
                "Correct the policy.",
            )
        if not self.rule_sets or len(set(self.rule_sets)) != len(self.rule_sets):
            raise ConfigurationError(
                "streaming policy, rule_sets",
                repr([str(name) for name in self.rule_sets]),
                "at least one rule set, none twice",
                "Name 'paper', 'official' or both.",
            )

    def to_json(self) -> dict[str, Json]:
        """Return every field under its name; `from_json` gives the same policy back.

        `real_time` is there only if it is set, so that other policies are what they were.
        """
        spelled = SpelledPolicy.to_json(self)
        return {k: v for k, v in spelled.items() if k != "real_time" or v is not None}

"""The numbers of the streaming protocol, as one frozen value that travels with the results."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum

from firsthand.core.errors import ConfigurationError
from firsthand.core.identity import Json, digest_json
from firsthand.core.keys import check_keys
from firsthand.core.outcomes import RuleSet
from firsthand.core.time import SECOND_US

__all__ = ["FrameAt", "Overlap", "StreamingPolicy", "whole_number"]


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
class StreamingPolicy:
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

    @property
    def digest(self) -> str:
        """Digest of every field; part of a run's identity."""
        return digest_json(self.to_json())

    def to_json(self) -> dict[str, Json]:
        """Return every field under its name; `from_json` gives the same policy back.

        `real_time` is there only if it is set, so that other policies are what they were.
        """
        fields_set = {k: v for k, v in asdict(self).items() if k != "real_time" or v is not None}
        return {**fields_set, "rule_sets": [str(name) for name in self.rule_sets]}

    @classmethod
    def from_json(cls, value: Mapping[str, Json]) -> "StreamingPolicy":
        """Return the policy that the fields describe; absent ones keep their default.

        Raises:
            UnknownKeyError: If a key names no field.
            ConfigurationError: If a value has the wrong kind or lies out of range.
        """
        check_keys("streaming policy", value, [field.name for field in fields(cls)])
        given = {**cls().to_json(), **value}
        return cls(
            window_us=whole_number("streaming policy", "window_us", given["window_us"]),
            probe_step_us=whole_number("streaming policy", "probe_step_us", given["probe_step_us"]),
            probes=whole_number("streaming policy", "probes", given["probes"]),
            unit_us=whole_number("streaming policy", "unit_us", given["unit_us"]),
            overlap=Overlap(_member("overlap", given["overlap"], list(Overlap))),
            frame_at=FrameAt(_member("frame_at", given["frame_at"], list(FrameAt))),
            probe_all=_truth("probe_all", given["probe_all"]),
            rule_sets=_rule_sets("rule_sets", given["rule_sets"]),
            real_time=_number_or_none("real_time", given.get("real_time")),
        )


def whole_number(policy: str, name: str, value: Json) -> int:
    """Return a number of a policy; true and false are none.

    Raises:
        ConfigurationError: If it is no whole number.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigurationError(
            f"{policy}, {name}", repr(value), "a whole number", "Correct the policy."
        )
    return value


def _number_or_none(name: str, value: Json) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong_kind(name, value, "a number")
    return float(value)


def _truth(name: str, value: Json) -> bool:
    if not isinstance(value, bool):
        raise _wrong_kind(name, value, "true or false")
    return value


def _rule_sets(name: str, value: Json) -> tuple[RuleSet, ...]:
    if not isinstance(value, list | tuple):
        raise _wrong_kind(name, value, "a list of rule sets")
    return tuple(RuleSet(_member(name, given, list(RuleSet))) for given in value)


def _member(name: str, value: Json, known: Sequence[str]) -> str:
    if value not in known:
        raise _wrong_kind(name, value, f"one of {', '.join(known)}")
    return str(value)


def _wrong_kind(name: str, value: Json, expected: str) -> ConfigurationError:
    return ConfigurationError(
        f"streaming policy, {name}", repr(value), expected, "Correct the policy."
    )

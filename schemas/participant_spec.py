"""A participant in the benchmark file: recordings, consents, where voice and face are shown."""

from datetime import date
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from firsthand.core.text import same_name
from firsthand.core.time import Span, s_to_us
from schemas.field_types import Name, Text, each_once
from schemas.start_rules import DeviceSpec, StartSpec
from schemas.yaml_records import LocalPath, LocalPaths, Record

__all__ = ["ConsentSpec", "FaceSample", "ParticipantSpec", "ScenarioSpec", "VoiceSample"]


def _zone(text: str) -> str:
    try:
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise PydanticCustomError("time_zone", "an IANA zone such as 'Europe/Lisbon'") from None
    return text


TimeZone = Annotated[str, AfterValidator(_zone)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class ConsentSpec(Record):
    """What a participant allowed, and since when."""

    scope: Literal["recording", "publication", "hosted_engines", "own_face"]
    granted_on: date


class VoiceSample(Record):
    """A stretch of a recording in which the participant alone speaks."""

    file: LocalPath
    start_s: Seconds
    end_s: Seconds

    @property
    def span(self) -> Span:
        """The stretch on the recording's clock."""
        return Span(s_to_us(self.start_s), s_to_us(self.end_s))

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if s_to_us(self.start_s) >= s_to_us(self.end_s):
            raise PydanticCustomError("order", "start_s before end_s")
        return self


class FaceSample(Record):
    """A moment of a recording and the place in it where the participant's face is seen."""

    file: LocalPath
    at_s: Seconds
    box_xyxy_px: Annotated[tuple[float, float, float, float], Field(strict=False)]

    @property
    def at_us(self) -> int:
        """The moment on the recording's clock."""
        return s_to_us(self.at_s)

    @model_validator(mode="after")
    def _has_area(self) -> Self:
        x0, y0, x1, y1 = self.box_xyxy_px
        if not (x0 < x1 and y0 < y1):
            raise PydanticCustomError("box", "a box as left, top, right, bottom")
        return self


class ScenarioSpec(Record):
    """What a recording is about."""

    file: LocalPath
    name: Text
    description: Text


class ParticipantSpec(Record):
    """A person who recorded, and what they delivered."""

    participant_id: Name
    recordings: Annotated[LocalPaths, Field(min_length=1)]
    narrations: LocalPaths = ()
    time_zone: TimeZone
    devices: tuple[DeviceSpec, ...] = Field(default=(), strict=False)
    starts: tuple[StartSpec, ...] = Field(default=(), strict=False)
    consents: tuple[ConsentSpec, ...] = Field(strict=False)
    voice_enrolment: tuple[VoiceSample, ...] = Field(default=(), strict=False)
    face_enrolment: tuple[FaceSample, ...] = Field(default=(), strict=False)
    scenarios: tuple[ScenarioSpec, ...] = Field(default=(), strict=False)

    @model_validator(mode="after")
    def _scopes_once(self) -> Self:
        each_once("consents", [consent.scope for consent in self.consents])
        each_once("scenarios", [str(scenario.file) for scenario in self.scenarios])
        each_once("starts", [same_name(start.file) for start in self.starts])
        return self

"""What a benchmark's file says about start times: device clocks, and starts entered by hand."""

from datetime import datetime
from fnmatch import fnmatchcase
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from firsthand.core.text import same_name
from firsthand.core.time import s_to_us
from firsthand.core.time_local import read_moment_text
from firsthand.media.start_time import Clock, DeviceRule, EnteredStart, Marks
from schemas.yaml_records import Record

__all__ = ["DeviceSpec", "StartSpec", "rule_for", "start_entered"]


def _moment_text(value: object) -> object:
    # YAML itself turns an unquoted date with time into one.
    text = value.isoformat() if isinstance(value, datetime) else value
    expected = "a date with a time of day, such as 2026-05-03T09:30:00+02:00"
    try:
        read_moment_text(str(text), ZoneInfo("UTC"))
    except ValueError:
        raise PydanticCustomError("moment", expected) from None
    return text


FileName = Annotated[str, StringConstraints(min_length=1)]


class StartSpec(Record):
    """A recording's start as a person knows it.

    With an offset it is exact, and the offset is that of the local clock; without one it is
    the participant's local time.
    """

    file: FileName
    start: Annotated[str, BeforeValidator(_moment_text)]


class DeviceSpec(Record):
    """What is known of the clock behind files whose names match a pattern, such as `GX*.MP4`.

    The first that matches counts. `ahead_s` is the device's clock minus the true one.
    """

    files: FileName
    container_clock: Literal["utc", "local"] = "utc"
    container_marks: Literal["start", "end"] = "start"
    name_clock: Literal["utc", "local"] = "local"
    ahead_s: Annotated[float, Field(allow_inf_nan=False)] = 0.0

    @property
    def rule(self) -> DeviceRule:
        """The same for the choice of a start."""
        return DeviceRule(
            Clock(self.container_clock),
            Marks(self.container_marks),
            Clock(self.name_clock),
            s_to_us(self.ahead_s),
        )


def rule_for(devices: tuple[DeviceSpec, ...], file_name: str) -> DeviceRule | None:
    """Return the rule of the first device whose pattern a file name matches, whatever its case."""
    folded = same_name(file_name).casefold()
    for device in devices:
        if fnmatchcase(folded, same_name(device.files).casefold()):
            return device.rule
    return None


def start_entered(starts: tuple[StartSpec, ...], file_name: str) -> EnteredStart | None:
    """Return the start entered for a file, or None."""
    named = (
        EnteredStart(start.start)
        for start in starts
        if same_name(start.file) == same_name(file_name)
    )
    return next(named, None)

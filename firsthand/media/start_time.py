"""When a recording began: what its container and name say, and what makes that doubtful."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from firsthand.core.time_local import LocalMoment, local_moments, moment_at, read_moment_text

if TYPE_CHECKING:
    from datetime import tzinfo
    from zoneinfo import ZoneInfo

__all__ = [
    "Clock",
    "DeviceRule",
    "EnteredStart",
    "Marks",
    "StartDoubt",
    "StartEvidence",
    "StartFinding",
    "StartSource",
    "find_start",
    "start_in_name",
]

_AGREEMENT_US = 2 * 60 * 1_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

# A date and a time of day as cameras and phones write them: 20260503_093000,
# 2026-05-03 09.30.00, 2026_0503_093000, 20260503T093000123 (milliseconds).
_MOMENT = re.compile(
    r"(?<!\d)(?P<year>20\d\d)[-_.]?(?P<month>\d\d)[-_.]?(?P<day>\d\d)"
    r"(?:[-_ .]|T|_at_| at )?"
    r"(?P<hour>\d\d)[-_.:]?(?P<minute>\d\d)[-_.:]?(?P<second>\d\d)"
    r"(?:[-_.]?(?P<millisecond>\d{3}))?(?!\d)"
)
# Pixel phones write UTC into their names.
_UTC_NAME = re.compile(r"PXL_", re.IGNORECASE)
# Cameras that are known to write their local clock into the container as if it were UTC:
# GoPro (GX010042, GH010042, GOPR0042, GP010042) and DJI.
_LOCAL_CLOCK_NAME = re.compile(r"(?:G[XHPL]\d{6}|GOPR\d{4}|DJI_)", re.IGNORECASE)


class StartSource(StrEnum):
    """Where a start time comes from, as the `timeline` table spells it."""

    CONTAINER = "container"
    FILE_NAME = "file_name"
    DEVICE_RULE = "device_rule"
    SIDECAR = "sidecar"
    PERSON = "person"


class StartDoubt(StrEnum):
    """Why a person must look at a start before it counts."""

    NOTHING_KNOWN = "nothing_known"
    """Neither container nor name tells a time, or the camera's clock was never set."""
    NAME_ALONE = "name_alone"
    """Only the file name tells a time, so its clock has no witness."""
    SOURCES_DISAGREE = "sources_disagree"
    """Container and name differ by more than two minutes."""
    DEVICE_CLOCK_UNKNOWN = "device_clock_unknown"
    """The camera is of a make that often writes local time as UTC, and no rule is declared."""
    SKIPPED_HOUR = "skipped_hour"
    """The change to summer time skips this local time."""
    REPEATED_HOUR = "repeated_hour"
    """The change from summer time repeats this local time; the first is proposed."""
    MISSING_CHAPTERS = "missing_chapters"
    """Earlier chapters of the recording are missing, so its container tells their start."""
    BEFORE_CONSENT = "before_consent"
    """It lies before the day of the consent to record, as with a clock that was reset."""
    OVERLAP = "overlap"
    """Another recording of the participant claims the same moment."""


class Clock(StrEnum):
    """Which clock a time was read from."""

    UTC = "utc"
    LOCAL = "local"


class Marks(StrEnum):
    """Which end of a recording its container's time marks."""

    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class DeviceRule:
    """What is known of a device's clock.

    Args:
        container_clock: What the container's time is, whatever the format's standard says.
        container_marks: Whether that is the time of the start or of the end.
        name_clock: What a time in the file name is.
        ahead_us: The device's clock minus the true one.
    """

    container_clock: Clock = Clock.UTC
    container_marks: Marks = Marks.START
    name_clock: Clock = Clock.LOCAL
    ahead_us: int = 0


@dataclass(frozen=True, slots=True)
class StartEvidence:
    """What is known of a recording's start.

    Args:
        source_name: File name as delivered.
        creation_time_utc_us: The container's time, read as UTC; None if it is missing or
            the camera's clock was never set.
        duration_us: Measured length.
        chapters_missing: Whether chapters before it are missing: its container then tells
            when the first of them began, which is no start of this one.
    """

    source_name: str
    creation_time_utc_us: int | None
    duration_us: int
    chapters_missing: bool = False


@dataclass(frozen=True, slots=True)
class EnteredStart:
    """A start that was written down for one recording, and that therefore counts.

    Args:
        text: ISO 8601 date with a time of day, with or without an offset.
        source: By a person in the benchmark's file, or in a file beside the recording.
        zone: Zone of a time without an offset; None means the participant's.
    """

    text: str
    source: StartSource = StartSource.PERSON
    zone: ZoneInfo | None = None


@dataclass(frozen=True, slots=True)
class StartFinding:
    """The start that the evidence speaks for.

    Args:
        candidates: Every moment that comes into question, by source; the first is proposed.
        doubts: Why a person must confirm it; none if it can be believed.
    """

    candidates: tuple[tuple[StartSource, LocalMoment], ...]
    doubts: tuple[StartDoubt, ...]

    @property
    def proposed(self) -> tuple[StartSource, LocalMoment] | None:
        """Source and moment; None if nothing is known."""
        return self.candidates[0] if self.candidates else None


def start_in_name(name: str) -> datetime | None:
    """Return the date and time of day that a file name tells, without a zone.

    None if the name holds none, or an impossible one (a 13th month).
    """
    match = _MOMENT.search(name)
    if match is None:
        return None
    year, month, day, hour, minute, second, milliseconds = (
        int(part or 0) for part in match.groups()
    )
    try:
        # Without a zone by meaning: which clock it was read from is known by the device.
        return datetime(year, month, day, hour, minute, second, milliseconds * 1_000)  # noqa: DTZ001 - see above
    except ValueError:
        return None


def find_start(
    evidence: StartEvidence,
    zone: ZoneInfo,
    *,
    rule: DeviceRule | None = None,
    not_before: date | None = None,
    entered: EnteredStart | None = None,
) -> StartFinding:
    """Choose between the container's time and the name's; the file's own date never counts.

    What was written down wins, then the container, corrected by the device's rule. Of a
    repeated hour the first moment is proposed, of a skipped hour the moment after the change.

    Args:
        evidence: What container and name say.
        zone: The participant's zone at that time.
        rule: What the benchmark's file declares of the device; None if nothing.
        not_before: Day on which the participant consented to recording.
        entered: Start that was written down for this recording; None if nobody did.

    Raises:
        ValueError: If the text of `entered` is no date with a time of day.
    """
    if entered is not None:
        return _as_entered(entered, entered.zone or zone)
    told_rule = rule or DeviceRule()
    contained, container_doubts = _from_container(evidence, told_rule, zone)
    named, name_doubts = _from_name(evidence, told_rule, zone)
    doubts: set[StartDoubt] = set()
    if contained:
        source = StartSource.CONTAINER if rule is None else StartSource.DEVICE_RULE
        doubts |= container_doubts
        if named and not _agree(contained, named):
            doubts.add(StartDoubt.SOURCES_DISAGREE)
        if rule is None and _LOCAL_CLOCK_NAME.match(evidence.source_name):
            doubts.add(StartDoubt.DEVICE_CLOCK_UNKNOWN)
            contained += _from_container(evidence, DeviceRule(Clock.LOCAL), zone)[0]
        if len(contained) > 1 and named:
            contained = tuple(sorted(contained, key=lambda one: not _agree((one,), named)))
    elif named:
        source = StartSource.FILE_NAME
        doubts |= {StartDoubt.NAME_ALONE, *name_doubts}
    else:
        missing = evidence.chapters_missing
        return StartFinding(
            (), (StartDoubt.MISSING_CHAPTERS if missing else StartDoubt.NOTHING_KNOWN,)
        )
    candidates = [
        *((source, moment) for moment in contained),
        *((StartSource.FILE_NAME, moment) for moment in named),
    ]
    if not_before is not None and _local_date(candidates[0][1]) < not_before:
        doubts.add(StartDoubt.BEFORE_CONSENT)
    return StartFinding(tuple(candidates), tuple(sorted(doubts)))


Moments = tuple[LocalMoment, ...]


def _as_entered(entered: EnteredStart, zone: ZoneInfo) -> StartFinding:
    moments = read_moment_text(entered.text, zone)
    doubts: set[StartDoubt] = {StartDoubt.REPEATED_HOUR} if len(moments) > 1 else set()
    if not moments:
        moments, doubts = _read_by(datetime.fromisoformat(entered.text.strip()), Clock.LOCAL, zone)
    return StartFinding(tuple((entered.source, one) for one in moments), tuple(sorted(doubts)))


def _from_container(
    evidence: StartEvidence, rule: DeviceRule, zone: ZoneInfo
) -> tuple[Moments, set[StartDoubt]]:
    if evidence.creation_time_utc_us is None or evidence.chapters_missing:
        return (), set()
    told_us = evidence.creation_time_utc_us - rule.ahead_us
    if rule.container_marks is Marks.END:
        told_us -= evidence.duration_us
    told = _EPOCH + told_us * _MICROSECOND
    return _read_by(told.replace(tzinfo=None), rule.container_clock, zone)


def _from_name(
    evidence: StartEvidence, rule: DeviceRule, zone: ZoneInfo
) -> tuple[Moments, set[StartDoubt]]:
    named = start_in_name(evidence.source_name)
    if named is None:
        return (), set()
    clock = Clock.UTC if _UTC_NAME.match(evidence.source_name) else rule.name_clock
    return _read_by(named - rule.ahead_us * _MICROSECOND, clock, zone)


def _read_by(told: datetime, clock: Clock, zone: tzinfo) -> tuple[Moments, set[StartDoubt]]:
    """Return the moments that a time names on a clock, and what is doubtful about them."""
    if clock is Clock.UTC:
        moment_us = (told.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
        return (moment_at(moment_us, zone),), set()
    moments = local_moments(told, zone)
    if not moments:
        # A clock that was not yet set forward: by its old offset, the moment after the change.
        moment_us = (told.replace(tzinfo=zone).astimezone(UTC) - _EPOCH) // _MICROSECOND
        return (moment_at(moment_us, zone),), {StartDoubt.SKIPPED_HOUR}
    return moments, {StartDoubt.REPEATED_HOUR} if len(moments) > 1 else set()


def _agree(one: Moments, other: Moments) -> bool:
    return any(abs(a.utc_us - b.utc_us) <= _AGREEMENT_US for a in one for b in other)


def _local_date(moment: LocalMoment) -> date:
    local = _EPOCH + moment.utc_us * _MICROSECOND + timedelta(seconds=moment.offset_s)
    return local.date()

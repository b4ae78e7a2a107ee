"""What a delivered file really holds, measured from its packets and never from its headers."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from firsthand.core.time import pts_to_us
from firsthand.media.packets import Beginning, Packets, read_beginning, read_packets
from firsthand.media.tags import (
    creation_time_utc_us,
    has_location,
    has_unset_clock,
    identifying_tags,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction
    from pathlib import Path

__all__ = ["Probe", "probe"]

_AUDIO_STEP_US = 50_000
_SHORT_US = 500_000
_PLAIN_BITS = 8
_FRAME_JITTER_US = 1_000


@dataclass(frozen=True, slots=True)
class Probe:
    """One file as measured; times are on the recording's clock unless they say otherwise.

    The recording's clock is zero at the first displayed picture frame.

    Args:
        container: Container format, as libav names it.
        video_codec: Codec of the picture.
        width_px: Display width, after rotation.
        height_px: Display height, after rotation.
        rotation_deg: Clockwise turn from coded to display orientation.
        frames: Picture frames shown.
        first_pts_us: Time of the first frame on the file's own clock.
        duration_us: End of the last frame or sample, from zero.
        time_base: Time base of the picture, as a fraction of a second.
        variable_frame_rate: Whether frame distances differ by more than rounding does.
        audio_codec: Codec of the sound; None if there is none.
        audio_rate_hz: Its sampling rate; None if there is none.
        audio_channels: Its channels; None if there is none.
        audio_start_us: First sample; negative if sound comes first; None if there is none.
        audio_tracks: Number of sound tracks, of which one counts.
        warnings: What is odd, by name, sorted.
        creation_time_utc_us: Start by the container, since 1970-01-01 UTC; None if it
            is missing or the camera's clock was never set.
        location_tags: Whether the file says where it was recorded.
        tags: What the file says about its origin, as (key, value); private, so it is not
            shown when the value is printed.
    """

    container: str
    video_codec: str
    width_px: int
    height_px: int
    rotation_deg: int
    frames: int
    first_pts_us: int
    duration_us: int
    time_base: str
    variable_frame_rate: bool
    audio_codec: str | None
    audio_rate_hz: int | None
    audio_channels: int | None
    audio_start_us: int | None
    audio_tracks: int
    warnings: tuple[str, ...]
    creation_time_utc_us: int | None
    location_tags: bool
    tags: tuple[tuple[str, str], ...] = field(repr=False)

    def columns(self) -> Mapping[str, object]:
        """Return the measured columns of the `recordings` table."""
        return {
            "container": self.container,
            "video_codec": self.video_codec,
            "width_px": self.width_px,
            "height_px": self.height_px,
            "rotation_deg": self.rotation_deg,
            "frames": self.frames,
            "first_pts_us": self.first_pts_us,
            "duration_us": self.duration_us,
            "time_base": self.time_base,
            "variable_frame_rate": self.variable_frame_rate,
            "audio_codec": self.audio_codec,
            "audio_rate_hz": self.audio_rate_hz,
            "audio_channels": self.audio_channels,
            "warnings": list(self.warnings),
        }


def probe(path: Path) -> Probe:
    """Measure one media file.

    Every packet of the counted picture and sound is read, and the first frame of each is
    decoded; the rest is not, so the cost is that of reading the file.

    Raises:
        UnreadableMediaError: If the file is empty, cut off, of no known format, without a
            moving picture, or with a picture or sound that does not decode.
    """
    begin = read_beginning(path)
    counted = read_packets(path, begin)
    tags = begin.tags
    return Probe(
        container=begin.container,
        video_codec=begin.video_codec,
        width_px=begin.width_px,
        height_px=begin.height_px,
        rotation_deg=begin.orientation.rotation_deg,
        frames=len(counted.picture_pts),
        first_pts_us=begin.zero_us,
        duration_us=counted.end_us,
        time_base=f"{begin.time_base.numerator}/{begin.time_base.denominator}",
        variable_frame_rate=_varies(counted, begin.time_base),
        audio_codec=begin.audio_codec,
        audio_rate_hz=begin.audio_rate_hz,
        audio_channels=begin.audio_channels,
        audio_start_us=begin.audio_start_us,
        audio_tracks=begin.audio_tracks,
        warnings=tuple(sorted(_warnings(begin, counted))),
        creation_time_utc_us=creation_time_utc_us(tags),
        location_tags=has_location(tags),
        tags=identifying_tags(tags),
    )


def _varies(counted: Packets, time_base: Fraction) -> bool:
    """Whether frame distances differ by more than a millisecond and two ticks of rounding."""
    steps = [after - before for before, after in pairwise(counted.picture_pts)]
    if not steps:
        return False
    allowed_us = _FRAME_JITTER_US + pts_to_us(2, time_base)
    return pts_to_us(max(steps) - min(steps), time_base) > allowed_us


def _warnings(begin: Beginning, counted: Packets) -> Iterator[str]:
    start_us = begin.audio_start_us
    conditions = {
        "audio_ends_early": start_us is not None
        and counted.picture_end_us - (counted.sound_end_us or 0) > _SHORT_US,
        "audio_gaps": counted.sound_gaps > 0,
        "audio_starts_early": start_us is not None and start_us < -_AUDIO_STEP_US,
        "audio_starts_late": start_us is not None and start_us > _AUDIO_STEP_US,
        "corrupt_packets": counted.corrupt > 0,
        "creation_time_sentinel": has_unset_clock(begin.tags),
        "deep_picture": begin.bits > _PLAIN_BITS,
        "high_dynamic_range": begin.high_range,
        "mirrored_picture": begin.orientation.mirrored,
        "no_audio": start_us is None,
        "non_square_pixels": not begin.square_pixels,
        "odd_display_matrix": begin.odd_matrix,
        "odd_size": begin.width_px % 2 + begin.height_px % 2 > 0,
        "other_streams": begin.other_streams,
        "several_audio_tracks": begin.audio_tracks > 1,
        "several_picture_streams": begin.moving_pictures > 1,
        "shorter_than_header": begin.announced_us - counted.end_us > _SHORT_US,
        "still_picture_stream": begin.still_pictures > 0,
        "undecodable_start": counted.before_zero > 0,
    }
    return (name for name, holds in conditions.items() if holds)

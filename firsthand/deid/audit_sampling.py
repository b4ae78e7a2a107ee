"""Which frames of a copy a person looks at: where a leak is likeliest, and anywhere else."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise
from math import ceil, hypot
from typing import TYPE_CHECKING

from firsthand.core.time import SECOND_US

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy as np

    from firsthand.deid.faces import BoxPx
    from firsthand.deid.tracking import TrackBox

__all__ = ["AuditMoment", "AuditPolicy", "Stratum", "WeakSighting", "audit_moments"]

_HOUR_US = 3_600 * SECOND_US


class Stratum(StrEnum):
    """What a frame is drawn from; each frame belongs to the first of these that fits."""

    SPARED_FACE = "spared_face"
    """A participant's own face stays to be seen: never drawn, all that are named are looked at."""
    TRACK_END = "track_end"
    """Just before a covered face or text appears, or just after it is gone."""
    WEAK_SIGHTING = "weak_sighting"
    """A detector saw something there that was not held for a face."""
    FAST_MOTION = "fast_motion"
    """A covered face moves by much of its own width within a tenth of a second."""
    OTHER = "other"
    """Everything else; without it no rate could be estimated."""


@dataclass(frozen=True, slots=True)
class AuditPolicy:
    """How many frames are looked at.

    Args:
        per_hour: Frames of each stratum for an hour of recording …
        least: … but at least this many of each, or all if there are fewer.
        end_us: How far around the end of a track counts as its end.
        fast_widths: Widths of a face per second above which its motion is fast.
    """

    per_hour: int = 60
    least: int = 2
    end_us: int = SECOND_US // 5
    fast_widths: float = 2.0


@dataclass(frozen=True, slots=True)
class AuditMoment:
    """A frame to be looked at.

    Args:
        pts_us: Its time on the recording's clock.
        stratum: What it was drawn from.
        stratum_frames: How many frames of the recording the stratum has.
    """

    pts_us: int
    stratum: Stratum
    stratum_frames: int


@dataclass(frozen=True, slots=True)
class WeakSighting:
    """A face that a detector reported.

    Args:
        pts_us: The frame's time on the recording's clock.
        box_xyxy_px: Where, display pixels.
    """

    pts_us: int
    box_xyxy_px: BoxPx


def audit_moments(
    frame_pts_us: Sequence[int],
    tracks: Sequence[TrackBox],
    sightings: Sequence[WeakSighting],
    policy: AuditPolicy,
    rng: np.random.Generator,
    spared_us: Collection[int] = (),
) -> list[AuditMoment]:
    """Return the frames of one recording that are to be looked at, in order of time.

    Args:
        frame_pts_us: Times of all frames, in order.
        tracks: All that was covered, faces and writing, each piece under its own number.
        sightings: All faces that the detector reported; those that no track covers are
            the ones that were not held for faces.
        policy: How many.
        rng: Draws within each stratum, every frame with the same chance.
        spared_us: Frames that are looked at since a face stays to be seen in them.
    """
    strata = _strata(frame_pts_us, tracks, sightings, policy)
    strata |= {pts_us: Stratum.SPARED_FACE for pts_us in frame_pts_us if pts_us in spared_us}
    length_us = frame_pts_us[-1] - frame_pts_us[0] if frame_pts_us else 0
    wanted = max(policy.least, ceil(policy.per_hour * length_us / _HOUR_US))
    moments = []
    for stratum in Stratum:
        own = [pts_us for pts_us in frame_pts_us if strata[pts_us] is stratum]
        size = len(own) if stratum is Stratum.SPARED_FACE else min(wanted, len(own))
        drawn = rng.choice(len(own), size=size, replace=False) if own else ()
        moments += [AuditMoment(own[int(n)], stratum, len(own)) for n in drawn]
    return sorted(moments, key=lambda moment: moment.pts_us)


def _strata(
    frame_pts_us: Sequence[int],
    tracks: Sequence[TrackBox],
    sightings: Sequence[WeakSighting],
    policy: AuditPolicy,
) -> dict[int, Stratum]:
    marks: dict[Stratum, set[int]] = {stratum: set() for stratum in Stratum}
    for _, places in groupby(
        sorted(tracks, key=lambda place: (place.track_id, place.pts_us)),
        key=lambda place: place.track_id,
    ):
        own = list(places)
        for end_us in (own[0].pts_us, own[-1].pts_us):
            near = _between(frame_pts_us, end_us - policy.end_us, end_us + policy.end_us)
            marks[Stratum.TRACK_END].update(near)
        marks[Stratum.FAST_MOTION].update(_fast(own, policy))
    marks[Stratum.WEAK_SIGHTING].update(_uncovered(tracks, sightings))
    return {
        pts_us: next((one for one in Stratum if pts_us in marks[one]), Stratum.OTHER)
        for pts_us in frame_pts_us
    }


def _fast(places: Sequence[TrackBox], policy: AuditPolicy) -> Iterator[int]:
    for before, after in pairwise(places):
        (x0, y0), (x1, y1) = before.box_xyxy_px.centre, after.box_xyxy_px.centre
        widths = hypot(x1 - x0, y1 - y0) / max(1.0, after.box_xyxy_px.width)
        if widths * SECOND_US > policy.fast_widths * (after.pts_us - before.pts_us):
            yield after.pts_us


def _uncovered(tracks: Sequence[TrackBox], sightings: Sequence[WeakSighting]) -> Iterator[int]:
    covered: dict[int, list[BoxPx]] = {}
    for place in tracks:
        covered.setdefault(place.pts_us, []).append(place.box_xyxy_px)
    for seen in sightings:
        boxes = covered.get(seen.pts_us, ())
        if not any(box.overlap(seen.box_xyxy_px) > 0 for box in boxes):
            yield seen.pts_us


def _between(frame_pts_us: Sequence[int], first_us: int, last_us: int) -> Sequence[int]:
    return frame_pts_us[bisect_left(frame_pts_us, first_us) : bisect_right(frame_pts_us, last_us)]

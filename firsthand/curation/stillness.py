"""When a pointing hand is stillest: the stroke of a gesture, from where a hand is seen.

A gesture goes up, holds and comes down; the hold is what means the thing. Speeds are
measured in palm widths a second, so that a near and a far hand are judged alike.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from firsthand.core.time import SECOND_US, ClosedSpan

__all__ = ["SeenHand", "Stillness", "pointing_hand", "stillest"]

_SMOOTHED_OVER_US = 200_000
_LONGEST_GAP_US = 500_000
_FARTHEST_STEP_PALMS = 2.0
_STILL_PALMS_S = 0.6
_RESTLESS_PALMS_S = 2.0


@dataclass(frozen=True, slots=True)
class SeenHand:
    """A hand in a frame.

    Args:
        pts_us: Time of the frame on the recording's clock.
        x_px: Column of the palm's middle on the display.
        y_px: Row of it.
        palm_px: Width of the palm, above 0.
    """

    pts_us: int
    x_px: float
    y_px: float
    palm_px: float


@dataclass(frozen=True, slots=True)
class Stillness:
    """A stretch in which a hand is held still.

    Args:
        window: From its first to its last still sighting.
        stillest_us: The moment at which it moves least.
        speed_palms_s: How fast it moves then.
    """

    window: ClosedSpan
    stillest_us: int
    speed_palms_s: float


def pointing_hand(frames: Sequence[Sequence[SeenHand]]) -> tuple[SeenHand, ...]:
    """Return the sightings of the hand that moves most; none where none is seen.

    Sightings of one hand follow each other within half a second and within two palm
    widths. A hand that lies still from first to last points at nothing.

    Args:
        frames: The hands of each frame, in order of time.
    """
    tracks: list[list[SeenHand]] = []
    for hands in frames:
        free = list(tracks)
        for hand in hands:
            near = [track for track in free if _follows(track[-1], hand)]
            if near:
                own = min(near, key=lambda track: _distance_px(track[-1], hand))
                free.remove(own)
                own.append(hand)
            else:
                tracks.append([hand])
    if not tracks:
        return ()
    farthest = max(tracks, key=_travelled_palms)
    return tuple(farthest)


def stillest(hand: Sequence[SeenHand], within: ClosedSpan) -> Stillness | None:
    """Return the stretch around the moment at which a hand moves least, or None.

    None means that it is seen in fewer than three frames of the stretch, or never rests
    there. The stretch holds the neighbouring moments at which it moves by less than 0.6
    palm widths a second.

    Args:
        hand: Sightings of one hand in order of time.
        within: Where to look; the stretch lies inside it.
    """
    seen = [one for one in hand if one.pts_us in within]
    if len(seen) < 3:
        return None
    speeds = [_speed_palms_s(seen, one.pts_us) for one in seen]
    place = min(range(len(seen)), key=lambda number: (speeds[number], number))
    if speeds[place] > _RESTLESS_PALMS_S:
        return None
    bound = max(_STILL_PALMS_S, speeds[place])
    first = last = place
    while first > 0 and speeds[first - 1] <= bound:
        first -= 1
    while last + 1 < len(seen) and speeds[last + 1] <= bound:
        last += 1
    window = ClosedSpan(seen[first].pts_us, seen[last].pts_us)
    return Stillness(window, seen[place].pts_us, speeds[place])


def _speed_palms_s(seen: Sequence[SeenHand], moment_us: int) -> float:
    """Return path over time between the sightings within a tenth of a second of a moment."""
    near = [one for one in seen if abs(one.pts_us - moment_us) <= _SMOOTHED_OVER_US // 2]
    if len(near) < 2:
        return math.inf
    path = sum(_distance_px(before, after) / before.palm_px for before, after in pairwise(near))
    return path * SECOND_US / (near[-1].pts_us - near[0].pts_us)


def _follows(before: SeenHand, after: SeenHand) -> bool:
    return (
        after.pts_us - before.pts_us <= _LONGEST_GAP_US
        and _distance_px(before, after) <= _FARTHEST_STEP_PALMS * before.palm_px
    )


def _travelled_palms(track: Sequence[SeenHand]) -> float:
    """Return how far a hand gets from where it was first seen, with the number of sightings."""
    farthest = max(_distance_px(track[0], one) / track[0].palm_px for one in track)
    return farthest + len(track) / 1_000


def _distance_px(first: SeenHand, second: SeenHand) -> float:
    return math.hypot(first.x_px - second.x_px, first.y_px - second.y_px)

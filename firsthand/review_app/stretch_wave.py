"""The sound of a stretch as a picture, drawn where the sound is."""

from functools import lru_cache
from pathlib import Path

from firsthand.core.time import SECOND_US
from firsthand.media.sound_levels import LEVEL_STEP_US, stretch_levels

__all__ = ["LONGEST_US", "stretch_wave"]

LONGEST_US = 120 * SECOND_US
"""A longer stretch is not drawn: its page would have to wait."""

_AROUND_US = SECOND_US
_HALF = 50


@lru_cache(maxsize=256)
def stretch_wave(path: Path, begin_us: int, end_us: int) -> str:
    """Return an SVG of a stretch and a second around it; the stretch itself lies on a ground.

    Args:
        path: The de-identified recording.
        begin_us: Begin on the recording's clock.
        end_us: End, after the begin and at most `LONGEST_US` later.
    """
    first_us = max(0, begin_us - _AROUND_US)
    levels = stretch_levels(path, first_us, end_us + _AROUND_US)
    top = float(levels.max(initial=0.0)) or 1.0
    bars = "".join(
        f"M{at} {_HALF - tall}V{_HALF + tall}"
        for at, level in enumerate(levels)
        if (tall := round(_HALF * float(level) / top))
    )
    left, right = ((moment - first_us) // LEVEL_STEP_US for moment in (begin_us, end_us))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {levels.size} {2 * _HALF}" '
        'preserveAspectRatio="none">'
        f'<rect x="{left}" width="{right - left}" height="{2 * _HALF}" fill="#fff0bf"/>'
        f'<path d="{bars}" stroke="#205d9a"/></svg>'
    )

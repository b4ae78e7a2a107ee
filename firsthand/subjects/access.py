"""What a run lets its subjects reach besides units: pictures, sound, keys of endpoints."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from firsthand.endpoints.calling import Calling
from firsthand.subjects.kept_calls import KeptCalls
from firsthand.subjects.pace import WallClock
from firsthand.subjects.subject import UnitMedia

__all__ = ["NOTHING", "Access", "FrameTimes"]

FrameTimes = Callable[[str], Sequence[int]]
"""Times of a clip's frames on the clip's own clock in microseconds, sorted, by clip id."""


@dataclass(frozen=True, slots=True)
class Access:
    """What subjects can reach while they follow one stream.

    Args:
        proxy_path: Where a clip's proxy lies, by clip id; None where no pictures are given.
        frame_times: When a clip's frames are, by clip id; needed by subjects that look.
        media: Pictures and sound of the stream's units; None where none are given.
        calling: How endpoints are called.
        kept: Where calls go that a subject makes of its own accord.
    """

    proxy_path: Callable[[str], Path] | None = None
    frame_times: FrameTimes | None = None
    media: UnitMedia | None = None
    calling: Calling = field(default_factory=Calling)
    wall: WallClock = field(default_factory=WallClock)
    kept: KeptCalls | None = None


NOTHING = Access()
"""For subjects that need none of it."""

"""Generated clips as files, and what a covered copy of one still shows of its faces."""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from benchmarks.face_scenes import FRAMES_PER_S, SIZE_PX, Clip, drawn, faces
from firsthand.media.frames import decoded_frames
from firsthand.media.planes import planes_of

__all__ = ["BRIEF_FRAMES", "COVERED_SHARE", "Leaks", "measure", "merged", "write_clip"]

COVERED_SHARE = 0.9
BRIEF_FRAMES = 10
_PAINT_TOLERANCE = 12


@dataclass(frozen=True)
class Leaks:
    """Face-frames of which at least 90 % is not covered.

    Args:
        face_frames: Faces that stay for 10 frames or more, times their frames.
        open_frames: Those of which less than 90 % of the visible pixels is covered.
        longest_run: Longest run of such frames of one face.
        brief_frames: The same as `face_frames` for faces that stay for less.
        brief_open: The same as `open_frames` for them.
    """

    face_frames: int = 0
    open_frames: int = 0
    longest_run: int = 0
    brief_frames: int = 0
    brief_open: int = 0

    @property
    def open_percent(self) -> float:
        """Share of long faces' frames left open."""
        return 100 * self.open_frames / max(1, self.face_frames)

    @property
    def brief_percent(self) -> float:
        """Share of brief faces' frames left open."""
        return 100 * self.brief_open / max(1, self.brief_frames)


def merged(parts: list[Leaks]) -> Leaks:
    """Return the sums over clips; the longest run is the longest of any."""
    sums = {
        name: sum(getattr(part, name) for part in parts)
        for name in Leaks.__dataclass_fields__
        if name != "longest_run"
    }
    return Leaks(**sums, longest_run=max((part.longest_run for part in parts), default=0))


def write_clip(clip: Clip, path: Path) -> None:
    """Write a clip as a camera would: H.264 at 30 frames a second, 1280x720, no sound."""
    options = {"preset": "medium", "crf": "21"}
    with av.open(str(path), "w") as media:
        stream = media.add_stream("libx264", rate=FRAMES_PER_S, options=options)
        stream.width, stream.height = SIZE_PX
        stream.pix_fmt = "yuv420p"
        stream.codec_context.thread_count = 1
        for number, picture in enumerate(drawn(clip)):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, FRAMES_PER_S)
            media.mux(stream.encode(frame))
        media.mux(stream.encode(None))


def measure(clip: Clip, copy: Path, paint_yuv: tuple[int, int, int]) -> Leaks:
    """Return what a copy shows of a clip's faces, whose covers are painted in one colour.

    A solid colour tells pixel by pixel what was covered, whatever is beneath; where faces
    are covered does not depend on the colour.

    Raises:
        ValueError: If the copy has another number of frames.
    """
    shares: dict[int, dict[int, float]] = {}
    count = 0
    for count, picture in enumerate(decoded_frames(copy), start=1):
        planes = planes_of(picture)
        big = [np.asarray(p).repeat(2, 0).repeat(2, 1) for p in (planes.u, planes.v)]
        near = [
            np.abs(plane.astype(np.int16) - level) <= _PAINT_TOLERANCE
            for plane, level in zip((planes.y, *big), paint_yuv, strict=True)
        ]
        covered = near[0] & near[1] & near[2]
        for face in faces(clip, count - 1):
            share = float(covered[face.visible].mean())
            shares.setdefault(face.person, {})[count - 1] = share
    if count != clip.frames:
        raise ValueError(f"{copy.name} has {count} frames, {clip.name!r} has {clip.frames}")
    parts = [_of_run(run) for seen in shares.values() for run in _runs(seen)]
    return merged(parts)


def _runs(seen: dict[int, float]) -> list[list[float]]:
    """Cut a face's frames into stretches without a break."""
    runs: list[list[float]] = []
    last = None
    for number in sorted(seen):
        if last is None or number != last + 1:
            runs.append([])
        runs[-1].append(seen[number])
        last = number
    return runs


def _of_run(run: list[float]) -> Leaks:
    is_open = [share < COVERED_SHARE for share in run]
    if len(run) < BRIEF_FRAMES:
        return Leaks(brief_frames=len(run), brief_open=sum(is_open))
    longest = current = 0
    for one in is_open:
        current = current + 1 if one else 0
        longest = max(longest, current)
    return Leaks(face_frames=len(run), open_frames=sum(is_open), longest_run=longest)

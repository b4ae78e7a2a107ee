"""From a clip's description to its file and to what is true about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from clips import PARTICIPANTS, Clip, Quirk
from containers import VIDEO_CLOCK_HZ, truncate, turn_display, write_clip
from scene import Box, Reach, Scene
from sound import TimedWord, mixed, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from raster import Floats

_FRAME_TICKS = 3_600
# Whole microseconds each: 33.3, 40, 50 and 66.6 ms.
_VARIABLE_TICKS = (2_997, 3_600, 4_500, 5_994)
_LEAD_S = 0.12
_SHORTEST_HOLD_S = 0.92


@dataclass(frozen=True)
class Stroke:
    """A pointing window on the frame grid, both ends included."""

    referent_id: str
    phrase: str
    begin_ms: int
    end_ms: int


@dataclass
class Recorded:
    """A written clip and its truth."""

    clip: Clip
    words: list[TimedWord]
    strokes: list[Stroke]
    frames: list[dict[str, Any]] = field(default_factory=list)
    texts: dict[tuple[str, str], list[list[int]]] = field(default_factory=dict)
    covers: dict[str, npt.NDArray[np.bool_]] = field(default_factory=dict)

    @property
    def last_pts_us(self) -> int:
        """Time of the last frame."""
        return int(self.frames[-1]["pts_us"])


def record(clip: Clip, folder: Path) -> Recorded:
    """Draw, speak and write one clip below `folder`."""
    words = words_of(clip)
    strokes = [_stroke(clip, index, words) for index in range(len(clip.pointings))]
    made = Recorded(clip, words, strokes)
    scene = Scene(clip.setting, _reaches(clip, strokes))
    path = folder / clip.file
    write_clip(path, _drawn(made, scene), mixed(clip), _tags(clip), (640, 360))
    covers = scene.covers(made.last_pts_us / 1e6)
    made.covers = {referent_id: _visible(cover) for referent_id, cover in covers.items()}
    if clip.quirk is Quirk.PORTRAIT:
        turn_display(path)
    if clip.quirk is Quirk.TRUNCATED:
        truncate(path)
    return made


def start_of(clip: Clip) -> datetime:
    """Return the start with the participant's offset from UTC."""
    hours = next(
        person.utc_offset_hours
        for person in PARTICIPANTS
        if person.participant_id == clip.participant_id
    )
    return datetime.strptime(clip.start_local, "%Y%m%d_%H%M%S").replace(
        tzinfo=timezone(timedelta(hours=hours))
    )


def _visible(cover: Floats) -> npt.NDArray[np.bool_]:
    return np.asarray(cover > 0.5, np.bool_)


def _tags(clip: Clip) -> dict[str, str]:
    tags = {}
    if clip.quirk is not Quirk.NO_CREATION_TIME:
        tags["creation_time"] = start_of(clip).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.000000Z")
    if clip.quirk is Quirk.TAGGED:
        tags |= {
            "location": "+52.5163+013.3777/",
            "com.apple.quicktime.location.ISO6709": "+52.5163+013.3777+034.000/",
            "com.apple.quicktime.make": "Firsthand Optics",
            "com.apple.quicktime.model": "Sample Glasses 1",
            "com.android.serial_number": "FHG1-0042-7719",
            "device_name": "Robin's glasses",
        }
    return tags


def _stroke(clip: Clip, index: int, words: list[TimedWord]) -> Stroke:
    """Return the hold that goes with the phrase, on the 40 ms grid of the frames."""
    pointing = clip.pointings[index]
    line = [word for word in words if word.line_index == pointing.line_index]
    wanted = pointing.phrase.split()
    first = next(
        i for i in range(len(line)) if [word.text for word in line[i : i + len(wanted)]] == wanted
    )
    begin_s = max(0.0, line[first].begin_ms / 1000 - _LEAD_S)
    end_s = max(begin_s + _SHORTEST_HOLD_S, line[first + len(wanted) - 1].end_ms / 1000)
    begin_ms, end_ms = (40 * round(1000 * time_s / 40) for time_s in (begin_s, end_s))
    return Stroke(pointing.referent_id, pointing.phrase, begin_ms, end_ms)


def _reaches(clip: Clip, strokes: list[Stroke]) -> list[Reach]:
    pointing = [
        Reach(
            stroke.begin_ms / 1000,
            stroke.end_ms / 1000,
            ((0.0, *plan.target_xy_px),),
            plan.from_left,
        )
        for stroke, plan in zip(strokes, clip.pointings, strict=True)
    ]
    return pointing + [Reach(grip.path[0][0], grip.path[-1][0], grip.path) for grip in clip.grips]


def _drawn(made: Recorded, scene: Scene) -> Iterator[tuple[int, npt.NDArray[np.uint8]]]:
    """Yield the coded pictures and note what is in each."""
    width, height = made.clip.setting.size_wh_px
    for ticks in _frame_ticks(made.clip):
        pts_us = ticks * 100 // (VIDEO_CLOCK_HZ // 10_000)
        picture = scene.picture(pts_us / 1e6)
        faces = [_inside(box, width, height) for box in picture.faces]
        made.frames.append({"pts_us": pts_us, "faces": faces})
        for text, kind, box in picture.texts:
            made.texts.setdefault((text, kind), []).append([pts_us, *_inside(box, width, height)])
        coded = np.rot90(picture.rgb) if made.clip.quirk is Quirk.PORTRAIT else picture.rgb
        yield ticks, np.ascontiguousarray(coded)


def _frame_ticks(clip: Clip) -> list[int]:
    total = round(clip.duration_s * VIDEO_CLOCK_HZ)
    if clip.quirk is not Quirk.VARIABLE_RATE:
        return list(range(0, total, _FRAME_TICKS))
    generator = np.random.default_rng(clip.setting.seed)
    steps = generator.choice(
        _VARIABLE_TICKS, size=2 * total // _FRAME_TICKS, p=(0.35, 0.35, 0.2, 0.1)
    )
    times = np.concatenate([[0], np.cumsum(steps)])
    return [int(ticks) for ticks in times if ticks <= total - _VARIABLE_TICKS[-1]]


def _inside(box: Box, width: int, height: int) -> list[int]:
    x0, y0, x1, y1 = box
    return [max(0, round(x0)), max(0, round(y0)), min(width, round(x1)), min(height, round(y1))]

"""Synthetic EcoG-Bench clips in the official layout, of the published size.

811 clips with 1,867 referents, K drawn at random; 1,137 of them are objects with a mask on
a 1080p frame: a ragged outline with bays, specks and holes, as hands and Segment Anything
leave them, as a PNG cut to its box or of the full frame.
Seven predictions in ten are meant to hit; the rest fall anywhere.
"""

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from firsthand.core.identity import Json
from firsthand.formats.mask_png import mask_png

__all__ = ["CLIPS", "HEIGHT_PX", "MASKS", "REFERENTS", "WIDTH_PX", "MaskPicture", "ecog_clips"]

CLIPS, REFERENTS, MASKS = 811, 1_867, 1_137
WIDTH_PX, HEIGHT_PX = 1_920, 1_080

_MOST = 4
_AIMED = 0.7
_SMALLEST_PX, _LARGEST_PX = 40, 360
_CLIP_MS = 12_000
_WAVES, _SPECKS = 14, 5


class MaskPicture(StrEnum):
    """What the PNG of a mask shows."""

    CROP = "crop"
    FULL_FRAME = "full_frame"


@dataclass(frozen=True, slots=True)
class _Target:
    answer: dict[str, Json]
    centre_xy_px: tuple[float, float]


def ecog_clips(
    picture: MaskPicture, rng: np.random.Generator
) -> Iterator[tuple[str, int, dict[str, Json], dict[str, Json]]]:
    """Yield video name, template, ground truth and parsed prediction of each clip."""
    counts = _counts(rng)
    has_mask = np.zeros(REFERENTS, bool)
    has_mask[rng.permutation(REFERENTS)[:MASKS]] = True
    first = 0
    for number, count in enumerate(counts):
        targets = [
            _target(picture, rng, masked=masked)
            for masked in has_mask[first : first + count].tolist()
        ]
        first += count
        truth: dict[str, Json] = {
            "object_choices": [f"{letter}. thing {letter}" for letter in "ABCDEFGH"],
            "space_choices": [f"{letter}. place {letter}" for letter in "abcdefgh"],
            "answer": [target.answer for target in targets],
        }
        yield f"clip_{number:04}.mp4", 1 + number % 6, truth, _prediction(targets, rng)


def _counts(rng: np.random.Generator) -> list[int]:
    """Draw K of each clip, then move single referents until the sum is right."""
    counts = rng.integers(1, _MOST + 1, CLIPS)
    while counts.sum() != REFERENTS:
        step = 1 if counts.sum() < REFERENTS else -1
        place = rng.integers(CLIPS)
        counts[place] = np.clip(counts[place] + step, 1, _MOST)
    return [int(count) for count in counts]


def _target(picture: MaskPicture, rng: np.random.Generator, *, masked: bool) -> _Target:
    width, height = (int(rng.integers(_SMALLEST_PX, _LARGEST_PX)) for _ in range(2))
    left = int(rng.integers(WIDTH_PX - width))
    top = int(rng.integers(HEIGHT_PX - height))
    centre = (left + width / 2, top + height / 2)
    begin_ms = int(rng.integers(_CLIP_MS - 2_000))
    answer: dict[str, Json] = {
        "choice": str(rng.choice(list("ABCDEFGH" if masked else "abcdefgh"))),
        "stroke_begin_time": begin_ms,
        "stroke_end_time": begin_ms + int(rng.integers(200, 2_000)),
        "points": [[round(centre[1] * 1000 / HEIGHT_PX), round(centre[0] * 1000 / WIDTH_PX)]],
    }
    if masked:
        mask_hw = _outline(width, height, rng)
        if picture is MaskPicture.FULL_FRAME:
            frame_hw = np.zeros((HEIGHT_PX, WIDTH_PX), bool)
            frame_hw[top : top + height, left : left + width] = mask_hw
            mask_hw = frame_hw
        answer["mask"] = {
            "bbox": [left, top, left + width, top + height],
            "mask_base64": base64.b64encode(mask_png(mask_hw)).decode(),
            "score": 0.9,
        }
    return _Target(answer, centre)


def _outline(width: int, height: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Return a mask as a hand draws it or Segment Anything cuts it out.

    The outline wanders in many waves, its edge is ragged by about a pixel, and specks and
    small holes are left.
    """
    rows = (np.arange(height)[:, None] - height / 2) / (height / 2)
    columns = (np.arange(width)[None, :] - width / 2) / (width / 2)
    angle = np.arctan2(rows, columns)
    radius = np.full(angle.shape, 0.8)
    for wave in range(2, _WAVES):
        swing = 0.12 / wave
        radius += rng.uniform(-swing, swing) * np.sin(wave * angle + rng.uniform(0, 2 * np.pi))
    ragged = rng.normal(0, 2 / min(width, height), angle.shape)
    inside: npt.NDArray[np.bool_] = np.hypot(rows, columns) <= radius + ragged
    for _ in range(int(rng.integers(0, _SPECKS))):
        speck = rng.integers(2, 6, 2)
        top, left = (int(rng.integers(0, max(1, side - 6))) for side in (height, width))
        inside[top : top + speck[0], left : left + speck[1]] ^= True
    return inside


def _prediction(targets: list[_Target], rng: np.random.Generator) -> dict[str, Json]:
    options: list[Json] = []
    points: list[Json] = []
    for target in targets:
        begin_ms, end_ms = (
            int(str(target.answer[key])) for key in ("stroke_begin_time", "stroke_end_time")
        )
        aimed = rng.random(3) < _AIMED
        x_px, y_px = target.centre_xy_px
        if not aimed[0]:
            x_px, y_px = rng.uniform(0, WIDTH_PX), rng.uniform(0, HEIGHT_PX)
        options.append(target.answer["choice"] if aimed[1] else "Z")
        points.append(
            {
                "type": "target_object",
                "description": "",
                "point": [x_px * 1000 / WIDTH_PX, y_px * 1000 / HEIGHT_PX],
                "timestamp": (begin_ms + end_ms) // 2 if aimed[2] else _CLIP_MS + 1,
            }
        )
    return {"explicit_command": "", "selected_options": options, "point_list": points}

"""A release in which somebody points, small enough to be worked out by hand.

Two recordings of participant `pa`, one clip each, in stream `sa`; a frame every 100 ms.

    clip wa  0 – 8 s, shown 1920x1080; words, half a second each, from 1.0 s:
             "Put this hammer over there please"
        1. object "hammer"     click at (1136, 509) px, no mask   stroke 1.50 – 2.00 s
        2. space  "top shelf"  mask x 200–399, y 100–199          stroke 3.00 – 3.50 s
    clip wb  8 – 14 s, shown 240x320, nothing said
        1. object "red square" mask x 0–59, y 0–59                stroke 2.00 – 2.40 s
"""

import json
from collections.abc import Mapping, Sequence

import numpy as np

from firsthand.core.rle import encode_rle
from firsthand.endpoints.calls import Media
from firsthand.subjects import Access
from firsthand.subjects.subject import SeenPicture, Unit
from tests.unit.subjects.kitchen import Kitchen, Row, S, recording, words

MS = 1_000
FRAMES_US = {"wa-clip": range(0, 8 * S, 100 * MS), "wb-clip": range(0, 6 * S, 100 * MS)}


def mask(of: str, referent: str, size_wh: tuple[int, int], box: tuple[int, int, int, int]) -> Row:
    """A mask that fills a box, far edges excluded."""
    pixels = np.zeros(size_wh[::-1], bool)
    x1, y1, x2, y2 = box
    pixels[y1:y2, x1:x2] = True
    return {
        "participant_id": "pa",
        "recording_id": of,
        "referent_id": referent,
        "pts_us": 0,
        "height_px": size_wh[1],
        "width_px": size_wh[0],
        "rle": encode_rle(pixels),
        "area_share": float(pixels.mean()),
        "flags": [],
        "engine": "hand",
    }


def referent(of: str, name: str, position: int, label: str, kind: str) -> Row:
    """A thing that is meant."""
    return {
        "participant_id": "pa",
        "recording_id": of,
        "referent_id": name,
        "position": position,
        "label": label,
        "kind": kind,
        "phrase": "",
    }


def stroke(of: str, name: str, begin_ms: int, end_ms: int) -> Row:
    """When the hand holds still."""
    return {
        "participant_id": "pa",
        "recording_id": of,
        "referent_id": name,
        "begin_us": begin_ms * MS,
        "end_us": end_ms * MS,
        "annotator": "a",
    }


def shown(name: str, width: int, height: int) -> Row:
    """How large a recording's pictures are."""
    return {
        "participant_id": "pa",
        "recording_id": name,
        "width_px": width,
        "height_px": height,
        "rotation_deg": 0,
    }


def workshop(without: Sequence[str] = ()) -> Kitchen:
    """Return the release, without the rows of some tables."""
    places = [recording("wa", "a", 0, 8), recording("wb", "a", 8, 14)]
    tables: Mapping[str, Sequence[Row]] = {
        "timeline": [place for place, _ in places],
        "clips": [clip for _, clip in places],
        "recordings": [shown("wa", 1920, 1080), shown("wb", 240, 320)],
        "words": words("wa", 1.0, 4.0, "Put this hammer over there please"),
        "referents": [
            referent("wa", "R1", 1, "hammer", "object"),
            referent("wa", "R2", 2, "top shelf", "space"),
            referent("wb", "R3", 1, "red square", "object"),
        ],
        "strokes": [
            stroke("wa", "R1", 1500, 2000),
            stroke("wa", "R2", 3000, 3500),
            stroke("wb", "R3", 2000, 2400),
        ],
        "clicks": [
            {
                "participant_id": "pa",
                "recording_id": "wa",
                "referent_id": "R1",
                "click_index": 0,
                "pts_us": 0,
                "x_px": 1136.0,
                "y_px": 509.0,
                "positive": True,
                "label": "hammer",
            }
        ],
        "masks": [
            mask("wa", "R2", (1920, 1080), (200, 100, 400, 200)),
            mask("wb", "R3", (240, 320), (0, 0, 60, 60)),
        ],
    }
    return Kitchen(
        {name: rows for name, rows in tables.items() if name not in without},
        release_id="workshop-0123456789ab",
    )


class Pictures:
    """One picture a moment: its bytes name the moment."""

    def pictures(self, unit: Unit) -> Sequence[SeenPicture]:
        (span,) = unit.pictures
        moment_us = unit.end_us - span.clip_start_us
        return [SeenPicture(unit.end_us, Media("image", "jpeg", f"{moment_us}".encode()))]

    def sound(self, unit: Unit) -> None:
        raise AssertionError(f"no sound is asked for, unit ends at {unit.end_us}")


def seeing(**known: object) -> Access:
    """Frame times and pictures of the workshop."""
    frame_times = lambda clip_id: FRAMES_US[clip_id]  # noqa: E731 - a table
    return Access(frame_times=frame_times, media=Pictures(), **known)  # type: ignore[arg-type] # fields by name


def said(*referents: tuple[str, tuple[float, float], float]) -> str:
    """A reply: option, point as written, moment in milliseconds of each referent."""
    return json.dumps(
        {
            "selected_options": [option for option, _, _ in referents],
            "point_list": [
                {"point": list(point), "timestamp": moment} for _, point, moment in referents
            ],
        }
    )

"""The known truth of sample recordings: an input of the quality report, never of a pipeline."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from firsthand.core.errors import DataFileError
from firsthand.core.rle import decode_rle
from firsthand.core.time import ms_to_us

__all__ = ["TrueRecording", "TrueWord", "read_truth"]

_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


@dataclass(frozen=True, slots=True)
class TrueWord:
    """A word as it was spoken.

    Args:
        text: The word.
        begin_us: Onset on the recording's clock.
        end_us: End on the recording's clock.
        consented: Whether its speaker may be heard.
        speaker: Pseudonym of who said it, or `bystander`.
    """

    text: str
    begin_us: int
    end_us: int
    consented: bool
    speaker: str


@dataclass(frozen=True, slots=True)
class TrueRecording:
    """What is known of a recording.

    Args:
        start_utc_us: When it began, microseconds since 1970-01-01 UTC.
        duration_us: Its length.
        unreadable: Whether the file was broken on purpose.
        faces_by_pts_us: Tight boxes of faces by frame, display pixels.
        writing_by_pts_us: Boxes of private writing by frame, display pixels.
        words: Spoken words in order.
        masks: Pixels of objects by referent.
    """

    start_utc_us: int
    duration_us: int
    unreadable: bool
    faces_by_pts_us: Mapping[int, tuple[tuple[int, int, int, int], ...]]
    writing_by_pts_us: Mapping[int, tuple[tuple[int, int, int, int], ...]]
    words: tuple[TrueWord, ...]
    masks: Mapping[str, npt.NDArray[np.bool_]]


def read_truth(path: Path) -> dict[str, TrueRecording]:
    """Return what is known, by participant and file name (`P1/VID_….mp4`).

    Raises:
        DataFileError: If the file is absent, no JSON, or lacks a field.
    """
    try:
        files: dict[str, dict[str, Any]] = json.loads(path.read_bytes())["files"]
        return {name: _recording(entry) for name, entry in files.items()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataFileError(
            f"truth file {path.name}",
            f"{type(error).__name__} while reading it",
            "the truth of the sample recordings as JSON",
            "Take the file from the repository, or rebuild the samples.",
        ) from error


def _recording(entry: dict[str, Any]) -> TrueRecording:
    # A file broken on purpose has nothing to be seen or heard in it.
    told = {"frames": [], "words": [], "objects": {}, **entry}
    start = datetime.fromisoformat(f"{entry['start_time_local']}{entry['utc_offset']}")
    return TrueRecording(
        start_utc_us=round((start - _EPOCH).total_seconds() * 1_000_000),
        duration_us=int(entry["duration_us"]),
        unreadable=bool(entry["quarantined"]),
        faces_by_pts_us={
            int(frame["pts_us"]): tuple(tuple(box) for box in frame["faces"])
            for frame in told["frames"]
        },
        writing_by_pts_us=_writing(entry.get("text_boxes", [])),
        words=tuple(
            TrueWord(
                word["text"],
                ms_to_us(word["begin_ms"]),
                ms_to_us(word["end_ms"]),
                bool(word["consented"]),
                str(word["speaker"]),
            )
            for word in told["words"]
        ),
        masks={
            name: decode_rle(one["mask"]["counts"], tuple(one["mask"]["size"]))
            for name, one in told["objects"].items()
        },
    )


def _writing(texts: list[dict[str, Any]]) -> dict[int, tuple[tuple[int, int, int, int], ...]]:
    found: dict[int, tuple[tuple[int, int, int, int], ...]] = {}
    for text in texts:
        for pts_us, *box in text["boxes_pts_us_xyxy_px"]:
            x0, y0, x1, y1 = box
            found[int(pts_us)] = (*found.get(int(pts_us), ()), (x0, y0, x1, y1))
    return found

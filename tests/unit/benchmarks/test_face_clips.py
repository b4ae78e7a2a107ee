"""What the benchmark knows of faces, and what it says of copies whose cover is known."""

from dataclasses import replace
from fractions import Fraction
from math import pi
from pathlib import Path

import av
import numpy as np
import pytest

from benchmarks.face_clips import Leaks, measure, merged, write_clip
from benchmarks.face_scenes import REPORT, SIZE_PX, TUNING, Clip, drawn, faces

SCALE_CLIP = REPORT[0]
PAINT_YUV = (128, 128, 128)


def written(clip: Clip, path: Path, covered: slice) -> Path:
    """Write a clip with the rows of each face's upper part painted grey."""
    with av.open(str(path), "w") as media:
        stream = media.add_stream("libx264", rate=30, options={"crf": "10", "bf": "0"})
        stream.width, stream.height = SIZE_PX
        stream.pix_fmt = "yuv420p"
        for number, picture in enumerate(drawn(clip)):
            for face in faces(clip, number):
                rows, columns = np.nonzero(face.visible)
                height = rows.max() + 1 - rows.min()
                painted = range(height)[covered]
                top, bottom = rows.min() + painted.start, rows.min() + painted.stop
                picture[top:bottom, columns.min() - 8 : columns.max() + 9] = 130
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, 30)
            media.mux(stream.encode(frame))
        media.mux(stream.encode(None))
    return path


def test_a_face_is_as_large_as_its_pose_says() -> None:
    (face,) = faces(SCALE_CLIP, 0)
    # 300 px high at first; the outline on the portrait is 153.4 wide and 177.2 high.
    assert face.visible.sum() == pytest.approx(pi / 4 * 300 * 300 * 153.4 / 177.2, rel=0.02)


def test_a_face_behind_a_pillar_is_not_there() -> None:
    occluded = next(clip for clip in REPORT if clip.pillars)
    seen = [len(faces(occluded, number)) for number in range(occluded.frames)]
    hidden = [number for number, count in enumerate(seen) if count == 0]
    assert hidden == list(range(hidden[0], hidden[-1] + 1))
    assert 10 < len(hidden) < 40
    assert seen[0] == seen[-1] == 1


def test_the_brief_faces_show_for_five_to_nine_frames() -> None:
    brief = next(clip for clip in REPORT if clip.name == "brief appearances")
    shown: dict[int, int] = {}
    for number in range(brief.frames):
        for face in faces(brief, number):
            shown[face.person] = shown.get(face.person, 0) + 1
    assert sorted(shown.values()) == [5, 5, 6, 6, 7, 8, 9]


def test_people_and_rooms_of_the_report_are_not_those_of_the_tuning() -> None:
    assert not {p.portrait for c in REPORT for p in c.people} & {
        p.portrait for c in TUNING for p in c.people
    }
    assert not {clip.room for clip in REPORT} & {clip.room for clip in TUNING}


@pytest.mark.parametrize(
    ("covered", "open_frames"), [(slice(None), 0), (slice(0, 0), 3), (slice(0, -60), 3)]
)
def test_a_copy_shows_what_was_not_painted(
    tmp_path: Path, covered: slice, open_frames: int
) -> None:
    clip = replace(SCALE_CLIP, frames=3)
    found = measure(clip, written(clip, tmp_path / "copy.mp4", covered), PAINT_YUV)
    # The lowest fifth of an ellipse is 14 % of its area, more than may be open.
    assert (found.brief_frames, found.brief_open) == (3, open_frames)


def test_a_clip_is_a_file_of_as_many_frames(tmp_path: Path) -> None:
    clip = replace(SCALE_CLIP, frames=4)
    write_clip(clip, tmp_path / "clip.mp4")
    assert measure(clip, tmp_path / "clip.mp4", PAINT_YUV).brief_open == 4
    with pytest.raises(ValueError, match="4 frames"):
        measure(SCALE_CLIP, tmp_path / "clip.mp4", PAINT_YUV)


def test_clips_add_up_and_the_longest_run_is_the_longest_of_any() -> None:
    parts = [Leaks(10, 2, 2, 5, 1), Leaks(20, 1, 1, 6, 0)]
    assert merged(parts) == Leaks(30, 3, 2, 11, 1)

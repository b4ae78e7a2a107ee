"""The frame shown at a moment, by its time and never by an index."""

from pathlib import Path

import pytest

from firsthand.media import probe
from firsthand.media.feed_index import read_frame_index
from firsthand.media.frames import Picture, decoded_frames
from firsthand.media.stills import picture_at
from tests.unit.media.conftest import H264, Ffmpeg

CASES = Path(__file__).parents[2] / "cases"
VFR = CASES / "02-vfr-index-vs-time/vfr.mp4"
SHIFTED = CASES / "16-nonzero-start-ts/start3600.ts"
STILL_FIRST = CASES / "06-still-picture-stream-first/thumb_first.mov"


def shown_at(path: Path, *moments_us: int) -> list[Picture]:
    """The pictures that are shown at moments of a recording."""
    index = read_frame_index(path)
    return [
        picture_at(path, index, index.times_us[index.shown_at(moment_us)])
        for moment_us in moments_us
    ]


def test_02_a_moment_shows_what_was_there_then_and_not_what_an_index_says() -> None:
    pictures = shown_at(VFR, 1_000_000, 3_000_000, 5_500_000, 7_000_000)
    shown = [int(one.rgb.mean(axis=(0, 1)).argmax()) for one in pictures]
    assert shown == [0, 1, 1, 2]  # red, green, green, blue


def test_16_the_clock_begins_at_the_first_picture_whatever_the_file_counts_from() -> None:
    assert [one.pts_us for one in shown_at(SHIFTED, 1_000_000)] == [1_000_000]
    # A word at stream time 3602.4 is 1.06 s after the first sample, 1.0 s after the picture.
    found = probe(SHIFTED)
    assert 3_602_400_000 - found.first_pts_us == 1_000_000
    assert 3_602_400_000 - found.first_pts_us - (found.audio_start_us or 0) == 1_064_000


@pytest.mark.parametrize("path", [VFR, SHIFTED, STILL_FIRST], ids=lambda path: path.stem)
def test_frame_times_from_packets_are_those_of_the_decoded_pictures(path: Path) -> None:
    index = read_frame_index(path)
    assert index.times_us.tolist() == [picture.pts_us for picture in decoded_frames(path)]
    assert [*map(index.shown_at, index.times_us)] == [*range(len(index.times_us))]


@pytest.mark.parametrize("codec", ["libx264", "mpeg4"])
def test_avi_files_with_pictures_out_of_order_are_told_by_their_decoder(
    ffmpeg: Ffmpeg, codec: str
) -> None:
    source = ("-f", "lavfi", "-i", "testsrc=s=160x120:r=10:d=2")
    coded = ("-c:v", codec, "-bf", "2", "-pix_fmt", "yuv420p")
    avi = ffmpeg(*source, *coded, "b.avi")
    found = probe(avi)
    assert (found.frames, found.duration_us) == (20, 2_000_000)
    assert read_frame_index(avi).times_us.tolist() == [number * 100_000 for number in range(20)]
    plain = ffmpeg(*source, *H264, "plain.mp4")
    moments_us = (950_000, 1_550_000)
    for ours, theirs in zip(shown_at(avi, *moments_us), shown_at(plain, *moments_us), strict=True):
        assert abs(ours.rgb.astype(int) - theirs.rgb).mean() < 8

"""Files laid end to end: every picture at its time, sound in its place, nothing left over."""

from pathlib import Path

import numpy as np
import pytest
from scipy.io import wavfile

from firsthand.core.time import Span
from firsthand.media import probe
from firsthand.media.feed_index import read_frame_index
from firsthand.media.frames import decoded_frames
from firsthand.media.merging import MergePart, Merging, coding_agrees, merge
from firsthand.media.sound import mono_16k
from tests.unit.media.conftest import H264, PICTURE, SOUND, Ffmpeg

CASES = Path(__file__).parents[2] / "cases"
TWICE = CASES / "16-nonzero-start-ts/start3600.ts"


def laid(*paths: Path) -> list[MergePart]:
    """Parts one after another, by their measured lengths."""
    parts, start_us = [], 0
    for path in paths:
        end_us = start_us + probe(path).duration_us
        parts.append(MergePart(path, Span(start_us, end_us)))
        start_us = end_us
    return parts


def expected_us(parts: list[MergePart]) -> list[int]:
    return [part.place.start_us + one.pts_us for part in parts for one in decoded_frames(part.path)]


def merged_us(path: Path) -> list[int]:
    return [picture.pts_us for picture in decoded_frames(path)]


def test_16_two_copies_of_a_stream_that_starts_at_an_hour_last_twice_as_long(
    tmp_path: Path,
) -> None:
    parts = laid(TWICE, TWICE)
    target = tmp_path / "merged.mp4"
    assert merge(parts, target).copied
    assert 6_000_000 <= probe(target).duration_us <= 6_200_000
    assert merged_us(target) == expected_us(parts)


def test_files_coded_alike_are_copied_picture_by_picture(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    bframes = ("-c:v", "libx264", "-bf", "3", "-g", "15", "-pix_fmt", "yuv420p")
    paths = [
        ffmpeg(
            "-f", "lavfi", "-i", f"{source}=s=160x120:r=30000/1001:d=1.7", *bframes, f"{source}.mp4"
        )
        for source in ("testsrc", "testsrc2")
    ]
    parts = laid(*paths)
    target = tmp_path / "merged.mp4"
    merged = merge(parts, target)
    assert (merged.copied, merged.frames) == (True, len(expected_us(parts)))
    assert merged_us(target) == expected_us(parts)
    originals = [picture.rgb for path in paths for picture in decoded_frames(path)]
    copies = [picture.rgb for picture in decoded_frames(target)]
    assert all(np.array_equal(a, b) for a, b in zip(originals, copies, strict=True))


@pytest.mark.parametrize(
    "other",
    [
        ("testsrc=s=120x160:r=10:d=2", "-pix_fmt", "yuv420p"),
        ("testsrc=s=160x120:r=10:d=2", "-pix_fmt", "yuv420p10le"),
        ("testsrc=s=161x121:r=12:d=2", "-pix_fmt", "yuv444p"),
    ],
    ids=["turned", "deep", "odd"],
)
def test_files_coded_otherwise_are_encoded_anew_at_the_same_times(
    ffmpeg: Ffmpeg, tmp_path: Path, other: tuple[str, ...]
) -> None:
    first = ffmpeg(*PICTURE, *SOUND, *H264, "-c:a", "aac", "first.mp4")
    second = ffmpeg("-f", "lavfi", "-i", other[0], "-c:v", "libx264", *other[1:], "second.mp4")
    assert not coding_agrees([first, second])
    parts = laid(first, second)
    target = tmp_path / "merged.mp4"
    assert not merge(parts, target).copied
    assert merged_us(target) == expected_us(parts)
    whole = probe(target)
    assert whole.width_px >= 160
    assert whole.width_px % 2 == whole.height_px % 2 == 0


def test_what_an_edit_list_hides_stays_hidden(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    whole = ffmpeg(*PICTURE, *H264, "-g", "10", "whole.mov")
    cut = ffmpeg("-ss", "0.55", "-i", whole, "-c", "copy", "cut.mp4")
    parts = laid(cut, cut)
    target = tmp_path / "merged.mp4"
    merge(parts, target)
    assert merged_us(target) == expected_us(parts)


def click_at(second: float, folder: Path) -> Path:
    samples = np.zeros(2 * 48_000, np.float32)
    samples[round(second * 48_000) :][:480] = 0.9
    path = folder / f"click{second}.wav"
    wavfile.write(path, 48_000, samples)
    return path


def test_sound_stays_with_its_pictures_across_parts(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    aac = ("-c:a", "aac", "-b:a", "128k")
    one = ffmpeg(*PICTURE, "-i", click_at(1.5, tmp_path), *H264, *aac, "one.mp4")
    silent = ffmpeg(*PICTURE, *H264, "silent.mp4")
    late = ffmpeg(
        *PICTURE, "-itsoffset", "0.5", "-i", click_at(1.0, tmp_path), *H264, *aac, "late.mkv"
    )
    other_rate = ("-ar", "44100", "-ac", "2")
    two = ffmpeg(*PICTURE, "-i", click_at(0.25, tmp_path), *H264, *aac, *other_rate, "two.mp4")
    parts = laid(one, silent, late, two)
    for merging in (Merging(), Merging(keeps_original=True)):
        target = tmp_path / "merged.mp4"
        merge(parts, target, merging)
        loud = np.abs(mono_16k(target)) > 0.3
        onsets = [0, *np.flatnonzero(np.diff(np.flatnonzero(loud)) > 1_600) + 1]
        heard_us = np.flatnonzero(loud)[onsets] * 1_000_000 // 16_000
        starts_us = [part.place.start_us for part in parts]
        clicks_us = [starts_us[0] + 1_500_000, starts_us[2] + 1_500_000, starts_us[3] + 250_000]
        assert heard_us == pytest.approx(clicks_us, abs=10_000)
        assert probe(target).duration_us == pytest.approx(parts[-1].place.end_us, abs=30_000)


def test_nothing_of_the_first_file_is_told_unless_the_result_stands_for_it(
    ffmpeg: Ffmpeg, tmp_path: Path
) -> None:
    tags = ("-metadata", "creation_time=2026-05-03T07:30:00Z", "-metadata", "serial=SN-4711-X")
    matrix = ("-display_rotation", "90")
    flat = ffmpeg(*PICTURE, *SOUND, *H264, "-c:a", "aac", "flat.mp4")
    keep = ("-movflags", "use_metadata_tags")
    told = ffmpeg(*matrix, "-i", flat, "-c", "copy", *tags, *keep, "told.mp4")
    released, kept = tmp_path / "released.mp4", tmp_path / "kept.mp4"
    merge(laid(told, told), released)
    assert probe(released).tags == ()
    assert b"4711" not in released.read_bytes()
    merge(laid(told, told), kept, Merging(keeps_original=True))
    found = probe(kept)
    assert found.creation_time_utc_us == probe(told).creation_time_utc_us
    assert ("serial", "SN-4711-X") in found.tags
    assert (found.rotation_deg, found.width_px) == (probe(told).rotation_deg, 120)
    assert found.audio_codec == "flac"


def test_progress_is_told_and_a_failure_leaves_no_file(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    path = ffmpeg(*PICTURE, *SOUND, *H264, "-c:a", "aac", "a.mp4")
    reached: list[int] = []
    merge(laid(path, path), tmp_path / "merged.mp4", progress=reached.append)
    assert reached == sorted(reached)
    assert len(reached) >= 4

    def stop(moment_us: int) -> None:
        if moment_us > 2_000_000:
            raise KeyboardInterrupt

    folder = tmp_path / "stopped"
    folder.mkdir()
    with pytest.raises(KeyboardInterrupt):
        merge(laid(path, path), folder / "merged.mp4", progress=stop)
    assert list(folder.iterdir()) == []


def test_parts_that_overlap_are_a_mistake(tmp_path: Path) -> None:
    places = [Span(0, 2_000_000), Span(1_000_000, 3_000_000)]
    with pytest.raises(ValueError, match="follow each other"):
        merge([MergePart(TWICE, place) for place in places], tmp_path / "merged.mp4")
    with pytest.raises(ValueError, match="at least one"):
        merge([], tmp_path / "merged.mp4")


def test_a_day_of_two_hundred_clips_ends_where_its_lengths_add_up(
    ffmpeg: Ffmpeg, tmp_path: Path
) -> None:
    files = []
    for length_s in (0.3, 0.7, 0.5):
        source = ("-f", "lavfi", "-i", f"testsrc2=s=64x48:r=30000/1001:d={length_s}")
        sound = ("-f", "lavfi", "-i", f"sine=r=48000:d={length_s}", "-c:a", "aac")
        files.append(ffmpeg(*source, *sound, "-c:v", "libx264", "-bf", "2", f"{length_s}.mp4"))
    made = [(read_frame_index(path), probe(path).duration_us) for path in files]
    parts, expected, now_us = [], [], 0
    for number in range(200):
        own, length_us = made[number % 3]
        parts.append(MergePart(files[number % 3], Span(now_us, now_us + length_us)))
        expected += [now_us + time_us for time_us in own.times_us]
        now_us += length_us
    target = tmp_path / "day.mp4"
    assert merge(parts, target).copied
    assert read_frame_index(target).times_us.tolist() == expected
    assert probe(target).duration_us == pytest.approx(now_us, abs=25_000)

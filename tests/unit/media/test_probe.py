import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest

from firsthand.media import UnreadableMediaError, probe
from firsthand.media.frames import decoded_frames
from firsthand.store.tables import TABLES
from tests.unit.media.conftest import H264, PICTURE, SOUND, Ffmpeg

CASES = Path(__file__).parents[2] / "cases"
VFR = CASES / "02-vfr-index-vs-time/vfr.mp4"
LATE = CASES / "03-audio-starts-late/late_audio.mp4"
SILENT = CASES / "05-no-audio-stream/silent_track_absent.mp4"
STILLS = CASES / "06-still-picture-stream-first"
ODD = CASES / "08-odd-dimensions/odd.mp4"
TWO_TRACKS = CASES / "10-two-audio-tracks/two_tracks.mp4"
UNSET_CLOCK = CASES / "13-creation-time-sentinel/VID_20260503_093000.mp4"
SHIFTED = CASES / "16-nonzero-start-ts/start3600.ts"
TURNED = CASES / "43-mask-of-rotated-frame/rot90.mp4"


def shown_by_ffmpeg(path: Path, width_px: int, height_px: int) -> np.ndarray:
    """Return the pictures as ffmpeg shows them: its own rotation, frames as they come."""
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(path)]
    command += ["-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    raw = subprocess.run(command, check=True, capture_output=True).stdout
    return np.frombuffer(raw, np.uint8).reshape(-1, height_px, width_px, 3)


def test_a_variable_frame_rate_is_measured_and_not_read_from_the_header() -> None:
    found = probe(VFR)
    assert (found.frames, found.variable_frame_rate) == (140, True)
    assert found.duration_us == pytest.approx(7_967_000, abs=50_000)
    assert not probe(SILENT).variable_frame_rate


def test_colours_change_at_their_times_whatever_the_frame_rate() -> None:
    expected = {1_000_000: 0, 3_000_000: 1, 5_500_000: 1, 7_000_000: 2}
    pictures = [(picture.pts_us, picture.rgb) for picture in decoded_frames(VFR)]
    for moment_us, channel in expected.items():
        rgb = [rgb for pts_us, rgb in pictures if pts_us <= moment_us][-1]
        assert rgb.mean(axis=(0, 1)).argmax() == channel
    times_us = [pts_us for pts_us, _ in pictures]
    assert {2_000_000, 6_000_000} <= set(times_us)


def test_sound_that_starts_late_says_when() -> None:
    found = probe(LATE)
    assert found.audio_start_us == pytest.approx(1_936_000, abs=1_000)
    assert "audio_starts_late" in found.warnings


def test_a_recording_without_sound_is_no_silent_recording() -> None:
    found = probe(SILENT)
    assert (found.audio_codec, found.audio_rate_hz, found.audio_channels) == (None, None, None)
    assert (found.audio_tracks, found.warnings) == (0, ("no_audio",))


@pytest.mark.parametrize("name", ["cover.mp4", "thumb_first.mov"])
def test_a_cover_picture_is_never_the_recording(name: str) -> None:
    found = probe(STILLS / name)
    assert (found.video_codec, found.width_px, found.height_px) == ("h264", 320, 240)
    assert (found.frames, found.duration_us) == (30, 3_000_000)
    assert "still_picture_stream" in found.warnings


def test_several_sound_tracks_are_counted_and_named() -> None:
    found = probe(TWO_TRACKS)
    assert found.audio_tracks == 2
    assert "several_audio_tracks" in found.warnings


def test_an_odd_size_is_kept_and_named() -> None:
    found = probe(ODD)
    assert (found.width_px, found.height_px) == (321, 239)
    assert "odd_size" in found.warnings


def test_the_clock_of_a_recording_begins_at_its_first_picture() -> None:
    found = probe(SHIFTED)
    assert found.first_pts_us == 3_601_400_000
    assert found.duration_us == pytest.approx(3_000_000, abs=100_000)
    assert found.audio_start_us == -64_000
    assert [picture.pts_us for picture in decoded_frames(SHIFTED)][::10] == [
        0,
        1_000_000,
        2_000_000,
    ]


def test_a_clock_that_was_never_set_tells_no_time() -> None:
    found = probe(UNSET_CLOCK)
    assert found.creation_time_utc_us is None
    assert "creation_time_sentinel" in found.warnings


@pytest.mark.parametrize("path", [VFR, LATE, STILLS / "thumb_first.mov", ODD, SHIFTED, TURNED])
def test_as_many_frames_are_counted_as_ffmpeg_shows(path: Path) -> None:
    found = probe(path)
    assert found.frames == len(shown_by_ffmpeg(path, found.width_px, found.height_px))


@pytest.mark.parametrize(
    "matrix",
    [
        ("-display_rotation", "90"),
        ("-display_rotation", "180"),
        ("-display_rotation", "270"),
        ("-display_hflip",),
        ("-display_rotation", "90", "-display_hflip"),
        ("-display_vflip",),
    ],
    ids=" ".join,
)
def test_pictures_are_upright_as_ffmpeg_shows_them(ffmpeg: Ffmpeg, matrix: tuple[str, ...]) -> None:
    flat = ffmpeg(*PICTURE, *H264, "-frames:v", "3", "flat.mp4")
    turned = ffmpeg(*matrix, "-i", flat, "-c", "copy", "turned.mp4")
    found = probe(turned)
    expected = shown_by_ffmpeg(turned, found.width_px, found.height_px)
    ours = np.stack([picture.rgb for picture in decoded_frames(turned)])
    assert found.width_px == ours.shape[2]
    # The two convert colours with different rounding.
    assert np.abs(ours.astype(int) - expected).mean() < 2


def test_a_portrait_recording_has_its_display_size() -> None:
    found = probe(TURNED)
    assert (found.width_px, found.height_px, found.rotation_deg) == (240, 320, 270)
    first = next(decoded_frames(TURNED)).rgb
    red, green, blue = first[30, 30]
    assert red > 200 > 60 > max(green, blue)


def test_what_an_edit_list_cuts_is_not_counted(ffmpeg: Ffmpeg) -> None:
    whole = ffmpeg(*PICTURE, *SOUND, *H264, "-c:a", "aac", "-g", "10", "whole.mov")
    cut = ffmpeg("-ss", "0.55", "-i", whole, "-c", "copy", "cut.mp4")
    found = probe(cut)
    assert found.frames == len(shown_by_ffmpeg(cut, 160, 120))
    assert found.frames == sum(1 for _ in decoded_frames(cut))


@pytest.mark.parametrize(
    ("name", "codec"), [("a.mkv", "libx264"), ("a.avi", "mpeg4"), ("a.webm", "libvpx")]
)
def test_other_containers_are_measured_alike(ffmpeg: Ffmpeg, name: str, codec: str) -> None:
    found = probe(ffmpeg(*PICTURE, "-c:v", codec, "-pix_fmt", "yuv420p", name))
    assert (found.frames, found.duration_us) == (20, 2_000_000)
    assert not found.variable_frame_rate


def test_a_missing_stretch_of_sound_is_named(ffmpeg: Ffmpeg) -> None:
    drop = ("-bsf:a", "noise=drop='between(pts*tb,0.5,1.2)'")
    gappy = ffmpeg(*PICTURE, *SOUND, *H264, "-c:a", "aac", *drop, "gappy.mkv")
    assert "audio_gaps" in probe(gappy).warnings


def test_place_and_device_are_noticed_and_never_shown(ffmpeg: Ffmpeg) -> None:
    tags = ("-metadata", "location=+52.5200+013.4050/", "-metadata", "serial=SN-4711-X")
    time = ("-metadata", "creation_time=2026-05-03T07:30:00Z")
    keep = ("-movflags", "use_metadata_tags")
    found = probe(ffmpeg(*PICTURE, *H264, *tags, *time, *keep, "tagged.mp4"))
    assert found.location_tags
    assert ("serial", "SN-4711-X") in found.tags
    assert "4711" not in repr(found)
    began = datetime(2026, 5, 3, 7, 30, tzinfo=UTC)
    assert found.creation_time_utc_us == began.timestamp() * 1_000_000


@pytest.mark.parametrize("flags", [(), ("-movflags", "+faststart")], ids=["end", "front"])
def test_a_file_that_was_cut_off_is_refused(ffmpeg: Ffmpeg, flags: tuple[str, ...]) -> None:
    whole = ffmpeg(*PICTURE, *SOUND, *H264, "-c:a", "aac", *flags, "whole.mp4")
    part = whole.with_name("part.mp4")
    part.write_bytes(whole.read_bytes()[: whole.stat().st_size * 6 // 10])
    with pytest.raises(UnreadableMediaError, match=r"part\.mp4"):
        probe(part)


def test_files_without_a_moving_picture_are_refused(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    empty, text = tmp_path / "empty.mp4", tmp_path / "text.mp4"
    empty.touch()
    text.write_text("not a recording\n" * 100)
    sound = ffmpeg(*SOUND, "-c:a", "aac", "sound.mp4")
    picture = ffmpeg(*PICTURE, "-frames:v", "1", "picture.png")
    for path in (empty, text, sound, picture, tmp_path / "absent.mp4"):
        with pytest.raises(UnreadableMediaError):
            probe(path)


def test_names_in_any_script_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "第1天 – 妈妈's kitchen"
    folder.mkdir()
    path = folder / "客厅 #2 (副本) 100%d.mp4"
    shutil.copy(SILENT, path)
    assert probe(path).frames == 30


def test_the_measured_columns_are_those_of_the_table() -> None:
    by_ingest = {"participant_id", "recording_id", "source_name", "media_digest"}
    assert set(probe(VFR).columns()) == set(TABLES["recordings"].schema.names) - by_ingest

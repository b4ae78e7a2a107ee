from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest
from scipy.io import wavfile

from firsthand.media import probe
from firsthand.media.encoding import EncoderSettings
from firsthand.media.frames import decoded_frames
from firsthand.media.planes import Planes
from firsthand.media.sound import SoundBlock, mono_16k
from firsthand.media.writing import Edits, Targets, Written, fit_size_px, write_edited
from tests.unit.media.conftest import H264, PICTURE, SOUND, Ffmpeg

CASES = Path(__file__).parents[2] / "cases"
QUIRKS = [
    CASES / "02-vfr-index-vs-time/vfr.mp4",
    CASES / "03-audio-starts-late/late_audio.mp4",
    CASES / "05-no-audio-stream/silent_track_absent.mp4",
    CASES / "06-still-picture-stream-first/thumb_first.mov",
    CASES / "08-odd-dimensions/odd.mp4",
    CASES / "10-two-audio-tracks/two_tracks.mp4",
    CASES / "16-nonzero-start-ts/start3600.ts",
    CASES / "43-mask-of-rotated-frame/rot90.mp4",
]


def leave_picture(planes: Planes, pts_us: int) -> None:
    """Edit nothing."""


def leave_sound(block: SoundBlock) -> npt.NDArray[np.float32]:
    return block.samples


UNTOUCHED = Edits(leave_picture, leave_sound)


def copy_of(source: Path, folder: Path, edits: Edits = UNTOUCHED) -> tuple[Targets, Written]:
    folder.mkdir(exist_ok=True)
    targets = Targets(folder / "stream.mp4", folder / "proxy.mp4")
    settings = EncoderSettings()
    return targets, write_edited(source, targets, edits, unit_us=1_000_000, settings=settings)


def times_us(path: Path) -> list[int]:
    return [picture.pts_us for picture in decoded_frames(path)]


@pytest.mark.parametrize("source", QUIRKS, ids=lambda path: path.stem)
def test_a_copy_keeps_every_time_and_nothing_but_picture_and_sound(
    source: Path, tmp_path: Path
) -> None:
    original = probe(source)
    targets, written = copy_of(source, tmp_path)
    assert written.frames == original.frames
    for path in (targets.stream, targets.proxy):
        copy = probe(path)
        assert times_us(path) == times_us(source)
        assert (copy.first_pts_us, copy.rotation_deg) == (0, 0)
        assert copy.duration_us == pytest.approx(original.duration_us, abs=70_000)
        assert copy.audio_tracks == min(1, original.audio_tracks)
        assert copy.tags == ()
        with av.open(str(path)) as media:
            assert len(media.streams) == 1 + copy.audio_tracks
            assert len(media.streams.video) == 1
        assert not any(word in path.read_bytes() for word in (b"x264", b"Lavf", b"Lavc"))


def test_the_same_recording_gives_the_same_bytes(tmp_path: Path) -> None:
    for source in (QUIRKS[0], QUIRKS[1]):
        first, _ = copy_of(source, tmp_path / "first")
        second, _ = copy_of(source, tmp_path / "second")
        assert first.stream.read_bytes() == second.stream.read_bytes()
        assert first.proxy.read_bytes() == second.proxy.read_bytes()


def test_picture_and_sound_stay_in_step_to_ten_milliseconds(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    # Dark for 1.2 s, then bright; silent for 1.2 s, then a tone; 0.3 s of sound run ahead.
    samples = np.zeros(round(2.3 * 48_000), np.float32)
    tone = np.sin(np.arange(round(0.8 * 48_000)) * 0.1)
    samples[round(1.5 * 48_000) :] = 0.5 * tone
    wavfile.write(tmp_path / "tone.wav", 48_000, samples)
    light = "color=black:s=160x120:r=50:d=2,drawbox=c=white:t=fill:enable='gte(t,1.2)'"
    sources = ("-itsoffset", "0.3", "-f", "lavfi", "-i", light, "-i", tmp_path / "tone.wav")
    source = ffmpeg(*sources, *H264, "-c:a", "aac", "-b:a", "128k", "flash.mkv")
    targets, _ = copy_of(source, tmp_path)
    for path in (targets.stream, targets.proxy):
        bright_us = [one.pts_us for one in decoded_frames(path) if one.rgb.mean() > 128]
        loud_us = int(np.argmax(np.abs(mono_16k(path)) > 0.1)) * 1_000_000 // 16_000
        assert bright_us[0] == pytest.approx(1_200_000, abs=1_000)
        assert loud_us == pytest.approx(1_200_000, abs=10_000)


def test_an_odd_size_is_padded_and_never_scaled(tmp_path: Path) -> None:
    source = CASES / "08-odd-dimensions/odd.mp4"
    targets, written = copy_of(source, tmp_path)
    assert (written.width_px, written.height_px) == (322, 240)
    before = next(decoded_frames(source)).rgb.astype(int)
    after = next(decoded_frames(targets.stream)).rgb.astype(int)
    # Brightness only: the colours of the copy have half the resolution.
    difference = np.abs(before.sum(axis=2) - after[:239, :321].sum(axis=2)) / 3
    assert np.median(difference) < 3


def test_the_proxy_has_a_key_frame_at_each_quarter_of_a_unit(
    ffmpeg: Ffmpeg, tmp_path: Path
) -> None:
    sevenths = ("-f", "lavfi", "-i", "testsrc=s=160x120:r=7:d=2.2")
    sources = (CASES / "02-vfr-index-vs-time/vfr.mp4", ffmpeg(*sevenths, *H264, "sevenths.mp4"))
    for source in sources:
        shown = times_us(source)
        quarters = range(0, shown[-1] + 1, 250_000)
        wanted = {max(time for time in shown if time <= quarter) for quarter in quarters}
        targets, _ = copy_of(source, tmp_path)
        keys = {one.pts_us for one in decoded_frames(targets.proxy) if one.coded.key_frame}
        assert keys == wanted | {shown[-1]}


def test_units_that_do_not_divide_by_four_end_with_a_key_frame(tmp_path: Path) -> None:
    source = CASES / "02-vfr-index-vs-time/vfr.mp4"
    targets = Targets(tmp_path / "stream.mp4", tmp_path / "proxy.mp4")
    write_edited(source, targets, UNTOUCHED, unit_us=333_333, settings=EncoderSettings())
    pictures = list(decoded_frames(targets.proxy))
    keys = {one.pts_us for one in pictures if one.coded.key_frame}
    for end_us in range(0, pictures[-1].pts_us, 333_333):
        assert max(one.pts_us for one in pictures if one.pts_us <= end_us) in keys


@pytest.mark.parametrize(
    ("size_px", "proxy_px"),
    [
        ((1920, 1080), (640, 360)),
        ((640, 360), (640, 360)),
        ((1080, 1920), (202, 360)),
        ((1440, 1440), (360, 360)),
        ((320, 240), (320, 240)),
        ((2704, 1520), (640, 360)),
    ],
)
def test_a_proxy_fits_and_keeps_its_shape(
    size_px: tuple[int, int], proxy_px: tuple[int, int]
) -> None:
    assert fit_size_px(size_px, (640, 360)) == proxy_px


def test_a_stream_alone_is_the_one_that_has_a_proxy_beside_it(tmp_path: Path) -> None:
    source = QUIRKS[1]
    both, _ = copy_of(source, tmp_path)
    alone = tmp_path / "alone.mp4"
    write_edited(source, alone, UNTOUCHED, unit_us=1_000_000, settings=EncoderSettings())
    assert alone.read_bytes() == both.stream.read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"stream.mp4", "proxy.mp4", "alone.mp4"}


def test_edits_reach_both_copies(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    def blacken(planes: Planes, pts_us: int) -> None:
        if pts_us >= 1_000_000:
            planes.y[:] = 16
            planes.u[:] = planes.v[:] = 128

    edits = Edits(blacken, lambda block: np.zeros_like(block.samples))
    source = ffmpeg(*PICTURE, *SOUND, *H264, "-c:a", "aac", "plain.mp4")
    targets, written = copy_of(source, tmp_path, edits)
    assert written.sound_us == pytest.approx(2_000_000, abs=70_000)
    for path in (targets.stream, targets.proxy):
        dark = {one.pts_us: one.rgb.max() < 8 for one in decoded_frames(path)}
        assert dark == {pts_us: pts_us >= 1_000_000 for pts_us in dark}
        assert np.abs(mono_16k(path)).max() < 1e-4


def test_a_copy_that_fails_leaves_no_file(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    def fail_late(planes: Planes, pts_us: int) -> None:
        if pts_us > 1_000_000:
            raise KeyboardInterrupt

    source = ffmpeg(*PICTURE, *H264, "plain.mp4")
    with pytest.raises(KeyboardInterrupt):
        copy_of(source, tmp_path / "out", Edits(fail_late, leave_sound))
    assert list((tmp_path / "out").iterdir()) == []


def test_deep_and_full_range_colours_keep_their_brightness(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    grey = ("-f", "lavfi", "-i", "color=0x808080:s=160x120:r=10:d=0.5")
    deep = ffmpeg(*grey, "-c:v", "libx264", "-pix_fmt", "yuv420p10le", "deep.mp4")
    full = ffmpeg(*grey, "-c:v", "mjpeg", "-pix_fmt", "yuvj420p", "full.mov")
    for source in (deep, full):
        targets, _ = copy_of(source, tmp_path / source.stem)
        assert next(decoded_frames(targets.stream)).rgb.mean() == pytest.approx(128, abs=2)

from pathlib import Path

import numpy as np
import pytest
from scipy.io import wavfile

from firsthand.media import NoSoundError
from firsthand.media.sound import mono_16k, sound_blocks
from tests.unit.media.conftest import H264, PICTURE, SOUND, Ffmpeg

CASES = Path(__file__).parents[2] / "cases"


def onset_s(samples: np.ndarray, level: float = 0.02) -> float:
    return int(np.argmax(np.abs(samples) > level)) / 16_000


def pitch_hz(samples: np.ndarray) -> float:
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
    return float(spectrum.argmax() * 16_000 / len(samples))


def test_sound_that_starts_late_keeps_its_place() -> None:
    assert onset_s(mono_16k(CASES / "03-audio-starts-late/late_audio.mp4")) == pytest.approx(
        2.05, abs=0.1
    )


def test_a_click_is_heard_where_it_was_recorded(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    samples = np.zeros((2 * 48_000, 2), np.float32)
    samples[round(1.234 * 48_000)] = 0.9
    wavfile.write(tmp_path / "click.wav", 48_000, samples)
    path = ffmpeg(*PICTURE, "-i", tmp_path / "click.wav", *H264, "-c:a", "pcm_s16le", "click.mov")
    heard = mono_16k(path)
    assert np.abs(heard).argmax() / 16_000 == pytest.approx(1.234, abs=0.0002)
    assert len(heard) == pytest.approx(2 * 16_000, abs=2)


def test_sound_before_the_first_picture_is_cut(ffmpeg: Ffmpeg) -> None:
    tone = "sine=f=440:r=16000:d=2,volume='if(lt(t,1),0,1)':eval=frame"
    sources = ("-itsoffset", "0.4", *PICTURE, "-f", "lavfi", "-i", tone)
    path = ffmpeg(*sources, *H264, "-c:a", "pcm_s16le", "-f", "matroska", "early.mkv")
    assert onset_s(mono_16k(path)) == pytest.approx(0.6, abs=0.03)


def test_a_missing_stretch_is_silence_and_moves_nothing(ffmpeg: Ffmpeg) -> None:
    drop = ("-bsf:a", "noise=drop='between(pts*tb,0.5,1.2)'")
    heard = mono_16k(ffmpeg(*PICTURE, *SOUND, *H264, "-c:a", "aac", *drop, "gappy.mkv"))
    loud = np.abs(heard[: 2 * 16_000].reshape(-1, 1_600)).max(axis=1) > 0.02
    assert not loud[7:11].any()
    assert loud[:4].all()
    assert loud[14:].all()
    assert len(heard) / 16_000 == pytest.approx(2, abs=0.07)


def test_of_several_tracks_the_first_counts_and_not_the_default_one(ffmpeg: Ffmpeg) -> None:
    tones = ("-f", "lavfi", "-i", "sine=f=440:d=2", "-f", "lavfi", "-i", "sine=f=880:d=2")
    maps = ("-map", "0:v", "-map", "1:a", "-map", "2:a")
    flags = ("-disposition:a:0", "0", "-disposition:a:1", "default")
    path = ffmpeg(*PICTURE, *tones, *maps, *H264, "-c:a", "aac", *flags, "two.mp4")
    assert pitch_hz(mono_16k(path)) == pytest.approx(440, abs=2)


def test_stereo_stays_stereo_and_wider_sound_becomes_stereo(ffmpeg: Ffmpeg) -> None:
    for channels in (2, 6):
        source = "aevalsrc=" + "|".join(["0.1*sin(2760*t)"] * channels) + ":s=48000:d=2"
        path = ffmpeg(*PICTURE, "-f", "lavfi", "-i", source, *H264, "-c:a", "aac", "wide.mp4")
        blocks = list(sound_blocks(path))
        assert {block.samples.shape[0] for block in blocks} == {2}
        assert {block.rate_hz for block in blocks} == {48_000}
        ends = [block.start_sample + block.samples.shape[1] for block in blocks]
        assert [block.start_sample for block in blocks] == [0, *ends[:-1]]


def test_silence_is_not_invented_for_a_recording_without_sound() -> None:
    with pytest.raises(NoSoundError, match="silent_track_absent"):
        mono_16k(CASES / "05-no-audio-stream/silent_track_absent.mp4")

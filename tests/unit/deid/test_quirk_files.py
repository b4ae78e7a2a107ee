"""De-identified copies of every quirk file: frame times as they were, sound in step."""

from pathlib import Path

import av
import numpy as np
import pytest

from firsthand.core.time import Span
from firsthand.deid import DeidTargets, Hidden, deidentify
from firsthand.media.frames import decoded_frames
from firsthand.media.probe import probe
from firsthand.media.sound import mono_16k
from firsthand.media.streams import UnreadableMediaError
from tests.unit.media.conftest import Ffmpeg
from tests.unit.media.quirks import KEPT, MADE, cut_off, made

MUTED = Span(500_000, 700_000)
RATE_HZ = 16_000
MOST_APART_S = 0.010


def times_us(path: Path) -> list[int]:
    return [picture.pts_us for picture in decoded_frames(path)]


def lag_s(before: np.ndarray, after: np.ndarray) -> float:
    """By how much sound comes later, as the correlation of the two says."""
    size = 1 << (len(before) + len(after)).bit_length()
    spectrum = np.conj(np.fft.rfft(before, size)) * np.fft.rfft(after, size)
    peak = int(np.argmax(np.fft.irfft(spectrum, size)))
    return (peak - size if peak > size // 2 else peak) / RATE_HZ


def check(source: Path, folder: Path) -> None:
    targets = DeidTargets(folder / "stream-out.mp4", folder / "proxy-out.mp4")
    deidentify(source, Hidden(voices=[MUTED]), targets, unit_us=1_000_000)
    original = probe(source)
    for path in (targets.stream, targets.proxy):
        copy = probe(path)
        assert times_us(path) == times_us(source)
        assert len(times_us(path)) == original.frames
        assert (copy.first_pts_us, copy.rotation_deg, copy.tags) == (0, 0, ())
        assert copy.audio_tracks == min(1, original.audio_tracks)
        if original.audio_codec is None:
            continue
        before, after = mono_16k(source), mono_16k(path)
        first, last = (us * RATE_HZ // 1_000_000 for us in (MUTED.start_us, MUTED.end_us))
        # What the coding smears lies within a block of it; inside the span nothing is left.
        assert np.abs(after[first + 1_100 : last - 1_100]).max() < 1e-3
        before[first:last] = 0
        assert abs(lag_s(before, after)) <= MOST_APART_S
        assert copy.duration_us == pytest.approx(original.duration_us, abs=70_000)


@pytest.mark.parametrize("source", KEPT, ids=lambda path: f"{path.parent.name[:2]} {path.name}")
def test_a_kept_case_stays_in_step(source: Path, tmp_path: Path) -> None:
    check(source, tmp_path)


@pytest.mark.parametrize("quirk", sorted(MADE))
def test_a_recording_with_a_quirk_stays_in_step(quirk: str, ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    check(made(quirk, ffmpeg), tmp_path)


def test_a_stream_torn_within_its_sound_is_refused_and_leaves_no_file(
    ffmpeg: Ffmpeg, tmp_path: Path
) -> None:
    source = cut_off(ffmpeg, "cut.ts", share=0.7)
    targets = DeidTargets(tmp_path / "stream-out.mp4", tmp_path / "proxy-out.mp4")
    with pytest.raises(UnreadableMediaError, match=r"cut\.ts"):
        deidentify(source, Hidden(voices=[MUTED]), targets, unit_us=1_000_000)
    assert not any(path.exists() for path in (targets.stream, targets.proxy))


def test_a_torn_file_that_reads_to_its_tear_is_measured_there_and_marked(ffmpeg: Ffmpeg) -> None:
    found = probe(cut_off(ffmpeg, "cut.mkv", share=0.7))
    assert found.duration_us < 1_700_000
    assert "shorter_than_header" in found.warnings


def test_06_a_cover_picture_reaches_no_copy(tmp_path: Path) -> None:
    for source in KEPT:
        if source.parent.name.startswith("06"):
            targets = DeidTargets(tmp_path / "stream.mp4", tmp_path / "proxy.mp4")
            deidentify(source, Hidden(), targets, unit_us=1_000_000)
            for path in (targets.stream, targets.proxy):
                with av.open(str(path)) as media:
                    assert [stream.type for stream in media.streams] == ["video"]
                    assert (media.streams.video[0].frames, media.duration) == (30, 3_000_000)

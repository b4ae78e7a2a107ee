"""Sound kept for listening: the same moments as in the recording."""

from pathlib import Path

import numpy as np
import pytest

from firsthand.media.listening import write_for_listening
from firsthand.media.streams import NoSoundError
from tests.unit.media.conftest import Ffmpeg


def test_a_tone_begins_and_ends_where_it_does_in_the_recording(
    ffmpeg: Ffmpeg, tmp_path: Path
) -> None:
    tone = "aevalsrc=0.5*sin(2*PI*440*t)*between(t\\,1\\,1.5):s=48000:d=3"
    source = ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=3", "-f", "lavfi", "-i", tone,
        "-c:v", "libx264", "-c:a", "aac", "in.mp4",
    )  # fmt: skip
    kept = tmp_path / "kept.m4a"
    write_for_listening(source, kept)
    bare = ffmpeg("-i", kept, "-f", "f32le", "-ar", "16000", "kept.f32")
    loud = np.flatnonzero(np.abs(np.fromfile(bare, np.float32)) > 0.1) / 16_000
    assert loud[0] == pytest.approx(1.0, abs=0.02)
    assert loud[-1] == pytest.approx(1.5, abs=0.02)


def test_a_recording_without_sound_is_said_to_have_none(ffmpeg: Ffmpeg, tmp_path: Path) -> None:
    source = ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=1", "-c:v", "libx264", "in.mp4")
    with pytest.raises(NoSoundError):
        write_for_listening(source, tmp_path / "kept.m4a")

"""Recordings made by ffmpeg, an encoder and muxer that is not ours."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import imageio_ffmpeg
import pytest

Ffmpeg = Callable[..., Path]


@pytest.fixture
def ffmpeg(tmp_path: Path) -> Ffmpeg:
    """Run ffmpeg with arguments; the last names the output file in the test's folder."""

    def run(*arguments: str | Path) -> Path:
        target = tmp_path / str(arguments[-1])
        words = [str(argument) for argument in arguments[:-1]]
        program = imageio_ffmpeg.get_ffmpeg_exe()
        command = [program, "-v", "error", "-nostdin", "-y", "-threads", "1", *words, str(target)]
        subprocess.run(command, check=True, capture_output=True)
        return target

    return run


PICTURE = ("-f", "lavfi", "-i", "testsrc=s=160x120:r=10:d=2")
SOUND = ("-f", "lavfi", "-i", "sine=f=440:r=16000:d=2")
H264 = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")

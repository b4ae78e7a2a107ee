"""What an hour of speech costs: CPU seconds and memory of transcribing it with the default engines.

The hour is made of the sample recordings' own sound, one after another with pauses between
them. Memory is the peak of this process, taken after the first five minutes and at the end:
a recording that is ten times as long must not need more.
"""

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import numpy as np
import numpy.typing as npt

from firsthand.core.time import SECOND_US
from firsthand.media.sound import mono_16k
from firsthand.media.sound_file import SoundFile
from firsthand.speech import SpeechChoice, speech_engines, transcribe
from firsthand.speech.engines import SAMPLE_RATE_HZ

__all__ = ["main"]

SAMPLES = Path(__file__).parents[1] / "data/samples"
_SHORT_MINUTES = 5
_PAUSES_S = (0.4, 1.5, 3.0, 0.8)
_TARGET_S = 720
_CORES = 2


def main() -> None:
    """Make the sound, transcribe a short part and the whole, and print what both took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="Length of the sound.")
    minutes = parser.parse_args().minutes
    with tempfile.TemporaryDirectory() as folder:
        whole = _sound_file(Path(folder) / "hour.f32", minutes)
        short = SoundFile(whole.path, min(whole.samples, 60 * _SHORT_MINUTES * SAMPLE_RATE_HZ))
        _measured("warm-up", SoundFile(whole.path, 60 * SAMPLE_RATE_HZ))
        short_peak = _measured("short", short)[1]
        cpu_s, peak = _measured("whole", whole)
    hour_s = cpu_s * 3600 * SAMPLE_RATE_HZ / whole.samples
    print(f"CPU seconds for an hour of sound: {hour_s:.0f}")
    print(f"on {_CORES} cores, two recordings at a time: {hour_s / _CORES:.0f} s an hour")
    print(f"on one core, one recording: {hour_s:.0f} s, target {_TARGET_S} s")
    print(
        f"peak memory: {short_peak:.0f} MiB at {_SHORT_MINUTES} minutes, {peak:.0f} MiB at the end"
    )


def _measured(name: str, sound: SoundFile) -> tuple[float, float]:
    began_s = time.process_time()
    seconds = len(sound) / SAMPLE_RATE_HZ
    words = transcribe(sound, speech_engines(SpeechChoice()), round(seconds * SECOND_US))
    cpu_s = time.process_time() - began_s
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rate = cpu_s / seconds
    print(
        f"{name:<8} {seconds / 60:6.1f} min, {len(words):6d} words, {cpu_s:7.1f} CPU s "
        f"({rate:.3f} a second), peak {peak:.0f} MiB",
        flush=True,
    )
    return cpu_s, peak


def _sound_file(target: Path, minutes: float) -> SoundFile:
    wanted = round(minutes * 60 * SAMPLE_RATE_HZ)
    written = 0
    with target.open("wb") as file:
        for piece in _pieces():
            kept = piece[: wanted - written]
            file.write(kept.astype("<f4").tobytes())
            written += len(kept)
            if written == wanted:
                return SoundFile(target, written)
    raise ValueError("there is no sound to repeat")


def _pieces() -> Iterator[npt.NDArray[np.float32]]:
    told = json.loads((SAMPLES / "truth.json").read_text(encoding="utf-8"))["files"]
    spoken = sorted(name for name, entry in told.items() if entry.get("words"))
    sounds = [mono_16k(SAMPLES / "recordings" / name) for name in spoken]
    for sound, pause_s in zip(cycle(sounds), cycle(_PAUSES_S), strict=False):
        yield sound
        yield np.zeros(round(pause_s * SAMPLE_RATE_HZ), np.float32)


if __name__ == "__main__":
    main()

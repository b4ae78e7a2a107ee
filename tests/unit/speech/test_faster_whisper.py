"""The default recogniser hears the same words at the same times on every processor."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

RECORDING = Path(__file__).parents[3] / "data/samples/recordings/P1/VID_20260503_093000.mp4"
HEAR = """
import json, sys
from pathlib import Path
from firsthand.media.sound import mono_16k
from firsthand.speech.faster_whisper_engine import FasterWhisper
words = FasterWhisper().words(mono_16k(Path(sys.argv[1])))
print(json.dumps([[word.text, word.begin_us, word.end_us] for word in words]))
"""


def heard(instructions: str) -> list[tuple[str, int, int]]:
    """What is heard when CTranslate2 computes with `instructions`, as an older processor would."""
    done = subprocess.run(
        [sys.executable, "-c", HEAR, str(RECORDING)],
        env=os.environ | {"CT2_FORCE_CPU_ISA": instructions},
        capture_output=True,
        text=True,
        check=True,
    )
    return [(text, begin, end) for text, begin, end in json.loads(done.stdout)]


@pytest.mark.skipif(
    platform.machine() != "x86_64", reason="CTranslate2 chooses among these on x86 alone"
)
def test_words_and_their_times_do_not_depend_on_the_processors_instructions() -> None:
    plain = heard("GENERIC")
    assert len(plain) > 15
    assert heard("AVX2") == plain

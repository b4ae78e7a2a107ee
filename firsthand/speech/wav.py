"""Sound as the bytes of a WAV file, for servers and browsers."""

import io
import wave

import numpy as np

from firsthand.speech.engines import SAMPLE_RATE_HZ, Sound

__all__ = ["wav_bytes"]

_PCM_PEAK = 32_767


def wav_bytes(sound: Sound) -> bytes:
    """Return mono sound as 16-bit PCM; what is louder than full scale is cut."""
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE_HZ)
        file.writeframes(np.rint(np.clip(sound, -1, 1) * _PCM_PEAK).astype("<i2").tobytes())
    return buffer.getvalue()

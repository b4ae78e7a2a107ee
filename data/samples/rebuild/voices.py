"""Speech from the flite library, with the time of every word read from the synthesiser itself."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

_WORD_BEGIN = b"R:SylStructure.daughter1.daughter1.R:Segment.p.end"
_WORD_END = b"R:SylStructure.daughtern.daughtern.R:Segment.end"


class _Wave(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_char_p),
        ("sample_rate", ctypes.c_int),
        ("sample_count", ctypes.c_int),
        ("channels", ctypes.c_int),
        ("samples", ctypes.POINTER(ctypes.c_short)),
    )


@dataclass(frozen=True)
class SpokenWord:
    """One word of an utterance, in milliseconds from the start of its samples."""

    text: str
    begin_ms: float
    end_ms: float


@dataclass(frozen=True)
class Speech:
    """Mono samples in [-1, 1] and their words in order."""

    sample_rate_hz: int
    samples: npt.NDArray[np.float64]
    words: tuple[SpokenWord, ...]


@cache
def speak(voice: str, sentence: str) -> Speech:
    """Return one sentence in one of flite's voices (`rms`, `awb`, `slt`, `kal16`).

    Raises:
        ValueError: If the synthesiser splits the sentence into other words than its blanks do,
            since the words could then not be told apart.
    """
    library = _library()
    utterance = library.flite_synth_text(sentence.encode(), _voice(voice))
    wave = library.utt_wave(utterance).contents
    rate_hz = int(wave.sample_rate)
    samples = np.ctypeslib.as_array(wave.samples, (wave.sample_count,)).astype(np.float64) / 32768
    times = _word_times(library, library.utt_relation(utterance, b"Word"))
    texts = [text.strip(".,?!") for text in sentence.split()]
    if len(texts) != len(times):
        raise ValueError(f"{sentence!r} has {len(texts)} words but flite speaks {len(times)}")
    words = tuple(SpokenWord(text, *time) for text, time in zip(texts, times, strict=True))
    library.delete_utterance(utterance)
    return Speech(rate_hz, samples, words)


def _word_times(library: ctypes.CDLL, relation: int) -> list[tuple[float, float]]:
    times = []
    item = library.relation_head(relation)
    while item:
        begin_s, end_s = (
            library.flite_ffeature_float(item, path) for path in (_WORD_BEGIN, _WORD_END)
        )
        times.append((1000 * begin_s, 1000 * end_s))
        item = library.item_next(item)
    return times


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL("libflite.so.1", ctypes.RTLD_GLOBAL)
    for name in ("cmulex", "usenglish"):
        ctypes.CDLL(f"libflite_{name}.so.1", ctypes.RTLD_GLOBAL)
    library.flite_init()
    address = ctypes.c_void_p
    for function, result, arguments in (
        ("flite_synth_text", address, [ctypes.c_char_p, address]),
        ("utt_wave", ctypes.POINTER(_Wave), [address]),
        ("utt_relation", address, [address, ctypes.c_char_p]),
        ("relation_head", address, [address]),
        ("item_next", address, [address]),
        ("flite_ffeature_float", ctypes.c_float, [address, ctypes.c_char_p]),
        ("delete_utterance", None, [address]),
    ):
        entry = getattr(library, function)
        entry.restype, entry.argtypes = result, arguments
    return library


@cache
def _voice(name: str) -> int:
    _library()
    voice = ctypes.CDLL(f"libflite_cmu_us_{name}.so.1", ctypes.RTLD_GLOBAL)
    register = getattr(voice, f"register_cmu_us_{name}")
    register.restype, register.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
    address = register(None)
    return int(address)

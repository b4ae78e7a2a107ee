"""The aligner `pocketsphinx`: forced alignment of known English words."""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from firsthand.core.identity import digest_file, digest_json
from firsthand.core.metering import count_engine_call
from firsthand.core.time import SECOND_US
from firsthand.speech.engines import (
    ALIGNERS,
    RecognisedWord,
    Sound,
    Timing,
    sample_to_us,
    sound_between,
)
from firsthand.store.engine_identity import package_version

if TYPE_CHECKING:
    from pocketsphinx import Decoder

__all__ = ["PocketSphinx"]

_NAME = "pocketsphinx"
_FRAME_US = SECOND_US // 100
_PCM_PEAK = 32_767
_VARIANT = re.compile(r"\(\d+\)$")
_SILENT = re.compile(r"[^a-z']")
_FILLER = re.compile(r"[<\[+]")

Spoken = tuple[str, int, int]


@ALIGNERS.register(_NAME)
class PocketSphinx:
    """Word times to 10 ms from an acoustic model; what it cannot align stays as it was."""

    @property
    def identity(self) -> Mapping[str, str]:
        """Name, version and the digest of the packaged model."""
        return {
            "name": _NAME,
            "version": f"pocketsphinx-{package_version('pocketsphinx')}",
            "weights": _model_digest(),
        }

    def align(self, sound: Sound, words: Sequence[RecognisedWord]) -> tuple[RecognisedWord, ...]:
        """Return the words with aligned times where the alignment can be trusted.

        Words outside the pronouncing dictionary (names, numbers) and their neighbours
        keep the recogniser's times: the stretches between them are aligned alone. A
        stretch whose sound does not fit its words stays as it was, and so does the
        utterance if the times would change the order of its words.
        """
        spoken = [_SILENT.sub("", word.text.lower()) for word in words]
        known = self._known(spoken)
        mended = list(words)
        for first, last in _stretches(known):
            begin_us = words[first - 1].end_us if first else 0
            end_us = words[last].begin_us if last < len(words) else sample_to_us(len(sound))
            heard = sound_between(sound, begin_us, end_us)
            times = self._times(heard, spoken[first:last])
            inner = range(first + (first > 0), last - (last < len(words)))
            for index in inner if times else ():
                mended[index] = _timed(words[index], times[index - first], begin_us)
        ordered = all(before.begin_us <= word.begin_us for before, word in pairwise(mended))
        return tuple(mended if ordered else words)

    def _known(self, spoken: Sequence[str]) -> list[bool]:
        dictionary = _dictionary()
        return [bool(text) and dictionary.lookup_word(text) is not None for text in spoken]

    def _times(self, sound: Sound, words: Sequence[str]) -> list[Spoken]:
        count_engine_call(_NAME)
        found = _alignment(sound, words)
        return found if [text for text, _, _ in found] == list(words) else []


def _stretches(known: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield the index ranges of consecutive known words."""
    first = 0
    for is_known, run in groupby(known):
        last = first + len(list(run))
        if is_known:
            yield first, last
        first = last


def _timed(word: RecognisedWord, spoken: Spoken, by_us: int) -> RecognisedWord:
    _, begin_us, end_us = spoken
    return replace(word, begin_us=begin_us + by_us, end_us=end_us + by_us, timing=Timing.ALIGNED)


def _alignment(sound: Sound, words: Sequence[str]) -> list[Spoken]:
    """Return the words that were found, with times; nothing if none could be."""
    # A fresh decoder for each utterance: its running mean of the spectrum would otherwise
    # make an utterance's times depend on what was aligned before.
    decoder = _decoder()
    samples = np.rint(np.clip(sound, -1.0, 1.0) * _PCM_PEAK).astype("<i2")
    try:
        decoder.set_align_text(" ".join(words))
        decoder.start_utt()
        decoder.process_raw(samples.tobytes(), full_utt=True)
        decoder.end_utt()
    except RuntimeError:
        # The decoder's way to say that the sound does not fit; the caller keeps its times.
        return []
    return [
        (
            _VARIANT.sub("", segment.word),
            segment.start_frame * _FRAME_US,
            (segment.end_frame + 1) * _FRAME_US,
        )
        for segment in decoder.seg() or ()
        if not _FILLER.match(segment.word)
    ]


@functools.cache
def _dictionary() -> "Decoder":
    return _decoder()


def _decoder() -> "Decoder":
    from pocketsphinx import Decoder

    folder = _model_folder()
    return Decoder(
        hmm=str(folder / "en-us"),
        dict=str(folder / "cmudict-en-us.dict"),
        lm=None,
        loglevel="FATAL",
    )


def _model_folder() -> Path:
    from pocketsphinx import get_model_path

    return Path(get_model_path("en-us"))


@functools.cache
def _model_digest() -> str:
    folder = _model_folder()
    files = [folder / "cmudict-en-us.dict", *sorted((folder / "en-us").iterdir())]
    return digest_json([digest_file(path) for path in files])

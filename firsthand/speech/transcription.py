"""From sound to words: cut at silences, recognise each piece, align, mend the times."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from firsthand.core.time import SECOND_US, Span
from firsthand.speech.engines import (
    SAMPLE_RATE_HZ,
    Aligner,
    RecognisedWord,
    Samples,
    SpeechEngines,
    Timing,
    sample_to_us,
    sound_between,
)
from firsthand.speech.listening import spoken_spans
from firsthand.speech.sanitising import sane_words, without_broken_characters

__all__ = ["CuttingPolicy", "cut_at_silences", "transcribe"]

_QUIET_SAMPLES = 60 * SAMPLE_RATE_HZ // 1_000


@dataclass(frozen=True, slots=True)
class CuttingPolicy:
    """How long sound is cut into pieces that are heard one at a time.

    Args:
        longest_us: A piece is no longer than this; a stretch of speech without a pause
            is cut at its quietest moment before this length.
        quiet_us: How far back from there that moment is looked for.
        margin_us: Silence kept before and after the speech of a piece.
        pause_us: Pause between words that ends an utterance for the aligner.
        room_us: Sound that the aligner gets before and after an utterance.
    """

    longest_us: int = 28 * SECOND_US
    quiet_us: int = 4 * SECOND_US
    margin_us: int = 200_000
    pause_us: int = 500_000
    room_us: int = 400_000


def transcribe(
    sound: Samples,
    engines: SpeechEngines,
    duration_us: int,
    policy: CuttingPolicy | None = None,
) -> tuple[RecognisedWord, ...]:
    """Return the words of a recording in order, inside `[0, duration_us]`.

    Silence is never heard: only stretches with voice activity reach the recogniser, at
    most `policy.longest_us` at a time, so memory does not grow with the recording.

    Args:
        sound: The recording's sound from clock zero; only stretches of it are read.
        engines: Recogniser, aligner and voice activity are used.
        duration_us: Length of the recording, positive; may differ from the sound's.
        policy: How to cut; the default fits the packaged recogniser.
    """
    cutting = policy or CuttingPolicy()
    heard: list[RecognisedWord] = []
    speech = spoken_spans(sound, engines.voice_activity)
    for piece in cut_at_silences(speech, cutting, _quietest_in(sound)):
        words = engines.recogniser.words(sound_between(sound, piece.start_us, piece.end_us))
        heard.extend(_inside(_shifted(words, piece.start_us), piece))
    timed: list[RecognisedWord] = []
    language = engines.recogniser.language
    runs = list(_utterances(sane_words(heard, duration_us, language).words, cutting))
    for run, room in zip(runs, _rooms(runs, duration_us, cutting), strict=True):
        timed.extend(_aligned(sound, run, room, engines.aligner))
    return without_broken_characters(sane_words(timed, duration_us, language).words)


def cut_at_silences(
    speech: tuple[Span, ...],
    policy: CuttingPolicy,
    quietest: Callable[[int, int], int] = lambda _, end_us: end_us,
) -> tuple[Span, ...]:
    """Return pieces that hold all the speech, each at most `policy.longest_us` long.

    Neighbouring stretches of speech share a piece while they fit, so that a recogniser
    has context; pieces never overlap, so that no word is heard twice.

    Args:
        speech: Spans of speech in order, without overlap.
        policy: Lengths.
        quietest: Returns the quietest moment between two, at which speech without a pause
            is cut; a cut through a word would lose it or give it twice.
    """
    pieces: list[Span] = []
    for span in _short_enough(speech, policy, quietest):
        if pieces and span.end_us - pieces[-1].start_us <= policy.longest_us:
            pieces[-1] = Span(pieces[-1].start_us, span.end_us)
        else:
            pieces.append(span)
    return _with_margins(pieces, policy.margin_us)


def _short_enough(
    speech: tuple[Span, ...], policy: CuttingPolicy, quietest: Callable[[int, int], int]
) -> Iterator[Span]:
    for span in speech:
        start_us = span.start_us
        while span.end_us - start_us > policy.longest_us:
            latest_us = start_us + policy.longest_us
            cut_us = quietest(latest_us - policy.quiet_us, latest_us)
            yield Span(start_us, cut_us)
            start_us = cut_us
        yield Span(start_us, span.end_us)


def _quietest_in(sound: Samples) -> Callable[[int, int], int]:
    """Return what finds the middle of the 60 ms with the least energy between two moments."""

    def quietest(begin_us: int, end_us: int) -> int:
        heard = sound_between(sound, begin_us, end_us).astype(np.float64)
        if len(heard) <= _QUIET_SAMPLES:
            return end_us
        energy = np.concatenate([[0.0], np.cumsum(heard**2)])
        windows = energy[_QUIET_SAMPLES:] - energy[:-_QUIET_SAMPLES]
        return begin_us + sample_to_us(int(windows.argmin()) + _QUIET_SAMPLES // 2)

    return quietest


def _with_margins(pieces: list[Span], margin_us: int) -> tuple[Span, ...]:
    widened: list[Span] = []
    for number, piece in enumerate(pieces):
        floor_us = widened[-1].end_us if widened else 0
        end_us = piece.end_us + margin_us
        if number + 1 < len(pieces):
            end_us = min(end_us, (piece.end_us + pieces[number + 1].start_us) // 2)
        widened.append(Span(max(floor_us, piece.start_us - margin_us), end_us))
    return tuple(widened)


def _shifted(words: tuple[RecognisedWord, ...], by_us: int) -> tuple[RecognisedWord, ...]:
    return tuple(
        replace(word, begin_us=word.begin_us + by_us, end_us=word.end_us + by_us) for word in words
    )


def _utterances(
    words: tuple[RecognisedWord, ...], policy: CuttingPolicy
) -> Iterator[tuple[RecognisedWord, ...]]:
    run: list[RecognisedWord] = []
    for word in words:
        paused = run and word.begin_us - run[-1].end_us >= policy.pause_us
        if paused or (run and word.end_us - run[0].begin_us > policy.longest_us):
            yield tuple(run)
            run = []
        run.append(word)
    if run:
        yield tuple(run)


def _inside(words: tuple[RecognisedWord, ...], piece: Span) -> Iterator[RecognisedWord]:
    # A recogniser may time a word past the end of what it heard.
    for word in words:
        if word.begin_us < piece.end_us:
            yield replace(word, end_us=min(word.end_us, piece.end_us))
        else:
            yield replace(word, begin_us=piece.end_us, end_us=piece.end_us, timing=Timing.FILLED)


def _rooms(
    runs: list[tuple[RecognisedWord, ...]], duration_us: int, policy: CuttingPolicy
) -> Iterator[Span]:
    """Yield the stretch in which each run is aligned; none reaches into a neighbour's words."""
    floor_us = 0
    for number, run in enumerate(runs):
        last = number + 1 == len(runs)
        ceiling_us = duration_us if last else runs[number + 1][0].begin_us
        end_us = max(word.end_us for word in run)
        start_us = max(floor_us, run[0].begin_us - policy.room_us)
        yield Span(
            min(start_us, run[0].begin_us), max(end_us, min(ceiling_us, end_us + policy.room_us))
        )
        floor_us = end_us


def _aligned(
    sound: Samples, run: tuple[RecognisedWord, ...], room: Span, aligner: Aligner
) -> tuple[RecognisedWord, ...]:
    heard = sound_between(sound, room.start_us, room.end_us)
    return _shifted(aligner.align(heard, _shifted(run, -room.start_us)), room.start_us)

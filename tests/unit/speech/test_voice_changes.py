"""Two people in one breath: mixtures of voices that the sample recordings do not hold."""

import functools
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest

from firsthand.core.time import SECOND_US, Span
from firsthand.speech import SpeechChoice, enrol, muted_spans, speech_engines, voice_turns
from firsthand.speech.engines import SAMPLE_RATE_HZ, Embedding, Sound, sample_to_us
from firsthand.speech.voice_changes import ChangePolicy, Heard, Piece, pauses_in, voice_pieces
from tests.unit.speech.voices import silence, tone

SPEAKERS = Path(__file__).parent / "speakers"
ENGINES = speech_engines(SpeechChoice())


@functools.cache
def sentences(speaker: str) -> tuple[Sound, ...]:
    # Sound without a picture is no recording, so it is read without what reads those.
    with av.open(SPEAKERS / f"{speaker}.m4a") as media:
        blocks = [frame.to_ndarray()[0] for frame in media.decode(audio=0)]
    sound = np.concatenate(blocks)
    loud = np.flatnonzero(np.abs(sound) > 0.02 * np.abs(sound).max())
    breaks = np.flatnonzero(np.diff(loud) > 0.3 * SAMPLE_RATE_HZ)
    firsts, lasts = loud[[0, *(breaks + 1)]], loud[[*breaks, -1]] + 1
    return tuple(sound[first:last] for first, last in zip(firsts, lasts, strict=True))


@functools.cache
def voice_of(speaker: str) -> Embedding:
    return enrol([np.concatenate([silence(0.5), one]) for one in sentences(speaker)[:2]], ENGINES)


def mixed(*parts: tuple[Sound, float]) -> tuple[Sound, list[Span]]:
    """Say each part so many seconds after the one before has ended; return where each lies."""
    begins, end = [], SAMPLE_RATE_HZ
    for sound, after_s in parts:
        begins.append(end + round(after_s * SAMPLE_RATE_HZ))
        end = begins[-1] + len(sound)
    whole = np.zeros(end + SAMPLE_RATE_HZ, np.float32)
    for (sound, _), begin in zip(parts, begins, strict=True):
        whole[begin : begin + len(sound)] += sound
    ends = [begin + len(sound) for (sound, _), begin in zip(parts, begins, strict=True)]
    return whole, [
        Span(sample_to_us(begin), sample_to_us(end))
        for begin, end in zip(begins, ends, strict=True)
    ]


def covered_us(span: Span, spans: list[Span]) -> int:
    shares = (min(span.end_us, one.end_us) - max(span.start_us, one.start_us) for one in spans)
    return sum(max(0, share) for share in shares)


def muted_in(sound: Sound, participant: str) -> list[Span]:
    turns = voice_turns(sound, {"P1": voice_of(participant)}, ENGINES)
    return muted_spans(turns, len(sound) * SECOND_US // SAMPLE_RATE_HZ)


@pytest.mark.parametrize(
    ("participant", "other", "gain"),
    [("kal", "ked", 1.0), ("ked", "espeak", 0.5), ("kal", "espeak", 2.0)],
)
def test_a_participant_who_talks_into_anothers_sentence_is_heard_once_alone(
    participant: str, other: str, gain: float
) -> None:
    own, theirs = sentences(participant)[2], sentences(other)[-1] * np.float32(gain)
    sound, (strange, mine) = mixed((theirs, 0.0), (own, -0.8))
    muted = muted_in(sound, participant)
    assert covered_us(strange, muted) == strange.duration_us
    alone = Span(strange.end_us, mine.end_us)
    # Up to a second at the border goes with the other voice.
    assert covered_us(alone, muted) <= SECOND_US < alone.duration_us


def test_a_short_end_of_a_breath_stays_with_the_participant_who_says_it() -> None:
    after = sentences("kal")[3][: round(1.3 * SAMPLE_RATE_HZ)]
    sound, (strange, mine) = mixed((sentences("espeak")[1], 0.0), (after, 0.05))
    muted = muted_in(sound, "kal")
    assert covered_us(strange, muted) == strange.duration_us
    assert mine.duration_us - covered_us(mine, muted) >= 0.3 * SECOND_US


def test_a_strangers_second_between_two_sentences_is_silenced_and_they_are_not() -> None:
    cut_in = sentences("ked")[2][: round(0.9 * SAMPLE_RATE_HZ)]
    sound, (first, strange, second) = mixed(
        (sentences("kal")[2], 0.0), (cut_in, 0.05), (sentences("kal")[3], 0.05)
    )
    muted = muted_in(sound, "kal")
    assert covered_us(strange, muted) == strange.duration_us
    for own in (first, second):
        assert covered_us(own, muted) <= 1.4 * SECOND_US < own.duration_us


def test_a_pause_is_forty_milliseconds_twenty_decibels_below_the_rest() -> None:
    loud, faint = tone(200, 0.5), tone(200, 0.1) * np.float32(0.05)
    sound = np.concatenate([loud, faint, loud, silence(0.03), loud])
    assert pauses_in(sound, 2_000_000) == [Span(2_500_000, 2_600_000)]


def heard(leads: list[float], pauses: list[Span]) -> Heard:
    """Windows of one second, a tenth of a second apart, in a plane of two voices.

    A lead of 1 is the enrolled voice alone, 0 the other alone.
    """
    angles = (1 - np.array(leads)) * np.pi / 2
    voices = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    windows = [Span(n * 100_000, n * 100_000 + SECOND_US) for n in range(len(leads))]
    span = Span(0, windows[-1].end_us)
    return Heard(span, windows, voices, voices[:, :1], pauses)


def pieces_of(leads: list[float], pauses: list[Span]) -> list[Piece]:
    pieces = voice_pieces(heard(leads, pauses), ChangePolicy())
    assert pieces is not None
    return pieces


OTHER, OWN = [0.0] * 10, [1.0] * 10


def test_borders_give_away_most_of_a_window_and_meet_in_a_pause() -> None:
    first, last = pieces_of(OTHER + OWN, [])
    assert (first.voice, last.voice) == (None, 0)
    assert first.span.end_us == last.span.start_us == 1_000_000 + 900_000
    pause = Span(1_750_000, 1_850_000)
    assert pieces_of(OTHER + OWN, [pause])[1].span == Span(1_750_000, 2_900_000)
    # The last window of their own begins at 0.9 s and ends at 1.9 s.
    first, _ = pieces_of(OWN + OTHER, [pause])
    assert first.span == Span(0, 1_900_000 - 900_000)
    first, _ = pieces_of(OWN + OTHER, [Span(1_050_000, 1_150_000)])
    assert first.span == Span(0, 1_150_000)


@pytest.mark.parametrize(("between", "is_overlap"), [(3, True), (2, False)])
def test_a_long_way_from_one_voice_to_another_is_an_overlap(
    between: int,
    is_overlap: bool,
) -> None:
    pieces = pieces_of(OTHER + [0.45] * between + OWN, [])
    kinds = [(piece.voice, piece.overlapped) for piece in pieces]
    assert kinds == [(None, False), *([(None, True)] if is_overlap else []), (0, False)]
    assert all(one.span.end_us == two.span.start_us for one, two in pairwise(pieces))
    end_us = (19 + between) * 100_000 + SECOND_US
    assert (pieces[0].span.start_us, pieces[-1].span.end_us) == (0, end_us)


def test_a_stretch_without_anybody_else_is_not_cut() -> None:
    assert voice_pieces(heard([1.0, 0.6, 1.0], []), ChangePolicy()) is None

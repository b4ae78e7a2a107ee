"""Cutting long sound at silences and putting the words back on the recording's clock."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.time import SECOND_US, Span
from firsthand.speech.engines import RecognisedWord, Sound
from firsthand.speech.transcription import CuttingPolicy, cut_at_silences, transcribe
from tests.unit.speech.voices import IDENTITY, engines_by_rule, silence, tone

POLICY = CuttingPolicy(longest_us=10 * SECOND_US)


def test_words_come_back_on_the_recordings_clock_without_loss_or_repeat() -> None:
    engines = engines_by_rule()
    sound = np.concatenate([silence(5), tone(200, 6), silence(4), tone(200, 6), silence(2)])
    words = transcribe(sound, engines, 23 * SECOND_US, POLICY)
    assert [word.text for word in words] == [
        *(f"p1w{second}" for second in range(6)),
        *(f"p2w{second}" for second in range(6)),
    ]
    # Speech begins at 5 s and 15 s, and each piece keeps 0.2 s of silence before it.
    assert words[0].begin_us == pytest.approx(4_800_000, abs=100)
    assert words[6].begin_us == pytest.approx(14_800_000, abs=100)


def test_silence_is_never_given_to_the_recogniser() -> None:
    engines = engines_by_rule()
    assert transcribe(silence(20), engines, 20 * SECOND_US) == ()
    assert engines.recogniser.heard_s == []  # type: ignore[attr-defined] # the engine by rule


def test_speech_without_a_pause_is_still_cut() -> None:
    engines = engines_by_rule()
    transcribe(tone(200, 35), engines, 35 * SECOND_US, POLICY)
    assert max(engines.recogniser.heard_s) <= 10.5  # type: ignore[attr-defined] # as above


def test_speech_without_a_pause_is_cut_where_it_is_quietest() -> None:
    # A voice that dips for 0.1 s at 7.3 s, inside the last four seconds of a piece.
    sound = tone(200, 14)
    sound[round(7.25 * 16_000) : round(7.35 * 16_000)] *= 0.01
    engines = engines_by_rule()
    transcribe(sound, engines, 14 * SECOND_US, POLICY)
    first_s, second_s = engines.recogniser.heard_s  # type: ignore[attr-defined] # as above
    assert first_s == pytest.approx(7.3, abs=0.05)
    # The last piece keeps 0.2 s of the margin that there is after the speech: none.
    assert second_s == pytest.approx(14 - 7.3, abs=0.05)


def test_speech_that_goes_on_for_minutes_is_heard_once_from_end_to_end() -> None:
    engines = engines_by_rule()
    # Voice activity is judged five minutes at a time; this voice goes on over that border.
    sound = np.concatenate([silence(290), tone(200, 25), silence(5)])
    words = transcribe(sound, engines, 320 * SECOND_US)
    assert len(engines.recogniser.heard_s) == 1  # type: ignore[attr-defined] # as above
    assert words[0].begin_us == pytest.approx(289_800_000, abs=100)


def test_a_lost_character_never_enters_and_leaves_its_mark() -> None:
    engines = replace(engines_by_rule(), recogniser=Stammering())
    words = transcribe(tone(200, 4), engines, 4 * SECOND_US)
    assert [(word.text, word.mendings) for word in words] == [
        ("今", ()),
        ("天", ("broken_text",)),
        ("气", ()),
    ]


def test_words_that_were_touched_say_why() -> None:
    engines = replace(engines_by_rule(), recogniser=Stammering("b", 9_000_000))
    marks = {word.text: word.mendings for word in transcribe(tone(200, 4), engines, 4 * SECOND_US)}
    assert marks["今"] == ()
    assert set(marks["b"]) & {"untimed", "zero_length"}


class Stammering:
    """Hears three characters, the second in pieces; then perhaps a word at an odd time."""

    identity = IDENTITY
    language = "zh-Hans"

    def __init__(self, odd: str = "", odd_us: int = 0) -> None:
        self.odd = [RecognisedWord(odd, odd_us, odd_us - 1, 1)] if odd else []

    def words(self, sound: Sound) -> tuple[RecognisedWord, ...]:
        heard = [("今", 0), ("天\ufffd", 300), ("\ufffd\ufffd", 400), ("气", 600)]
        timed = [RecognisedWord(text, ms * 1000, (ms + 90) * 1000, 1) for text, ms in heard]
        return (*timed, *self.odd)


gaps = st.lists(st.tuples(st.integers(1, 5_000_000), st.integers(1, 30_000_000)), max_size=10)


@given(gaps)
def test_pieces_hold_all_speech_in_order_without_overlap(lengths: list[tuple[int, int]]) -> None:
    speech, clock_us = [], 0
    for gap_us, spoken_us in lengths:
        speech.append(Span(clock_us + gap_us, clock_us + gap_us + spoken_us))
        clock_us = speech[-1].end_us
    pieces = cut_at_silences(tuple(speech), POLICY)
    assert all(before.end_us <= after.start_us for before, after in itertools.pairwise(pieces))
    for span in speech:
        held_us = sum(
            max(0, min(span.end_us, piece.end_us) - max(span.start_us, piece.start_us))
            for piece in pieces
        )
        assert held_us == span.duration_us
    longest_us = POLICY.longest_us + 2 * POLICY.margin_us
    assert all(piece.duration_us <= longest_us for piece in pieces)

"""Whose voice: judged with an encoder and a voice activity that answer by rule."""

import numpy as np
import pytest

from firsthand.core.time import Span
from firsthand.speech.attribution import (
    SpokenWord,
    muted_spans,
    redacted,
    utterances,
    words_with_speakers,
)
from firsthand.speech.engines import RecognisedWord, Sound, Timing
from firsthand.speech.speakers import BYSTANDER, EnrolmentError, VoiceTurn, enrol, voice_turns
from tests.unit.speech.voices import engines_by_rule, silence, tone

ENGINES = engines_by_rule()
ME_HZ, OTHER_HZ = 200, 800
P1 = {"P1": np.array([1.0, 0.0], np.float32)}


def turns_of(*pieces: Sound) -> tuple[VoiceTurn, ...]:
    return voice_turns(np.concatenate(pieces), P1, ENGINES)


def test_an_enrolled_voice_is_the_mean_of_its_pieces() -> None:
    voice = enrol([tone(ME_HZ, 1.0), silence(1), tone(ME_HZ, 1.0)], ENGINES)
    assert voice == pytest.approx([1.0, 0.0], abs=1e-3)


def test_too_little_speech_enrols_nobody() -> None:
    with pytest.raises(EnrolmentError, match=r"1\.0 s of speech"):
        enrol([tone(ME_HZ, 1.0), silence(5)], ENGINES)


def test_the_participant_stays_and_everybody_else_is_a_bystander() -> None:
    turns = turns_of(silence(0.5), tone(ME_HZ, 2), silence(1), tone(OTHER_HZ, 2))
    assert [(turn.speaker, turn.consented) for turn in turns] == [("P1", True), (BYSTANDER, False)]
    assert turns[0].similarity == pytest.approx(1.0, abs=1e-3)
    assert turns[1].similarity == pytest.approx(0.0, abs=1e-2)
    assert (turns[0].begin_us, turns[0].end_us) == pytest.approx((500_000, 2_500_000), abs=1_000)


def test_without_an_enrolled_voice_everybody_is_a_bystander() -> None:
    (turn,) = voice_turns(tone(ME_HZ, 2), {}, ENGINES)
    assert (turn.speaker, turn.similarity, turn.consented) == (BYSTANDER, None, False)


def test_silence_has_no_turns() -> None:
    assert turns_of(silence(3)) == ()


def test_a_change_of_voice_without_a_pause_is_found_on_the_safe_side() -> None:
    turns = turns_of(tone(ME_HZ, 4), tone(OTHER_HZ, 4))
    assert [turn.speaker for turn in turns] == ["P1", BYSTANDER, BYSTANDER]
    assert [turn.overlapped for turn in turns] == [False, True, False]
    # The bystander never begins late: all of their four seconds are theirs.
    assert 4_000_000 - 1_600_000 <= turns[1].begin_us <= 4_000_000
    assert turns[0].end_us == turns[1].begin_us


def test_a_short_piece_that_is_the_participant_by_itself_stays() -> None:
    turns = turns_of(tone(OTHER_HZ, 2), silence(0.5), tone(ME_HZ, 0.5))
    assert [turn.speaker for turn in turns] == [BYSTANDER, "P1"]


def both_voices(seconds: float) -> Sound:
    return tone(ME_HZ, seconds) + tone(OTHER_HZ, seconds)


def test_a_short_doubtful_piece_follows_neighbours_that_agree() -> None:
    turns = turns_of(tone(ME_HZ, 2), silence(0.5), both_voices(0.5), silence(0.5), tone(ME_HZ, 2))
    assert [(turn.speaker, turn.similarity is None) for turn in turns] == [
        ("P1", False),
        ("P1", True),
        ("P1", False),
    ]


@pytest.mark.parametrize("after_hz", [OTHER_HZ, None])
def test_a_short_doubtful_piece_between_two_voices_or_alone_is_a_bystander(
    after_hz: int | None,
) -> None:
    if after_hz is None:
        turns = turns_of(silence(2), both_voices(0.5))
        assert [turn.speaker for turn in turns] == [BYSTANDER]
    else:
        pieces = (tone(ME_HZ, 2), silence(0.5), both_voices(0.5), silence(0.5), tone(after_hz, 2))
        assert [turn.speaker for turn in turns_of(*pieces)] == ["P1", BYSTANDER, BYSTANDER]


def turn(begin_ms: int, end_ms: int, speaker: str) -> VoiceTurn:
    return VoiceTurn(begin_ms * 1000, end_ms * 1000, speaker, 0.9, consented=speaker == "P1")


def word(text: str, begin_ms: int, end_ms: int) -> RecognisedWord:
    return RecognisedWord(text, begin_ms * 1000, end_ms * 1000, 0.9, Timing.ALIGNED)


TURNS = (turn(0, 1000, "P1"), turn(1000, 2000, BYSTANDER), turn(3000, 4000, "P1"))


def test_speech_without_consent_is_muted_with_margins_inside_the_recording() -> None:
    assert muted_spans(TURNS, 10_000_000) == [Span(900_000, 2_100_000)]
    assert muted_spans([turn(0, 50, BYSTANDER), turn(120, 500, BYSTANDER)], 550_000) == [
        Span(0, 550_000)
    ]


def test_a_bystanders_word_is_muted_where_voice_activity_missed_it() -> None:
    words = [SpokenWord(word("hello", 6000, 6400), BYSTANDER)]
    assert muted_spans(TURNS, 10_000_000, words) == [
        Span(900_000, 2_100_000),
        Span(5_900_000, 6_500_000),
    ]


def test_a_word_belongs_to_the_turn_it_shares_most_time_with_or_the_nearest() -> None:
    words = [word("a", 900, 1050), word("b", 950, 1300), word("c", 2700, 2900)]
    assert [item.speaker for item in words_with_speakers(words, TURNS)] == ["P1", BYSTANDER, "P1"]
    assert words_with_speakers(words[:1], ()) == (SpokenWord(words[0], BYSTANDER),)


def test_words_that_touch_a_muted_span_lose_their_text_and_keep_their_times() -> None:
    spoken = words_with_speakers([word("a", 500, 901), word("b", 100, 900)], TURNS)
    gone, kept = redacted(spoken, [Span(900_000, 2_100_000)])
    assert (gone.word.text, gone.redacted, gone.word.begin_us) == ("", True, 500_000)
    assert (kept.word.text, kept.redacted) == ("b", False)


def test_a_bystanders_words_are_redacted_even_outside_muted_spans() -> None:
    (gone,) = redacted([SpokenWord(word("secret", 1, 2), BYSTANDER)], [])
    assert gone.redacted
    assert not gone.word.text


def test_utterances_end_at_pauses_full_stops_and_changes_of_speaker() -> None:
    words = (
        SpokenWord(word("One", 0, 100), "P1"),
        SpokenWord(word("two.", 200, 300), "P1"),
        SpokenWord(word("Three", 400, 500), "P1"),
        SpokenWord(word("", 600, 700), BYSTANDER, redacted=True),
        SpokenWord(word("Four", 800, 900), "P1"),
        SpokenWord(word("five", 1600, 1700), "P1"),
    )
    runs = utterances(words, "en")
    assert [run.text for run in runs] == ["One two.", "Three", "", "Four", "five"]
    assert [run.redacted for run in runs] == [False, False, True, False, False]
    assert (runs[0].begin_us, runs[0].end_us, runs[0].language) == (0, 300_000, "en")


def test_chinese_utterances_have_no_spaces() -> None:
    words = [SpokenWord(word("我们", 0, 100), "P1"), SpokenWord(word("测试", 100, 200), "P1")]
    assert utterances(words, "zh-Hans")[0].text == "我们测试"

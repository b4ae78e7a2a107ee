"""Word times that engines got wrong, as seen in the field and by law."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.spoken_text import join_words
from firsthand.core.time import SECOND_US, s_to_us
from firsthand.speech.engines import RecognisedWord, Timing
from firsthand.speech.sanitising import Mending, SaneWords, sane_words

CASES = Path(__file__).parents[2] / "cases"
OUT_OF_ORDER = json.loads((CASES / "35-word-times-out-of-order/words.json").read_text("utf-8"))
CHINESE = json.loads((CASES / "37-chinese-word-splits/words.json").read_text("utf-8"))


Case35 = dict[str, tuple[RecognisedWord, frozenset[Mending]]]


def heard(text: str, begin_s: float, end_s: float) -> RecognisedWord:
    return RecognisedWord(text, s_to_us(begin_s), s_to_us(end_s), 0.9)


@pytest.fixture
def case_35() -> Case35:
    words = [heard(item["w"], item["start"], item["end"]) for item in OUT_OF_ORDER["words"]]
    sane = sane_words(words, s_to_us(OUT_OF_ORDER["audio_seconds"]))
    return {word.text: (word, why) for word, why in zip(sane.words, sane.mendings, strict=True)}


def test_35_no_word_is_lost(case_35: Case35) -> None:
    assert set(case_35) == {item["w"] for item in OUT_OF_ORDER["words"]}


@pytest.mark.parametrize("text", ["and", "now"])
def test_35_a_word_without_usable_times_is_filled_and_says_so(case_35: Case35, text: str) -> None:
    word, why = case_35[text]
    assert word.timing is Timing.FILLED
    assert Mending.UNTIMED in why


def test_35_a_lengthless_word_is_widened_to_at_most_20_ms(case_35: Case35) -> None:
    word, why = case_35["then"]
    assert (word.begin_us, word.end_us) == (5_000_000, 5_020_000)
    assert Mending.ZERO_LENGTH in why


def test_35_overlapping_words_become_monotonic(case_35: Case35) -> None:
    put, why = case_35["put"]
    assert put.end_us == case_35["it"][0].begin_us == 5_500_000
    assert Mending.OVERLAPPING in why


@pytest.mark.parametrize(("text", "span_s"), [("there", (29.5, 30.0)), ("um", (0.0, 0.3))])
def test_35_small_overruns_are_cut(case_35: Case35, text: str, span_s: tuple[float, float]) -> None:
    word, why = case_35[text]
    assert (word.begin_us, word.end_us) == tuple(s_to_us(moment_s) for moment_s in span_s)
    assert Mending.CLAMPED in why
    assert word.timing is Timing.RECOGNISED


def test_35_a_word_stretched_over_silence_is_not_trusted(case_35: Case35) -> None:
    word, why = case_35["pense"]
    assert word.timing is Timing.FILLED
    assert Mending.STRETCHED in why
    assert word.end_us - word.begin_us < 2 * SECOND_US


def test_35_words_come_in_order_of_onset(case_35: Case35) -> None:
    onsets = [word.begin_us for word, _ in case_35.values()]
    assert onsets == sorted(onsets)


def chinese(variant: str, language: str = "zh") -> SaneWords:
    words = [heard(item["word"], item["start"], item["end"]) for item in CHINESE[variant]]
    return sane_words(words, 5 * SECOND_US, language)


def test_37_a_clause_in_place_of_a_word_is_marked() -> None:
    sane = chinese("words_bad_a")
    assert all(Mending.CLAUSE in why for why in sane.mendings)
    assert {word.timing for word in sane.words} == {Timing.FILLED}


def test_37_broken_characters_are_merged_and_marked() -> None:
    sane = chinese("words_bad_b")
    assert [word.text for word in sane.words] == ["今", "天\ufffd", "气"]
    broken = sane.words[1]
    assert (broken.begin_us, broken.end_us, broken.confidence) == (200_000, 400_000, 0.0)
    assert sane.mendings[1] == {Mending.BROKEN_TEXT}


@pytest.mark.parametrize("language", ["zh", "zh-CN", "zh-Hans", "yue"])
def test_37_chinese_words_join_without_spaces(language: str) -> None:
    sane = chinese("words_ok", language)
    assert join_words((word.text for word in sane.words), language) == CHINESE["text"]


def test_37_punctuation_carries_no_time_and_words_keep_theirs() -> None:
    sane = chinese("words_ok")
    by_text = {word.text: (word.begin_us, word.end_us) for word in sane.words}
    assert by_text["好，"] == (900_000, 1_200_000)
    assert by_text["测试"] == (2_700_000, 3_000_000)


def test_foreign_names_keep_their_space_in_chinese() -> None:
    assert join_words(["我", "用", "Visual", "Studio", "写"], "zh") == "我用Visual Studio写"


def test_english_words_join_with_spaces_and_redacted_ones_leave_none() -> None:
    assert join_words(["put", "", "it"], "en-GB") == "put it"


def test_a_number_may_take_as_long_as_its_digits() -> None:
    sane = sane_words([heard("5550142", 1.0, 4.0)], 10 * SECOND_US)
    assert sane.words[0].timing is Timing.RECOGNISED


def test_untimed_words_share_the_gap_between_their_neighbours() -> None:
    words = [heard("a", 1, 1.5), heard("b", 9, 8), heard("c", 9, 8), heard("d", 1.7, 2)]
    filled = sane_words(words, 3 * SECOND_US).words[1:3]
    assert [(word.begin_us, word.end_us) for word in filled] == [
        (1_500_000, 1_600_000),
        (1_600_000, 1_700_000),
    ]


def test_a_recording_needs_a_duration() -> None:
    with pytest.raises(ValueError, match="positive"):
        sane_words([], 0)


def words_of(letters: str) -> st.SearchStrategy[list[RecognisedWord]]:
    word = st.builds(
        RecognisedWord,
        text=st.text(letters, max_size=6),
        begin_us=st.integers(-5_000_000, 40_000_000),
        end_us=st.integers(-5_000_000, 40_000_000),
        confidence=st.floats(0, 1),
        timing=st.sampled_from(Timing),
    )
    return st.lists(word, max_size=12)


any_words = words_of("ab,。今\ufffd ")
# Broken characters are merged with what was said before them, which sorting may change.
whole_words = words_of("ab,。今 ")
any_duration = st.integers(1, 30_000_000)


@given(any_words, any_duration, st.sampled_from(["en", "zh"]))
def test_sane_words_lie_in_order_inside_the_recording(
    words: list[RecognisedWord], duration_us: int, language: str
) -> None:
    sane = sane_words(words, duration_us, language)
    onsets = [word.begin_us for word in sane.words]
    assert onsets == sorted(onsets)
    assert all(0 <= word.begin_us < word.end_us <= duration_us for word in sane.words)
    assert len(sane.mendings) == len(sane.words)


@given(whole_words, any_duration)
def test_sane_words_are_left_alone(words: list[RecognisedWord], duration_us: int) -> None:
    once = sane_words(words, duration_us).words
    assert sane_words(once, duration_us).words == once


@given(any_words, any_duration)
def test_no_letter_is_lost(words: list[RecognisedWord], duration_us: int) -> None:
    def letters(some: Sequence[RecognisedWord]) -> list[str]:
        return sorted(char for word in some for char in word.text if char.isalnum())

    assert letters(sane_words(words, duration_us).words) == letters(words)

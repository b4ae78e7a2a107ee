"""Spoken numbers and listed names are covered by the times of their words."""

import pytest

from firsthand.core.time import Span
from firsthand.speech.attribution import SpokenWord, lost_speech, redacted
from firsthand.speech.engines import RecognisedWord, Timing
from firsthand.speech.private_speech import PrivateSpeech, private_spans
from firsthand.speech.speakers import BYSTANDER

MS = 1_000
NUMBERS = PrivateSpeech(numbers=True)


def said(text: str, speaker: str = "p1") -> list[SpokenWord]:
    """Words of 300 ms with 100 ms of pause between them, from 1 s on."""
    return [
        SpokenWord(
            RecognisedWord(
                word,
                (1_000 + 400 * number) * MS,
                (1_300 + 400 * number) * MS,
                1.0,
                Timing.ALIGNED,
            ),
            speaker,
        )
        for number, word in enumerate(text.split())
    ]


def left(text: str, wanted: PrivateSpeech) -> str:
    words = said(text)
    kept = redacted(words, private_spans(words, wanted))
    return " ".join(item.word.text or "–" for item in kept)


def test_nothing_is_taken_out_unless_it_is_asked_for() -> None:
    assert private_spans(said("call zero three zero five five five"), PrivateSpeech()) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("my number is five five five one two three thanks", "my number is – – – – – – thanks"),
        ("dial 030 555 0199. now", "dial – – – now"),
        ("dial 555-0142 now", "dial – now"),
        ("the code is twenty, oh seven, double four please", "the code is – – – – – please"),
        ("two cups and three spoons", "two cups and three spoons"),
        ("it was 1984 then", "it was 1984 then"),
        ("一 三 八 零 零 一 打 给 我", "– – – – – – 打 给 我"),
    ],
)
def test_runs_of_five_digits_or_more_are_private(text: str, kept: str) -> None:
    assert left(text, NUMBERS) == kept


def test_listed_names_are_taken_out_whole_in_any_case_and_with_a_possessive() -> None:
    names = PrivateSpeech(names=("Eva", "Robin Berg"))
    assert left("that is eva's cup, robin Berg. Robin left", names) == (
        "that is – cup, – – Robin left"
    )


def test_a_word_is_covered_with_half_of_its_pauses_and_its_neighbours_keep_their_text() -> None:
    words = said("hello Eva again")
    (span,) = private_spans(words, PrivateSpeech(names=("Eva",)))
    # The word lies at 1.4 to 1.7 s, with pauses of 0.1 s: 0.05 s of each.
    assert span == Span(1_350 * MS, 1_750 * MS)
    (alone,) = private_spans(said("Eva"), PrivateSpeech(names=("Eva",)))
    assert alone == Span(920 * MS, 1_380 * MS)


def test_a_word_without_times_of_its_own_is_covered_wherever_it_may_lie() -> None:
    hello, eva, again = said("hello Eva again")
    filled = SpokenWord(
        RecognisedWord("Eva", eva.word.begin_us, eva.word.end_us, 1.0, Timing.FILLED), "p1"
    )
    spans = private_spans([hello, filled, again], PrivateSpeech(names=("Eva",)))
    assert spans == [Span(1_300 * MS, 1_800 * MS)]


def test_what_participants_lose_to_a_bystander_is_recorded() -> None:
    own, (other,) = said("one two three"), said("loud", BYSTANDER)
    assert lost_speech([], [*own, other], [Span(1_200 * MS, 1_500 * MS)]) == [
        Span(1_200 * MS, 1_300 * MS),
        Span(1_400 * MS, 1_500 * MS),
    ]

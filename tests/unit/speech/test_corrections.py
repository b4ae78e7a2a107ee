"""What people say of words and voices stands in the place of what the machine heard."""

from typing import Any, cast

from firsthand.core.identity import Json
from firsthand.curation.transcript_items import (
    edit_of_text,
    transcript_items,
    utterance_reviews,
)
from firsthand.speech.attribution import SpokenWord, utterances
from firsthand.speech.corrections import corrected_turns, corrected_words
from firsthand.speech.engines import RecognisedWord, Timing
from firsthand.speech.rows import utterance_rows, word_rows
from firsthand.speech.speakers import BYSTANDER, VoiceTurn
from tests.unit.curation.deciding import changes, decides

END_US = 3_000_000


def spoken(text: str, begin_ms: int, speaker: str = "p1") -> SpokenWord:
    word = RecognisedWord(
        text, begin_ms * 1_000, (begin_ms + 200) * 1_000, 0.7, Timing.ALIGNED, ("clamped",)
    )
    return SpokenWord(word, speaker)


WORDS = (
    spoken("Take", 0),
    spoken("the", 300),
    spoken("read", 600),
    spoken("cup.", 900),
    spoken("No.", 1_300, BYSTANDER),
    spoken("Now", 2_800),
)


def rows() -> tuple[list[dict[str, Json]], list[dict[str, Json]]]:
    runs = utterance_rows("p1", "rec", utterances(WORDS, "en"))
    words = word_rows("p1", "rec", WORDS, "engine")
    return cast("Any", runs), cast("Any", words)


def after(*decided: Any) -> tuple[SpokenWord, ...]:
    return corrected_words(WORDS, utterance_reviews(*rows(), decided), END_US)


def test_what_a_bystander_said_is_put_before_nobody() -> None:
    assert [item.item_id for item in transcript_items(*rows())] == ["rec/0", "rec/2800000"]


def test_nothing_decided_changes_nothing() -> None:
    assert after() == WORDS


def test_a_corrected_word_is_certain_and_the_others_keep_all_they_had() -> None:
    first, _ = transcript_items(*rows())
    corrected = after(*changes(first, **edit_of_text(first, "Take the red cup.")))
    assert [item.word.text for item in corrected] == ["Take", "the", "red", "cup.", "No.", "Now"]
    assert [item.revision for item in corrected] == [1, 1, 1, 1, 0, 0]
    assert corrected[0].word == WORDS[0].word
    assert corrected[2].word == RecognisedWord("red", 600_000, 800_000, 1.0, Timing.FILLED)
    assert [item.speaker for item in corrected] == [item.speaker for item in WORDS]


def test_what_nobody_said_goes_and_the_rest_stays() -> None:
    first, _ = transcript_items(*rows())
    assert after(decides(first, "reject")) == WORDS[4:]


def test_no_corrected_word_lies_outside_the_recording() -> None:
    _, last = transcript_items(*rows())
    corrected = after(*changes(last, **edit_of_text(last, "Now then go")))
    assert [item.word.text for item in corrected[-3:]] == ["Now", "then", "go"]
    assert all(0 <= item.word.begin_us < item.word.end_us <= END_US for item in corrected)


def test_a_voice_that_people_named_is_consented_only_as_the_participants() -> None:
    turns = [VoiceTurn(0, 5, "p1", 0.9, True), VoiceTurn(9, 15, BYSTANDER, 0.7, False)]
    first, second = corrected_turns(turns, {0: BYSTANDER, 9: "p1"})
    assert (first.speaker, first.consented) == (BYSTANDER, False)
    assert (second.speaker, second.consented) == ("p1", True)
    assert corrected_turns(turns, {}) == tuple(turns)

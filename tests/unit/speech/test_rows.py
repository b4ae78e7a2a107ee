"""Rows fit the declared tables."""

from firsthand.speech.attribution import SpokenWord, Utterance
from firsthand.speech.engines import RecognisedWord, Timing
from firsthand.speech.rows import speaker_rows, utterance_rows, word_rows
from firsthand.speech.speakers import BYSTANDER, VoiceTurn
from firsthand.store.table import table_from_rows
from firsthand.store.tables import SPEAKERS, UTTERANCES, WORDS


def test_words_fit_their_table() -> None:
    words = [
        SpokenWord(RecognisedWord("put", 0, 10, 0.5, Timing.ALIGNED), "P1"),
        SpokenWord(RecognisedWord("", 10, 20, 0.5, Timing.FILLED), BYSTANDER, redacted=True),
    ]
    table = table_from_rows(WORDS, word_rows("P1", "r", words, "faster_whisper"))
    assert table["word_index"].to_pylist() == [0, 1]
    assert table["timing"].to_pylist() == ["aligned", "filled"]
    assert table["redacted"].to_pylist() == [False, True]


def test_utterances_fit_their_table() -> None:
    spoken = [Utterance(0, 20, "P1", "put it", "en", redacted=False)]
    table = table_from_rows(UTTERANCES, utterance_rows("P1", "r", spoken))
    assert table["text"].to_pylist() == ["put it"]


def test_voice_turns_fit_their_table_with_and_without_similarity() -> None:
    turns = [
        VoiceTurn(0, 5, "P1", 0.9, consented=True),
        VoiceTurn(5, 9, BYSTANDER, None, consented=False),
    ]
    table = table_from_rows(SPEAKERS, speaker_rows("P1", "r", turns))
    assert table["similarity"].to_pylist() == [0.9, None]
    assert table["consented"].to_pylist() == [True, False]

"""A text and what an aligner found of it, as words of which none is lost."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from firsthand.core.spoken_text import split_words
from firsthand.speech.engines import RecognisedWord, Timing

__all__ = ["AlignedPiece", "HeardText", "spread_words", "words_of_text"]


@dataclass(frozen=True, slots=True)
class AlignedPiece:
    """A part of a text with its times: a word, or a character where words have no spaces.

    Args:
        text: The part; joined without spaces, all parts are the text without spaces.
        begin_us: Onset; None if the aligner could not find it.
        end_us: End; None likewise.
        score: The aligner's mean probability of its characters; None if it has none.
    """

    text: str
    begin_us: int | None
    end_us: int | None
    score: float | None


@dataclass(frozen=True, slots=True)
class HeardText:
    """What a recogniser heard in a stretch of sound.

    Args:
        text: All of it.
        begin_us: Begin of the stretch.
        end_us: End of the stretch, after the begin.
        confidence: The recogniser's mean probability of it.
        language: BCP 47 tag, which decides what a word is.
    """

    text: str
    begin_us: int
    end_us: int
    confidence: float
    language: str


def words_of_text(heard: HeardText, pieces: Sequence[AlignedPiece]) -> list[RecognisedWord]:
    """Return the words of a text in spoken order.

    A word takes the times of the pieces that it is made of. Without any it has none, which
    `sane_words` mends; if the pieces are not the text, its words share the stretch, `filled`.
    """
    texts = split_words(heard.text, heard.language)
    if _unspaced(heard.text) != "".join(_unspaced(piece.text) for piece in pieces):
        return list(spread_words(texts, heard.begin_us, heard.end_us, heard.confidence))
    by_character = [piece for piece in pieces for _ in _unspaced(piece.text)]
    words, first = [], 0
    for text in texts:
        last = first + len(_unspaced(text))
        words.append(_word(text, by_character[first:last], heard.confidence))
        first = last
    return words


def spread_words(
    texts: Sequence[str], begin_us: int, end_us: int, confidence: float
) -> tuple[RecognisedWord, ...]:
    """Return words that share a stretch in equal parts and are marked `filled`."""
    length_us = end_us - begin_us
    borders = [
        begin_us + length_us * number // max(1, len(texts)) for number in range(len(texts) + 1)
    ]
    return tuple(
        RecognisedWord(text, first_us, last_us, confidence, Timing.FILLED)
        for text, (first_us, last_us) in zip(texts, pairwise(borders), strict=True)
    )


def _unspaced(text: str) -> str:
    return "".join(text.split())


def _word(text: str, pieces: Sequence[AlignedPiece], confidence: float) -> RecognisedWord:
    # Times without a score are copied from a neighbour: they say nothing.
    found = [
        (piece.begin_us, piece.end_us, piece.score)
        for piece in pieces
        if piece.begin_us is not None and piece.end_us is not None and piece.score is not None
    ]
    if not found:
        return RecognisedWord(text, 0, -1, confidence, Timing.FILLED)
    return RecognisedWord(
        text,
        min(begin_us for begin_us, _, _ in found),
        max(end_us for _, end_us, _ in found),
        sum(score for _, _, score in found) / len(found),
        Timing.ALIGNED,
    )

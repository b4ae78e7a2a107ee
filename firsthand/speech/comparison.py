"""Words against a reference: how many are wrong, and how far their onsets are off."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from firsthand.core.errors import DataFileError
from firsthand.core.spoken_text import split_words

__all__ = ["ComparedWord", "WordErrors", "compared_words", "word_errors"]

_NOT_IN_WORDS = re.compile(r"[^\w']+|_+")


@dataclass(frozen=True, slots=True)
class ComparedWord:
    """A word of one side.

    Args:
        text: In lower case, without punctuation; of Chinese, one character.
        begin_us: Its onset; None where only the begin of a longer text is known.
    """

    text: str
    begin_us: int | None


@dataclass(frozen=True, slots=True)
class WordErrors:
    """What an alignment of two sequences of words found.

    Args:
        reference_words: Words that were spoken.
        substitutions: Words heard as others.
        deletions: Words that were not heard.
        insertions: Words that nobody said.
        onset_errors_ms: Heard minus true onset of words that are the same on both sides and
            whose onset both know.
    """

    reference_words: int
    substitutions: int
    deletions: int
    insertions: int
    onset_errors_ms: tuple[float, ...]

    @property
    def word_error_rate(self) -> float:
        """Edits per spoken word; may exceed 1."""
        return (self.substitutions + self.deletions + self.insertions) / self.reference_words

    @property
    def onset_error_ms(self) -> float | None:
        """Median distance of onsets; None if no onset can be compared."""
        if not self.onset_errors_ms:
            return None
        return float(np.median(np.abs(self.onset_errors_ms)))


def compared_words(text: str, begin_us: int, language: str) -> Iterator[ComparedWord]:
    """Yield the words of a text of which only the begin is known, for comparison."""
    onset_us: int | None = begin_us
    for word in split_words(text.lower(), language):
        # An apostrophe belongs to a word, a hyphen parts two.
        for part in _NOT_IN_WORDS.split(word):
            if part.strip("'"):
                yield ComparedWord(part.strip("'"), onset_us)
                onset_us = None


def word_errors(
    reference: Sequence[ComparedWord], hypothesis: Sequence[ComparedWord]
) -> WordErrors:
    """Align two sequences of words with the fewest edits.

    Raises:
        DataFileError: If nothing was spoken: a rate then has no denominator.
    """
    import jiwer

    if not reference:
        raise DataFileError(
            "the reference", "no word", "at least one spoken word", "Name another reference."
        )
    aligned = jiwer.process_words(
        " ".join(word.text for word in reference), " ".join(word.text for word in hypothesis)
    )
    pairs = [
        (reference[chunk.ref_start_idx + n].begin_us, hypothesis[chunk.hyp_start_idx + n].begin_us)
        for chunk in aligned.alignments[0]
        if chunk.type == "equal"
        for n in range(chunk.ref_end_idx - chunk.ref_start_idx)
    ]
    return WordErrors(
        len(reference),
        aligned.substitutions,
        aligned.deletions,
        aligned.insertions,
        tuple(
            (heard_us - true_us) / 1_000
            for true_us, heard_us in pairs
            if true_us is not None and heard_us is not None
        ),
    )

"""Marks belong to words: punctuation is not spoken, and has no times of its own."""

from collections.abc import Sequence
from dataclasses import replace

from firsthand.speech.engines import RecognisedWord

__all__ = ["without_loose_marks"]


def without_loose_marks(words: Sequence[RecognisedWord]) -> list[RecognisedWord]:
    """Return the words with punctuation attached to the word before it.

    Punctuation is not spoken, so its times are given up. Marks before the first word
    go to that word; words without any text vanish; marks alone make no word.
    """
    kept: list[RecognisedWord] = []
    leading = ""
    for word in words:
        text = word.text.strip()
        if any(character.isalnum() or character == "\ufffd" for character in text):
            kept.append(replace(word, text=leading + text))
            leading = ""
        elif kept:
            kept[-1] = replace(kept[-1], text=kept[-1].text + text)
        else:
            leading += text
    return kept

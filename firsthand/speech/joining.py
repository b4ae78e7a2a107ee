"""How words become a text: with spaces, or without where the language writes none."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from firsthand.speech.engines import RecognisedWord

__all__ = ["join_words", "joins_without_spaces", "without_loose_marks"]

_UNSPACED = frozenset({"zh", "yue", "wuu", "cmn", "nan", "ja", "th", "lo", "km", "my"})


def joins_without_spaces(language: str) -> bool:
    """Whether the language writes no space between words.

    The primary subtag of the BCP 47 tag decides: `zh`, `zh-CN`, `zh-Hans` and `yue` alike.
    """
    return language.replace("_", "-").split("-")[0].lower() in _UNSPACED


def join_words(texts: Iterable[str], language: str) -> str:
    """Return the words as one text; empty words leave no trace.

    In a language without spaces, one is still put between two words in ASCII letters
    or digits, since a name of two foreign words would otherwise run together.
    """
    kept = [text for text in texts if text]
    if not joins_without_spaces(language):
        return " ".join(kept)
    joined = ""
    for text in kept:
        joined += f" {text}" if _both_foreign(joined, text) else text
    return joined


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


def _both_foreign(before: str, after: str) -> bool:
    return (
        bool(before)
        and before[-1].isascii()
        and before[-1].isalnum()
        and after[0].isascii()
        and after[0].isalnum()
    )

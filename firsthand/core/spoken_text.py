"""How words become a text and back: with spaces, or without where none are written."""

from collections.abc import Iterable

__all__ = ["join_words", "joins_without_spaces", "split_words"]

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


def split_words(text: str, language: str) -> list[str]:
    """Return the words of a text that a person wrote, each with the marks that follow it.

    In a language without spaces every character is a word of its own, but a run of ASCII
    letters and digits is one word. Marks before the first word go to that word; a text of
    marks alone has no word.
    """
    pieces: list[str] = []
    for run in text.split():
        pieces += _characters(run) if joins_without_spaces(language) else [run]
    words: list[str] = []
    leading = ""
    for piece in pieces:
        if any(character.isalnum() for character in piece):
            words.append(leading + piece)
            leading = ""
        elif words:
            words[-1] += piece
        else:
            leading += piece
    return words


def _characters(run: str) -> list[str]:
    found: list[str] = []
    for character in run:
        if found and _both_foreign(found[-1], character):
            found[-1] += character
        else:
            found.append(character)
    return found


def _both_foreign(before: str, after: str) -> bool:
    return (
        bool(before)
        and before[-1].isascii()
        and before[-1].isalnum()
        and after[0].isascii()
        and after[0].isalnum()
    )

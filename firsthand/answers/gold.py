"""Gold answers as the question files hold them: lists, letters, wordings, truths, numbers."""

import re

from firsthand.answers.truth import FALSE_WORDS, TRUE_WORDS
from firsthand.core.errors import DataFileError

__all__ = ["gold_letters", "gold_texts", "gold_truth"]

_LABELLED = re.compile(r"\s*[(\[]?([A-Z])\s*[.、:)\]\uff0e\uff1a\uff09]")
_LETTERS_ALONE = re.compile(r"[\sA-Z,、;/&+|()\[\]\"']*")


def gold_texts(value: object) -> tuple[str, ...]:
    """Return a gold answer as texts, whether its file holds a list, text, truth or number."""
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return tuple(str(part) for part in value)
    return (str(value),)


def gold_letters(gold: tuple[str, ...]) -> set[str]:
    """Return the letters that a gold answer names: "A", "A,C" or "A. its wording".

    Raises:
        DataFileError: If it names none.
    """
    letters: set[str] = set()
    for text in gold:
        upper = text.strip().upper()
        labelled = _LABELLED.match(upper)
        if labelled is None and not _LETTERS_ALONE.fullmatch(upper):
            raise _gold_error("letters on offer, alone or before the option's text")
        letters.update([labelled[1]] if labelled else re.findall("[A-Z]", upper))
    if not letters:
        raise _gold_error("at least one letter")
    return letters


def gold_truth(gold: tuple[str, ...]) -> str:
    """Return "true" or "false", as a gold answer says.

    Raises:
        DataFileError: If it says neither, or both.
    """
    words = {text.strip().lower() for text in gold}
    is_true, is_false = bool(words & TRUE_WORDS), bool(words & FALSE_WORDS)
    if is_true is is_false:
        raise _gold_error("one word of truth (true, false, 对, 错, …)")
    return "true" if is_true else "false"


def _gold_error(expected: str) -> DataFileError:
    return DataFileError(
        "gold answer", "something else", expected, "Correct the question's answer."
    )

"""Words of a question or an option, for comparing wordings."""

import re

__all__ = ["STOP_WORDS", "content_words", "normal_text", "word_overlap"]

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[㐀-鿿]")

_STOP_TEXT = (
    "a about after again all also an and any are as at be been before being but by can could "
    "did do does during each for from had has have he her his how i in into is it its just "
    "me more most my no nor not now of off on once only or other our out over own same she so "
    "some such than that the their them then there these they this those through to too under "
    "until up was we were what when where which while who whom whose why will with would you "
    "your wearer following "
    "above across along around behind below beneath beside between inside near next onto "
    "outside toward towards"
)

STOP_WORDS = frozenset(_STOP_TEXT.split())
"""Words that carry no subject, prepositions among them; `wearer` is in every question."""


def normal_text(text: str) -> str:
    """Return the words in order, lower case, one space apart; Chinese by character."""
    return " ".join(_WORD.findall(text.lower()))


def content_words(text: str) -> frozenset[str]:
    """Return the words that carry a subject."""
    return frozenset(_WORD.findall(text.lower())) - STOP_WORDS


def word_overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Return shared words per word of either, in [0, 1]; two empty sets are alike (1)."""
    union = first | second
    return len(first & second) / len(union) if union else 1.0

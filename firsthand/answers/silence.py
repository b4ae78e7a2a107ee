"""Silence, said in a word: how a model that must reply says that it has no answer yet."""

__all__ = ["SILENCE", "is_silence"]

SILENCE = "WAIT"
"""The one word that stands for saying nothing."""


def is_silence(text: str) -> bool:
    """Whether a reply is the word for silence and nothing else, however it is set.

    A reply that only mentions the word among others is something said.
    """
    return "".join(filter(str.isalpha, text)).casefold() == SILENCE.casefold()

"""Silence is one word, however it is set; an answer that mentions it is an answer."""

import pytest

from firsthand.answers.silence import is_silence


@pytest.mark.parametrize("text", ["WAIT", "wait.", " **Wait** \n", "“WAIT”", "W.A.I.T."])
def test_the_word_alone_is_silence(text: str) -> None:
    assert is_silence(text)


@pytest.mark.parametrize("text", ["", "Wait, it is B.", "B", "I would WAIT", "等", "A: WAIT"])
def test_whatever_else_is_said_is_said(text: str) -> None:
    assert not is_silence(text)

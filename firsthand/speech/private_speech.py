"""Words that a participant may say and a benchmark may not repeat: numbers, listed names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from firsthand.core.time import Span
from firsthand.speech.attribution import SpokenWord
from firsthand.speech.engines import RecognisedWord, Timing

__all__ = ["PrivateSpeech", "private_spans"]

_PAD_US = 80_000
_FEWEST_DIGITS = 5
_SIGN = re.compile(r"[^\w]+")
_ONE_DIGIT_WORDS = "zero oh o one two three four five six seven eight nine double triple"
_ONE_DIGIT = frozenset((*_ONE_DIGIT_WORDS.split(), *"零〇一二三四五六七八九幺两"))
_TWO_DIGITS_WORDS = """
    ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty
    forty fifty sixty seventy eighty ninety hundred thousand
"""
_TWO_DIGITS = frozenset(_TWO_DIGITS_WORDS.split())


@dataclass(frozen=True, slots=True)
class PrivateSpeech:
    """Which words are taken out of participants' speech; none unless asked for.

    Args:
        numbers: Runs of spoken digits as long as a phone number's or a code's: five or more.
        names: Listed names, of one word or several; case does not count.
    """

    numbers: bool = False
    names: tuple[str, ...] = ()


def private_spans(words: Sequence[SpokenWord], wanted: PrivateSpeech) -> list[Span]:
    """Return what must be silenced so that private words are not heard.

    A word is covered with half of the pauses around it, 80 ms at most. One whose times
    were filled in is covered from the end of the last timed word before it to the begin of
    the next one, since it may lie anywhere between.

    Args:
        words: In order of onset.
        wanted: Which words.
    """
    private = sorted({*_numbers(words, wanted), *_names(words, wanted)})
    return [_covered(words, number) for number in private]


def _numbers(words: Sequence[SpokenWord], wanted: PrivateSpeech) -> Iterator[int]:
    if not wanted.numbers:
        return
    counted = [(number, _digits(item.word.text)) for number, item in enumerate(words)]
    for is_number, run in groupby(counted, key=lambda pair: pair[1] > 0):
        members = list(run)
        if is_number and sum(count for _, count in members) >= _FEWEST_DIGITS:
            yield from (number for number, _ in members)


def _digits(text: str) -> int:
    """Return how many digits a word stands for; 0 if it is no number."""
    parts = _plain(text)
    counts = [_digits_of(part) for part in parts]
    return sum(counts) if counts and all(counts) else 0


def _digits_of(part: str) -> int:
    if part.isdecimal():
        return len(part)
    if part in _ONE_DIGIT:
        return 1
    if part in _TWO_DIGITS:
        return 2
    return len(part) if all(letter in _ONE_DIGIT for letter in part) else 0


def _names(words: Sequence[SpokenWord], wanted: PrivateSpeech) -> Iterator[int]:
    said = [" ".join(_plain(item.word.text)) for item in words]
    for name in wanted.names:
        parts = _plain(name)
        for first in range(len(said) - len(parts) + 1):
            if [_bare(word) for word in said[first : first + len(parts)]] == parts:
                yield from range(first, first + len(parts))


def _plain(text: str) -> list[str]:
    return [part for part in _SIGN.split(text.casefold()) if part]


def _bare(word: str) -> str:
    """Return a word without the possessive that recognisers leave on names."""
    return word.removesuffix(" s")


def _covered(words: Sequence[SpokenWord], number: int) -> Span:
    word = words[number].word
    before_us = _last_end_us(words, number)
    after_us = _next_begin_us(words, number)
    if word.timing is Timing.FILLED:
        begin_us = word.begin_us if before_us is None else min(before_us, word.begin_us)
        end_us = word.end_us if after_us is None else max(after_us, word.end_us)
        return Span(begin_us, end_us)
    return Span(
        word.begin_us - _pad_us(None if before_us is None else word.begin_us - before_us),
        word.end_us + _pad_us(None if after_us is None else after_us - word.end_us),
    )


def _last_end_us(words: Sequence[SpokenWord], number: int) -> int | None:
    timed = (item.word for item in reversed(words[:number]) if _is_timed(item.word))
    found = next(timed, None)
    return None if found is None else found.end_us


def _next_begin_us(words: Sequence[SpokenWord], number: int) -> int | None:
    found = next((item.word for item in words[number + 1 :] if _is_timed(item.word)), None)
    return None if found is None else found.begin_us


def _is_timed(word: RecognisedWord) -> bool:
    return word.timing is not Timing.FILLED


def _pad_us(pause_us: int | None) -> int:
    return _PAD_US if pause_us is None else max(0, min(_PAD_US, pause_us // 2))

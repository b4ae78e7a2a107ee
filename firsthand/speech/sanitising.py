"""Mending what recognisers return: order, bounds, lengths and broken characters.

Nothing is dropped and nothing is guessed in silence: a word that had to be touched
carries the reasons (`mendings`), and a word whose times cannot be relied on says `filled`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from firsthand.core.spoken_text import joins_without_spaces
from firsthand.speech.engines import RecognisedWord, Timing
from firsthand.speech.joining import without_loose_marks

__all__ = ["Mending", "SaneWords", "sane_words", "without_broken_characters"]

_SHORTEST_US = 20_000
_FILLED_US = 200_000
_BASE_US = 1_000_000
_CHARACTER_US = 100_000
_DIGIT_US = 400_000
_LONGEST_CHINESE_WORD = 4
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


class Mending(StrEnum):
    """Why a word differs from what the engine returned."""

    UNTIMED = "untimed"
    ZERO_LENGTH = "zero_length"
    CLAMPED = "clamped"
    STRETCHED = "stretched"
    OUT_OF_ORDER = "out_of_order"
    OVERLAPPING = "overlapping"
    BROKEN_TEXT = "broken_text"
    CLAUSE = "clause"


@dataclass(frozen=True, slots=True)
class SaneWords:
    """Words that may be stored.

    Args:
        words: In order of onset, `0 <= begin_us < end_us <= duration_us`; words with
            reliable times do not overlap unless they begin together.
        mendings: For each word, why it was touched; empty where it was not.
    """

    words: tuple[RecognisedWord, ...]
    mendings: tuple[frozenset[Mending], ...]


@dataclass(frozen=True, slots=True)
class _Draft:
    word: RecognisedWord
    mendings: frozenset[Mending] = frozenset()

    def mended(self, word: RecognisedWord, *why: Mending) -> "_Draft":
        return _Draft(word, self.mendings.union(why))


def sane_words(
    words: Sequence[RecognisedWord], duration_us: int, language: str = "en"
) -> SaneWords:
    """Return the words in order, inside the recording, each with a positive length.

    Overruns are cut, lengthless words widened to 20 ms, words without usable times put
    between their neighbours, words that last longer than anybody speaks cut short;
    the last three become `filled`. A whole clause returned as one Chinese word keeps
    its times but is `filled` too, since they are not a word's. Broken characters that
    were split over words are merged into one word with one U+FFFD and confidence 0.

    Args:
        words: In spoken order, as an engine returned them.
        duration_us: Length of the recording, positive.
        language: BCP 47 tag of the words.

    Raises:
        ValueError: If `duration_us` is not positive.
    """
    if duration_us <= 0:
        raise ValueError(f"a recording has a positive duration, got {duration_us} us")
    drafts = _with_whole_characters([_Draft(word) for word in without_loose_marks(words)])
    drafts = [_timed(draft, duration_us, language) for draft in drafts]
    drafts = _without_overlaps(_in_order(_filled(drafts, duration_us)))
    return SaneWords(
        tuple(_marked(draft) for draft in drafts),
        tuple(draft.mendings for draft in drafts),
    )


def without_broken_characters(words: Iterable[RecognisedWord]) -> tuple[RecognisedWord, ...]:
    """Return the words without U+FFFD, which stands for a character that was lost.

    What is left of such a word keeps its mark; a word of which nothing is left says nothing.
    """
    mended = (replace(word, text=word.text.replace(_REPLACEMENT, "")) for word in words)
    return tuple(word for word in mended if any(map(str.isalnum, word.text)))


def _marked(draft: _Draft) -> RecognisedWord:
    # Words are mended before they are aligned and after; the marks of both times stay.
    return replace(draft.word, mendings=tuple(sorted(draft.mendings.union(draft.word.mendings))))


def _with_whole_characters(drafts: Sequence[_Draft]) -> list[_Draft]:
    whole: list[_Draft] = []
    for draft in drafts:
        word = draft.word
        if _REPLACEMENT not in word.text:
            whole.append(draft)
            continue
        if whole and whole[-1].word.text.endswith(_REPLACEMENT):
            before = whole.pop().word
            word = replace(before, text=before.text + word.text, end_us=word.end_us)
        once = re.sub(f"{_REPLACEMENT}+", _REPLACEMENT, word.text)
        whole.append(draft.mended(replace(word, text=once, confidence=0.0), Mending.BROKEN_TEXT))
    return whole


def _timed(draft: _Draft, duration_us: int, language: str) -> _Draft:
    word = draft.word
    if word.end_us < word.begin_us or word.begin_us >= duration_us or word.end_us < 0:
        return draft.mended(replace(word, timing=Timing.FILLED), Mending.UNTIMED)
    begin_us, end_us = max(0, word.begin_us), min(word.end_us, duration_us)
    if (begin_us, end_us) != (word.begin_us, word.end_us):
        draft = draft.mended(replace(word, begin_us=begin_us, end_us=end_us), Mending.CLAMPED)
    if begin_us == end_us:
        begin_us = min(begin_us, max(0, duration_us - _SHORTEST_US))
        end_us = min(duration_us, begin_us + _SHORTEST_US)
        draft = _distrusted(draft, begin_us, end_us, Mending.ZERO_LENGTH)
    if end_us - begin_us > _longest_us(word.text):
        draft = _distrusted(draft, begin_us, begin_us + _longest_us(word.text), Mending.STRETCHED)
    if joins_without_spaces(language) and _characters(word.text) > _LONGEST_CHINESE_WORD:
        draft = _distrusted(draft, draft.word.begin_us, draft.word.end_us, Mending.CLAUSE)
    return draft


def _distrusted(draft: _Draft, begin_us: int, end_us: int, why: Mending) -> _Draft:
    word = replace(draft.word, begin_us=begin_us, end_us=end_us, timing=Timing.FILLED)
    return draft.mended(word, why)


def _longest_us(text: str) -> int:
    # A number is one word on paper and many in speech.
    digits = sum(character.isdigit() for character in text)
    return _BASE_US + _CHARACTER_US * len(text) + _DIGIT_US * digits


def _characters(text: str) -> int:
    return sum(character.isalpha() and not character.isascii() for character in text)


def _filled(drafts: Sequence[_Draft], duration_us: int) -> list[_Draft]:
    filled: list[_Draft] = []
    for untimed, group in groupby(drafts, key=lambda draft: Mending.UNTIMED in draft.mendings):
        run = list(group)
        if untimed:
            before_us = filled[-1].word.end_us if filled else None
            place = len(filled) + len(run)
            after_us = drafts[place].word.begin_us if place < len(drafts) else duration_us
            run = _between(run, before_us, after_us, duration_us)
        filled.extend(run)
    return filled


def _between(
    run: Sequence[_Draft], before_us: int | None, after_us: int, duration_us: int
) -> list[_Draft]:
    gap_us = after_us - (before_us or 0)
    length_us = max(min(gap_us // len(run), _FILLED_US), _SHORTEST_US)
    # Words before the first timed one are said just before it, all others right after
    # the word that precedes them.
    first_us = after_us - length_us * len(run) if before_us is None else before_us
    placed: list[_Draft] = []
    for number, draft in enumerate(run):
        latest_us = max(0, duration_us - _SHORTEST_US)
        begin_us = min(max(0, first_us + number * length_us), latest_us)
        end_us = min(begin_us + length_us, duration_us)
        placed.append(_Draft(replace(draft.word, begin_us=begin_us, end_us=end_us), draft.mendings))
    return placed


def _in_order(drafts: Sequence[_Draft]) -> list[_Draft]:
    latest_us = 0
    marked: list[_Draft] = []
    for draft in drafts:
        late = draft.word.begin_us < latest_us
        marked.append(draft.mended(draft.word, Mending.OUT_OF_ORDER) if late else draft)
        latest_us = max(latest_us, draft.word.begin_us)
    return sorted(marked, key=lambda draft: draft.word.begin_us)


def _without_overlaps(drafts: Sequence[_Draft]) -> list[_Draft]:
    # Filled times never shorten a word whose own times are known.
    trimmed: list[_Draft] = []
    next_begin_us: int | None = None
    for draft in reversed(drafts):
        word, trusted_us = draft.word, next_begin_us
        if word.timing is not Timing.FILLED:
            next_begin_us = word.begin_us
        if trusted_us is not None and word.begin_us < trusted_us < word.end_us:
            shorter = replace(word, end_us=trusted_us)
            trimmed.append(draft.mended(shorter, Mending.OVERLAPPING))
        else:
            trimmed.append(draft)
    return trimmed[::-1]

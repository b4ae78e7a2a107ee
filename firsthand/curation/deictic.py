"""Deictic phrases: which words point, and the window in which a gesture goes with them.

Rules for English and Chinese, after EcoG-Bench (arXiv 2603.07966): speakers avoid
descriptions and say "this", "that", "here", "there" while they point, so that a phrase
becomes clear only with its gesture. Rules propose; a person verifies.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from firsthand.core.spoken_text import join_words, joins_without_spaces
from firsthand.core.time import ClosedSpan

__all__ = ["DeicticPhrase", "SaidWord", "aligned_phrases", "deictic_phrases", "proposed_strokes"]

_OBJECTS = frozenset({"this", "that", "these", "those"})
_PLACES = frozenset({"here", "there"})
_PRONOUNS = frozenset({"it", "them"})
_MOST_NOUN_WORDS = 3
# Words that end a noun phrase: what follows "this" up to one of them belongs to it.
_FUNCTION_WORDS = (
    "a about above across after and are as at be because been before behind belongs below "
    "beside between but by can comes could did do does down for from goes had has have here he "
    "i if in inside into is it just left like looks may me might my next near needs not now of "
    "off on onto or our out over please put right she should so stays take than that the their "
    "them then there these they this those through to too toward towards under until up very "
    "was we were what when where which while who will with without would you your"
)
_ENDS_PHRASE = frozenset(_FUNCTION_WORDS.split())
# After these, "that" begins a clause ("I think that we …") and points at nothing.
_SUBJECT_WORDS = "i you he she it we they the a an my your our their there"
_CLAUSE_SUBJECTS = frozenset(_SUBJECT_WORDS.split())
_EXISTS = frozenset({"is", "are", "was", "were", "has", "have", "will", "would"})
_ZH_SKIPPED = ("这么", "那么", "这样", "那样", "这时", "那时", "这次", "那次", "那就")
_ZH_PLACES = ("这里", "那里", "这儿", "那儿", "这边", "那边")
_ZH_OBJECTS = ("这", "那")
_ZH_MEASURES = "个些本只杯把张瓶块台支件种条双盒根颗"
_ZH_PRONOUNS = ("它们", "它")
_MARKS = ".,;:!?…。，；：！？、"
_BEFORE_US, _AFTER_US = 150_000, 250_000


@dataclass(frozen=True, slots=True)
class SaidWord:
    """A word with its time on the recording's clock.

    Args:
        text: The word with its punctuation.
        begin_us: Onset.
        end_us: End.
    """

    text: str
    begin_us: int
    end_us: int


@dataclass(frozen=True, slots=True)
class DeicticPhrase:
    """Words that point.

    Args:
        text: The phrase as said, without a mark at its end.
        kind: `object` for a thing, `space` for a place.
        begin_us: Onset of its first word.
        end_us: End of its last word.
        is_pronoun: Whether it only takes up what was pointed at before ("it").
    """

    text: str
    kind: str
    begin_us: int
    end_us: int
    is_pronoun: bool = False


def deictic_phrases(words: Sequence[SaidWord], language: str) -> tuple[DeicticPhrase, ...]:
    """Return every phrase that points, pronouns among them, in order of onset.

    Args:
        words: In order of onset.
        language: BCP 47 tag; Chinese by its own rules, any other by those of English.
    """
    found = _chinese(words) if joins_without_spaces(language) else _english(words, language)
    return tuple(found)


def aligned_phrases(
    words: Sequence[SaidWord], language: str, referents: int
) -> tuple[DeicticPhrase, ...] | None:
    """Return one phrase for each referent in order of mention; None if the words do not fit.

    Demonstratives come first: only where there are too few of them does a pronoun point
    ("put this to the right of this, and take it" has three referents).

    Args:
        words: What was said, in order of onset.
        language: BCP 47 tag.
        referents: How many things are pointed at.
    """
    phrases = deictic_phrases(words, language)
    pointing = tuple(phrase for phrase in phrases if not phrase.is_pronoun)
    for candidates in (pointing, phrases):
        if len(candidates) == referents:
            return candidates
    return None


def proposed_strokes(phrases: Sequence[DeicticPhrase], duration_us: int) -> tuple[ClosedSpan, ...]:
    """Return a window for each phrase in which its gesture probably holds.

    A gesture is up a little before its word and stays a little after; windows of
    neighbours meet midway between the phrases.

    Args:
        phrases: In order of onset.
        duration_us: Length of the recording; windows lie inside it.
    """
    middles = [(before.end_us + after.begin_us) // 2 for before, after in pairwise(phrases)]
    floors = [0, *middles]
    ceilings = [*middles, duration_us]
    return tuple(
        ClosedSpan(
            min(max(floor, phrase.begin_us - _BEFORE_US), phrase.begin_us),
            max(min(ceiling, phrase.end_us + _AFTER_US), phrase.begin_us),
        )
        for phrase, floor, ceiling in zip(phrases, floors, ceilings, strict=True)
    )


def _english(words: Sequence[SaidWord], language: str) -> Iterator[DeicticPhrase]:
    bare = [word.text.lower().strip(_MARKS + "\"'()") for word in words]
    taken = -1
    for first, text in enumerate(bare):
        if first <= taken:
            continue
        if text in _OBJECTS and not _is_clause(bare, words, first):
            taken = _noun_end(bare, words, first)
            yield _phrase(words[first : taken + 1], "object", language)
        elif text in _PLACES and not _is_existential(bare, words, first):
            yield _phrase(words[first : first + 1], "space", language)
        elif text in _PRONOUNS:
            yield _phrase(words[first : first + 1], "object", language, is_pronoun=True)


def _is_clause(bare: Sequence[str], words: Sequence[SaidWord], first: int) -> bool:
    follows = bare[first + 1] if first + 1 < len(bare) else ""
    return (
        bare[first] == "that"
        and first > 0
        and not _ends(words[first])
        and (follows in _CLAUSE_SUBJECTS)
    )


def _is_existential(bare: Sequence[str], words: Sequence[SaidWord], first: int) -> bool:
    follows = bare[first + 1] if first + 1 < len(bare) else ""
    return bare[first] == "there" and not _ends(words[first]) and follows in _EXISTS


def _noun_end(bare: Sequence[str], words: Sequence[SaidWord], first: int) -> int:
    """Return the index of a noun phrase's last word: that before the next function word."""
    last = first
    while (
        last - first < _MOST_NOUN_WORDS
        and last + 1 < len(bare)
        and not _ends(words[last])
        and bare[last + 1]
        and bare[last + 1] not in _ENDS_PHRASE
        and not _is_verb_of_one(bare, first, last)
    ):
        last += 1
    return last


def _is_verb_of_one(bare: Sequence[str], first: int, last: int) -> bool:
    """Whether the next word is what one thing does: "that picture shows …"."""
    is_one = bare[first] in ("this", "that") and last > first
    return is_one and bare[last + 1].endswith("s") and not bare[last + 1].endswith("ss")


def _ends(word: SaidWord) -> bool:
    return word.text[-1:] in _MARKS


def _phrase(
    words: Sequence[SaidWord], kind: str, language: str, *, is_pronoun: bool = False
) -> DeicticPhrase:
    text = join_words((word.text for word in words), language).rstrip(_MARKS)
    return DeicticPhrase(
        text, kind, words[0].begin_us, max(word.end_us for word in words), is_pronoun
    )


def _chinese(words: Sequence[SaidWord]) -> Iterator[DeicticPhrase]:
    # Recognisers cut Chinese by character or by word; the rules read the text across both.
    text = "".join(word.text for word in words)
    owner = [number for number, word in enumerate(words) for _ in word.text]
    place = 0
    while place < len(text):
        length, kind, is_pronoun = _chinese_at(text, place)
        if length and kind:
            first, last = owner[place], owner[place + length - 1]
            yield DeicticPhrase(
                text[place : place + length],
                kind,
                words[first].begin_us,
                words[last].end_us,
                is_pronoun,
            )
        place += length or 1


def _chinese_at(text: str, place: int) -> tuple[int, str, bool]:
    """Return length, kind and whether it is a pronoun of what begins at a place."""
    for skipped in _ZH_SKIPPED:
        if text.startswith(skipped, place):
            return len(skipped), "", False
    for found in _ZH_PLACES:
        if text.startswith(found, place):
            return len(found), "space", False
    for found in _ZH_PRONOUNS:
        if text.startswith(found, place):
            return len(found), "object", True
    if text.startswith(_ZH_OBJECTS, place):
        follows = text[place + 1 : place + 2]
        # "那，我们…" only begins a sentence.
        if text[place] == "那" and follows and follows in _MARKS:
            return 1, "", False
        return (2 if follows and follows in _ZH_MEASURES else 1), "object", False
    return 0, "", False

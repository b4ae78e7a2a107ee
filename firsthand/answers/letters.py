"""Option letters in running text: which letters stand together, and which are words."""

import re
from dataclasses import dataclass
from enum import IntEnum

from firsthand.answers.option_texts import MASK

__all__ = [
    "ANY_LETTERS",
    "Joint",
    "LetterGroup",
    "LetterItem",
    "group_of",
    "letter_groups",
    "scan_letters",
]

ANY_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What is on offer where a question lists no options."""

_OPEN = r"[\s\"'“”‘’(\[{【「『《$:=→~<>.\-–—]*"
_CLOSE = r"[\"'“”‘’)\]}】」』》$]*"
_NAME = r"(?:(?:options?|choices?|letters?|answers?|选项|选)\s*)?"
_ITEM = re.compile(
    rf"{_OPEN}{_NAME}{_OPEN}(?!i\.\s?e\b|e\.\s?g\b)"
    rf"(?<![A-Za-z0-9])(?<![A-Za-z0-9]['’])([A-Za-z]+)(?![A-Za-z0-9]|['’][A-Za-z]){_CLOSE}"
)
_SEPARATOR = re.compile(
    r"\.?(?:项|选项)?\s*(?:[,、;/&+|.\n]\s*|\((?=or\b|maybe|perhaps|possibly|或))?"
    r"(?:(?:(?:and/or|and|or|nor|also|then|as well as|plus|maybe|perhaps|possibly)(?![A-Za-z])"
    r"|以及|还有|还是|或者|或是|或|和|与|及|跟|也?可能是?|要么)\s*)*",
    re.IGNORECASE,
)
_HEDGE = re.compile(r"\bor\b|maybe|perhaps|possibly|或|可能|要么|还是", re.IGNORECASE)
_RANKING = re.compile(r"(?<![-=])>")
# What may follow a letter A that is an option and not the article.
_AFTER_OPTION_A = re.compile(
    r"\s*(?:$|[^A-Za-z\s]|\n)|\s+(?:is|was|are|were|and|or|nor|because|since|as|for|but|so|the"
    r"|seems?|looks?|would|which|not|with|over|rather|based|from|due|given|if|than|to|both|only"
    r"|instead|actually|wins|fits|best|matches|describes|correct|right|wrong|incorrect|false|true"
    r"|isn't|isn’t|doesn't|doesn’t|can't|cannot|could|might|may|must|should|will|does|has|appears"
    r"|option|final|therefore|here|it|they|he|she|we|you|that|this|while|when|where|after|before"
    r"|shows?|yes|no|then|plus|maybe|perhaps|possibly|also|too|alone|itself|however|though|although|by)"
    r"(?![A-Za-z])"
    r"|\s+[A-Z](?![A-Za-z0-9])"
)
_VERDICTS = frozenset("TFYN")
_AFTER_SMALL_A = re.compile(
    r"\s*(?:$|[.,;:)\]\n。、/&+|和与及跟或])|\s+(?:(?:and|or)\s+)?[b-z](?![A-Za-z0-9'’])"
)
_AFTER_OPTION_I = re.compile(r"\s*(?:$|[.,;:)\]\n。、!?])")
_OWN_VERB = re.compile(
    r"\s+(?:is|was|has|does|seems|looks|shows|isn['’]t|wasn['’]t|doesn['’]t)(?![A-Za-z])"
)
_STANDALONE = re.compile(r"(?<![A-Za-z0-9])(?<![A-Za-z0-9]['’])[A-Z](?![A-Za-z0-9]|['’][A-Za-z])")
_BEFORE_VERDICT = re.compile(r"(?<![A-Za-z0-9])[A-Z]\s*[:=]\s*$")
_SENTENCE = re.compile(rf"\s*[.:)、,]?\s*(?!and\b|or\b)(?:[A-Za-z]{{2,}}|[\u3400-\u9fff]|{MASK})")


class Joint(IntEnum):
    """How strongly a letter is set apart from the one before it."""

    NONE = 0
    AND = 1
    COMMA = 2
    CLAUSE = 3


@dataclass(frozen=True, slots=True)
class LetterItem:
    """A letter, or a run of letters, inside a group.

    Args:
        letters: In order of naming.
        start: Where the first letter stands in the text.
        end: Where the item ends, brackets included.
        joint: What stands between it and the item before.
        is_hedged: Joined by "or", "maybe" and the like.
        is_outranked: Joined by ">": the item before is preferred.
    """

    letters: tuple[str, ...]
    start: int
    end: int
    joint: Joint = Joint.NONE
    is_hedged: bool = False
    is_outranked: bool = False


@dataclass(frozen=True, slots=True)
class LetterGroup:
    """Letters that the text names together; never empty."""

    items: tuple[LetterItem, ...]

    @property
    def letters(self) -> tuple[str, ...]:
        """In order of naming, each once."""
        return tuple(dict.fromkeys(letter for item in self.items for letter in item.letters))

    @property
    def start(self) -> int:
        """Where the first letter stands in the text."""
        return self.items[0].start

    @property
    def end(self) -> int:
        """Where the group ends in the text."""
        return self.items[-1].end

    @property
    def is_hedged(self) -> bool:
        """Whether some letter is joined by "or", "maybe" and the like."""
        return any(item.is_hedged for item in self.items[1:])

    @property
    def is_ranking(self) -> bool:
        """Whether the letters are put in order of preference ("B > A")."""
        return any(item.is_outranked for item in self.items[1:])


def group_of(items: tuple[LetterItem, ...]) -> LetterGroup | None:
    """Return the group of some items, or None without any."""
    return LetterGroup(items) if items else None


def scan_letters(text: str, at: int, on_offer: str) -> LetterGroup | None:
    """Read the letters that stand at a place, skipping brackets and the word "option".

    Returns:
        The group, or None when no option letter follows there. Letters that are not on
        offer are read too: the caller decides. Small letters are read when the first is
        small; runs ("ABD") when they hold letters on offer alone.
    """
    first = _ITEM.match(text, at)
    found = None if first is None else _letters_of(text, first, on_offer, small=True)
    if first is None or found is None:
        return None
    small = first[1].islower()
    items = [LetterItem(found, first.start(1), first.end())]
    while True:
        end = items[-1].end
        gap = _SEPARATOR.match(text, end)
        item = None if gap is None else _ITEM.match(text, gap.end())
        more = None if item is None else _letters_of(text, item, on_offer, small=small)
        if gap is None or item is None or more is None:
            break
        if _is_new_label(text, gap, item) or _has_own_verb(text, gap, item):
            break
        if _is_verdict(text[end : item.start(1)], more, on_offer):
            break
        items.append(_joined_item(more, item, text[end : item.start(1)]))
    return LetterGroup(tuple(items))


def _is_verdict(between: str, letters: tuple[str, ...], on_offer: str) -> bool:
    """Whether a letter says true or false of the one before ("A: T, B: F")."""
    is_labelled = between.strip() in (":", "=")
    return is_labelled and letters[0] in _VERDICTS - set(on_offer)


def _joined_item(letters: tuple[str, ...], item: re.Match[str], between: str) -> LetterItem:
    joint = Joint.AND
    is_aside = "(" in between and ")" not in item[0]
    if is_aside or re.search(r"[;.\n:]", between):
        joint = Joint.CLAUSE
    elif "," in between:
        joint = Joint.COMMA
    return LetterItem(
        letters,
        item.start(1),
        item.end(),
        joint,
        is_hedged=_HEDGE.search(between) is not None,
        is_outranked=_RANKING.search(between) is not None,
    )


def letter_groups(text: str, on_offer: str) -> list[LetterGroup]:
    """Return every group of standing-alone capital letters of a text, in order."""
    groups: list[LetterGroup] = []
    at = 0
    while (mention := _STANDALONE.search(text, at)) is not None:
        group = scan_letters(text, mention.start(), on_offer)
        at = mention.end() if group is None else group.end
        before = text[max(0, mention.start() - 8) : mention.start()]
        if mention[0] in _VERDICTS - set(on_offer) and _BEFORE_VERDICT.search(before):
            at = mention.end()
            continue
        if group is not None:
            groups.append(group)
    return groups


def _letters_of(
    text: str, item: re.Match[str], on_offer: str, *, small: bool
) -> tuple[str, ...] | None:
    word = item[1]
    if word.islower() and not small:
        return None
    letters = tuple(word.upper())
    if len(letters) > 1:
        is_run = set(letters) <= set(on_offer) and (word.isupper() or word == text.strip())
        return letters if is_run and len(set(letters)) == len(letters) else None
    if letters == ("A",) and not _is_option_a(text, item, word):
        return None
    if letters == ("I",) and not _AFTER_OPTION_I.match(text, item.end()):
        return None
    return letters


def _is_option_a(text: str, item: re.Match[str], word: str) -> bool:
    """Whether an "A" is the option; a bracketed or punctuated one always is."""
    if item.end(1) < item.end():
        return True
    if word == "a":
        return _AFTER_SMALL_A.match(text, item.end()) is not None
    return _AFTER_OPTION_A.match(text, item.end()) is not None


def _is_new_label(text: str, gap: re.Match[str], item: re.Match[str]) -> bool:
    """Whether the next letter begins a labelled sentence of its own ("B. text")."""
    is_sentence_end = "." in gap[0] or "\n" in gap[0]
    return is_sentence_end and _SENTENCE.match(text, item.end(1)) is not None


def _has_own_verb(text: str, gap: re.Match[str], item: re.Match[str]) -> bool:
    """Whether a comma begins a clause about the next letter alone ("A, B is close")."""
    return gap[0].strip() in (",", ";") and _OWN_VERB.match(text, item.end()) is not None

"""Option letters in running text: which letters stand together, and which are words."""

import re
from dataclasses import dataclass

from firsthand.answers.option_texts import MASK

__all__ = ["ANY_LETTERS", "LetterGroup", "letter_groups", "scan_letters"]

ANY_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What is on offer where a question lists no options."""

_OPEN = r"[\s\"'“”‘’(\[{【「『《$:=→~>.\-–—]*"
_CLOSE = r"[\"'“”‘’)\]}】」』》$]*"
_NAME = r"(?:(?:options?|choices?|letters?|answers?|选项|选)\s*)?"
_ITEM = re.compile(
    rf"{_OPEN}{_NAME}{_OPEN}(?!i\.\s?e\b|e\.\s?g\b)"
    rf"(?<![A-Za-z0-9])(?<![A-Za-z0-9]['’])([A-Za-z]+)(?![A-Za-z0-9]|['’][A-Za-z]){_CLOSE}"
)
_SEPARATOR = re.compile(
    r"\.?(?:项|选项)?\s*(?:[,、;/&+|.\n]\s*)?"
    r"(?:(?:(?:and|or|nor|as well as|plus|maybe|perhaps|possibly)(?![A-Za-z])|以及|还有|还是|或者"
    r"|或是|或|和|与|及|跟|也?可能是?|要么)\s*)*",
    re.IGNORECASE,
)
_HEDGE = re.compile(r"\bor\b|maybe|perhaps|possibly|或|可能|要么|还是", re.IGNORECASE)
# What may follow a letter A that is an option and not the article.
_AFTER_OPTION_A = re.compile(
    r"\s*(?:$|[^A-Za-z\s]|\n)|\s+(?:is|was|are|were|and|or|nor|because|since|as|for|but|so|the"
    r"|seems?|looks?|would|which|not|with|over|rather|based|from|due|given|if|than|to|both|only"
    r"|instead|actually|wins|fits|best|matches|describes|correct|right|wrong|incorrect|false|true"
    r"|isn't|isn’t|doesn't|doesn’t|can't|cannot|could|might|may|must|should|will|does|has|appears"
    r"|option|final|therefore|here|it|they|he|she|we|you|that|this|while|when|where|after|before"
    r"|shows?|plus|maybe|perhaps|possibly|also|too|alone|itself|however|though|although|by)"
    r"(?![A-Za-z])"
    r"|\s+[A-Z](?![A-Za-z0-9])"
)
_AFTER_OPTION_I = re.compile(r"\s*(?:$|[.,;:)\]\n。、!?])")
_OWN_VERB = re.compile(
    r"\s+(?:is|was|has|does|seems|looks|shows|isn['’]t|wasn['’]t|doesn['’]t)(?![A-Za-z])"
)
_STANDALONE = re.compile(r"(?<![A-Za-z0-9])(?<![A-Za-z0-9]['’])[A-Z](?![A-Za-z0-9]|['’][A-Za-z])")
_SENTENCE = re.compile(rf"\s*[.:)、,]?\s*(?!and\b|or\b)(?:[A-Za-z]{{2,}}|[\u3400-\u9fff]|{MASK})")


@dataclass(frozen=True, slots=True)
class LetterGroup:
    """Letters that the text names together.

    Args:
        letters: In order of naming, each once.
        start: Where the first letter's own text begins.
        end: Where the group ends in the text.
        is_hedged: Joined by "or", "maybe" and the like.
    """

    letters: tuple[str, ...]
    start: int
    end: int
    is_hedged: bool


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
    letters, end, is_hedged = list(found), first.end(), False
    while True:
        gap = _SEPARATOR.match(text, end)
        item = None if gap is None else _ITEM.match(text, gap.end())
        more = None if item is None else _letters_of(text, item, on_offer, small=small)
        if gap is None or item is None or more is None:
            break
        if _is_new_label(text, gap, item) or _has_own_verb(text, gap, item):
            break
        is_hedged |= _HEDGE.search(text[end : item.start(1)]) is not None
        letters.extend(more)
        end = item.end()
    return LetterGroup(tuple(dict.fromkeys(letters)), first.start(1), end, is_hedged)


def letter_groups(text: str, on_offer: str) -> list[LetterGroup]:
    """Return every group of standing-alone capital letters of a text, in order."""
    groups: list[LetterGroup] = []
    at = 0
    while (mention := _STANDALONE.search(text, at)) is not None:
        group = scan_letters(text, mention.start(), on_offer)
        at = mention.end() if group is None else group.end
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
        return re.compile(r"\s*(?:$|[.,;:)\]\n。、/&+|])").match(text, item.end()) is not None
    return _AFTER_OPTION_A.match(text, item.end()) is not None


def _is_new_label(text: str, gap: re.Match[str], item: re.Match[str]) -> bool:
    """Whether the next letter begins a labelled sentence of its own ("B. text")."""
    is_sentence_end = "." in gap[0] or "\n" in gap[0]
    return is_sentence_end and _SENTENCE.match(text, item.end(1)) is not None


def _has_own_verb(text: str, gap: re.Match[str], item: re.Match[str]) -> bool:
    """Whether a comma begins a clause about the next letter alone ("A, B is close")."""
    return gap[0].strip() in (",", ";") and _OWN_VERB.match(text, item.end()) is not None

"""Options named by their wording instead of their letter."""

import re

__all__ = ["MASK", "masked", "masked_place", "match_option", "normal_wording"]

_FIRST_MASK = 0xE000
MASK = "[\ue000-\ue0ff]"
"""Pattern of the sign that stands in a masked text for an option's wording.

Each option has its own private-use sign, in their order; none occurs in replies.
"""

_EDGES = " \t\n\"'“”‘’.,;:!?。、,()[]【】「」《》~-–—"
_ARTICLE = re.compile(r"^(?:the|a|an|it'?s|it is|they are|this is)\s+", re.IGNORECASE)
_SPACES = re.compile(r"\s+")
_LATIN = re.compile(r"[A-Za-z0-9]")
_LEAST_PART = 2


def normal_wording(text: str) -> str:
    """Return a wording without case, edge punctuation, article and repeated spaces."""
    bare = _SPACES.sub(" ", text.casefold()).strip(_EDGES)
    return _ARTICLE.sub("", bare).strip(_EDGES)


def match_option(text: str, options: tuple[str, ...]) -> tuple[int, ...]:
    """Return the places of the options that a wording names.

    An exact wording names its option (every one of them, where options repeat each
    other). Otherwise a part of a wording names the options that hold it as whole words.
    """
    said = normal_wording(text)
    if not said:
        return ()
    known = [normal_wording(option) for option in options]
    exact = tuple(place for place, wording in enumerate(known) if wording == said)
    if exact or len(said) < _LEAST_PART or said.isdigit():
        return exact
    part = _whole(said)
    return tuple(place for place, wording in enumerate(known) if part.search(wording))


def masked(text: str, options: tuple[str, ...]) -> str:
    """Replace the wordings of options in a text, so that letters inside them do not count.

    Longest wordings are taken first; each becomes its option's sign of `MASK`.
    """
    wordings = sorted(
        ((option.strip(), place) for place, option in enumerate(options)),
        key=lambda pair: -len(pair[0]),
    )
    for wording, place in wordings:
        if len(wording) >= _LEAST_PART:
            text = _whole(wording).sub(chr(_FIRST_MASK + place), text)
    return text


def masked_place(sign: str) -> int:
    """Return the place of the option whose wording a sign of `MASK` stands for."""
    return ord(sign) - _FIRST_MASK


def _whole(wording: str) -> re.Pattern[str]:
    """Match a wording that is not the middle of a longer Latin word or number."""
    before = r"(?<![A-Za-z0-9])" if _LATIN.match(wording[0]) else ""
    after = r"(?![A-Za-z0-9])" if _LATIN.match(wording[-1]) else ""
    return re.compile(before + re.escape(wording) + after, re.IGNORECASE)

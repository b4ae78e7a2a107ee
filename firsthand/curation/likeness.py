"""When two forms of an item say the same, though not letter by letter.

Two people who set a window, or write down what they hear, do not come to the same number or
the same comma. Where a kind of item can be compared, what they made of it is alike within the
tolerance named here; of every other kind, two forms are alike if they are equal.
"""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from firsthand.core.identity import Json
from firsthand.core.time import SECOND_US, ms_to_us
from firsthand.curation.revisions import ReviewItem

__all__ = ["NARRATION_TOLERANCE_US", "STROKE_TOLERANCE_US", "Alike", "alike"]

Alike = Callable[[ReviewItem, ReviewItem], bool]
"""Whether two forms of one item say the same."""

STROKE_TOLERANCE_US = ms_to_us(200)
"""How far apart two people may set an end of one stroke."""
NARRATION_TOLERANCE_US = 2 * SECOND_US
"""How far apart two people may begin one sentence."""


def alike(one: ReviewItem, other: ReviewItem) -> bool:
    """Return whether two forms of an item say the same, within the tolerance of its kind."""
    if one.content_digest == other.content_digest:
        return True
    compared = _COMPARED.get(one.item_kind)
    return compared is not None and compared(one.content, other.content)


def _strokes(one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    ends = [(int(str(one[name])), int(str(other[name]))) for name in ("begin_us", "end_us")]
    return all(abs(a - b) <= STROKE_TOLERANCE_US for a, b in ends)


def _transcripts(one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    said = [" ".join(str(word[0]) for word in _rows(form["words"])) for form in (one, other)]
    return _plain(said[0]) == _plain(said[1])


def _narrations(one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    told = [_rows(form["narrations"]) for form in (one, other)]
    return len(told[0]) == len(told[1]) and all(
        _plain(str(a[2])) == _plain(str(b[2]))
        and abs(int(str(a[0])) - int(str(b[0]))) <= NARRATION_TOLERANCE_US
        for a, b in zip(*told, strict=True)
    )


def _rows(value: Json) -> Sequence[Sequence[Json]]:
    return cast("Sequence[Sequence[Json]]", value)


def _plain(text: str) -> str:
    """Return a text without what the ear does not tell: case, marks, spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(one for one in folded if one.isalnum())


_COMPARED: Mapping[str, Callable[[Mapping[str, Json], Mapping[str, Json]], bool]] = {
    "stroke": _strokes,
    "transcript": _transcripts,
    "narration": _narrations,
}

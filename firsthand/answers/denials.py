"""Which letters of a group a denial takes away: "not A; B and C", "A、C，B不对"."""

import re

from firsthand.answers.cues import is_denied_after, is_denied_before
from firsthand.answers.letters import Joint, LetterGroup, LetterItem, group_of

__all__ = ["undenied"]

# A verdict in the singular; in Chinese any without a word for "all".
_OF_ONE = re.compile(
    r"\s*(?:项|选项)?\s*(?:也|则|是|可以|应|被|明显|显然)*"
    r"(?:is\b|isn|was\b|wasn|does\b|doesn|has\b|不|错|有误|排除|无关|没有|未|并非|并不)",
    re.IGNORECASE,
)


def undenied(text: str, group: LetterGroup) -> LetterGroup | None:
    """Return what a group keeps after the denials before and behind it, or None.

    A denial before the group reaches to its first break of a clause. One behind it reaches
    back to the last break that is stronger than those of the list it ends: in "A、C，B不对"
    B alone is wrong, in "A, B and D are wrong" all three.
    """
    items = group.items
    if is_denied_before(text, group.start):
        items = items[_first_break(items) :]
    kept = group_of(items)
    if kept is None or not is_denied_after(text, kept.end):
        return kept
    return group_of(items[: _last_break(text, items)])


def _first_break(items: tuple[LetterItem, ...]) -> int:
    breaks = (place for place, item in enumerate(items) if item.joint is Joint.CLAUSE)
    return next(breaks, len(items))


def _last_break(text: str, items: tuple[LetterItem, ...]) -> int:
    """Return how many items a denial behind the last of them leaves."""
    joints = [item.joint for item in items[1:]]
    strongest = max(joints, default=Joint.NONE)
    if strongest <= Joint.AND:
        return 0
    place = len(items) - 1 - joints[::-1].index(strongest)
    # "A, B and D" is one list, whose last joint alone is a word.
    listed = joints[:-1] if joints[-1] is Joint.AND else joints
    is_serial = len(set(listed)) == 1 and all(len(item.letters) == 1 for item in items[:place])
    if is_serial and not (joints[-1] is strongest and _OF_ONE.match(text, items[-1].end)):
        return 0
    return place

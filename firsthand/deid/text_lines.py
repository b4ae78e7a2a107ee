"""Which of a picture's readings are private, alone or together with their neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firsthand.deid.text_rules import TextRules, rules_met

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firsthand.deid.on_screen_text import ReadText

__all__ = ["private_lines"]

_SAME_LINE = 0.5
_WIDEST_GAP = 1.5


def private_lines(readings: Sequence[ReadText], rules: TextRules) -> list[str | None]:
    """Return for each reading the rule it meets; None where it may stay.

    Readers cut lines at wide blanks, so that a number lies in two readings neither of which
    is one. Readings side by side on one line are therefore read together as well: if only
    both together meet a rule, both do.
    """
    alone = [rules_met(reading.text, rules) for reading in readings]
    first = [next(iter(met), None) for met in alone]
    order = sorted(range(len(readings)), key=lambda n: readings[n].box_xyxy_px.x0)
    for place, left in enumerate(order):
        right = _neighbour(readings, left, order[place + 1 :])
        if right is None:
            continue
        together = rules_met(f"{readings[left].text} {readings[right].text}", rules)
        for rule in together:
            if rule not in alone[left] and rule not in alone[right]:
                first[left], first[right] = first[left] or rule, first[right] or rule
    return first


def _neighbour(readings: Sequence[ReadText], left: int, candidates: Sequence[int]) -> int | None:
    """Return the nearest reading that follows on the same line."""
    box = readings[left].box_xyxy_px
    for right in candidates:
        other = readings[right].box_xyxy_px
        shared_px = min(box.y1, other.y1) - max(box.y0, other.y0)
        height_px = min(box.height, other.height)
        if shared_px >= _SAME_LINE * height_px and (
            -height_px <= other.x0 - box.x1 <= _WIDEST_GAP * height_px
        ):
            return right
    return None

"""JSON inside a reply: after the reasoning, in a fence or between sentences."""

import json
import re
import unicodedata
from collections.abc import Callable

from firsthand.answers.plain_text import without_reasoning

__all__ = ["last_json_value"]

_FENCED = re.compile(r"```(?:json|JSON)?\s*(.*?)\s*```", re.DOTALL)
_OPENING = re.compile(r"[{\[]")


def last_json_value(reply: str, is_wanted: Callable[[object], bool]) -> object | None:
    """Return the last wanted JSON object or list of a reply, fenced ones first; else None."""
    spoken, _ = without_reasoning(reply)
    for block in (*reversed(_FENCED.findall(spoken)), spoken):
        values = [value for value in _json_values(block) if is_wanted(value)]
        if values:
            return values[-1]
    return None


def _json_values(text: str) -> list[object]:
    """Return every JSON object or list of a text that is not inside another."""
    decoder = json.JSONDecoder()
    text = unicodedata.normalize("NFC", text)
    values: list[object] = []
    at = 0
    while (start := _OPENING.search(text, at)) is not None:
        try:
            value, at = decoder.raw_decode(text, start.start())
            values.append(value)
        except (ValueError, RecursionError):
            # A bracket of prose, or JSON that breaks off: look on behind it.
            at = start.end()
    return values

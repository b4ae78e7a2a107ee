"""Which text is private: rules over what was read, by name.

A rule may be too broad, for a covered price costs a question at most; it should not be too
narrow. Readers confuse letters and digits of like shape (O and 0, I and 1), put blanks
where none are and lose dots, so rules look at groups of letters and digits, not at the
exact form that a country or a standard prescribes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from firsthand.core.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["TEXT_RULES", "TextRules", "rules_met"]


@dataclass(frozen=True, slots=True)
class TextRules:
    """What is covered.

    The default covers what points at a person or a household whoever reads it, and leaves
    the labels of objects, which questions are about. Names are known to the benchmark's
    owner only, so a list of them is asked for.

    Args:
        rules: Names of rules of `TEXT_RULES`; one of them suffices.
        names: Names of people or places, for the rule `names`; case does not count.
    """

    rules: tuple[str, ...] = ("email", "phone", "plate")
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.rules:
            TEXT_RULES[name]
        if ("names" in self.rules) != bool(self.names):
            raise ValueError("the rule `names` and a list of names come together")


TEXT_RULES: Registry[Callable[[str, TextRules], bool]] = Registry("text rule")
"""Each says of one line of text whether it is private."""


def rules_met(text: str, rules: TextRules) -> tuple[str, ...]:
    """Return the rules that a line of text meets, in their order; none if it may stay."""
    return tuple(name for name in rules.rules if TEXT_RULES[name](text, rules))


@TEXT_RULES.register("everything")
def _everything(text: str, _rules: TextRules) -> bool:
    """Any letter or digit."""
    return any(letter.isalnum() for letter in text)


# Shapes that readers take for one another; only between digits are they read as digits.
_LIKE_DIGITS = str.maketrans("OoQDIl|SB", "000011158")
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d([-./])\d{1,2}\1\d{1,2}(?!\d)")
_DIGIT_RUN = re.compile(r"\d[\d\s().+/·-]*\d")
_FEWEST_PHONE_DIGITS, _MOST_PHONE_DIGITS = 7, 15


@TEXT_RULES.register("phone")
def _phone(text: str, _rules: TextRules) -> bool:
    """7 to 15 digits (E.164 ends at 15) with nothing but separators between; no date."""
    read = re.sub(
        r"(?<=[\d\s])[OoQDIl|SB](?=[\d\s]|$)|(?<=\d)[OoQDIl|SB]",
        lambda met: met[0].translate(_LIKE_DIGITS),
        _DATE.sub(" / ", text),
    )
    counts = (sum(letter.isdigit() for letter in run) for run in _DIGIT_RUN.findall(read))
    return any(_FEWEST_PHONE_DIGITS <= count <= _MOST_PHONE_DIGITS for count in counts)


_AT = r"(?:@|©|®|\(\s*at\s*\)|\[\s*at\s*\])"
_EMAIL = re.compile(rf"[\w.+-]+\s?{_AT}\s?[\w-]+[\s.,]\s?[\w-]{{2,}}|@\w{{2,}}", re.IGNORECASE)


@TEXT_RULES.register("email")
def _email(text: str, _rules: TextRules) -> bool:
    """An address, also with its dot or sign misread; an account's name after an @ sign."""
    return _EMAIL.search(text) is not None


_GROUP = re.compile(r"[^\W_]+")
_PARTS = re.compile(r"\d+|[^\W\d_]+")
_MOST_GROUPS, _PLATE_LENGTHS, _LONGEST_WORD, _MOST_DIGITS = 4, range(5, 10), 3, 6
# What stands behind numbers on objects and screens; "500 ML" has a plate's form.
_UNIT_NAMES = """
    CNY EUR GBP RMB USD A AH AM BPM CL CM DL DPI FPS FT G GB GHZ H HZ IN KB KCAL KG KHZ KJ KM KV
    KW KWH L LB LITER M MAH MB MG MHZ MIN ML MM MS OZ PCS PM PX RPM SEC STK TB V W
"""
_UNITS = frozenset(_UNIT_NAMES.split())
_CURRENCIES = frozenset(("CNY", "EUR", "GBP", "RMB", "USD"))


@TEXT_RULES.register("plate")
def _plate(text: str, _rules: TextRules) -> bool:
    """A line that is nothing but 5 to 9 letters and digits, both, in up to 4 groups.

    This is the form of the plates of most countries. Two to six digits, and never more than
    three letters after one another; amounts, where every number stands before its unit or
    behind its currency, are none.
    """
    groups = _GROUP.findall(text.upper())
    joined = "".join(groups)
    digits = sum(letter.isdigit() for letter in joined)
    parts = [part for group in groups for part in _PARTS.findall(group)]
    words = [part for part in parts if not part.isdigit()]
    return (
        1 <= len(groups) <= _MOST_GROUPS
        and len(joined) in _PLATE_LENGTHS
        and 2 <= digits <= _MOST_DIGITS
        and 1 <= max(map(len, words), default=0) <= _LONGEST_WORD
        and not _is_amount(parts)
        and not _is_date_or_time(text)
    )


def _is_amount(parts: Sequence[str]) -> bool:
    """Whether the parts are numbers with a unit each: `230 V 50 HZ`, never `34 KM 123`."""
    if parts[0] in _CURRENCIES and all(part.isdigit() for part in parts[1:]):
        return True
    numbers, units = parts[::2], parts[1::2]
    return (
        len(parts) % 2 == 0
        and all(part.isdigit() for part in numbers)
        and all(part in _UNITS for part in units)
    )


def _is_date_or_time(text: str) -> bool:
    return _DATE.search(text) is not None or re.search(r"\d:\d\d", text) is not None


_ALIKE = 0.8


@TEXT_RULES.register("names")
def _names(text: str, rules: TextRules) -> bool:
    """A listed name, with at most about one letter in five misread."""
    words = [word.casefold() for word in _GROUP.findall(text)]
    return any(_holds(words, [part.casefold() for part in _GROUP.findall(n)]) for n in rules.names)


def _holds(words: Sequence[str], name: Sequence[str]) -> bool:
    wanted = " ".join(name)
    runs = (" ".join(words[first : first + len(name)]) for first in range(len(words)))
    return any(SequenceMatcher(None, run, wanted).ratio() >= _ALIKE for run in runs)

"""Reading the small facts of a receipt with their types."""

from collections.abc import Sequence

from firsthand.core.identity import Json
from firsthand.store import Receipt

__all__ = ["integer", "optional_integer", "pairs", "text"]


def integer(receipt: Receipt, name: str) -> int:
    """Return a whole number."""
    return _whole(receipt.values[name], name)


def optional_integer(receipt: Receipt, name: str) -> int | None:
    """Return a whole number, or None where the step found none."""
    value = receipt.values[name]
    return None if value is None else _whole(value, name)


def text(receipt: Receipt, name: str) -> str:
    """Return a text."""
    value = receipt.values[name]
    if not isinstance(value, str):
        raise TypeError(f"{name} of step {receipt.step} is no text")
    return value


def pairs(receipt: Receipt, name: str) -> list[tuple[int, int]]:
    """Return a list of pairs of whole numbers."""
    return [(_whole(a, name), _whole(b, name)) for a, b in map(_two, _listed(receipt, name))]


def _listed(receipt: Receipt, name: str) -> Sequence[Json]:
    value = receipt.values[name]
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError(f"{name} of step {receipt.step} is no list")
    return value


def _two(value: Json) -> Sequence[Json]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise TypeError("a pair was expected")
    return value


def _whole(value: Json, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} is no whole number")
    return value

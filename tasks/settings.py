"""Settings as JSON, so that a step's key holds every one of them."""

from dataclasses import asdict, is_dataclass
from enum import Enum

from firsthand.core.identity import Json

__all__ = ["as_json"]


def as_json(settings: object) -> Json:
    """Return a frozen settings value as JSON; a field of another kind is a mistake."""
    if not is_dataclass(settings) or isinstance(settings, type):
        raise TypeError(f"settings are a dataclass, not {type(settings).__name__}")
    return _plain(asdict(settings))


def _plain(value: object) -> Json:
    if isinstance(value, Enum):
        return _plain(value.value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, dict):
        return {str(name): _plain(member) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member) for member in value]
    raise TypeError(f"a setting of type {type(value).__name__} has no JSON form")

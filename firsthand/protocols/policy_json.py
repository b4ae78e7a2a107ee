"""How the numbers of a protocol are spelled in JSON and read back, whichever protocol it is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from types import UnionType
from typing import Any, ClassVar, Self, get_args, get_origin, get_type_hints

from firsthand.core.errors import ConfigurationError
from firsthand.core.identity import Json, digest_json
from firsthand.core.keys import check_keys

__all__ = ["SpelledPolicy"]


@dataclass(frozen=True, slots=True)
class SpelledPolicy:
    """A policy whose fields travel with the results, each under its name.

    Fields are whole numbers, numbers, truth values, names of an enumeration, frozen records
    or tuples of these, some of them perhaps none.
    """

    policy_name: ClassVar[str]
    """What errors call it."""

    @property
    def digest(self) -> str:
        """Digest of every field; part of a run's identity."""
        return digest_json(self.to_json())

    def to_json(self) -> dict[str, Json]:
        """Return every field under its name; `from_json` gives the same policy back."""
        return {one.name: _spelled(getattr(self, one.name)) for one in fields(self)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the policy that the fields describe; absent ones keep their default.

        Raises:
            UnknownKeyError: If a key names no field.
            ConfigurationError: If a value has the wrong kind or lies out of range.
        """
        policy: Self = _record(cls.policy_name, cls, cls.fields_of(value))
        return policy

    @classmethod
    def fields_of(cls, kept: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the fields in what a run was kept with, which may be older than a field."""
        return kept


def _spelled(value: Any) -> Json:  # noqa: ANN401 - whatever a field may hold
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, tuple):
        return [_spelled(one) for one in value]
    if is_dataclass(value):
        return {one.name: _spelled(getattr(value, one.name)) for one in fields(value)}
    plain: Json = value
    return plain


def _record(subject: str, kind: Callable[..., Any], value: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a record of that kind
    check_keys(subject, value, [one.name for one in fields(kind)])  # type: ignore[arg-type] # a dataclass
    kinds = get_type_hints(kind)
    return kind(
        **{name: _read(f"{subject}, {name}", kinds[name], given) for name, given in value.items()}
    )


def _read(subject: str, kind: Any, value: Any) -> Any:  # noqa: ANN401 - a field's kind, and value
    if get_origin(kind) is UnionType:
        # The only union is with nothing.
        (some,) = (one for one in get_args(kind) if one is not type(None))
        return None if value is None else _read(subject, some, value)
    if get_origin(kind) is tuple:
        if not isinstance(value, list | tuple):
            raise _wrong_kind(subject, value, "a list")
        return tuple(_read(subject, get_args(kind)[0], one) for one in value)
    if isinstance(kind, type) and is_dataclass(kind):
        if not isinstance(value, Mapping):
            raise _wrong_kind(subject, value, "fields by name")
        return _record(subject, kind, value)
    if issubclass(kind, StrEnum):
        if value not in list(kind):
            raise _wrong_kind(subject, value, f"one of {', '.join(kind)}")
        return kind(value)
    return _number(subject, kind, value)


def _number(subject: str, kind: type, value: object) -> object:
    expected = {bool: "true or false", int: "a whole number", float: "a number"}[kind]
    # True and false are numbers to Python, and to nobody else.
    fits = isinstance(value, bool) is (kind is bool)
    if not fits or not isinstance(value, (int, float) if kind is float else kind):
        raise _wrong_kind(subject, value, expected)
    return kind(value)


def _wrong_kind(subject: str, value: object, expected: str) -> ConfigurationError:
    return ConfigurationError(subject, repr(value), expected, "Correct the policy.")

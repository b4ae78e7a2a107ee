"""Kinds of values that several settings files hold."""

import re
from collections.abc import Sequence
from typing import Annotated

from pydantic import StringConstraints
from pydantic_core import PydanticCustomError

__all__ = ["EnvironmentName", "Name", "Text", "each_once"]

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Name = Annotated[str, StringConstraints(pattern=re.compile(r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"))]
"""Letters, digits, `_` and `-`: it becomes part of file names."""

EnvironmentName = Annotated[str, StringConstraints(pattern=re.compile(r"^[A-Z_][A-Z0-9_]*$"))]


def each_once(what: str, names: Sequence[str]) -> None:
    """Refuse a field that names something twice."""
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise PydanticCustomError("twice", f"each of the {what} once, not {twice[0]!r} twice")

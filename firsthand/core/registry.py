"""Plug-ins by exact name: registered once, unknown names answered with the known ones."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from firsthand.core.errors import UnknownNameError

__all__ = ["Registry"]

Entry = TypeVar("Entry")


class Registry(Generic[Entry]):
    """A table of entries of one kind, by name.

    Args:
        kind: What the entries are, as it reads in an error ("face engine").
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._entries: dict[str, Entry] = {}

    def register(self, name: str) -> Callable[[Entry], Entry]:
        """Return a decorator that files its subject under `name`.

        Raises:
            ValueError: If the name is taken, since two plug-ins would shadow each other.
        """

        def file_entry(entry: Entry) -> Entry:
            if name in self._entries:
                raise ValueError(f"{self.kind} {name!r} is registered twice")
            self._entries[name] = entry
            return entry

        return file_entry

    def __getitem__(self, name: str) -> Entry:
        if name not in self._entries:
            raise UnknownNameError(
                f"{self.kind} {name!r}",
                "no entry of that name",
                f"one of {', '.join(sorted(self._entries)) or 'none registered'}",
                "Correct the name; names are exact.",
            )
        return self._entries[name]

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._entries))

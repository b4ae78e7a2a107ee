"""Digests of delivered files, remembered while a file is as it was when it was read."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from firsthand.core.identity import Json, digest_file
from firsthand.store.files import read_json, write_json
from firsthand.store.location import Store

__all__ = ["FileDigests", "remembered_digests"]

# A file that was written this shortly before it was read may change again within the same
# tick of its file system's clock, unseen: its digest is not kept.
_SETTLED_NS = 2_000_000_000


class FileDigests:
    """SHA-256 of files by path; a file is read again after any change of its state.

    Length, times of change of content and of entry, and inode are compared, so that a copy
    that keeps its date, or a file put in another's place, is read again.

    Args:
        known: State and digest by path, from an earlier job.
    """

    def __init__(self, known: Mapping[str, Json]) -> None:
        self._known = dict(known)
        self._met: dict[str, Json] = {}

    @property
    def met(self) -> Mapping[str, Json]:
        """State and digest of every file that was asked for, for a later job."""
        return self._met

    def __call__(self, path: Path) -> str:
        """Return the digest of a file's bytes."""
        name, state = str(path.resolve()), _state(path)
        known = self._known.get(name)
        if isinstance(known, Mapping) and known.get("state") == state:
            digest = str(known["digest"])
        else:
            digest = digest_file(path)
        if _state(path) == state and max(state[1], state[2]) < time.time_ns() - _SETTLED_NS:
            self._met[name] = {"state": state, "digest": digest}
        return digest


@contextmanager
def remembered_digests(store: Store) -> Iterator[FileDigests]:
    """Yield digests that know what earlier jobs over this store have read.

    Kept in the private zone, since names of files may tell who or where. Files that were
    not asked for are forgotten.
    """
    path = store.file_digests
    known = cast("Mapping[str, Json]", read_json(path)) if path.is_file() else {}
    digests = FileDigests(known)
    yield digests
    if digests.met != known:
        write_json(path, digests.met, store.scratch)


def _state(path: Path) -> list[int]:
    found = path.stat()
    return [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]

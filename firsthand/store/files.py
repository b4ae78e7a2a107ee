"""Files that are whole or absent: temporary name, fsync, rename."""

import json
import os
import shutil
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from firsthand.core.identity import Json, canonical_json

__all__ = [
    "append_lines",
    "read_json",
    "replaced_file",
    "scratch_folder",
    "scratch_name",
    "settle_folder",
    "sync_file",
    "write_bytes",
    "write_json",
]


@contextmanager
def replaced_file(target: Path, scratch: Path) -> Iterator[Path]:
    """Yield a temporary path that becomes `target` if the block ends well.

    Whatever kills the process, `target` is the old file or the new one, never a part.
    Temporary names live in `scratch` (same file system), so no pattern over a table's
    folder ever meets one; the process id in the name lets a later run sweep them.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = scratch / f"{scratch_name()}{target.suffix}"
    try:
        yield temporary
        _sync(temporary)
        temporary.replace(target)
        _sync(target.parent)
    finally:
        temporary.unlink(missing_ok=True)


def scratch_name() -> str:
    """Return a fresh temporary name that tells which process owns it."""
    return f"{os.getpid()}-{uuid.uuid4().hex}"


def write_bytes(target: Path, payload: bytes, scratch: Path) -> None:
    """Replace `target` with `payload`, whole or not at all."""
    with replaced_file(target, scratch) as temporary:
        temporary.write_bytes(payload)


def write_json(target: Path, value: Json, scratch: Path) -> None:
    """Replace `target` with the canonical JSON of `value`."""
    write_bytes(target, canonical_json(value) + b"\n", scratch)


def read_json(path: Path) -> Json:
    """Read a JSON file that this store wrote."""
    value: Json = json.loads(path.read_bytes())
    return value


def append_lines(path: Path, values: Iterable[Json], *, durable: bool = True) -> None:
    """Append JSON lines in a single write, so that writers do not interleave.

    Once it returns, the death of this process loses nothing; a power cut does not either
    if `durable`, or after the next durable line in the same file.
    """
    payload = b"".join(canonical_json(value) + b"\n" for value in values)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(descriptor, payload)
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_file(path: Path) -> None:
    """Return once a power cut loses nothing of what was written to a file."""
    _sync(path)


@contextmanager
def scratch_folder(scratch: Path) -> Iterator[Path]:
    """Yield an empty folder that is gone afterwards, unless it was settled elsewhere."""
    folder = scratch / scratch_name()
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def settle_folder(folder: Path, target: Path) -> None:
    """Move a finished folder to its place, whole and durably.

    Raises:
        OSError: If `target` is there already and not empty: folders are never replaced.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    for path in [*folder.rglob("*"), folder]:
        _sync(path)
    folder.rename(target)
    _sync(target.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

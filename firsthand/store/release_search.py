"""The last look at a release before it exists: nothing in it may tell where it comes from."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from firsthand.core.errors import FirsthandError
from firsthand.media.traces import Trace, TraceKind, first_trace, has_header_time

__all__ = ["TracesLeftError", "search_release"]

_MEDIA = (".mp4", ".mov", ".m4a", ".mkv")


class TracesLeftError(FirsthandError):
    """A release would tell where, when or with what its recordings were made."""


def search_release(
    folder: Path, media: Mapping[Path, Sequence[Trace]], everywhere: Sequence[Trace]
) -> None:
    """Search every file of a release for what the originals say about their origin.

    Media are searched byte by byte for every spelling of their own recording's facts, and
    their headers for times of making. Tables are searched value by value as well, since
    their bytes are compressed; titles and comments are not looked for there, for they may
    be words that somebody said.

    Args:
        folder: The release as it is about to be settled.
        media: Traces of each media file's own recording.
        everywhere: Traces of all recordings.

    Raises:
        TracesLeftError: At the first trace; it names file and fact, never the value.
    """
    telling = tuple(trace for trace in everywhere if trace.kind is not TraceKind.OTHER)
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        found = first_trace(path, media.get(path, telling))
        if found is None and path.suffix == ".parquet":
            found = _trace_in_table(path, telling)
        if found is not None:
            raise _left(folder, path, f"{found.kind}, said by {found.key!r} of an original")
        if path.suffix in _MEDIA and has_header_time(path):
            raise _left(folder, path, "time of making in a header")


def _trace_in_table(path: Path, traces: Sequence[Trace]) -> Trace | None:
    table = pq.read_table(path)
    texts = "\n".join(text for column in table.columns for text in _texts(column))
    numbers = {number for column in table.columns for number in _numbers(column)}
    for trace in traces:
        if trace.text is not None and trace.text in texts:
            return trace
        if trace.number is not None and trace.number in numbers:
            return trace
    return None


def _texts(column: pa.ChunkedArray) -> Iterator[str]:
    values = column.combine_chunks()
    while pa.types.is_list(values.type):
        values = values.flatten()
    if pa.types.is_string(values.type):
        yield from (text for text in values.unique().to_pylist() if text)


def _numbers(column: pa.ChunkedArray) -> Iterator[int]:
    if pa.types.is_integer(column.type):
        yield from (number for number in column.unique().to_pylist() if number is not None)


def _left(folder: Path, path: Path, found: str) -> TracesLeftError:
    return TracesLeftError(
        f"release file {path.relative_to(folder).as_posix()}",
        f"the {found}",
        "no trace of a place, a time, a device or a name of the originals",
        "Find the step that carries it over and mend it; nothing was released.",
    )

"""Proof that a written file tells nothing of its origin: its streams, its tags, its bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firsthand.core.errors import FirsthandError
from firsthand.media.packets import read_beginning
from firsthand.media.tags import identifying_tags
from firsthand.media.traces import first_trace, has_header_time, traces_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from firsthand.media.packets import Beginning
    from firsthand.media.traces import Fact

__all__ = ["LeakedMetadataError", "check_container"]


class LeakedMetadataError(FirsthandError):
    """A released file still tells where, when or with what it was recorded."""


def check_container(
    output: Path, tags: Sequence[tuple[str, str]], written: Iterable[Fact] = ()
) -> None:
    """Make sure that a written file holds no tag and no stream of the original.

    It must hold one picture and at most one sound, its own tags must say nothing about an
    origin, its headers no time, and none of the original's values may occur anywhere in its
    bytes, in any of the spellings of `traces_of`. Values under five characters are only
    looked for among the tags, since any picture holds such bytes by chance.

    Args:
        output: The file that is to be released.
        tags: The original's tags, as `Probe.tags` holds them.
        written: What else the original says, as `atom_facts` finds it.

    Raises:
        LeakedMetadataError: If something is left; it names the tag's key, never its value.
        UnreadableMediaError: If the file cannot be read.
    """
    begin = read_beginning(output)
    if (surplus := _surplus(begin)) is not None:
        raise _leak(output, "its streams", surplus)
    for key, _ in identifying_tags(begin.tags):
        raise _leak(output, f"tag {key!r}", "a tag of the file itself")
    if has_header_time(output):
        raise _leak(output, "its headers", "a time of making")
    found = first_trace(output, traces_of(tags, written))
    if found is not None:
        raise _leak(output, f"tag {found.key!r}", "its value among the file's bytes")


def _surplus(begin: Beginning) -> str | None:
    """Return what streams there are beside one picture and one sound."""
    if begin.moving_pictures > 1 or begin.still_pictures:
        return "a further picture stream"
    if begin.audio_tracks > 1:
        return "a further sound track"
    return "a stream that is neither picture nor sound" if begin.other_streams else None


def _leak(output: Path, subject: str, found: str) -> LeakedMetadataError:
    return LeakedMetadataError(
        f"file {output.name!r}, {subject}",
        found,
        "no trace of the original's tags, times and streams",
        "Do not release it; write it again from the original.",
    )

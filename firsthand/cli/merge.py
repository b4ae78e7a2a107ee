"""`firsthand merge`: each participant's stream as one video, with its timeline beside it."""

from pathlib import Path
from typing import Annotated

import typer

from firsthand.core.errors import UnknownNameError
from firsthand.media.merging import MergePart, merge
from firsthand.store.release_folder import MediaRole, ReleaseCheck, read_release
from firsthand.store.release_streams import ReleasedStream, released_streams, write_timelines

__all__ = ["merge_streams"]

_PERCENT = 100


def merge_streams(
    release: Annotated[Path, typer.Argument(help="Folder of the release.")],
    out: Annotated[Path, typer.Option("--out", help="Folder to write into.")],
    participant: Annotated[str | None, typer.Option(help="Only this participant's stream.")] = None,
    *,
    proxy: Annotated[bool, typer.Option("--proxy", help="Merge the 640x360 files.")] = False,
    timelines_only: Annotated[
        bool, typer.Option("--timelines-only", help="Write the timelines and no video.")
    ] = False,
) -> None:
    """Write each participant's stream as one video, and its timeline in TeleEgo's format.

    `merged_<participant>.mp4` holds the recordings one after another; the pictures are copied
    where all are coded alike. `timeline_<participant>.json` tells which label lies where in it.
    """
    role = MediaRole.PROXY if proxy else MediaRole.DEIDENTIFIED
    streams = list(released_streams(read_release(release, ReleaseCheck.SIZES), role))
    out.mkdir(parents=True, exist_ok=True)
    for stream in _chosen(streams, participant, release):
        for timeline in write_timelines([stream], out):
            typer.echo(f"wrote {timeline}")
        if not timelines_only:
            _merge(stream, out / f"merged_{stream.participant_id}.mp4")


def _chosen(
    streams: list[ReleasedStream], participant: str | None, release: Path
) -> list[ReleasedStream]:
    chosen = [one for one in streams if participant in (None, one.participant_id)]
    if participant is not None and not chosen:
        known = ", ".join(stream.participant_id for stream in streams)
        raise UnknownNameError(
            f"participant {participant!r}",
            f"no stream of that participant in release {release.name}",
            f"one of {known}",
            "Correct the name, or leave it out to merge all.",
        )
    return chosen


def _merge(stream: ReleasedStream, target: Path) -> None:
    parts = [MergePart(clip.path, clip.place) for clip in stream.clips]
    end_us = parts[-1].place.end_us
    with typer.progressbar(
        length=_PERCENT, label=target.name, file=typer.get_text_stream("stderr")
    ) as shown:

        def reached(moment_us: int) -> None:
            shown.update(moment_us * _PERCENT // end_us - shown.pos)

        done = merge(parts, target, progress=reached)
    how = "copied" if done.copied else "encoded anew"
    typer.echo(f"wrote {target}: {done.frames} pictures of {len(parts)} clips, {how}")

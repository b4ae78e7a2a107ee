"""Replies to EcoG-Bench clips, in the files that runners leave behind.

Accepted are the released engine's `results_<dataset>.json` (one file, or the model's whole
results folder), a list of replies with `video_name`, an object of replies by video name,
and the same as JSON lines.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json
from firsthand.formats.ecog import GoldClip
from firsthand.formats.problems import Problem, Problems, listing
from firsthand.formats.textfile import read_json, read_jsonl, write_json

__all__ = ["GroundingReply", "matched_replies", "read_replies", "write_replies"]

_RESULTS = re.compile(r"results_(.+)\.json")
_TEMPLATE = re.compile(r"指令([1-6])")


@dataclass(frozen=True, slots=True)
class GroundingReply:
    """One clip's reply as a file holds it.

    Args:
        video_name: The clip's video.
        template: 1–6 where file or folder says so; None otherwise.
        environment: The dataset's name where the file says so; None otherwise.
        reply: The parsed reply, or the text, or whatever stood there; never mended.
        size_wh_px: Display size that the released engine recorded beside it.
    """

    video_name: str
    template: int | None
    environment: str | None
    reply: Json
    size_wh_px: tuple[int, int] | None = None


def read_replies(path: Path) -> tuple[GroundingReply, ...]:
    """Read a file of replies, or every results file below a folder.

    Raises:
        DataFileError: If there is none, or entries name no clip; all are listed.
    """
    if not path.is_dir():
        return tuple(_file_replies(path))
    files = [file for file in sorted(path.rglob("*.json")) if _RESULTS.fullmatch(file.name)]
    if not files:
        raise DataFileError(
            str(path), "no results", "files named results_<dataset>.json", "Check the folder."
        )
    return tuple(reply for file in files for reply in _file_replies(file))


def matched_replies(
    clips: Sequence[GoldClip], replies: Sequence[GroundingReply], path: Path
) -> list[GroundingReply | None]:
    """Return for each clip its reply, or None where it was never answered.

    A reply that names template or environment belongs to that folder's clip; a name that
    several clips share needs them. An environment that no clip has is a dataset's other
    name and tells nothing.

    Raises:
        DataFileError: If replies fit no clip or several, or a clip has two replies.
    """
    environments = {clip.environment for clip in clips}
    by_name: dict[str, list[int]] = {}
    for number, clip in enumerate(clips):
        by_name.setdefault(_composed(clip.video_name), []).append(number)
    problems: list[Problem] = []
    found: dict[int, GroundingReply] = {}
    for reply in replies:
        fitting = [
            number
            for number in by_name.get(_composed(reply.video_name), ())
            if _fits(clips[number], reply, environments)
        ]
        item = f"reply to {reply.video_name!r}"
        if len(fitting) != 1:
            clash = f"{len(fitting)} clips" if fitting else "no clip of that name"
            problems.append(Problem(path.name, item, "video_name", clash, "one clip"))
        elif fitting[0] in found:
            problems.append(Problem(path.name, item, "", "a second reply", "one reply a clip"))
        else:
            found[fitting[0]] = reply
    if problems:
        raise listing(str(path), problems)
    return [found.get(number) for number in range(len(clips))]


def write_replies(path: Path, replies: Sequence[GroundingReply]) -> None:
    """Write replies as one list, each object with its `video_name`."""
    write_json(path, [_entry(reply) for reply in replies])


def _entry(reply: GroundingReply) -> dict[str, Json]:
    place: dict[str, Json] = {"video_name": reply.video_name}
    if reply.template is not None:
        place["task_template"] = f"指令{reply.template}"
    if reply.environment is not None:
        place["dataset"] = reply.environment
    return {**place, "reply": reply.reply}


def _file_replies(path: Path) -> Iterator[GroundingReply]:
    content = read_jsonl(path) if path.suffix == ".jsonl" else read_json(path)
    problems = Problems(path)
    replies = list(_content_replies(content, path, problems))
    problems.raise_if_any()
    yield from replies


def _content_replies(content: Json, path: Path, problems: Problems) -> Iterator[GroundingReply]:
    template, environment = _file_place(path)
    if isinstance(content, Mapping) and isinstance(content.get("predictions"), list):
        truths = content.get("ground_truths")
        sizes = _sizes(truths if isinstance(truths, list) else ())
        for reply in _listed(content["predictions"], (template, environment), problems):
            yield GroundingReply(
                reply.video_name,
                reply.template,
                reply.environment,
                reply.reply,
                sizes.get(reply.video_name),
            )
    elif isinstance(content, Mapping):
        for video_name, reply_value in content.items():
            yield GroundingReply(video_name, template, environment, reply_value)
    else:
        yield from _listed(content, (template, environment), problems)


def _listed(
    content: Json, place: tuple[int | None, str | None], problems: Problems
) -> Iterator[GroundingReply]:
    if not isinstance(content, list):
        problems.add("", "", content, "a list or an object of replies")
        return
    for position, item in enumerate(content):
        video_name = item.get("video_name") if isinstance(item, Mapping) else None
        if not isinstance(item, Mapping) or not isinstance(video_name, str):
            problems.add(f"item {position}", "video_name", video_name, "the clip's video name")
            continue
        template, environment = place
        named = _TEMPLATE.fullmatch(_composed(str(item.get("task_template") or "")))
        dataset = item.get("dataset")
        yield GroundingReply(
            video_name,
            int(named[1]) if named else template,
            dataset if isinstance(dataset, str) else environment,
            item.get("reply", item),
        )


def _sizes(truths: Sequence[Json]) -> dict[str, tuple[int, int]]:
    sizes = {}
    for truth in truths:
        if isinstance(truth, Mapping):
            width, height = truth.get("_video_width"), truth.get("_video_height")
            if isinstance(width, int) and isinstance(height, int):
                sizes[str(truth.get("video_name"))] = (width, height)
    return sizes


def _file_place(path: Path) -> tuple[int | None, str | None]:
    named = _TEMPLATE.fullmatch(_composed(path.parent.name))
    dataset = _RESULTS.fullmatch(path.name)
    return (int(named[1]) if named else None), (dataset[1] if dataset and named else None)


def _fits(clip: GoldClip, reply: GroundingReply, environments: Set[str]) -> bool:
    same_template = reply.template in (None, clip.template)
    is_known = reply.environment in environments
    return same_template and (not is_known or reply.environment == clip.environment)


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)

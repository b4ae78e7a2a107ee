"""EcoG-Bench's ground truth: `<environment>/指令<k>/eval_gt.json` and `annotations.json`.

Points in these files are [y, x] on 0–1000; boxes are pixels [x1, y1, x2, y2]; strokes are
closed windows in milliseconds. The names here say so, and nothing is turned around.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json
from firsthand.formats.problems import Problem, Problems, listing
from firsthand.formats.textfile import read_json, write_json

__all__ = [
    "ANNOTATIONS_FILE",
    "GROUND_TRUTH_FILE",
    "GoldClip",
    "GoldMask",
    "GoldReferent",
    "clip_folders",
    "clip_from_json",
    "read_clips",
    "write_clips",
]

GROUND_TRUTH_FILE = "eval_gt.json"
ANNOTATIONS_FILE = "annotations.json"
_TEMPLATE = re.compile(r"指令([1-6])")
_LEVELS = {1: "L1", 2: "L2", 3: "L3", 4: "L3", 5: "L4", 6: "L4"}
_LANGUAGES = (("data_zn", "zh"), ("data_zh", "zh"), ("data_en", "en"))


@dataclass(frozen=True, slots=True)
class GoldMask:
    """A referent's mask as its file states it.

    Args:
        box_xyxy_px: The box, pixels; None where the file has none.
        png_base64: The picture, cut to the box or of the whole frame; empty without one.
        rle: COCO run lengths of the whole frame, where a file carries those instead.
        score: Confidence that the file states.
    """

    box_xyxy_px: tuple[float, float, float, float] | None
    png_base64: str
    rle: Mapping[str, Json] | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class GoldReferent:
    """One referent of a clip's ground truth.

    Args:
        choice: Its option: a capital for an object, a small letter for a place.
        stroke_begin_ms: First millisecond of the stroke, inclusive; None where absent.
        stroke_end_ms: Last millisecond, inclusive; None where absent.
        points_yx_1000: Annotated points, [y, x] on 0–1000; one point is a tuple of one.
        mask: The object's mask; None for places and where the file has none.
    """

    choice: str
    stroke_begin_ms: float | None
    stroke_end_ms: float | None
    points_yx_1000: tuple[tuple[float, float], ...]
    mask: GoldMask | None


@dataclass(frozen=True, slots=True)
class GoldClip:
    """One clip's ground truth.

    Args:
        environment: Folder above the template's; empty where there is none.
        template: 1–6, from the folder's name, which overrides `task_template`.
        video_name: File name of the video, as written.
        object_choices: Option lines of objects, "A. …".
        space_choices: Option lines of places, "a. …".
        referents: In order of mention.
        folder: Where the files lie.
        language: "en" or "zh" by the data folder's name; empty where it does not say.
        source: The clip's entry of `eval_gt.json`, untouched.
        annotation: The clip's entry of `annotations.json`, untouched; None without one.
    """

    environment: str
    template: int
    video_name: str
    object_choices: tuple[str, ...]
    space_choices: tuple[str, ...]
    referents: tuple[GoldReferent, ...]
    folder: Path
    language: str
    source: Mapping[str, Json]
    annotation: Mapping[str, Json] | None = None

    @property
    def clip_id(self) -> str:
        """Environment, template and video: unique also where names recur across folders."""
        parts = (self.environment, self.instruction, self.video_name)
        return "/".join(part for part in parts if part)

    @property
    def instruction(self) -> str:
        """The template as the benchmark names it."""
        return f"指令{self.template}"

    @property
    def level(self) -> str:
        """L1 to L4."""
        return _LEVELS[self.template]

    @property
    def scene(self) -> str:
        """The scene that the annotation states; empty without one."""
        return str((self.annotation or {}).get("scene") or "")


def clip_folders(root: Path) -> list[tuple[str, int, Path]]:
    """Return (environment, template, folder) of every template folder below `root`.

    Names are compared in composed form, since archives made on a Mac decompose them.
    """
    found = []
    for path in sorted(root.rglob(GROUND_TRUTH_FILE)):
        match = _TEMPLATE.fullmatch(_composed(path.parent.name))
        if match is not None:
            above = path.parent.parent
            environment = "" if above == root.parent else _composed(above.name)
            found.append((environment, int(match[1]), path.parent))
    return found


def read_clips(root: Path) -> tuple[GoldClip, ...]:
    """Read all ground truth below a data folder.

    Raises:
        DataFileError: If there is none, or clips break the format; all files are read and
            everything wrong is listed together.
    """
    folders = clip_folders(root)
    if not folders:
        raise DataFileError(
            str(root),
            "no ground truth",
            f"<environment>/指令<1-6>/{GROUND_TRUTH_FILE}",
            "Give the benchmark's data folder.",
        )
    wrong: list[Problem] = []
    clips: list[GoldClip] = []
    for environment, template, folder in folders:
        clips += _folder_clips(root, environment, template, folder, wrong)
    if wrong:
        raise listing(str(root), wrong)
    return tuple(clips)


def clip_from_json(
    video_name: str, entry: Json, place: tuple[str, int, Path], problems: Problems
) -> GoldClip | None:
    """Return one clip of `eval_gt.json`, or note its problems and return None.

    Args:
        video_name: The entry's key.
        entry: The entry.
        place: Environment, template and folder.
        problems: Where problems are noted.
    """
    name = f"clip {video_name!r}"
    before = len(problems.listed)
    answer = entry.get("answer") if isinstance(entry, Mapping) else None
    if not isinstance(entry, Mapping) or not isinstance(answer, list) or not answer:
        problems.add(name, "answer", answer, "a list of at least one referent")
        return None
    object_choices = _choices(entry, "object_choices", name, problems)
    space_choices = _choices(entry, "space_choices", name, problems)
    referents = [
        _referent(item, f"{name}, referent {number}", problems)
        for number, item in enumerate(answer)
        if not _is_unnamed(item)
    ]
    if not referents:
        problems.add(name, "answer", answer, "a referent with a choice")
    if len(problems.listed) > before:
        return None
    environment, template, folder = place
    return GoldClip(
        environment,
        template,
        video_name,
        object_choices,
        space_choices,
        tuple(cast("list[GoldReferent]", referents)),
        folder,
        _language(folder),
        entry,
    )


def write_clips(root: Path, clips: Iterable[GoldClip]) -> None:
    """Write clips in the official folder layout below `root`, both files of each folder."""
    truth: dict[Path, dict[str, Json]] = {}
    annotations: dict[Path, list[Json]] = {}
    for clip in clips:
        folder = root / clip.environment / clip.instruction
        truth.setdefault(folder, {})[clip.video_name] = clip.source
        if clip.annotation is not None:
            annotations.setdefault(folder, []).append(clip.annotation)
    for folder, entries in truth.items():
        write_json(folder / GROUND_TRUTH_FILE, entries)
    for folder, items in annotations.items():
        write_json(folder / ANNOTATIONS_FILE, items)


def _folder_clips(
    root: Path, environment: str, template: int, folder: Path, wrong: list[Problem]
) -> Iterator[GoldClip]:
    path = folder / GROUND_TRUTH_FILE
    problems = Problems(path.relative_to(root))
    annotations = _annotations(folder, wrong, root)
    content = read_json(path)
    if not isinstance(content, Mapping):
        problems.add("", "", content, "an object of clips by video name")
        content = {}
    for video_name, entry in content.items():
        clip = clip_from_json(video_name, entry, (environment, template, folder), problems)
        if clip is not None:
            yield _annotated(clip, annotations.get(video_name))
    wrong += problems.listed


def _annotated(clip: GoldClip, annotation: Mapping[str, Json] | None) -> GoldClip:
    return replace(clip, annotation=annotation)


def _annotations(folder: Path, wrong: list[Problem], root: Path) -> dict[str, Mapping[str, Json]]:
    path = folder / ANNOTATIONS_FILE
    if not path.is_file():
        return {}
    problems = Problems(path.relative_to(root))
    content = read_json(path)
    if not isinstance(content, list):
        problems.add("", "", content, "a list of annotated clips")
        content = []
    kept: dict[str, Mapping[str, Json]] = {}
    for position, item in enumerate(content):
        video_name = item.get("video_name") if isinstance(item, Mapping) else None
        if not isinstance(item, Mapping) or not isinstance(video_name, str):
            problems.add(f"item {position}", "video_name", video_name, "text")
        else:
            kept[video_name] = item
    wrong += problems.listed
    return kept


def _choices(entry: Mapping[str, Json], key: str, name: str, problems: Problems) -> tuple[str, ...]:
    lines = entry.get(key)
    if lines is None:
        return ()
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        problems.add(name, key, lines, "a list of option lines")
        return ()
    return tuple(cast("list[str]", lines))


def _is_unnamed(item: Json) -> bool:
    # Released files may keep a reference object's entry without a choice; it is no referent.
    return isinstance(item, Mapping) and item.get("choice") in (None, "")


def _referent(item: Json, name: str, problems: Problems) -> GoldReferent | None:
    if not isinstance(item, Mapping):
        problems.add(name, "", item, "an object with choice, stroke times and points")
        return None
    choice = item.get("choice")
    if not isinstance(choice, str) or not choice.strip():
        problems.add(name, "choice", choice, "an option's letter")
        choice = ""
    return GoldReferent(
        choice,
        _time_ms(item, "stroke_begin_time", name, problems),
        _time_ms(item, "stroke_end_time", name, problems),
        _points(item.get("points"), name, problems),
        _mask(item.get("mask"), name, problems),
    )


def _time_ms(item: Mapping[str, Json], key: str, name: str, problems: Problems) -> float | None:
    value = item.get(key)
    if value is None or _is_number(value):
        return cast("float | None", value)
    problems.add(name, key, value, "milliseconds")
    return None


def _points(value: Json, name: str, problems: Problems) -> tuple[tuple[float, float], ...]:
    if not value:
        return ()
    pairs = value if isinstance(value, list) else [value]
    if _is_number(pairs[0]):
        pairs = [pairs]
    if not all(isinstance(pair, list) and _are_numbers(pair, 2) for pair in pairs):
        problems.add(name, "points", value, "[y, x] pairs on 0-1000")
        return ()
    return tuple((pair[0], pair[1]) for pair in cast("list[list[float]]", pairs))


def _mask(value: Json, name: str, problems: Problems) -> GoldMask | None:
    if not value:
        return None
    if not isinstance(value, Mapping):
        problems.add(name, "mask", value, "an object with bbox and mask_base64")
        return None
    box, png, score = value.get("bbox"), value.get("mask_base64"), value.get("score")
    if box and not (isinstance(box, list) and _are_numbers(box, 4)):
        problems.add(name, "mask.bbox", box, "[x1, y1, x2, y2] in pixels")
        box = None
    if not isinstance(png, str | None):
        problems.add(name, "mask.mask_base64", png, "a PNG as base64 text")
        png = ""
    rle = value if "counts" in value else value.get("rle")
    edges = cast("tuple[float, float, float, float]", tuple(cast("list[float]", box or ())))
    return GoldMask(
        edges or None,
        png or "",
        rle if isinstance(rle, Mapping) else None,
        float(cast("float", score)) if _is_number(score) else None,
    )


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_numbers(values: Sequence[Json], count: int) -> bool:
    return len(values) == count and all(map(_is_number, values))


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _language(folder: Path) -> str:
    for part in reversed(folder.parts):
        for prefix, language in _LANGUAGES:
            if part.startswith(prefix):
                return language
    return ""

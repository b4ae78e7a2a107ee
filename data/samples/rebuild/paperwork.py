"""What lies beside the clips: narrations, annotations, truth, the build's configuration."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import numpy.typing as npt
from clips import PARTICIPANTS, Clip, Participant, Quirk
from record import Recorded, start_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_ENROLMENT_LINES = {"P1": ("20260503_093000", (0, 1)), "P2": ("20260509_141000", (0, 1))}
_ENROLMENT_MARGIN_MS = 60
_TWO_OBJECTS = 4


def write_narrations(made: Recorded, folder: Path) -> None:
    """Write the narrator's sentences as SRT."""
    if made.clip.quirk is Quirk.TRUNCATED:
        return
    path = folder / made.clip.participant_id / f"{made.clip.stem}.srt"
    path.parent.mkdir(parents=True, exist_ok=True)
    blocks = [
        f"{number}\n{_srt_time(line.begin_s)} --> {_srt_time(line.end_s)}\n{line.text}\n"
        for number, line in enumerate(made.clip.narrations, start=1)
    ]
    path.write_text("\n".join(blocks), encoding="utf-8")


def _srt_time(time_s: float) -> str:
    milliseconds = round(1000 * time_s)
    seconds, milliseconds = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02},{milliseconds:03}"


def write_annotations(recorded: list[Recorded], folder: Path) -> None:
    """Write set-ups of clips, clicks (on the last frame) and strokes, one a line."""
    folder.mkdir(parents=True, exist_ok=True)
    clicks = [click for made in recorded for click in _clicks(made)]
    strokes = [
        {"file": made.clip.file, **_stroke_row(made, index)}
        for made in recorded
        for index in range(len(made.strokes))
    ]
    clips = [set_up(made.clip) for made in recorded if made.clip.pointings]
    for name, rows in (("clips", clips), ("clicks", clicks), ("strokes", strokes)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


def set_up(clip: Clip) -> dict[str, Any]:
    """Return how a clip in which two objects are pointed at is set up."""
    pointed = [pointing.referent_id for pointing in clip.pointings]
    return {
        "file": clip.file,
        "template": _TWO_OBJECTS,
        "language": "en",
        "seed": clip.setting.seed,
        "referents": [{"referent_id": name, "label": _label(clip, name)} for name in pointed],
        "distractors": list(clip.distractors),
    }


def _stroke_row(made: Recorded, index: int) -> dict[str, Any]:
    stroke = made.strokes[index]
    return {
        "referent_id": stroke.referent_id,
        "phrase": stroke.phrase,
        "begin_ms": stroke.begin_ms,
        "end_ms": stroke.end_ms,
    }


def _clicks(made: Recorded) -> Iterable[dict[str, Any]]:
    generator = np.random.default_rng(made.clip.setting.seed)
    for thing in made.clip.setting.things:
        if thing.referent_id:
            x, y = _click_point(made.covers[thing.referent_id], generator)
            yield _click(made, thing.referent_id, (x, y), thing.label, "yes")
            for referent_id, off_x, off_y in made.clip.rejected_xy_px:
                if referent_id == thing.referent_id:
                    yield _click(made, referent_id, (off_x, off_y), thing.label, "no")


def _click(
    made: Recorded, referent_id: str, point_xy_px: tuple[float, float], label: str, answer: str
) -> dict[str, Any]:
    return {
        "file": made.clip.file,
        "referent_id": referent_id,
        "pts_us": made.last_pts_us,
        "point_xy_px": list(point_xy_px),
        "label": label,
        "positive": answer == "yes",
    }


def _click_point(
    mask: npt.NDArray[np.bool_], generator: np.random.Generator
) -> tuple[float, float]:
    """Return a point well inside the mask, a little beside its deepest one, as people click."""
    depth = cv2.distanceTransform(mask.astype(np.uint8), cv2.DIST_L2, 5)
    y, x = np.unravel_index(int(np.argmax(depth)), depth.shape)
    reach = 0.4 * float(depth.max())
    shift_x, shift_y = generator.uniform(-reach, reach, 2)
    return round(float(x + shift_x)), round(float(y + shift_y))


def write_truth(recorded: list[Recorded], path: Path) -> None:
    """Write what is true about every file; one line a file keeps changes readable."""
    files = {made.clip.file: _truth(made) for made in recorded}
    lines = [
        f"{json.dumps(name)}: {json.dumps(entry, separators=(',', ':'))}"
        for name, entry in files.items()
    ]
    path.write_text(
        '{"schema_version": 1, "files": {\n' + ",\n".join(lines) + "\n}}\n", encoding="utf-8"
    )


def _truth(made: Recorded) -> dict[str, Any]:
    clip = made.clip
    start = start_of(clip)
    head = {
        "participant_id": clip.participant_id,
        "start_time_local": start.replace(tzinfo=None).isoformat(),
        "utc_offset": start.strftime("%z")[:3] + ":00",
        "duration_us": round(1e6 * clip.duration_s),
        "quirk": clip.quirk.name.lower(),
        "quarantined": clip.quirk is Quirk.TRUNCATED,
    }
    if clip.quirk is Quirk.TRUNCATED:
        return head
    width, height = clip.setting.size_wh_px
    return head | {
        "display_size_px": [width, height],
        "frames": made.frames,
        "words": [
            {
                "text": w.text,
                "begin_ms": w.begin_ms,
                "end_ms": w.end_ms,
                "speaker": w.speaker,
                "consented": w.consented,
            }
            for w in made.words
        ],
        "text_boxes": [
            {"text": text, "kind": kind, "boxes_pts_us_xyxy_px": rows}
            for (text, kind), rows in made.texts.items()
        ],
        "objects": {
            name: {"label": _label(clip, name), "pts_us": made.last_pts_us, "mask": coco_rle(mask)}
            for name, mask in made.covers.items()
        },
        "strokes": [_stroke_row(made, index) for index in range(len(made.strokes))],
    }


def _label(clip: Clip, referent_id: str) -> str:
    return next(thing.label for thing in clip.setting.things if thing.referent_id == referent_id)


def coco_rle(mask: npt.NDArray[np.bool_]) -> dict[str, list[int]]:
    """Return uncompressed COCO runs: column by column, starting with a run of background."""
    flat = np.concatenate([[False], mask.ravel(order="F")])
    edges = np.flatnonzero(flat[1:] != flat[:-1])
    counts = np.diff(np.concatenate([[0], edges, [mask.size]]))
    return {"size": [int(side) for side in mask.shape], "counts": [int(count) for count in counts]}


def write_configuration(recorded: list[Recorded], path: Path) -> None:
    """Write the configuration that builds a benchmark from the recordings."""
    people = "".join(_participant(person, recorded) for person in PARTICIPANTS)
    path.write_text(_HEAD + people + _TAIL, encoding="utf-8")


def _participant(person: Participant, recorded: list[Recorded]) -> str:
    own = [made for made in recorded if made.clip.participant_id == person.participant_id]
    stem, indices = _ENROLMENT_LINES[person.participant_id]
    source = next(made for made in own if made.clip.start_local == stem)
    pieces = "".join(_enrolment(source, index) for index in indices)
    scenarios = "".join(_scenario(made) for made in own)
    return _PARTICIPANT.format(person=person, pieces=pieces, scenarios=scenarios)


def _scenario(made: Recorded) -> str:
    name, description = made.clip.scenario
    return f"      - {{file: {made.clip.stem}.mp4, name: {name}, description: {description}}}\n"


def _enrolment(made: Recorded, line_index: int) -> str:
    words = [word for word in made.words if word.line_index == line_index]
    start_s = (words[0].begin_ms - _ENROLMENT_MARGIN_MS) / 1000
    end_s = (words[-1].end_ms + _ENROLMENT_MARGIN_MS) / 1000
    return f"      - {{file: {made.clip.stem}.mp4, start_s: {start_s:.3f}, end_s: {end_s:.3f}}}\n"


_HEAD = """\
# Builds the sample benchmark from the recordings in this folder.
schema_version: 1
name: samples
unit_s: 1
participants:
"""
_PARTICIPANT = """\
  - participant_id: {person.participant_id}
    recordings: recordings/{person.participant_id}
    narrations: narrations/{person.participant_id}
    time_zone: {person.time_zone}
    consents:
      - {{scope: recording, granted_on: 2026-05-01}}
      - {{scope: publication, granted_on: 2026-05-01}}
    voice_enrolment:
{pieces}    scenarios:
{scenarios}"""
_TAIL = """\
annotations:
  clicks: annotations/clicks.jsonl
  strokes: annotations/strokes.jsonl
  clips: annotations/clips.jsonl
review:
  decisions: review/decisions.jsonl
truth: truth.json
engines:
  faces: centerface
  text: rapidocr
  speech: faster_whisper
  aligner: pocketsphinx
  voice_activity: silero
  speakers: resemblyzer
  masks: grabcut
  drafter: rules
release:
  salt: samples-are-public
  audit_override:
    name: the samples' makers
    reason: Nobody was recorded, and the build is held against known truth instead.
"""

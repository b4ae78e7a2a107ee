"""What TeleEgo's released runners write: predictions and the persistence tracker."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json
from firsthand.formats.problems import Problems
from firsthand.formats.teleego import index_text
from firsthand.formats.textfile import read_json, write_json

__all__ = [
    "PREDICTIONS_FILE",
    "TRACKER_FILE",
    "ParticipantRun",
    "Persistence",
    "TeleEgoRun",
    "read_participant_files",
    "read_participant_run",
    "read_runs",
    "write_participant_run",
]

PREDICTIONS_FILE = "eval_predictions.json"
TRACKER_FILE = "mpt_results.json"
_STAMPS_FILE = "model_timestamps.json"
_PHASES = ("initial", "recall")
_CHECKED: Mapping[str, set[type]] = {
    "index": {int, str},
    "correct": {bool, type(None)},
    "elapsed_time": {int, float},
    "round": {int, type(None)},
}


@dataclass(frozen=True, slots=True)
class Persistence:
    """An item's line in the tracker.

    Args:
        t_star_s: When it was first answered correctly, merged seconds; None where unknown.
        flags: The initial answer, then probe 1, 2, …; as recorded.
    """

    t_star_s: float | None
    flags: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class ParticipantRun:
    """One participant's records, untouched and in file order.

    Args:
        participant: "P1".
        records: Items of `eval_predictions.json`.
        tracker: `mpt_results.json` by index as text; None where the file is absent.
        files: Where both lie.
    """

    participant: str
    records: Sequence[Mapping[str, Json]]
    tracker: Mapping[str, Persistence] | None
    files: tuple[Path, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class TeleEgoRun:
    """One model's run.

    Args:
        model: Folder name of the model.
        participants: Those with records, by number.
        absent: Participants named by the run whose folder or file is not there.
    """

    model: str
    participants: tuple[ParticipantRun, ...]
    absent: tuple[str, ...]


def read_runs(outputs: Path) -> tuple[TeleEgoRun, ...]:
    """Read every model under `outputs/`, or the one model whose folder is given.

    Which stamp of a participant counts is read from `model_timestamps.json` (in the folder
    or beside it, as the released code keeps it); without that file a participant may have
    one stamp only, since taking the latest would be a guess.

    Raises:
        DataFileError: If nothing is there, a stamp is ambiguous, or records break the format.
    """
    stamps = _stamps(outputs)
    folders = [outputs] if _participant_folders(outputs) else _model_folders(outputs)
    if not folders:
        raise DataFileError(
            str(outputs),
            "no run",
            "<model>/p<n>/<stamp>/eval_predictions.json",
            "Give the outputs folder, or one model's folder in it.",
        )
    return tuple(_read_run(folder, stamps.get(folder.name)) for folder in folders)


def read_participant_run(folder: Path, participant: str) -> ParticipantRun:
    """Read one stamp's folder.

    Raises:
        DataFileError: If records or the tracker break the format; all are listed.
    """
    tracker = folder / TRACKER_FILE
    files = (folder / PREDICTIONS_FILE, tracker if tracker.exists() else None)
    return read_participant_files(*files, participant)


def read_participant_files(
    predictions: Path, tracker: Path | None, participant: str
) -> ParticipantRun:
    """Read a participant's two files, wherever they lie.

    Raises:
        DataFileError: If records or the tracker break the format; all are listed.
    """
    problems = Problems(predictions)
    content = read_json(predictions)
    if not isinstance(content, list):
        problems.add("", "", content, "a list of records")
        content = []
    if not _all_sound(content):
        for position, record in enumerate(content):
            _check_record(record, position, problems)
    problems.raise_if_any()
    records = cast("list[Mapping[str, Json]]", content)
    lines = _read_tracker(tracker) if tracker is not None else None
    files = (predictions,) if tracker is None else (predictions, tracker)
    return ParticipantRun(participant, records, lines, files)


def write_participant_run(folder: Path, run: ParticipantRun) -> None:
    """Write a participant's two files as the released runners do."""
    write_json(folder / PREDICTIONS_FILE, list(run.records))
    if run.tracker is not None:
        lines: dict[str, Json] = {
            index: [line.t_star_s, list(line.flags)] for index, line in run.tracker.items()
        }
        write_json(folder / TRACKER_FILE, lines)


def _read_run(folder: Path, stamps: Mapping[str, str] | None) -> TeleEgoRun:
    runs: list[ParticipantRun] = []
    absent: list[str] = []
    named = {name.lower() for name in stamps or ()}
    for participant in sorted({*_participant_folders(folder), *named}):
        name = participant.upper()
        stamp = _stamp_folder(folder / participant, participant, stamps)
        if stamp is None or not (stamp / PREDICTIONS_FILE).is_file():
            absent.append(name)
        else:
            runs.append(read_participant_run(stamp, name))
    return TeleEgoRun(folder.name, tuple(runs), tuple(absent))


def _stamp_folder(folder: Path, participant: str, stamps: Mapping[str, str] | None) -> Path | None:
    if stamps is not None:
        stamp = stamps.get(participant)
        return folder / stamp if stamp else None
    found = sorted(path for path in folder.iterdir() if (path / PREDICTIONS_FILE).is_file())
    if len(found) > 1:
        raise DataFileError(
            str(folder),
            f"{len(found)} stamps: {', '.join(path.name for path in found)}",
            "one stamp a participant",
            f"Name the one that counts in {_STAMPS_FILE}, or move the others away.",
        )
    return found[0] if found else None


def _stamps(outputs: Path) -> dict[str, Mapping[str, str]]:
    resolved = outputs.resolve()
    for folder in (resolved, *resolved.parents[:2]):
        path = folder / _STAMPS_FILE
        if path.is_file():
            return cast("dict[str, Mapping[str, str]]", read_json(path))
    return {}


def _model_folders(outputs: Path) -> list[Path]:
    if not outputs.is_dir():
        return []
    return sorted(path for path in outputs.iterdir() if _participant_folders(path))


def _participant_folders(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    return [
        path.name
        for path in folder.iterdir()
        if path.is_dir() and path.name[:1].lower() == "p" and path.name[1:].isdecimal()
    ]


def _all_sound(records: Sequence[Json]) -> bool:
    """Whether no record needs a closer look; one column at a time, since runs are large."""
    if not all(type(record) is dict for record in records):
        return False
    rows = cast("Sequence[Mapping[str, Json]]", records)
    kinds = {key: {type(row.get(key)) for row in rows} for key in _CHECKED}
    if not all(kinds[key] <= allowed for key, allowed in _CHECKED.items()):
        return False
    if str in kinds["index"] and any(row["index"] == "" for row in rows):
        return False
    # One time that is not finite makes the sum so.
    return {row.get("phase") for row in rows} <= {*_PHASES} and math.isfinite(
        sum(cast("float", row["elapsed_time"]) for row in rows)
    )


def _check_record(record: Json, position: int, problems: Problems) -> None:
    if not isinstance(record, dict):
        problems.add(f"record {position}", "", record, "an object")
        return
    get = record.get
    if index_text(get("index")) is None:
        problems.add(f"record {position}", "index", get("index"), "a whole number or text")
    if get("phase") not in _PHASES:
        problems.add(f"record {position}", "phase", get("phase"), "initial or recall")
    if not isinstance(get("correct", False), bool | None):
        problems.add(f"record {position}", "correct", get("correct"), "true or false")
    round_ = get("round")
    if get("phase") == "recall" and (not isinstance(round_, int) or isinstance(round_, bool)):
        problems.add(f"record {position}", "round", round_, "the probe's number, from 1")
    elapsed_s = get("elapsed_time")
    if elapsed_s is not None and not (
        isinstance(elapsed_s, int | float) and math.isfinite(elapsed_s)
    ):
        problems.add(f"record {position}", "elapsed_time", elapsed_s, "seconds")


def _read_tracker(path: Path) -> dict[str, Persistence]:
    problems = Problems(path)
    content = read_json(path)
    if not isinstance(content, Mapping):
        problems.add("", "", content, "an object of [t_star, flags] by index")
        content = {}
    lines = {}
    for index, line in content.items():
        whole = isinstance(line, list) and len(line) == 2 and isinstance(line[1], list)
        if not whole:
            problems.add(f"item {index!r}", "", line, "[t_star, [flags]]")
            continue
        t_star_s, flags = cast("tuple[float | None, list[bool]]", line)
        if not isinstance(t_star_s, int | float | None):
            problems.add(f"item {index!r}", "t_star", t_star_s, "seconds")
        if not all(isinstance(flag, bool) for flag in flags):
            problems.add(f"item {index!r}", "flags", flags, "truth values")
        lines[index] = Persistence(t_star_s, tuple(flags))
    problems.raise_if_any()
    return lines

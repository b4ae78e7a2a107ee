"""The quality table: what a build made of recordings whose truth is known."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from firsthand.core.identity import Json
from firsthand.core.rle import decode_rle
from firsthand.report.quality_pictures import PictureQuality, measure_pictures, merge_pictures
from firsthand.report.quality_speech import (
    SpeechQuality,
    heard_onsets_ms,
    measure_sound,
    measure_voices,
    merge_speech,
)
from firsthand.report.quality_truth import TrueRecording, read_truth
from firsthand.store import Store, Zone, read_table
from firsthand.store.tables import CLIPS, MASKS, QUARANTINE, RECORDINGS, SPEAKERS, TIMELINE, WORDS

__all__ = [
    "MEASURED_TABLES",
    "QualityInputs",
    "QualityRow",
    "QualityTable",
    "quality_table",
    "table_from_json",
]

MEASURED_TABLES = (
    "clips",
    "masks",
    "quarantine",
    "recordings",
    "speakers",
    "timeline",
    "words",
)
"""The tables that the report reads; with the truth they decide every figure."""

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class QualityInputs:
    """What a build is held against.

    Args:
        benchmark: Name of the benchmark, which is the scope of its tables.
        truth: The truth file.
        recordings: Folder of the originals, a folder a participant.
    """

    benchmark: str
    truth: Path
    recordings: Path


@dataclass(frozen=True, slots=True)
class QualityRow:
    """One measure.

    Args:
        measure: What was measured.
        value: The figure; None if it could not be measured.
        unit: Its unit.
        n: What it was measured over.
        basis: What `n` counts, and how the figure came about.
    """

    measure: str
    value: float | None
    unit: str
    n: int
    basis: str


@dataclass(frozen=True, slots=True)
class QualityTable:
    """The measures in the order in which they are shown."""

    rows: tuple[QualityRow, ...]

    def lines(self) -> list[str]:
        """Return the table, ready to print; what was not measured says so."""
        return [
            f"  {row.measure:<32} {_shown(row.value):>8} {row.unit:<6} n={row.n:<7} {row.basis}"
            for row in self.rows
        ]

    def to_json(self) -> list[Json]:
        """Return every row under its field names."""
        return [asdict(row) for row in self.rows]


def table_from_json(value: Sequence[Mapping[str, Any]]) -> QualityTable:
    """Return the table that `QualityTable.to_json` spelled."""
    return QualityTable(tuple(QualityRow(**row) for row in value))


def quality_table(store: Store, inputs: QualityInputs) -> QualityTable:
    """Compare everything that a build committed with the truth.

    Raises:
        DataFileError: If the truth file cannot be read.
    """
    truth = read_truth(inputs.truth)
    built = _built(store, inputs, truth)
    pictures = merge_pictures(
        measure_pictures(one.original, one.output, one.truth) for one in built
    )
    speech = merge_speech([part for one in built for part in _speech(one)])
    rows = (
        *_face_rows(pictures),
        *_writing_rows(pictures),
        *_speech_rows(speech),
        *_mask_rows(built, truth),
        *_clock_rows(built),
        *_file_rows(store, inputs, built, truth),
    )
    return QualityTable(rows)


@dataclass(frozen=True, slots=True)
class _Built:
    """A recording as built, with its truth."""

    name: str
    truth: TrueRecording
    original: Path
    output: Path
    heard: Sequence[Row]
    shown: Sequence[Row]
    turns: Sequence[Row]
    masks: Mapping[str, Row]
    timeline: Row


def _built(store: Store, inputs: QualityInputs, truth: Mapping[str, TrueRecording]) -> list[_Built]:
    scope = inputs.benchmark
    outputs = {
        row["recording_id"]: store.blob(Zone.PUBLIC, str(row["deidentified_sha256"]), ".mp4")
        for row in read_table(store, scope, CLIPS).to_pylist()
    }
    heard = _by_recording(read_table(store, scope, WORDS, Zone.PRIVATE))
    shown = _by_recording(read_table(store, scope, WORDS))
    turns = _by_recording(read_table(store, scope, SPEAKERS))
    masks = _by_recording(read_table(store, scope, MASKS))
    timeline = _by_recording(read_table(store, scope, TIMELINE))
    found = []
    for row in read_table(store, scope, RECORDINGS).to_pylist():
        key, name = row["recording_id"], f"{row['participant_id']}/{row['source_name']}"
        if name in truth and key in outputs:
            own_masks = {str(mask["referent_id"]): mask for mask in masks.get(key, ())}
            original = inputs.recordings / name
            words = (heard.get(key, []), shown.get(key, []), turns.get(key, []))
            (placed,) = timeline[key]
            found.append(
                _Built(name, truth[name], original, outputs[key], *words, own_masks, placed)
            )
    return found


def _by_recording(table: pa.Table) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = {}
    for row in table.to_pylist():
        grouped.setdefault(row["recording_id"], []).append(row)
    return grouped


def _speech(one: _Built) -> Iterator[SpeechQuality]:
    spoken, edits, onsets = heard_onsets_ms(one.truth.words, one.heard)
    yield SpeechQuality(spoken, edits, tuple(onsets))
    yield measure_voices(one.truth.words, one.turns)
    if one.truth.words:
        yield measure_sound(one.original, one.output, one.truth, one.shown)


def _face_rows(found: PictureQuality) -> Iterator[QualityRow]:
    share = _percent(found.visible_face_frames, found.face_frames)
    basis = "face-frames; over a tenth of the face's detail is left in the output"
    yield QualityRow("face-frames left visible", share, "%", found.face_frames, basis)
    basis = "face-frames; longest run of frames"
    run = float(found.longest_visible_run) if found.face_frames else None
    yield QualityRow("longest visible run", run, "frames", found.face_frames, basis)
    share = _percent(found.bare_face_frames, found.face_frames)
    basis = "face-frames; over a tenth of the face's area is as it was"
    yield QualityRow("face-frames left bare", share, "%", found.face_frames, basis)
    share = _percent(found.unchanged_cells, found.face_cells)
    basis = "cells of faces, 52 a face; brightness changed by at most 5 levels"
    yield QualityRow("face area not covered", share, "%", found.face_cells, basis)
    share = _percent(found.changed_blocks, found.blocks)
    basis = "8x8 blocks away from faces and private writing; brightness changed by over 8 levels"
    yield QualityRow("false blur area", share, "%", found.blocks, basis)


def _writing_rows(found: PictureQuality) -> Iterator[QualityRow]:
    share = _percent(found.visible_writing_frames, found.writing_frames)
    basis = "private texts by frame; over a tenth of the text's detail is left in the output"
    yield QualityRow("private writing left visible", share, "%", found.writing_frames, basis)


def _speech_rows(found: SpeechQuality) -> Iterator[QualityRow]:
    rate = _percent(found.edits, found.reference_words)
    yield QualityRow("word error rate", rate, "%", found.reference_words, "words spoken")
    onsets, basis = found.onset_errors_ms, "rightly recognised words"
    yield QualityRow("word onset error, median", _quantile(onsets, 0.5), "ms", len(onsets), basis)
    yield QualityRow("word onset error, p90", _quantile(onsets, 0.9), "ms", len(onsets), basis)
    named = _percent(found.long_utterances_named, found.long_utterances)
    basis = "utterances longer than 1.6 s; given to whoever said them"
    yield QualityRow("speakers right", named, "%", found.long_utterances, basis)
    left, basis = found.bystander_db, "bystander words; level against the original"
    worst = max(left, default=None)
    yield QualityRow("bystander speech left, worst", worst, "dB", len(left), basis)
    yield QualityRow("bystander speech left, median", _quantile(left, 0.5), "dB", len(left), basis)
    kept = _percent(found.participant_kept, len(found.participant_db))
    basis = "participants' words outside overlaps; at most 3 dB quieter"
    yield QualityRow("participant speech kept", kept, "%", len(found.participant_db), basis)
    shown = _percent(found.participant_words_shown, found.participant_words)
    basis = "participants' words outside overlaps; text in the released table"
    yield QualityRow("participant words released", shown, "%", found.participant_words, basis)


def _mask_rows(built: Sequence[_Built], truth: Mapping[str, TrueRecording]) -> Iterator[QualityRow]:
    overlaps = [
        _intersection_over_union(one.truth.masks[name], one.masks.get(name))
        for one in built
        for name in one.truth.masks
    ]
    planned = sum(len(one.masks) for one in truth.values())
    basis = f"objects of {planned} with a true mask; one without a mask counts 0"
    yield QualityRow("mask IoU, median", _quantile(overlaps, 0.5), "", len(overlaps), basis)
    yield QualityRow("mask IoU, worst", min(overlaps, default=None), "", len(overlaps), basis)


def _clock_rows(built: Sequence[_Built]) -> Iterator[QualityRow]:
    starts = [_whole(one.timeline["start_utc_us"]) - one.truth.start_utc_us for one in built]
    lengths = [_whole(one.timeline["duration_us"]) - one.truth.duration_us for one in built]
    for measure, errors in (("timeline error, worst", starts), ("duration error, worst", lengths)):
        worst = max((abs(error) / 1_000 for error in errors), default=None)
        yield QualityRow(measure, worst, "ms", len(errors), "recordings")


def _file_rows(
    store: Store,
    inputs: QualityInputs,
    built: Sequence[_Built],
    truth: Mapping[str, TrueRecording],
) -> Iterator[QualityRow]:
    good = {name for name, one in truth.items() if not one.unreadable}
    missing = float(len(good - {one.name for one in built}))
    yield QualityRow("readable recordings missing", missing, "", len(good), "recordings")
    aside = {
        f"{row['participant_id']}/{row['source_name']}"
        for row in read_table(store, inputs.benchmark, QUARANTINE).to_pylist()
    }
    broken = set(truth) - good
    caught = float(len(broken & aside))
    yield QualityRow("broken files quarantined", caught, "", len(broken), "broken on purpose")


def _intersection_over_union(true: np.ndarray, row: Row | None) -> float:
    if row is None:
        return 0.0
    size_hw = (_whole(row["height_px"]), _whole(row["width_px"]))
    found = decode_rle(str(row["rle"]), size_hw)
    if found.shape != true.shape:
        return 0.0
    return float((found & true).sum() / max(1, (found | true).sum()))


def _whole(value: object) -> int:
    return int(str(value))


def _percent(count: int, n: int) -> float | None:
    return 100 * count / n if n else None


def _quantile(values: Sequence[float], share: float) -> float | None:
    return float(np.quantile(values, share)) if len(values) else None


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"

"""Masks: an annotator's clicks on a de-identified frame become an object's pixels."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import cast

import pyarrow as pa
import pyarrow.parquet as pq

from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json, digest_json
from firsthand.core.rle import decode_rle
from firsthand.core.text import same_name
from firsthand.curation.click_items import (
    CLICK_KIND,
    open_changes,
    reviewed_clicks,
    unclicked_objects,
)
from firsthand.curation.mask_items import MASK_KIND, reviewed_masks
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.standing import decisions_in
from firsthand.curation.stroke_items import STROKE_KIND, reviewed_strokes
from firsthand.masks.engines import Click, PictureRgb
from firsthand.masks.likeness import masks_alike
from firsthand.masks.rows import CLICKS_CHANGED, MaskPlace, mask_row
from firsthand.media.feed_index import read_frame_index
from firsthand.media.frames import decoded_frames
from firsthand.store import Outputs, StepRequest, TableSpec, Zone, table_from_rows
from firsthand.store.decision_lines import decision_to_json
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import CLICKS, MASKS, REFERENTS, STROKES
from schemas.annotation_files import ClickLine, StrokeLine, read_clicks, read_strokes
from tasks.cutting_out import cut_out
from tasks.double_review import shares_in_key, stander_of
from tasks.engines import chosen_mask_engine
from tasks.items import Recording
from tasks.job import Job
from tasks.pointing import (
    clip_set_up,
    named_clips,
    referent_rows,
    stroke_rows,
    verified_referents,
)
from tasks.stage import Stage
from tasks.steps import MASK

__all__ = ["MASK_STAGE", "is_annotated", "unknown_annotations"]

_PROPOSALS = "propose_strokes"
_PLACE = ("participant_id", "recording_id", "referent_id", "pts_us")
REVIEWER = "reviewer"
"""In place of an engine: a person set the pixels."""

Row = dict[str, object]
Rows = Mapping[TableSpec, Sequence[Mapping[str, object]]]


def is_annotated(job: Job, recording: Recording) -> bool:
    """Whether this recording is set up as a clip, or an annotator left a click or a stroke."""
    is_set_up = clip_set_up(job, recording) is not None
    return is_set_up or bool(_clicks(job, recording) or _strokes(job, recording))


def unknown_annotations(job: Job, recordings: Sequence[Recording]) -> list[str]:
    """Return the files that annotations name and the build does not hold, each once."""
    files = job.spec().annotations
    named = {line.file for line in (read_clicks(files.clicks) if files.clicks else [])}
    named |= {line.file for line in (read_strokes(files.strokes) if files.strokes else [])}
    named.update(named_clips(job))
    known = {same_name(recording.item_id) for recording in recordings}
    return sorted(name for name in named if same_name(name) not in known)


def _clicks(job: Job, recording: Recording) -> list[ClickLine]:
    path = job.spec().annotations.clicks
    lines = read_clicks(path) if path else []
    return [line for line in lines if same_name(line.file) == same_name(recording.item_id)]


def _strokes(job: Job, recording: Recording) -> list[StrokeLine]:
    path = job.spec().annotations.strokes
    lines = read_strokes(path) if path else []
    return [line for line in lines if same_name(line.file) == same_name(recording.item_id)]


def _request(job: Job, recording: Recording) -> StepRequest:
    said: Json = {
        "clicks": [line.model_dump(mode="json") for line in _clicks(job, recording)],
        "strokes": [line.model_dump(mode="json") for line in _strokes(job, recording)],
    }
    proposed = recording.receipts.get(_PROPOSALS)
    return StepRequest(
        MASK,
        inputs={
            **({} if proposed is None else {"proposals": proposed.digest}),
            "stream": recording.receipt("deidentify").blobs["stream"].sha256,
            "annotations": digest_json(said),
            "decisions": digest_json([decision_to_json(one) for one in _decisions(job, recording)]),
        },
        parameters={**recording.keys, **shares_in_key(job, CLICK_KIND, STROKE_KIND)},
        engine=chosen_mask_engine(job).identity,
        subject=recording.recording_id,
    )


def _work(job: Job, recording: Recording, folder: Path) -> Outputs:
    del folder
    clicks, strokes = _clicks(job, recording), _strokes(job, recording)
    decided = _decisions(job, recording)
    clicked = _click_rows(recording, clicks)
    proposals = _proposals(job, recording)
    referents = referent_rows(recording, clicks, strokes, proposals)
    unclicked = _unclicked(job, recording, _json(referents), _json(clicked), decided)
    stander = stander_of(job, masks_alike(partial(cut_out, job, recording)))
    counting = reviewed_clicks(_json(clicked), decided, unclicked, stander)
    changing = open_changes(_json(clicked), decided, stander)
    made_masks = [*_flagged(_mask_rows(job, recording, counting), changing)]
    pointed = stroke_rows(recording, strokes, proposals)
    windows = reviewed_strokes(
        _json(pointed), _json(referents), decided, recording.duration_us, stander_of(job)
    )
    # The private zone keeps what annotators and the engine made, the public one what counts.
    made: Rows = {CLICKS: clicked, MASKS: made_masks, REFERENTS: referents, STROKES: pointed}
    counted: Rows = {
        CLICKS: counting,
        MASKS: [*_flagged(_counting_masks(made_masks, decided), changing)],
        REFERENTS: verified_referents(referents, windows),
        STROKES: windows,
    }
    return Outputs(tables=(*_tables(made, Zone.PRIVATE), *_tables(counted, Zone.PUBLIC)))


def _proposals(job: Job, recording: Recording) -> list[Row]:
    """Return the rows of table `stroke_proposals`; none where the recording is not set up."""
    receipt = recording.receipts.get(_PROPOSALS)
    parts = () if receipt is None else receipt.parts_of("stroke_proposals")
    return [row for part in parts for row in pq.read_table(job.store.root / part.path).to_pylist()]


def _decisions(job: Job, recording: Recording) -> list[ReviewDecision]:
    decisions = ReviewStore.open(job.store.reviews).decisions()
    return decisions_in(recording.recording_id, (CLICK_KIND, MASK_KIND, STROKE_KIND), decisions)


def _tables(rows: Rows, zone: Zone) -> list[tuple[TableSpec, Zone, pa.Table]]:
    return [(spec, zone, table_from_rows(spec, lines)) for spec, lines in rows.items()]


def _flagged(rows: Iterable[Row], changing: frozenset[str]) -> Iterator[Row]:
    """Yield the rows, with the flag on those whose clicks wait to be accepted as changed."""
    for row in rows:
        flags = set(cast("list[str]", row["flags"]))
        own = {CLICKS_CHANGED} if row["referent_id"] in changing else set()
        yield {**row, "flags": sorted(flags | own)}


def _counting_masks(made: Sequence[Row], decided: Sequence[ReviewDecision]) -> Iterator[Row]:
    changed = reviewed_masks(_json(made), decided)
    for row in made:
        rle = changed.get(str(row["referent_id"]), str(row["rle"]))
        if rle is None:
            continue
        if rle == row["rle"]:
            yield row
        else:
            size_hw = (int(str(row["height_px"])), int(str(row["width_px"])))
            place = MaskPlace(**{name: row[name] for name in _PLACE})  # type: ignore[arg-type] # from a row
            yield mask_row(place, decode_rle(rle, size_hw), REVIEWER)


def _unclicked(
    job: Job,
    recording: Recording,
    referents: Sequence[Mapping[str, Json]],
    clicked: Sequence[Mapping[str, Json]],
    decided: Sequence[ReviewDecision],
) -> list[Mapping[str, Json]]:
    """Return the objects that only people in review clicked on, if there may be any."""
    if not any(one.item_kind == CLICK_KIND for one in decided):
        return []
    stream = recording.receipt("deidentify").blobs["stream"].path(job.store)
    last_us = read_frame_index(stream).times_us[-1]
    return unclicked_objects(referents, clicked, {recording.recording_id: last_us})


def _json(rows: Sequence[Row]) -> list[Mapping[str, Json]]:
    return cast("list[Mapping[str, Json]]", rows)


def _click_rows(recording: Recording, clicks: Sequence[ClickLine]) -> list[Row]:
    counts: dict[str, int] = {}
    rows: list[Row] = []
    for line in clicks:
        index = counts.get(line.referent_id, 0)
        counts[line.referent_id] = index + 1
        x_px, y_px = line.point_xy_px
        row = {"referent_id": line.referent_id, "click_index": index, "pts_us": line.pts_us}
        point = {"x_px": x_px, "y_px": y_px, "positive": line.positive, "label": line.label}
        rows.append({**recording.keys, **row, **point})
    return rows


def _mask_rows(job: Job, recording: Recording, clicks: Sequence[Mapping[str, Json]]) -> list[Row]:
    engine, engine_name = chosen_mask_engine(job), job.spec().engines.masks
    stream = recording.receipt("deidentify").blobs["stream"].path(job.store)
    own: dict[str, list[Mapping[str, Json]]] = {}
    for row in clicks:
        own.setdefault(str(row["referent_id"]), []).append(row)
    frames = {referent_id: _one_frame_us(referent_id, rows) for referent_id, rows in own.items()}
    rows = []
    for referent_id, picture in _pictures_at(stream, frames):
        points = [_click(row) for row in own[referent_id]]
        place = MaskPlace(**recording.keys, referent_id=referent_id, pts_us=frames[referent_id])
        rows.append(mask_row(place, engine.mask(picture, points), engine_name))
    return rows


def _click(row: Mapping[str, Json]) -> Click:
    x_px, y_px = float(str(row["x_px"])), float(str(row["y_px"]))
    return Click(x_px, y_px, positive=row["positive"] is True)


def _one_frame_us(referent_id: str, rows: Sequence[Mapping[str, Json]]) -> int:
    moments = sorted({int(str(row["pts_us"])) for row in rows})
    if len(moments) > 1:
        raise DataFileError(
            f"clicks of referent {referent_id!r}, field pts_us",
            f"clicks on {len(moments)} frames, at {', '.join(map(str, moments))} us",
            "all clicks of an object on one frame",
            "Set them on the same frame; another frame's object is another referent.",
        )
    return moments[0]


def _pictures_at(stream: Path, frames: Mapping[str, int]) -> Iterator[tuple[str, PictureRgb]]:
    """Yield each referent with its frame; frames are decoded once, in order of time."""
    waiting = dict(frames)
    for picture in decoded_frames(stream) if waiting else ():
        due = [name for name, pts_us in waiting.items() if pts_us <= picture.pts_us]
        for referent_id in due:
            if waiting.pop(referent_id) != picture.pts_us:
                raise _no_frame(referent_id, frames[referent_id])
            yield referent_id, picture.rgb
        if not waiting:
            return
    for referent_id in waiting:
        raise _no_frame(referent_id, frames[referent_id])


def _no_frame(referent_id: str, pts_us: int) -> DataFileError:
    return DataFileError(
        f"clicks of referent {referent_id!r}, field pts_us",
        f"{pts_us} us, at which no frame is shown",
        "the presentation time of a frame",
        "Click on a frame as displayed; its time is its own, never an index by a rate.",
    )


MASK_STAGE = Stage("mask", _request, _work)

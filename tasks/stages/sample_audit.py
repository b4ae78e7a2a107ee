"""Audit sampling: which frames of a copy people look at, and the sound that they listen to."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from firsthand.core.identity import digest_file
from firsthand.deid import track_boxes_from_rows
from firsthand.deid.audit_pictures import frame_jpegs, frame_times_us
from firsthand.deid.audit_sampling import AuditMoment, AuditPolicy, WeakSighting, audit_moments
from firsthand.deid.faces import BoxPx
from firsthand.deid.sparing import SparedStretch
from firsthand.deid.tracking import TrackBox
from firsthand.media.listening import write_for_listening
from firsthand.media.streams import NoSoundError
from firsthand.store import Outputs, Receipt, StepRequest, Zone, table_from_rows
from firsthand.store.tables import AUDIT_FRAMES, KEPT_SOUNDS
from tasks.items import Recording
from tasks.job import Job
from tasks.settings import as_json
from tasks.stage import Stage
from tasks.stages.spare_faces import spared_in, spared_input
from tasks.steps import SAMPLE_AUDIT

__all__ = ["BEFORE", "SAMPLE_AUDIT_STAGE"]

_POLICY = AuditPolicy()
BEFORE = "before"
"""What the roles of uncovered pictures begin with."""
_SIDES = (BEFORE, "after")


def _request(job: Job, recording: Recording) -> StepRequest:
    del job
    return StepRequest(
        SAMPLE_AUDIT,
        inputs={
            "media": recording.source.media_digest,
            "copy": recording.receipt("deidentify").blobs["stream"].sha256,
            "faces": recording.receipt("find_faces").digest,
            "text": recording.receipt("find_text").digest,
            **spared_input(recording),
        },
        parameters={**recording.keys, "policy": as_json(_POLICY)},
        subject=recording.recording_id,
    )


def _work(job: Job, recording: Recording, folder: Path) -> Outputs:
    copy = recording.receipt("deidentify").blobs["stream"]
    paths = {"before": recording.source.path, "after": copy.path(job.store)}
    moments = _moments(job, recording, frame_times_us(paths["after"]))
    wanted = [moment.pts_us for moment in moments]
    files: dict[str, Path] = {}
    for side in _SIDES:
        for pts_us, jpeg in frame_jpegs(paths[side], wanted):
            files[f"{side}-{pts_us}"] = folder / f"{side}-{pts_us}.jpg"
            files[f"{side}-{pts_us}"].write_bytes(jpeg)
    rows = [
        {
            **recording.keys,
            "pts_us": moment.pts_us,
            "stratum": moment.stratum.value,
            "stratum_frames": moment.stratum_frames,
            "stream_sha256": copy.sha256,
            **{f"{side}_sha256": digest_file(files[f"{side}-{moment.pts_us}"]) for side in _SIDES},
        }
        for moment in moments
    ]
    sounds = list(_kept_sound(recording, folder, files))
    return Outputs(
        tables=(
            (AUDIT_FRAMES, Zone.PRIVATE, table_from_rows(AUDIT_FRAMES, rows)),
            (KEPT_SOUNDS, Zone.PRIVATE, table_from_rows(KEPT_SOUNDS, sounds)),
        ),
        files={role: (path, Zone.PRIVATE) for role, path in files.items()},
        # Sign-off deletes what shows people, and lets them be heard, as they were.
        fleeting=frozenset(role for role in files if role.startswith(BEFORE)),
    )


def _kept_sound(
    recording: Recording, folder: Path, files: dict[str, Path]
) -> Iterator[Mapping[str, object]]:
    """Keep the sound as it was, for who judges what was silenced; a silent film has none."""
    written = folder / f"{BEFORE}-sound.m4a"
    try:
        write_for_listening(recording.source.path, written)
    except NoSoundError:
        return
    files[f"{BEFORE}-sound"] = written
    yield {**recording.keys, "before_sha256": digest_file(written)}


def _moments(job: Job, recording: Recording, frame_pts_us: list[int]) -> list[AuditMoment]:
    faces = _rows(job, recording.receipt("find_faces"), "tracks")
    texts = _rows(job, recording.receipt("find_text"), "text_tracks")
    tracks = [*_numbered(faces, 0), *_numbered(texts, 1)]
    sightings = [
        WeakSighting(int(str(row["pts_us"])), BoxPx(*_edges(row)))
        for row in _rows(job, recording.receipt("find_faces"), "detections")
    ]
    # The same recording gives the same frames, whoever builds it and when.
    rng = np.random.default_rng(int(recording.recording_id[:16], 16))
    spared_us = _asked_us(spared_in(job, recording), frame_pts_us)
    return audit_moments(frame_pts_us, tracks, sightings, _POLICY, rng, spared_us)


def _asked_us(stretches: Sequence[SparedStretch], frame_pts_us: Sequence[int]) -> set[int]:
    """Return of every spared stretch the first and the last frame and the doubtfullest one."""
    asked = set()
    for one in stretches:
        own = [pts_us for pts_us in frame_pts_us if one.begin_us <= pts_us < one.end_us]
        before_doubt = [pts_us for pts_us in own if pts_us <= one.farthest_us]
        asked |= {own[0], own[-1], before_doubt[-1]} if own else set()
    return asked


def _numbered(rows: list[dict[str, object]], kind: int) -> Iterator[TrackBox]:
    """Give faces even and texts odd numbers, so that no two tracks share one."""
    for place in track_boxes_from_rows(rows):
        yield TrackBox(2 * place.track_id + kind, place.pts_us, place.box_xyxy_px, place.source)


def _edges(row: Mapping[str, object]) -> Iterator[float]:
    return (float(str(row[name])) for name in ("x0_px", "y0_px", "x1_px", "y1_px"))


def _rows(job: Job, receipt: Receipt, table: str) -> list[dict[str, object]]:
    (part,) = receipt.parts_of(table)
    rows: list[dict[str, object]] = pq.read_table(job.store.root / part.path).to_pylist()
    return rows


SAMPLE_AUDIT_STAGE = Stage("sample_audit", _request, _work)

"""Drafting: questions proposed from a stream's words and narrations, then checked."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow.parquet as pq

from firsthand.curation import check_drafts, draft_row
from firsthand.drafting import Material, RefusedProposal, material_from_rows
from firsthand.drafting.probing import probed_drafts
from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.tables import DRAFTS, REFUSED_DRAFTS
from tasks.drafters import Drafted, drafter_of, probe_identity, probing_of
from tasks.items import Stream
from tasks.job import Job
from tasks.stage import Stage
from tasks.stages.place import timeline_of
from tasks.steps import DRAFT

__all__ = ["DRAFT_STAGE"]

Row = Mapping[str, object]


def _request(job: Job, stream: Stream) -> StepRequest:
    inputs = {
        "timeline": stream.receipt("place").digest,
        "about": stream.receipt("describe").digest,
    }
    for recording in stream.recordings:
        name = recording.recording_id
        inputs[f"words {name}"] = recording.receipt("attribute_voices").digest
        inputs[f"narrations {name}"] = recording.receipt("narrate").digest
    return StepRequest(
        DRAFT,
        inputs=inputs,
        parameters={"stream_id": stream.stream_id, "probe": probe_identity(job)},
        engine=drafter_of(job).identity(job),
        subject=stream.stream_id,
    )


def _work(job: Job, stream: Stream, folder: Path) -> Outputs:
    del folder
    material = _material(job, stream)
    drafted = drafter_of(job).draft(job, material) if material else Drafted(())
    checked = check_drafts(drafted.drafts, recorded_us=timeline_of(stream).recorded_us)
    probing = probing_of(job)
    if material is not None and probing is not None:
        checked = probed_drafts(material, checked, probing)
    rows = [draft_row(one.draft, one.rejected_by) for one in checked]
    engine = drafter_of(job).identity(job)
    name = ":".join([engine["name"], *engine.get("version", "").split()[:1]])
    refused = [_refused_row(stream, name, one) for one in drafted.refused]
    return Outputs(
        tables=(
            (DRAFTS, Zone.PUBLIC, table_from_rows(DRAFTS, rows)),
            (REFUSED_DRAFTS, Zone.PUBLIC, table_from_rows(REFUSED_DRAFTS, refused)),
        ),
        values={"proposals_refused": len(refused)},
    )


def _refused_row(stream: Stream, engine: str, one: RefusedProposal) -> dict[str, object]:
    return {
        "participant_id": stream.participant_id,
        "stream_id": stream.stream_id,
        "drafter": engine,
        "reply_key": one.reply_key,
        "position": 0 if one.position is None else one.position + 1,
        "reason": one.reason,
    }


def _material(job: Job, stream: Stream) -> Material | None:
    """Return what there is to draft from; None for a stream without a word."""
    narrations = list(_rows(job, stream, "narrate", "narrations"))
    words = list(_rows(job, stream, "attribute_voices", "words"))
    if not narrations and not words:
        return None
    return material_from_rows(
        timeline_of(stream),
        stream.stream_id,
        narrations=narrations,
        words=words,
        scenarios=_stream_rows(job, stream, "describe", "scenarios"),
    )


def _rows(job: Job, stream: Stream, stage: str, table: str) -> Iterator[Row]:
    for recording in stream.recordings:
        for part in recording.receipt(stage).parts_of(table):
            yield from pq.read_table(job.store.root / part.path).to_pylist()


def _stream_rows(job: Job, stream: Stream, stage: str, table: str) -> Iterator[Row]:
    for part in stream.receipt(stage).parts_of(table):
        yield from pq.read_table(job.store.root / part.path).to_pylist()


DRAFT_STAGE = Stage("draft", _request, _work)

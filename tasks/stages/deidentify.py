"""De-identification: faces covered, bystanders silenced, the container rebuilt and proven clean."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq

from firsthand.core.identity import digest_json
from firsthand.core.time import Span, us_to_s
from firsthand.curation.face_corrections import corrections_of, decisions_on
from firsthand.curation.reviewing import ReviewDecision
from firsthand.deid import (
    CoverStyle,
    DeidTargets,
    FacePlaces,
    Hidden,
    Removal,
    audit_rows,
    check_container,
    deidentify,
    track_boxes_from_rows,
)
from firsthand.deid.muting import MuteStyle
from firsthand.deid.sparing import without_spared
from firsthand.deid.tracking import TrackBox
from firsthand.store import Outputs, Receipt, StepRequest, Zone, table_from_rows
from firsthand.store.decision_lines import decision_to_json
from firsthand.store.engine_identity import package_version
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import DEID_AUDIT
from tasks.items import Recording
from tasks.job import Job
from tasks.origin import file_facts, origin_tags
from tasks.settings import as_json
from tasks.stage import Stage
from tasks.stages.attribute_voices import overlapped_spans, private_word_spans, silenced_spans
from tasks.stages.spare_faces import spared_in, spared_input
from tasks.steps import DEIDENTIFY

__all__ = ["DEIDENTIFY_STAGE", "removal_of"]

_REMOVAL = Removal()


def _request(job: Job, recording: Recording) -> StepRequest:
    return StepRequest(
        DEIDENTIFY,
        inputs={
            "media": recording.source.media_digest,
            "faces": recording.receipt("find_faces").digest,
            "text": recording.receipt("find_text").digest,
            "voices": recording.receipt("attribute_voices").digest,
            "corrections": digest_json(
                [decision_to_json(decision) for decision in _decisions(job, recording)]
            ),
            **spared_input(recording),
        },
        parameters={
            **recording.keys,
            "unit_us": job.spec().unit_us,
            "removal": as_json(removal_of(job)),
            "bleep": job.spec().removal.speech.bleep,
            "engines": dict(_engines(job)),
        },
        engine={"name": "x264", "version": f"av-{package_version('av')}"},
        subject=recording.recording_id,
    )


def _work(job: Job, recording: Recording, folder: Path) -> Outputs:
    source = recording.source.path
    targets = DeidTargets(folder / "stream.mp4", folder / "proxy.mp4")
    hidden = Hidden(
        faces=_faces(job, recording),
        texts=FacePlaces(_tracks(job, recording.receipt("find_text"), "text_tracks")),
        voices=silenced_spans(recording.receipt("attribute_voices")),
        overlaps=overlapped_spans(recording.receipt("attribute_voices")),
        bleeps=_bleeps(job, recording),
    )
    done = deidentify(source, hidden, targets, job.spec().unit_us, removal_of(job))
    for written in (targets.stream, targets.proxy):
        check_container(written, origin_tags(recording), file_facts(recording))
    names = (recording.participant_id, recording.recording_id)
    rows = [*audit_rows(done, *names, _engines(job)), *_spared_rows(job, recording)]
    audit = table_from_rows(DEID_AUDIT, rows)
    return Outputs(
        tables=((DEID_AUDIT, Zone.PUBLIC, audit),),
        files={"stream": (targets.stream, Zone.PUBLIC), "proxy": (targets.proxy, Zone.PUBLIC)},
    )


def _bleeps(job: Job, recording: Recording) -> list[Span]:
    if job.spec().removal.speech.bleep != "tone":
        return []
    return private_word_spans(recording.receipt("attribute_voices"))


def _decisions(job: Job, recording: Recording) -> list[ReviewDecision]:
    decisions = ReviewStore.open(job.store.reviews).decisions()
    return decisions_on(recording.recording_id, decisions)


def _engines(job: Job) -> Mapping[str, str]:
    names = job.spec().engines
    return {"faces": names.faces, "text": names.text, "voices": names.speakers, "copy": "x264"}


def removal_of(job: Job) -> Removal:
    """Return how people and writing are removed, as the benchmark asks for it."""
    wanted = job.spec().removal
    return replace(
        _REMOVAL,
        covering=replace(_REMOVAL.covering, style=CoverStyle(wanted.faces.style)),
        text_covering=replace(_REMOVAL.text_covering, style=CoverStyle(wanted.text.style)),
        voices=MuteStyle(wanted.voices),
    )


def _tracks(job: Job, receipt: Receipt, table: str) -> list[TrackBox]:
    (part,) = receipt.parts_of(table)
    return track_boxes_from_rows(pq.read_table(job.store.root / part.path).to_pylist())


def _faces(job: Job, recording: Recording) -> FacePlaces:
    tracks = _tracks(job, recording.receipt("find_faces"), "tracks")
    corrections = corrections_of(recording.recording_id, _decisions(job, recording))
    return FacePlaces(without_spared(tracks, spared_in(job, recording)), corrections)


def _spared_rows(job: Job, recording: Recording) -> Iterator[Mapping[str, object]]:
    """Yield what was left to be seen on purpose, where somebody asked for it."""
    if not spared_input(recording):
        return
    spared_us = sum(one.end_us - one.begin_us for one in spared_in(job, recording))
    yield {
        **recording.keys,
        "measure": "spared_faces",
        "value": us_to_s(spared_us),
        "unit": "face-s",
        "engine": job.spec().engines.face_embedder,
    }


DEIDENTIFY_STAGE = Stage("deidentify", _request, _work)

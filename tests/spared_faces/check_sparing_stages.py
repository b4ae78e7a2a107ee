"""A recording through the stages, with a participant who lets their face be seen."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from benchmarks.face_clips import write_clip
from benchmarks.face_scenes import FRAMES_PER_S, REPORT
from firsthand.store import Outputs, Receipt, StepRequest, StepSpec, Zone, run_step, table_from_rows
from firsthand.store.tables import TEXT_TRACKS
from tasks.build import Build, face_enrolments, sparings
from tasks.items import Recording
from tasks.job import Job
from tasks.stages.deidentify import DEIDENTIFY_STAGE
from tasks.stages.enrol_faces import ENROL_FACES_STAGE
from tasks.stages.find_faces import FIND_FACES_STAGE
from tasks.stages.sample_audit import SAMPLE_AUDIT_STAGE
from tasks.stages.spare_faces import SPARE_FACES_STAGE
from tests.spared_faces.check_spared_faces import frame_us, true_box
from tests.unit.tasks.small_job import job_over, probed

pytestmark = pytest.mark.timeout(1_800)
(TURNING,) = (clip for clip in REPORT if clip.name == "rotation")


@pytest.fixture
def job(tmp_path: Path) -> Job:
    (tmp_path / "recordings").mkdir()
    write_clip(TURNING, tmp_path / "recordings/a.mp4")
    marks = [
        {
            "file": "recordings/a.mp4",
            "at_s": n / FRAMES_PER_S,
            "box_xyxy_px": [float(edge) for edge in true_box(TURNING, n)],
        }
        for n in (35, 45, 55)
    ]
    made = job_over(tmp_path, face_enrolment=marks)
    spec = yaml.safe_load(made.spec_path.read_text())
    spec["engines"] |= {"faces": "centerface", "face_embedder": "dlib"}
    spec["participants"][0]["consents"].append(
        {"scope": "own_face", "granted_on": spec["participants"][0]["consents"][0]["granted_on"]}
    )
    spec["removal"] = {"faces": {"spared": ["P1"], "style": "solid"}}
    made.spec_path.write_text(yaml.safe_dump(spec))
    return made


def done(job: Job, stage: str, outputs: Outputs) -> Receipt:
    request = StepRequest(StepSpec(stage, 1), {})
    return run_step(job.store, request, lambda _: outputs, job="test")


def without_words(job: Job, build: Build) -> Recording:
    """The recording with its faces found, no private writing and nobody heard."""
    (recording,) = build.recordings
    texts = ((TEXT_TRACKS, Zone.PUBLIC, table_from_rows(TEXT_TRACKS, [])),)
    recording = recording.after("find_text", done(job, "find_text", Outputs(tables=texts)))
    heard = done(
        job,
        "attribute_voices",
        Outputs(values={"muted_us": [], "private_us": [], "overlapped_us": []}),
    )
    recording = recording.after("attribute_voices", heard)
    return recording.after("find_faces", FIND_FACES_STAGE.run(job, recording))


def test_the_face_stays_and_its_frames_are_put_to_people(job: Job) -> None:
    build = probed(job)
    recording = without_words(job, build)
    build = build.after_recordings(
        "find_faces", {recording.item_id: recording.receipt("find_faces")}
    )
    (enrolment,) = face_enrolments(build)
    face = ENROL_FACES_STAGE.run(job, enrolment)
    (sparing,) = sparings(build, {"P1": face})
    spared = recording.after("spare_faces", SPARE_FACES_STAGE.run(job, sparing))
    shares, moments = {}, {}
    for name, one in (("all", recording), ("not P1", spared)):
        copied = one.after("deidentify", DEIDENTIFY_STAGE.run(job, one))
        measures = rows(job, copied, "deidentify", "deid_audit", Zone.PUBLIC)
        shares[name] = {row["measure"]: row["value"] for row in measures}
        sampled = copied.after("sample_audit", SAMPLE_AUDIT_STAGE.run(job, copied))
        frames = rows(job, sampled, "sample_audit", "audit_frames", Zone.PRIVATE)
        moments[name] = {row["pts_us"] for row in frames if row["stratum"] == "spared_face"}
    assert "spared_faces" not in shares["all"]
    assert moments["all"] == set()
    (stretch,) = rows(job, spared, "spare_faces", "spared_faces", Zone.PUBLIC)
    length_us = stretch["end_us"] - stretch["begin_us"]
    assert shares["not P1"]["spared_faces"] == pytest.approx(length_us / 1_000_000)
    assert shares["all"]["covered_frames"] == TURNING.frames
    own = [
        n for n in range(TURNING.frames) if stretch["begin_us"] <= frame_us(n) < stretch["end_us"]
    ]
    assert shares["not P1"]["covered_frames"] == TURNING.frames - len(own)
    assert {frame_us(own[0]), frame_us(own[-1])} <= moments["not P1"]
    assert stretch["shown_participant_id"] == "P1"


def rows(
    job: Job, recording: Recording, stage: str, table: str, zone: Zone
) -> list[dict[str, Any]]:
    (part,) = recording.receipt(stage).parts_of(table, zone)
    found: list[dict[str, Any]] = pq.read_table(job.store.root / part.path).to_pylist()
    return found

"""Pictures of people as they were: kept while somebody looks at them, and no longer."""

import subprocess
import time
from pathlib import Path

import imageio_ffmpeg
import pyarrow.parquet as pq
import pytest
import yaml

from firsthand.core.identity import digest_file
from firsthand.curation.audit_items import audit_items
from firsthand.store import Outputs, Receipt, StepRequest, StepSpec, Zone, run_step, table_from_rows
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import (
    AUDIT_RESULTS,
    DEID_AUDIT,
    DETECTIONS,
    SPEAKERS,
    TEXT_TRACKS,
    TRACKS,
)
from tasks.commits import commit_receipts
from tasks.items import Benchmark, Recording, SourceFile
from tasks.job import Job
from tasks.kept_to_judge import delete_judged, reopen_audit
from tasks.stages.sample_audit import SAMPLE_AUDIT_STAGE
from tasks.stages.sample_voices import SAMPLE_VOICES_STAGE
from tasks.stages.sign_off import SIGN_OFF_STAGE
from tests.unit.curation.deciding import decides
from tests.unit.tasks.small_job import job_over

SAMPLES = Path(__file__).parents[3] / "data/samples/benchmark.yaml"


def film(path: Path, shown: str) -> Path:
    """Make ten pictures; those of two sources have the same times and differ."""
    path.parent.mkdir(exist_ok=True)
    source = ("-f", "lavfi", "-i", f"{shown}=s=64x48:r=10:d=1")
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", *source, "-c:v", "libx264"]
    subprocess.run([*command, str(path)], check=True)
    return path


@pytest.fixture
def job(tmp_path: Path) -> Job:
    film(tmp_path / "recordings/a.mp4", "testsrc2")
    made = job_over(tmp_path)
    spec = yaml.safe_load(made.spec_path.read_text())
    # The page of an audit names the engines.
    spec["engines"] = yaml.safe_load(SAMPLES.read_text())["engines"]
    made.spec_path.write_text(yaml.safe_dump(spec))
    return made


def done(job: Job, name: str, outputs: Outputs) -> Receipt:
    return run_step(job.store, StepRequest(StepSpec(name, 1), {}), lambda _: outputs, job="test")


@pytest.fixture
def recording(job: Job, tmp_path: Path) -> Recording:
    """A recording with its copy, in which no face and no writing was found."""
    file = tmp_path / "recordings/a.mp4"
    copy = film(tmp_path / "stream.mp4", "smptebars")
    empty = {spec: table_from_rows(spec, []) for spec in (TRACKS, DETECTIONS, TEXT_TRACKS)}
    faces = Outputs(tables=tuple((spec, Zone.PUBLIC, empty[spec]) for spec in (TRACKS, DETECTIONS)))
    receipts = {
        "find_faces": done(job, "find_faces", faces),
        "find_text": done(
            job, "find_text", Outputs(tables=((TEXT_TRACKS, Zone.PUBLIC, empty[TEXT_TRACKS]),))
        ),
        "deidentify": done(
            job,
            "deidentify",
            Outputs(
                tables=((DEID_AUDIT, Zone.PUBLIC, table_from_rows(DEID_AUDIT, [])),),
                files={"stream": (copy, Zone.PUBLIC)},
            ),
        ),
    }
    commit_receipts(job, "deidentify", [receipts["deidentify"]])
    source = SourceFile("P1", file, digest_file(file), file.stat().st_size)
    spoken = Outputs(tables=((SPEAKERS, Zone.PUBLIC, table_from_rows(SPEAKERS, [])),))
    receipts["attribute_voices"] = done(job, "attribute_voices", spoken)
    found = Recording(source=source, duration_us=1_000_000, receipts=receipts)
    return found.after("sample_voices", SAMPLE_VOICES_STAGE.run(job, found))


def sampled(job: Job, recording: Recording) -> Recording:
    return recording.after("sample_audit", SAMPLE_AUDIT_STAGE.run(job, recording))


def decide(job: Job, recording: Recording, kind: str) -> None:
    (part,) = recording.receipt("sample_audit").parts_of("audit_frames", Zone.PRIVATE)
    for item in audit_items(pq.read_table(job.store.root / part.path).to_pylist()):
        decision = decides(item, kind)
        ReviewStore.open(job.store.reviews, time.time).submit(decision, expected_revision=0)


def signed_off(job: Job, recording: Recording) -> int:
    """Sign off as a build does, and return how many pictures that deleted."""
    reopen_audit(job, [recording])
    recording = sampled(job, recording)
    signed = SIGN_OFF_STAGE.run(
        job, Benchmark(name="demo", recordings=(recording,), receipts_by_stage={}, set_aside=0)
    )
    commit_receipts(job, "sign_off", [signed])
    return delete_judged(job, [recording], signed)


def pictures(job: Job, recording: Recording, side: str) -> list[bool]:
    receipt = sampled(job, recording).receipt("sample_audit")
    blobs = {**receipt.blobs, **receipt.fleeting}
    found = [blob for role, blob in blobs.items() if role.startswith(side)]
    assert found
    return [blob.path(job.store).is_file() for blob in found]


def kept_in_table(job: Job) -> set[int]:
    rows = pq.read_table(
        sorted((job.store.zone(Zone.PUBLIC) / "tables" / AUDIT_RESULTS.name).rglob("*.parquet"))
    ).to_pylist()
    return {row["originals_kept"] for row in rows if row["stratum"] == "all"}


def test_uncovered_pictures_are_deleted_when_the_audit_has_passed_and_stay_so(
    job: Job, recording: Recording
) -> None:
    recording = sampled(job, recording)
    assert signed_off(job, recording) == 0
    assert all(pictures(job, recording, "before"))
    waiting = kept_in_table(job)
    assert waiting == {len(pictures(job, recording, "before"))}
    decide(job, recording, "accept")
    assert signed_off(job, recording) == len(pictures(job, recording, "before"))
    assert not any(pictures(job, recording, "before"))
    assert all(pictures(job, recording, "after"))
    assert kept_in_table(job) == {*waiting, 0}
    # The next build neither makes them again nor has anything left to delete.
    assert signed_off(job, recording) == 0
    assert not any(pictures(job, recording, "before"))


def test_withdrawing_a_decision_opens_the_audit_and_brings_the_pictures_back(
    job: Job, recording: Recording
) -> None:
    recording = sampled(job, recording)
    before = recording.receipt("sample_audit")
    decide(job, recording, "accept")
    signed_off(job, recording)
    decide(job, recording, "unsure")
    assert signed_off(job, recording) == 0
    assert all(pictures(job, recording, "before"))
    assert sampled(job, recording).receipt("sample_audit") == before

"""Sign-off over a benchmark of one recording, whose sampled frames people look at."""

import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from firsthand.curation.audit_items import audit_items
from firsthand.deid.audit_verdict import AuditNotPassedError
from firsthand.store import (
    Outputs,
    Receipt,
    StepRequest,
    StepSpec,
    Store,
    TableSpec,
    Zone,
    read_table,
    run_step,
    table_from_rows,
)
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import AUDIT_FRAMES, AUDIT_RESULTS, DEID_AUDIT
from tasks.commits import commit_receipts
from tasks.items import Benchmark, Recording, SourceFile
from tasks.job import Job
from tasks.stages.sign_off import SIGN_OFF_STAGE, audit_note, signed_audit
from tests.unit.curation.deciding import decides

SAMPLES = Path(__file__).parents[3] / "data/samples/benchmark.yaml"
FRAMES = [
    {
        "participant_id": "P1",
        "recording_id": "r1",
        "pts_us": pts_us,
        "stratum": stratum,
        "stratum_frames": 40,
        "stream_sha256": "a" * 64,
        "before_sha256": "b" * 64,
        "after_sha256": "c" * 64,
    }
    for pts_us, stratum in ((40_000, "track_end"), (80_000, "other"))
]
DONE = {
    "participant_id": "P1",
    "recording_id": "r1",
    "measure": "muted_sound",
    "value": 2.5,
    "unit": "s",
    "engine": "resemblyzer",
}


def _empty_file(_source: str, target: str) -> None:
    Path(target).touch()


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """A job on the samples' file, without their override."""
    text = SAMPLES.read_text("utf-8")
    begin, end = text.index("  audit_override:"), len(text)
    # Whatever the file names must be there; nothing of it is read here.
    shutil.copytree(SAMPLES.parent, tmp_path / "bench", copy_function=_empty_file)
    spec = tmp_path / "bench" / "benchmark.yaml"
    spec.write_text(text[:begin] + text[end:], encoding="utf-8")
    return Job("test", Store.opened(tmp_path / "store").root, spec)


def receipt(job: Job, name: str, spec: TableSpec, rows: list[dict[str, object]]) -> Receipt:
    zone = Zone.PRIVATE if spec is AUDIT_FRAMES else Zone.PUBLIC
    outputs = Outputs(tables=((spec, zone, table_from_rows(spec, rows)),))
    return run_step(job.store, StepRequest(StepSpec(name, 1), {}), lambda _: outputs, job="test")


def benchmark(job: Job) -> Benchmark:
    sampled = receipt(job, "sample_audit", AUDIT_FRAMES, FRAMES)
    done = receipt(job, "deidentify", DEID_AUDIT, [DONE])
    commit_receipts(job, "deidentify", [done])
    source = SourceFile("P1", Path("a.mp4"), "d" * 64, 1)
    recording = Recording(source, 1_000_000, receipts={"sample_audit": sampled, "deidentify": done})
    return Benchmark("samples", (recording,), {}, 0)


def decide(job: Job, decision: str) -> None:
    for item in audit_items(FRAMES):  # type: ignore[arg-type] # rows of a table
        ReviewStore.open(job.store.reviews, time.time).submit(
            decides(item, decision), expected_revision=0
        )


def test_a_release_waits_until_people_have_looked_and_found_nothing(job: Job) -> None:
    whole = benchmark(job)
    with pytest.raises(AuditNotPassedError, match="0 of 2"):
        signed_audit(job, whole)
    waiting = SIGN_OFF_STAGE.run(job, whole)
    assert "not passed" in audit_note(job, waiting)
    decide(job, "reject")
    with pytest.raises(AuditNotPassedError, match="2 leaks"):
        signed_audit(job, whole)
    decide(job, "accept")
    assert signed_audit(job, whole)["passed"] is True
    passed = SIGN_OFF_STAGE.run(job, whole)
    assert passed.key != waiting.key
    assert "passed: 2 of 2" in audit_note(job, passed)
    commit_receipts(job, "sign_off", [passed])
    rows = read_table(job.store, "samples", AUDIT_RESULTS).to_pylist()
    assert {row["stratum"]: row["judged"] for row in rows} == {
        "all": 2,
        "other": 1,
        "track_end": 1,
    }
    page = passed.blobs["page"]
    assert page.zone is Zone.PRIVATE
    assert "nothing left in any" in page.path(job.store).read_text("utf-8")


def test_a_name_and_a_reason_stand_in_for_an_audit_and_are_published(job: Job) -> None:
    overridden = replace(job, spec_path=SAMPLES)
    said = signed_audit(overridden, benchmark(overridden))
    assert said["passed"] is False
    override = said["override"]
    assert isinstance(override, dict)
    assert override["name"] == "the samples' makers"

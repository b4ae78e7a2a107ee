"""Sign-off: what people found in the sampled frames, and whether that allows a release."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow.parquet as pq

from firsthand.core.identity import Json, digest_json
from firsthand.curation.audit_items import AUDIT_KIND, AuditedFrame, audited_frames
from firsthand.curation.reviewing import ReviewDecision
from firsthand.deid.audit_verdict import (
    AuditOverride,
    AuditTally,
    audit_result_rows,
    audit_tally,
    require_audit,
)
from firsthand.report.audit_page import AuditPage, audit_page
from firsthand.store import Outputs, Receipt, StepRequest, Zone, read_table, table_from_rows
from firsthand.store.decision_lines import decision_to_json
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import AUDIT_RESULTS, DEID_AUDIT
from tasks.engines import engine_identities
from tasks.items import Benchmark
from tasks.job import Job
from tasks.stage import Stage
from tasks.steps import SIGN_OFF
from tasks.values import integer

__all__ = ["SIGN_OFF_STAGE", "audit_note", "audit_override", "has_passed", "signed_audit"]

Row = dict[str, Json]


def audit_override(job: Job) -> AuditOverride | None:
    """Return who takes it upon themselves to release without a passed audit, if somebody does."""
    told = job.spec().release.audit_override
    return None if told is None else AuditOverride(told.name, told.reason)


def signed_audit(job: Job, benchmark: Benchmark) -> Mapping[str, Json]:
    """Return what a manifest says of the audit.

    Raises:
        AuditNotPassedError: If the audit does not allow a release and nobody overrides it.
    """
    rows, frames = _audited(job, benchmark)
    tally = audit_tally(rows, frames)
    require_audit(benchmark.name, tally, audit_override(job))
    return tally.to_json(audit_override(job))


def has_passed(job: Job, sampled: Receipt) -> bool:
    """Whether people found every frame of a sampling clean."""
    rows = _rows(job, sampled)
    return audit_tally(rows, audited_frames(rows, _decisions(job))).passed


def audit_note(job: Job, signed: Receipt) -> str:
    """Return a line on how the audit stands and where its page lies."""
    judged, sampled = integer(signed, "judged"), integer(signed, "sampled")
    standing = "passed" if signed.values["passed"] is True else "not passed, overridden"
    page = signed.blobs["page"].path(job.store).relative_to(job.store.root)
    kept = "no uncovered picture kept" if signed.values["passed"] is True else str(page)
    return f"privacy audit {standing}: {judged} of {sampled} frames looked at; {kept}"


def _request(job: Job, benchmark: Benchmark) -> StepRequest:
    override = audit_override(job)
    return StepRequest(
        SIGN_OFF,
        inputs={
            **{
                f"{stage} {one.recording_id}": one.receipt(stage).digest
                for stage in ("sample_audit", "deidentify")
                for one in benchmark.recordings
            },
            "decisions": digest_json([decision_to_json(one) for one in _decisions(job)]),
        },
        parameters={
            "benchmark": benchmark.name,
            "override": None if override is None else [override.name, override.reason],
            "engines": {need: dict(who) for need, who in engine_identities(job).items()},
        },
        subject=benchmark.name,
    )


def _work(job: Job, benchmark: Benchmark, folder: Path) -> Outputs:
    rows, frames = _audited(job, benchmark)
    tally = audit_tally(rows, frames)
    page = AuditPage(
        benchmark=benchmark.name,
        tally=tally,
        override=audit_override(job),
        rows=rows,
        frames=frames,
        measures=read_table(job.store, benchmark.name, DEID_AUDIT).to_pylist(),
        engines=engine_identities(job),
    )
    written = folder / "audit.html"
    written.write_text(audit_page(page), encoding="utf-8")
    results = [row for one in _by_participant(rows, frames, tally) for row in one]
    return Outputs(
        tables=((AUDIT_RESULTS, Zone.PUBLIC, table_from_rows(AUDIT_RESULTS, results)),),
        files={"page": (written, Zone.PRIVATE)},
        values={
            "passed": tally.passed,
            "sampled": sum(tally.sampled.values()),
            "judged": sum(tally.judged.values()),
        },
    )


def _audited(job: Job, benchmark: Benchmark) -> tuple[list[Row], list[AuditedFrame]]:
    rows = [row for one in benchmark.recordings for row in _rows(job, one.receipt("sample_audit"))]
    return rows, audited_frames(rows, _decisions(job))


def _by_participant(
    rows: list[Row], frames: list[AuditedFrame], whole: AuditTally
) -> Iterator[Iterator[dict[str, object]]]:
    for person in sorted({str(row["participant_id"]) for row in rows}):
        own = [row for row in rows if row["participant_id"] == person]
        recordings = {row["recording_id"] for row in own}
        seen = [frame for frame in frames if frame.recording_id in recordings]
        tally: AuditTally = audit_tally(own, seen)
        yield audit_result_rows(person, tally, signed_off=whole.passed)


def _decisions(job: Job) -> list[ReviewDecision]:
    decisions = ReviewStore.open(job.store.reviews).decisions()
    return [one for one in decisions if one.item_kind == AUDIT_KIND]


def _rows(job: Job, receipt: Receipt) -> list[Row]:
    (part,) = receipt.parts_of("audit_frames", Zone.PRIVATE)
    rows: list[Row] = pq.read_table(job.store.root / part.path).to_pylist()
    return rows


SIGN_OFF_STAGE = Stage("sign_off", _request, _work)

"""The data-quality gate: nothing is released from tables that break their suites."""

from pathlib import Path

from firsthand.curation.agreement import (
    AgreementOverride,
    agreement_lines,
    check_agreement,
    review_json,
)
from firsthand.store import TABLES, Outputs, StepRequest, Zone, committed_parts, read_table
from schemas.gate import check_tables
from tasks.agreement import compared_inputs, queue_agreements
from tasks.items import Benchmark
from tasks.job import Job
from tasks.settings import as_json
from tasks.stage import Stage
from tasks.steps import GATE

__all__ = ["BUILT_TABLES", "GATE_STAGE"]

BUILT_TABLES = (
    "participants",
    "consents",
    "recordings",
    "quarantine",
    "starts",
    "timeline",
    "streams",
    "clips",
    "detections",
    "tracks",
    "text_tracks",
    "speakers",
    "words",
    "utterances",
    "narrations",
    "scenarios",
    "clip_setups",
    "clip_options",
    "stroke_proposals",
    "clicks",
    "masks",
    "referents",
    "strokes",
    "drafts",
    "questions",
    "options",
    "evidence",
    "reviews",
    "deid_audit",
    "audit_results",
)
"""The tables that a build fills, all of which the gate checks."""


def _request(job: Job, benchmark: Benchmark) -> StepRequest:
    return StepRequest(
        GATE,
        inputs={
            **compared_inputs(job, benchmark),
            **{
                f"{table} {part.path}": part.sha256
                for table in BUILT_TABLES
                for part in committed_parts(job.store, benchmark.name, table)
            },
        },
        parameters={
            "versions": {table: TABLES[table].version for table in BUILT_TABLES},
            "review": as_json(job.spec().review.demand),
            "override": None if (override := _override(job)) is None else as_json(override),
        },
        subject=benchmark.name,
    )


def _work(job: Job, benchmark: Benchmark, folder: Path) -> Outputs:
    tables = {name: read_table(job.store, benchmark.name, TABLES[name]) for name in BUILT_TABLES}
    said = (tables[name].to_pylist() for name in ("drafts", "reviews"))
    queues = queue_agreements(job, benchmark, *said)
    check_agreement(queues, benchmark.name, _override(job))
    report = check_tables(tables)
    report.require_passed()
    written = folder / "quality.md"
    lines = [report.to_markdown(), *agreement_lines(queues)]
    written.write_text("\n".join(lines), encoding="utf-8")
    return Outputs(
        files={"report": (written, Zone.PUBLIC)},
        values={
            "tables": len(tables),
            "expectations": report.expectations,
            "agreement": review_json(queues, _override(job)),
        },
    )


def _override(job: Job) -> AgreementOverride | None:
    told = job.spec().review.agreement_override
    return None if told is None else AgreementOverride(told.name, told.reason)


GATE_STAGE = Stage("gate", _request, _work)

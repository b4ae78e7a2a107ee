"""The end of a build: review, the data-quality gate, the release, the catalog."""

import time

from firsthand.store.build_notes import note_taken_in
from firsthand.store.catalog import rebuild_catalog
from firsthand.store.journal import read_journal, summarise
from firsthand.store.orphaned_decisions import orphaned_decisions
from flows.fan_out import run_here
from tasks.batches import draft_counts
from tasks.build import Build
from tasks.chaptering import hole_notes
from tasks.commits import commit_receipts, commit_release
from tasks.items import Benchmark
from tasks.kept_to_judge import delete_judged
from tasks.results import only_receipt
from tasks.stages.describe import unknown_scenarios
from tasks.stages.mask import unknown_annotations
from tasks.stages.sign_off import audit_note
from tasks.summary import BuildSummary, WaitingSummary, stream_notes
from tasks.values import text

__all__ = ["check", "release", "review"]


def review(build: Build) -> Benchmark:
    """Apply the reviewers' decisions: only accepted drafts become questions."""
    benchmark = build.benchmark
    accepted = only_receipt(run_here("accept", build.job, [benchmark]))
    aside = only_receipt(run_here("set_aside", build.job, [build.quarantine]))
    commit_receipts(build.job, "accept", [accepted])
    commit_receipts(build.job, "set_aside", [aside])
    return benchmark.after("accept", accepted)


def check(build: Build, benchmark: Benchmark) -> Benchmark:
    """Check what people found in the audit, every table, and how far annotators agree.

    Raises:
        StageFailedError: If the privacy audit does not allow a release, a table breaks its
            suite, or annotators agree too little.
    """
    signed = only_receipt(run_here("sign_off", build.job, [benchmark]))
    commit_receipts(build.job, "sign_off", [signed])
    delete_judged(build.job, build.recordings, signed)
    benchmark = benchmark.after("sign_off", signed)
    return benchmark.after("gate", only_receipt(run_here("gate", build.job, [benchmark])))


def release(
    build: Build, benchmark: Benchmark, began_s: float, waits_for: str | None
) -> BuildSummary | WaitingSummary:
    """Write the release unless it waits for people, rebuild the catalog, and say what was made.

    Raises:
        StageFailedError: If a check fails, or if a file tells of its origin; nothing is
            released then.
    """
    job = build.job
    if waits_for is not None:
        rebuild_catalog(job.store)
        return WaitingSummary(
            benchmark=benchmark.name,
            waits_for=waits_for,
            counts=_counts(build, benchmark),
            failures=build.failures,
            journal=summarise(read_journal(job.store, job.name)),
            wall_s=time.monotonic() - began_s,
        )
    benchmark = check(build, benchmark)
    made = only_receipt(run_here("release", job, [benchmark]))
    commit_release(job, made)
    note_taken_in(job.store, benchmark.name, build.known_decisions)
    rebuild_catalog(job.store)
    (signed,) = benchmark.receipts("sign_off")
    return BuildSummary(
        release_id=text(made, "release_id"),
        release_path=str(job.store.releases / text(made, "release_id")),
        digest=text(made, "digest"),
        counts=_counts(build, benchmark),
        failures=build.failures,
        journal=summarise(read_journal(job.store, job.name)),
        wall_s=time.monotonic() - began_s,
        notes=(
            audit_note(job, signed),
            *stream_notes(job.store, benchmark.name),
            *hole_notes(build.sources),
            *_lost_entries(build),
        ),
    )


def _counts(build: Build, benchmark: Benchmark) -> dict[str, int]:
    return {
        "recordings": len(build.recordings),
        "starts to confirm": sum(one.error == "UnconfirmedStartError" for one in build.failures),
        **{name.replace("_", " "): count for name, count in draft_counts(benchmark).items()},
        "decisions of the store without draft": len(orphaned_decisions(build.job.store)),
    }


def _lost_entries(build: Build) -> tuple[str, ...]:
    annotated = unknown_annotations(build.job, build.recordings)
    described = unknown_scenarios(build.job, build.sources)
    return (
        *(f"annotations of {name} found no recording" for name in annotated),
        *(f"the scenario of {name} found no recording" for name in described),
    )

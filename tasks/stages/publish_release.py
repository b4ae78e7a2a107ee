"""The release: an immutable folder of tables, media and manifest, named by its content."""

from pathlib import Path
from typing import TYPE_CHECKING, cast

from firsthand.core.identity import Json
from firsthand.report.funnel import funnel_for_release
from firsthand.store import TABLES, Outputs, StepRequest, Zone, committed_parts, read_table
from firsthand.store.releases import RELEASED_TABLES, MediaRole, ReleaseContent, write_release
from firsthand.store.steps import Blob
from firsthand.store.tables import FUNNEL, RELEASE_MANIFEST
from tasks.batches import draft_counts, require_sign_off, signature_json
from tasks.engines import engine_identities
from tasks.items import Benchmark
from tasks.job import Job
from tasks.origin import origin_traces
from tasks.stage import Stage
from tasks.stages.cut_clips import clip_id_of
from tasks.stages.sign_off import signed_audit
from tasks.steps import BUILD_STEPS, RELEASE

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RELEASE_STAGE"]

_FUNNEL_TABLES = ("drafts", "refused_drafts", "reviews")


def _request(job: Job, benchmark: Benchmark) -> StepRequest:
    parts = {
        f"{table} {part.path}": part.sha256
        for table in (*RELEASED_TABLES, *_FUNNEL_TABLES)
        for part in committed_parts(job.store, benchmark.name, table)
    }
    return StepRequest(
        RELEASE,
        inputs={
            **parts,
            **benchmark.digests("accept"),
            **benchmark.digests("gate"),
            **benchmark.digests("sign_off"),
        },
        parameters={
            "salt": job.spec().release.salt,
            "steps": {step.name: step.version for step in BUILD_STEPS},
            "engines": {need: dict(who) for need, who in engine_identities(job).items()},
            "set_aside": benchmark.set_aside,
            "signature": signature_json(job, benchmark),
        },
        subject=benchmark.name,
    )


def _work(job: Job, benchmark: Benchmark, folder: Path) -> Outputs:
    del folder
    audit = signed_audit(job, benchmark)
    require_sign_off(job, benchmark)
    tables = {name: read_table(job.store, benchmark.name, TABLES[name]) for name in RELEASED_TABLES}
    release = write_release(
        job.store,
        ReleaseContent(
            name=benchmark.name,
            tables=tables,
            media=_media(benchmark),
            salt=job.spec().release.salt,
            step_versions={step.name: step.version for step in BUILD_STEPS},
            engines=engine_identities(job),
            counts=_counts(benchmark),
            audit=audit,
            review={**_agreement(benchmark), "sign_off": signature_json(job, benchmark)},
            traces={one.recording_id: origin_traces(one) for one in benchmark.recordings},
        ),
    )
    funnel = funnel_for_release(job.store, benchmark.name, release)
    return Outputs(
        tables=(
            (RELEASE_MANIFEST, Zone.PUBLIC, release.manifest_rows()),
            (FUNNEL, Zone.PUBLIC, funnel.table(release.release_id)),
        ),
        values={"release_id": release.release_id, "digest": release.digest},
    )


def _media(benchmark: Benchmark) -> dict[str, dict[MediaRole, Blob]]:
    return {
        clip_id_of(recording): {
            MediaRole.DEIDENTIFIED: recording.receipt("deidentify").blobs["stream"],
            MediaRole.PROXY: recording.receipt("deidentify").blobs["proxy"],
        }
        for recording in benchmark.recordings
    }


def _counts(benchmark: Benchmark) -> dict[str, int]:
    return {**draft_counts(benchmark), "files_set_aside": benchmark.set_aside}


def _agreement(benchmark: Benchmark) -> dict[str, Json]:
    (gate,) = benchmark.receipts("gate")
    return dict(cast("Mapping[str, Json]", gate.values["agreement"]))


RELEASE_STAGE = Stage("release", _request, _work)

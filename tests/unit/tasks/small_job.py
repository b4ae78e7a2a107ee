"""A job over a benchmark of one participant, its files made in the test's folder."""

from pathlib import Path
from typing import Any

import yaml

from firsthand.store import Receipt
from schemas.engine_specs import EngineNames
from tasks.build import Build, begin_build
from tasks.chaptering import in_chapters, with_joined_files
from tasks.job import Job
from tasks.sources import find_sources, usable
from tasks.stage import Failure, run_items
from tasks.stages import STAGES

__all__ = ["dated", "job_over", "probed"]


def job_over(folder: Path, *, zone: str = "Asia/Shanghai", **participant: Any) -> Job:
    """Write a benchmark file over `folder/recordings` and return a job for it."""
    spec = {
        "schema_version": 1,
        "name": "demo",
        "unit_s": 1,
        "participants": [
            {
                "participant_id": "P1",
                "recordings": "recordings",
                "time_zone": zone,
                "consents": [
                    {"scope": scope, "granted_on": "2026-05-01"}
                    for scope in ("recording", "publication")
                ],
                **participant,
            }
        ],
        "engines": dict.fromkeys(EngineNames.model_fields, "any"),
        "release": {"salt": "a-salt-for-tests"},
    }
    text = yaml.safe_dump(spec).replace("'2026-05-01'", "2026-05-01")
    (folder / "benchmark.yaml").write_text(text)
    return Job("test", folder / "store", folder / "benchmark.yaml")


def probed(job: Job) -> Build:
    """Return the build after ingest, run in this process."""
    sources, refused = find_sources(job.spec())
    joined = _run(job, "join", in_chapters(usable(sources, refused)))
    sources, broken = with_joined_files(job.store, sources, joined)
    refused = [*refused, *broken]
    return begin_build(job, sources, refused, _run(job, "probe", usable(sources, refused)))


def dated(job: Job) -> Build:
    """Return the build after the start times were chosen."""
    build = probed(job)
    return build.after_dating(_run(job, "date", build.streams))


def _run(job: Job, stage: str, items: Any) -> dict[str, Receipt | Failure]:
    outcomes = run_items(STAGES[stage], job, items)
    return {item.item_id: outcome for item, outcome in zip(items, outcomes, strict=True)}

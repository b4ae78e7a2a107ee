"""A drafting job over the made-up stream, for tests; run as a module it drafts and ends.

`python -m tests.unit.tasks.drafting_job FOLDER` works on the job that `drafting_job` laid
out in the folder, so that a test can kill it in the middle.
"""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import yaml

from firsthand.core.timeline import Placement
from firsthand.store import (
    Outputs,
    Receipt,
    StepRequest,
    StepSpec,
    TableSpec,
    Zone,
    run_step,
    table_from_rows,
)
from firsthand.store.tables import NARRATIONS, SCENARIOS, WORDS
from tasks.items import Recording, SourceFile, Stream
from tasks.job import Job
from tasks.stages.draft import DRAFT_STAGE
from tests.unit.drafting.stream import rows, timeline
from tests.unit.tasks.small_job import job_over

Row = dict[str, Any]


def drafting_job(folder: Path, url: str, **drafter: object) -> Job:
    """Write a benchmark whose drafter is the model at `url`, and return a job for it."""
    (folder / "recordings").mkdir()
    job = job_over(folder)
    spec = yaml.safe_load(job.spec_path.read_text("utf-8"))
    spec["engines"]["drafter"] = "litellm"
    spec["drafter"] = {"model": "openai/drafter", "revision": "1", "base_url": url, **drafter}
    text = yaml.safe_dump(spec).replace("'2026-05-01'", "2026-05-01")
    job.spec_path.write_text(text, encoding="utf-8")
    return job


def stream_of(job: Job) -> Stream:
    """Return the made-up stream with what the stages before drafting made of it."""
    told = rows()
    recordings = tuple(_recording(job, segment.placement, told) for segment in timeline().segments)
    stream = Stream("P1", recordings)
    scenarios = [_own(row) | {"recording_id": _id(row)} for row in told["scenarios"]]
    stream = stream.after("place", _kept(job, "place", "s", ()))
    return stream.after("describe", _kept(job, "describe", "s", ((SCENARIOS, scenarios),)))


def drafted(job: Job) -> Receipt:
    """Run the stage."""
    return DRAFT_STAGE.run(job, stream_of(job))


def table(job: Job, receipt: Receipt, name: str) -> list[Row]:
    """Return the rows of a table that the stage wrote."""
    (part,) = receipt.parts_of(name)
    return list(pq.read_table(job.store.root / part.path).to_pylist())


def _recording(job: Job, placement: Placement, told: dict[str, list[Any]]) -> Recording:
    name = placement.recording_id
    source = SourceFile("P1", Path(f"{name}.mp4"), name, 1)
    narrations = [
        _own(row) | {"recording_id": source.recording_id, "narration_index": n, "source": "typed"}
        for n, row in enumerate(row for row in told["narrations"] if row["recording_id"] == name)
    ]
    more = {"timing": "aligned", "mendings": [], "revision": 0, "engine": "none"}
    words = [
        _own(row) | more | {"recording_id": source.recording_id, "word_index": n}
        for n, row in enumerate(row for row in told["words"] if row["recording_id"] == name)
    ]
    placed = replace(placement, recording_id=source.recording_id)
    recording = Recording(source, placement.duration_us, placement=placed)
    recording = recording.after("narrate", _kept(job, "narrate", name, ((NARRATIONS, narrations),)))
    attributed = _kept(job, "attribute_voices", name, ((WORDS, words),))
    return recording.after("attribute_voices", attributed)


def _own(row: Row) -> Row:
    return row | {"participant_id": "P1"}


def _id(row: Row) -> str:
    return SourceFile("P1", Path("x"), str(row["recording_id"]), 1).recording_id


def _kept(
    job: Job, step: str, subject: str, tables: tuple[tuple[TableSpec, list[Row]], ...]
) -> Receipt:
    outputs = Outputs(
        tables=tuple((spec, Zone.PUBLIC, table_from_rows(spec, lines)) for spec, lines in tables)
    )
    request = StepRequest(StepSpec(step, 1), {"subject": subject}, subject=subject)
    return run_step(job.store, request, lambda _: outputs, job=job.name)


if __name__ == "__main__":
    root = Path(sys.argv[1])
    drafted(Job("test", root / "store", root / "benchmark.yaml"))

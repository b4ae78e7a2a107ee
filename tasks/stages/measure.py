"""Quality: a build held against known truth, measured once for each build and truth."""

import json
from dataclasses import dataclass
from pathlib import Path

from firsthand.core.identity import digest_file
from firsthand.report.quality import (
    MEASURED_TABLES,
    QualityInputs,
    QualityTable,
    quality_table,
    table_from_json,
)
from firsthand.report.quality_truth import read_truth
from firsthand.store import Outputs, StepRequest, Zone, committed_parts
from tasks.job import Job
from tasks.stage import Stage
from tasks.steps import MEASURE

__all__ = ["MEASURE_STAGE", "Measurement", "measured_quality"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """A build and the truth it is held against.

    Args:
        inputs: The benchmark, its truth and its originals.
    """

    inputs: QualityInputs

    @property
    def item_id(self) -> str:
        """The benchmark."""
        return self.inputs.benchmark

    @property
    def weight(self) -> float:
        """There is one."""
        return 1.0


def measured_quality(job: Job, inputs: QualityInputs) -> QualityTable:
    """Return the quality of a build, measured now or when it was the same."""
    receipt = MEASURE_STAGE.run(job, Measurement(inputs))
    text = receipt.blobs["quality"].path(job.store).read_text(encoding="utf-8")
    return table_from_json(json.loads(text))


def _request(job: Job, measurement: Measurement) -> StepRequest:
    inputs = measurement.inputs
    parts = {
        f"{zone} {table} {part.path}": part.sha256
        for zone in Zone
        for table in MEASURED_TABLES
        for part in committed_parts(job.store, inputs.benchmark, table, zone)
    }
    originals = {
        f"original {name}": _digest(inputs.recordings / name) for name in read_truth(inputs.truth)
    }
    return StepRequest(
        MEASURE,
        inputs={"truth": digest_file(inputs.truth), **originals, **parts},
        subject=inputs.benchmark,
    )


def _digest(original: Path) -> str:
    return digest_file(original) if original.is_file() else "absent"


def _work(job: Job, measurement: Measurement, folder: Path) -> Outputs:
    table = quality_table(job.store, measurement.inputs)
    written = folder / "quality.json"
    written.write_text(json.dumps(table.to_json()), encoding="utf-8")
    return Outputs(files={"quality": (written, Zone.PRIVATE)})


MEASURE_STAGE = Stage("measure", _request, _work)

"""The gate of a build: annotators have to agree as was demanded, or somebody answers for it."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from firsthand.curation.agreement import AgreementTooLowError
from firsthand.store import TABLES, Zone, commit_table
from firsthand.store.commits import write_part
from tasks.items import Benchmark
from tasks.job import Job
from tasks.stages.gate import BUILT_TABLES, GATE_STAGE
from tests.unit.store.small_benchmark import tables_of
from tests.unit.tasks.small_job import job_over

OVERRIDE = {"name": "Ada", "reason": "The two read the guide differently."}
WHOLE = Benchmark("demo", (), {}, 0)


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """A job whose tables are filled, without a decision on any draft."""
    (tmp_path / "recordings").mkdir()
    made = job_over(tmp_path)
    tables = tables_of(made.store)
    for name in BUILT_TABLES:
        part = write_part(made.store, TABLES[name], tables[name], Zone.PUBLIC, "ab" * 32)
        commit_table(made.store, "demo", TABLES[name], [part])
    return made


def asking(job: Job, review: dict[str, Any]) -> Job:
    spec = yaml.safe_load(job.spec_path.read_text())
    job.spec_path.write_text(yaml.safe_dump({**spec, "review": review}))
    return job


def test_a_build_whose_annotators_do_not_agree_stops_at_the_gate(job: Job) -> None:
    with pytest.raises(AgreementTooLowError, match="agreement_override"):
        GATE_STAGE.run(asking(job, {"annotators": 2}), WHOLE)


def test_whoever_answers_for_it_is_named_beside_the_figures(job: Job) -> None:
    review = {"annotators": 2, "min_kappa": 0.9, "agreement_override": OVERRIDE}
    passed = GATE_STAGE.run(asking(job, review), WHOLE)
    said = passed.values["agreement"]
    assert isinstance(said, dict)
    assert said["override"] == OVERRIDE
    assert (said["min_kappa"], said["decided_by_two"], said["kappa"]) == (0.9, 0, None)
    assert said["chosen"] == 2

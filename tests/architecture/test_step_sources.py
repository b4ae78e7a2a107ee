"""A step whose code changes gets a new version, or a written reason why not."""

import json
from pathlib import Path

import pytest

from firsthand.store import StepSpec
from tasks.steps import STEPS
from tests.architecture import renew_step_sources, step_sources
from tests.architecture.step_sources import StepRecord, complaint, read_records, source_digest


@pytest.mark.parametrize("spec", STEPS, ids=lambda spec: spec.name)
def test_a_step_stands_in_the_record_as_it_is_now(spec: StepSpec) -> None:
    found = complaint(spec, read_records().get(spec.name))
    assert found is None, found


def test_every_step_names_the_modules_that_decide_its_result() -> None:
    assert [spec.name for spec in STEPS if not spec.sources] == []


def test_no_two_steps_share_a_name() -> None:
    names = [spec.name for spec in STEPS]
    assert len(set(names)) == len(names)


def test_the_record_names_no_step_that_is_gone() -> None:
    assert set(read_records()).difference(spec.name for spec in STEPS) == set()


def test_a_changed_source_under_the_same_version_is_a_complaint() -> None:
    spec = StepSpec("blur", 3, ("firsthand.core.time",))
    assert complaint(spec, StepRecord(3, source_digest(spec))) is None
    assert "raise its version" in str(complaint(spec, StepRecord(3, "0" * 64)))
    assert "new version" in str(complaint(spec, StepRecord(2, "0" * 64)))
    assert "not recorded" in str(complaint(spec, None))


def test_renewal_refuses_a_change_without_version_until_it_is_waived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = StepSpec("blur", 3, ("firsthand.core.time",))
    record = tmp_path / "record.json"
    record.write_text(json.dumps({"blur": {"version": 3, "digest": "0" * 64, "waiver": ""}}))
    monkeypatch.setattr(step_sources, "RECORD", record)
    monkeypatch.setattr(renew_step_sources, "STEPS", (spec,))
    assert renew_step_sources.main([]) == 1
    assert "blur" in capsys.readouterr().err
    assert renew_step_sources.main(["--waive", "blur", "only a comment changed"]) == 0
    assert read_records() == {"blur": StepRecord(3, source_digest(spec), "only a comment changed")}
    assert renew_step_sources.main([]) == 0
    assert read_records()["blur"].waiver == "only a comment changed"

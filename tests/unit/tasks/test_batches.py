"""A release that demands a signature waits for it, and for one under the present outcome."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from firsthand.core.identity import Json
from firsthand.curation.batches import NotSignedOffError
from firsthand.curation.reviewing import DecisionKind, ReviewState
from firsthand.store import Receipt
from firsthand.store.reviews import ReviewStore
from tasks.batches import (
    Signature,
    missing_signature,
    question_batch,
    record_signature,
    require_sign_off,
    sign_off_text,
    signature_json,
)
from tasks.items import Benchmark
from tasks.job import Job
from tests.unit.tasks.small_job import job_over

AGREEMENT: dict[str, Json] = {
    "queues": {
        "draft": {
            "least": 0.8,
            "chosen": 12,
            "decided_by_two": 12,
            "alike": 11,
            "measure": "kappa",
            "value": 0.8333,
            "alpha": 0.84,
        },
        "stroke": {
            "least": 0.75,
            "chosen": 4,
            "decided_by_two": 4,
            "alike": 3,
            "measure": "share alike",
            "value": 0.75,
        },
    },
    "agreement_override": None,
}


def job_that_demands(folder: Path, *, sign_off: bool) -> Job:
    (folder / "recordings").mkdir()
    job = job_over(folder)
    spec = yaml.safe_load(job.spec_path.read_text())
    spec["review"] = {"sign_off": sign_off}
    job.spec_path.write_text(yaml.safe_dump(spec))
    return job


def reviewed(outcome: str = "a" * 64, **states: int) -> Benchmark:
    counts = {f"drafts_{state.value}": states.get(state.value, 0) for state in ReviewState}
    values: dict[str, Any] = {"drafts": 20, "drafts_checked_out": 8, **counts, "outcome": outcome}
    accepted = Receipt("accept", "k" * 64, "demo", (), {}, values, "d" * 64)
    gate = Receipt("gate", "k" * 64, "demo", (), {}, {"agreement": AGREEMENT}, "d" * 64)
    return Benchmark("demo", (), {"accept": (accepted,), "gate": (gate,)}, 0)


WHOLE = reviewed(accepted=7, rejected=5)
SIGNED_S = 1_796_000_000.25


def sign(job: Job, decision: DecisionKind, reason: str) -> None:
    record_signature(job, WHOLE, Signature("Vera", decision, reason), lambda: SIGNED_S)


def test_a_benchmark_that_demands_no_signature_waits_for_none(tmp_path: Path) -> None:
    job = job_that_demands(tmp_path, sign_off=False)
    require_sign_off(job, WHOLE)
    assert missing_signature(job, reviewed(accepted=7, unsure=5)) is None
    assert signature_json(job, WHOLE) is None


def test_a_demanded_signature_is_waited_for_and_published(tmp_path: Path) -> None:
    job = job_that_demands(tmp_path, sign_off=True)
    assert missing_signature(job, reviewed(accepted=7, half=4, disputed=1)) == (
        "5 of 12 questions wait for a decision."
    )
    assert "nobody has signed" in str(missing_signature(job, WHOLE))
    with pytest.raises(NotSignedOffError):
        require_sign_off(job, WHOLE)

    sign(job, DecisionKind.REJECT, "Question 3 is unfair.")
    assert "Vera refused" in str(missing_signature(job, WHOLE))
    with pytest.raises(NotSignedOffError, match="refused by Vera"):
        require_sign_off(job, WHOLE)

    sign(job, DecisionKind.ACCEPT, "Fair after all.")
    assert missing_signature(job, WHOLE) is None
    require_sign_off(job, WHOLE)
    assert signature_json(job, WHOLE) == {
        "name": "Vera",
        "decision": "accept",
        "reason": "Fair after all.",
        "signed_utc_us": 1_796_000_000_250_000,
        "outcome": "a" * 64,
    }


def test_another_outcome_needs_another_signature(tmp_path: Path) -> None:
    job = job_that_demands(tmp_path, sign_off=True)
    sign(job, DecisionKind.ACCEPT, "All read.")
    changed = reviewed("b" * 64, accepted=7, rejected=5)
    with pytest.raises(NotSignedOffError, match="no signature"):
        require_sign_off(job, changed)


def test_a_signature_given_twice_is_one_row(tmp_path: Path) -> None:
    job = job_that_demands(tmp_path, sign_off=True)
    for _ in range(2):
        sign(job, DecisionKind.ACCEPT, "All read.")
    (row,) = ReviewStore.open(job.store.reviews).rows()
    assert row.decision.item == ("batch", "demo/draft")
    assert row.decision.content_digest == question_batch(WHOLE).item.content_digest


def test_who_signs_sees_counts_agreement_and_an_earlier_refusal(tmp_path: Path) -> None:
    job = job_that_demands(tmp_path, sign_off=True)
    sign(job, DecisionKind.REJECT, "Question 3 is unfair.")
    text = sign_off_text(job, WHOLE)
    assert "7 accepted and 5 rejected of 12 reviewed; 8 of 20 drafts failed a check" in text
    assert "12 of 12 chosen questions, alike on 11" in text
    assert "alike on 11: kappa 0.833 (above 0.8 demanded), Krippendorff's alpha 0.840." in text
    assert "4 of 4 chosen strokes, alike on 3: share alike 0.750 (at least 0.75 demanded)." in text
    assert "Vera refused to sign it: Question 3 is unfair." in text

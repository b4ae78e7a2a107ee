"""Judged answers: graded without seeing the judge, and the judge held against those grades."""

import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from firsthand.cli.main import app
from firsthand.curation.double_review import ReviewDemand
from firsthand.store import Store
from firsthand.store.review_demands import write_demand
from firsthand.store.reviews import ReviewStore
from firsthand.subjects.judged_sample import judged_run
from tests.unit.review_app.desk_store import Reviewer, fields_of
from tests.unit.review_app.judged_store import JUDGE, RUBRIC, make_judged_store

LIST = "/review/small/judgement"


@pytest.fixture
def judged(tmp_path: Path) -> tuple[Store, str]:
    return make_judged_store(tmp_path / "store")


def addresses(reviewer: Reviewer) -> dict[str, str]:
    """The pages of the two answers, by participant."""
    page = reviewer.client.get(LIST).text
    found = re.findall(rf'<a href="({LIST}/item/[^"]+)">.*?quiet">(p\d)', page, re.S)
    return {person: address for address, person in found}


def grade(reviewer: Reviewer, person: str, value: str, decision: str = "accept") -> Any:
    address = addresses(reviewer)[person]
    fields = {**fields_of(reviewer.client.get(address).text), "decision": decision}
    return reviewer.client.post(address, data={**fields, "grade": value}, follow_redirects=False)


def test_an_answer_is_shown_with_its_rubric_and_without_judge_or_subject(
    judged: tuple[Store, str],
) -> None:
    anna = Reviewer(judged[0], "anna")
    page = anna.client.get(addresses(anna)["p1"]).text
    for shown in ("Where is it?", "on the table", "0.5 says a part of it", RUBRIC):
        assert shown in page
    for hidden in ("oracle", JUDGE, "weights-1"):
        assert hidden not in page
    assert " checked" not in page


def test_a_grade_is_one_of_the_rubrics(judged: tuple[Store, str]) -> None:
    anna = Reviewer(judged[0], "anna")
    for wrong in ("", "2", "0.25", "nan"):
        assert grade(anna, "p1", wrong).status_code == 422
    assert ReviewStore.open(judged[0].reviews).decisions() == []
    assert grade(anna, "p1", "0.5").status_code == 303


def test_the_judge_is_held_against_what_people_graded(judged: tuple[Store, str]) -> None:
    store, run_id = judged
    anna = Reviewer(store, "anna")
    # The judge said 1 and 0.5: one grade is the same.
    grade(anna, "p1", "1")
    grade(anna, "p2", "0")
    decisions = ReviewStore.open(store.reviews).decisions()
    (found,) = judged_run(store, f"runs/{run_id}").figures(decisions).values()
    # By hand: two answers, one alike; the chance that names meet is 1/4, so kappa is 1/3.
    assert (found.audited, found.judged, found.same) == (2, 2, 0.5)
    assert found.kappa == pytest.approx(1 / 3)
    overview = anna.client.get("/").text
    assert "2 graded by both, 50 % alike" in " ".join(overview.split())
    shown = CliRunner().invoke(app, ["runs", "agreement", run_id, "--store", str(store.root)])
    assert f"{JUDGE}, rubric {RUBRIC}: judged 2 of 2 audited" in shown.output
    assert "kappa  0.333" in shown.output


def test_two_people_grade_without_seeing_each_other(judged: tuple[Store, str]) -> None:
    store, run_id = judged
    write_demand(store, "small", ReviewDemand(1.0))
    anna, ben = Reviewer(store, "anna"), Reviewer(store, "ben")
    grade(anna, "p1", "1")
    assert "anna" not in ben.client.get(addresses(ben)["p1"]).text
    grade(ben, "p1", "0.5")
    # They differ: nothing counts until a third person has decided.
    shown = CliRunner().invoke(app, ["runs", "agreement", run_id, "--store", str(store.root)])
    assert "judged 0 of 0 audited" in shown.output
    overview = " ".join(anna.client.get("/").text.split())
    assert "1 of 2 chosen items decided by two, 0 alike" in overview

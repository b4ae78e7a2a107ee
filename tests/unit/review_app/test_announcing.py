"""A finished batch is announced: once, however often the announcement fails before."""

import time
from pathlib import Path

import pytest

from firsthand.curation.batches import Batch
from firsthand.curation.double_review import ReviewDemand
from firsthand.review_app import AnnouncementError, Announcer, Archive, create_app
from firsthand.store import Store
from firsthand.store.build_notes import note_taken_in
from firsthand.store.review_demands import write_demand
from firsthand.store.reviews import ReviewStore
from tests.unit.review_app.desk_store import Reviewer, make_store

NAMES = ("first", "second", "third", "fourth", "fifth")


class Line:
    """Stands for the way to the orchestrator's API, which may be down."""

    def __init__(self) -> None:
        self.is_down = False
        self.arrived: list[Batch] = []

    def send(self, batch: Batch) -> None:
        if self.is_down:
            raise AnnouncementError("a batch", "no answer", "an answer", "Try again.")
        self.arrived.append(batch)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_store(tmp_path / "store")


@pytest.fixture
def line() -> Line:
    return Line()


def decide_on(anna: Reviewer, *names: str, decision: str = "accept") -> None:
    for name in names:
        answer = anna.send(anna.page(name), name, decision, reason="It is so")
        assert answer.status_code == 303


def announced(store: Store, line: Line) -> int:
    """Announce with all that a server which has just been started knows."""
    return Announcer(Archive(store, time.time), line.send).announce()


def test_the_last_decision_finishes_a_batch_and_is_announced_once(store: Store, line: Line) -> None:
    app = create_app(store)
    anna = Reviewer(store, "anna", app=app)
    announcer = Announcer(app.state.office.archive, line.send)
    decide_on(anna, *NAMES[:-1])
    assert announcer.announce() == 0
    decide_on(anna, NAMES[-1], decision="unsure")
    assert announcer.announce() == 0
    decide_on(anna, NAMES[-1], decision="reject")
    assert announcer.announce() == 1
    assert announcer.announce() == 0
    assert announced(store, line) == 0
    (batch,) = line.arrived
    assert (batch.benchmark, batch.queue) == ("small", "draft")
    assert {state.value: count for state, count in batch.states.items()} == {
        "accepted": 4,
        "rejected": 1,
    }


def test_what_did_not_arrive_is_sent_again_and_no_decision_is_lost(
    store: Store, line: Line
) -> None:
    app = create_app(store)
    anna = Reviewer(store, "anna", app=app)
    announcer = Announcer(app.state.office.archive, line.send)
    line.is_down = True
    decide_on(anna, *NAMES)
    assert announcer.announce() == 0
    assert len(ReviewStore.open(store.reviews).rows()) == 5
    line.is_down = False
    assert announcer.announce() == 1
    assert len(line.arrived) == 1


def test_a_server_started_after_the_last_decision_announces_it(store: Store, line: Line) -> None:
    decide_on(Reviewer(store, "anna"), *NAMES)
    assert announced(store, line) == 1
    assert announced(store, line) == 0


def test_another_outcome_is_announced_anew(store: Store, line: Line) -> None:
    anna = Reviewer(store, "anna")
    decide_on(anna, *NAMES)
    announced(store, line)
    decide_on(anna, "first", decision="reject")
    assert announced(store, line) == 1
    one, other = line.arrived
    assert one.outcome != other.outcome


def test_what_a_release_holds_already_is_not_announced(store: Store, line: Line) -> None:
    decide_on(Reviewer(store, "anna"), *NAMES)
    note_taken_in(store, "small", 4)
    assert announced(store, line) == 1
    note_taken_in(store, "small", 5)
    decide_on(Reviewer(store, "ben"), "first", decision="reject")
    note_taken_in(store, "small", 6)
    assert announced(store, line) == 0


def test_two_annotators_finish_a_batch_when_nothing_is_half_done_or_disputed(
    store: Store, line: Line
) -> None:
    write_demand(store, "small", ReviewDemand(1.0, 0.8))
    anna, ben, cleo = (Reviewer(store, name) for name in ("anna", "ben", "cleo"))
    decide_on(anna, *NAMES)
    assert announced(store, line) == 0
    decide_on(ben, *NAMES[1:])
    decide_on(ben, "first", decision="reject")
    assert announced(store, line) == 0
    decide_on(cleo, "first")
    assert announced(store, line) == 1

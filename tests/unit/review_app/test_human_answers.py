"""The human baseline: questions in their turn, timed by the server, scored like any subject."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from firsthand.endpoints import ReplyLog
from firsthand.media.cutting import cut_until
from firsthand.media.frames import decoded_frames
from firsthand.protocols import StreamingPolicy
from firsthand.review_app import create_app
from firsthand.store import Store
from firsthand.store.release_index import name_newest
from firsthand.store.releases import Release, write_release
from firsthand.store.reviews import ReviewStore
from firsthand.subjects import SubjectConfiguration, merge_shards, plan_asks, run_shard
from tasks.recordings import human_settings
from tests.unit.review_app.desk_store import FOOTAGE, RECORDING, Reviewer, fields_of, make_store
from tests.unit.store.small_benchmark import content_of

FIRST, SECOND = (f"/review/small/human_answer/item/question-p{n}" for n in (1, 2))
SHOW = FIRST.replace("/review/", "/show/", 1)
QUESTION = "What stood on the table?"


class Clock:
    """Unix seconds that pass when they are told to."""

    now_s = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return make_store(tmp_path / "store")


@pytest.fixture
def release(store: Store) -> Release:
    made = write_release(store, content_of(store))
    name_newest(store, "small", made.release_id)
    return made


@pytest.fixture
def anna(store: Store, release: Release, clock: Clock) -> Reviewer:
    assert release.release_id.startswith("small-")
    return Reviewer(store, "anna", app=create_app(store, clock))


def send(anna: Reviewer, address: str, **given: Any) -> Any:
    fields = fields_of(anna.client.get(FIRST).text)
    fields.pop("answer", None)
    return anna.client.post(address, data={**fields, **given}, follow_redirects=False)


def answered(anna: Reviewer, clock: Clock, answer: str, after_s: float) -> Any:
    send(anna, SHOW)
    clock.now_s += after_s
    # What the browser claims to have spent counts for nothing.
    return send(anna, FIRST, decision="accept", answer=answer, seconds_spent="0.1")


def test_a_question_is_shown_on_demand_and_timed_by_the_server(
    anna: Reviewer, store: Store, clock: Clock
) -> None:
    assert QUESTION not in anna.client.get(FIRST).text
    assert QUESTION not in anna.client.get("/review/small/human_answer").text
    send(anna, SHOW)
    clock.now_s += 1.0
    # Asking for it again, or from a server that was started again, starts no clock anew.
    anna = Reviewer(store, "anna", app=create_app(store, clock))
    assert QUESTION in anna.client.get(FIRST).text
    assert answered(anna, clock, "A", 2.25).status_code == 303
    first, _ = ReviewStore.open(store.reviews).decisions()
    assert (first.edit, first.seconds_spent) == ({"answer": "A"}, 3.25)


def test_the_first_answer_is_final(anna: Reviewer, store: Store, clock: Clock) -> None:
    assert send(anna, FIRST, decision="accept", answer="A").status_code == 409
    answered(anna, clock, "A", 1.0)
    recorded = ReviewStore.open(store.reviews).decisions()
    assert send(anna, FIRST, decision="accept", answer="B").status_code in (409, 422)
    last = {"last": "2"}
    assert send(anna, FIRST.replace("/review/", "/undo/", 1), **last).status_code == 409
    assert ReviewStore.open(store.reviews).decisions() == recorded


def test_everybody_answers_alone(
    anna: Reviewer, store: Store, clock: Clock, release: Release
) -> None:
    answered(anna, clock, "A", 1.0)
    for name in ("ben", "cleo"):
        other = Reviewer(store, name, app=create_app(store, clock))
        assert "anna" not in other.client.get(FIRST).text
        assert answered(other, clock, "B", 1.0).status_code == 303
    assert len(ReviewStore.open(store.reviews).decisions()) == 6


def test_a_persons_answers_are_scored_as_a_subjects_and_not_ranked(
    anna: Reviewer, store: Store, clock: Clock, release: Release
) -> None:
    answered(anna, clock, "A", 3.25)
    settings = human_settings("anna", store, "small")
    subject = SubjectConfiguration("replay", settings)
    facts = subject.build().facts
    assert (facts.subject_id, facts.is_ranked, facts.latency_source) == (
        "human:anna",
        False,
        "measured",
    )
    shards = plan_asks(release, [subject], StreamingPolicy(probes=0))
    log = ReplyLog(store.replies, "w")
    results = merge_shards(run_shard(shard, release, log) for shard in shards)
    assert results.replies["latency_us"].to_pylist() == [3_250_000]
    found = {
        (row["question_id"], row["outcome"])
        for row in results.verdicts.to_pylist()
        if row["rule_set"] == "paper"
    }
    # 3.25 s are within the window of 5 s; the other question nobody answered.
    assert found == {("question-p1", "correct"), ("question-p2", "not_asked")}


def test_a_recording_ends_where_the_question_is_due(anna: Reviewer, tmp_path: Path) -> None:
    target = tmp_path / "cut.mp4"
    cut_until(FOOTAGE, 4_000_000, target)
    wanted = [one.pts_us for one in decoded_frames(FOOTAGE) if one.pts_us <= 4_000_000]
    assert [one.pts_us for one in decoded_frames(target)] == wanted
    served = anna.client.get(f"/until/small/{RECORDING}/4000000.mp4")
    assert served.status_code == 200
    assert len(served.content) < FOOTAGE.stat().st_size / 2
    assert anna.client.get("/until/small/none/4000000.mp4").status_code == 404


def test_a_cut_that_many_ask_for_at_once_is_whole(anna: Reviewer) -> None:
    # A player asks for parts of a file, and a reload asks again before the first cut is done.
    address = f"/until/small/{RECORDING}/9000000.mp4"
    with ThreadPoolExecutor(6) as askers:
        answers = [*askers.map(anna.client.get, [address] * 6)]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1

"""The review store: rows are only added, conflicts are told, replays add nothing twice."""

import json
import sqlite3
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthand.core.errors import DataFileError
from firsthand.curation.double_review import ReviewDemand
from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.curation.revisions import EditError
from firsthand.store import TABLES, table_from_rows
from firsthand.store.decision_lines import decision_from_json, decision_to_json
from firsthand.store.reviews import ReviewConflictError, ReviewStore, read_decisions

DIGEST = "ab" * 32
ACCEPT = ReviewDecision("draft", "d1", 0, DIGEST, "r1", DecisionKind.ACCEPT, "", 2.0)
REJECT = replace(ACCEPT, decision=DecisionKind.REJECT)
EDIT = replace(ACCEPT, decision=DecisionKind.EDIT, reviewer="r2", edit={"text": "Where?"})
LINE: dict[str, Any] = {**decision_to_json(ACCEPT), "reason": "line one\u2028line two\u0085x"}


@pytest.fixture
def store(tmp_path: Path) -> ReviewStore:
    return ReviewStore.open(tmp_path / "reviews.sqlite", time.time)


def test_decisions_come_back_in_order_of_arrival(store: ReviewStore) -> None:
    for decision in (ACCEPT, REJECT, EDIT):
        store.submit(decision, expected_revision=0)
    again = ReviewStore.open(store.path)
    assert again.decisions() == [ACCEPT, REJECT, EDIT]
    assert [row.sequence for row in again.rows()] == [1, 2, 3]


def test_a_decision_keeps_the_time_of_day_of_its_first_arrival(tmp_path: Path) -> None:
    ticks = iter((1_800_000_000.25, 1_800_000_060.0))
    store = ReviewStore.open(tmp_path / "timed.sqlite", lambda: next(ticks))
    for decision in (ACCEPT, ACCEPT, REJECT):
        store.submit(decision, expected_revision=0)
    again = ReviewStore.open(store.path).decisions()
    assert [one.decided_utc_us for one in again] == [1_800_000_000_250_000, 1_800_000_060_000_000]
    assert again == [ACCEPT, REJECT]


def test_a_decision_is_not_recorded_without_its_time(tmp_path: Path) -> None:
    timeless = ReviewStore.open(tmp_path / "timeless.sqlite")
    with pytest.raises(ValueError, match="with a clock"):
        timeless.submit(ACCEPT, expected_revision=0)
    assert timeless.rows() == []


def test_a_row_from_before_times_were_noted_stays_readable(store: ReviewStore) -> None:
    old = json.dumps(LINE)
    assert "decided_utc_us" not in old
    with sqlite3.connect(store.path) as connection:
        connection.execute(
            "INSERT INTO decisions (review_id, item_kind, item_id, decision) VALUES (?, ?, ?, ?)",
            (DIGEST, "draft", "d1", old),
        )
    (row,) = ReviewStore.open(store.path, lambda: 1.0).rows()
    assert row.decision.decided_utc_us is None
    (exported,) = store.export_rows({("draft", "d1"): "P1"})
    assert table_from_rows(TABLES["reviews"], [exported])["decided_utc_us"].to_pylist() == [None]


def test_the_times_of_a_file_of_decisions_are_those_that_it_gives(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    timed = {**LINE, "item_id": "d2", "decided_utc_us": 1_700_000_000_000_000}
    path.write_text(f"{json.dumps(LINE)}\n{json.dumps(timed)}\n")
    store = ReviewStore.open(tmp_path / "replayed.sqlite", lambda: 1.0)
    assert store.replay(read_decisions(path)) == 2
    assert [one.decided_utc_us for one in store.decisions()] == [None, 1_700_000_000_000_000]
    assert store.replay(read_decisions(path)) == 0


def test_the_same_decision_twice_is_one_row(store: ReviewStore) -> None:
    first = store.submit(ACCEPT, expected_revision=0)
    assert store.submit(ACCEPT, expected_revision=0) == first
    assert len(store.rows()) == 1


def test_a_reviewer_may_come_back_to_an_earlier_decision(store: ReviewStore) -> None:
    for decision in (ACCEPT, REJECT, ACCEPT):
        store.submit(decision, expected_revision=0)
    assert store.decisions() == [ACCEPT, REJECT, ACCEPT]
    assert len({row.review_id for row in store.rows()}) == 3


def test_who_decides_on_what_another_has_edited_is_told_what_changed(store: ReviewStore) -> None:
    store.submit(EDIT, expected_revision=0)
    with pytest.raises(ReviewConflictError, match="revision 1, in which r2 changed text"):
        store.submit(ACCEPT, expected_revision=0)
    assert store.decisions() == [EDIT]


def test_a_decision_on_another_revision_than_expected_is_refused(store: ReviewStore) -> None:
    with pytest.raises(ReviewConflictError, match="revision 1"):
        store.submit(ACCEPT, expected_revision=1)
    assert store.rows() == []


def test_an_edit_of_a_field_that_does_not_exist_is_refused_and_stands_in_nobodys_way(
    store: ReviewStore,
) -> None:
    odd = replace(EDIT, edit={"txt": "Where?"})
    with pytest.raises(EditError, match="'txt'"):
        store.submit(odd, expected_revision=0)
    with pytest.raises(EditError):
        store.replay([ACCEPT, odd])
    assert store.decisions() == []


@pytest.mark.parametrize(
    ("kind", "allowed"),
    [("narration", "narrations"), ("judgement", "grade"), ("human_answer", "answer")],
)
def test_what_a_kind_is_asked_for_is_all_that_an_edit_of_it_may_name(
    store: ReviewStore, kind: str, allowed: str
) -> None:
    with pytest.raises(EditError, match=f"one or more of {allowed}, found"):
        store.submit(replace(EDIT, item_kind=kind), expected_revision=0)


def test_of_two_who_edit_at_once_one_is_told(store: ReviewStore) -> None:
    told: list[str] = []
    both_ready = threading.Barrier(2)

    def edit(reviewer: str) -> None:
        both_ready.wait()
        try:
            store.submit(replace(EDIT, reviewer=reviewer), expected_revision=0)
        except ReviewConflictError as error:
            told.append(str(error))

    threads = [threading.Thread(target=edit, args=(name,)) for name in ("r1", "r2")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.rows()) == 1
    assert len(told) == 1


@pytest.mark.parametrize(
    "statement", ["UPDATE decisions SET decision = '{}'", "DELETE FROM decisions"]
)
def test_rows_can_be_neither_changed_nor_taken_away(store: ReviewStore, statement: str) -> None:
    store.submit(ACCEPT, expected_revision=0)
    connection = sqlite3.connect(store.path)
    with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
        connection.execute(statement)
    connection.close()
    assert store.decisions() == [ACCEPT]


@settings(max_examples=20)
@given(kinds=st.lists(st.sampled_from([ACCEPT, REJECT]), max_size=6), cut=st.integers(0, 6))
def test_replaying_a_file_whole_or_in_parts_gives_its_rows_once(
    kinds: list[ReviewDecision], cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    store = ReviewStore.open(tmp_path_factory.mktemp("reviews") / "reviews.sqlite", time.time)
    store.replay(kinds[:cut])
    store.replay(kinds)
    assert store.decisions() == kinds
    assert store.replay(kinds) == 0


def test_a_replay_that_meets_a_conflict_adds_nothing(store: ReviewStore) -> None:
    store.submit(EDIT, expected_revision=0)
    other = replace(ACCEPT, item_id="d2")
    with pytest.raises(ReviewConflictError):
        store.replay([other, ACCEPT])
    assert store.decisions() == [EDIT]


def test_exported_rows_fit_the_table_and_name_the_participant(store: ReviewStore) -> None:
    for decision in (ACCEPT, replace(ACCEPT, item_id="d9"), EDIT):
        store.submit(decision, expected_revision=0)
    rows = list(store.export_rows({("draft", "d1"): "p1"}))
    table = table_from_rows(TABLES["reviews"], rows)
    assert set(table.column("participant_id").to_pylist()) == {"p1"}
    assert sorted(str(edit) for edit in table.column("edit").to_pylist()) == [
        "None",
        '{"text":"Where?"}',
    ]


def test_a_file_that_is_no_review_store_is_named(tmp_path: Path) -> None:
    path = tmp_path / "reviews.sqlite"
    path.write_bytes(b"something else entirely" * 100)
    with pytest.raises(DataFileError, match=r"reviews\.sqlite"):
        ReviewStore.open(path)


def test_lines_are_read_with_mark_carriage_returns_and_odd_separators(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    line = json.dumps(LINE, ensure_ascii=False)
    path.write_bytes(f"\ufeff{line}\r\n\r\n{line}\r\n".encode())
    found = list(read_decisions(path))
    assert [decision.reason for decision in found] == ["line one\u2028line two\u0085x"] * 2


def test_a_decision_comes_back_from_its_line() -> None:
    for decision in (ACCEPT, EDIT):
        assert decision_from_json(decision_to_json(decision)) == decision


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"revision": -1}, "revision"),
        ({"revision": True}, "revision"),
        ({"revision": "0"}, "revision"),
        ({"item_kind": "question"}, "item_kind"),
        ({"item_id": ""}, "item_id"),
        ({"decision": "ok"}, "decision"),
        ({"content_digest": "abc"}, "content_digest"),
        ({"seconds_spent": "2"}, "seconds_spent"),
        ({"seconds_spent": -1}, "seconds_spent"),
        ({"reviewer": None}, "reviewer"),
        ({"edit": ["text"]}, "edit"),
        ({"edit": {"text": "x"}}, "edit"),
        ({"decision": "edit"}, "edit"),
        ({"remark": "x"}, "remark"),
    ],
)
def test_a_field_that_is_wrong_is_named_with_its_line(
    tmp_path: Path, change: dict[str, Any], field: str
) -> None:
    path = tmp_path / "decisions.jsonl"
    good = json.dumps(LINE)
    path.write_text(f"{good}\n{json.dumps({**LINE, **change})}\n", encoding="utf-8")
    with pytest.raises(DataFileError, match=rf"decisions\.jsonl, line 2, field '{field}'"):
        list(read_decisions(path))


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        '{"item_kind": "dra',
        '{"item_kind": "draft"}{"item_kind": "draft"}',
        '{"revision": 0, "revision": 1}',
        '{"seconds_spent": NaN}',
        json.dumps({name: value for name, value in LINE.items() if name != "reviewer"}),
    ],
    ids=["no object", "torn", "two objects", "field twice", "no number", "field missing"],
)
def test_a_line_that_is_no_whole_decision_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "decisions.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(DataFileError, match="line 1"):
        list(read_decisions(path))


def test_a_file_in_another_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    path.write_bytes("原因".encode("gbk"))
    with pytest.raises(DataFileError, match="UTF-8"):
        list(read_decisions(path))


def test_an_edit_and_its_acceptance_are_recorded_together_or_not_at_all(
    store: ReviewStore,
) -> None:
    accepted = replace(ACCEPT, revision=1, content_digest="cd" * 32, reviewer="r2")
    row = store.submit(EDIT, accepted, expected_revision=0, expected_last=0)
    assert (row.sequence, row.decision) == (2, accepted)
    assert store.submit(EDIT, accepted, expected_revision=0, expected_last=0) == row
    with pytest.raises(ReviewConflictError):
        store.submit(EDIT, replace(accepted, reviewer="r3"), expected_revision=0)
    assert store.decisions() == [EDIT, accepted]


def test_who_has_not_seen_the_last_decision_is_told_of_it(store: ReviewStore) -> None:
    first = store.submit(REJECT, expected_revision=0, expected_last=0)
    late = replace(ACCEPT, reviewer="r2")
    with pytest.raises(ReviewConflictError, match="reject by r1, recorded since"):
        store.submit(late, expected_revision=0, expected_last=0)
    store.submit(late, expected_revision=0, expected_last=first.sequence)
    assert [row.decision for row in store.rows_after(first.sequence)] == [late]


BLIND = ReviewDemand(1.0)


def test_annotators_decide_without_seeing_each_others_edits(store: ReviewStore) -> None:
    store.submit(EDIT, expected_revision=0, expected_last=0, blind=True)
    store.submit(ACCEPT, expected_revision=0, expected_last=0, blind=True)
    assert store.decisions() == [EDIT, ACCEPT]


def test_a_third_who_thought_to_be_an_annotator_is_told_what_both_did(store: ReviewStore) -> None:
    for name in ("r2", "r3"):
        decision = replace(ACCEPT, reviewer=name)
        store.submit(decision, expected_revision=0, expected_last=0, blind=True)
    with pytest.raises(ReviewConflictError, match="accept by r3, recorded since"):
        store.submit(ACCEPT, expected_revision=0, expected_last=0, blind=True)


def test_decisions_of_a_double_review_replay_into_another_store(
    store: ReviewStore, tmp_path: Path
) -> None:
    adjudication = replace(ACCEPT, revision=1, content_digest="cd" * 32, reviewer="r3")
    made = [EDIT, ACCEPT, adjudication]
    assert store.replay(made, BLIND) == 3
    assert store.replay(made, BLIND) == 0
    plain = ReviewStore.open(tmp_path / "plain.sqlite")
    with pytest.raises(ReviewConflictError):
        plain.replay(made)

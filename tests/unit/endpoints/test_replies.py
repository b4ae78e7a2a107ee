"""Replies are stored once, durably, and never mistaken for failures."""

import json
import multiprocessing
import os
from dataclasses import replace
from pathlib import Path

import pytest

from firsthand.endpoints.replies import (
    Reply,
    ReplyIdentity,
    ReplyLog,
    ReplyMissingError,
    ReplyOwner,
    UnstorableReplyError,
    erase_participant,
    reply_rows,
)
from firsthand.store.table import table_from_rows
from firsthand.store.tables import TABLES

CASES = Path(__file__).parents[2] / "cases"
OWNER = ReplyOwner("p1", "subject")
REPLY = Reply("B", "stop", 1_500_000, "measured", 12, 1, 0.001)


def test_a_stored_reply_is_found_by_a_later_process_under_another_name(tmp_path: Path) -> None:
    ReplyLog(tmp_path, "first").put("k1", REPLY, OWNER)
    later = ReplyLog(tmp_path, "second")
    assert later.get("k1") == REPLY
    assert later.owner("k1") == OWNER
    assert later.get("k2") is None


def test_the_disk_is_waited_for_when_that_is_cheap_beside_the_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[int] = []
    monkeypatch.setattr(os, "fsync", waits.append)
    now_s = 0.0
    log = ReplyLog(tmp_path, "w", lambda: now_s)
    quick = replace(REPLY, latency_us=2_000)
    declared = replace(REPLY, latency_source="declared")
    for number, (now_s, reply, is_waited_for) in enumerate(
        [
            (0.00, quick, True),
            (0.05, quick, False),
            (0.06, declared, False),
            (0.07, REPLY, True),
            (0.10, quick, False),
            (0.18, declared, True),
            (0.19, quick, False),
        ]
    ):
        before = len(waits)
        log.put(f"k{number}", reply, OWNER)
        assert len(waits) - before == is_waited_for, now_s
    log.settle()
    log.settle()
    assert len(waits) == 4
    assert len(ReplyLog(tmp_path, "other")) == 7


def test_a_worker_takes_up_what_another_stored_since(tmp_path: Path) -> None:
    one, two = ReplyLog(tmp_path, "one"), ReplyLog(tmp_path, "two")
    two.put("k", REPLY, OWNER)
    assert "k" not in one
    one.refresh()
    assert one.get("k") == REPLY


def test_text_with_line_separators_and_chinese_returns_unchanged(tmp_path: Path) -> None:
    odd = replace(REPLY, text="红色\u2028杯子\u0085{}\n\"}{\" 'A'")
    ReplyLog(tmp_path, "w").put("k", odd, OWNER)
    assert ReplyLog(tmp_path, "w").get("k") == odd


def stored_like(case_line: str) -> str:
    """The case's record, in the fields of our logs."""
    record = json.loads(case_line)
    fields = {"reply_key": record["key"], "text": record["response"], "latency_us": 1}
    return json.dumps(fields | {"finish": record.get("finish"), "latency_source": "measured"})


def test_failures_in_a_log_are_asked_again_and_a_cut_reply_is_kept(tmp_path: Path) -> None:
    lines = (CASES / "51-cached-failure-replayed" / "cache.jsonl").read_text().splitlines()
    (tmp_path / "old.jsonl").write_text("\n".join(map(stored_like, lines)) + "\n")
    log = ReplyLog(tmp_path, "w")
    assert list(log) == ["k1", "k5"]
    cut = log.get("k5")
    assert cut is not None
    assert cut.finish == "length"


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_reply_is_refused_as_a_failure(tmp_path: Path, text: str) -> None:
    log = ReplyLog(tmp_path, "w")
    with pytest.raises(UnstorableReplyError):
        log.put("k", replace(REPLY, text=text), OWNER)
    log.put("k", replace(REPLY, text=text, finish="length"), OWNER)
    assert "k" in log


def test_torn_glued_and_repeated_lines_lose_nothing_whole(tmp_path: Path) -> None:
    def in_our_fields(text: str) -> str:
        text = text.replace('"id":', '"participant_id":"p","subject_id":"s","reply_key":')
        for flag in ("true", "false"):
            ours = f'"text":"{flag}","finish":"stop","latency_us":1,"latency_source":"measured"'
            text = text.replace(f'"correct":{flag}', ours)
        return text

    torn = (CASES / "52-torn-result-lines" / "results.jsonl").read_text()
    (tmp_path / "w.jsonl").write_text(in_our_fields(torn))
    log = ReplyLog(tmp_path, "w")
    assert list(log) == ["q1", "q2", "q3", "q5", "q6"]
    latest = log.get("q2")
    assert latest is not None
    assert latest.text == "true"
    assert log.torn_lines == 1

    log.put("q4", REPLY, OWNER)
    again = ReplyLog(tmp_path, "w")
    assert list(again) == ["q1", "q2", "q3", "q4", "q5", "q6"]
    assert again.get("q4") == REPLY
    assert again.torn_lines == 1


def test_a_line_cut_inside_a_character_is_torn_not_fatal(tmp_path: Path) -> None:
    ReplyLog(tmp_path, "w").put("k", replace(REPLY, text="红"), OWNER)
    path = tmp_path / "w.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.index("红".encode()) + 1])
    log = ReplyLog(tmp_path, "w")
    assert (len(log), log.torn_lines) == (0, 1)


def _store_many(folder: Path, worker: str) -> None:
    log = ReplyLog(folder, worker)
    for number in range(20):
        log.put(f"{worker}-{number}", REPLY, OWNER)


def test_two_processes_store_side_by_side(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_store_many, args=(tmp_path, name)) for name in ("a", "b")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(ReplyLog(tmp_path, "c")) == 40


def test_compaction_gives_rows_of_the_declared_table(tmp_path: Path) -> None:
    log = ReplyLog(tmp_path, "w")
    log.put("k1", REPLY, OWNER)
    log.put("k2", Reply("A", "stop", 1, "declared"), OWNER)
    rows = table_from_rows(TABLES["replies"], reply_rows(log, ["k2", "k1", "k1"], run_id="run"))
    assert rows.column("text").to_pylist() == ["B", "A"]
    assert rows.column("cost_usd").to_pylist() == [0.001, None]
    with pytest.raises(ReplyMissingError):
        list(reply_rows(log, ["k3"], run_id="run"))


def test_withdrawal_erases_a_participants_replies_and_torn_remains(tmp_path: Path) -> None:
    folder = tmp_path / "replies"
    log = ReplyLog(folder, "w")
    log.put("mine", REPLY, OWNER)
    log.put("theirs", REPLY, ReplyOwner("p2", "subject"))
    with (folder / "w.jsonl").open("a") as file:
        file.write('{"participant_id":"p1","text":"half of')
    assert erase_participant(folder, "p1", tmp_path / "scratch") == 1
    assert list(ReplyLog(folder, "w")) == ["theirs"]
    assert "half of" not in (folder / "w.jsonl").read_text()
    assert ReplyLog(folder, "w").torn_lines == 0


@pytest.mark.parametrize(
    "change",
    [
        {"subject_id": "other"},
        {"subject_revision": "2"},
        {"prompt": "Why?"},
        {"media": ("digest",)},
        {"history": ("turn",)},
        {"arguments": {"max_tokens": 8}},
        {"sample_index": 1},
    ],
)
def test_every_part_of_what_was_asked_is_part_of_the_key(change: dict) -> None:
    asked = ReplyIdentity("subject", "1", "What?")
    assert replace(asked, **change).key != asked.key
    assert replace(asked).key == asked.key


def test_a_log_that_a_withdrawal_replaced_is_read_anew(tmp_path: Path) -> None:
    writer, reader = ReplyLog(tmp_path / "log", "w"), ReplyLog(tmp_path / "log", "r")
    writer.put("gone", REPLY, ReplyOwner("p2", "subject"))
    writer.put("kept", REPLY, OWNER)
    reader.refresh()
    (tmp_path / "scratch").mkdir()
    assert erase_participant(tmp_path / "log", "p2", tmp_path / "scratch") == 1
    # Until it looks again, the reader has nothing rather than something else.
    assert reader.get("gone") is None
    reader.refresh()
    assert list(reader) == ["kept"]
    assert reader.get("kept") == REPLY

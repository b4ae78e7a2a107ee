"""A model drafts through its stage: every fault keeps its reason, every stored reply its price."""

import json
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from firsthand.drafting import draft_by_rules
from firsthand.endpoints.errors import BudgetExceededError
from tasks.job import Job
from tasks.table_owners import TABLES_OF_STAGE
from tests.unit.drafting.proposals import SOUND, reply
from tests.unit.drafting.stream import material
from tests.unit.endpoints.chat_server import ChatServer, Planned, says
from tests.unit.tasks.drafting_job import drafted, drafting_job, table

ROOT = Path(__file__).parents[3]


def change_spec(job: Job, **changes: object) -> None:
    """Write keys of the benchmark's file anew."""
    spec = yaml.safe_load(job.spec_path.read_text("utf-8")) | changes
    text = yaml.safe_dump(spec).replace("'2026-05-01'", "2026-05-01")
    job.spec_path.write_text(text, encoding="utf-8")


def killed_at(chat: ChatServer, folder: Path, *, requests: int) -> None:
    """Run the stage in a process of its own, and kill it at so many requests."""
    command = [sys.executable, "-m", "tests.unit.tasks.drafting_job", str(folder)]
    child = subprocess.Popen(command, cwd=ROOT)
    deadline = time.monotonic() + 300
    while len(chat.requests) < requests:
        assert child.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)
    child.send_signal(signal.SIGKILL)
    assert child.wait(30) == -signal.SIGKILL


def test_malformed_cut_doubled_and_leaking_drafts_are_each_rejected_for_their_reason(
    chat: ChatServer, tmp_path: Path
) -> None:
    malformed = SOUND | {"right": "tea pot"}
    twin = SOUND | {"text": "On day 1, what did the wearer first pick up?"}
    leaking = SOUND | {"text": "On day 1, which tea pot does the wearer pick up?"}
    timed = SOUND | {"text": "What does the wearer pick up at 0:03?", "right": ["pan"]}
    far = SOUND | {"evidence_s": [[70, 75]]}
    chat.plan = [
        says(reply(SOUND, malformed, SOUND, twin, leaking, timed, far)),
        says("Here are your questions:"),
        says(reply(SOUND)[:40], finish="length"),
        says(reply()),
    ]
    job = drafting_job(tmp_path, chat.url)
    receipt = drafted(job)
    drafts = {row["text"]: row["rejected_by"] for row in table(job, receipt, "drafts")}
    assert drafts == {
        SOUND["text"]: [],
        twin["text"]: ["near_duplicate"],
        leaking["text"]: ["answer_given_away"],
        timed["text"]: ["time_given_away"],
    }
    refused = table(job, receipt, "refused_drafts")
    assert Counter((row["position"], row["reason"]) for row in refused) == Counter(
        {
            (2, "options_unreadable"): 1,
            (3, "repeated"): 1,
            (7, "evidence_outside_window"): 1,
            (0, "not_json"): 1,
            (0, "cut_by_length"): 1,
            (0, "no_questions"): 1,
        }
    )
    assert len({row["reply_key"] for row in refused}) == 4
    assert {row["drafter"] for row in refused} == {"litellm:openai/drafter"}
    assert receipt.values["proposals_refused"] == 6
    written = {(part.table, part.zone) for part in receipt.parts}
    assert written == set(TABLES_OF_STAGE["draft"])


def test_rules_draft_through_the_stage_without_a_call(chat: ChatServer, tmp_path: Path) -> None:
    job = drafting_job(tmp_path, chat.url)
    spec = job.spec_path.read_text("utf-8").replace("drafter: litellm", "drafter: rules")
    job.spec_path.write_text(spec, encoding="utf-8")
    receipt = drafted(job)
    # What the rules make of this stream is held in the tests of the drafting room.
    expected = draft_by_rules(replace(material(), participant_id="P1", stream_id="P1.stream"))
    assert {row["draft_id"] for row in table(job, receipt, "drafts")} == {
        draft.draft_id for draft in expected
    }
    assert table(job, receipt, "refused_drafts") == []
    assert chat.requests == []


def test_a_finished_stage_and_a_changed_check_ask_nobody_again(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.plan = [says(reply(SOUND))]
    job = drafting_job(tmp_path, chat.url)
    first = drafted(job)
    assert drafted(job) == first
    assert len(chat.requests) == 4
    # The receipt is gone, as after a new version of the step; the replies are not.
    job.store.receipt("draft", first.key).unlink()
    assert drafted(job).digest == first.digest
    assert len(chat.requests) == 4


def test_a_budget_stops_the_stage_and_more_of_it_goes_on(chat: ChatServer, tmp_path: Path) -> None:
    chat.plan = [says(reply(SOUND), tokens=(1000, 1000))]
    job = drafting_job(tmp_path, chat.url, most_calls=3)
    with pytest.raises(BudgetExceededError):
        drafted(job)
    assert len(chat.requests) == 3
    spec = job.spec_path.read_text("utf-8").replace("most_calls: 3", "most_calls: 9")
    job.spec_path.write_text(spec, encoding="utf-8")
    drafted(job)
    assert len(chat.requests) == 4


def test_a_killed_stage_goes_on_without_a_second_call_for_a_stored_reply(
    chat: ChatServer, tmp_path: Path
) -> None:
    job = drafting_job(tmp_path, chat.url)
    release = threading.Event()
    answered = says(reply(SOUND))

    def slow_third(_: Any) -> Planned:
        if len(chat.requests) == 3:
            release.wait(60)
        return answered

    chat.answering = slow_third
    killed_at(chat, tmp_path, requests=3)
    release.set()
    receipt = drafted(job)
    asked = Counter(json.dumps(request["messages"]) for request in chat.requests)
    # Four recordings: two replies were stored, the third call was cut off and made again.
    assert sorted(asked.values()) == [1, 1, 1, 2]
    assert [row["rejected_by"] for row in table(job, receipt, "drafts")] == [[]]


def test_a_draft_that_is_answered_blind_is_rejected_in_the_stage(
    chat: ChatServer, tmp_path: Path
) -> None:
    job = drafting_job(tmp_path, chat.url)
    change_spec(job, draft_probe={"model": "openai/prober", "revision": "1", "base_url": chat.url})

    def by_model(request: Any) -> Planned:
        return says(reply(SOUND) if request["model"] == "drafter" else _right_letter(request))

    chat.answering = by_model
    receipt = drafted(job)
    assert [row["rejected_by"] for row in table(job, receipt, "drafts")] == [["shortcut"]]
    assert Counter(request["model"] for request in chat.requests) == {"drafter": 4, "prober": 5}


def _right_letter(request: Any) -> str:
    lines = request["messages"][1]["content"].splitlines()
    return next((line[0] for line in lines if line.endswith(". tea pot")), "unknown")


def test_a_stage_killed_while_drafts_are_probed_asks_no_stored_reply_again(
    chat: ChatServer, tmp_path: Path
) -> None:
    job = drafting_job(tmp_path, chat.url)
    change_spec(job, draft_probe={"model": "openai/prober", "revision": "1", "base_url": chat.url})
    release = threading.Event()

    def by_model(request: Any) -> Planned:
        if len(chat.requests) == 6:
            release.wait(60)
        return says(reply(SOUND) if request["model"] == "drafter" else _right_letter(request))

    chat.answering = by_model
    killed_at(chat, tmp_path, requests=6)
    release.set()
    receipt = drafted(job)
    # Four drafting replies and the first blind one were stored; the second was cut off. The
    # blind asks are alike in words, so they are told apart by how many there were.
    assert Counter(request["model"] for request in chat.requests) == {"drafter": 4, "prober": 6}
    assert [row["rejected_by"] for row in table(job, receipt, "drafts")] == [["shortcut"]]


def test_quotas_of_the_benchmark_file_reach_the_model(chat: ChatServer, tmp_path: Path) -> None:
    quotas = {
        "window_s": 60,
        "per_window": 2,
        "subcategories": {"Entity Tracking": 1},
        "types": {"binary": 3, "mc_single": 1},
    }
    job = drafting_job(tmp_path, chat.url, plan="windows", quotas=quotas)
    chat.plan = [says(reply(SOUND))]
    receipt = drafted(job)
    # 80 s of stream are two windows of a minute.
    asked = [request["messages"][1]["content"] for request in chat.requests]
    slots = [line for text in asked for line in text.splitlines() if ". subcategory" in line]
    kinds = ["binary", "binary", "mc_single", "binary"]
    assert [line.split(", with")[0] for line in slots] == [
        f"{1 + number % 2}. subcategory Entity Tracking, type {kind}"
        for number, kind in enumerate(kinds)
    ]
    refused = table(job, receipt, "refused_drafts")
    assert [row["reason"] for row in refused] == ["over_quota", "evidence_outside_window"]


def test_clue_questions_need_several_places_of_the_stream(chat: ChatServer, tmp_path: Path) -> None:
    clue = SOUND | {
        "type": "open_ended",
        "subcategory": "Long-term Memory",
        "text": "Over all days, what does the wearer pick up both times before a walk?",
        "wrong": [],
    }
    apart = clue | {"evidence_s": [[0.4, 3.4], [20.4, 27.4]]}
    chat.plan = [says(reply(clue, apart))]
    quotas = {"types": {"open_ended": 1}, "subcategories": {"Long-term Memory": 1}}
    job = drafting_job(tmp_path, chat.url, plan="clues", quotas=quotas)
    receipt = drafted(job)
    assert "at least 2 stretches" in chat.requests[0]["messages"][1]["content"]
    (draft,) = table(job, receipt, "drafts")
    assert [part["begin_us"] for part in draft["evidence"]] == [0, 20_000_000]
    refused = [(r["position"], r["reason"]) for r in table(job, receipt, "refused_drafts")]
    assert refused == [(1, "too_few_clues")]


def test_windows_ask_for_quotas_and_refuse_what_nobody_asked_for(
    chat: ChatServer, tmp_path: Path
) -> None:
    job = drafting_job(tmp_path, chat.url, plan="windows")
    wanted = SOUND | {"subcategory": "Short-term Memory"}
    second = wanted | {"text": "On day 1, what does the wearer pick up at the stove?"}
    strange = wanted | {"subcategory": "Ultra-long Memory", "text": "On day 1, what comes last?"}
    chat.plan = [says(reply(wanted, second, strange))]
    receipt = drafted(job)
    # The stream lasts 80 s: one window, and too short for questions of the whole.
    assert len(chat.requests) == 1
    asked = chat.requests[0]["messages"][1]["content"]
    assert "1. subcategory Short-term Memory, type mc_single, with evidence in 0 to 13" in asked
    assert "[0-4] day 1, narrator: The wearer picks up the tea pot." in asked
    assert [row["text"] for row in table(job, receipt, "drafts")] == [wanted["text"]]
    refused = [(r["position"], r["reason"]) for r in table(job, receipt, "refused_drafts")]
    assert refused == [(2, "over_quota"), (3, "over_quota")]

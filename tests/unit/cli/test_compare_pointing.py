"""`firsthand runs compare` over two runs about pointing: paired by clip, cell by cell.

The workshop has two clips, one with two referents and one with one. The model is right but for
the second referent of clip wa, where it names a point outside the mask.
"""

from typing import Any

import pytest

from firsthand.endpoints import ReplyLog
from firsthand.protocols import GroundingPolicy, InputStack
from firsthand.store import Store
from firsthand.subjects import (
    PROTOCOLS,
    ResultTables,
    SubjectConfiguration,
    merge_shards,
)
from tests.unit.cli.invoking import command, scores
from tests.unit.cli.kept_runs import keep_run
from tests.unit.endpoints.chat_server import ChatServer, Planned, fails
from tests.unit.subjects.endpoints import configured, patient
from tests.unit.subjects.test_grounding import (
    HAMMER,
    LOOKS,
    SHELF,
    SQUARE,
    answering,
    baseline,
    prompt_of,
)
from tests.unit.subjects.workshop import seeing, workshop

TEXT, FILM = InputStack.FRAMES_TEXT, InputStack.VIDEO_OMNI
GRID = GroundingPolicy((TEXT, FILM), (2.0,), TEXT)
CELL = "frames_text-2fps"
ALMOST = answering(
    {
        "wa": [(HAMMER, (592, 472), 1500), (SHELF, (900, 900), 3500)],
        "wb": [(SQUARE, (125, 94), 2200)],
    }
)
"""Right, but for the shelf: [900, 900] lies outside its mask."""


def evaluate(store: Store, subject: SubjectConfiguration) -> str:
    """Run a subject over the workshop and commit its tables; return the run's identifier."""
    protocol, release = PROTOCOLS["grounding"], workshop()
    log = ReplyLog(store.replies, "w")
    shards, parts = protocol.plan(release, [subject], GRID), []
    for shard in shards:
        asked = protocol.ask(shard, release, log, seeing(calling=patient()))
        read = protocol.read(shard, release, asked)
        scored = protocol.score(shard, release, asked, read)
        parts.append(ResultTables(asked.asks, asked.replies, read, scored.verdicts, scored.probes))
    results = merge_shards(parts)
    return keep_run(store, release.release_id, shards, results)


def differences(store: Store, one: str, other: str, *more: str) -> dict[str, Any]:
    report = scores(store, "compare", one, other, *more)["report"]
    return {row["metric"]: row for row in report["differences"]}


def test_a_run_about_clips_is_shown_cell_by_cell(chat: ChatServer, store: Store) -> None:
    chat.answering = ALMOST
    run = evaluate(store, configured(chat, receives=LOOKS))
    shown = scores(store, "show", run)
    # Clip wa half right, clip wb right; two of three referents; one of two clips.
    by_clip, by_referent, whole = (
        shown[f"{name}, {CELL}"]
        for name in ("acc_eco clip_mean", "acc_eco per_referent", "acc_seq clip_mean")
    )
    assert (by_clip["value"], by_clip["n"], by_clip["clusters"]) == (75.0, 2, 2)
    assert by_clip["outcomes"] == {"correct": 1, "partial": 1}
    assert by_referent["value"] == pytest.approx(200 / 3)
    assert (by_referent["n"], by_referent["clusters"]) == (3, 2)
    assert (whole["value"], whole["n"]) == (50.0, 2)
    # The model takes no films: what was never put has no score.
    assert not [name for name in shown if "video_omni" in name]
    assert f"acc_eco clip_mean, {CELL}" in scores(store, "show", run, "--only-given")


def test_two_subjects_are_compared_on_each_clip(chat: ChatServer, store: Store) -> None:
    chat.answering = ALMOST
    model = evaluate(store, configured(chat, receives=LOOKS))
    oracle = evaluate(store, baseline("oracle"))
    found = differences(store, oracle, model)
    by_clip, by_referent = (
        found[f"acc_eco {name}, {CELL}"] for name in ("clip_mean", "per_referent")
    )
    assert (by_clip["difference"], by_clip["n"], by_clip["clusters"]) == (25.0, 2, 2)
    # Of the four ways in which two clips' differences can have their signs, two are as large
    # where one of them is 0: all of them.
    assert by_clip["p_value"] == 1.0
    assert by_referent["difference"] == pytest.approx(100 / 3)
    assert (by_referent["n"], by_referent["clusters"]) == (3, 2)
    assert by_clip["low"] <= 25.0 <= by_clip["high"]
    back = differences(store, model, oracle)
    assert back[f"acc_eco clip_mean, {CELL}"]["difference"] == -25.0
    assert not [name for name in found if "video_omni" in name]
    assert f"acc_eco clip_mean, {CELL} less model: +25.00 %" in command(
        store, "runs", "compare", oracle, model
    )


def test_a_lost_clip_counts_as_wrong_under_paper_and_is_no_pair_under_official(
    chat: ChatServer, store: Store
) -> None:
    def answer(request: Any) -> Planned:
        return fails(500) if "5900 ms" in prompt_of(request) else ALMOST(request)

    chat.answering = answer
    model = evaluate(store, configured(chat, receives=LOOKS))
    oracle = evaluate(store, baseline("oracle"))
    name = f"acc_eco clip_mean, {CELL}"
    paper = differences(store, oracle, model)[name]
    official = differences(store, oracle, model, "--rules", "official")[name]
    # Clip wb, lost: 1 - 0; clip wa: 1 - 1/2.
    assert (paper["difference"], paper["n"]) == (75.0, 2)
    assert (official["difference"], official["n"]) == (50.0, 1)

"""Lifelong runs over the kitchen: what subjects are given, and what their answers score.

Evidence in seconds: qa1 2-3.2, qa2 6-7.4, qa3 14-15, qa4 14-15 and 2-3, qb1 0-5. Stream `sa`
ends at 23.5 s, `sb` at 10 s; qb2 is due at 40 s, after the end of its stream.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firsthand.core.errors import ConfigurationError
from firsthand.core.outcomes import RuleSet
from firsthand.core.taxonomy import Modality
from firsthand.endpoints import ReplyLog
from firsthand.endpoints.calls import Media
from firsthand.judging import Judgement, JudgeSettings
from firsthand.protocols.lifelong_policy import AskedAt, LifelongPolicy, SampleBudget
from firsthand.subjects import (
    Access,
    BaselineSettings,
    History,
    HistoryKind,
    ResultTables,
    SubjectConfiguration,
    merge_shards,
)
from firsthand.subjects.judged import judgement_rows
from firsthand.subjects.lifelong_asking import ask_lifelong
from firsthand.subjects.lifelong_planning import LifelongShard, plan_lifelong
from firsthand.subjects.lifelong_scoring import (
    judge_lifelong,
    lifelong_open_answers,
    read_lifelong,
    score_lifelong,
)
from firsthand.subjects.subject import SeenPicture, Unit
from tests.unit.endpoints.chat_server import ChatServer, Planned, chat_server, says
from tests.unit.subjects.endpoints import configured, patient, prompt_of, question_of
from tests.unit.subjects.kitchen import Kitchen, S, kitchen

CLUES = {
    "qa1": [(2.0, 3.2)],
    "qa2": [(6.0, 7.4)],
    "qa3": [(14.0, 15.0)],
    "qa4": [(2.0, 3.0), (14.0, 15.0)],
    "qb1": [(0.0, 5.0)],
    "qb2": [(30.0, 39.0)],
}
POLICY = LifelongPolicy(SampleBudget(most_frames=4), ref_bins_s=(1, 300))
ORACLE = SubjectConfiguration("oracle", BaselineSettings("oracle"))
ALL = frozenset({Modality.VIDEO, Modality.SPEECH, Modality.NARRATION})


def clued_kitchen() -> Kitchen:
    evidence = [
        {
            "participant_id": f"p{name[1]}",
            "question_id": name,
            "evidence_index": number,
            "stream_id": f"s{name[1]}",
            "begin_us": round(begin_s * S),
            "end_us": round(end_s * S),
        }
        for name, clues in CLUES.items()
        for number, (begin_s, end_s) in enumerate(clues)
    ]
    return Kitchen({**kitchen().tables, "evidence": evidence})


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        server.answering = lambda _: says(json.dumps({"answer": "A", "intervals": []}))
        yield server


def run(
    folder: Path,
    subject: SubjectConfiguration,
    policy: LifelongPolicy = POLICY,
    size: int = 200,
    **access: Any,
) -> ResultTables:
    release, log = clued_kitchen(), ReplyLog(folder, "w")
    reach = Access(**{"calling": patient(), **access})
    parts = []
    for shard in plan_lifelong(release, [subject], policy, asks_per_shard=size):
        asked = ask_lifelong(shard, release, log, reach)
        readings = read_lifelong(shard, release, asked)
        scored = score_lifelong(shard, release, asked, readings)
        parts.append(
            ResultTables(asked.asks, asked.replies, readings, scored.verdicts, scored.probes)
        )
    return merge_shards(parts)


def scores(result: ResultTables, metric: str, rule_set: str = "paper") -> dict[str, Any]:
    return {
        row["question_id"]: (row["score"], row["outcome"])
        for row in result.verdicts.to_pylist()
        if row["metric"] == metric and row["rule_set"] == rule_set
    }


@pytest.mark.parametrize("rule_set", ["paper", "official"])
def test_the_oracle_is_right_everywhere_and_points_at_every_clue(
    tmp_path: Path, rule_set: str
) -> None:
    result = run(tmp_path, ORACLE)
    answered = ("qa1", "qa2", "qa3", "qa4", "qb1")
    unasked = {"qb2": (0.0, "not_asked")}
    for metric in ("ref@1", "ref@300"):
        expected = dict.fromkeys(answered, (1.0, "correct")) | unasked
        assert scores(result, metric, rule_set) == expected
    closed = {name: (1.0, "correct") for name in answered if name != "qa4"} | unasked
    assert scores(result, "accuracy", rule_set) == closed
    assert result.probes.num_rows == 0


def test_the_oracles_open_answer_is_judged_without_its_clues(tmp_path: Path) -> None:
    release, log = clued_kitchen(), ReplyLog(tmp_path, "w")
    judge = JudgeSettings("openai/judge", "weights-1", "lifelong-0-5")
    shard = plan_lifelong(release, [ORACLE], POLICY)[0]
    asked = ask_lifelong(shard, release, log)
    answers = lifelong_open_answers(shard, release, asked)
    assert [one.answer for one in answers.values()] == ["green"]
    # MM-Lifelong's released judge: 4 and 5 count 1, 3 counts a half, less counts nothing.
    for grade, worth in ((5, 1.0), (4, 1.0), (3, 0.5), (2, 0.0)):
        rows = judgement_rows(shard.run_id, answers, [[Judgement(0, float(grade))]], judge)
        (verdict,) = judge_lifelong(shard, release, asked, rows, judge).to_pylist()
        assert (verdict["metric"], verdict["score"]) == ("open_score", worth)


def test_an_answer_without_clues_is_scored_and_points_nowhere(tmp_path: Path) -> None:
    blind = SubjectConfiguration("blind", BaselineSettings("blind"))
    result = run(tmp_path, blind)
    # Blind affirms qa2, rightly; it names no clue, and its open answer is one that is judged.
    assert scores(result, "accuracy")["qa2"] == (1.0, "correct")
    assert scores(result, "ref@300")["qa2"] == (0.0, "wrong")
    assert scores(result, "ref@300")["qb2"] == (0.0, "not_asked")


def test_no_time_is_too_late(tmp_path: Path) -> None:
    slow = SubjectConfiguration("oracle", BaselineSettings("oracle", latency_us=3_600 * S))
    assert scores(run(tmp_path, slow), "accuracy")["qa1"] == (1.0, "correct")


class _Screens:
    """Pictures that show when they were taken, and sound that says so."""

    def pictures(self, unit: Unit) -> Sequence[SeenPicture]:
        shown = str(unit.end_us).encode()
        return [SeenPicture(unit.end_us, Media("image", "jpeg", shown)) for _ in unit.pictures]

    def sound(self, unit: Unit) -> Media | None:
        spans = ",".join(f"{span.start_us}-{span.end_us}" for span in unit.pictures)
        return Media("audio", "wav", spans.encode())


def seeing(**access: Any) -> dict[str, Any]:
    """Access to pictures, a frame at every half second of a clip."""
    times = [n * S // 2 for n in range(48)]
    return {"media": _Screens(), "frame_times": lambda _: times, **access}


def told(chat: ChatServer, question: str) -> str:
    (prompt,) = (prompt_of(one) for one in chat.requests if question_of(one) == question)
    return prompt.split("It is now")[0]


def test_a_model_is_told_of_the_whole_life_and_asked_for_clues(
    chat: ChatServer, tmp_path: Path
) -> None:
    run(tmp_path, configured(chat, receives=ALL), **seeing())
    mug = told(chat, "Where is the red mug?")
    # 23.5 s in four: 5.875, 11.75, 17.625 (in the second recording) and the end.
    assert "The pictures were seen at 00:00:05, 00:00:11, 00:00:17, 00:00:23." in mug
    assert "kettle" in mug
    assert "A green towel" in mug
    assert "secret" not in mug
    assert '"intervals"' in prompt_of(chat.requests[0])
    assert len(chat.requests) == 5


def test_nothing_later_than_the_question_is_within_reach(chat: ChatServer, tmp_path: Path) -> None:
    due = replace(POLICY, asked_at=AskedAt.DUE)
    result = run(tmp_path, configured(chat, receives=ALL), due, **seeing())
    mug = told(chat, "Where is the red mug?")
    assert "The pictures were seen at 00:00:01, 00:00:02, 00:00:03, 00:00:04." in mug
    assert "The red mug" in mug
    assert "kettle" not in mug
    window = told(chat, "What hangs beside the window?")
    assert "A green towel" in window
    for ask in result.asks.to_pylist():
        for seen_us in (ask["last_frame_us"], ask["last_word_us"]):
            assert seen_us is None or seen_us <= ask["due_us"]
    last_us = {row["question_id"]: row["last_frame_us"] for row in result.asks.to_pylist()}
    # Frames every half second: the last one at or before 4, 8 and, in the second
    # recording that begins at 12 s, 15 s.
    assert [last_us[name] for name in ("qa1", "qa2", "qa3")] == [4 * S, 8 * S, 15 * S]


def test_a_budget_of_tokens_is_kept(chat: ChatServer, tmp_path: Path) -> None:
    # 34 % of 60 tokens are 20.4: ten words at 2 tokens. Of the other 40, two frames at 20.
    budget = SampleBudget(most_tokens=60, tokens_per_frame=20, tokens_per_word=2, words_share=0.34)
    run(tmp_path, configured(chat, receives=ALL), replace(POLICY, budget=budget), **seeing())
    mug = told(chat, "Where is the red mug?")
    assert "The pictures were seen at 00:00:11, 00:00:23." in mug
    # Ten words in two stretches are five each: the kettle's five, no narration of seven.
    assert "kettle" in mug
    assert "mug" not in mug
    assert "towel" not in mug


def test_sound_is_played_of_shown_moments_only(chat: ChatServer, tmp_path: Path) -> None:
    hears = configured(chat, receives=frozenset({Modality.SPEECH}), hears_sound=True)
    run(tmp_path, hears, replace(POLICY, budget=SampleBudget(most_frames=2)), **seeing())
    (request,) = (one for one in chat.requests if question_of(one) == "Where is the red mug?")
    sounds = [part for part in request["messages"][-1]["content"] if part["type"] != "text"]
    # The second before 11.75 s and before 23.5 s.
    assert len(sounds) == 2


def test_asking_again_makes_no_call_and_cuts_change_no_row(
    chat: ChatServer, tmp_path: Path
) -> None:
    subject = configured(chat, receives=ALL)
    whole = run(tmp_path / "whole", subject, **seeing())
    calls = len(chat.requests)
    assert run(tmp_path / "whole", subject, **seeing()).asks == whole.asks
    assert len(chat.requests) == calls
    cut = run(tmp_path / "cut", subject, size=1, **seeing())
    assert cut.by_spec() == whole.by_spec()


def test_named_times_are_scored_as_clock_times(chat: ChatServer, tmp_path: Path) -> None:
    def answering(request: Any) -> Planned:
        right = {"Where is the red mug?": "A", "The kettle is boiling.": "true"}
        said = {"answer": right.get(question_of(request), "x"), "intervals": [["00:00:02", 3.2]]}
        return says(f"Here it is:\n```json\n{json.dumps(said)}\n```")

    chat.answering = answering
    result = run(tmp_path, configured(chat))
    assert scores(result, "ref@1")["qa1"] == (1.0, "correct")
    # 2 and 3 against 2, 3 (from 2-3), 14 and 15: two bins of four.
    assert scores(result, "ref@1")["qa4"] == (0.5, "partial")
    assert scores(result, "ref@1")["qa2"] == (0.0, "wrong")
    assert scores(result, "ref@300")["qa2"] == (1.0, "correct")


def test_a_reply_without_an_answer_is_unparsed_under_every_metric(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.answering = lambda _: says('{"intervals": "nowhere"}')
    result = run(tmp_path, configured(chat))
    assert scores(result, "accuracy")["qa1"] == (0.0, "unparsed")
    assert scores(result, "ref@300")["qa4"] == (0.0, "unparsed")


def test_a_history_that_would_cut_the_sample_again_is_refused(chat: ChatServer) -> None:
    latest = configured(chat, history=History(HistoryKind.LAST_UNITS))
    with pytest.raises(ConfigurationError, match="last_units"):
        plan_lifelong(clued_kitchen(), [latest], POLICY)


def test_runs_of_other_budgets_or_protocols_are_other_runs(chat: ChatServer) -> None:
    release, subject = clued_kitchen(), configured(chat)
    ids = {
        plan_lifelong(release, [subject], policy)[0].run_id
        for policy in (POLICY, replace(POLICY, budget=SampleBudget()), LifelongPolicy())
    }
    assert len(ids) == 3


def test_a_memory_of_a_stream_is_kept_by_one_worker(chat: ChatServer) -> None:
    summary = configured(chat, history=History(HistoryKind.SUMMARY))
    shards = plan_lifelong(clued_kitchen(), [summary], POLICY, asks_per_shard=1)
    assert [len(shard.question_ids) for shard in shards] == [4, 2]


def notes(chat: ChatServer) -> list[str]:
    """Prompts in which the model was to write its notes anew."""
    prompts = (prompt_of(one) for one in chat.requests)
    return [one for one in prompts if "Your notes so far" in one]


def remembering(request: Any) -> Planned:
    prompt = prompt_of(request)
    if "Your notes so far" in prompt:
        return says(f"note {prompt.split('It is now ')[1][:8]}")
    return says(json.dumps({"answer": "A", "intervals": []}))


def test_a_running_summary_is_written_chapter_by_chapter_and_paid_for_once(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.answering = remembering
    subject = configured(chat, history=History(HistoryKind.SUMMARY, units=10))
    result = run(tmp_path, subject)
    # Units of a second: chapters of `sa` end at 10 and 20 s, the one of `sb` at 10 s.
    assert len(notes(chat)) == 3
    first, second = (
        next(one for one in notes(chat) if word in one) for word in ("The red mug", "green towel")
    )
    assert "Your notes so far:\n(none)" in first
    assert "kettle" in first
    assert "Your notes so far:\nnote 00:00:10" in second
    mug = next(prompt_of(one) for one in chat.requests if "Where is the red mug?" in prompt_of(one))
    assert "What you noted of the time before:\nnote 00:00:20" in mug
    assert "kettle" not in mug
    # What the notes took is part of the run: five answers and three notes.
    assert result.replies.num_rows == 8
    calls = len(chat.requests)
    again = run(tmp_path, subject)
    assert len(chat.requests) == calls
    assert again.replies == result.replies


def test_a_summary_goes_on_from_the_chapters_that_were_stored(
    chat: ChatServer, tmp_path: Path
) -> None:
    failing = {"on": True}

    def answering(request: Any) -> Planned:
        if failing["on"] and "It is now 00:00:20" in prompt_of(request):
            return Planned(500, b"{}")
        return remembering(request)

    chat.answering = answering
    subject = configured(chat, history=History(HistoryKind.SUMMARY, units=10), attempts=1)
    broken = run(tmp_path, subject)
    lost = {row["outcome"] for row in broken.asks.to_pylist() if row["question_id"] == "qa1"}
    assert lost == {"infrastructure_error(EndpointUnreachableError)"}
    failing["on"] = False
    chat.requests.clear()
    mended = run(tmp_path, subject)
    assert [row["outcome"] for row in mended.asks.to_pylist()].count("answered") == 5
    # The first chapters were stored; the second one of `sa` alone is written now.
    assert len(notes(chat)) == 1


def test_a_long_text_ends_a_chapter_before_its_time(chat: ChatServer, tmp_path: Path) -> None:
    chat.answering = remembering
    # "The red mug is on the shelf." is 28 characters long: heard out at 3.2 s, in unit 4.
    history = History(HistoryKind.SUMMARY, units=1000, most_characters=28)
    due = replace(POLICY, asked_at=AskedAt.DUE)
    run(tmp_path, configured(chat, history=history), due)
    assert "note 00:00:04" in "".join(prompt_of(one) for one in chat.requests)


def shard_of(subject: SubjectConfiguration) -> LifelongShard:
    return plan_lifelong(clued_kitchen(), [subject], POLICY)[0]


def test_shards_say_what_a_worker_needs_to_know() -> None:
    shard = shard_of(ORACLE)
    assert shard.protocol == "lifelong"
    assert shard.shard_id == f"{shard.run_id}/sa/0"
    assert shard.untimed.policy.rule_sets == (RuleSet.PAPER, RuleSet.OFFICIAL)

"""The ReMA agent over the kitchen: clips into a memory, and answers by steps.

Clips are 10 s long: those of stream `sa` end at 10 and 20 s, and the one under way at the
end has 3.5 s; stream `sb` is one clip. The scripted server notes on each clip what it was
told; the controller follows the plan of a test.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firsthand.core.errors import ConfigurationError
from firsthand.core.taxonomy import Modality
from firsthand.endpoints import ReplyLog, ReplyOwner
from firsthand.protocols.lifelong_policy import AskedAt, LifelongPolicy, SampleBudget
from firsthand.subjects import (
    Access,
    EndpointSettings,
    RemaSettings,
    RemaSubject,
    ResultTables,
    SubjectConfiguration,
    cost_table,
)
from firsthand.subjects.kept_calls import KeptCalls
from firsthand.subjects.lifelong_asking import ask_lifelong
from firsthand.subjects.lifelong_planning import plan_lifelong
from firsthand.subjects.lifelong_scoring import read_lifelong, score_lifelong
from firsthand.subjects.memory_bank import MemoryBank, Note
from firsthand.subjects.rema_actions import (
    Final,
    Inspect,
    Malformed,
    Search,
    read_action,
)
from firsthand.subjects.subject import SessionInputs
from tests.unit.endpoints.chat_server import ChatServer, Planned, chat_server, says
from tests.unit.subjects.endpoints import configured, patient, prompt_of
from tests.unit.subjects.kitchen import S
from tests.unit.subjects.test_lifelong import clued_kitchen

POLICY = LifelongPolicy(SampleBudget(), ref_bins_s=(1, 300))
SEARCH = {"action": "search", "queries": ["red mug"]}
INSPECT = {"action": "inspect", "ranges": [["00:00:02", "00:00:04"]], "question": "Which shelf?"}
ANSWER = {"action": "answer", "answer": "A", "intervals": [["00:00:02", "00:00:03"]]}


def kind_of(request: Any) -> str:
    """Which of the agent's prompts a request is."""
    system = request["messages"][0]["content"]
    starts = {
        "You watch": "perceive",
        "You look closely": "inspect",
        "You keep the memory": "condense",
        "You look something": "find",
        "You answer": "control",
    }
    return next(name for start, name in starts.items() if system.startswith(start))


class Script:
    """A controller that goes through a plan for each question; other prompts are echoed."""

    def __init__(self, *plan: object) -> None:
        self.plan = plan

    def __call__(self, request: Any) -> Planned:
        prompt, kind = prompt_of(request), kind_of(request)
        if kind != "control":
            return says(f"{kind}: {' '.join(prompt.split())[:200]}", tokens=(10, 2))
        chosen = self.plan[min(prompt.count("Round "), len(self.plan) - 1)]
        text = chosen if isinstance(chosen, str) else json.dumps(chosen)
        return says(text, tokens=(10, 2))


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server


def agent(chat: ChatServer, **settings: Any) -> SubjectConfiguration:
    given = {"clip_us": 10 * S, "most_rounds": 4, **settings}
    return SubjectConfiguration("rema", RemaSettings(model(chat), **given))


def model(chat: ChatServer, **settings: Any) -> EndpointSettings:
    found = configured(chat, **settings).settings
    assert isinstance(found, EndpointSettings)
    return found


def run(
    folder: Path, subject: SubjectConfiguration, policy: LifelongPolicy = POLICY, stream: int = 0
) -> ResultTables:
    release, log = clued_kitchen(), ReplyLog(folder, "w")
    shard = plan_lifelong(release, [subject], policy)[stream]
    asked = ask_lifelong(shard, release, log, Access(calling=patient()))
    readings = read_lifelong(shard, release, asked)
    scored = score_lifelong(shard, release, asked, readings)
    return ResultTables(
        asked.asks, asked.replies, readings, scored.verdicts, scored.probes, steps=asked.steps
    )


def prompts(chat: ChatServer, kind: str) -> list[str]:
    return [prompt_of(one) for one in chat.requests if kind_of(one) == kind]


def steps(result: ResultTables, question: str) -> list[str]:
    return [row["action"] for row in result.steps.to_pylist() if row["ask_id"] == f"{question}@0"]


def verdict(result: ResultTables, question: str, metric: str) -> tuple[float, str]:
    (found,) = (
        (row["score"], row["outcome"])
        for row in result.verdicts.to_pylist()
        if (row["question_id"], row["metric"], row["rule_set"]) == (question, metric, "paper")
    )
    return found


def test_the_agent_searches_inspects_and_answers_with_its_evidence(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.answering = Script(SEARCH, INSPECT, ANSWER)
    result = run(tmp_path, agent(chat))
    assert steps(result, "qa1") == ["search", "inspect", "answer"]
    assert verdict(result, "qa1", "accuracy") == (1.0, "correct")
    # The clue 2-3.2 and the answer 2-3 touch the bins of 2 and 3.
    assert verdict(result, "qa1", "ref@1") == (1.0, "correct")
    # Two whole clips of `sa` and the one under way, each perceived once for four questions.
    assert len(prompts(chat, "perceive")) == 3
    (inspected,) = set(prompts(chat, "inspect"))
    assert "The red mug is on the shelf." in inspected
    assert "kettle" not in inspected
    # What was found goes back to the controller.
    assert any("find: Queries" in one for one in prompts(chat, "control"))


def test_each_step_names_the_stored_reply_it_was_chosen_in(
    chat: ChatServer, tmp_path: Path
) -> None:
    chat.answering = Script(SEARCH, INSPECT, ANSWER)
    result = run(tmp_path, agent(chat))
    texts = {row["reply_key"]: row["text"] for row in result.replies.to_pylist()}
    chosen = [json.loads(texts[row["reply_key"]])["action"] for row in result.steps.to_pylist()]
    assert chosen == [row["action"] for row in result.steps.to_pylist()]
    parameters = {row["action"]: json.loads(row["parameters"]) for row in result.steps.to_pylist()}
    assert parameters["inspect"] == {"ranges_s": [[2.0, 4.0]], "question": "Which shelf?"}


def test_calls_and_tokens_are_counted_once_each(chat: ChatServer, tmp_path: Path) -> None:
    chat.answering = Script(SEARCH, ANSWER)
    result = run(tmp_path, agent(chat))
    (cost,) = cost_table(result).to_pylist()
    assert cost["calls"] == len(chat.requests)
    assert cost["input_tokens"] == 10 * len(chat.requests)
    # The answer takes two rounds and a search, at a second declared for each call, and the
    # note on the clip under way with the first question that needs it.
    answers = {row["reply_key"] for row in result.asks.to_pylist()}
    took = {row["latency_us"] for row in result.replies.to_pylist() if row["reply_key"] in answers}
    assert took == {4 * S}


def test_a_second_run_makes_no_call_and_finds_the_same(chat: ChatServer, tmp_path: Path) -> None:
    chat.answering = Script(SEARCH, INSPECT, ANSWER)
    first = run(tmp_path, agent(chat))
    calls = len(chat.requests)
    second = run(tmp_path, agent(chat))
    assert len(chat.requests) == calls
    assert second.by_spec() == first.by_spec()


def test_a_killed_run_pays_only_for_what_was_not_stored(chat: ChatServer, tmp_path: Path) -> None:
    calm = Script(SEARCH, INSPECT, ANSWER)
    chat.answering = calm
    undisturbed = run(tmp_path / "calm", agent(chat))
    total = len(chat.requests)
    chat.requests.clear()

    def dying(request: Any) -> Planned:
        # From the ninth call on nothing comes back.
        return calm(request) if len(chat.requests) <= 8 else Planned(500, b"{}")

    chat.answering = dying
    impatient = model(chat, attempts=1, most_calls=1)
    subject = SubjectConfiguration("rema", RemaSettings(impatient, clip_us=10 * S, most_rounds=4))
    broken = run(tmp_path / "killed", subject)
    assert any("infrastructure" in row["outcome"] for row in broken.asks.to_pylist())
    chat.answering = calm
    chat.requests.clear()
    mended = run(tmp_path / "killed", agent(chat))
    assert len(chat.requests) == total - 8
    assert mended.by_spec() == undisturbed.by_spec()


@pytest.mark.parametrize(
    "plan",
    [
        ("I would look at the shelf.",),
        ({"action": "dance"},),
        ({"action": "answer"},),
        ({"action": "search", "queries": [3]},),
        ({"action": "inspect", "ranges": [["later", "soon"]]},),
        ('{"action": "search", "queries": [',),
        (SEARCH,),
    ],
)
def test_a_controller_that_never_answers_is_stopped_and_counted(
    chat: ChatServer, tmp_path: Path, plan: Sequence[object]
) -> None:
    chat.answering = Script(*plan)
    result = run(tmp_path, agent(chat, most_rounds=3))
    for question in ("qa1", "qa2", "qa3"):
        assert len(steps(result, question)) == 3
        assert verdict(result, question, "accuracy") == (0.0, "truncated")
        assert verdict(result, question, "ref@300") == (0.0, "truncated")
    assert "This is the last round: answer now." in prompts(chat, "control")[-1]


def test_nothing_later_than_the_question_can_be_looked_at(chat: ChatServer, tmp_path: Path) -> None:
    late = {"action": "inspect", "ranges": [["00:00:00", "01:00:00"]], "question": "What is said?"}
    chat.answering = Script(late, ANSWER)
    due = replace(POLICY, asked_at=AskedAt.DUE)
    run(tmp_path, agent(chat), due)
    mug = [one for one in prompts(chat, "control") if "Where is the red mug?" in one]
    # Due at 4 s: no clip has ended, the one under way is perceived as far as it has come.
    assert all("It is now 00:00:04" in one for one in mug)
    assert not any("kettle" in one or "towel" in one for one in mug)
    early = [one for one in prompts(chat, "inspect") if "00:00:00 to 00:00:04" in one]
    assert len(early) == 1
    assert "kettle" not in early[0]


def test_a_run_that_keeps_no_calls_is_refused(chat: ChatServer) -> None:
    subject = agent(chat).build()
    with pytest.raises(ConfigurationError, match="keeps no calls"):
        subject.open(SessionInputs("sa"))


def test_an_agent_that_looks_needs_pictures(chat: ChatServer, tmp_path: Path) -> None:
    looking = RemaSubject(RemaSettings(model(chat, receives=frozenset({Modality.VIDEO}))))
    kept = KeptCalls(ReplyLog(tmp_path, "w"), ReplyOwner("pa", "model"))
    with pytest.raises(ConfigurationError, match="pictures"):
        looking.open(SessionInputs("sa", kept=kept))


def united(notes: Sequence[Note]) -> str:
    return "+".join(note.text for note in notes)


def bank_of(*notes: tuple[int, int, str], most: int = 9, condensed: int = 2) -> list[str]:
    bank = MemoryBank()
    for begin_s, end_s, text in notes:
        note = Note(begin_s * S, end_s * S, text)
        bank = bank.with_note(note, united, most_notes=most, condensed=condensed)
    return [f"{note.begin_us // S}-{note.end_us // S} {note.text}" for note in bank.notes]


def test_notes_that_overlap_become_one_and_others_are_added() -> None:
    assert bank_of((0, 5, "a"), (5, 9, "b")) == ["0-5 a", "5-9 b"]
    assert bank_of((0, 5, "a"), (5, 9, "b"), (4, 6, "c")) == ["0-9 a+b+c"]
    assert bank_of((5, 9, "b"), (0, 4, "a"), (8, 12, "c")) == ["0-4 a", "5-12 b+c"]


def test_a_full_memory_condenses_its_oldest_notes_again_and_again() -> None:
    notes = [(n, n + 1, str(n)) for n in range(6)]
    assert bank_of(*notes, most=3, condensed=2) == ["0-4 0+1+2+3", "4-5 4", "5-6 5"]


def test_notes_are_found_by_their_words_in_order_of_time() -> None:
    texts = ("a red mug", "a blue towel", "mug red red")
    bank = MemoryBank(tuple(Note(n, n + 1, text) for n, text in enumerate(texts)))
    assert [note.begin_us for note in bank.found(["red mug", "red"], 5)] == [0, 2]
    assert [note.begin_us for note in bank.found(["towel"], 5)] == [1]
    assert bank.found(["window"], 5) == []


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ({"action": "search", "queries": ["a", " ", "b", "c"]}, Search(("a", "b"))),
        ({"action": "search", "queries": "a"}, Search(("a",))),
        (
            {"action": "inspect", "ranges": [[-3, 2], [8, 30], [40, 50], [5, 4]]},
            Inspect(((0, 2 * S), (8 * S, 20 * S)), "Q?"),
        ),
        ({"action": "answer", "answer": ["A", "B"], "intervals": None}, Final(["A", "B"], [])),
        ({"action": "answer", "answer": False}, Final(answer=False, intervals=[])),
        ({"action": "answer", "answer": ""}, Malformed("an answer without a text")),
        ({"answer": "A"}, Malformed("no JSON object with an action")),
        ({"action": ["search"]}, Malformed("no action of that name")),
    ],
)
def test_actions_are_read_within_their_bounds(reply: object, expected: object) -> None:
    text = f"I think so. {json.dumps(reply)}"
    found = read_action(text, "Q?", now_us=20 * S, most_queries=2, most_ranges=2)
    assert found == expected

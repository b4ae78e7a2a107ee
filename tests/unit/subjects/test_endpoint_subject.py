"""A model behind an endpoint: what it is told, what it may spend, what comes of failures.

The server answers every question of the kitchen rightly unless a test plans otherwise.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firsthand.core.errors import ConfigurationError
from firsthand.core.metering import metered
from firsthand.core.taxonomy import Modality
from firsthand.endpoints import ORIGINAL, Calling, Generation, Price, Spending
from firsthand.endpoints.calls import Media
from firsthand.endpoints.errors import PrivateInputError
from firsthand.subjects import (
    EndpointSettings,
    EndpointSubject,
    History,
    HistoryKind,
    Limits,
    plan_asks,
    run_table,
)
from firsthand.subjects.subject import (
    HeardWord,
    PictureSpan,
    SeenPicture,
    SessionInputs,
    SubjectQuestion,
    Unit,
)
from tests.unit.endpoints.chat_server import ChatServer, Planned, chat_server, fails, says
from tests.unit.subjects.endpoints import (
    POLICY,
    configured,
    knowing,
    patient,
    prompt_of,
    question_of,
    run,
)
from tests.unit.subjects.kitchen import S, kitchen

FULL = History(HistoryKind.FULL)


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with chat_server() as server:
        server.answering = knowing
        yield server


def outcomes(result: Any) -> dict[str, str]:
    return {row["ask_id"]: row["outcome"] for row in result.asks.to_pylist()}


def verdicts(result: Any) -> dict[str, str]:
    return {
        row["ask_id"]: row["outcome"]
        for row in result.verdicts.to_pylist()
        if row["rule_set"] == "paper"
    }


def test_a_right_model_scores_full_and_every_probe_is_put(chat: ChatServer, tmp_path: Path) -> None:
    result = run(tmp_path, configured(chat))
    # 5 questions inside their streams; probes: qa1 and qa2 two each, qa3 and qa4 (official
    # alone) one before the end at 23.5 s, qb1 one before the end at 10 s.
    answered = [name for name, outcome in outcomes(result).items() if outcome == "answered"]
    assert len(answered) == 5 + 7
    assert len(chat.requests) == 12
    assert {verdicts(result)[f"{name}@0"] for name in ("qa1", "qa2", "qa3", "qb1")} == {"correct"}
    assert {row["latency_us"] for row in result.replies.to_pylist()} == {S}
    assert {row["latency_source"] for row in result.replies.to_pylist()} == {"declared"}


def test_the_model_is_told_what_ended_at_or_before_due_and_nothing_later(
    chat: ChatServer, tmp_path: Path
) -> None:
    run(tmp_path, configured(chat, history=FULL))
    told: dict[tuple[str, str], str] = {}
    for request in chat.requests:
        prompt = prompt_of(request)
        now = re.search(r"It is now 00:00:(\d\d)", prompt)
        assert now is not None
        told[question_of(request), now[1]] = prompt.split("It is now")[0]
    # The mug's narration ends at 3.2 s, the kettle's words from 6 to 7.4 s, each 0.28 s long.
    assert "The red mug is on the shelf." in told["Where is the red mug?", "04"]
    assert "kettle" not in told["Where is the red mug?", "04"]
    assert "[00:00:06] the wearer: the kettle is boiling now" in told["Where is the red mug?", "09"]
    assert "towel" not in told["Where is the red mug?", "14"]
    assert "A green towel" in told["What hangs beside the window?", "15"]
    assert "secret" not in "".join(told.values())
    assert told["The door was never opened.", "05"] == ""


def test_history_policies_send_what_they_say(chat: ChatServer, tmp_path: Path) -> None:
    def told_to(name: str, question: str, history: History) -> list[str]:
        chat.requests.clear()
        run(tmp_path / name, configured(chat, subject_id=name, history=history))
        return [prompt_of(one) for one in chat.requests if question_of(one) == question]

    mug, window = "Where is the red mug?", "What hangs beside the window?"
    assert not any("said" in one for one in told_to("none", mug, History(HistoryKind.NONE)))
    # Asked at 4, 9 and 14 s: the last 3 seconds hold the mug (3.2 s), then the kettle
    # (7.4 s), then nothing.
    last = told_to("last", mug, History(HistoryKind.LAST_UNITS, units=3))
    assert [("shelf." in one, "kettle" in one) for one in last] == [
        (True, False),
        (False, True),
        (False, False),
    ]
    # Of 28 + 25 + 38 characters the newest 38 fit.
    short = told_to("short", window, History(HistoryKind.FULL, most_characters=40))
    assert all("A green towel" in one and "kettle" not in one for one in short)
    # Memory finds the mug again although it is long past, and not the kettle.
    memory = History(HistoryKind.MEMORY, units=1, passages=1)
    assert all("shelf." in one and "kettle" not in one for one in told_to("memory", mug, memory))


def test_without_history_the_same_question_is_paid_for_once(
    chat: ChatServer, tmp_path: Path
) -> None:
    run(tmp_path, configured(chat, history=History(HistoryKind.NONE)))
    assert len(chat.requests) == 5
    chat.requests.clear()
    warm = configured(
        chat, history=History(HistoryKind.NONE), generation=Generation(16, temperature=1.0)
    )
    # Drawn replies differ, so each probe is a sample of its own.
    run(tmp_path / "warm", warm)
    assert len(chat.requests) == 12


def test_a_second_run_calls_nobody_and_finds_the_same(chat: ChatServer, tmp_path: Path) -> None:
    first = run(tmp_path, configured(chat))
    chat.requests.clear()
    with metered() as calls:
        assert run(tmp_path, configured(chat)) == first
    assert not calls
    assert not chat.requests


def test_how_questions_are_cut_into_shards_changes_no_row(chat: ChatServer, tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", configured(chat))
    assert run(tmp_path / "cut", configured(chat), size=1) == whole
    assert len(plan_asks(kitchen(), [configured(chat)], POLICY, asks_per_shard=1)) == 6


def test_a_failed_call_is_an_infrastructure_error_and_the_next_run_mends_it(
    chat: ChatServer, tmp_path: Path
) -> None:
    calm = run(tmp_path / "calm", configured(chat))

    def rough(request: Any) -> Planned:
        is_mug = question_of(request) == "Where is the red mug?"
        return fails(503) if is_mug else knowing(request)

    chat.answering = rough
    lost = run(tmp_path / "rough", configured(chat))
    assert outcomes(lost)["qa1@0"] == "infrastructure_error(EndpointUnreachableError)"
    assert "qa1@1" not in outcomes(lost)
    assert verdicts(lost)["qa1@0"] == "infrastructure_error"
    shards = plan_asks(kitchen(), [configured(chat)], POLICY)
    assert not run_table("kitchen", shards, lost).column("complete")[0].as_py()
    chat.answering = knowing
    chat.requests.clear()
    assert run(tmp_path / "rough", configured(chat)) == calm
    assert len(chat.requests) == 3


def test_what_content_rules_withhold_is_refused_and_no_fault_of_the_way(
    chat: ChatServer, tmp_path: Path
) -> None:
    def prudish(request: Any) -> Planned:
        is_mug = question_of(request) == "Where is the red mug?"
        return says(None, finish="content_filter") if is_mug else knowing(request)

    chat.answering = prudish
    result = run(tmp_path, configured(chat))
    assert outcomes(result)["qa1@0"] == "refused(withheld)"
    assert verdicts(result)["qa1@0"] == "refused"
    shards = plan_asks(kitchen(), [configured(chat)], POLICY)
    assert run_table("kitchen", shards, result).column("complete")[0].as_py()


@pytest.mark.parametrize(
    ("limits", "at_least"),
    [
        (Limits(calls=4), 4),
        # A reply of 102 tokens at 0.01 USD each costs 1.02 USD.
        (Limits(usd=4.0), 4),
        (Limits(tokens=400), 4),
    ],
)
def test_a_spent_budget_stops_cleanly_and_a_larger_one_goes_on(
    chat: ChatServer, tmp_path: Path, limits: Limits, at_least: int
) -> None:
    price = Price(0.01, 0.01)
    calm = run(tmp_path / "calm", configured(chat, price=price))
    chat.requests.clear()
    # One call at a time, so that none is under way when the limit is reached.
    frugal = configured(chat, price=price, limits=limits, most_calls=1)
    spending = Spending()
    short = run(tmp_path / "short", frugal, patient(spending=spending))
    assert len(chat.requests) == at_least
    endings = Counter(outcomes(short).values())
    assert endings["answered"] == at_least
    assert endings["not_asked(budget)"] >= 1
    assert not any("infrastructure" in ending for ending in endings)
    shards = plan_asks(kitchen(), [frugal], POLICY)
    assert not run_table("kitchen", shards, short).column("complete")[0].as_py()
    assert run(tmp_path / "short", configured(chat, price=price)) == calm
    assert len(chat.requests) == 12


def test_a_budget_of_time_counts_from_the_command(chat: ChatServer, tmp_path: Path) -> None:
    late = configured(chat, limits=Limits(seconds=60.0))
    result = run(tmp_path, late, patient(began_unix_s=0.0))
    assert not chat.requests
    assert set(outcomes(result).values()) == {
        "not_asked(budget)",
        "not_asked(due_after_stream_end)",
    }


def test_a_hosted_model_is_never_sent_an_original(tmp_path: Path) -> None:
    with chat_server() as chat:
        hosted = configured(chat, base_url="https://models.example.org/v1")
        with pytest.raises(PrivateInputError):
            run(tmp_path, hosted, patient(privacy=ORIGINAL))


def test_the_key_is_read_by_name_when_the_session_opens(chat: ChatServer, tmp_path: Path) -> None:
    asked_for: list[str | None] = []

    def secret(name: str | None) -> str:
        asked_for.append(name)
        return "sk-of-the-test"

    subject = configured(chat, api_key_name="SMALL_KEY")
    run(tmp_path, subject, patient(secret=secret))
    assert set(asked_for) == {"SMALL_KEY"}
    assert "sk-of-the-test" not in repr(subject)
    assert "sk-of-the-test" not in "".join(path.read_text() for path in tmp_path.iterdir())


class _Painter:
    """Pictures and sound that say which unit they are of."""

    def pictures(self, unit: Unit) -> list[SeenPicture]:
        return [SeenPicture(unit.end_us, Media("image", "jpeg", f"p{unit.end_us // S}".encode()))]

    def sound(self, unit: Unit) -> Media | None:
        return Media("audio", "wav", f"s{unit.end_us // S}".encode())


def _units(seconds: int) -> list[Unit]:
    span = PictureSpan("c", "e" * 64, 0, 0, seconds * S)
    word = HeardWord("hello", 0, S // 2, "pa")
    return [
        Unit(n * S, (n + 1) * S, (word,) if n == 0 else (), pictures=(span,))
        for n in range(seconds)
    ]


def _media_sent(chat: ChatServer, **settings: Any) -> tuple[list[str], str]:
    import base64

    configuration = configured(chat, **settings)
    assert isinstance(configuration.settings, EndpointSettings)
    subject = EndpointSubject(configuration.settings)
    session = subject.open(SessionInputs("sa", media=_Painter(), wearer="pa", calling=patient()))
    for unit in _units(20):
        session.feed(unit.seen_by(subject.facts.receives, hears_sound=subject.facts.hears_sound))
    question = SubjectQuestion("q", "binary", "The door was never opened.", (), 20 * S)  # type: ignore[arg-type] # the text of a type
    session.fork().ask(question)
    parts = chat.requests[-1]["messages"][-1]["content"]
    if isinstance(parts, str):
        return [], parts
    encoded = [
        part["input_audio"]["data"]
        if part["type"] == "input_audio"
        else part["image_url"]["url"].split(",")[1]
        for part in parts[:-1]
    ]
    return [base64.b64decode(one).decode() for one in encoded], parts[-1]["text"]


def test_pictures_are_spread_over_what_the_history_reaches_and_told_by_time(
    chat: ChatServer,
) -> None:
    looks = frozenset({Modality.VIDEO})
    sent, text = _media_sent(chat, receives=looks, history=History(most_pictures=4))
    # Places 0 to 19 in four even steps, the last always among them: 0, 6.33, 12.67, 19.
    assert sent == ["p1", "p7", "p14", "p20"]
    assert "seen at 00:00:01, 00:00:07, 00:00:14, 00:00:20" in text
    latest = History(HistoryKind.LAST_UNITS, units=3, most_pictures=8)
    sent, _ = _media_sent(chat, receives=looks, history=latest)
    assert sent == ["p18", "p19", "p20"]


def test_a_model_that_hears_is_sent_sound_instead_of_words(chat: ChatServer) -> None:
    hears = frozenset({Modality.SPEECH})
    latest = History(HistoryKind.FULL, units=2)
    sent, text = _media_sent(chat, receives=hears, hears_sound=True, history=latest)
    assert sent == ["s19", "s20"]
    assert "hello" not in text
    sent, text = _media_sent(chat, receives=hears, history=latest)
    assert sent == []
    assert "the wearer: hello" in text


def test_a_model_that_looks_needs_a_run_with_pictures(chat: ChatServer) -> None:
    configuration = configured(chat, receives=frozenset({Modality.VIDEO}))
    with pytest.raises(ConfigurationError, match="pictures"):
        configuration.build().open(SessionInputs("sa", calling=Calling()))


def test_what_a_question_requires_and_the_model_is_not_given_is_noted(
    chat: ChatServer, tmp_path: Path
) -> None:
    def missing(name: str, **settings: Any) -> set[tuple[str, ...]]:
        result = run(tmp_path / name, configured(chat, **settings))
        return {tuple(row["missing_modalities"]) for row in result.asks.to_pylist()}

    # Every question of the kitchen requires speech.
    assert missing("hears") == {()}
    assert missing("reads", receives=frozenset({Modality.NARRATION})) == {("speech",)}
    assert missing("none", history=History(HistoryKind.NONE)) == {("speech",)}


def test_many_calls_are_under_way_at_once_and_never_more_than_allowed(
    chat: ChatServer, tmp_path: Path
) -> None:
    def slow(request: Any) -> Planned:
        answer = knowing(request)
        answer.delay_s = 0.05
        return answer

    chat.answering = slow
    run(tmp_path, configured(chat, most_calls=2))
    assert chat.most_at_once == 2

"""An endpoint answers, fails, or is not asked at all; no failure quotes what was sent."""

import pickle
import socket
import subprocess
import sys
import traceback
from dataclasses import replace
from itertools import count

import pytest

from firsthand.core.errors import FirsthandError
from firsthand.core.metering import metered
from firsthand.endpoints import (
    DEIDENTIFIED,
    ORIGINAL,
    Budget,
    Call,
    Endpoint,
    Generation,
    Media,
    Patience,
    Price,
    Turn,
    original_with_consent,
)
from firsthand.endpoints.errors import (
    BudgetExceededError,
    EndpointAnswerError,
    EndpointBusyError,
    EndpointRefusedError,
    EndpointUnreachableError,
    PrivateInputError,
    UnknownPriceError,
)
from tests.unit.endpoints.chat_server import ChatServer, Planned, fails, says

SECRET = "sk-secret-key"  # noqa: S105 - a made-up key that must not appear in errors
PROMPT = "the wearer whispered PROMPT-TEXT"
CALL = Call((Turn("user", PROMPT),), Generation(most_tokens=16, temperature=0.0, seed=3))


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def endpoint(chat: ChatServer, waits: list[float]) -> Endpoint:
    patience = Patience(attempts=3, timeout_s=5.0, longest_wait_s=30.0, pause=waits.append)
    return Endpoint("openai/tester", chat.url, SECRET, patience)


def test_a_reply_carries_text_finish_tokens_cost_and_latency(
    chat: ChatServer, endpoint: Endpoint
) -> None:
    chat.plan = [says("B", tokens=(100, 4))]
    ticks = count(0, 7_000_000)
    priced = replace(endpoint, price=Price(1e-6, 5e-6), clock_ns=lambda: next(ticks))
    reply = priced.complete(CALL, DEIDENTIFIED)
    assert (reply.text, reply.finish, reply.latency_source) == ("B", "stop", "measured")
    assert (reply.input_tokens, reply.output_tokens) == (100, 4)
    assert reply.cost_usd == pytest.approx(120e-6)
    assert reply.latency_us == 7_000


def test_what_was_asked_arrives_as_it_was_asked(chat: ChatServer, endpoint: Endpoint) -> None:
    chat.plan = [says("B")]
    picture = Media("image", "png", b"\x89PNG")
    sound = Media("audio", "wav", b"RIFF")
    turns = (Turn("system", "Answer."), Turn("user", "What?", (picture, sound)))
    endpoint.complete(Call(turns, Generation(8, json_reply=True)), DEIDENTIFIED)
    sent = chat.requests[0]
    assert (sent["model"], sent["max_tokens"]) == ("tester", 8)
    assert sent["response_format"] == {"type": "json_object"}
    assert "temperature" not in sent
    assert sent["messages"] == [
        {"role": "system", "content": "Answer."},
        {
            "role": "user",
            "content": [
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
                {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
                {"type": "text", "text": "What?"},
            ],
        },
    ]


def test_a_reply_cut_by_length_is_a_reply(chat: ChatServer, endpoint: Endpoint) -> None:
    chat.plan = [says("The answ", finish="length")]
    assert endpoint.complete(CALL, DEIDENTIFIED).finish == "length"


def test_an_end_that_the_model_chose_is_one_whatever_its_server_calls_it(
    chat: ChatServer, endpoint: Endpoint
) -> None:
    chat.plan = [says("B", finish="eos")]
    assert endpoint.complete(CALL, DEIDENTIFIED).finish == "stop"


def test_a_busy_endpoint_is_asked_again_when_it_says(
    chat: ChatServer, endpoint: Endpoint, waits: list[float]
) -> None:
    chat.plan = [fails(429, Retry_After="0"), fails(429, Retry_After="7"), says("B")]
    assert endpoint.complete(CALL, DEIDENTIFIED).text == "B"
    assert waits == [0.0, 7.0]


def test_a_fault_of_the_server_is_waited_out_with_growing_pauses(
    chat: ChatServer, endpoint: Endpoint, waits: list[float]
) -> None:
    chat.plan = [fails(500), fails(503), says("B")]
    assert endpoint.complete(CALL, DEIDENTIFIED).text == "B"
    assert waits == [1.0, 2.0]


def test_waiting_does_not_count_as_latency(chat: ChatServer, endpoint: Endpoint) -> None:
    now_ns = [0]

    def clock_ns() -> int:
        now_ns[0] += 1_000_000
        return now_ns[0]

    def pause(seconds: float) -> None:
        now_ns[0] += round(seconds * 1e9)

    chat.plan = [fails(429, Retry_After="20"), says("B")]
    timed = replace(endpoint, clock_ns=clock_ns, patience=replace(endpoint.patience, pause=pause))
    assert timed.complete(CALL, DEIDENTIFIED).latency_us == 1_000


@pytest.mark.parametrize(
    ("answer", "error", "attempts"),
    [
        (fails(429, PROMPT, Retry_After="0"), EndpointBusyError, 3),
        (fails(429, PROMPT, Retry_After="3600"), EndpointBusyError, 1),
        (fails(500, PROMPT), EndpointUnreachableError, 3),
        (Planned(200, b"not json " + PROMPT.encode()), EndpointUnreachableError, 3),
        (Planned(200, b'{"id":', announced_bytes=999), EndpointUnreachableError, 3),
        (fails(400, PROMPT), EndpointRefusedError, 1),
        (fails(401, SECRET), EndpointRefusedError, 1),
        (fails(404, PROMPT), EndpointRefusedError, 1),
        (says(None, finish="content_filter"), EndpointRefusedError, 1),
        (says(""), EndpointAnswerError, 1),
        (says(None), EndpointAnswerError, 1),
        (says("B", finish="tool_calls"), EndpointAnswerError, 1),
        # Reasons that LiteLLM passes on as an end like any other.
        (says("B", finish="error"), EndpointAnswerError, 1),
        (says("B", finish="abort"), EndpointAnswerError, 1),
        (
            Planned(200, b'{"id":"1","object":"chat.completion","created":1,"choices":[]}'),
            EndpointAnswerError,
            1,
        ),
    ],
)
def test_a_failure_is_named_retried_only_if_that_helps_and_quotes_nothing(
    chat: ChatServer,
    endpoint: Endpoint,
    answer: Planned,
    error: type[FirsthandError],
    attempts: int,
) -> None:
    chat.plan = [answer]
    with pytest.raises(error) as caught:
        endpoint.complete(CALL, DEIDENTIFIED)
    assert len(chat.requests) == attempts
    shown = "".join(traceback.format_exception(caught.value)) + repr(endpoint)
    assert SECRET not in shown
    assert "PROMPT-TEXT" not in shown
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301 - own bytes


def test_a_closed_port_is_unreachable(endpoint: Endpoint) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
    with pytest.raises(EndpointUnreachableError, match="openai/tester"):
        replace(endpoint, base_url=url).complete(CALL, DEIDENTIFIED)


def test_every_attempt_is_counted_and_the_budget_stops_the_next(
    chat: ChatServer, endpoint: Endpoint
) -> None:
    chat.plan = [fails(500), says("B")]
    budget = Budget(limit_calls=3)
    with metered() as calls:
        endpoint.complete(CALL, DEIDENTIFIED, budget)
        endpoint.complete(CALL, DEIDENTIFIED, budget)
        with pytest.raises(BudgetExceededError):
            endpoint.complete(CALL, DEIDENTIFIED, budget)
    assert calls == {endpoint.name: 3}
    assert len(chat.requests) == 3


def test_a_budget_of_money_is_spent_by_replies_and_needs_a_price(
    chat: ChatServer, endpoint: Endpoint
) -> None:
    chat.plan = [says("B", tokens=(10, 10))]
    with pytest.raises(UnknownPriceError):
        endpoint.complete(CALL, DEIDENTIFIED, Budget(limit_usd=1.0))
    priced = replace(endpoint, price=Price(0.01, 0.01))
    budget = Budget(limit_usd=0.3)
    priced.complete(CALL, DEIDENTIFIED, budget)
    priced.complete(CALL, DEIDENTIFIED, budget)
    assert budget.spent_usd == pytest.approx(0.4)
    with pytest.raises(BudgetExceededError):
        priced.complete(CALL, DEIDENTIFIED, budget)


@pytest.mark.parametrize("base_url", [None, "https://models.example.org/v1"])
def test_an_original_never_leaves_this_machine_without_consent(base_url: str | None) -> None:
    hosted = Endpoint("openai/tester", base_url, SECRET)
    assert not hosted.is_on_this_machine
    with pytest.raises(PrivateInputError):
        hosted.complete(CALL, ORIGINAL)


def test_an_original_may_go_to_a_server_on_this_machine(
    chat: ChatServer, endpoint: Endpoint
) -> None:
    chat.plan = [says("B")]
    assert endpoint.is_on_this_machine
    assert endpoint.complete(CALL, ORIGINAL).text == "B"


def test_a_consent_must_be_named() -> None:
    assert original_with_consent("c-1").consent_id == "c-1"
    with pytest.raises(ValueError, match="consent"):
        original_with_consent("")


FIRST_CALL = """
import sys
from firsthand.endpoints import DEIDENTIFIED, Call, Endpoint, Generation, Turn, _client
_client._litellm()
before = set(sys.modules)
call = Call((Turn("user", "?"),), Generation(5))
Endpoint("openai/tester", sys.argv[1], "key").complete(call, DEIDENTIFIED)
print(sum(name.startswith(("litellm", "openai")) for name in set(sys.modules) - before))
"""


def test_the_first_call_loads_next_to_nothing_that_would_count_as_its_latency(
    chat: ChatServer,
) -> None:
    chat.plan = [says("B")]
    command = [sys.executable, "-c", FIRST_CALL, chat.url]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    assert int(found.stdout) < 5

"""The one place that touches LiteLLM: one attempt of one call, its failures sorted.

LiteLLM's exceptions quote prompts and replies, so none of them leaves this module, not
even as the cause of another.
"""

import os
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import ModuleType
from typing import cast

from firsthand.core.errors import MissingEngineError
from firsthand.endpoints.calls import Call

__all__ = [
    "Answer",
    "AttemptError",
    "Fault",
    "Heard",
    "Target",
    "attempt",
    "attempt_transcription",
    "listed_price",
]


_TOO_MANY = 429

# What providers call an end that the model chose. LiteLLM says "stop" of everything that it
# does not know, and of errors too.
_CHOSEN_ENDS = frozenset(
    {"stop", "STOP", "stop_sequence", "STOP_SEQUENCE", "end_turn", "COMPLETE", "eos", "eos_token"}
)

_LOADING = threading.Lock()


class Fault(StrEnum):
    """Why an attempt failed."""

    UNREACHABLE = "unreachable"
    BUSY = "busy"
    REFUSED = "refused"
    MALFORMED = "malformed"


class AttemptError(Exception):
    """A failed attempt; it stays inside this room.

    Args:
        fault: Why it failed.
        status: HTTP status, or 0 if there was none.
        retry_after_s: When the endpoint asks to come back; None if it does not say.
        found: What came instead of a reply, without its content.
    """

    def __init__(
        self, fault: Fault, status: int, retry_after_s: float | None = None, found: str = ""
    ) -> None:
        super().__init__(fault, status, retry_after_s, found)
        self.fault = fault
        self.status = status
        self.retry_after_s = retry_after_s
        self.found = found or f"status {status}"


@dataclass(frozen=True, slots=True)
class Target:
    """Where a call goes.

    Args:
        model: LiteLLM's name of provider and model.
        base_url: Address of the server; None for the provider's own.
        api_key: The key.
        timeout_s: How long an attempt may take.
    """

    model: str
    base_url: str | None
    api_key: str
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back from a successful attempt.

    Args:
        text: The text; None if there was none.
        finish: The provider's reason to stop.
        input_tokens: Tokens read; None if not reported.
        output_tokens: Tokens written; None if not reported.
        latency_us: From sending to the last byte.
    """

    text: str | None
    finish: str | None
    input_tokens: int | None
    output_tokens: int | None
    latency_us: int


@dataclass(frozen=True, slots=True)
class Heard:
    """What a transcription endpoint heard.

    Args:
        text: The whole text.
        words: Each word with its begin and end in seconds; empty if the endpoint gives none.
    """

    text: str
    words: tuple[tuple[str, float, float], ...]


def attempt(target: Target, call: Call, clock_ns: Callable[[], int]) -> Answer:
    """Send a call once.

    Raises:
        AttemptError: If no chat completion came back.
        MissingEngineError: If LiteLLM is not installed.
    """
    began_ns = clock_ns()
    response = _requested(
        lambda litellm: litellm.completion(
            model=target.model,
            messages=call.messages(),
            base_url=target.base_url,
            api_key=target.api_key,
            timeout=target.timeout_s,
            num_retries=0,
            max_retries=0,
            **call.options(),
        )
    )
    return _answer(response, (clock_ns() - began_ns) // 1_000)


def attempt_transcription(target: Target, wav: bytes, language: str) -> Heard:
    """Send a sound once.

    Raises:
        AttemptError: If no transcript came back.
        MissingEngineError: If LiteLLM is not installed.
    """
    response = _requested(
        lambda litellm: litellm.transcription(
            model=target.model,
            file=("sound.wav", wav),
            api_base=target.base_url,
            api_key=target.api_key,
            timeout=target.timeout_s,
            language=language,
            temperature=0,
            response_format="verbose_json",
            timestamp_granularities=["word"],
            num_retries=0,
            max_retries=0,
        )
    )
    text = getattr(response, "text", None)
    if not isinstance(text, str):
        raise AttemptError(Fault.MALFORMED, 200, found="an answer without a text")
    listed = getattr(response, "words", None) or []
    try:
        words = tuple((str(w["word"]), float(w["start"]), float(w["end"])) for w in listed)
    except (KeyError, TypeError, ValueError):
        words = None
    if words is None:
        raise AttemptError(Fault.MALFORMED, 200, found="words without times")
    return Heard(text, words)


def _requested(send: Callable[[ModuleType], object]) -> object:
    litellm = _litellm()
    # The base of LiteLLM's exceptions; its own class of that name is not.
    from openai import OpenAIError

    try:
        with _own_warnings_ignored():
            return send(litellm)
    except OpenAIError as error:
        failure = _sorted(litellm, error)
    # Raised outside the handler: inside, the provider's message would ride along.
    raise failure


def listed_price(model: str) -> tuple[float, float] | None:
    """Return (USD per input token, USD per output token) from LiteLLM's packaged list."""
    entry = _litellm().model_cost.get(model) or _litellm().model_cost.get(model.split("/")[-1])
    if not entry or "input_cost_per_token" not in entry or "output_cost_per_token" not in entry:
        return None
    return float(entry["input_cost_per_token"]), float(entry["output_cost_per_token"])


def _sorted(litellm: ModuleType, error: Exception) -> AttemptError:
    kinds = litellm.exceptions
    status = int(getattr(error, "status_code", None) or 0)
    # Its calls of other kinds than chat let the errors of OpenAI's client through as they are.
    from openai import APIConnectionError

    if isinstance(error, kinds.RateLimitError) or status == _TOO_MANY:
        return AttemptError(Fault.BUSY, status, _retry_after_s(error))
    passing = (
        APIConnectionError,
        kinds.APIConnectionError,
        kinds.InternalServerError,
        kinds.ServiceUnavailableError,
        kinds.BadGatewayError,
        kinds.Timeout,
    )
    if isinstance(error, passing) or status >= 500:
        return AttemptError(Fault.UNREACHABLE, status, _retry_after_s(error))
    if isinstance(error, kinds.APIResponseValidationError):
        return AttemptError(Fault.MALFORMED, status, found="an answer that cannot be read")
    return AttemptError(Fault.REFUSED, status)


def _retry_after_s(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    text = str(headers.get("retry-after", ""))
    # The other allowed form is a date; then the endpoint's own back-off serves as well.
    return float(text) if text.replace(".", "", 1).isdigit() else None


def _answer(response: object, latency_us: int) -> Answer:
    choices = getattr(response, "choices", None)
    if not choices:
        raise AttemptError(Fault.MALFORMED, 200, found="an answer without a choice")
    usage = getattr(response, "usage", None)
    read, written = (
        cast("int | None", getattr(usage, name, None))
        for name in ("prompt_tokens", "completion_tokens")
    )
    return Answer(
        text=choices[0].message.content,
        finish=_finish(choices[0]),
        input_tokens=read or None,
        output_tokens=written or None,
        latency_us=latency_us,
    )


def _finish(choice: object) -> str | None:
    named = getattr(choice, "provider_specific_fields", None) or {}
    reason = cast("str | None", getattr(choice, "finish_reason", None))
    own = named.get("native_finish_reason")
    return str(own) if reason == "stop" and own and own not in _CHOSEN_ENDS else reason


@contextmanager
def _own_warnings_ignored() -> Iterator[None]:
    """Ignore what LiteLLM's type declarations make pydantic say when its parts are loaded.

    Parts are loaded by the first call as well as by the import.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*`ReadOnly` qualifier", category=UserWarning)
        yield


def _litellm() -> ModuleType:
    """Return LiteLLM, its parts loaded: the first call must not be slower than the others."""
    with _LOADING:
        return _loaded()


@cache
def _loaded() -> ModuleType:
    # LiteLLM fetches a price list while it is imported unless this variable is set before;
    # it offers no argument for it. Nothing is read from the environment here.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # noqa: TID251 - see above
    try:
        with _own_warnings_ignored():
            import litellm
    except ImportError:
        raise MissingEngineError(
            "package 'litellm'",
            "no such package",
            "LiteLLM, which calls endpoints",
            "Install the extra: pip install 'firsthand[app]'.",
        ) from None
    litellm.suppress_debug_info = True
    _load_parts(litellm)
    return litellm


def _load_parts(litellm: ModuleType) -> None:
    # Most of LiteLLM is loaded by a call that goes all its way, which takes half a second of
    # processor time; nobody listens on the discard port of this machine, and nothing is said.
    from openai import OpenAIError

    with _own_warnings_ignored(), suppress(OpenAIError):
        litellm.completion(
            model="openai/nobody",
            messages=[{"role": "user", "content": "nothing"}],
            base_url="http://127.0.0.1:9/v1",
            api_key="none",
            timeout=1.0,
            num_retries=0,
            max_retries=0,
        )

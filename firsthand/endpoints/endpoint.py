"""An endpoint: one model behind one address, called with patience and within a budget."""

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import urlsplit

from firsthand.core.errors import FirsthandError
from firsthand.core.metering import count_engine_call
from firsthand.endpoints._client import (
    Answer,
    AttemptError,
    Fault,
    Target,
    attempt,
    listed_price,
)
from firsthand.endpoints.budget import Budget
from firsthand.endpoints.calls import Call
from firsthand.endpoints.errors import (
    EndpointAnswerError,
    EndpointBusyError,
    EndpointRefusedError,
    EndpointUnreachableError,
    ReplyWithheldError,
    UnknownPriceError,
)
from firsthand.endpoints.privacy import InputPrivacy, check_may_leave
from firsthand.endpoints.replies import Finish, Reply
from firsthand.endpoints.traffic import Lane, Passage

__all__ = ["Endpoint", "Patience", "Price"]

Result = TypeVar("Result")

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_PASSING = (Fault.BUSY, Fault.UNREACHABLE)
_FINISHES: dict[str, Finish] = {"stop": "stop", "length": "length"}


@dataclass(frozen=True, slots=True)
class Price:
    """What tokens cost.

    Args:
        input_usd: USD per token read.
        output_usd: USD per token written.
    """

    input_usd: float
    output_usd: float


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to try.

    Args:
        attempts: Most attempts of one call, at least 1.
        timeout_s: How long one attempt may take.
        longest_wait_s: Longest wait between attempts; an endpoint that asks for a longer
            one is given up.
        pause: Waits that many seconds.
    """

    attempts: int = 5
    timeout_s: float = 120.0
    longest_wait_s: float = 60.0
    pause: Callable[[float], None] = time.sleep


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model behind an address.

    Args:
        model: Provider and model as LiteLLM names them (`openai/<name>` for any server that
            speaks OpenAI's protocol).
        base_url: Address of the server; None for the provider's own.
        api_key: The key, handed in by an entry point; never shown.
        patience: How long to try.
        price: What tokens cost; None to look it up in LiteLLM's packaged list.
        clock_ns: Monotonic clock that latencies are read from.
        lane: How many calls may be under way; None if one thread alone calls.
    """

    model: str
    base_url: str | None
    api_key: str = field(repr=False)
    patience: Patience = field(default_factory=Patience)
    price: Price | None = None
    clock_ns: Callable[[], int] = field(default=time.perf_counter_ns, repr=False)
    lane: Lane | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """How errors and meters name it."""
        return f"endpoint {self.model!r}"

    @property
    def is_on_this_machine(self) -> bool:
        """Whether what is sent stays on this machine."""
        return self.base_url is not None and urlsplit(self.base_url).hostname in _HERE

    def complete(self, call: Call, privacy: InputPrivacy, budget: Budget | None = None) -> Reply:
        """Return the reply to a call; its latency is that of the attempt that succeeded.

        Args:
            call: What to send.
            privacy: What is known about what is sent.
            budget: What may be spent; every attempt counts as a call.

        Raises:
            PrivateInputError: If an original would leave this machine without consent.
            BudgetExceededError: If the budget is used up.
            UnknownPriceError: If the budget is in money and no price is known.
            EndpointRefusedError: If the endpoint will not serve the call.
            ReplyWithheldError: If it withholds the reply by its content rules.
            EndpointBusyError: If it kept asking to come back later.
            EndpointUnreachableError: If it could not be reached or failed every time.
            EndpointAnswerError: If it answered with something that is no reply.
        """
        if not self.is_on_this_machine:
            check_may_leave(self.name, privacy)
        budget = budget or Budget()
        price = self._price()
        if budget.limit_usd is not None and price is None:
            raise UnknownPriceError(
                self.name,
                f"a budget of {budget.limit_usd} USD and no price",
                "a price per token",
                "State the endpoint's price, or limit its calls instead.",
            )
        answer = self.attempted(lambda target: attempt(target, call, self.clock_ns), budget)
        cost_usd = _cost_usd(answer, price)
        # Whatever becomes of it, it was paid for.
        budget.spend(cost_usd, (answer.input_tokens or 0) + (answer.output_tokens or 0))
        return self._reply(answer, cost_usd)

    def attempted(self, send: Callable[[Target], Result], budget: Budget) -> Result:
        """Return what an attempt brought, trying again as long as patience and budget allow.

        Args:
            send: Makes one attempt.
            budget: What may be spent; every attempt counts as a call.

        Raises:
            BudgetExceededError: If the budget is used up.
            EndpointRefusedError: If the endpoint will not serve the call.
            EndpointBusyError: If it kept asking to come back later.
            EndpointUnreachableError: If it could not be reached or failed every time.
            EndpointAnswerError: If it answered with something that is no reply.
        """
        from tenacity import Retrying, retry_if_exception, stop_after_attempt

        target = Target(self.model, self.base_url, self.api_key, self.patience.timeout_s)
        retrying = Retrying(
            stop=stop_after_attempt(self._attempts),
            wait=lambda state: self._wait_s(_failure(state.outcome), state.attempt_number),
            retry=retry_if_exception(self._is_passing),
            sleep=self.patience.pause,
            reraise=True,
        )

        def once() -> Result:
            with self._passage() as passage:
                budget.take_call(self.name)
                count_engine_call(self.name)
                try:
                    return send(target)
                except AttemptError as error:
                    if error.fault in _PASSING:
                        passage.note_congestion(error.retry_after_s)
                    raise

        try:
            answer = retrying(once)
        except AttemptError as error:
            failed = self._failed(error)
        else:
            self._note(came_through=True)
            return answer
        self._note(came_through=failed.__class__ is EndpointRefusedError)
        raise failed

    @property
    def _attempts(self) -> int:
        # An endpoint that is down would cost every call its whole patience.
        is_down = self.lane is not None and self.lane.seems_down
        return 1 if is_down else self.patience.attempts

    def _passage(self) -> AbstractContextManager[Passage]:
        return nullcontext(Passage(0)) if self.lane is None else self.lane.passage()

    def _note(self, *, came_through: bool) -> None:
        if self.lane is None:
            return
        if came_through:
            self.lane.note_success()
        else:
            self.lane.note_given_up()

    def _is_passing(self, error: BaseException) -> bool:
        if not isinstance(error, AttemptError):
            return False
        too_long = (error.retry_after_s or 0) > self.patience.longest_wait_s
        return error.fault in _PASSING and not too_long

    def _wait_s(self, error: BaseException | None, attempts: int) -> float:
        if isinstance(error, AttemptError) and error.retry_after_s is not None:
            return error.retry_after_s
        return min(2.0 ** (attempts - 1), self.patience.longest_wait_s)

    def _failed(self, error: AttemptError) -> FirsthandError:
        tries = f"{error.found} after up to {self.patience.attempts} attempts"
        match error.fault:
            case Fault.BUSY:
                remedy = "Wait and run again, or send fewer calls at once."
                return EndpointBusyError(self.name, tries, "a reply", remedy)
            case Fault.UNREACHABLE:
                remedy = "Check that the server runs at its address and has the model."
                return EndpointUnreachableError(self.name, tries, "a reply", remedy)
            case Fault.REFUSED:
                remedy = "Check the key, the model's name, its input kinds and its length limit."
                return EndpointRefusedError(self.name, error.found, "a reply", remedy)
            case Fault.MALFORMED:
                return self._no_reply(error.found)

    def _no_reply(self, found: str) -> EndpointAnswerError:
        return EndpointAnswerError(
            self.name,
            found,
            "one text that ends by itself or by length",
            "Check that the address speaks OpenAI's chat protocol; the call is made again on "
            "the next run.",
        )

    def _reply(self, answer: Answer, cost_usd: float | None) -> Reply:
        if answer.finish == "content_filter":
            raise ReplyWithheldError(
                self.name,
                "a reply withheld by content rules",
                "a reply",
                "Record the ask as refused.",
            )
        finish = _FINISHES.get(answer.finish or "")
        if finish is None:
            raise self._no_reply(f"finish {(answer.finish or 'nothing')[:20]!r}")
        reply = Reply(
            text=answer.text or "",
            finish=finish,
            latency_us=answer.latency_us,
            latency_source="measured",
            input_tokens=answer.input_tokens,
            output_tokens=answer.output_tokens,
            cost_usd=cost_usd,
        )
        if not reply.is_storable:
            raise self._no_reply("no text")
        return reply

    def _price(self) -> Price | None:
        if self.price is not None or self.base_url is not None:
            return self.price
        listed = listed_price(self.model)
        return None if listed is None else Price(*listed)


def _cost_usd(answer: Answer, price: Price | None) -> float | None:
    if price is None or not answer.input_tokens or not answer.output_tokens:
        return None
    return answer.input_tokens * price.input_usd + answer.output_tokens * price.output_usd


def _failure(outcome: object) -> BaseException | None:
    """Return the exception of a finished attempt."""
    from tenacity import Future

    return outcome.exception() if isinstance(outcome, Future) else None

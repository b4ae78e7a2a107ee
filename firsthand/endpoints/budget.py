"""Budgets: limits on calls, money, tokens and time, checked before each call."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from firsthand.endpoints.errors import BudgetExceededError
from firsthand.endpoints.spending import Spending, Spent

__all__ = ["Budget"]


@dataclass(frozen=True, slots=True)
class Budget:
    """What may still be spent; the sum may be shared with other threads and workers.

    Calls under way when a limit is reached are paid for and may go over it: what a reply
    costs is known only afterwards.

    Args:
        limit_calls: Most attempts; None for no limit, as below.
        limit_usd: Most money.
        limit_tokens: Most tokens, read and written.
        ends_unix_s: When the last call may begin, as seconds of the clock.
        spending: What was spent so far.
        clock_s: Tells the time.
    """

    limit_calls: int | None = None
    limit_usd: float | None = None
    limit_tokens: int | None = None
    ends_unix_s: float | None = None
    spending: Spending = field(default_factory=Spending, repr=False)
    clock_s: Callable[[], float] = field(default=time.time, repr=False)

    @property
    def spent_usd(self) -> float:
        """Money spent so far."""
        return self.spending.total().usd

    def take_call(self, subject: str) -> None:
        """Count one attempt.

        Raises:
            BudgetExceededError: If calls, money, tokens or time are used up.
        """
        spent = self.spending.total()
        for limit, used, unit in (
            (self.limit_calls, spent.calls, "calls"),
            (self.limit_usd, spent.usd, "USD"),
            (self.limit_tokens, spent.tokens, "tokens"),
        ):
            if limit is not None and used >= limit:
                raise _exceeded(subject, f"{used:.6g} {unit} used", f"less than {limit} {unit}")
        if self.ends_unix_s is not None and self.clock_s() >= self.ends_unix_s:
            raise _exceeded(subject, "the time used up", "a call before the time is over")
        self.spending.add(Spent(calls=1))

    def spend(self, cost_usd: float | None, tokens: int = 0) -> None:
        """Add what an answer took; an unknown price adds nothing."""
        self.spending.add(Spent(usd=cost_usd or 0.0, tokens=tokens))


def _exceeded(subject: str, found: str, expected: str) -> BudgetExceededError:
    return BudgetExceededError(
        subject,
        found,
        expected,
        "Raise the budget and run again; stored replies are not asked twice.",
    )

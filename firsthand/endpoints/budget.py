"""Budgets: a limit on calls and on money, checked before each call."""

from dataclasses import dataclass, field

from firsthand.endpoints.errors import BudgetExceededError

__all__ = ["Budget"]


@dataclass(slots=True)
class Budget:
    """What one worker may still spend.

    Args:
        limit_calls: Most attempts; None for no limit.
        limit_usd: Most money; None for no limit. The last call may go over it, since its
            price is known only afterwards.
        calls: Attempts made.
        spent_usd: Money spent on replies.
    """

    limit_calls: int | None = None
    limit_usd: float | None = None
    calls: int = field(default=0)
    spent_usd: float = field(default=0.0)

    def take_call(self, subject: str) -> None:
        """Count one attempt.

        Raises:
            BudgetExceededError: If calls or money are used up.
        """
        no_calls = self.limit_calls is not None and self.calls >= self.limit_calls
        no_money = self.limit_usd is not None and self.spent_usd >= self.limit_usd
        if no_calls or no_money:
            raise BudgetExceededError(
                subject,
                f"{self.calls} calls and {self.spent_usd:.4f} USD used",
                f"less than {self.limit_calls} calls"
                if no_calls
                else f"less than {self.limit_usd} USD",
                "Raise the budget and run again; stored replies are not asked twice.",
            )
        self.calls += 1

    def spend(self, cost_usd: float | None) -> None:
        """Add what a reply cost; an unknown price adds nothing."""
        self.spent_usd += cost_usd or 0.0

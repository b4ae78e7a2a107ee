"""Real-Time Accuracy: the share of planned questions answered correctly in the window."""

import numpy as np

from firsthand.core.outcomes import PRECEDENCE, Outcome, RuleSet
from firsthand.metrics.columns import CODE_OF, NOT_MEASURED, AskColumns, VerdictColumns

__all__ = ["rta_verdicts", "timed_asks"]

_BEFORE_LATE = [CODE_OF[outcome] for outcome in PRECEDENCE[: PRECEDENCE.index(Outcome.LATE)]]


def timed_asks(asks: AskColumns, window_us: int) -> AskColumns:
    """Return the asks with `late` where the latency exceeds the window.

    The window is closed: exactly `window_us` is in time. An ask that was not put, failed,
    was refused or was cut off keeps that outcome, as the order of precedence says; so
    does one without a measured latency.
    """
    measured = asks.latency_us != NOT_MEASURED
    is_late = measured & (asks.latency_us > window_us) & ~np.isin(asks.outcome, _BEFORE_LATE)
    return AskColumns(np.where(is_late, CODE_OF[Outcome.LATE], asks.outcome), asks.latency_us)


def rta_verdicts(asks: AskColumns, *, window_us: int, rule_set: RuleSet) -> VerdictColumns:
    """Score each planned closed-form question 1 or 0.

    Args:
        asks: One row per planned question; questions never put are `not_asked`.
        window_us: T, from due; ignored under `official`, whose code never reads times.
        rule_set: Which definition applies. Under `official` the published figure is
            `Tally.recorded_only`, since its code knows recorded questions only.
    """
    seen = timed_asks(asks, window_us) if rule_set is RuleSet.PAPER else asks
    is_correct = seen.outcome == CODE_OF[Outcome.CORRECT]
    return VerdictColumns(is_correct.astype(np.float64), seen.outcome)

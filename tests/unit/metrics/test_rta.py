import numpy as np
import pytest

from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.metrics import NOT_MEASURED, AskColumns, outcome_codes, tally
from firsthand.metrics.rta import rta_verdicts

WINDOW_US = 5_000_000


def ask(outcome: Outcome, latency_us: int) -> AskColumns:
    return AskColumns(outcome_codes([outcome]), np.array([latency_us], np.int64))


def paper(outcome: Outcome, latency_us: int) -> tuple[float | None, Outcome]:
    asks = ask(outcome, latency_us)
    found = tally(rta_verdicts(asks, window_us=WINDOW_US, rule_set=RuleSet.PAPER))
    (ended,) = found.outcomes
    return found.mean, ended


def test_the_window_is_closed() -> None:
    assert paper(Outcome.CORRECT, WINDOW_US) == (1.0, Outcome.CORRECT)
    assert paper(Outcome.CORRECT, WINDOW_US + 1) == (0.0, Outcome.LATE)


def test_an_ask_without_a_measured_time_is_not_late() -> None:
    assert paper(Outcome.CORRECT, NOT_MEASURED) == (1.0, Outcome.CORRECT)


@pytest.mark.parametrize(
    "outcome",
    [Outcome.NOT_ASKED, Outcome.INFRASTRUCTURE_ERROR, Outcome.REFUSED, Outcome.TRUNCATED],
)
def test_what_comes_before_late_keeps_its_name(outcome: Outcome) -> None:
    assert paper(outcome, 9_000_000) == (0.0, outcome)


@pytest.mark.parametrize("outcome", [Outcome.UNPARSED, Outcome.WRONG])
def test_what_comes_after_late_is_late(outcome: Outcome) -> None:
    assert paper(outcome, 9_000_000) == (0.0, Outcome.LATE)


def test_official_never_looks_at_the_time() -> None:
    asks = ask(Outcome.CORRECT, 60_000_000)
    found = rta_verdicts(asks, window_us=WINDOW_US, rule_set=RuleSet.OFFICIAL)
    assert tally(found).mean == 1.0

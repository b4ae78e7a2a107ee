"""Survival of answers against lifelines."""

import warnings

import numpy as np
import pytest

from firsthand.core.outcomes import Outcome
from firsthand.core.time import SECOND_US
from firsthand.metrics import AskColumns, outcome_codes
from firsthand.metrics.persistence import (
    EVENTS,
    Event,
    PersistenceColumns,
    ProbeColumns,
    WindowVariant,
    persistence_columns,
)
from firsthand.metrics.survival import log_rank, survival_tally
from firsthand.protocols.policy import StreamingPolicy

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from lifelines import KaplanMeierFitter
    from lifelines.statistics import logrank_test
    from lifelines.utils import restricted_mean_survival_time

POLICY = StreamingPolicy()
GRID_S = np.arange(11) * 60.0


def run(seed: int, forgetting: float) -> PersistenceColumns:
    """A run in which some questions are never right, and some streams end early."""
    draw = np.random.default_rng(seed)
    initial = [Outcome.CORRECT if draw.random() < 0.8 else Outcome.WRONG for _ in range(120)]
    rows, rounds, ends = [], [], []
    for row in range(120):
        for number in range(1, int(draw.integers(0, 13)) + 1):
            passed = draw.random() > forgetting
            rows.append(row)
            rounds.append(number)
            ends.append(Outcome.CORRECT if passed else Outcome.WRONG)
            if not passed:
                break
    asks = AskColumns(outcome_codes(initial), np.zeros(120, np.int64))
    probes = ProbeColumns(
        np.array(rows),
        np.array(rounds),
        AskColumns(outcome_codes(ends), np.zeros(len(ends), np.int64)),
    )
    return persistence_columns(asks, probes, POLICY, WindowVariant.STRICT)


def observed(held: PersistenceColumns) -> tuple[np.ndarray, np.ndarray]:
    asked = held.event != EVENTS.index(Event.NEVER_CORRECT)
    failed = held.event[asked] == EVENTS.index(Event.FAILED)
    return held.persistence_us[asked] / SECOND_US, failed


@pytest.mark.parametrize("seed", range(4))
def test_the_curve_and_its_error_are_those_of_lifelines(seed: int) -> None:
    held = run(seed, 0.15)
    durations, failed = observed(held)
    fitter = KaplanMeierFitter().fit(durations, failed, timeline=GRID_S)
    found = survival_tally(held, POLICY)
    assert found.curve == pytest.approx(fitter.survival_function_at_times(GRID_S).to_numpy())
    at_risk = [int((durations >= moment).sum()) for moment in GRID_S]
    assert found.at_risk.tolist() == at_risk
    assert found.restricted_mean_us is not None
    mean_s = restricted_mean_survival_time(fitter, t=600)
    assert found.restricted_mean_us / SECOND_US == pytest.approx(mean_s)


def test_greenwoods_error_is_that_of_the_formula() -> None:
    held = run(7, 0.2)
    durations, failed = observed(held)
    found = survival_tally(held, POLICY)
    summed, wanted = 0.0, []
    for moment, share in zip(GRID_S, found.curve, strict=True):
        at_risk, lost = int((durations >= moment).sum()), int(failed[durations == moment].sum())
        if at_risk > lost:
            summed += lost / (at_risk * (at_risk - lost))
        wanted.append(share * np.sqrt(summed))
    assert found.standard_error == pytest.approx(wanted)


@pytest.mark.parametrize("seed", range(4))
def test_the_log_rank_test_is_that_of_lifelines(seed: int) -> None:
    one, other = run(seed, 0.1), run(100 + seed, 0.2)
    (first, first_failed), (second, second_failed) = observed(one), observed(other)
    with warnings.catch_warnings():
        # lifelines calls pandas in a way that pandas 4 will refuse; its numbers are right.
        warnings.simplefilter("ignore")
        wanted = logrank_test(first, second, first_failed, second_failed)
    found = log_rank(survival_tally(one, POLICY), survival_tally(other, POLICY))
    assert found is not None
    assert found.statistic == pytest.approx(wanted.test_statistic)
    assert found.p_value == pytest.approx(wanted.p_value)


def test_curves_without_a_failure_cannot_be_told_apart() -> None:
    held = run(1, 0.0)
    kept = survival_tally(held, POLICY)
    assert log_rank(kept, kept) is None
    assert (kept.curve == 1.0).all()
    assert kept.restricted_mean_us == 600 * SECOND_US


def test_reasons_of_censoring_are_counted() -> None:
    found = survival_tally(run(2, 0.1), POLICY)
    assert set(found.reasons) <= {"censored_cap", "censored_not_probed"}
    assert sum(found.reasons.values()) == found.censored.sum()

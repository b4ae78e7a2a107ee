"""Laws of Memory Persistence Time and of its survival curve."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.outcomes import Outcome
from firsthand.core.time import SECOND_US
from firsthand.metrics import AskColumns, outcome_codes, tally
from firsthand.metrics.persistence import (
    AskEnd,
    Event,
    Persistence,
    ProbeColumns,
    WindowVariant,
    persistence_columns,
    persistence_of,
    persistence_verdicts,
)
from firsthand.metrics.survival import survival_tally
from firsthand.protocols.policy import StreamingPolicy

POLICY = StreamingPolicy()
STEP = POLICY.probe_step_us
latencies = st.sampled_from([-1, 0, 4_999_999, 5_000_000, 5_000_001, 60_000_000])
ends = st.builds(
    AskEnd,
    st.sampled_from([Outcome.CORRECT, Outcome.CORRECT, Outcome.WRONG, Outcome.UNPARSED]),
    latencies,
)
questions = st.lists(st.tuples(ends, st.lists(ends, max_size=12)), min_size=1, max_size=6)
variants = st.sampled_from(list(WindowVariant))


def by_definition(
    initial: AskEnd, probes: list[AskEnd], variant: WindowVariant
) -> tuple[Event, int]:
    """The definition, one question and one probe at a time."""

    def counts(end: AskEnd, *, timed: bool) -> bool:
        return end.outcome is Outcome.CORRECT and not (timed and end.latency_us > 5 * SECOND_US)

    if not counts(initial, timed=variant is not WindowVariant.NO_WINDOW):
        return Event.NEVER_CORRECT, 0
    for number, probe in enumerate(probes[:10], start=1):
        if not counts(probe, timed=variant is WindowVariant.STRICT):
            return Event.FAILED, number * STEP
    return Event.CENSORED, min(len(probes), 10) * STEP


@given(questions, variants)
def test_persistence_is_the_time_of_the_first_failed_probe(
    found: list[tuple[AskEnd, list[AskEnd]]], variant: WindowVariant
) -> None:
    for initial, probes in found:
        held = persistence_of(initial, probes, POLICY, variant)
        assert (held.event, held.persistence_us) == by_definition(initial, probes, variant)
        assert (held.censored_by is not None) is (held.event is Event.CENSORED)


def columns_of(found: list[tuple[AskEnd, list[AskEnd]]]) -> tuple[AskColumns, ProbeColumns]:
    def asks(rows: list[AskEnd]) -> AskColumns:
        return AskColumns(
            outcome_codes(end.outcome for end in rows),
            np.array([end.latency_us for end in rows], np.int64),
        )

    flat = [
        (row, number, end)
        for row, (_, probes) in enumerate(found)
        for number, end in enumerate(probes, start=1)
    ][::-1]
    return asks([initial for initial, _ in found]), ProbeColumns(
        np.array([row for row, _, _ in flat], np.intp),
        np.array([number for _, number, _ in flat], np.int64),
        asks([end for _, _, end in flat]),
    )


@given(questions, variants)
def test_columns_hold_each_question_as_it_is_alone_in_any_order_of_probes(
    found: list[tuple[AskEnd, list[AskEnd]]], variant: WindowVariant
) -> None:
    held = persistence_columns(*columns_of(found), POLICY, variant)
    alone = [persistence_of(initial, probes, POLICY, variant) for initial, probes in found]
    assert [held.row(place) for place in range(len(found))] == alone


@given(questions)
def test_a_stricter_window_never_lengthens_persistence(
    found: list[tuple[AskEnd, list[AskEnd]]],
) -> None:
    asks, probes = columns_of(found)
    strict, initial, none = (
        persistence_columns(asks, probes, POLICY, variant).persistence_us
        for variant in WindowVariant
    )
    assert (strict <= initial).all()
    assert (initial <= none).all()
    assert (none <= 10 * STEP).all()


@given(questions, variants)
def test_the_mean_of_the_verdicts_is_mpt(
    found: list[tuple[AskEnd, list[AskEnd]]], variant: WindowVariant
) -> None:
    held = persistence_columns(*columns_of(found), POLICY, variant)
    mean = tally(persistence_verdicts(held)).mean
    assert mean is not None
    assert abs(mean - held.persistence_us.mean() / SECOND_US) < 1e-9


@given(questions, questions)
def test_survival_of_shards_adds_up_to_survival_of_the_whole(
    one: list[tuple[AskEnd, list[AskEnd]]], other: list[tuple[AskEnd, list[AskEnd]]]
) -> None:
    def survival(found: list[tuple[AskEnd, list[AskEnd]]]):  # noqa: ANN202 - local
        held = persistence_columns(*columns_of(found), POLICY, WindowVariant.STRICT)
        return survival_tally(held, POLICY)

    parts, whole = survival(one) + survival(other), survival(one + other)
    assert (parts.failed == whole.failed).all()
    assert (parts.censored == whole.censored).all()
    assert parts.reasons == whole.reasons
    curve = whole.curve
    assert ((curve >= 0) & (curve <= 1)).all()
    assert (np.diff(curve) <= 0).all()


def test_persistence_of_nothing_asked_is_never_correct() -> None:
    held = persistence_of(AskEnd(Outcome.NOT_ASKED), [], POLICY, WindowVariant.STRICT)
    assert held == Persistence(Event.NEVER_CORRECT, 0, 0, None)

"""Laws of adding up: no order and no sharding changes a tally."""

import pickle
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.outcomes import Outcome
from firsthand.metrics import (
    OVERALL,
    Grouping,
    Tally,
    VerdictColumns,
    group_tallies,
    merge_groups,
    outcome_codes,
    tally,
)

Rows = list[tuple[float, Outcome, str | None]]

outcomes = st.sampled_from(list(Outcome))
rows = st.lists(
    st.tuples(
        st.floats(0, 600, allow_nan=False),
        outcomes,
        st.sampled_from(["a", "b", "c", None]),
    ),
    max_size=40,
)


def columns(found: Rows) -> VerdictColumns:
    return VerdictColumns(
        np.array([score for score, _, _ in found], np.float64),
        outcome_codes(outcome for _, outcome, _ in found),
    )


def groups(found: Rows) -> Grouping:
    return Grouping.of([name for _, _, name in found])


@st.composite
def tallies(draw: st.DrawFn) -> Tally:
    return tally(columns(draw(rows)))


@given(tallies(), tallies(), tallies())
def test_adding_tallies_is_associative_and_commutative_with_an_identity(
    a: Tally, b: Tally, c: Tally
) -> None:
    assert (a + b) + c == a + (b + c) == c + b + a
    assert a + Tally() == a


@given(tallies())
def test_a_tally_survives_the_way_between_processes(a: Tally) -> None:
    assert pickle.loads(pickle.dumps(a)) == a  # noqa: S301 - our own bytes


@given(
    rows.flatmap(lambda found: st.tuples(st.just(found), st.permutations(found))), st.integers(1, 5)
)
def test_sharding_and_shard_order_never_change_a_tally(
    orders: tuple[Rows, Rows], shards: int
) -> None:
    found, shuffled = orders
    whole = group_tallies(columns(found), {"kind": groups(found)})
    parts = [shuffled[start::shards] for start in range(shards)]
    merged = merge_groups(group_tallies(columns(part), {"kind": groups(part)}) for part in parts)
    assert {key: sums for key, sums in merged.items() if sums.planned} == {
        key: sums for key, sums in whole.items() if sums.planned
    }


@given(rows)
def test_a_tally_is_the_exact_sum_to_the_last_tick(
    found: Rows,
) -> None:
    summed = tally(columns(found))
    exact = sum((Fraction(score) for score, _, _ in found), Fraction())
    assert abs(Fraction(summed.score_sum) - exact) <= Fraction(len(found) + 1, 2**40)
    assert summed.planned == len(found) == sum(summed.outcomes.values())


@given(rows)
def test_named_groups_and_nameless_rows_make_up_the_whole(
    found: Rows,
) -> None:
    by_kind = group_tallies(columns(found), {"kind": groups(found)})
    nameless = tally(columns([row for row in found if row[2] is None]))
    named = [sums for key, sums in by_kind.items() if key != OVERALL]
    assert sum(named, nameless) == by_kind[OVERALL]


@given(rows)
def test_means_stay_within_the_scores_and_recorded_only_is_no_smaller(
    found: Rows,
) -> None:
    summed = tally(columns(found))
    if summed.mean is None:
        assert not found
        return
    scores = [score for score, _, _ in found]
    assert min(scores) - 1e-9 <= summed.mean <= max(scores) + 1e-9
    if summed.recorded_only is not None:
        assert summed.recorded_only >= summed.mean

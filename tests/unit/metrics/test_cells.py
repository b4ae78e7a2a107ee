"""Sums of cells are the tallies and intervals that every row by itself would give."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.outcomes import Outcome
from firsthand.metrics import Grouping, VerdictColumns, group_tallies
from firsthand.metrics.cells import Cells
from firsthand.metrics.columns import CODE_OF, OUTCOMES
from firsthand.metrics.intervals import clustered_interval, interval_of_sums
from firsthand.metrics.tally import UNRECORDED

ROWS = st.lists(
    st.tuples(
        st.sampled_from([0.0, 0.5, 1.0, 1 / 3]),
        st.integers(0, len(OUTCOMES) - 1),
        st.sampled_from(["a", "b", None]),
        st.sampled_from(["x", "y", "z"]),
        st.integers(0, 4),
    ),
    min_size=1,
    max_size=40,
)
LOST = np.array([CODE_OF[outcome] for outcome in UNRECORDED], np.intp)


@given(ROWS)
def test_groups_and_intervals_of_cells_are_those_of_the_rows(
    drawn: list[tuple[float, int, str | None, str, int]],
) -> None:
    score = np.array([row[0] for row in drawn])
    outcome = np.array([row[1] for row in drawn], np.uint8)
    score[np.isin(outcome, LOST)] = 0.0
    verdicts = VerdictColumns(score, outcome)
    groups = {
        "first": Grouping.of([row[2] for row in drawn]),
        "second": Grouping.of([row[3] for row in drawn]),
    }
    clusters = np.array([row[4] for row in drawn], np.intp)
    cells = Cells.of(groups, clusters)
    sums = cells.add_up(verdicts)
    members = cells.members()
    found = {key: sums.tally(inside) for key, inside in members.items()}
    assert found == group_tallies(verdicts, groups)
    for key, inside in members.items():
        rows = inside[cells.of_row]
        for left_out in (None, LOST):
            kept = rows if left_out is None else rows & ~np.isin(outcome, left_out)
            held = cells.cluster_sums(sums, inside, left_out)
            if not kept.any():
                assert held is None
                continue
            assert held is not None
            by_cell = interval_of_sums(held, level=0.95, rng=np.random.default_rng(3))
            by_row = clustered_interval(
                score[kept], clusters[kept].astype(str), level=0.95, rng=np.random.default_rng(3)
            )
            assert (by_cell.method, by_cell.n) == (by_row.method, by_row.n), key
            ends = (by_cell.low, by_cell.high)
            assert ends == pytest.approx((by_row.low, by_row.high), abs=1e-9)


def test_clusters_of_one_mean_have_no_spread_whatever_order_they_are_added_up_in() -> None:
    third = 1 / 3
    score = np.array([0.0, 0.0, 0.0, 0.5, 0.5, 1.0, third])
    clusters = np.array([0, 0, 1, 1, 1, 0, 0])
    verdicts = VerdictColumns(score, np.full(7, CODE_OF[Outcome.PARTIAL]))
    cells = Cells.of({"kind": Grouping.of(["a"] * 7)}, clusters)
    held = cells.cluster_sums(cells.add_up(verdicts), np.ones(len(cells), np.bool_))
    assert held is not None
    rng = np.random.default_rng(3)
    # Both clusters have the mean 1/3, up to the grid on which scores are added up.
    assert held.total / held.size == pytest.approx([third, third])
    by_row = clustered_interval(score, clusters.astype(str), level=0.95, rng=rng)
    assert interval_of_sums(held, level=0.95, rng=np.random.default_rng(3)) == by_row


def test_a_group_of_no_rows_has_neither_score_nor_interval() -> None:
    groups = {"kind": Grouping(np.zeros(2, np.intp), ("full", "empty"))}
    cells = Cells.of(groups, np.zeros(2, np.intp))
    wrong = np.full(2, CODE_OF[Outcome.WRONG])
    sums = cells.add_up(VerdictColumns(np.zeros(2), wrong))
    empty = cells.members()["kind", "empty"]
    assert sums.tally(empty).mean is None
    assert cells.cluster_sums(sums, empty) is None

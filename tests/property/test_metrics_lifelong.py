"""Laws of Ref@N and of clue overlap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthand.core.outcomes import RuleSet
from firsthand.metrics.clue_grounding import acc_at_iou, clue_overlap, rec_at_iou
from firsthand.metrics.lifelong import IntervalColumns, ref_at_n

END_S = 1_000.0
moments = st.integers(-50, 1_100).map(float)
intervals = st.lists(st.tuples(moments, moments), max_size=5)
forward = st.lists(
    st.tuples(moments, moments).map(lambda pair: (min(pair), max(pair))), min_size=1, max_size=5
)
questions = st.lists(st.tuples(intervals, intervals), min_size=1, max_size=4)
bins = st.sampled_from([1.0, 7.0, 60.0, 300.0])
rule_sets = st.sampled_from(list(RuleSet))


def scores(pairs: list[tuple[list, list]], bin_s: float, rule_set: RuleSet) -> list[float]:
    found = ref_at_n(
        IntervalColumns.of([said for said, _ in pairs]),
        IntervalColumns.of([want for _, want in pairs]),
        np.full(len(pairs), END_S),
        bin_s=bin_s,
        rule_set=rule_set,
    )
    return list(found.score)


def bins_by_definition(found: list[tuple[float, float]], bin_s: float) -> set[int]:
    active: set[int] = set()
    for begin, end in found:
        if begin <= end and end >= 0 and begin <= END_S:
            low, high = max(begin, 0.0), min(end, END_S)
            active.update(range(int(low // bin_s), int(high // bin_s) + 1))
    return active


@given(questions, bins)
def test_ref_at_n_is_the_formula_over_sets_of_bins(
    pairs: list[tuple[list, list]], bin_s: float
) -> None:
    for (said, want), score in zip(pairs, scores(pairs, bin_s, RuleSet.PAPER), strict=True):
        p, g = bins_by_definition(said, bin_s), bins_by_definition(want, bin_s)
        assert score == (len(p & g) / len(p | g) if p | g else 1.0)


@given(questions, bins, rule_sets)
def test_ref_at_n_is_symmetric_and_bounded(
    pairs: list[tuple[list, list]], bin_s: float, rule_set: RuleSet
) -> None:
    there = scores(pairs, bin_s, rule_set)
    back = scores([(want, said) for said, want in pairs], bin_s, rule_set)
    assert there == back
    assert all(0.0 <= score <= 1.0 for score in there)


@given(questions, bins, rule_sets)
def test_questions_scored_together_score_as_each_alone(
    pairs: list[tuple[list, list]], bin_s: float, rule_set: RuleSet
) -> None:
    alone = [scores([pair], bin_s, rule_set)[0] for pair in pairs]
    assert scores(pairs, bin_s, rule_set) == alone


@given(intervals, forward, bins, st.data())
def test_adding_a_correct_bin_never_lowers_ref_at_n(
    said: list[tuple[float, float]],
    want: list[tuple[float, float]],
    bin_s: float,
    data: st.DataObject,
) -> None:
    right = sorted(bins_by_definition(want, bin_s))
    if not right:
        return
    middle = (data.draw(st.sampled_from(right)) + 0.5) * bin_s
    if middle > END_S:
        return
    more = [*said, (middle, middle)]
    before = scores([(said, want)], bin_s, RuleSet.PAPER)[0]
    assert scores([(more, want)], bin_s, RuleSet.PAPER)[0] >= before


@given(forward, bins)
def test_the_reference_itself_scores_full(want: list[tuple[float, float]], bin_s: float) -> None:
    assert scores([(want, want)], bin_s, RuleSet.PAPER) == [1.0]


@given(questions)
def test_clue_overlap_is_the_share_of_common_seconds(pairs: list[tuple[list, list]]) -> None:
    found = clue_overlap(
        IntervalColumns.of([said for said, _ in pairs]),
        IntervalColumns.of([want for _, want in pairs]),
        len(pairs),
    )
    for place, (said, want) in enumerate(pairs):
        # All ends are whole seconds, so that seconds can be counted one by one.
        p, g = ({s for a, b in part for s in range(int(a), int(b))} for part in (said, want))
        assert found.shared_s[place] == len(p & g)
        assert found.union_s[place] == len(p | g)
        assert found.iou[place] == (len(p & g) / len(p | g) if p | g else 0.0)


@given(questions, st.booleans())
def test_acc_at_iou_never_exceeds_rec_at_iou(
    pairs: list[tuple[list, list]], is_right: bool
) -> None:
    overlap = clue_overlap(
        IntervalColumns.of([said for said, _ in pairs]),
        IntervalColumns.of([want for _, want in pairs]),
        len(pairs),
    )
    recall = rec_at_iou(overlap).score
    accuracy = acc_at_iou(overlap, np.full(len(pairs), is_right)).score
    assert (accuracy <= recall).all()
    assert (recall <= 1.0).all()
    assert (accuracy == (recall if is_right else 0.0)).all()


def test_a_bin_without_length_is_an_error() -> None:
    with pytest.raises(ValueError, match="positive length"):
        scores([([], [])], 0.0, RuleSet.PAPER)

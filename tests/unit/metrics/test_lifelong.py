from fractions import Fraction

import numpy as np
import pytest

from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.core.time import SECOND_US, Span
from firsthand.metrics import ANSWERED, tally
from firsthand.metrics.clue_grounding import clue_recovery_rate
from firsthand.metrics.columns import CODE_OF
from firsthand.metrics.lifelong import (
    IntervalColumns,
    accuracy_verdicts,
    certificate_bands,
    is_lifelong,
    ref_at_n,
    ref_verdicts,
    t_dur_us,
    t_span_us,
)

HOUR_US = 3_600 * SECOND_US


def test_both_empty_is_full_agreement_under_paper_and_zero_under_official() -> None:
    nothing = IntervalColumns.of([[]])
    for rule_set, score in ((RuleSet.PAPER, 1.0), (RuleSet.OFFICIAL, 0.0)):
        found = ref_at_n(nothing, nothing, np.array([60.0]), bin_s=60, rule_set=rule_set)
        assert (found.score[0], bool(found.both_empty[0])) == (score, True)


def test_times_that_are_not_finite_are_an_error() -> None:
    broken = IntervalColumns.of([[(0.0, float("nan"))]])
    with pytest.raises(ValueError, match="not finite"):
        ref_at_n(broken, broken, np.array([60.0]), bin_s=60, rule_set=RuleSet.PAPER)


def test_an_unread_reply_scores_nothing_even_where_nothing_was_to_be_found() -> None:
    nothing = IntervalColumns.of([[], []])
    found = ref_at_n(nothing, nothing, np.array([60.0, 60.0]), bin_s=60, rule_set=RuleSet.PAPER)
    lost = np.array([ANSWERED, np.int16(CODE_OF[Outcome.NOT_ASKED])], np.int16)
    summed = tally(ref_verdicts(found, lost))
    assert (summed.mean, summed.recorded_only) == (0.5, 1.0)


def test_accuracy_is_shown_over_valid_and_over_all_items() -> None:
    summed = tally(
        accuracy_verdicts([Fraction(1), Fraction(1, 2), Fraction(0), Outcome.JUDGE_FAILED])
    )
    assert (summed.mean, summed.judged_only) == (0.375, 0.5)


def test_certificates_on_an_edge_belong_to_the_longer_band() -> None:
    bands = certificate_bands(np.array([0, 599.9, 600, 3_600, 36_000], np.float64))
    names = [bands.names[code] for code in bands.codes]
    assert names == ["<10min", "<10min", "10min-1h", "1h-10h", ">10h"]


def test_durations_add_up_and_spans_reach_from_first_to_last() -> None:
    clips = [Span(0, 6 * HOUR_US), Span(20 * HOUR_US, 26 * HOUR_US)]
    assert (t_dur_us(clips), t_span_us(clips)) == (12 * HOUR_US, 26 * HOUR_US)
    assert is_lifelong(clips, subjects=1)
    assert not is_lifelong(clips, subjects=2)
    assert not is_lifelong(clips[:1], subjects=1)
    assert (t_dur_us([]), t_span_us([])) == (0, 0)


def test_the_recovery_rate_is_a_ratio_of_accuracies() -> None:
    assert clue_recovery_rate(0.3, 0.6) == 0.5
    assert clue_recovery_rate(0.7, 0.6) == 1.0
    assert clue_recovery_rate(0.3, 0.0) is None

import numpy as np
import pytest

from firsthand.core.outcomes import Outcome
from firsthand.metrics import OVERALL, Grouping, Tally, VerdictColumns, group_tallies
from firsthand.metrics.columns import ANSWERED, graded_verdicts, outcome_codes


def test_the_headline_counts_planned_asks_and_recorded_only_is_a_second_figure() -> None:
    found = Tally.of(
        5.0,
        {
            Outcome.CORRECT: 5,
            Outcome.WRONG: 3,
            Outcome.INFRASTRUCTURE_ERROR: 1,
            Outcome.NOT_ASKED: 1,
        },
    )
    assert (found.planned, found.recorded, found.mean, found.recorded_only) == (10, 8, 0.5, 0.625)
    assert not found.is_complete


def test_nothing_planned_has_no_mean_instead_of_zero() -> None:
    assert (Tally().mean, Tally().recorded_only, Tally().judged_only) == (None, None, None)


def test_failed_judgements_leave_the_valid_figure_alone() -> None:
    found = Tally.of(1.5, {Outcome.CORRECT: 1, Outcome.PARTIAL: 1, Outcome.JUDGE_FAILED: 2})
    assert (found.mean, found.judged_only) == (0.375, 0.75)


def test_outcomes_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(ValueError, match="as many outcomes"):
        Tally(0, 2, {Outcome.WRONG: 1})


def test_a_grouping_of_another_length_is_refused() -> None:
    verdicts = graded_verdicts(np.array([1.0, 0.0]))
    with pytest.raises(ValueError, match="has 1 rows"):
        group_tallies(verdicts, {"level": Grouping.of(["L1"])})


def test_rows_without_a_name_count_overall_alone() -> None:
    verdicts = graded_verdicts(np.array([1.0, 0.0]))
    found = group_tallies(verdicts, {"level": Grouping.of(["L1", None])})
    assert (found[OVERALL].planned, found["level", "L1"].planned) == (2, 1)
    assert len(found) == 2


def test_scores_name_their_outcome_unless_no_reply_was_read() -> None:
    refused = np.int16(int(outcome_codes([Outcome.REFUSED])[0]))
    found = graded_verdicts(
        np.array([1.0, 0.5, 0.0, 1.0]), np.array([ANSWERED, ANSWERED, ANSWERED, refused])
    )
    wanted = [Outcome.CORRECT, Outcome.PARTIAL, Outcome.WRONG, Outcome.REFUSED]
    assert found.outcome.tolist() == outcome_codes(wanted).tolist()
    assert found.score.tolist() == [1.0, 0.5, 0.0, 0.0]


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="differ in shape"):
        VerdictColumns(np.zeros(2), np.zeros(3, np.uint8))


def test_an_unknown_outcome_is_an_error() -> None:
    with pytest.raises(KeyError):
        outcome_codes(["lost"])

"""What a release demands of the agreement of each queue, and what stands in for it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.metrics import cohen_kappa_score

from firsthand.curation.agreement import (
    AgreementOverride,
    AgreementTooLowError,
    Measure,
    QueueAgreement,
    agreement_lines,
    agreement_of,
    annotated,
    check_agreement,
    review_json,
)
from firsthand.curation.double_review import Annotation, Verdict
from firsthand.curation.revisions import ReviewItem
from tests.unit.curation.deciding import decides
from tests.unit.curation.test_reviewing import ITEM

OVERRIDE = AgreementOverride("Ada", "The two read the guide differently.")
Pairs = list[tuple[str, str]]


def questions(said: Pairs, least: float | None = 0.8, waiting: int = 0) -> QueueAgreement:
    """Return the agreement of two who said these verdicts; some items wait for a second."""
    pairs = [
        tuple(
            Annotation(name, Verdict(one), ITEM, settled=True)
            for name, one in zip("ab", two, strict=True)
        )
        for two in said
    ]
    alone = [(Annotation("a", Verdict.ACCEPT, ITEM, settled=True),)] * waiting
    return QueueAgreement("draft", 1.0, least, agreement_of([*pairs, *alone]))


def window(end_us: int) -> ReviewItem:
    return ReviewItem.of(
        "stroke",
        "r1/R1",
        {
            "recording_id": "r1",
            "referent_id": "R1",
            "phrase": "this",
            "begin_us": 0,
            "end_us": end_us,
            "revision": 0,
        },
    )


def windows(ends_ms: list[tuple[int, int]], least: float | None = None) -> QueueAgreement:
    """Return the agreement of two who both set every window anew, to these ends."""
    pairs = [
        tuple(
            Annotation(name, Verdict.CHANGE, window(end_ms * 1000), settled=True)
            for name, end_ms in zip("ab", two, strict=True)
        )
        for two in ends_ms
    ]
    return QueueAgreement("stroke", 0.5, least, agreement_of(pairs))


VERDICTS = st.sampled_from(["accept", "change", "reject", "unsure"])


@settings(deadline=None)  # the other library's first answers take long
@given(st.lists(st.tuples(VERDICTS, VERDICTS), min_size=2, max_size=40), st.floats(-1, 0.99))
def test_questions_pass_where_the_kappa_of_another_library_lies_above(
    said: Pairs, least: float
) -> None:
    found = questions(said, least)
    if len({verdict for two in said for verdict in two}) == 1:
        assert not found.is_met
        return
    kappa = cohen_kappa_score([one for one, _ in said], [other for _, other in said])
    assert found.value == pytest.approx(kappa)
    if abs(kappa - least) > 1e-9:
        assert found.is_met is bool(kappa > least)


@given(st.integers(1, 30), st.integers(0, 30), st.floats(0.01, 1))
def test_windows_pass_where_enough_are_alike(n: int, apart: int, least: float) -> None:
    apart = min(n, apart)
    # The tolerance is 200 ms at an end: 199 ms apart is alike, 201 ms is not.
    found = windows([(1_000, 1_199)] * (n - apart) + [(1_000, 1_201)] * apart, least)
    assert found.value == (n - apart) / n
    assert found.is_met is ((n - apart) / n >= least)
    wanted = binomtest(n - apart, n).proportion_ci(0.95, "wilson")
    assert found.interval == pytest.approx((wanted.low, wanted.high))


def test_kappa_says_nothing_of_windows_that_everybody_sets_anew() -> None:
    found = windows([(1_000, 1_100)] * 9 + [(1_000, 2_000)])
    assert (found.measure, found.value) == (Measure.ALIKE, 0.9)
    # As labels, one always says "change", and the other so nine times of ten.
    labels = ["change"] * 10, ["change"] * 9 + ["another change"]
    assert cohen_kappa_score(*labels) == 0.0


def test_a_queue_of_which_nothing_is_demanded_stops_no_release() -> None:
    check_agreement([questions([], None), windows([(0, 9_000)])], "small")


def test_every_queue_that_falls_short_is_named_with_what_was_demanded() -> None:
    low = [
        questions([("accept", "reject"), ("accept", "accept"), ("reject", "reject")]),
        windows([(1_000, 1_100), (1_000, 2_000)], 0.75),
    ]
    with pytest.raises(AgreementTooLowError) as caught:
        check_agreement(low, "small")
    said = cohen_kappa_score([0, 0, 1], [1, 0, 1])
    assert f"questions: agreement on 2 of 3 items, kappa {said:.3f}" in caught.value.found
    assert "strokes: agreement on 1 of 2 items, share alike 0.500" in caught.value.found
    assert "questions kappa above 0.8" in caught.value.expected
    assert "strokes share alike at least 0.75" in caught.value.expected
    check_agreement(low, "small", OVERRIDE)
    met = windows([(1_000, 1_100)], 0.75)
    check_agreement([met], "small")
    with pytest.raises(AgreementTooLowError) as caught:
        check_agreement([*low[:1], met], "small")
    assert "strokes" not in str(caught.value)


def test_too_few_decided_by_two_is_no_agreement_however_well_these_agree() -> None:
    alike = [("accept", "accept"), ("reject", "reject")] * 5
    assert questions(alike).is_met
    with pytest.raises(AgreementTooLowError, match="questions: 10 of 11 chosen items decided by"):
        check_agreement([questions(alike, waiting=1)], "small")
    with pytest.raises(AgreementTooLowError, match="strokes: no item chosen for two"):
        check_agreement([windows([], 0.5)], "small")


def test_what_waits_for_nobody_counts_once_somebody_decided_on_it() -> None:
    told = [replace(ITEM, item_id=name) for name in ("told", "untold", "silent")]
    decisions = {"told": [], "untold": [decides(told[1], "accept", "a")], "silent": []}
    given_by = annotated(
        told, lambda item: decisions[item.item_id], lambda item: item.item_id != "told"
    )
    assert agreement_of(given_by).chosen == 2


def test_the_manifest_states_each_queue_and_who_did_without() -> None:
    low, high = (
        windows([(1_000, 2_000)], 0.75),
        questions([("accept", "accept"), ("reject", "reject")]),
    )
    said = review_json([high, low], OVERRIDE)
    assert said["agreement_override"] == {"name": "Ada", "reason": OVERRIDE.reason}
    queues = said["queues"]
    assert isinstance(queues, dict)
    wanted = {"share": 0.5, "least": 0.75, "value": 0.0, "decided_by_two": 1, "is_met": False}
    assert wanted.items() <= queues["stroke"].items()
    assert queues["draft"]["is_met"] is True
    assert review_json([high], OVERRIDE)["agreement_override"] is None


def test_the_report_says_of_each_queue_what_was_found_and_demanded() -> None:
    lines = agreement_lines([questions([]), windows([(1_000, 1_100)] * 3 + [(0, 900)], 0.75)])
    assert not [line for line in lines if line.startswith("| questions")]
    (row,) = [line for line in lines if line.startswith("| strokes")]
    low, high = binomtest(3, 4).proportion_ci(0.95, "wilson")
    assert f"| 4 | 4 | 3 | share alike 0.750 ({low:.3f} to {high:.3f}) |" in row
    assert row.endswith("| share alike at least 0.75 |")
    assert agreement_lines([questions([])]) == []

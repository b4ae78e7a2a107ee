"""Ref@N against the golden interval sets, under both rule sets."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from firsthand.core.outcomes import RuleSet
from firsthand.metrics.lifelong import IntervalColumns, RefAtN, ref_at_n


def scored(cases: list[Any], bin_s: float, rule_set: RuleSet) -> RefAtN:
    return ref_at_n(
        IntervalColumns.of([case["pred"] for case in cases]),
        IntervalColumns.of([case["gt"] for case in cases]),
        np.array([case["T"] for case in cases], np.float64),
        bin_s=bin_s,
        rule_set=rule_set,
    )


def by_bin(cases: list[Any]) -> dict[float, list[Any]]:
    groups = defaultdict(list)
    for case in cases:
        groups[case["N"]].append(case)
    return groups


def test_paper_counts_the_bins_of_the_formula(golden: Any) -> None:
    for bin_s, cases in by_bin(golden("ref_at_n.json")["cases"]).items():
        found = scored(cases, bin_s, RuleSet.PAPER)
        assert found.predicted.tolist() == [case["n_pred_bins"] for case in cases]
        assert found.truth.tolist() == [case["n_gt_bins"] for case in cases]
        assert found.shared.tolist() == [case["n_inter"] for case in cases]
        assert found.union.tolist() == [case["n_union"] for case in cases]
        assert found.score * 100 == pytest.approx([case["value"] for case in cases], abs=1e-9)
        flagged = ["union_empty" in case["flags"] for case in cases]
        assert found.both_empty.tolist() == flagged


def test_official_agrees_with_the_released_evaluator(golden: Any) -> None:
    for bin_s, cases in by_bin(golden("ref_at_n.json")["cases"]).items():
        found = scored(cases, bin_s, RuleSet.OFFICIAL)
        assert found.score * 100 == pytest.approx([case["official"] for case in cases], abs=1e-9)


def test_mean_over_all_cases_agrees_with_the_summary(golden: Any) -> None:
    vectors = golden("ref_at_n.json")
    for bin_s, cases in by_bin(vectors["cases"]).items():
        mean = scored(cases, bin_s, RuleSet.PAPER).score.mean() * 100
        wanted = vectors["summary"]["by_N"][str(bin_s)]
        assert (len(cases), mean) == (wanted["count"], pytest.approx(wanted["mean"], abs=1e-9))

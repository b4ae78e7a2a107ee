"""Intervals and comparisons against scipy, statsmodels and simulation."""

import warnings

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from firsthand.metrics.comparison import (
    Comparison,
    RankInterval,
    holm,
    minimum_detectable_effect,
    paired_comparison,
    rank_intervals,
)
from firsthand.metrics.intervals import (
    ClusterSums,
    Interval,
    IntervalMethod,
    clustered_interval,
)

LEVEL = 0.95


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def clustered_scores(
    clusters: int, spread: float, seed: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.str_]]:
    draw = rng(seed)
    sizes = draw.integers(40, 120, clusters)
    shares = np.clip(0.4 + spread * draw.standard_normal(clusters), 0, 1)
    pairs = zip(sizes, shares, strict=True)
    scores = np.concatenate([draw.random(size) < share for size, share in pairs])
    return scores.astype(np.float64), np.repeat(np.arange(clusters).astype(str), sizes)


def test_the_standard_error_is_that_of_statsmodels_cluster_robust_regression() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import statsmodels.api as sm

    scores, ids = clustered_scores(12, 0.1, 1)
    groups = np.unique(ids, return_inverse=True)[1]
    model = sm.OLS(scores, np.ones(len(scores)))
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False})
    sums = ClusterSums.of(scores, ids)
    assert sums.mean == pytest.approx(fit.params[0])
    assert sums.standard_error == pytest.approx(fit.bse[0] * np.sqrt(12 / 11))


def test_many_clusters_take_students_t_as_scipy_has_it() -> None:
    scores, ids = clustered_scores(30, 0.1, 2)
    found = clustered_interval(scores, ids, level=LEVEL, rng=rng())
    sums = ClusterSums.of(scores, ids)
    low, high = stats.t.interval(LEVEL, 29, loc=sums.mean, scale=sums.standard_error)
    assert (found.method, found.clusters, found.n) == (IntervalMethod.STUDENT_T, 30, len(scores))
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)


def test_clusters_of_one_row_give_the_plain_t_interval() -> None:
    scores = rng(3).random(40)
    found = clustered_interval(scores, np.arange(40).astype(str), level=0.9, rng=rng())
    low, high = stats.t.interval(0.9, 39, loc=scores.mean(), scale=stats.sem(scores))
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_all_wrong_and_all_right_take_wilsons_interval(share: float) -> None:
    from statsmodels.stats.proportion import proportion_confint

    scores = np.full(20, share)
    found = clustered_interval(scores, ["a"] * 10 + ["b"] * 10, level=LEVEL, rng=rng())
    low, high = proportion_confint(20 * share, 20, alpha=0.05, method="wilson")
    assert found.method is IntervalMethod.WILSON
    assert found.low == pytest.approx(low, abs=1e-9)
    assert found.high == pytest.approx(high, abs=1e-9)


def test_one_cluster_says_so() -> None:
    scores = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    found = clustered_interval(scores, ["only"] * 5, level=LEVEL, rng=rng())
    low, high = stats.t.interval(LEVEL, 4, loc=scores.mean(), scale=stats.sem(scores))
    assert (found.method, found.clusters) == (IntervalMethod.ONE_CLUSTER, 1)
    assert (found.low, found.high) == (max(low, 0.0), min(high, 1.0))


def test_one_row_tells_nothing() -> None:
    found = clustered_interval(np.array([0.5]), ["a"], level=LEVEL, rng=rng())
    assert found == Interval(0.0, 1.0, IntervalMethod.ONE_ROW, 1, 1)


def test_few_clusters_are_bootstrapped_repeatably_and_no_narrower_than_t() -> None:
    scores, ids = clustered_scores(5, 0.1, 4)
    found = clustered_interval(scores, ids, level=LEVEL, rng=rng(9))
    again = clustered_interval(scores, ids, level=LEVEL, rng=rng(9))
    sums = ClusterSums.of(scores, ids)
    low, high = stats.t.interval(LEVEL, 4, loc=sums.mean, scale=sums.standard_error)
    assert found == again
    assert found.method is IntervalMethod.CLUSTER_BOOTSTRAP
    assert found.low <= low
    assert found.high >= high


@pytest.mark.parametrize("clusters", [4, 5, 10])
def test_few_clusters_are_covered_about_as_often_as_claimed(
    clusters: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firsthand.metrics.intervals._RESAMPLES", 499)
    trials, covered = 300, 0
    for seed in range(trials):
        scores, ids = clustered_scores(clusters, 0.08, 1_000 + seed)
        found = clustered_interval(scores, ids, level=LEVEL, rng=rng(seed))
        covered += found.low <= 0.4 <= found.high
    # Three standard errors of 300 trials are 0.038.
    assert covered / trials == pytest.approx(LEVEL, abs=0.045)


def test_nothing_to_average_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 scores"):
        clustered_interval(np.array([]), [], level=LEVEL, rng=rng())
    with pytest.raises(ValueError, match="confidence level"):
        clustered_interval(np.array([1.0]), ["a"], level=95, rng=rng())


@pytest.mark.parametrize("seed", range(5))
def test_the_exact_permutation_is_scipys_sign_flip_of_cluster_sums(seed: int) -> None:
    draw = rng(seed)
    ids = np.repeat(np.arange(8).astype(str), 6)
    first, second = draw.random(48), draw.random(48)
    found = paired_comparison(first, second, ids, level=LEVEL, rng=rng())
    sums = ClusterSums.of(first - second, ids).total
    reference = stats.permutation_test(
        (sums,), np.sum, permutation_type="samples", n_resamples=np.inf
    )
    assert found.is_exact
    assert found.p_value == pytest.approx(reference.pvalue)
    assert found.smallest_p == 2 / 2**8
    assert found.difference == pytest.approx((first - second).mean())


def test_five_participants_can_never_reach_five_percent() -> None:
    ids = np.repeat(np.arange(5).astype(str), 10)
    found = paired_comparison(np.ones(50), np.zeros(50), ids, level=LEVEL, rng=rng())
    assert found.p_value == found.smallest_p == 0.0625


def test_sampled_permutations_come_near_the_t_test_of_many_clusters() -> None:
    draw = rng(5)
    ids = np.arange(60).astype(str)
    gap = draw.normal(0.1, 0.4, 60)
    found = paired_comparison(gap, np.zeros(60), ids, level=LEVEL, rng=rng())
    assert not found.is_exact
    assert found.p_value == pytest.approx(stats.ttest_1samp(gap, 0).pvalue, abs=0.01)


@pytest.mark.parametrize("seed", range(4))
def test_holm_is_statsmodels_holm(seed: int) -> None:
    from statsmodels.stats.multitest import multipletests

    p_values = list(rng(seed).random(9) ** 3)
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


def test_holm_of_nothing_is_nothing() -> None:
    assert holm([]) == []


@pytest.mark.parametrize("clusters", [3, 5, 20])
@pytest.mark.parametrize("power", [0.8, 0.9])
def test_the_detectable_effect_has_the_power_that_statsmodels_computes(
    clusters: int, power: float
) -> None:
    from statsmodels.stats.power import TTestPower

    found = minimum_detectable_effect(0.02, clusters, level=LEVEL, power=power)
    effect = found / 0.02 / np.sqrt(clusters)
    reached = TTestPower().power(effect, clusters, alpha=0.05)
    assert reached == pytest.approx(power, abs=1e-6)


def test_one_cluster_can_detect_nothing() -> None:
    with pytest.raises(ValueError, match="at least 2 clusters"):
        minimum_detectable_effect(0.1, 1)


def compared(difference: float, p_value: float) -> Comparison:
    interval = Interval(-1.0, 1.0, IntervalMethod.STUDENT_T, 20, 100)
    return Comparison(difference, interval, p_value, 0.0, is_exact=True)


def test_ranks_leave_open_what_the_comparisons_leave_open() -> None:
    found = rank_intervals(
        ["a", "b", "c"],
        {
            ("a", "b"): compared(0.01, 0.9),
            ("c", "a"): compared(-0.2, 0.001),
            ("b", "c"): compared(0.19, 0.002),
        },
        level=LEVEL,
    )
    assert found == {"a": RankInterval(1, 2), "b": RankInterval(1, 2), "c": RankInterval(3, 3)}


def test_ranks_need_every_pair() -> None:
    with pytest.raises(KeyError):
        rank_intervals(["a", "b"], {}, level=LEVEL)

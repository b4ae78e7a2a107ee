"""Agreement against scikit-learn, and against Krippendorff's own worked example."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from sklearn.metrics import f1_score as sklearn_f1

from firsthand.metrics.agreement import Scale, cohens_kappa, f1_score, krippendorffs_alpha

# The reliability data of Krippendorff's "Computing alpha-reliability" (4 observers, 12 units).
OBSERVERS: list[list[float | str | None]] = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def test_alpha_of_the_worked_example() -> None:
    assert krippendorffs_alpha(OBSERVERS, Scale.NOMINAL) == pytest.approx(0.743, abs=5e-4)
    assert krippendorffs_alpha(OBSERVERS, Scale.INTERVAL) == pytest.approx(0.849, abs=5e-4)


def test_alpha_needs_variation_and_pairs() -> None:
    assert krippendorffs_alpha([[1, 1], [1, 1]], Scale.INTERVAL) is None
    assert krippendorffs_alpha([[1, None], [None, 2]], Scale.NOMINAL) is None
    assert krippendorffs_alpha([["a", "b"], ["a", "b"]], Scale.NOMINAL) == 1.0


def test_raters_must_list_the_same_items() -> None:
    with pytest.raises(ValueError, match=r"shorter|longer"):
        krippendorffs_alpha([[1, 2], [1]], Scale.NOMINAL)


@pytest.mark.parametrize("seed", range(5))
def test_kappa_is_that_of_scikit_learn(seed: int) -> None:
    draw = np.random.default_rng(seed)
    one = draw.integers(0, 4, 60).tolist()
    other = [label if draw.random() < 0.6 else int(draw.integers(0, 4)) for label in one]
    assert cohens_kappa(one, other) == pytest.approx(cohen_kappa_score(one, other))


def test_kappa_is_undefined_where_agreement_is_certain() -> None:
    assert cohens_kappa(["a", "a"], ["a", "a"]) is None
    assert cohens_kappa([], []) is None


@pytest.mark.parametrize("seed", range(5))
def test_f1_is_that_of_scikit_learn(seed: int) -> None:
    draw = np.random.default_rng(seed)
    truth, found = (draw.random(50) < 0.4).tolist(), (draw.random(50) < 0.5).tolist()
    assert f1_score(truth, found) == pytest.approx(sklearn_f1(truth, found))


def test_f1_of_nothing_to_find_is_undefined() -> None:
    assert f1_score([False], [False]) is None
    assert f1_score([True], [False]) == 0.0

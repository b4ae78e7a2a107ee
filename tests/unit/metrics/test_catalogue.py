"""Every metric is described, has a card, and stays importable by itself."""

import subprocess
import sys
from pathlib import Path

import pytest

from firsthand.core.errors import UnknownNameError
from firsthand.metrics.catalogue import METRICS

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", list(METRICS))
def test_a_metric_has_bounds_a_direction_and_a_card(name: str) -> None:
    metric = METRICS[name]
    assert metric.bounds[0] < metric.bounds[1]
    assert metric.higher_is_better
    assert (ROOT / "docs" / "metrics" / f"{metric.card}.md").exists()


def test_mpt_is_printed_in_minutes() -> None:
    unit, factor = METRICS["mpt"].printed_in
    assert (unit, factor * 150) == ("min", 2.5)


def test_an_unknown_metric_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="acc_cls, acc_eco"):
        METRICS["acc"]


def test_importing_metrics_and_answers_brings_no_heavy_package() -> None:
    modules = sorted(
        f"firsthand.{room}.{path.stem}"
        for room in ("metrics", "answers")
        for path in (ROOT / "firsthand" / room).glob("[a-z]*.py")
    )
    code = (
        "import importlib, sys\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "heavy = {'pandas', 'torch', 'prefect', 'dask', 'scipy', 'pyarrow', 'duckdb', 'PIL'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"

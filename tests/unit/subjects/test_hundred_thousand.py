"""A hundred thousand asks run with flat memory."""

from pathlib import Path

import pytest

from benchmarks.bench_asks import measure_asking


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_hundred_thousand_asks_run_with_flat_memory(tmp_path: Path) -> None:
    cost = measure_asking(100, tmp_path)
    assert cost.asks == 100_000
    # The places of replies in their logs are all that grows: about 200 bytes an ask.
    assert cost.grown_mib < 64, str(cost)

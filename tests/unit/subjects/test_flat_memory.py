"""Many asks run with flat memory; `make bench-asks` does the same with a hundred thousand."""

from pathlib import Path

import pytest

from benchmarks.bench_asks import measure_asking


@pytest.mark.slow
def test_twenty_thousand_asks_run_with_flat_memory(tmp_path: Path) -> None:
    cost = measure_asking(20, tmp_path)
    assert cost.asks == 20_000
    # The places of replies in their logs are all that grows: about 200 bytes an ask.
    assert cost.grown_mib < 16, str(cost)

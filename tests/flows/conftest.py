"""Workplaces of the tests that build a benchmark in processes of their own."""

from collections.abc import Callable

import pytest

from tests.flows.workplace import Workplace, make_benchmark


@pytest.fixture(scope="session")
def new_workplace(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Workplace]:
    """Return a function that makes a fresh workplace."""

    def make(name: str) -> Workplace:
        folder = tmp_path_factory.mktemp(name)
        make_benchmark(folder / "benchmark")
        return Workplace(folder)

    return make


@pytest.fixture(scope="session")
def built(new_workplace: Callable[[str], Workplace]) -> Workplace:
    """A workplace whose benchmark was built once, undisturbed."""
    workplace = new_workplace("built")
    status = workplace.build()
    assert status == 3, workplace.output()
    return workplace

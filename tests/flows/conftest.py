"""Workplaces of the tests that build a benchmark in processes of their own."""

from collections.abc import Callable, Iterator

import pytest

from tests.flows.dask_clients import close_used
from tests.flows.orchestrator import orchestrator
from tests.flows.workplace import Workplace, make_benchmark


@pytest.fixture(scope="module", autouse=True)
def closed_clusters() -> Iterator[None]:
    """Leave no module's workers to the tests after it."""
    yield
    close_used()


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


@pytest.fixture(scope="session")
def prefect_api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a Prefect API that many commands share: making its database takes longest."""
    with orchestrator(tmp_path_factory.mktemp("prefect")) as running:
        yield running.url

"""Property tests draw all their chance from Hypothesis, and nobody else's chance disturbs them."""

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.architecture.repository import source_files


def _imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names}


# Hypothesis's own warning of this is switched off (see `filterwarnings`), so it is held here.
def test_no_property_test_draws_from_the_random_module() -> None:
    both = {"hypothesis", "random"}
    written = [path for path in source_files() if path != Path(__file__).resolve()]
    assert [path.name for path in written if both <= _imported(path)] == []


@pytest.fixture
def another_thread_that_draws() -> Iterator[None]:
    """A thread like those that libraries leave behind: it draws from `random` now and then."""
    ended = Event()

    def draw() -> None:
        while not ended.wait(0.0002):
            random.random()

    thread = Thread(target=draw)
    thread.start()
    yield
    ended.set()
    thread.join()


@pytest.mark.usefixtures("another_thread_that_draws")
def test_a_property_test_is_not_disturbed_by_another_threads_chance() -> None:
    @given(st.lists(st.text(max_size=9), min_size=9, max_size=40))
    def holds(texts: list[str]) -> None:
        assert len(texts) >= 9

    holds()

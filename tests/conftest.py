"""What tests of every room may ask for: an empty store, a model that answers by plan."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firsthand.store import Store
from tests.unit.endpoints.chat_server import ChatServer, chat_server


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with nothing in it."""
    return Store.opened(tmp_path / "store")


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    """A server that answers by plan, and keeps what it was asked."""
    with chat_server() as server:
        yield server

"""What tests of every room share: an empty store, a model that answers by plan, patience."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from firsthand.store import Store
from tests.unit.endpoints.chat_server import ChatServer, chat_server

# The machine may have other work: how long an example takes says nothing about the code.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with nothing in it."""
    return Store.opened(tmp_path / "store")


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    """A server that answers by plan, and keeps what it was asked."""
    with chat_server() as server:
        yield server

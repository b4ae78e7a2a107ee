"""Golden vectors: read from this folder, or from another of the same format."""

import json
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden-dir", default=None, help="folder of golden vectors to test instead of ours"
    )


@pytest.fixture(scope="session")
def golden_dir(request: pytest.FixtureRequest) -> Path:
    given = request.config.getoption("golden_dir", default=None)
    return Path(given) if given else HERE


@pytest.fixture(scope="session")
def golden(golden_dir: Path) -> Any:
    def read(name: str) -> Any:
        return json.loads((golden_dir / name).read_text(encoding="utf-8"))

    return read


@pytest.fixture(scope="session")
def case_input() -> Any:
    def read(name: str) -> Any:
        return json.loads((HERE / "cases" / name).read_text(encoding="utf-8"))

    return read


@pytest.fixture(scope="session")
def published() -> Any:
    def read(name: str) -> Any:
        return json.loads((HERE / "published" / name).read_text(encoding="utf-8"))

    return read

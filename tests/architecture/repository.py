"""The repository as these tests look at it: its root, its rooms, its modules."""

import importlib
import pkgutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

__all__ = ["PACKAGES", "ROOT", "all_modules", "room_files", "source_files"]

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("firsthand", "schemas", "tasks", "flows")
_WRITTEN = (*PACKAGES, "deployments", "tests", "benchmarks", "data/samples")


def source_files() -> list[Path]:
    """Every Python file that is written here."""
    return sorted(path for folder in _WRITTEN for path in (ROOT / folder).rglob("*.py"))


def room_files() -> list[Path]:
    """The `__init__` of every room."""
    return sorted(path for name in PACKAGES for path in (ROOT / name).rglob("__init__.py"))


def all_modules() -> Iterator[ModuleType]:
    """Import every module of the packages and yield them."""
    with warnings.catch_warnings():
        # Other people's modules may warn as they are imported; that is not this test's subject.
        warnings.simplefilter("ignore")
        for name in PACKAGES:
            package = importlib.import_module(name)
            yield package
            for found in pkgutil.walk_packages(package.__path__, f"{name}."):
                if not found.name.endswith(".__main__"):
                    yield importlib.import_module(found.name)

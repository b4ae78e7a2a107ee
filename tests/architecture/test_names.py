"""Names: packages are ours and only ours, and every room says what it offers."""

import ast
import importlib.util
import re
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.architecture.repository import PACKAGES, ROOT, all_modules, room_files, source_files

FORBIDDEN_STEMS = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "base"}


def _declared(path: Path) -> list[str] | None:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            value = getattr(node, "value", None)
            return list(ast.literal_eval(value)) if value is not None else None
    return None


def _shelf(name: str) -> tuple[int, list[tuple[int, int | str]]]:
    """Constants, then classes, then functions; numbers inside names by value."""
    bare = name.lstrip("_")
    kind = 0 if bare.isupper() and len(bare) > 1 else 1 if bare[:1].isupper() else 2
    pieces = [piece for piece in re.split(r"(\d+)", name) if piece]
    return kind, [(0, int(piece)) if piece.isdigit() else (1, piece) for piece in pieces]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_resolves_inside_the_repository(name: str) -> None:
    found = importlib.util.find_spec(name)
    assert found is not None
    assert found.origin is not None
    assert Path(found.origin).resolve().is_relative_to(ROOT)


@pytest.mark.parametrize("name", PACKAGES)
def test_no_installed_distribution_claims_a_package_of_ours(name: str) -> None:
    others = set(packages_distributions().get(name, ())) - {"firsthand"}
    assert others == set()


@pytest.mark.parametrize("path", room_files(), ids=lambda path: path.parent.name)
def test_a_room_that_offers_names_lists_them(path: Path) -> None:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    docstring, *rest = body
    assert isinstance(docstring, ast.Expr), f"{path} needs a docstring"
    assert not rest or _declared(path) is not None, f"{path} needs __all__"


@pytest.mark.parametrize("path", room_files(), ids=lambda path: path.parent.name)
def test_a_room_describes_itself(path: Path) -> None:
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert len(said) > len("."), f"{path} says nothing about its room"
    assert "described by" not in said, f"{path} still has a placeholder"


def test_every_list_of_public_names_is_sorted_and_each_once() -> None:
    unsorted = {}
    for path in source_files():
        names = _declared(path) or []
        if names != sorted(set(names), key=_shelf):
            unsorted[path.relative_to(ROOT).as_posix()] = sorted(set(names), key=_shelf)
    assert unsorted == {}


def test_every_public_name_exists() -> None:
    absent = {
        f"{module.__name__}.{name}"
        for module in all_modules()
        for name in getattr(module, "__all__", ())
        if not hasattr(module, name)
    }
    assert absent == set()


def test_no_module_is_named_after_nothing() -> None:
    nameless = [path for path in source_files() if path.stem in FORBIDDEN_STEMS]
    assert nameless == []

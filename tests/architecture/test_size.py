"""A module holds one idea, and one idea fits in 400 lines."""

from tests.architecture.repository import ROOT, source_files

MOST_LINES = 400
LONGER_FOR_NOW: frozenset[str] = frozenset()
"""Paths that are still too long; the list may only shrink."""


def _too_long() -> dict[str, int]:
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").split("\n")) - 1
        for path in source_files()
    }
    return {path: lines for path, lines in lengths.items() if lines > MOST_LINES}


def test_no_module_is_longer_than_400_lines() -> None:
    found = {path: lines for path, lines in _too_long().items() if path not in LONGER_FOR_NOW}
    assert found == {}, f"split these by idea (lines now): {found}"


def test_the_list_of_longer_modules_names_none_that_was_split() -> None:
    assert sorted(LONGER_FOR_NOW.difference(_too_long())) == []

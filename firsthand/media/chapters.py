"""Chapters: the files into which a camera splits one recording, put in order by their names."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["ChapterRun", "chapter_runs"]

# GoPro since Hero 6: GX (HEVC), GH (AVC), GL (low resolution), two digits of the chapter from
# 01, four of the recording. Before: GOPR for the first file, then GP with chapters from 01.
_NEW = re.compile(r"(?P<kind>G[XHL])(?P<chapter>\d\d)(?P<recording>\d{4})(?P<suffix>\.\w+)", re.I)
_OLD_FIRST = re.compile(r"GOPR(?P<recording>\d{4})(?P<suffix>\.\w+)", re.I)
_OLD_NEXT = re.compile(r"GP(?P<chapter>\d\d)(?P<recording>\d{4})(?P<suffix>\.\w+)", re.I)


@dataclass(frozen=True, slots=True)
class ChapterRun:
    """Files that follow each other without a hole: one recording as it was delivered.

    Args:
        names: File names in order; a single one for a file that is no chapter.
        missing_before: Numbers of the chapters that should come before the first of them
            and were not delivered; the container of a later chapter still tells the start
            of the first, so such a run's own start is unknown.
    """

    names: tuple[str, ...]
    missing_before: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class _Chapter:
    number: int
    name: str


def chapter_runs(names: Iterable[str]) -> tuple[ChapterRun, ...]:
    """Group the file names of one folder into recordings, in order of their first name.

    A hole in the numbers is never closed up: what follows it is a run of its own, which says
    what is missing.
    """
    groups: dict[tuple[str, str, str], list[_Chapter]] = defaultdict(list)
    runs = []
    for name in names:
        found = _read(name)
        if found is None:
            runs.append(ChapterRun((name,)))
        else:
            group, number = found
            groups[group].append(_Chapter(number, name))
    for (kind, _, _), chapters in groups.items():
        runs += _without_holes(sorted(chapters), first=0 if kind == "gp" else 1)
    return tuple(sorted(runs, key=lambda run: run.names[0]))


def _read(name: str) -> tuple[tuple[str, str, str], int] | None:
    """Return what all chapters of a recording share, and the chapter's number."""
    for pattern, kind in ((_NEW, None), (_OLD_FIRST, "gp"), (_OLD_NEXT, "gp")):
        match = pattern.fullmatch(name)
        if match is not None:
            parts = match.groupdict()
            shared = (kind or parts["kind"].lower(), parts["recording"], parts["suffix"].lower())
            return shared, int(parts.get("chapter") or 0)
    return None


def _without_holes(chapters: Sequence[_Chapter], *, first: int) -> list[ChapterRun]:
    runs: list[ChapterRun] = []
    expected = first
    for chapter in chapters:
        if runs and chapter.number == expected:
            last = runs.pop()
            runs.append(ChapterRun((*last.names, chapter.name), last.missing_before))
        else:
            runs.append(ChapterRun((chapter.name,), tuple(range(expected, chapter.number))))
        expected = chapter.number + 1
    return runs

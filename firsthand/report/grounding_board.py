"""The grid of grounding runs as a reader sees it: cells by subjects, a block for each figure."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import pyarrow as pa

from firsthand.core.outcomes import RuleSet
from firsthand.protocols.grounding_policy import ClosedLists
from firsthand.report.grounding_grid import CLIP_MEAN
from firsthand.report.policy_words import RULE_SET_WORDS

__all__ = [
    "GridBlock",
    "GridEntry",
    "GridRow",
    "GroundingBoard",
    "GroundingLine",
    "grounding_boards_of",
]

_OPTION_WORDS: Mapping[ClosedLists, str] = MappingProxyType(
    {
        ClosedLists.CLIP_OPTIONS: "Each clip's options are those that it was set up with.",
        ClosedLists.OTHER_CLIPS: "Clips have no options of their own: what is meant stands among "
        "names from other clips.",
        ClosedLists.BOTH: "Clips that were set up without options have what is meant among names "
        "from other clips; the others have their own.",
        ClosedLists.UNKNOWN: "Where the options come from was not recorded.",
    }
)

_NONE = "–"
_PARTS = MappingProxyType(
    {"acc_cls": "What", "acc_s": "Where", "acc_t": "When", "acc_seq": "Whole clip"}
)

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class GroundingLine:
    """A subject in a cell, its figures in percent as printed.

    Args:
        subject_id: The subject.
        cell: Stack and sampling rate.
        stack: The stack alone.
        frames_per_second: The sampling rate; None for a film.
        diagnostic: Whether the cell is never ranked.
        rank: Place among the subjects in the same cell; a dash where there is none.
        score: What, where and when together.
        interval: Its interval.
        parts: What, where, when, and all referents of a clip.
        difference: To the subject's reference cell; a dash without one.
        difference_interval: Its interval.
        planned: Clips planned.
        points: How the subject gives points, as declared.
        outcomes: How the asks ended.
        complete: Whether the run lost nothing.
    """

    subject_id: str
    cell: str
    stack: str
    frames_per_second: float | None
    diagnostic: bool
    rank: str
    score: str
    interval: str
    parts: tuple[str, ...]
    difference: str
    difference_interval: str
    planned: int
    points: str
    outcomes: str
    complete: bool


@dataclass(frozen=True, slots=True)
class GridEntry:
    """A figure of one subject in one cell, and what belongs under it."""

    text: str
    details: tuple[str, ...] = ()


_LACKS = GridEntry(_NONE)


@dataclass(frozen=True, slots=True)
class GridRow:
    """A cell, with an entry for each subject; a dash where a subject's grid lacks the cell."""

    stack: str
    rate: str
    diagnostic: bool
    entries: tuple[GridEntry, ...]


@dataclass(frozen=True, slots=True)
class GridBlock:
    """One figure of all subjects in all cells."""

    name: str
    rows: tuple[GridRow, ...]


@dataclass(frozen=True, slots=True)
class GroundingBoard:
    """The grid under one rule set."""

    anchor: str
    heading: str
    definition: str
    references: str
    options: tuple[str, ...]
    lines: tuple[GroundingLine, ...]

    @property
    def subjects(self) -> tuple[GroundingLine, ...]:
        """A line of each subject, in the order of the blocks' entries."""
        return tuple({line.subject_id: line for line in self.lines}.values())

    @property
    def headline(self) -> GridBlock:
        """What, where and when together, with places."""
        return self._block("What, where and when, %", _headline)

    @property
    def differences(self) -> GridBlock:
        """What each cell changes of it."""
        return self._block("Difference, percentage points", _difference_entry)

    @property
    def apart(self) -> tuple[GridBlock, ...]:
        """What, where, when and whole clips apart, and how the asks ended."""
        parts = (
            self._block(f"{name}, %", partial(_part, at)) for at, name in enumerate(_PARTS.values())
        )
        return (*parts, self._block("How asks ended", _ended))

    def _block(self, name: str, entry: Callable[[GroundingLine], GridEntry]) -> GridBlock:
        known = {(line.cell, line.subject_id): line for line in self.lines}
        cells = {
            line.cell: line
            for line in sorted(self.lines, key=lambda one: (one.stack, one.frames_per_second or 0))
        }
        return GridBlock(
            name,
            tuple(
                GridRow(
                    cell.stack,
                    _rate(cell.frames_per_second),
                    cell.diagnostic,
                    tuple(
                        entry(line) if (line := known.get((cell.cell, one.subject_id))) else _LACKS
                        for one in self.subjects
                    ),
                )
                for cell in cells.values()
            ),
        )


def grounding_boards_of(grid: pa.Table | None) -> tuple[GroundingBoard, ...]:
    """Return a board for each rule set of table `grounding_grid`; none without rows."""
    rows = [
        row for row in ([] if grid is None else grid.to_pylist()) if row["variant"] == CLIP_MEAN
    ]
    return tuple(
        _board(rule_set, mine)
        for rule_set in RuleSet
        if (mine := [row for row in rows if row["rule_set"] == str(rule_set)])
    )


def _board(rule_set: RuleSet, rows: Sequence[Row]) -> GroundingBoard:
    heading, definition = RULE_SET_WORDS[rule_set]
    references = sorted({str(row["reference_cell"]) for row in rows})
    lists = sorted({str(row["options"]) for row in rows})
    return GroundingBoard(
        f"{rule_set}-grounding",
        f"{heading}, grounding",
        definition,
        " or ".join(references),
        tuple(_OPTION_WORDS[ClosedLists(name)] for name in lists),
        tuple(_lines(rows)),
    )


def _lines(rows: Sequence[Row]) -> Iterator[GroundingLine]:
    by_place: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        place = (str(row["subject_id"]), str(row["cell"]))
        by_place.setdefault(place, {})[str(row["metric"])] = row
    for (subject_id, cell), figures in sorted(by_place.items()):
        headline = figures["acc_eco"]
        outcomes = json.loads(str(headline["outcomes"]))
        yield GroundingLine(
            subject_id,
            cell,
            str(headline["stack"]),
            None if (rate := headline["frames_per_second"]) is None else float(str(rate)),
            bool(headline["diagnostic"]),
            _NONE if headline["rank"] is None else str(headline["rank"]),
            _percent(headline["value"]),
            _span(headline, "low", "high"),
            tuple(_percent(figures[metric]["value"]) for metric in _PARTS),
            _difference(headline["difference"]),
            _span(headline, "difference_low", "difference_high"),
            int(str(headline["planned"])),
            f"{headline['points_order']} to {headline['points_scale']:g}",
            ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items())),
            bool(headline["complete"]),
        )


def _headline(line: GroundingLine) -> GridEntry:
    place = () if line.rank == _NONE else (f"place {line.rank}",)
    return GridEntry(line.score, (line.interval, *place))


def _part(at: int, line: GroundingLine) -> GridEntry:
    return GridEntry(line.parts[at])


def _difference_entry(line: GroundingLine) -> GridEntry:
    return GridEntry(line.difference, (line.difference_interval,))


def _ended(line: GroundingLine) -> GridEntry:
    return GridEntry(f"of {line.planned}", (line.outcomes,))


def _rate(frames_per_second: float | None) -> str:
    if frames_per_second is None:
        return ""
    frames = "frame" if frames_per_second == 1 else "frames"
    return f"{frames_per_second:g} {frames} a second"


def _difference(points: object) -> str:
    return _NONE if points is None else f"{float(str(points)):+.1f}"


def _span(row: Row, low: str, high: str) -> str:
    if row[low] is None or row[high] is None:
        return ""
    return f"[{float(str(row[low])):.1f}, {float(str(row[high])):.1f}]"


def _percent(value: object) -> str:
    return _NONE if value is None else f"{float(str(value)):.1f}"

"""The grid of grounding runs as a reader sees it: a line for each subject and cell."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import pyarrow as pa

from firsthand.core.outcomes import RuleSet
from firsthand.protocols.grounding_policy import ClosedLists
from firsthand.report.grounding_grid import CLIP_MEAN
from firsthand.report.policy_words import RULE_SET_WORDS

__all__ = ["GroundingBoard", "GroundingLine", "grounding_boards_of"]

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
_METRICS = ("acc_cls", "acc_s", "acc_t", "acc_seq")

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class GroundingLine:
    """A subject in a cell, its figures in percent as printed.

    Args:
        subject_id: The subject.
        cell: Stack and sampling rate.
        diagnostic: Whether the cell is never ranked.
        rank: Place among the subjects in the same cell; a dash where there is none.
        score: What, where and when together.
        interval: Its interval.
        parts: What, where, when, and all referents of a clip.
        difference: To the subject's reference cell, with its interval; a dash without one.
        planned: Clips planned.
        points: How the subject gives points, as declared.
        outcomes: How the asks ended.
        complete: Whether the run lost nothing.
    """

    subject_id: str
    cell: str
    diagnostic: bool
    rank: str
    score: str
    interval: str
    parts: tuple[str, ...]
    difference: str
    planned: int
    points: str
    outcomes: str
    complete: bool


@dataclass(frozen=True, slots=True)
class GroundingBoard:
    """The grid under one rule set."""

    anchor: str
    heading: str
    definition: str
    references: str
    options: tuple[str, ...]
    lines: tuple[GroundingLine, ...]


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
            bool(headline["diagnostic"]),
            _NONE if headline["rank"] is None else str(headline["rank"]),
            _percent(headline["value"]),
            _span(headline, "low", "high"),
            tuple(_percent(figures[metric]["value"]) for metric in _METRICS),
            _difference(headline),
            int(str(headline["planned"])),
            f"{headline['points_order']} to {headline['points_scale']:g}",
            ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items())),
            bool(headline["complete"]),
        )


def _difference(row: Row) -> str:
    if row["difference"] is None:
        return _NONE
    points = float(str(row["difference"]))
    return f"{points:+.1f} {_span(row, 'difference_low', 'difference_high')}"


def _span(row: Row, low: str, high: str) -> str:
    if row[low] is None or row[high] is None:
        return ""
    return f"[{float(str(row[low])):.1f}, {float(str(row[high])):.1f}]"


def _percent(value: object) -> str:
    return _NONE if value is None else f"{float(str(value)):.1f}"

"""What the leaderboard page shows, as plain values: standings, groups and outcomes in words."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.core.taxonomy import CATEGORY_OF, Category
from firsthand.report.policy_words import RULE_SET_WORDS
from firsthand.subjects import SubjectFacts

__all__ = [
    "Board",
    "Figure",
    "GroupLine",
    "OutcomeCount",
    "Standing",
    "boards_of",
    "figure_of",
    "outcome_counts",
    "series_of",
]

Row = Mapping[str, object]

_OUTCOME_WORDS: Mapping[Outcome, tuple[str, str]] = {
    Outcome.CORRECT: ("correct", "good"),
    Outcome.PARTIAL: ("partly correct", "good"),
    Outcome.WRONG: ("wrong", "bad"),
    Outcome.LATE: ("late", "late"),
    Outcome.TOO_EARLY: ("too early", "late"),
    Outcome.SILENT: ("nothing said", "bad"),
    Outcome.UNPARSED: ("not readable", "odd"),
    Outcome.REFUSED: ("refused", "odd"),
    Outcome.TRUNCATED: ("cut off", "odd"),
    Outcome.JUDGE_FAILED: ("judge failed", "lost"),
    Outcome.INFRASTRUCTURE_ERROR: ("lost to infrastructure", "lost"),
    Outcome.NOT_ASKED: ("not asked", "lost"),
    Outcome.CENSORED_CAP: ("remembered to the last probe", "good"),
    Outcome.CENSORED_STREAM_END: ("remembered to the stream's end", "good"),
    Outcome.CENSORED_INFRASTRUCTURE: ("probe lost to infrastructure", "lost"),
    Outcome.CENSORED_NOT_PROBED: ("not probed on", "lost"),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One score, as shown.

    Args:
        text: The value, or "n/a".
        interval: Its interval in words, or "".
        value: The value, None if nothing was planned.
        low: Lower end, or None.
        high: Upper end, or None.
        planned: Denominator.
        recorded_only: The second figure, or "n/a".
    """

    text: str
    interval: str
    value: float | None
    low: float | None
    high: float | None
    planned: int
    recorded_only: str


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """How many asks ended in one way.

    Args:
        name: In words.
        kind: Class of its colour.
        count: How many.
        percent: Share of the planned asks.
    """

    name: str
    kind: str
    count: int
    percent: float


@dataclass(frozen=True, slots=True)
class Standing:
    """A subject's line in the headline table.

    Args:
        rank: From 1, shared by equal scores; None for subjects that are not ranked.
        subject_id: The subject.
        facts: What it is.
        series: Number of its colour.
        rta: Its accuracy.
        mpt: Its persistence.
        clusters: Recordings behind the intervals.
        outcomes: How its initial asks ended, most telling first.
        complete: Whether its run lost nothing.
    """

    rank: int | None
    subject_id: str
    facts: SubjectFacts
    series: int
    rta: Figure
    mpt: Figure
    clusters: int
    outcomes: tuple[OutcomeCount, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A group's scores, subject by subject.

    Args:
        name: The group.
        is_category: Whether it is a category, above its subcategories.
        rta: Accuracy by subject, in the order of the standings.
        mpt: Persistence by subject, in the same order.
    """

    name: str
    is_category: bool
    rta: tuple[Figure, ...]
    mpt: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """Everything under one rule set; two boards are never mixed.

    Args:
        rule_set: Its name.
        anchor: Name for links.
        heading: In words.
        definition: What the rule set means.
        standings: Subjects, best first, unranked ones last.
        groups: Categories, each followed by its subcategories.
        others: Question types and participants.
    """

    rule_set: str
    anchor: str
    heading: str
    definition: str
    standings: tuple[Standing, ...]
    groups: tuple[GroupLine, ...]
    others: Mapping[str, tuple[GroupLine, ...]]


def series_of(facts: Mapping[str, SubjectFacts]) -> Mapping[str, int]:
    """Return a colour number for each subject, the same in every table and plot."""
    return {subject_id: place for place, subject_id in enumerate(sorted(facts))}


def boards_of(leaderboard: pa.Table, facts: Mapping[str, SubjectFacts]) -> tuple[Board, ...]:
    """Return one board a rule set, and one more where answers queue."""
    rows = leaderboard.to_pylist()
    return tuple(
        _Rows(found, suffix).board(rule_set, facts)
        for suffix in ("", "_serial")
        for rule_set in RuleSet
        if (
            found := [
                row
                for row in rows
                if row["rule_set"] == rule_set and row["metric"] in (f"rta{suffix}", f"mpt{suffix}")
            ]
        )
    )


class _Rows:
    """Leaderboard rows of one board, by subject, metric and group."""

    def __init__(self, rows: Sequence[Row], suffix: str) -> None:
        self._suffix = suffix
        self._found = {
            (row["subject_id"], row["metric"], row["group_kind"], row["group_name"]): row
            for row in rows
        }
        self._subjects = sorted({str(row["subject_id"]) for row in rows})

    def board(self, rule_set: RuleSet, facts: Mapping[str, SubjectFacts]) -> Board:
        """Put the board together."""
        standings = self._standings(facts)
        order = [standing.subject_id for standing in standings]
        heading, definition = RULE_SET_WORDS[rule_set]
        if self._suffix:
            heading = f"{heading}, answers queue"
        return Board(
            str(rule_set),
            f"{rule_set}{self._suffix.replace('_', '-')}",
            heading,
            definition,
            standings,
            tuple(self._category_lines(order)),
            {
                "Question type": self._lines("question_type", order),
                "Participant": self._lines("participant", order),
            },
        )

    def _standings(self, facts: Mapping[str, SubjectFacts]) -> tuple[Standing, ...]:
        scores = {name: self._figure(name, "rta", "overall", "overall") for name in self._subjects}
        order = sorted(
            self._subjects,
            key=lambda name: (not facts[name].is_ranked, -(scores[name].value or 0.0), name),
        )
        ranked = [scores[name].value for name in order if facts[name].is_ranked]
        return tuple(
            self._standing(
                facts[name],
                1 + ranked.index(scores[name].value) if facts[name].is_ranked else None,
                series_of(facts)[name],
            )
            for name in order
        )

    def _standing(self, facts: SubjectFacts, rank: int | None, series: int) -> Standing:
        name = facts.subject_id
        row = self._found[name, f"rta{self._suffix}", "overall", "overall"]
        return Standing(
            rank,
            name,
            facts,
            series,
            self._figure(name, "rta", "overall", "overall"),
            self._figure(name, "mpt", "overall", "overall"),
            int(str(row["clusters"])),
            outcome_counts(row),
            bool(row["complete"]),
        )

    def _category_lines(self, order: Sequence[str]) -> Iterable[GroupLine]:
        present = {str(key[3]) for key in self._found if key[2] == "subcategory"}
        listed = {str(sub): str(category) for sub, category in CATEGORY_OF.items()}
        for category in [str(category) for category in Category]:
            members = [name for name in listed if listed[name] == category and name in present]
            if members:
                yield self._line("category", category, order)
                yield from (self._line("subcategory", name, order) for name in members)
        yield from (
            self._line("subcategory", name, order) for name in sorted(present - set(listed))
        )

    def _lines(self, kind: str, order: Sequence[str]) -> tuple[GroupLine, ...]:
        names = sorted({str(key[3]) for key in self._found if key[2] == kind})
        return tuple(self._line(kind, name, order) for name in names)

    def _line(self, kind: str, name: str, order: Sequence[str]) -> GroupLine:
        return GroupLine(
            name,
            kind == "category",
            tuple(self._figure(subject, "rta", kind, name) for subject in order),
            tuple(self._figure(subject, "mpt", kind, name) for subject in order),
        )

    def _figure(self, subject_id: str, metric: str, kind: str, name: str) -> Figure:
        row = self._found.get((subject_id, f"{metric}{self._suffix}", kind, name))
        return figure_of(row, digits=1 if metric == "rta" else 2)


def figure_of(row: Row | None, *, digits: int) -> Figure:
    """Return a leaderboard row as it is shown; "n/a" without one."""
    if row is None:
        return Figure("n/a", "", None, None, None, 0, "n/a")
    value, low, high, recorded = (
        _number(row[column]) for column in ("value", "low", "high", "recorded_only")
    )
    has_interval = low is not None and high is not None
    return Figure(
        "n/a" if value is None else f"{value:.{digits}f}",
        f"{low:.{digits}f} to {high:.{digits}f}" if has_interval else "",
        value,
        low,
        high,
        int(str(row["planned"])),
        "n/a" if recorded is None else f"{recorded:.{digits}f}",
    )


def outcome_counts(row: Row) -> tuple[OutcomeCount, ...]:
    """Return how the asks behind a leaderboard row ended, most telling first."""
    counts = json.loads(str(row["outcomes"]))
    planned = int(str(row["planned"]))
    return tuple(
        OutcomeCount(*_OUTCOME_WORDS[outcome], counts[outcome], 100 * counts[outcome] / planned)
        for outcome in _OUTCOME_WORDS
        if counts.get(outcome)
    )


def _number(value: object) -> float | None:
    return None if value is None else float(str(value))

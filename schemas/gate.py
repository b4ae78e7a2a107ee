"""The data-quality gate: every given table against its suite, and a report of what fails."""

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from firsthand.core.errors import FirsthandError
from schemas.expectations import Engine, FailedRule
from schemas.suites import SUITES

__all__ = ["DataQualityError", "GateFailure", "GateReport", "check_tables"]

_SHOWN_KEYS = 10


class DataQualityError(FirsthandError):
    """Tables break their suites; nothing is released from them."""


@dataclass(frozen=True, slots=True)
class GateFailure:
    """An expectation that rows of a table break.

    Args:
        table: The table.
        column: The column, or columns, blamed.
        expected: What should hold, in words.
        key: Names of the table's key columns.
        keys: Key of each failing row, values as text.
        rows: How many rows fail.
    """

    table: str
    column: str
    expected: str
    key: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...]
    rows: int


@dataclass(frozen=True, slots=True)
class GateReport:
    """What the gate found.

    Args:
        checked: Row count of each table that was checked.
        expectations: How many expectations were held against them.
        failures: Those that fail, by table and order in its suite.
    """

    checked: Mapping[str, int]
    expectations: int
    failures: tuple[GateFailure, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing fails."""
        return not self.failures

    def require_passed(self) -> None:
        """Stop a release whose tables fail.

        Raises:
            DataQualityError: If anything fails; it counts expectations and rows by table.
        """
        if self.passed:
            return
        places = "; ".join(
            f"{failure.table}.{failure.column}: {failure.rows} rows not {failure.expected}, "
            f"first {'/'.join(failure.keys[0]) if failure.keys else 'unnamed'}"
            for failure in self.failures[:_SHOWN_KEYS]
        )
        rows = sum(failure.rows for failure in self.failures)
        raise DataQualityError(
            f"data-quality gate over {len(self.checked)} tables",
            f"{len(self.failures)} of {self.expectations} expectations broken by {rows} rows: "
            f"{places}",
            "tables that satisfy their suites",
            "The gate's report lists the rows; mend the steps or inputs that made them.",
        )

    def to_markdown(self) -> str:
        """Return the report as Markdown: a line a table, then a section a failure."""
        verdict = "passed" if self.passed else f"{len(self.failures)} expectations failed"
        counts = [
            f"| {name} | {rows} | {sum(one.table == name for one in self.failures)} |"
            for name, rows in self.checked.items()
        ]
        head = [
            f"# Data quality: {verdict}",
            "",
            "| table | rows | failed expectations |",
            "|---|---:|---:|",
            *counts,
        ]
        sections = [line for failure in self.failures for line in _section(failure)]
        return "\n".join([*head, *sections]) + "\n"


def check_tables(tables: Mapping[str, pa.Table]) -> GateReport:
    """Hold each table against its suite.

    Args:
        tables: Tables by name, with every table that their suites refer to: an absent
            one is a mistake, an empty one is data.

    Raises:
        ValueError: If a table is not declared, has another schema, or refers to a table
            that was not given.
    """
    for name, rows in tables.items():
        _check_given(name, rows, tables)
    engine = Engine()
    failures = tuple(
        _explained(name, failed)
        for name in tables
        for failed in engine.failures(SUITES[name], tables)
    )
    checked = {name: rows.num_rows for name, rows in tables.items()}
    return GateReport(checked, sum(len(SUITES[name].rules) for name in tables), failures)


def _check_given(name: str, rows: pa.Table, tables: Mapping[str, pa.Table]) -> None:
    if name not in SUITES:
        raise ValueError(f"no table {name!r} is declared")
    if not rows.schema.equals(SUITES[name].spec.schema):
        raise ValueError(f"rows of {name!r} do not have the declared schema")
    missing = sorted(SUITES[name].needs.difference(tables))
    if missing:
        raise ValueError(f"the suite of {name!r} refers to the tables {missing}, not given")


def _explained(table: str, failed: FailedRule) -> GateFailure:
    spec = SUITES[table].spec
    key = tuple(name for name in spec.key if name in spec.released_columns)
    rule = failed.rule
    return GateFailure(table, rule.column, rule.expected, key, failed.keys, failed.rows)


def _section(failure: GateFailure) -> list[str]:
    shown = [f"- {' / '.join(key)}" for key in failure.keys[:_SHOWN_KEYS]]
    rest = len(failure.keys) - len(shown)
    more = [f"- and {rest} more"] if rest > 0 else []
    return [
        "",
        f"## {failure.table}.{failure.column}",
        "",
        f"Expected: {failure.expected}. Failing rows: {failure.rows}. "
        f"Keys ({', '.join(failure.key)}):",
        "",
        *shown,
        *more,
    ]

"""What a subject scored, as a person reads it or as one JSON document."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

import typer

from firsthand.cli.score_table import Difference, ScoreRow
from firsthand.metrics.groups import OVERALL

__all__ = ["ScoreReport", "print_reports"]


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """What one subject scored under one rule set.

    Args:
        benchmark: Name of the benchmark.
        subject: Name of the subject.
        rules: The rule set; never mixed in one report.
        rows: The scores.
        differences: Paired differences to another subject.
        notes: What a reader must know beside the numbers.
        extra: Further counts, such as failure kinds.
    """

    benchmark: str
    subject: str
    rules: str
    rows: tuple[ScoreRow, ...]
    differences: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)


def print_reports(reports: Sequence[ScoreReport], *, as_json: bool) -> None:
    """Print reports as one JSON document, or as tables."""
    if as_json:
        typer.echo(json.dumps([asdict(report) for report in reports], ensure_ascii=False, indent=2))
        return
    for report in reports:
        typer.echo("\n".join(_lines(report)))


def _lines(report: ScoreReport) -> Iterator[str]:
    yield f"{report.benchmark} · {report.subject} · rule set {report.rules}"
    yield (
        f"  {'metric':<22} {'group':<40} {'value':>7} {'unit':<4} {'95 % interval':>16}"
        f" {'n':>6} {'clusters':>8} {'recorded only':>13}  interval by"
    )
    for row in report.rows:
        group = row.group if row.kind == OVERALL[0] else f"{row.kind}: {row.group}"
        yield (
            f"  {row.metric:<22} {group:<40} {_number(row.value):>7} {row.unit:<4}"
            f" {_span(row.low, row.high):>16} {row.n:>6} {row.clusters:>8}"
            f" {_number(row.recorded_only):>13}  {row.method}"
        )
        if row.kind == OVERALL[0]:
            yield f"      {', '.join(f'{name} {count}' for name, count in row.outcomes.items())}"
    for found in report.differences:
        yield (
            f"  {found.metric} less {found.other}: {found.difference:+.2f} {found.unit}"
            f" {_span(found.low, found.high)}, n {found.n}, clusters {found.clusters},"
            f" p {found.p_value:.4f} (smallest possible {found.smallest_p:.4f})"
        )
    for name, value in report.extra.items():
        yield f"  {name}: {value}"
    for note in report.notes:
        yield f"  note: {note}"


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.2f}"


def _span(low: float | None, high: float | None) -> str:
    return "n/a" if low is None or high is None else f"[{low:.2f}, {high:.2f}]"

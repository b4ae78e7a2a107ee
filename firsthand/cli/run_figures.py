"""The figures of a stored run, from its verdicts and probes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from firsthand.cli.score_table import Figure
from firsthand.core.errors import UnknownNameError
from firsthand.core.outcomes import RuleSet
from firsthand.core.time import SECOND_US
from firsthand.metrics import Grouping, VerdictColumns, outcome_codes
from firsthand.metrics.persistence import WindowVariant
from firsthand.protocols import GroundingPolicy
from firsthand.report.grounding_grid import GridScores, grid_figures
from firsthand.store import Store, read_table, scopes_of
from firsthand.store.tables import ASKS, PROBES, RUNS, VERDICTS
from firsthand.subjects.grounding_shard import GROUNDING
from firsthand.subjects.judged import OPEN_SCORE
from firsthand.subjects.lifelong_scoring import ACCURACY
from firsthand.subjects.scoring import RTA
from firsthand.subjects.serial import MPT_SERIAL, RTA_SERIAL
from firsthand.subjects.standing_scoring import PROACTIVE_METRIC

__all__ = ["StoredRun", "figures_of", "run_rows", "stored_run"]

Row = Mapping[str, object]

# Metric of verdicts, figure, what tells it apart, and the variant of its persistence.
_TIMED = ((RTA, "", str(WindowVariant.STRICT)), (RTA_SERIAL, "serial", MPT_SERIAL))


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run as the store holds it.

    Args:
        row: Its row of table `runs`.
        asks: Rows of table `asks`.
        verdicts: Rows of table `verdicts`.
        probes: Rows of table `probes`.
    """

    row: Row
    asks: Sequence[Row]
    verdicts: Sequence[Row]
    probes: Sequence[Row]


def run_rows(store: Store) -> list[Row]:
    """Return the row of every run, by subject and release."""
    rows = [row for scope in _scopes(store) for row in read_table(store, scope, RUNS).to_pylist()]
    return sorted(rows, key=lambda row: (row["subject_id"], row["release_id"], row["run_id"]))


def stored_run(store: Store, run: str, *, only_given: bool = False) -> StoredRun:
    """Return a run by its identifier, or by the beginning of it.

    Args:
        store: The store.
        run: Identifier; as many characters as tell it from the others.
        only_given: Leave out questions that require what the subject is not given.

    Raises:
        UnknownNameError: If no run begins so, or several do.
    """
    found = [scope for scope in _scopes(store) if scope.removeprefix("runs/").startswith(run)]
    if len(found) != 1:
        raise UnknownNameError(
            f"run {run!r}",
            f"{len(found)} runs whose identifier begins so",
            "exactly one",
            "List them with `firsthand runs list`.",
        )
    (scope,) = found
    (row,) = read_table(store, scope, RUNS).to_pylist()
    asks, verdicts, probes = (
        read_table(store, scope, spec).to_pylist() for spec in (ASKS, VERDICTS, PROBES)
    )
    left_out = [ask for ask in asks if only_given and ask["missing_modalities"]]
    # What a subject is given of a clip differs by the cell of the grid in which it is asked.
    by_ask, by_question = ({ask[name] for ask in left_out} for name in ("ask_id", "question_id"))
    return StoredRun(
        row,
        [one for one in asks if one["ask_id"] not in by_ask],
        [one for one in verdicts if one["ask_id"] not in by_ask],
        [one for one in probes if one["question_id"] not in by_question],
    )


def figures_of(run: StoredRun, rule_set: RuleSet) -> dict[str, Figure]:
    """Return a run's figures under one rule set, by name; rows are in order of question."""
    found = _grid_figures if run.row["protocol"] == GROUNDING else _figures
    figures = {figure.name: figure for figure in found(run, rule_set)}
    return {name: figure for name, figure in figures.items() if len(figure.verdicts)}


def _figures(run: StoredRun, rule_set: RuleSet) -> Iterator[Figure]:
    for metric, variant, persistence in _TIMED:
        verdicts = _sorted(run.verdicts, metric=metric, rule_set=str(rule_set))
        if not verdicts:
            continue
        yield _figure("rta", variant, verdicts)
        wanted = persistence if rule_set is RuleSet.PAPER else str(WindowVariant.NO_WINDOW)
        held = _sorted(run.probes, variant=wanted, rule_set=str(rule_set))
        columns = _persistence(held, verdicts)
        yield Figure("mpt", variant, columns, _people(held), rows=_questions(held))
    judged = _sorted(run.verdicts, metric=OPEN_SCORE, rule_set=str(rule_set))
    closed = _sorted(run.verdicts, metric=ACCURACY, rule_set=str(rule_set))
    if judged and closed:
        yield _figure("accuracy", "of all answers", [*closed, *judged])
    yield _figure("accuracy", "of open answers", judged)
    yield _figure("accuracy", "of closed-form answers", closed)
    for metric in sorted({str(row["metric"]) for row in run.verdicts}, key=_bin_s):
        if _bin_s(metric):
            pointed = _sorted(run.verdicts, metric=metric, rule_set=str(rule_set))
            yield _figure("ref_at_n", f"N={_bin_s(metric)}", pointed)
    spoken = _sorted(run.verdicts, metric=PROACTIVE_METRIC, rule_set=str(rule_set))
    yield _figure("rta", "speaking up", spoken)


def _figure(metric: str, variant: str, verdicts: Sequence[Row]) -> Figure:
    columns = _scores(verdicts)
    return Figure(metric, variant, columns, _people(verdicts), rows=_questions(verdicts))


def _grid_figures(run: StoredRun, rule_set: RuleSet) -> Iterator[Figure]:
    """Yield the figures of a grounding run by cell; a clip is a cluster of its referents."""
    scores = GridScores(run.verdicts)
    for cell in GroundingPolicy.from_json(json.loads(str(run.row["policy"]))).cells:
        for metric, variant in grid_figures():
            found = scores.of(cell, metric, variant, rule_set)
            if found.was_asked:
                places = tuple(found.by_place)
                columns = VerdictColumns(
                    np.array(list(found.by_place.values()), np.float64),
                    outcome_codes(found.outcome_of.values()),
                )
                clips = Grouping.of([clip for clip, _ in places])
                named = f"{variant}, {cell.name}"
                yield Figure(str(metric), named, columns, clips, rows=places)


def _bin_s(metric: str) -> int:
    """Return N of a Ref@N, in seconds; 0 for any other metric."""
    head, _, bin_s = metric.partition("@")
    return int(bin_s) if head == "ref" else 0


def _scores(verdicts: Sequence[Row]) -> VerdictColumns:
    score = np.array([float(str(row["score"])) for row in verdicts], np.float64)
    return VerdictColumns(score, outcome_codes(str(row["outcome"]) for row in verdicts))


def _persistence(held: Sequence[Row], verdicts: Sequence[Row]) -> VerdictColumns:
    outcomes = (
        f"censored_{row['censored_by']}" if row["censored_by"] else str(asked["outcome"])
        for row, asked in zip(held, verdicts, strict=True)
    )
    seconds = [int(str(row["persistence_us"])) / SECOND_US for row in held]
    return VerdictColumns(np.array(seconds, np.float64), outcome_codes(outcomes))


def _questions(rows: Sequence[Row]) -> tuple[str, ...]:
    return tuple(str(row["question_id"]) for row in rows)


def _people(rows: Sequence[Row]) -> Grouping:
    return Grouping.of([str(row["participant_id"]) for row in rows])


def _sorted(rows: Sequence[Row], **where: str) -> list[Row]:
    found = [row for row in rows if all(row[name] == value for name, value in where.items())]
    return sorted(found, key=lambda row: str(row["question_id"]))


def _scopes(store: Store) -> list[str]:
    return list(scopes_of(store, RUNS.name))

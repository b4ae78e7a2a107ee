"""Boards of subjects that speak up: ranked among themselves, never with those that are asked."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from firsthand.core.outcomes import RuleSet
from firsthand.report.board import Figure, OutcomeCount, figure_of, outcome_counts
from firsthand.report.leaderboard import TOO_EARLY, EvaluatedRun, standing_policy_of
from firsthand.report.places import OverallRows, overall_rows, placed
from firsthand.report.policy_words import RULE_SET_WORDS, standing_sentences
from firsthand.subjects import SubjectFacts
from firsthand.subjects.standing_scoring import PROACTIVE_METRIC

__all__ = ["StandingBoard", "StandingLine", "standing_boards_of"]


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A subject's line.

    Args:
        rank: From 1, shared by equal scores; None for subjects that are not ranked.
        subject_id: The subject.
        facts: What it is.
        score: Questions answered rightly and in time.
        too_early: Questions answered before due.
        clusters: Recordings behind the intervals.
        outcomes: How the questions ended, most telling first.
        complete: Whether its run lost nothing.
        latency_source: Whether answer times were measured or declared.
    """

    rank: int | None
    subject_id: str
    facts: SubjectFacts
    score: Figure
    too_early: Figure
    clusters: int
    outcomes: tuple[OutcomeCount, ...]
    complete: bool
    latency_source: str


@dataclass(frozen=True, slots=True)
class StandingBoard:
    """Everything under one rule set and one policy; two boards are never mixed.

    Args:
        anchor: Name for links.
        heading: In words.
        definition: What the rule set means.
        sentences: What the policy means.
        lines: Subjects, best first, unranked ones last.
    """

    anchor: str
    heading: str
    definition: str
    sentences: tuple[str, ...]
    lines: tuple[StandingLine, ...]


def standing_boards_of(
    leaderboard: pa.Table, runs: Sequence[EvaluatedRun]
) -> tuple[StandingBoard, ...]:
    """Return a board for each rule set and policy of runs whose questions stood."""
    rows = overall_rows(leaderboard)
    policies = sorted({str(run.run["policy"]) for run in runs})
    return tuple(
        _board(rule_set, number, [run for run in runs if run.run["policy"] == policy], rows)
        for rule_set in RuleSet
        for number, policy in enumerate(policies)
        if any((run.run["run_id"], PROACTIVE_METRIC, rule_set) in rows for run in runs)
    )


def _board(
    rule_set: RuleSet, number: int, runs: Sequence[EvaluatedRun], rows: OverallRows
) -> StandingBoard:
    heading, definition = RULE_SET_WORDS[rule_set]
    lines = [
        _line(run, rows, rule_set)
        for run in runs
        if (run.run["run_id"], PROACTIVE_METRIC, rule_set) in rows
    ]
    return StandingBoard(
        f"{rule_set}-speaking-up{f'-{number}' if number else ''}",
        f"{heading}, speaking up",
        definition,
        standing_sentences(standing_policy_of(runs[0].run)),
        placed(lines, _value),
    )


def _line(run: EvaluatedRun, rows: OverallRows, rule_set: RuleSet) -> StandingLine:
    run_id = str(run.run["run_id"])
    score = rows[run_id, PROACTIVE_METRIC, rule_set]
    return StandingLine(
        None,
        str(run.run["subject_id"]),
        SubjectFacts.from_json(json.loads(str(run.run["subject"]))),
        figure_of(score, digits=1),
        figure_of(rows.get((run_id, TOO_EARLY, rule_set)), digits=1),
        int(str(score["clusters"])),
        outcome_counts(score),
        bool(score["complete"]),
        str(score["latency_source"]),
    )


def _value(line: StandingLine) -> float:
    return line.score.value or 0.0

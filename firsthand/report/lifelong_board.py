"""Boards of runs about whole lives: ranked by their answers, with where these point beside."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from firsthand.core.outcomes import RuleSet
from firsthand.report.board import Figure, OutcomeCount, figure_of, outcome_counts
from firsthand.report.leaderboard import EvaluatedRun, lifelong_policy_of
from firsthand.report.places import OverallRows, overall_rows, placed
from firsthand.report.policy_words import RULE_SET_WORDS, lifelong_sentences
from firsthand.subjects import LIFELONG, SubjectFacts
from firsthand.subjects.lifelong_scoring import ref_metric

__all__ = ["LifelongBoard", "LifelongLine", "lifelong_boards_of"]


@dataclass(frozen=True, slots=True)
class LifelongLine:
    """A subject's line.

    Args:
        rank: From 1, shared by equal scores; None for subjects that are not ranked.
        subject_id: The subject.
        facts: What it is.
        answers: How right its answers are.
        refs: Ref@N, in the order of the board's bins.
        clusters: Recordings behind the intervals.
        outcomes: How the questions ended, most telling first.
        complete: Whether its run lost nothing.
    """

    rank: int | None
    subject_id: str
    facts: SubjectFacts
    answers: Figure
    refs: tuple[Figure, ...]
    clusters: int
    outcomes: tuple[OutcomeCount, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class LifelongBoard:
    """Everything under one rule set and one policy; two boards are never mixed.

    Args:
        anchor: Name for links.
        heading: In words.
        definition: What the rule set means.
        sentences: What the policy means.
        bins_s: N of each Ref@N, in seconds.
        lines: Subjects, best first, unranked ones last.
    """

    anchor: str
    heading: str
    definition: str
    sentences: tuple[str, ...]
    bins_s: tuple[int, ...]
    lines: tuple[LifelongLine, ...]


def lifelong_boards_of(
    leaderboard: pa.Table, runs: Sequence[EvaluatedRun]
) -> tuple[LifelongBoard, ...]:
    """Return a board for each rule set and policy of runs about whole lives."""
    rows = overall_rows(leaderboard)
    policies = sorted({str(run.run["policy"]) for run in runs})
    return tuple(
        _board(rule_set, number, asked, rows)
        for rule_set in RuleSet
        for number, policy in enumerate(policies)
        for asked in [[run for run in runs if run.run["policy"] == policy]]
        if rule_set in lifelong_policy_of(asked[0].run).rule_sets
    )


def _board(
    rule_set: RuleSet, number: int, runs: Sequence[EvaluatedRun], rows: OverallRows
) -> LifelongBoard:
    heading, definition = RULE_SET_WORDS[rule_set]
    policy = lifelong_policy_of(runs[0].run)
    lines = [_line(run, rows, rule_set, policy.ref_bins_s) for run in runs]
    return LifelongBoard(
        f"{rule_set}-lifelong{f'-{number}' if number else ''}",
        f"{heading}, whole lives",
        definition,
        lifelong_sentences(policy),
        policy.ref_bins_s,
        placed(lines, _value),
    )


def _line(
    run: EvaluatedRun, rows: OverallRows, rule_set: RuleSet, bins_s: Sequence[int]
) -> LifelongLine:
    run_id = str(run.run["run_id"])
    answers = rows.get((run_id, LIFELONG, rule_set))
    refs = (rows.get((run_id, ref_metric(bin_s), rule_set)) for bin_s in bins_s)
    return LifelongLine(
        None,
        str(run.run["subject_id"]),
        SubjectFacts.from_json(json.loads(str(run.run["subject"]))),
        figure_of(answers, digits=1),
        tuple(figure_of(ref, digits=1) for ref in refs),
        0 if answers is None else int(str(answers["clusters"])),
        () if answers is None else outcome_counts(answers),
        bool(run.run["complete"]),
    )


def _value(line: LifelongLine) -> float:
    return line.answers.value or 0.0

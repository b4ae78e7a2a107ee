"""The leaderboard page: one HTML file that needs nothing else."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.core.time import us_to_s
from firsthand.metrics.columns import CODE_OF
from firsthand.metrics.intervals import IntervalMethod
from firsthand.metrics.persistence import EVENTS, Event, PersistenceColumns
from firsthand.metrics.survival import survival_tally
from firsthand.protocols import Overlap, StreamingPolicy
from firsthand.report.board import Board, boards_of, series_of
from firsthand.report.funnel_steps import funnel_steps
from firsthand.report.grounding_board import grounding_boards_of
from firsthand.report.leaderboard import (
    HEADLINE_VARIANT,
    INTERVAL_LEVEL,
    EvaluatedRun,
    longest_minutes,
    policy_of,
)
from firsthand.report.lifelong_board import lifelong_boards_of
from firsthand.report.plots import (
    PersistenceCurve,
    ScorePoint,
    accuracy_plot,
    funnel_plot,
    persistence_plot,
)
from firsthand.report.policy_words import policy_sentences, warning_sentences
from firsthand.report.standing_board import standing_boards_of
from firsthand.subjects import SubjectFacts

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["LeaderboardPage", "leaderboard_page", "page_warnings"]

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """What a leaderboard page is made from.

    Args:
        release_id: The release.
        release_digest: Digest of its contents.
        leaderboard: Rows of table `leaderboard`, all of this release.
        runs: The runs behind them.
        facts: The subjects, by id.
        versions: Versions to name under provenance, by what they are of.
        standing: Runs whose questions stood; never ranked with the others.
        funnel: Rows of table `funnel` of the release; None or no rows where they are unknown.
        lifelong: Runs about whole lives; never ranked with the others.
        grounding: Rows of table `grounding_grid`; None or no rows without grounding runs.
    """

    release_id: str
    release_digest: str
    leaderboard: pa.Table
    runs: Sequence[EvaluatedRun]
    facts: Mapping[str, SubjectFacts]
    versions: Mapping[str, str] = field(default_factory=dict)
    standing: Sequence[EvaluatedRun] = ()
    funnel: pa.Table | None = None
    lifelong: Sequence[EvaluatedRun] = ()
    grounding: pa.Table | None = None


def leaderboard_page(page: LeaderboardPage) -> str:
    """Return the page as HTML; the same rows give the same bytes.

    It loads nothing from anywhere, follows the reader's light or dark setting and prints.
    Everything that a subject or a release could have written is escaped.
    """
    boards = boards_of(page.leaderboard, page.facts)
    template = _environment().get_template("leaderboard.html.j2")
    return template.render(
        page=page,
        style=_resource("leaderboard.css"),
        boards=boards,
        standing=standing_boards_of(page.leaderboard, page.standing),
        lifelong=lifelong_boards_of(page.leaderboard, page.lifelong),
        grounding=grounding_boards_of(page.grounding),
        counts=_counts(page),
        warnings=page_warnings(page),
        interval=f"{INTERVAL_LEVEL:.0%}, by recording",
        horizon={str(rule_set): _horizon_minutes(page, rule_set) for rule_set in RuleSet},
        plots={board.anchor: _plots(page, board) for board in boards},
        policies=_policies(page),
        provenance=_provenance(page),
        methods=_methods(page),
        funnel=funnel_steps(page.funnel),
        funnel_drawing=_funnel_drawing(page),
    )


def page_warnings(page: LeaderboardPage) -> tuple[str, ...]:
    """Return what a reader must know before comparing the page's scores."""
    overall = [row for row in page.leaderboard.to_pylist() if row["group_kind"] == "overall"]
    return warning_sentences(
        [page.facts[name] for name in sorted(page.facts)],
        sorted({str(row["subject_id"]) for row in overall if not row["complete"]}),
        max((int(row["clusters"]) for row in overall), default=0),
    )


_METHOD_WORDS = {
    IntervalMethod.STUDENT_T: "Student's t over recordings",
    IntervalMethod.CLUSTER_BOOTSTRAP: "a wild bootstrap over recordings where they are few",
    IntervalMethod.WILSON: "Wilson's interval where all scores are the same",
    IntervalMethod.ONE_CLUSTER: (
        "Student's t over questions where all rest on one recording, which says nothing of others"
    ),
    IntervalMethod.ONE_ROW: "the whole range where there is one question",
}


def _methods(page: LeaderboardPage) -> str:
    used = {str(row["interval"]).split(",")[0] for row in page.leaderboard.to_pylist()}
    words = [text for method, text in _METHOD_WORDS.items() if method in used]
    return f"{INTERVAL_LEVEL:.0%} confidence: {'; '.join(words)}."


def _environment() -> "Environment":
    from jinja2 import DictLoader, Environment, StrictUndefined
    from markupsafe import Markup

    name = "leaderboard.html.j2"
    environment = Environment(
        loader=DictLoader({name: _resource(name)}),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Drawings and the style sheet are our own markup; everything else is escaped.
    environment.filters["drawing"] = Markup
    environment.globals["place"] = _percent_of
    return environment


def _resource(name: str) -> str:
    return (files("firsthand.report") / "templates" / name).read_text(encoding="utf-8")


def _percent_of(value: float, top: float) -> str:
    return f"{100 * value / top:.2f}" if top else "0.00"


def _funnel_drawing(page: LeaderboardPage) -> str:
    steps = funnel_steps(page.funnel)
    title = "How many proposed questions each step kept"
    return funnel_plot([(one.name, one.kept) for one in steps], title=title) if steps else ""


def _counts(page: LeaderboardPage) -> Mapping[str, int]:
    # A subject that speaks up has a figure of its own, over the same questions.
    rows = page.leaderboard.to_pylist()
    planned = [int(row["planned"]) for row in rows if row["group_kind"] == "overall"]
    streams = {row["group_name"] for row in rows if row["group_kind"] == "participant"}
    return {"questions": max(planned, default=0), "streams": len(streams)}


def _horizon_minutes(page: LeaderboardPage, rule_set: RuleSet) -> float:
    return max((longest_minutes(policy_of(run.run), rule_set) for run in page.runs), default=0.0)


def _plots(page: LeaderboardPage, board: Board) -> Mapping[str, str]:
    title = f"{board.heading}: "
    groups = [("Overall", [standing.rta for standing in board.standings])]
    groups += [(line.name, list(line.rta)) for line in board.groups if line.is_category]
    points = [
        (
            name,
            [
                ScorePoint(s.subject_id, figure.value, figure.low, figure.high, s.series)
                for s, figure in zip(board.standings, figures, strict=True)
            ],
        )
        for name, figures in groups
    ]
    return {
        "accuracy": accuracy_plot(points, title=f"{title}accuracy by category"),
        "persistence": persistence_plot(
            list(_curves(page, board)),
            title=f"{title}share of questions still remembered, by time",
            horizon_s=60 * _horizon_minutes(page, RuleSet.PAPER),
        ),
    }


def _curves(page: LeaderboardPage, board: Board) -> Iterator[PersistenceCurve]:
    series = series_of(page.facts)
    queued = board.anchor.endswith("serial")
    for run in page.runs:
        policy = policy_of(run.run)
        if (policy.overlap is Overlap.SERIAL) is not queued:
            continue
        tally = survival_tally(_held(run, RuleSet(board.rule_set), policy), policy)
        if not tally.at_risk[0]:
            continue
        observed = int(np.flatnonzero(tally.at_risk)[-1]) + 1
        moments_s = [r * us_to_s(policy.probe_step_us) for r in range(observed)]
        subject_id = str(run.run["subject_id"])
        yield PersistenceCurve(
            f"{subject_id} (n = {tally.at_risk[0]})",
            moments_s,
            [float(share) for share in tally.curve[:observed]],
            [
                moment_s
                for moment_s, count in zip(moments_s, tally.censored[:observed], strict=True)
                if count
            ],
            series[subject_id],
        )


def _held(run: EvaluatedRun, rule_set: RuleSet, policy: StreamingPolicy) -> PersistenceColumns:
    variant = str(HEADLINE_VARIANT[rule_set])
    rows = [
        row
        for row in run.results.probes.to_pylist()
        if row["rule_set"] == str(rule_set) and row["variant"] == variant
    ]
    events = [Event(row["event"]) for row in rows]
    # The step that `official` adds to what never failed was not observed.
    added_us = policy.probe_step_us if rule_set is RuleSet.OFFICIAL else 0
    return PersistenceColumns(
        np.full(len(rows), CODE_OF[Outcome.CORRECT], np.uint8),
        np.array([EVENTS.index(event) for event in events], np.uint8),
        np.array(
            [
                row["persistence_us"] - (added_us if event is Event.CENSORED else 0)
                for row, event in zip(rows, events, strict=True)
            ],
            np.int64,
        ),
        np.array([row["probes_asked"] for row in rows], np.int64),
        np.array([_cause(row["censored_by"]) for row in rows], np.int16),
    )


def _cause(censored_by: str | None) -> int:
    return -1 if censored_by is None else int(CODE_OF[Outcome(f"censored_{censored_by}")])


@dataclass(frozen=True, slots=True)
class _PolicyWords:
    subjects: str
    sentences: tuple[str, ...]


def _policies(page: LeaderboardPage) -> list[_PolicyWords]:
    """Return each policy once, with the subjects that were asked under it."""
    subjects: dict[str, list[str]] = {}
    for run in page.runs:
        subjects.setdefault(str(run.run["policy"]), []).append(str(run.run["subject_id"]))
    return [
        _PolicyWords(
            ", ".join(sorted(names)),
            policy_sentences(StreamingPolicy.from_json(json.loads(policy))),
        )
        for policy, names in sorted(subjects.items())
    ]


@dataclass(frozen=True, slots=True)
class _ProvenanceLine:
    subject_id: str
    revision: str
    receives: str
    latency_source: str
    run_id: str


def _provenance(page: LeaderboardPage) -> list[_ProvenanceLine]:
    lines = []
    for run in page.runs:
        facts = page.facts[str(run.run["subject_id"])]
        receives = ["the right answers"] if facts.reads_truth else sorted(map(str, facts.receives))
        lines.append(
            _ProvenanceLine(
                facts.subject_id,
                str(run.run["subject_revision"]),
                " and ".join(receives) or "the question alone",
                facts.latency_source,
                str(run.run["run_id"]),
            )
        )
    return sorted(lines, key=lambda line: (line.subject_id, line.run_id))

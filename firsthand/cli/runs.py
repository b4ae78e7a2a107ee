"""`firsthand runs`: what was evaluated, what it scored, how two runs differ."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from firsthand.cli.options import USUAL_STORE, StoreOption
from firsthand.cli.run_figures import figures_of, run_rows, stored_run
from firsthand.cli.score_reports import ScoreReport, print_reports
from firsthand.cli.score_table import difference, score_rows, share_rows
from firsthand.core.errors import ConfigurationError
from firsthand.core.identity import checked_id
from firsthand.core.outcomes import RuleSet
from firsthand.curation.double_review import standing_under
from firsthand.formats.teleego import write_questions
from firsthand.formats.teleego_run import write_participant_run
from firsthand.judging import AuditAgreement, audit_agreement, load_rubric, read_audit
from firsthand.store import Store, read_table
from firsthand.store.releases import read_release
from firsthand.store.review_demands import read_demand
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import COSTS, JUDGEMENTS
from firsthand.subjects import ResultTables
from firsthand.subjects.inspect_log import inspect_log, write_inspect_log
from firsthand.subjects.judged_sample import judged_run, release_name
from firsthand.subjects.official_layout import official_layout

__all__ = ["export_run", "runs_app"]

runs_app = typer.Typer(no_args_is_help=True, help="Look at finished runs, and compare them.")

RunArgument = Annotated[str, typer.Argument(help="Identifier of a run, or its beginning.")]
RulesOption = Annotated[RuleSet, typer.Option("--rules", help="Rule set: paper or official.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
_SHOWN = 12


@runs_app.command("list")
def list_runs(store: StoreOption = USUAL_STORE) -> None:
    """List the runs of a store."""
    typer.echo(f"{'run':<{_SHOWN}} {'subject':<20} {'release':<28} {'planned':>7}  state")
    for row in run_rows(Store(store.resolve())):
        state = "complete" if row["complete"] else "incomplete: run it again"
        typer.echo(
            f"{str(row['run_id'])[:_SHOWN]} {row['subject_id']!s:<20} {row['release_id']!s:<28} "
            f"{row['planned_asks']!s:>7}  {state}"
        )


@runs_app.command("show")
def show_run(
    run: RunArgument,
    store: StoreOption = USUAL_STORE,
    rules: RulesOption = RuleSet.PAPER,
    *,
    only_given: Annotated[
        bool,
        typer.Option("--only-given", help="Only questions whose modalities the subject is given."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a run's scores, how its asks ended, and what it cost."""
    opened = Store(store.resolve())
    found = stored_run(opened, run, only_given=only_given)
    scope = f"runs/{found.row['run_id']}"
    costs = read_table(opened, scope, COSTS).to_pylist()
    notes = [] if found.row["complete"] else ["incomplete: run the evaluation again"]
    if "real_time" in json.loads(str(found.row["policy"])):
        notes.append("followed in real time: answer times were measured, no two runs are the same")
    if only_given:
        notes.append("questions that require what the subject is not given are left out")
    report = ScoreReport(
        str(found.row["release_id"]),
        str(found.row["subject_id"]),
        rules,
        tuple(
            row for figure in figures_of(found, rules).values() for row in score_rows(figure, {})
        ),
        notes=tuple(notes),
        extra={
            name: sum(row[name] for row in costs)
            for name in ("calls", "input_tokens", "output_tokens", "cost_usd")
        },
    )
    print_reports([report], as_json=as_json)


@runs_app.command("compare")
def compare_runs(
    first: RunArgument,
    second: RunArgument,
    store: StoreOption = USUAL_STORE,
    rules: RulesOption = RuleSet.PAPER,
    *,
    as_json: JsonOption = False,
) -> None:
    """Compare two runs over one release, question by question."""
    opened = Store(store.resolve())
    one, other = stored_run(opened, first), stored_run(opened, second)
    same = [one.row[name] == other.row[name] for name in ("release_id", "planned_asks", "policy")]
    if not all(same):
        raise ConfigurationError(
            f"runs {first!r} and {second!r}",
            "another release, another policy, or other questions",
            "two runs over the same questions under one policy",
            "Evaluate both subjects with one run file.",
        )
    mine, theirs = figures_of(one, rules), figures_of(other, rules)
    name = str(other.row["subject_id"])
    report = ScoreReport(
        str(one.row["release_id"]),
        str(one.row["subject_id"]),
        rules,
        tuple(row for figure in mine.values() for row in score_rows(figure, {})),
        tuple(
            difference(mine[key], theirs[key], name)
            for key in mine
            if key in theirs and share_rows(mine[key], theirs[key])
        ),
    )
    print_reports([report], as_json=as_json)


class RunFormat(StrEnum):
    """In which form a run is written."""

    TELEEGO = "teleego"
    """The layout of TeleEgo's released runners, with the questions beside."""
    INSPECT = "inspect"
    """A log of Inspect, for its viewer; needs its library."""


def export_run(
    run: RunArgument,
    out: Annotated[Path, typer.Option("--out", help="Folder to write.")],
    store: StoreOption = USUAL_STORE,
    form: Annotated[
        RunFormat, typer.Option("--format", help="teleego or inspect.")
    ] = RunFormat.TELEEGO,
) -> None:
    """Write a run in the layout of TeleEgo's released runners, or as a log of Inspect."""
    opened = Store(store.resolve())
    row = stored_run(opened, run).row
    scope = f"runs/{row['run_id']}"
    release = read_release(opened.releases / str(row["release_id"]))
    results = ResultTables(*(read_table(opened, scope, spec) for spec in ResultTables.specs()))
    if form is RunFormat.INSPECT:
        name = f"{checked_id('subject', str(row['subject_id']))}-{row['run_id']}.eval"
        log = inspect_log(release, row, results, datetime.now(UTC))
        write_inspect_log(log, out / name)
        typer.echo(f"wrote {name} to {out}")
        return
    layout = official_layout(release, results)
    write_questions(out / "QAs", layout.questions)
    model = checked_id("subject", str(row["subject_id"]))
    for part in layout.participants:
        folder = out / "outputs" / model / part.participant.lower() / str(row["run_id"])
        write_participant_run(folder, part)
    typer.echo(f"wrote {len(layout.participants)} participants to {out}")


@runs_app.command("agreement")
def judge_agreement(
    run: RunArgument,
    audit: Annotated[
        Path | None,
        typer.Option(
            "--audit", help="CSV of people's grades: ask_id, grade; else those given in review."
        ),
    ] = None,
    store: StoreOption = USUAL_STORE,
) -> None:
    """Show how far a run's judge agrees with people who graded some of the same answers."""
    opened = Store(store.resolve())
    scope = f"runs/{stored_run(opened, run).row['run_id']}"
    rows = read_table(opened, scope, JUDGEMENTS).to_pylist()
    figures = _by_review(opened, scope) if audit is None else _by_file(rows, read_audit(audit))
    for (judge, rubric), found in figures.items():
        typer.echo(f"{judge}, rubric {rubric}: judged {found.judged} of {found.audited} audited")
        for name in ("same", "kappa", "alpha", "f1"):
            value = getattr(found, name)
            typer.echo(f"  {name:<6} {'n/a' if value is None else f'{value:.3f}'}")
    if not rows:
        typer.echo("no judge graded this run")


def _by_review(store: Store, scope: str) -> Mapping[tuple[str, str], AuditAgreement]:
    demand = read_demand(store, release_name(store, scope))
    decisions = ReviewStore.open(store.reviews).decisions()
    return judged_run(store, scope).figures(decisions, standing_under(demand))


def _by_file(
    rows: Sequence[Mapping[str, Any]], people: Mapping[str, float]
) -> dict[tuple[str, str], AuditAgreement]:
    found = {}
    for judge, rubric in sorted({(row["judge"], row["rubric"]) for row in rows}):
        mine = [row for row in rows if (row["judge"], row["rubric"]) == (judge, rubric)]
        highest = max(load_rubric(rubric.split("@")[0]).credit_of)
        found[judge, rubric] = audit_agreement(mine, people, highest)
    return found

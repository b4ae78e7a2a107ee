"""`firsthand score`: runs that official scripts wrote, scored without any build."""

from pathlib import Path
from typing import Annotated

import typer

from firsthand.answers import CoordinateOrder
from firsthand.cli.options import ScopeOption
from firsthand.cli.pointing_runs import run_from_files, run_from_store
from firsthand.cli.score_ecog import EcogGroup, score_ecog
from firsthand.cli.score_lifelong import (
    LifelongGroup,
    LifelongScoring,
    lifelong_run,
    score_lifelong,
)
from firsthand.cli.score_reports import print_reports
from firsthand.cli.score_teleego import TeleEgoGroup, score_teleego
from firsthand.cli.stored_lifelong import questions_from_store, stored_lifelong_run
from firsthand.cli.streaming_runs import only_run, runs_from_files, runs_from_store
from firsthand.core.outcomes import RuleSet
from firsthand.formats.imported_runs import imported_subjects
from firsthand.formats.mm_lifelong import read_lifelong_questions
from firsthand.store import Store

__all__ = ["score_app"]

_USUAL_BIN_S = 300.0

score_app = typer.Typer(
    no_args_is_help=True,
    help="Score a run that exists; every score with its n, its clusters and its interval.",
)

RulesOption = Annotated[
    RuleSet, typer.Option("--rules", help="paper: as the paper defines; official: as released.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
StoreOption = Annotated[
    Path | None, typer.Option("--store", help="Score what was imported into this store.")
]
SubjectOption = Annotated[
    str | None, typer.Option("--subject", help="The imported subject; all without it.")
]
CompareOption = Annotated[
    str | None,
    typer.Option("--compare", help="Another subject: its files, or its name in the store."),
]


@score_app.command("teleego")
def teleego(  # noqa: PLR0913 - a parameter an option
    outputs: Annotated[
        Path | None, typer.Option("--outputs", help="outputs/ or one model's folder.")
    ] = None,
    qa: Annotated[Path | None, typer.Option("--qa", help="Folder of merged_P<n>_A.json.")] = None,
    store: StoreOption = None,
    scope: ScopeOption = "teleego",
    subject: SubjectOption = None,
    rules: RulesOption = RuleSet.PAPER,
    by: Annotated[
        list[TeleEgoGroup] | None,
        typer.Option("--by", help="Group by; repeatable."),
    ] = None,
    compare: CompareOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Score TeleEgo: RTA, and MPT in its three window variants."""
    if store is not None:
        opened = Store.opened(store)
        runs = runs_from_store(opened, scope, subject)
        others = runs_from_store(opened, scope, compare) if compare else []
    else:
        questions = _needed(qa, "--qa")
        runs = runs_from_files(_needed(outputs, "--outputs"), questions)
        others = runs_from_files(Path(compare), questions) if compare else []
    other = only_run(others, str(compare)) if others else None
    print_reports(score_teleego(runs, rules, by or (), other), as_json=as_json)


@score_app.command("ecog")
def ecog(  # noqa: PLR0913 - a parameter an option
    data: Annotated[
        Path | None, typer.Option("--data", help="Data folder: <environment>/指令<k>/.")
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option("--predictions", help="Replies: a file, or a results folder.")
    ] = None,
    store: StoreOption = None,
    scope: ScopeOption = "ecog",
    subject: SubjectOption = None,
    rules: RulesOption = RuleSet.PAPER,
    order: Annotated[
        CoordinateOrder, typer.Option("--coord-order", help="Declared order of the subject.")
    ] = CoordinateOrder.XY,
    by: Annotated[
        list[EcogGroup] | None, typer.Option("--by", help="Group by; repeatable.")
    ] = None,
    compare: CompareOption = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Score EcoG-Bench: what, where and when, per clip and per referent."""
    if store is not None:
        opened = Store.opened(store)
        names = imported_subjects(opened, scope, "pointing_replies", subject)
        runs = [run_from_store(opened, scope, name, rules) for name in names]
        other = run_from_store(opened, scope, compare, rules) if compare else None
    else:
        folder = _needed(data, "--data")
        runs = [run_from_files(folder, _needed(predictions, "--predictions"), rules, order)]
        other = run_from_files(folder, Path(compare), rules, order) if compare else None
    reports = [report for run in runs for report in score_ecog(run, rules, by or (), other)]
    print_reports(reports, as_json=as_json)


@score_app.command("mm-lifelong", context_settings={"allow_extra_args": True})
def mm_lifelong(  # noqa: PLR0913 - a parameter an option
    context: typer.Context,
    questions: Annotated[
        Path | None, typer.Option("--questions", help="<scale>/<split>.json.")
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option("--predictions", help="Predictions, JSON(L).")
    ] = None,
    n: Annotated[
        list[float] | None,
        typer.Option("--n", help="Bins of Ref@N in seconds.", show_default=str(_USUAL_BIN_S)),
    ] = None,
    store: StoreOption = None,
    scope: ScopeOption = "mm-lifelong/month/val",
    subject: SubjectOption = None,
    rules: RulesOption = RuleSet.PAPER,
    by: Annotated[
        list[LifelongGroup] | None,
        typer.Option("--by", help="Group by; repeatable."),
    ] = None,
    compare: CompareOption = None,
    stream_seconds: Annotated[
        float | None, typer.Option("--stream-seconds", help="T: length of the stream.")
    ] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Score MM-Lifelong: judged accuracy, and Ref@N for any N (`--n 60 300 600`)."""
    bins_s = (*(n or [_USUAL_BIN_S]), *_numbers(context.args))
    if store is not None:
        opened = Store.opened(store)
        asked = questions_from_store(opened, scope)
        names = imported_subjects(opened, scope, "lifelong_answers", subject)
        runs = [stored_lifelong_run(opened, scope, name) for name in names]
        other = stored_lifelong_run(opened, scope, compare) if compare else None
    else:
        asked = read_lifelong_questions(_needed(questions, "--questions"))
        runs = [lifelong_run(_needed(predictions, "--predictions"))]
        other = lifelong_run(Path(compare)) if compare else None
    scoring = LifelongScoring(bins_s, rules, tuple(by or ()), stream_seconds)
    reports = [score_lifelong(asked, run, scoring, other) for run in runs]
    print_reports(reports, as_json=as_json)


def _needed(path: Path | None, option: str) -> Path:
    if path is None:
        raise typer.BadParameter(f"give {option}, or --store for what was imported")
    return path


def _numbers(arguments: list[str]) -> list[float]:
    """Return what follows `--n`: several numbers after one option, as the benchmark writes."""
    try:
        return [float(argument) for argument in arguments]
    except ValueError as error:
        raise typer.BadParameter(f"unexpected arguments: {' '.join(arguments)}") from error

"""`firsthand score`: runs that official scripts wrote, scored without any build."""

from pathlib import Path
from typing import Annotated

import typer

from firsthand.answers import CoordinateOrder
from firsthand.cli.score_ecog import EcogGroup, score_ecog
from firsthand.cli.score_lifelong import LifelongGroup, score_lifelong
from firsthand.cli.score_table import print_reports
from firsthand.cli.score_teleego import TeleEgoGroup, score_teleego
from firsthand.core.outcomes import RuleSet

__all__ = ["score_app"]

score_app = typer.Typer(
    no_args_is_help=True,
    help="Score a run that exists; every score with its n, its clusters and its interval.",
)

RulesOption = Annotated[
    RuleSet, typer.Option("--rules", help="paper: as the paper defines; official: as released.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@score_app.command("teleego")
def teleego(
    outputs: Annotated[Path, typer.Option("--outputs", help="outputs/ or one model's folder.")],
    qa: Annotated[Path, typer.Option("--qa", help="Folder of merged_P<n>_A.json.")],
    rules: RulesOption = RuleSet.PAPER,
    by: Annotated[
        list[TeleEgoGroup] | None,
        typer.Option("--by", help="Group by; repeatable."),
    ] = None,
    compare: Annotated[
        Path | None, typer.Option("--compare", help="Another model's folder.")
    ] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Score TeleEgo: RTA, and MPT in its three window variants."""
    reports = score_teleego(outputs, qa, rules, by or (), compare)
    print_reports(reports, as_json=as_json)


@score_app.command("ecog")
def ecog(  # noqa: PLR0913
    data: Annotated[Path, typer.Option("--data", help="Data folder: <environment>/指令<k>/.")],
    predictions: Annotated[
        Path, typer.Option("--predictions", help="Replies: a file, or a results folder.")
    ],
    rules: RulesOption = RuleSet.PAPER,
    order: Annotated[
        CoordinateOrder, typer.Option("--coord-order", help="Declared order of the subject.")
    ] = CoordinateOrder.XY,
    by: Annotated[
        list[EcogGroup] | None, typer.Option("--by", help="Group by; repeatable.")
    ] = None,
    compare: Annotated[
        Path | None, typer.Option("--compare", help="Another subject's replies.")
    ] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Score EcoG-Bench: what, where and when, per clip and per referent."""
    reports = score_ecog(data, predictions, rules, order, by or (), compare)
    print_reports(reports, as_json=as_json)


@score_app.command("mm-lifelong", context_settings={"allow_extra_args": True})
def mm_lifelong(  # noqa: PLR0913
    context: typer.Context,
    questions: Annotated[Path, typer.Option("--questions", help="<scale>/<split>.json.")],
    predictions: Annotated[Path, typer.Option("--predictions", help="Predictions, JSON(L).")],
    n: Annotated[list[float], typer.Option("--n", help="Bins of Ref@N in seconds.")] = [300.0],  # noqa: B006
    rules: RulesOption = RuleSet.PAPER,
    by: Annotated[
        list[LifelongGroup] | None,
        typer.Option("--by", help="Group by; repeatable."),
    ] = None,
    compare: Annotated[
        Path | None, typer.Option("--compare", help="Another subject's predictions.")
    ] = None,
    stream_seconds: Annotated[
        float | None, typer.Option("--stream-seconds", help="T: length of the stream.")
    ] = None,
    *,
    as_json: JsonOption = False,
) -> None:
    """Score MM-Lifelong: judged accuracy, and Ref@N for any N (`--n 60 300 600`)."""
    bins_s = [*n, *_numbers(context.args)]
    reports = score_lifelong(
        questions, predictions, bins_s, rules, by or (), compare, stream_seconds
    )
    print_reports(reports, as_json=as_json)


def _numbers(arguments: list[str]) -> list[float]:
    """Return what follows `--n`: several numbers after one option, as the benchmark writes."""
    try:
        return [float(argument) for argument in arguments]
    except ValueError as error:
        raise typer.BadParameter(f"unexpected arguments: {' '.join(arguments)}") from error

"""The root of the command line: commands, their help, and how errors end it."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from firsthand import __version__
from firsthand.cli.checkout import start_flow
from firsthand.cli.endings import ended
from firsthand.cli.engines import doctor, engines
from firsthand.cli.exports import export_app
from firsthand.cli.imports import import_app
from firsthand.cli.merge import merge_streams
from firsthand.cli.options import USUAL_STORE, StoreOption
from firsthand.cli.quality import report_app
from firsthand.cli.queries import sql
from firsthand.cli.review import review_app
from firsthand.cli.review_bridges import export_queue, import_answers
from firsthand.cli.runs import export_run, runs_app
from firsthand.cli.sam import export_sam_checkpoint
from firsthand.cli.score import score_app
from firsthand.cli.words import words_app

__all__ = ["app", "main"]

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Build benchmarks from first-person recordings and evaluate multimodal models on them.",
)
export_app.command("run")(export_run)
app.add_typer(import_app, name="import")
app.add_typer(export_app, name="export")
app.add_typer(score_app, name="score")
app.add_typer(runs_app, name="runs")
app.add_typer(review_app, name="review")
review_app.command("export")(export_queue)
review_app.command("import")(import_answers)
app.add_typer(report_app, name="report")
app.add_typer(words_app, name="words")

WorkersOption = Annotated[int, typer.Option(min=1, help="Worker processes of the local cluster.")]


@app.command()
def build(
    spec: Annotated[Path, typer.Argument(help="The benchmark's YAML file.")],
    store: StoreOption = USUAL_STORE,
    workers: WorkersOption = 2,
) -> None:
    """Build a benchmark release from raw recordings."""
    parameters = {"spec": str(spec), "store": str(store), "workers": {"processes": workers}}
    raise typer.Exit(start_flow("flows.build_benchmark.build_benchmark", parameters))


@app.command()
def evaluate(
    run: Annotated[Path, typer.Argument(help="The run's YAML file: subjects and policy.")],
    store: StoreOption = USUAL_STORE,
    workers: WorkersOption = 2,
    gpus: Annotated[
        int, typer.Option(min=0, help="Further processes, each with a GPU for itself.")
    ] = 0,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Ask the first questions of each stream only.")
    ] = None,
) -> None:
    """Evaluate subjects on the newest release of a benchmark; goes on where it was stopped."""
    parameters = {
        "run": str(run),
        "store": str(store),
        "workers": {"processes": workers, "gpus": gpus},
        "limit": limit,
    }
    raise typer.Exit(start_flow("flows.evaluate_models.evaluate_models", parameters))


@app.command()
def leaderboard(
    store: StoreOption = USUAL_STORE,
    benchmark: Annotated[
        str | None, typer.Option(help="Name; may be left out if the store holds one benchmark.")
    ] = None,
) -> None:
    """Publish the leaderboard: a page, a table of the catalog, an artifact."""
    parameters = {"store": str(store), "benchmark": benchmark}
    raise typer.Exit(start_flow("flows.publish_leaderboard.publish_leaderboard", parameters))


export_app.command("sam")(export_sam_checkpoint)
app.command("merge")(merge_streams)
app.command()(sql)
app.command()(engines)
app.command()(doctor)


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it with the flag's value
    if wanted:
        typer.echo(f"firsthand {__version__}")
        raise typer.Exit


@app.callback()
def root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    """Build benchmarks from first-person recordings and evaluate multimodal models on them."""
    _ = version


def main() -> None:
    """Run the command line and end the process with its status."""
    sys.exit(ended(_run))


def _run() -> int:
    app()
    return 0

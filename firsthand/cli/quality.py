"""`firsthand report`: figures about what was built."""

import json
from pathlib import Path
from typing import Annotated

import typer

from firsthand.cli.options import USUAL_STORE, StoreOption
from firsthand.store.location import Store

__all__ = ["report_app"]

report_app = typer.Typer(no_args_is_help=True, help="Figures about what was built.")

_SAMPLES = Path("data/samples")


@report_app.callback()
def report() -> None:
    """Figures about what was built."""


@report_app.command()
def quality(
    store: StoreOption = USUAL_STORE,
    benchmark: Annotated[str, typer.Option(help="Name of the benchmark.")] = "samples",
    truth: Annotated[Path, typer.Option(help="The truth file.")] = _SAMPLES / "truth.json",
    recordings: Annotated[Path, typer.Option(help="Folder of the originals.")] = _SAMPLES
    / "recordings",
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Compare what the pipeline made with the known truth of the recordings."""
    # The report decodes pictures and sound, which commands of other kinds need not wait for.
    from firsthand.report.quality import QualityInputs, quality_table

    table = quality_table(Store(store.resolve()), QualityInputs(benchmark, truth, recordings))
    lines = [json.dumps(table.to_json(), indent=2)] if as_json else table.lines()
    typer.echo("\n".join(lines))


@report_app.command()
def funnel(
    store: StoreOption = USUAL_STORE,
    benchmark: Annotated[str, typer.Option(help="Name of the benchmark.")] = "samples",
) -> None:
    """Show what became of drafted questions: from proposed to released."""
    from firsthand.report.funnel import drafting_funnel

    typer.echo("\n".join(drafting_funnel(Store(store.resolve()), benchmark).lines()))

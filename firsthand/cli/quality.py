"""`firsthand report`: figures about what was built."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from firsthand.cli.options import USUAL_STORE, StoreOption
from firsthand.store.location import Store

__all__ = ["report_app"]

report_app = typer.Typer(no_args_is_help=True, help="Figures about what was built.")

_SAMPLES = Path("data/samples")


class CardFormat(StrEnum):
    """What a card is written as."""

    MARKDOWN = "markdown"
    CROISSANT = "croissant"


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


@report_app.command()
def card(
    release: Annotated[Path, typer.Argument(help="Folder of the release.")],
    title: Annotated[str, typer.Option(help="Name for readers.")],
    summary: Annotated[str, typer.Option(help="What was recorded, by whom and why.")],
    licence: Annotated[str, typer.Option(help="Name of the licence, or its address.")],
    contact: Annotated[str, typer.Option(help="Whom to ask, also for removal.")] = "",
    card_format: Annotated[
        CardFormat, typer.Option("--format", help="For people, or for dataset search engines.")
    ] = CardFormat.MARKDOWN,
) -> None:
    """Print the card of a release: what it holds, how it came about, how it was reviewed."""
    from firsthand.report.croissant import croissant
    from firsthand.report.dataset_card import CardText, dataset_card
    from firsthand.store.release_folder import read_release

    told, text = read_release(release), CardText(title, summary, licence, contact)
    if card_format is CardFormat.CROISSANT:
        typer.echo(json.dumps(croissant(told, text), indent=2, ensure_ascii=False))
    else:
        typer.echo(dataset_card(told, text), nl=False)

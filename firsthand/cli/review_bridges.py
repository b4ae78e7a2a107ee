"""`firsthand review export` and `import`: reviewers who work without the application."""

import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from firsthand.cli.options import USUAL_STORE, StoreOption
from firsthand.cli.review import BenchmarkOption, application
from firsthand.formats.review_answers import (
    read_label_studio,
    read_sheet,
    write_label_studio,
    write_sheet,
)
from firsthand.store.location import Store

__all__ = ["export_queue", "import_answers"]

_SOME_REFUSED_STATUS = 3


class Bridge(StrEnum):
    """What the file is for."""

    CSV = "csv"
    LABEL_STUDIO = "label-studio"


ReviewerOption = Annotated[str, typer.Option(help="Name or pseudonym of the reviewer.")]
BridgeOption = Annotated[Bridge, typer.Option("--format", help="A spreadsheet, or Label Studio.")]
KindOption = Annotated[str, typer.Option(help="The queue: draft, transcript, stroke, …")]


def export_queue(
    file: Annotated[Path, typer.Argument(help="File to write.")],
    benchmark: BenchmarkOption,
    reviewer: ReviewerOption,
    kind: KindOption = "draft",
    bridge: BridgeOption = Bridge.CSV,
    store: StoreOption = USUAL_STORE,
) -> None:
    """Write what waits for a reviewer into a file that they fill in elsewhere."""
    app = application()
    archive = app.Archive(Store.opened(store), time.time)
    tasks = list(app.tasks_for(archive, benchmark, kind, reviewer, app.Selection("open")))
    writers = {Bridge.CSV: write_sheet, Bridge.LABEL_STUDIO: write_label_studio}
    writers[bridge](file, tasks)
    typer.echo(f"{len(tasks)} items for {reviewer} in {file}")


def import_answers(
    file: Annotated[Path, typer.Argument(help="The filled-in file.")],
    benchmark: BenchmarkOption,
    reviewer: ReviewerOption,
    kind: KindOption = "draft",
    bridge: BridgeOption = Bridge.CSV,
    store: StoreOption = USUAL_STORE,
) -> None:
    """Record a filled-in file's decisions; those on items that changed meanwhile are refused."""
    app = application()
    readers = {Bridge.CSV: read_sheet, Bridge.LABEL_STUDIO: read_label_studio}
    answers = readers[bridge](file)
    done = app.answers_recorded(
        app.Archive(Store.opened(store), time.time), benchmark, kind, reviewer, answers
    )
    typer.echo(f"{done.recorded} decisions recorded, {len(done.refused)} refused")
    for line in done.refused:
        typer.echo(f"refused: {line}", err=True)
    if done.refused:
        raise typer.Exit(_SOME_REFUSED_STATUS)

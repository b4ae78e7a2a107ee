"""`firsthand review`: what waits for a person, and a person's decisions on it."""

import importlib
import time
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from firsthand.cli.options import USUAL_STORE, StoreOption
from firsthand.core.errors import MissingEngineError, UnknownNameError
from firsthand.core.identity import Json
from firsthand.curation.double_review import standing_under
from firsthand.curation.reviewing import (
    DecisionKind,
    ReviewDecision,
    ReviewState,
    accepted_items,
    current_item,
)
from firsthand.curation.revisions import ReviewItem
from firsthand.store.commits import read_table
from firsthand.store.location import Store
from firsthand.store.orphaned_decisions import orphaned_decisions
from firsthand.store.review_demands import read_demand, widest_demand
from firsthand.store.reviews import ReviewStore, read_decisions
from firsthand.store.tables import DRAFTS

__all__ = ["BenchmarkOption", "StoreOption", "application", "review_app"]

review_app = typer.Typer(no_args_is_help=True, help="Look at drafts and decide on them.")

BenchmarkOption = Annotated[str, typer.Option("--benchmark", help="Name of the benchmark.")]
_PORT_VARIABLE = "FIRSTHAND_REVIEW_PORT"
PortOption = Annotated[
    int, typer.Option("--port", envvar=_PORT_VARIABLE, help="Port of the pages.")
]
_PORT = 4201
_SHOWN_CHARACTERS = 90


@review_app.command("list")
def list_drafts(
    benchmark: BenchmarkOption,
    store: StoreOption = USUAL_STORE,
    state: Annotated[ReviewState | None, typer.Option(help="Only drafts in this state.")] = None,
) -> None:
    """List drafts with where they stand; those that a check rejected are not shown."""
    opened = Store(store.resolve())
    items = _items(opened, benchmark)
    stander = standing_under(read_demand(opened, benchmark))
    outcome = accepted_items(_reviews(opened).decisions(), items.values(), stander)
    for name, item in items.items():
        found = outcome.states["draft", name]
        if state is None or found is state:
            text = str(item.content["text"])
            typer.echo(f"{name}  {found.value:<10}  {text[:_SHOWN_CHARACTERS]}")
    counts = ", ".join(f"{count} {name.value}" for name, count in outcome.counts.items())
    orphans = len(orphaned_decisions(opened))
    typer.echo(f"{len(items)} drafts: {counts}; {orphans} decisions of the store without a draft")


@review_app.command()
def show(
    item_id: Annotated[str, typer.Argument(help="The draft's id.")],
    benchmark: BenchmarkOption,
    store: StoreOption = USUAL_STORE,
) -> None:
    """Show everything that a decision on a draft binds."""
    item = _present(Store(store.resolve()), benchmark, item_id)
    typer.echo(f"{item.item_id}, revision {item.revision}, digest {item.content_digest}")
    for name, value in item.content.items():
        typer.echo(f"{name:<20} {_shown(value)}")


@review_app.command()
def decide(
    item_id: Annotated[str, typer.Argument(help="The draft's id.")],
    decision: Annotated[DecisionKind, typer.Argument(help="accept, reject or unsure.")],
    reviewer: Annotated[str, typer.Option(help="Pseudonym of who decides.")],
    benchmark: BenchmarkOption,
    reason: Annotated[str, typer.Option(help="Why.")] = "",
    store: StoreOption = USUAL_STORE,
) -> None:
    """Record a decision on a draft as it is now; `firsthand build` then applies it."""
    if decision is DecisionKind.EDIT:
        raise typer.BadParameter("edits come with their new values: use `review replay FILE`")
    opened = Store(store.resolve())
    item = _present(opened, benchmark, item_id)
    row = _reviews(opened).submit(
        ReviewDecision.on(item, reviewer, decision, reason),
        expected_revision=item.revision,
    )
    typer.echo(f"recorded as decision {row.sequence}")


@review_app.command()
def replay(
    decisions: Annotated[Path, typer.Argument(help="File of decisions, a JSON line each.")],
    store: StoreOption = USUAL_STORE,
) -> None:
    """Record the decisions of a file; those that are recorded already add nothing."""
    opened = Store.opened(store)
    added = _reviews(opened).replay(read_decisions(decisions), widest_demand(opened))
    typer.echo(f"{added} decisions recorded")


@review_app.command()
def invite(
    name: Annotated[str, typer.Argument(help="The reviewer's name or pseudonym.")],
    store: StoreOption = USUAL_STORE,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            envvar=_PORT_VARIABLE,
            help="Port of the pages; left out, it is that at which they are served now.",
        ),
    ] = None,
) -> None:
    """Make an access code for a reviewer; an earlier code of the same name ends."""
    opened = Store.opened(store)
    pages = application()
    code = pages.reviewers_of(opened).invite(name)
    typer.echo(f"Access code of {name}: {code}")
    address = pages.served_at(opened) if port is None else f"http://127.0.0.1:{port}"
    if address is None:
        typer.echo("No pages are served over this store now; once they are, they ask for it.")
    else:
        typer.echo(f"Link: {address}/sign-in#{code}")
    typer.echo("It is shown once: only its digest is kept.")


@review_app.command()
def serve(store: StoreOption = USUAL_STORE, port: PortOption = _PORT) -> None:
    """Serve the pages for reviewers on this machine."""

    def ready(address: str) -> None:
        typer.echo(f"Reviewers work at {address}; `firsthand review invite NAME` lets one in.")

    application().serve(Store.opened(store), port, ready=ready)


def application() -> ModuleType:
    """Return the review application.

    Raises:
        MissingEngineError: If its packages are not installed.
    """
    try:
        return importlib.import_module("firsthand.review_app")
    except ModuleNotFoundError as error:
        raise MissingEngineError(
            "the review pages",
            f"no module {error.name!r}",
            "the packages of the extra `app`",
            "Install firsthand[app], or run `make setup` in a checkout.",
        ) from None


def _reviews(store: Store) -> ReviewStore:
    return ReviewStore.open(store.reviews, time.time)


def _items(store: Store, benchmark: str) -> dict[str, ReviewItem]:
    rows: list[dict[str, Json]] = read_table(store, benchmark, DRAFTS).to_pylist()
    shown = {str(row["draft_id"]): row for row in rows if not row["rejected_by"]}
    return {name: ReviewItem.of("draft", name, row) for name, row in shown.items()}


def _present(store: Store, benchmark: str, item_id: str) -> ReviewItem:
    items = _items(store, benchmark)
    if item_id not in items:
        raise UnknownNameError(
            f"draft {item_id!r}",
            f"no draft of that id among the {len(items)} of {benchmark!r}",
            "an id that `firsthand review list` shows",
            "Copy the id from the list, or build the benchmark first.",
        )
    own = [d for d in _reviews(store).decisions() if d.item == ("draft", item_id)]
    return current_item(items[item_id], own)


def _shown(value: Json) -> str:
    if isinstance(value, str) or value is None:
        return value or "–"
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)

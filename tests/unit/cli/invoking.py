"""Commands run in the test's own process."""

import json
from typing import Any

import typer
from typer.testing import CliRunner

from firsthand.cli.main import app
from firsthand.store import Store


def said(commands: typer.Typer, *arguments: object) -> str:
    """Run a command that must end well and return what it wrote; its error is raised."""
    result = CliRunner().invoke(commands, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def command(store: Store, *arguments: str) -> str:
    """Run a command of `firsthand` over a store."""
    return said(app, *arguments, "--store", store.root)


def scores(store: Store, *arguments: str) -> dict[str, Any]:
    """The rows by metric of the one report that `firsthand runs` makes, and the report."""
    (report,) = json.loads(command(store, "runs", *arguments, "--json"))
    return {row["metric"]: row for row in report["rows"]} | {"report": report}

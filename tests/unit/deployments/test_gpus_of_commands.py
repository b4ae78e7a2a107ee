"""Commands hand the GPUs that they may use to the workers they start."""

from dataclasses import replace
from typing import Any

import pytest
from typer.testing import CliRunner

from deployments.local import with_gpus
from deployments.settings import Settings
from firsthand.cli import main


def test_a_command_asks_for_workers_with_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []

    def start(*given: object) -> int:
        started.append(given)
        return 0

    monkeypatch.setattr(main, "start_flow", start)
    run = CliRunner().invoke(main.app, ["evaluate", "run.yaml", "--workers", "1", "--gpus", "2"])
    assert run.exit_code == 0, run.output
    ((_, parameters),) = started
    assert parameters["workers"] == {"processes": 1, "gpus": 2}


@pytest.mark.parametrize("visible", ["2,3", "", None])
def test_workers_with_gpus_choose_among_those_that_the_command_sees(visible: str | None) -> None:
    settings = replace(Settings.from_environment(), visible_gpus=visible)
    given = with_gpus({"workers": {"processes": 1, "gpus": 1}}, settings)
    assert given == {"workers": {"processes": 1, "gpus": 1, "visible_gpus": visible}}
    for alone in ({"workers": {"processes": 1, "gpus": 0}}, {"store": "s"}):
        assert with_gpus(alone, settings) == alone

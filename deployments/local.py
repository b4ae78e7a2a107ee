"""Running a flow from the command line: an API for it, its call, its exit status."""

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Protocol, cast

from deployments.api_server import api_in_use
from deployments.settings import Settings

__all__ = ["Summary", "load_flow", "run_flow", "with_gpus"]


class Summary(Protocol):
    """What every flow returns: what it made, in words, and how the command should end."""

    @property
    def exit_status(self) -> int:
        """0, or 3 if the job is done but some inputs were set aside."""

    def lines(self) -> list[str]:
        """The summary, ready to print."""


def run_flow(flow: str, parameters: Mapping[str, object]) -> int:
    """Run one flow with an API of its own or the running one; print its summary."""
    settings = Settings.from_environment()
    with api_in_use(settings) as wait_for_api:
        function = load_flow(flow)
        wait_for_api()
        summary = function(**with_gpus(parameters, settings))
    sys.stdout.write("\n".join(summary.lines()) + "\n")
    return summary.exit_status


def with_gpus(parameters: Mapping[str, object], settings: Settings) -> Mapping[str, object]:
    """Return the parameters, their workers with the GPUs that this command may use."""
    workers = parameters.get("workers")
    if not isinstance(workers, Mapping) or not workers.get("gpus"):
        return parameters
    return {**parameters, "workers": {"visible_gpus": settings.visible_gpus, **workers}}


def load_flow(flow: str) -> Callable[..., Summary]:
    """Import a flow by its dotted path; the API's environment must be set before."""
    module, _, function = flow.rpartition(".")
    return cast("Callable[..., Summary]", getattr(importlib.import_module(module), function))

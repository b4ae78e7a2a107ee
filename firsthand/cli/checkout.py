"""Starting flows from the command line: by module path, as the orchestrator does."""

import importlib
from collections.abc import Mapping

from firsthand.core.errors import FirsthandError

__all__ = ["CheckoutNeededError", "start_flow"]


class CheckoutNeededError(FirsthandError):
    """A command needs the flows, which the wheel does not carry."""


def start_flow(flow: str, parameters: Mapping[str, object]) -> int:
    """Run a flow to its end and return the exit status.

    Args:
        flow: Module and function, dotted (`flows.build_benchmark.build_benchmark`).
        parameters: The flow's parameters.

    Raises:
        CheckoutNeededError: If flows or their packages are not installed here.
    """
    try:
        local = importlib.import_module("deployments.local")
    except ModuleNotFoundError as error:
        raise CheckoutNeededError(
            f"flow {flow!r}",
            f"no module {error.name!r}",
            "a checkout of the repository with its environment",
            "Clone it, run `make setup`, and use .venv/bin/firsthand from there.",
        ) from None
    status: int = local.run_flow(flow, parameters)
    return status

"""How a flow ends: in a state whose message says what was made and what was not."""

from typing import Protocol, TypeVar

from prefect.client.schemas.objects import State
from prefect.states import Completed

__all__ = ["completed"]


class Told(Protocol):
    """A summary that can be told in one paragraph."""

    @property
    def headline(self) -> str:
        """What was made, what was set aside and at which error; identifiers only."""


ToldT = TypeVar("ToldT", bound=Told)


def completed(summary: ToldT) -> State[ToldT]:
    """Return the completed state of a flow that hands back a summary.

    The state's message is the summary's headline, so that the orchestrator's pages and its
    API tell of every input that was set aside; whoever calls the flow gets the summary.
    """
    return Completed(message=summary.headline, data=summary)

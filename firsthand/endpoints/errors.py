"""How a call to an endpoint can fail; no error holds a prompt, a reply or a key."""

from firsthand.core.errors import FirsthandError

__all__ = [
    "BudgetExceededError",
    "EndpointAnswerError",
    "EndpointBusyError",
    "EndpointRefusedError",
    "EndpointUnreachableError",
    "PrivateInputError",
    "ReplyWithheldError",
    "UnknownPriceError",
]


class EndpointUnreachableError(FirsthandError):
    """An endpoint did not answer, or answered with a fault of its own, on every attempt."""


class EndpointBusyError(FirsthandError):
    """An endpoint kept asking to come back later."""


class EndpointRefusedError(FirsthandError):
    """An endpoint answered that it will not serve this call; asking again would not help."""


class ReplyWithheldError(EndpointRefusedError):
    """An endpoint's content rules withheld the reply; that is how the ask ended."""


class EndpointAnswerError(FirsthandError):
    """An endpoint answered with something that is no reply."""


class BudgetExceededError(FirsthandError):
    """A call was to be made after the budget was spent."""


class UnknownPriceError(FirsthandError):
    """A budget in money was set for an endpoint whose price nobody knows."""


class PrivateInputError(FirsthandError):
    """Input that is not de-identified was to leave this machine without a recorded consent."""

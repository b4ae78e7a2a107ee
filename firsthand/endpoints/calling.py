"""What calls of one run share: privacy, keys, traffic and what was spent."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from firsthand.endpoints.privacy import ORIGINAL, InputPrivacy
from firsthand.endpoints.spending import Spending
from firsthand.endpoints.traffic import Traffic

__all__ = ["Calling", "no_secret"]


def no_secret(name: str | None) -> str:
    """Return the key of an endpoint that asks for none.

    Raises:
        ValueError: If a key is named: this run was given no way to read one.
    """
    if name is not None:
        raise ValueError(f"a run without secrets was asked for {name!r}")
    return "none"


@dataclass(frozen=True, slots=True)
class Calling:
    """How a run calls endpoints.

    Args:
        privacy: What is known about what is sent; an original, until someone says otherwise.
        secret: Returns the key that a setting names; None names the absent key.
        traffic: The lanes of this process.
        spending: What the run has spent.
        began_unix_s: When the command began; budgets of time count from it.
        pause: Waits that many seconds between attempts.
    """

    privacy: InputPrivacy = ORIGINAL
    secret: Callable[[str | None], str] = no_secret
    traffic: Traffic = field(default_factory=Traffic)
    spending: Spending = field(default_factory=Spending)
    began_unix_s: float = field(default_factory=time.time)
    pause: Callable[[float], None] = time.sleep

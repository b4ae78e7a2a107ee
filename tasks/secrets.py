"""Keys of endpoints, read where the call is made, so that they never travel as parameters."""

import os

from firsthand.core.errors import FirsthandError

__all__ = ["MissingSecretError", "secret"]

# LiteLLM wants some key even for servers that ask for none.
_NO_KEY = "none"


class MissingSecretError(FirsthandError):
    """A key that a configuration names is not in the environment."""


def secret(name: str | None) -> str:
    """Return the key that the environment variable `name` holds.

    Args:
        name: The variable; None for an endpoint that asks for no key.

    Raises:
        MissingSecretError: If it is not set; the message never holds a value.
    """
    if name is None:
        return _NO_KEY
    value = os.environ.get(name, "")
    if not value:
        raise MissingSecretError(
            f"environment variable {name}",
            "nothing",
            "the key of the endpoint that the benchmark file names",
            f"Set it before starting the command or `make up`: export {name}=…",
        )
    return value

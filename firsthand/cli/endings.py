"""How a command ends: known errors and interruptions are one message and an exit status."""

import sys
from collections.abc import Callable

from firsthand.core.errors import FirsthandError

__all__ = ["ended"]

_INTERRUPTED_STATUS = 130


def ended(command: Callable[[], int]) -> int:
    """Run a command and return its exit status; no traceback for what a person can mend.

    An interruption loses nothing, since the store keeps every finished step; it ends with
    130, as a shell expects.
    """
    try:
        return command()
    except FirsthandError as error:
        sys.stderr.write(f"firsthand: {error}\n")
        return error.exit_status
    except KeyboardInterrupt:
        sys.stderr.write("firsthand: interrupted; the same command goes on from here\n")
        return _INTERRUPTED_STATUS

"""A stream at the pace of a clock: units come when they end, answers take the time they take.

For demonstrations: lateness then hangs on the machine and on all that runs on it, so that two
runs are never the same.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from firsthand.core.time import SECOND_US
from firsthand.endpoints.replies import Reply

__all__ = ["Pace", "WallClock"]


@dataclass(frozen=True, slots=True)
class WallClock:
    """The clock that a stream keeps pace with.

    Args:
        now_s: Seconds that pass.
        sleep: Waits that many seconds.
    """

    now_s: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class Pace:
    """One stream that runs with a clock from now on.

    Args:
        factor: Seconds of the stream in a second of the clock.
        clock: The clock.
    """

    def __init__(self, factor: float, clock: WallClock) -> None:
        self._factor = factor
        self._clock = clock
        self._began_s = clock.now_s()

    @property
    def moment_us(self) -> int:
        """Where the stream is now."""
        return round((self._clock.now_s() - self._began_s) * self._factor * SECOND_US)

    def wait_for(self, moment_us: int) -> None:
        """Wait until the stream has come to a moment; return at once if it has passed."""
        while (left_us := moment_us - self.moment_us) > 0:
            self._clock.sleep(left_us / SECOND_US / self._factor)

    def timed(self, reply: Reply, due_us: int) -> Reply:
        """Return a reply that came just now, with the time that has passed since it was due.

        Units that a subject was still taking in, and questions that it was still answering,
        delay it as they do outside.
        """
        latency_us = max(0, self.moment_us - due_us)
        return replace(reply, latency_us=latency_us, latency_source="measured")

"""Traffic: how many calls are under way at one endpoint, by what it can take.

The rule is that of networks: one more for each round that goes well, half as many when
the endpoint is overrun. It needs no knowledge of an endpoint's limits, and workers that
know nothing of each other come to share it fairly.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

__all__ = ["Lane", "Passage", "Traffic"]

_FIRST_LIMIT = 4
_DOWN_AFTER = 3


@dataclass(slots=True)
class Passage:
    """A call on its way through a lane.

    Args:
        generation: How often the lane had been narrowed when it began.
        congested: Whether the endpoint was overrun by it.
        retry_after_s: How long the endpoint asks everybody to stay away.
    """

    generation: int
    congested: bool = False
    retry_after_s: float | None = None

    def note_congestion(self, retry_after_s: float | None) -> None:
        """Note that the endpoint could not take the call."""
        self.congested = True
        self.retry_after_s = retry_after_s


class Lane:
    """The way to one endpoint, as wide as the endpoint allows; shared by threads.

    Args:
        most: Most calls at once, at least 1.
        clock_s: Monotonic clock.
        longest_hold_s: Longest time that a call is held back because another one was
            asked to come later.
    """

    def __init__(
        self,
        most: int,
        *,
        clock_s: Callable[[], float] = time.monotonic,
        longest_hold_s: float = 60.0,
    ) -> None:
        if most < 1:
            raise ValueError(f"a lane takes at least one call at once, not {most}")
        self.most = most
        self._clock_s = clock_s
        self._longest_hold_s = longest_hold_s
        self._change = threading.Condition()
        self._limit = float(min(most, _FIRST_LIMIT))
        self._under_way = 0
        self._generation = 0
        self._not_before_s = float("-inf")
        self._given_up = 0

    @property
    def limit(self) -> int:
        """Calls that may be under way now."""
        return int(self._limit)

    @property
    def seems_down(self) -> bool:
        """Whether call after call was given up, and none has come through since."""
        return self._given_up >= _DOWN_AFTER

    @contextmanager
    def passage(self) -> Iterator[Passage]:
        """Hold a place for one attempt of a call; waits until there is one."""
        passage = self._enter()
        try:
            yield passage
        finally:
            self._leave(passage)

    def note_success(self) -> None:
        """Note that a call brought an answer."""
        with self._change:
            self._given_up = 0

    def note_given_up(self) -> None:
        """Note that a call was given up after its last attempt."""
        with self._change:
            self._given_up += 1

    def _enter(self) -> Passage:
        with self._change:
            while (wait_s := self._hold_s()) is not None:
                self._change.wait(wait_s)
            self._under_way += 1
            return Passage(self._generation)

    def _hold_s(self) -> float | None:
        """Return how long to wait before looking again, or None to go now."""
        held_s = self._not_before_s - self._clock_s()
        if held_s > 0:
            return held_s
        # A place that becomes free wakes one waiter; a minute is only a safety net.
        return self._longest_hold_s if self._under_way >= self.limit else None

    def _leave(self, passage: Passage) -> None:
        with self._change:
            self._under_way -= 1
            if not passage.congested:
                self._limit = min(float(self.most), self._limit + 1.0 / self._limit)
            elif passage.generation == self._generation:
                # Calls that began before the lane was narrowed say nothing of its new width.
                self._generation += 1
                self._limit = max(1.0, self._limit / 2)
            if passage.retry_after_s is not None:
                held_s = min(passage.retry_after_s, self._longest_hold_s)
                self._not_before_s = max(self._not_before_s, self._clock_s() + held_s)
            self._change.notify_all()


@dataclass(slots=True)
class Traffic:
    """The lanes of one process, one for each endpoint."""

    _lanes: dict[tuple[str, str], Lane] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def lane(self, model: str, base_url: str | None, most: int) -> Lane:
        """Return the lane to a model at an address; made when it is first asked for."""
        with self._lock:
            return self._lanes.setdefault((model, base_url or ""), Lane(most))

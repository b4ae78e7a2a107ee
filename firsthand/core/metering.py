"""Counting engine calls, so that "nothing was computed twice" is a number and not a hope."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["count_engine_call", "metered"]

_ADDING = threading.Lock()
_METER: ContextVar[Counter[str] | None] = ContextVar("engine_call_meter", default=None)


def count_engine_call(engine: str, calls: int = 1) -> None:
    """Note that `engine` was asked to compute something, `calls` times.

    Every engine calls this where it runs its model. Outside `metered` nothing is kept.
    Threads that copied their context inside the block add to the same meter.
    """
    meter = _METER.get()
    if meter is not None:
        with _ADDING:
            meter[engine] += calls


@contextmanager
def metered() -> Iterator[Counter[str]]:
    """Collect the engine calls made inside the block, by engine."""
    meter: Counter[str] = Counter()
    token = _METER.set(meter)
    try:
        yield meter
    finally:
        _METER.reset(token)

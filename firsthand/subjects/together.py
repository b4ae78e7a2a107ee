"""Asks under way at once, from several threads, counted one by one as they end."""

import contextvars
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from firsthand.endpoints.spending import Spending, Spent

__all__ = ["THREADS", "put_together"]

THREADS = 64
"""Asks put at once in one process; how many calls are under way, lanes decide."""

AskT = TypeVar("AskT")
ResultT = TypeVar("ResultT")


def put_together(
    put: Callable[[AskT], ResultT],
    asks: Sequence[AskT],
    spending: Spending,
    threads: int = THREADS,
) -> list[ResultT]:
    """Put asks and return what came of each, in their order.

    Args:
        put: Puts one ask.
        asks: The asks.
        spending: Where each that ended is counted.
        threads: Most of them at once.

    Raises:
        FirsthandError: If an ask fails for a reason that no other ask would escape; asks
            that have not begun are then not put.
    """
    results = []
    with ThreadPoolExecutor(max(1, min(threads, len(asks)))) as pool:
        # Each thread works in a copy of the context, so that meters count what it calls.
        futures = [pool.submit(contextvars.copy_context().run, put, ask) for ask in asks]
        try:
            for future in futures:
                results.append(future.result())
                spending.add(Spent(questions=1))
        except BaseException:
            # Also when the run is interrupted: what was not begun is not paid for.
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return results

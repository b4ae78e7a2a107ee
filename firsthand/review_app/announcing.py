"""Telling others that a batch is finished: once for each outcome, and again until it arrived."""

import logging
from collections.abc import Callable

from firsthand.core.errors import FirsthandError
from firsthand.curation.batches import Batch
from firsthand.review_app.archive import Archive
from firsthand.review_app.desk import Desk
from firsthand.store.build_notes import (
    announced_outcome,
    decisions_taken_in,
    note_announced,
)

__all__ = ["AnnouncementError", "Announcer", "Send"]

Send = Callable[[Batch], None]
"""Tells others of a finished batch; raises `AnnouncementError` if it did not arrive."""

_LOG = logging.getLogger(__name__)


class AnnouncementError(FirsthandError):
    """A finished batch could not be announced; it is tried again."""


class Announcer:
    """Announces finished batches that neither were announced nor are in a release.

    Both are read from the store, so that nothing depends on a process having lived through
    the last decision.

    Args:
        archive: The benchmarks.
        send: Tells others.
    """

    def __init__(self, archive: Archive, send: Send) -> None:
        self._archive = archive
        self._send = send
        self._failing = False

    def announce(self) -> int:
        """Announce what is to be announced; return how many batches that was.

        What does not arrive is logged once, and left to the next call.
        """
        announced = 0
        for name in self._archive.names():
            for desk in self._archive.benchmark(name).desks.values():
                batch = desk.finished_batch(name)
                if batch is None or self._is_known(batch, desk):
                    continue
                try:
                    self._send(batch)
                except AnnouncementError as error:
                    if not self._failing:
                        _LOG.warning("%s", error)
                    self._failing = True
                    return announced
                note_announced(self._archive.store, batch)
                self._failing = False
                announced += 1
        return announced

    def _is_known(self, batch: Batch, desk: Desk) -> bool:
        store = self._archive.store
        if announced_outcome(store, batch.benchmark, batch.queue) == batch.outcome:
            return True
        return desk.last_decision() <= decisions_taken_in(store, batch.benchmark)

"""Progress of a stage, read from the job's journal: items done and time left."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from firsthand.store.journal import read_journal
from tasks.job import Job

__all__ = ["say", "shown_line", "shown_progress"]

_PERIOD_S = 2.0
_LINE_PERIOD_S = 15.0


def say(line: str) -> None:
    """Write one line of progress to standard error, at once."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


@contextmanager
def shown_progress(job: Job, stage: str, *, total: int, missing: int) -> Iterator[None]:
    """Show how a stage advances while the block runs.

    Workers are other processes, so the count comes from the journal they write, whatever
    runs them; time left is the time so far scaled to the items that remain.
    """
    if not total:
        yield
        return
    reused = f", {total - missing} reused" if total > missing else ""
    if not missing:
        say(f"  {stage:<12} {total} done{reused}")
        yield
        return
    say(f"  {stage:<12} 0/{missing}{reused}")
    done = threading.Event()
    reporter = threading.Thread(target=_report, args=(job, stage, missing, done), daemon=True)
    began_s = time.monotonic()
    reporter.start()
    try:
        yield
    finally:
        done.set()
        reporter.join()
    say(f"  {stage:<12} {missing}/{missing} in {time.monotonic() - began_s:.0f} s")


@contextmanager
def shown_line(line: Callable[[], str | None]) -> Iterator[None]:
    """Show a line of its own while the block runs, from time to time and at the end."""
    done = threading.Event()
    reporter = threading.Thread(target=_repeat, args=(line, done), daemon=True)
    reporter.start()
    try:
        yield
    finally:
        done.set()
        reporter.join()


def _repeat(line: Callable[[], str | None], done: threading.Event) -> None:
    shown = None
    is_last = False
    while not is_last:
        is_last = done.wait(_LINE_PERIOD_S)
        now = line()
        if now not in (None, shown):
            say(f"  {now}")
            shown = now


def _report(job: Job, stage: str, missing: int, done: threading.Event) -> None:
    began_s = time.monotonic()
    shown = 0
    while not done.wait(_PERIOD_S):
        lines = read_journal(job.store, job.name)
        finished = len({line.key for line in lines if line.step == stage and line.executed})
        if shown < finished < missing:
            shown = finished
            left_s = (time.monotonic() - began_s) / finished * (missing - finished)
            say(f"  {stage:<12} {finished}/{missing}, about {left_s:.0f} s left")

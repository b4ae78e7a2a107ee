"""The step log of a job: what was computed, what was reused, what the engines were asked."""

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from firsthand.store.files import append_lines
from firsthand.store.location import Store

__all__ = ["JournalLine", "JournalSummary", "note", "read_journal", "summarise"]


@dataclass(frozen=True, slots=True)
class JournalLine:
    """One step as a job met it.

    Args:
        step: Step name.
        key: Step key.
        subject: What it was about.
        began_s: Unix seconds when its work began; None if a receipt was reused.
        ended_s: Unix seconds when its outputs were committed; None likewise.
        engine_calls: Calls by engine name.
        damaged: Paths of its earlier outputs that were lost or cut short, so that it ran again.
        process_id: The worker process.
    """

    step: str
    key: str
    subject: str
    began_s: float | None = None
    ended_s: float | None = None
    engine_calls: Mapping[str, int] = field(default_factory=dict)
    damaged: Sequence[str] = ()
    process_id: int = field(default_factory=os.getpid)

    @property
    def executed(self) -> bool:
        """Whether work was done, as opposed to a receipt reused."""
        return self.began_s is not None


@dataclass(frozen=True, slots=True)
class JournalSummary:
    """Totals of a job.

    Args:
        executed: Keys whose work ran.
        reused: Keys whose receipt was reused.
        engine_calls: Calls by engine name.
    """

    executed: int
    reused: int
    engine_calls: Mapping[str, int]


def note(store: Store, job: str, *lines: JournalLine) -> None:
    """Append lines to the journal of `job`."""
    append_lines(store.journal(job), [asdict(line) for line in lines])


def read_journal(store: Store, job: str) -> list[JournalLine]:
    """Return the whole lines of a journal in order; a line torn by a kill is left out."""
    path = store.journal(job)
    if not path.exists():
        return []
    lines = path.read_bytes().split(b"\n")[:-1]
    return [JournalLine(**json.loads(line)) for line in lines if line.endswith(b"}")]


def summarise(lines: list[JournalLine]) -> JournalSummary:
    """Count keys, not attempts: a step met twice in a job counts once."""
    executed = {line.key for line in lines if line.executed}
    reused = {line.key for line in lines} - executed
    calls: Counter[str] = Counter()
    for line in lines:
        calls.update(line.engine_calls)
    return JournalSummary(len(executed), len(reused), dict(calls))

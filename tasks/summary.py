"""What a finished flow says: where things are, what was counted, how the command should end."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from firsthand.store import Store, read_table
from firsthand.store.journal import JournalSummary
from firsthand.store.tables import STREAMS
from tasks.stage import Failure

__all__ = ["BuildSummary", "WaitingSummary", "stream_notes"]

_SET_ASIDE_STATUS = 3
_HOUR_US = 3_600_000_000
# The table `quarantine` and the printed summary name all; a state's message stays readable.
_MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class BuildSummary:
    """The outcome of a build.

    Args:
        release_id: The release.
        release_path: Its folder.
        digest: Digest of its contents.
        counts: What was counted, by name.
        failures: Files set aside, and annotations that could not be used.
        journal: Steps executed and reused, engine calls.
        wall_s: Seconds it took.
    """

    release_id: str
    release_path: str
    digest: str
    counts: Mapping[str, int]
    failures: tuple[Failure, ...]
    journal: JournalSummary
    wall_s: float
    notes: tuple[str, ...] = field(default=())

    @property
    def exit_status(self) -> int:
        """0, or 3 if the release is made but something was set aside."""
        return _SET_ASIDE_STATUS if self.failures else 0

    @property
    def headline(self) -> str:
        """The release, and what was set aside: item, stage and error, never a reason's words."""
        return f"Release {self.release_id}; {_set_aside(self.failures)}"

    def lines(self) -> list[str]:
        """The summary, ready to print."""
        calls = Counter(self.journal.engine_calls)
        called = ", ".join(f"{name} {count}" for name, count in sorted(calls.items())) or "none"
        return [
            f"Release {self.release_id} (sha256 {self.digest[:16]}…)",
            f"  at {self.release_path}",
            f"  {', '.join(f'{count} {name}' for name, count in self.counts.items() if count)}",
            f"  {self.journal.executed} steps done, {self.journal.reused} reused, "
            f"engine calls: {called}; {self.wall_s:.0f} s",
            *(f"  set aside: {f.item_id} at {f.stage}: {f.reason}" for f in self.failures),
            *(f"  note: {note}" for note in self.notes),
        ]


def stream_notes(store: Store, benchmark: str) -> tuple[str, ...]:
    """Return a line on each participant's stream: its lengths, and whether it is lifelong."""
    return tuple(
        f"stream of {row['participant_id']}: T_dur {row['recorded_us'] / _HOUR_US:.2f} h, "
        f"T_span {row['spanned_us'] / _HOUR_US:.2f} h, "
        f"{'lifelong' if row['lifelong'] else 'below the lifelong horizon'}"
        for row in read_table(store, benchmark, STREAMS).to_pylist()
    )


@dataclass(frozen=True, slots=True)
class WaitingSummary:
    """The outcome of a build that waits for people before it releases.

    Args:
        benchmark: The benchmark.
        waits_for: What it waits for.
        counts: What was counted, by name.
        failures: Files set aside, and annotations that could not be used.
        journal: Steps executed and reused, engine calls.
        wall_s: Seconds it took.
    """

    benchmark: str
    waits_for: str
    counts: Mapping[str, int]
    failures: tuple[Failure, ...]
    journal: JournalSummary
    wall_s: float

    @property
    def exit_status(self) -> int:
        """3: the build is done, and its release is not made."""
        return _SET_ASIDE_STATUS

    @property
    def headline(self) -> str:
        """What is waited for, and what was set aside: item, stage and error."""
        return f"No release of {self.benchmark} yet: {self.waits_for} {_set_aside(self.failures)}"

    def lines(self) -> list[str]:
        """The summary, ready to print."""
        return [
            f"No release of {self.benchmark} yet: {self.waits_for}",
            f"  {', '.join(f'{count} {name}' for name, count in self.counts.items() if count)}",
            f"  {self.journal.executed} steps done, {self.journal.reused} reused; "
            f"{self.wall_s:.0f} s",
            *(f"  set aside: {f.item_id} at {f.stage}: {f.reason}" for f in self.failures),
        ]


def _set_aside(failures: Sequence[Failure]) -> str:
    named = [f"{f.item_id} ({f.stage}: {f.error})" for f in failures[:_MOST_NAMED]]
    more = len(failures) - len(named)
    named += [f"and {more} more, in table quarantine"] if more else []
    return f"set aside {len(failures)}: {', '.join(named)}" if named else "nothing set aside"

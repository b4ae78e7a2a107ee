"""What a finished evaluation and a published leaderboard say."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from firsthand.store.journal import JournalSummary, read_journal, summarise
from firsthand.store.tables import ASKS
from tasks.evaluation import FinishedRun, rows_of
from tasks.planning import Plan

__all__ = ["EvaluationSummary", "LeaderboardSummary", "summarise_runs"]

_INCOMPLETE_STATUS = 3


@dataclass(frozen=True, slots=True)
class EvaluationSummary:
    """The outcome of an evaluation.

    Args:
        release_id: The release asked about.
        runs: Subject, run id, asks by outcome.
        journal: Steps executed and reused, engine calls.
        wall_s: Seconds it took.
    """

    release_id: str
    runs: tuple[tuple[str, str, dict[str, int]], ...]
    journal: JournalSummary
    wall_s: float

    @property
    def exit_status(self) -> int:
        """0, or 3 if infrastructure errors make a run incomplete."""
        lost = any("infrastructure" in name for _, _, asks in self.runs for name in asks)
        return _INCOMPLETE_STATUS if lost else 0

    def lines(self) -> list[str]:
        """The summary, ready to print."""
        return [
            f"Evaluated on {self.release_id}",
            *(
                f"  {subject:<12} run {run_id}: "
                + ", ".join(f"{count} {name}" for name, count in sorted(asks.items()))
                for subject, run_id, asks in self.runs
            ),
            f"  {self.journal.executed} steps done, {self.journal.reused} reused; "
            f"{self.wall_s:.0f} s",
        ]


@dataclass(frozen=True, slots=True)
class LeaderboardSummary:
    """The outcome of publishing a leaderboard.

    Args:
        release_id: The release.
        page_path: The page.
        markdown: The board in short.
        runs: Runs ranked.
    """

    release_id: str
    page_path: str
    markdown: str
    runs: int

    @property
    def exit_status(self) -> int:
        """Always 0: a leaderboard without runs is an error before."""
        return 0

    def lines(self) -> list[str]:
        """The summary, ready to print."""
        return [f"Leaderboard of {self.release_id}: {self.runs} runs", f"  at {self.page_path}"]


def summarise_runs(plan: Plan, runs: Sequence[FinishedRun], began_s: float) -> EvaluationSummary:
    """Return the summary of an evaluation whose runs are concluded."""
    counted = []
    for run in runs:
        asks: Counter[str] = Counter()
        for shard in run.shards:
            rows = rows_of(plan.job.store, shard.receipt("ask"), ASKS)
            asks.update(rows.column("outcome").to_pylist())
        subject = run.shards[0].shard.subject.settings.subject_id
        counted.append((subject, run.run_id, dict(asks)))
    return EvaluationSummary(
        release_id=plan.release_id,
        runs=tuple(sorted(counted, key=lambda one: plan.subjects.index(one[0]))),
        journal=summarise(read_journal(plan.job.store, plan.job.name)),
        wall_s=time.monotonic() - began_s,
    )

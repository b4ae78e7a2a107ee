"""What a finished evaluation and a published leaderboard say."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from firsthand.store.journal import JournalSummary, read_journal, summarise
from firsthand.store.tables import ASKS
from firsthand.subjects.subject import SubjectMemoryError
from tasks.calls import reply_log
from tasks.evaluation import FinishedRun, rows_of
from tasks.planning import Plan
from tasks.progress import spent_on
from tasks.values import integer

__all__ = ["EvaluationSummary", "LeaderboardSummary", "RunLine", "summarise_runs"]

_INCOMPLETE_STATUS = 3
_REMEDIES = {
    SubjectMemoryError.__name__: "too little memory for some calls: shorten its history or its "
    "number of pictures, or give it a larger GPU, and run again",
}


@dataclass(frozen=True, slots=True)
class RunLine:
    """One run, in short.

    Args:
        subject_id: Its subject.
        run_id: The run.
        asks: Asks by outcome.
        usd: Money it has cost so far, over all commands that worked on it.
    """

    subject_id: str
    run_id: str
    asks: Mapping[str, int]
    usd: float

    @property
    def lost(self) -> Mapping[str, int]:
        """Asks that make the run incomplete, by outcome: infrastructure, or a spent budget."""
        ends = ("infrastructure", "(budget)")
        return {
            name: count
            for name, count in sorted(self.asks.items())
            if any(end in name for end in ends)
        }

    @property
    def remedies(self) -> Sequence[str]:
        """What to do about lost asks whose cause will not go away by itself."""
        return [
            f"{self.subject_id}: {remedy}"
            for name, remedy in _REMEDIES.items()
            if any(name in outcome for outcome in self.lost)
        ]

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in sorted(self.asks.items()))
        cost = f"; {self.usd:.4f} USD" if self.usd else ""
        return f"{self.subject_id:<12} run {self.run_id}: {counts}{cost}"


@dataclass(frozen=True, slots=True)
class EvaluationSummary:
    """The outcome of an evaluation.

    Args:
        release_id: The release asked about.
        runs: The runs, in the order of the run file.
        journal: Steps executed and reused, engine calls.
        wall_s: Seconds it took.
        torn_lines: Lines of the reply logs that killed writers left unreadable.
    """

    release_id: str
    runs: tuple[RunLine, ...]
    journal: JournalSummary
    wall_s: float
    torn_lines: int = 0

    @property
    def exit_status(self) -> int:
        """0, or 3 if infrastructure errors or a spent budget make a run incomplete."""
        return _INCOMPLETE_STATUS if any(run.lost for run in self.runs) else 0

    @property
    def headline(self) -> str:
        """The release, and which runs are incomplete for how many asks."""
        lost = [
            f"{run.subject_id} ({', '.join(f'{count} {name}' for name, count in run.lost.items())})"
            for run in self.runs
            if run.lost
        ]
        standing = f"incomplete: {', '.join(lost)}" if lost else "all complete"
        return f"{len(self.runs)} runs on {self.release_id}; {standing}"

    def lines(self) -> list[str]:
        """The summary, ready to print."""
        torn = f"  torn lines in the reply logs: {self.torn_lines}; what they held is asked anew"
        return [
            f"Evaluated on {self.release_id}",
            *(f"  {run}" for run in self.runs),
            *(f"  {remedy}" for run in self.runs for remedy in run.remedies),
            *([torn] if self.torn_lines else []),
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
            if shard.judge is not None and (lost := integer(shard.receipt("judge"), "lost")):
                asks["judgements lost to infrastructure"] += lost
        subject = run.shards[0].shard.subject.settings.subject_id
        spent = spent_on(plan.job.store, run.run_id)
        counted.append(RunLine(subject, run.run_id, dict(asks), spent.usd))
    return EvaluationSummary(
        release_id=plan.release_id,
        runs=tuple(sorted(counted, key=lambda one: plan.subjects.index(one.subject_id))),
        journal=summarise(read_journal(plan.job.store, plan.job.name)),
        wall_s=time.monotonic() - began_s,
        torn_lines=reply_log(plan.job.store.replies).torn_lines,
    )

"""How far the asking of an evaluation has come: questions, calls, money, time left."""

import time
from collections.abc import Callable, Sequence
from functools import reduce
from operator import add

from firsthand.endpoints import Spending, SpendingLog
from firsthand.endpoints.spending import Spent
from firsthand.store import Store
from tasks.planning import Plan
from tasks.stages.ask import ASK_STAGE

__all__ = ["asking_progress", "spent_on"]


def spent_on(store: Store, run_id: str) -> Spent:
    """Return what a run has spent so far, over all commands that worked on it."""
    return SpendingLog(store.spending / f"{run_id}.jsonl").total()


def asking_progress(
    plan: Plan, clock_s: Callable[[], float] = time.monotonic
) -> Callable[[], str | None]:
    """Return a function that says how far the asks of endpoints have come.

    It returns None where no endpoint is asked. Time left is the time so far scaled to the
    questions that remain.
    """
    shards = [
        asked
        for asked in plan.shards
        if asked.shard.subject.build().facts.asks_side_by_side
        and ASK_STAGE.receipt(plan.job, asked) is None
    ]
    runs = sorted({asked.shard.run_id for asked in shards})
    logs = [SpendingLog(plan.job.store.spending / f"{run_id}.jsonl") for run_id in runs]
    questions = sum(len(asked.shard.question_ids) for asked in shards)
    before, began_s = _sum(logs), clock_s()

    def line() -> str | None:
        spent = _sum(logs)
        if not questions or spent == before:
            return None
        done = min(spent.questions - before.questions, questions)
        left = ""
        if done:
            left_s = (clock_s() - began_s) / done * (questions - done)
            left = f", about {left_s:.0f} s left"
        return (
            f"{done}/{questions} questions, {spent.calls - before.calls} calls, "
            f"{spent.usd:.4f} USD so far{left}"
        )

    return line


def _sum(logs: Sequence[Spending]) -> Spent:
    return reduce(add, (log.total() for log in logs), Spent())

"""What is spent adds up over threads, processes and resumed commands; limits stop the next call."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from firsthand.endpoints import Budget, SpendingLog
from firsthand.endpoints.errors import BudgetExceededError
from firsthand.endpoints.spending import Spending, Spent

AMOUNT = Spent(calls=1, usd=0.25, tokens=10)


def spend_in_threads(spending: Spending) -> None:
    def spend() -> None:
        for _ in range(50):
            spending.add(AMOUNT)

    threads = [threading.Thread(target=spend) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads_lose_no_amount(tmp_path: Path) -> None:
    for spending in (Spending(), SpendingLog(tmp_path / "run.jsonl")):
        spend_in_threads(spending)
        assert spending.total() == Spent(calls=200, usd=50.0, tokens=2_000)


def test_what_another_process_spends_counts(tmp_path: Path) -> None:
    path = tmp_path / "spending" / "run.jsonl"
    mine = SpendingLog(path)
    mine.add(AMOUNT)
    program = (
        "import sys, pathlib\n"
        "from firsthand.endpoints.spending import SpendingLog, Spent\n"
        "SpendingLog(pathlib.Path(sys.argv[1])).add(Spent(calls=3, questions=1))\n"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)
    assert mine.total() == Spent(calls=4, usd=0.25, tokens=10, questions=1)
    assert SpendingLog(path).total() == mine.total()


def test_a_line_torn_by_a_kill_loses_that_amount_alone(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    SpendingLog(path).add(AMOUNT)
    path.write_bytes(path.read_bytes() + b'\n{"calls":1,"us')
    log = SpendingLog(path)
    log.add(AMOUNT)
    assert log.total() == AMOUNT + AMOUNT


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (Budget(limit_calls=2), "2 calls"),
        (Budget(limit_usd=0.5), "0.5 USD"),
        (Budget(limit_tokens=20), "20 tokens"),
    ],
)
def test_a_limit_stops_the_call_after_it(budget: Budget, said: str) -> None:
    for _ in range(2):
        budget.take_call("a model")
        budget.spend(0.25, 10)
    with pytest.raises(BudgetExceededError, match=said):
        budget.take_call("a model")


def test_a_budget_of_time_ends_with_the_clock() -> None:
    now_s = [100.0]
    budget = Budget(ends_unix_s=160.0, clock_s=lambda: now_s[0])
    budget.take_call("a model")
    now_s[0] = 160.0
    with pytest.raises(BudgetExceededError, match="time"):
        budget.take_call("a model")

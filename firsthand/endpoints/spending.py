"""What was spent, added up over threads, over worker processes and over resumed commands."""

import json
import os
import threading
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import cast

from firsthand.core.identity import Json, canonical_json

__all__ = ["Spending", "SpendingLog", "Spent"]


@dataclass(frozen=True, slots=True)
class Spent:
    """An amount.

    Args:
        calls: Attempts made.
        usd: Money, as far as prices are known.
        tokens: Tokens read and written, as far as they are reported.
        questions: Questions followed to their last probe.
    """

    calls: int = 0
    usd: float = 0.0
    tokens: int = 0
    questions: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            self.calls + other.calls,
            self.usd + other.usd,
            self.tokens + other.tokens,
            self.questions + other.questions,
        )


@dataclass(slots=True)
class Spending:
    """A sum kept in this process; its threads share it."""

    _sum: Spent = field(default_factory=Spent)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, amount: Spent) -> None:
        """Add an amount."""
        with self._lock:
            self._sum += amount

    def total(self) -> Spent:
        """Return the sum so far."""
        with self._lock:
            return self._sum


class SpendingLog(Spending):
    """A sum kept in a file that all workers of a run append to.

    What a killed process had added stays added. A line torn by a kill is left out, and
    nothing sticks to it.

    Args:
        path: The file; made by the first amount.
    """

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._scanned_bytes = 0

    def add(self, amount: Spent) -> None:
        """Append an amount; it survives the end of this process, not a power cut."""
        facts: dict[str, Json] = {name: value for name, value in asdict(amount).items() if value}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # The leading line end fences off what a killed writer may have left.
        line = b"\n" + canonical_json(facts) + b"\n"
        descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)

    def total(self) -> Spent:
        """Return the sum of what every process has added so far."""
        with self._lock:
            self._scan()
            return self._sum

    def _scan(self) -> None:
        if not self._path.exists() or self._path.stat().st_size == self._scanned_bytes:
            return
        with self._path.open("rb") as file:
            file.seek(self._scanned_bytes)
            for line in file:
                # An unterminated last line stays unscanned: its writer may be at work.
                if line.endswith(b"\n"):
                    self._scanned_bytes += len(line)
                    self._sum += _amount(line)


def _amount(line: bytes) -> Spent:
    try:
        facts = json.loads(line)
    except json.JSONDecodeError:
        return Spent()
    return Spent(**cast("dict[str, int]", facts)) if isinstance(facts, dict) else Spent()

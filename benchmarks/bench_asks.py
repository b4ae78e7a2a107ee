"""What asking costs the harness, and whether memory stays flat: `python -m benchmarks.bench_asks`.

A model behind an endpoint is asked, text alone, with everything in place but the network:
shards, the virtual clock, the reply log, lanes, budgets, readers and scorers. The answer to
each call is made up on the spot, so that the figures are the harness's alone.
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
import pyarrow.parquet as pq

from firsthand.endpoints import Calling, ReplyLog, SpendingLog
from firsthand.endpoints._client import Answer
from firsthand.protocols import StreamingPolicy
from firsthand.store.tables import TABLES
from firsthand.subjects import (
    Access,
    EndpointSettings,
    History,
    HistoryKind,
    SubjectConfiguration,
    plan_asks,
    run_shard,
)

__all__ = ["AskingCost", "measure_asking"]

S = 1_000_000
_QUESTIONS = 100
_STREAM_S = 1_000
_ASKS_EACH = 10
_PAGE_BYTES = resource.getpagesize()


@dataclass(frozen=True, slots=True)
class AskingCost:
    """What a run took.

    Args:
        asks: Asks put.
        cpu_s: Processor seconds.
        early_bytes: Memory held after the first tenth of the asks.
        late_bytes: Memory held after all of them.
    """

    asks: int
    cpu_s: float
    early_bytes: int
    late_bytes: int

    @property
    def grown_mib(self) -> float:
        """How much memory grew from the first tenth of the asks to the last."""
        return (self.late_bytes - self.early_bytes) / 2**20

    def __str__(self) -> str:
        return (
            f"{self.asks} asks: {self.cpu_s:.1f} CPU s, {1e3 * self.cpu_s / self.asks:.2f} ms an "
            f"ask; memory {self.late_bytes / 2**20:.0f} MiB, {self.grown_mib:+.0f} MiB since the "
            f"first tenth"
        )


def measure_asking(streams: int, folder: Path) -> AskingCost:
    """Ask a thousand times a stream and return what it took.

    Args:
        streams: Streams, each of 100 questions with nine probes each.
        folder: Where replies and results are written.
    """
    release = _Release(streams)
    subject = SubjectConfiguration(
        "litellm",
        EndpointSettings(
            "model",
            "openai/made-up",
            "1",
            base_url="http://127.0.0.1:9/v1",
            history=History(HistoryKind.LAST_UNITS, units=60),
            declared_latency_us=S,
        ),
    )
    policy = StreamingPolicy(probe_step_us=30 * S, probes=_ASKS_EACH - 1)
    log = ReplyLog(folder / "replies", "w")
    calling = Calling(spending=SpendingLog(folder / "spending.jsonl"))
    asks, early_bytes, began_s = 0, 0, time.process_time()
    with patch("firsthand.endpoints.endpoint.attempt", _made_up):
        for number, shard in enumerate(plan_asks(release, [subject], policy)):
            results = run_shard(shard, release, log, Access(calling=calling))
            for spec, rows in results.by_spec():
                pq.write_table(rows, folder / f"{spec.name}-{number}.parquet")
            asks += results.asks.num_rows
            if number == max(0, streams // 10 - 1):
                early_bytes = _held_bytes()
    return AskingCost(asks, time.process_time() - began_s, early_bytes, _held_bytes())


def _made_up(*_: object) -> Answer:
    return Answer("true", "stop", 100, 1, 1_000)


def _held_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * _PAGE_BYTES


class _Release:
    """A release made up stream by stream, so that it takes no memory of its own."""

    release_id = "made-up-0"

    def __init__(self, streams: int) -> None:
        rows: dict[str, list[dict[str, Any]]] = {
            name: []
            for name in ("timeline", "clips", "narrations", "questions", "options", "words")
        }
        for number in range(streams):
            for name, some in _stream(number):
                rows[name].extend(some)
        self._tables = {name: _table(name, some) for name, some in rows.items()}

    def table(self, name: str) -> pa.Table:
        return self._tables.get(name, _table(name, []))


def _stream(number: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    person, stream, recording = f"p{number}", f"s{number}", f"r{number}"
    owner = {"participant_id": person, "recording_id": recording}
    yield (
        "timeline",
        [
            {
                **owner,
                "stream_id": stream,
                "day": 1,
                "utc_offset_s": 0,
                "start_label": "D1-09:00:00",
                "end_label": "D1-09:16:40",
                "duration_us": _STREAM_S * S,
                "stream_start_us": 0,
                "stream_end_us": _STREAM_S * S,
                "start_source": "container",
                "doubtful": False,
            }
        ],
    )
    yield (
        "narrations",
        [
            {
                **owner,
                "narration_index": n,
                "begin_us": 5 * n * S,
                "end_us": (5 * n + 2) * S,
                "text": f"Thing {n} is put on the table.",
                "source": "imported",
            }
            for n in range(_STREAM_S // 5)
        ],
    )
    yield (
        "questions",
        [
            {
                "participant_id": person,
                "question_id": f"{person}-{n}",
                "revision": 0,
                "content_digest": "0" * 64,
                "stream_id": stream,
                "source_index": n,
                "question_type": "binary",
                "category": "Memory",
                "subcategory": "Short-term Memory",
                "text": f"Thing {n} was put on the table.",
                "answer": ["true"],
                "required_modalities": ["narration"],
                "scenario": None,
                "due_us": (5 * n + 2) * S,
            }
            for n in range(_QUESTIONS)
        ],
    )


def _table(name: str, rows: list[dict[str, Any]]) -> pa.Table:
    spec = TABLES[name]
    schema = pa.schema([spec.schema.field(column) for column in spec.released_columns])
    return pa.Table.from_pylist(rows, schema)


def main() -> None:
    """Print what asking costs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=100, help="A thousand asks each.")
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(f"{measure_asking(parser.parse_args().streams, Path(folder))}\n")


if __name__ == "__main__":
    main()

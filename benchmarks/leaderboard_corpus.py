"""A synthetic release and its evaluated runs, as the leaderboard takes them.

Verdicts have the columns that the store keeps and a score is made of; they are sorted by
question, as a run's table is, with the two rule sets of a question one after the other.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from firsthand.protocols import StreamingPolicy
from firsthand.report import EvaluatedRun
from firsthand.store.tables import ASKS, PROBES, READINGS, REPLIES
from firsthand.subjects import ResultTables

__all__ = ["BenchRelease", "evaluated_runs", "synthetic_release"]

_PARTICIPANTS, _RECORDINGS, _SUBCATEGORIES, _TYPES = 5, 500, 12, 3
_HOUR_US = 3_600_000_000
_OUTCOMES = ("correct", "late", "unparsed", "wrong")


@dataclass(frozen=True, slots=True)
class BenchRelease:
    """A release in memory."""

    tables: Mapping[str, pa.Table]
    release_id: str = "bench"

    def table(self, name: str) -> pa.Table:
        """Return one of its tables."""
        return self.tables[name]


def synthetic_release(questions: int) -> BenchRelease:
    """Return a release of so many closed questions about five participants' 500 recordings."""
    number = np.arange(questions)
    person = number % _PARTICIPANTS
    due_us = (number % (_RECORDINGS // _PARTICIPANTS) + 1) * _HOUR_US
    recording = np.arange(_RECORDINGS)
    ids = pa.array([f"bench/P{one % _PARTICIPANTS:02}/{one:08x}" for one in range(questions)])
    types = ("mc_single", "mc_multi", "binary")
    kinds = (number % _SUBCATEGORIES).tolist()
    asked = pa.table(
        {
            "question_id": ids,
            "participant_id": pa.array([f"P{one:02}" for one in person.tolist()]),
            "stream_id": pa.array([f"S{one:02}" for one in person.tolist()]),
            "question_type": pa.array([types[one % _TYPES] for one in range(questions)]),
            "category": pa.array([f"category {one % 3}" for one in kinds]),
            "subcategory": pa.array([f"subcategory {one}" for one in kinds]),
            "due_us": pa.array(due_us),
        }
    )
    timeline = pa.table(
        {
            "stream_id": pa.array([f"S{one % _PARTICIPANTS:02}" for one in recording.tolist()]),
            "recording_id": pa.array([f"R{one:03}" for one in recording.tolist()]),
            "stream_end_us": pa.array((recording // _PARTICIPANTS + 1) * _HOUR_US),
        }
    )
    evidence = pa.table({"question_id": ids, "end_us": pa.array(due_us)})
    return BenchRelease({"questions": asked, "timeline": timeline, "evidence": evidence})


def evaluated_runs(
    release: BenchRelease, runs: int, rng: np.random.Generator
) -> Iterator[EvaluatedRun]:
    """Yield runs with one verdict for each question and rule set; none was probed."""
    ids = release.table("questions").column("question_id").combine_chunks().sort()
    twice = np.repeat(np.arange(len(ids)), 2)
    # Four runs' verdicts stand for all: memory holds them once, and each is read in full.
    drawn = [_verdicts(ids.take(pa.array(twice)), rng) for _ in range(4)]
    policy = json.dumps(StreamingPolicy().to_json())
    empty = [spec.schema.empty_table() for spec in (ASKS, REPLIES, READINGS, PROBES)]
    asks, replies, readings, probes = empty
    for number in range(runs):
        row = {
            "run_id": f"run-{number}",
            "release_id": release.release_id,
            "subject_id": f"subject-{number}",
            "policy": policy,
            "complete": True,
        }
        tables = ResultTables(asks, replies, readings, drawn[number % 4], probes)
        yield EvaluatedRun(row, tables)


def _verdicts(ids: pa.Array, rng: np.random.Generator) -> pa.Table:
    rows = len(ids)
    outcome = rng.integers(0, len(_OUTCOMES), rows).astype(np.int8)
    rules = np.tile(np.arange(2, dtype=np.int8), rows // 2)
    return pa.table(
        {
            "question_id": ids,
            "metric": _names(np.zeros(rows, np.int8), ("rta",)),
            "rule_set": _names(rules, ("official", "paper")),
            "score": pa.array((outcome == 0).astype(np.float64)),
            "outcome": _names(outcome, _OUTCOMES),
        }
    )


def _names(codes: np.ndarray, names: tuple[str, ...]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(names))

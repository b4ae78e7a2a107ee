"""The runs over a release, read back from the store for ranking."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from firsthand.protocols import GroundingPolicy
from firsthand.report import EvaluatedRun
from firsthand.store import Store, Zone, committed_parts, read_table, scopes_of
from firsthand.store.tables import FUNNEL, RUNS
from firsthand.subjects import GROUNDING, ResultTables, SubjectFacts

__all__ = ["Ranking", "evaluated_runs", "facts_of", "find_runs", "funnel_of"]

_RUN_TABLES = (RUNS, *ResultTables.specs())


@dataclass(frozen=True, slots=True)
class Ranking:
    """The runs to rank.

    Args:
        release_path: Folder of the release.
        release_id: Its name.
        release_digest: Digest of its contents.
        run_digests: Digest of each run's tables, by scope and table, and of the funnel's.
        scopes: The runs' scopes in the store.
    """

    release_path: Path
    release_id: str
    release_digest: str
    run_digests: Mapping[str, str]
    scopes: tuple[str, ...]

    @property
    def item_id(self) -> str:
        """The release."""
        return self.release_id

    @property
    def weight(self) -> float:
        """Runs to rank."""
        return float(len(self.scopes))


def find_runs(
    store: Store, release_path: Path, release_digest: str, questions: Mapping[str, int]
) -> Ranking:
    """Return the newest run of each subject over a release, under each protocol.

    Args:
        store: The store.
        release_path: Folder of the release.
        release_digest: Digest of its contents.
        questions: Questions that a whole run asks, by protocol, or clips that it asks about in
            every cell; a run that was limited to fewer, of another protocol, or in real time, is
            not ranked.
    """
    release_id = release_path.name
    newest: dict[tuple[str, str], str] = {}
    for scope in scopes_of(store, RUNS.name):
        (run,) = read_table(store, scope, RUNS).to_pylist()
        is_whole = run["planned_asks"] == _whole_asks(run, questions)
        if run["release_id"] == release_id and is_whole and not _ran_by_a_clock(run):
            key = (run["protocol"], run["subject_id"])
            kept = newest.get(key)
            newest[key] = scope if kept is None else _later(store, kept, scope)
    scopes = tuple(sorted(newest.values()))
    read = [(scope, spec) for scope in scopes for spec in _RUN_TABLES]
    digests = {
        f"{scope} {spec.name}": part.sha256
        for scope, spec in [*read, (_release_scope(release_id), FUNNEL)]
        for part in committed_parts(store, scope, spec.name)
    }
    return Ranking(release_path, release_id, release_digest, digests, scopes)


def _whole_asks(run: Mapping[str, Any], questions: Mapping[str, int]) -> int | None:
    """Return how many asks a run of its protocol and policy plans when it is not limited."""
    asked = questions.get(run["protocol"])
    if asked is None or run["protocol"] != GROUNDING:
        return asked
    return asked * len(GroundingPolicy.from_json(json.loads(run["policy"])).cells)


def funnel_of(store: Store, ranking: Ranking) -> pa.Table:
    """Return the rows of table `funnel` of the release; none if it was not built here."""
    return read_table(store, _release_scope(ranking.release_id), FUNNEL)


def _ran_by_a_clock(run: Mapping[str, object]) -> bool:
    return "real_time" in json.loads(str(run["policy"]))


def evaluated_runs(store: Store, ranking: Ranking) -> list[EvaluatedRun]:
    """Return the runs with all their tables."""
    return [_run(store, scope) for scope in ranking.scopes]


def facts_of(runs: Sequence[EvaluatedRun]) -> dict[str, SubjectFacts]:
    """Return what each run says of its subject, by subject id."""
    facts = [SubjectFacts.from_json(json.loads(str(run.run["subject"]))) for run in runs]
    return {one.subject_id: one for one in facts}


def _release_scope(release_id: str) -> str:
    return f"releases/{release_id}"


def _run(store: Store, scope: str) -> EvaluatedRun:
    (row,) = read_table(store, scope, RUNS).to_pylist()
    tables = [read_table(store, scope, spec) for spec in _RUN_TABLES[1:]]
    return EvaluatedRun(row, ResultTables(*tables))


def _later(store: Store, first: str, second: str) -> str:
    """Return which of two runs was committed later; a run with another policy replaces."""
    moments = {
        scope: store.pointer(scope, RUNS.name, Zone.PUBLIC).stat().st_mtime_ns
        for scope in (first, second)
    }
    return max(moments, key=moments.__getitem__)

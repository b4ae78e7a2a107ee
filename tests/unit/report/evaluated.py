"""The kitchen release, evaluated by the baselines; the runs are derived in `test_running`."""

from collections.abc import Mapping
from pathlib import Path

from firsthand.endpoints.replies import ReplyLog
from firsthand.protocols import StreamingPolicy
from firsthand.report import EvaluatedRun, LeaderboardPage, leaderboard_table
from firsthand.subjects import (
    BaselineSettings,
    SubjectConfiguration,
    merge_shards,
    plan_asks,
    run_shard,
    run_table,
)
from tests.unit.subjects.kitchen import S, kitchen

POLICY = StreamingPolicy(probe_step_us=5 * S, probes=2)


def evaluated(
    folder: Path,
    names: tuple[str, ...] = ("blind", "transcript", "oracle"),
    policy: StreamingPolicy = POLICY,
    renamed: Mapping[str, str] | None = None,
) -> LeaderboardPage:
    release, log = kitchen(), ReplyLog(folder, "w")
    runs, facts = [], {}
    for name in names:
        subject_id = (renamed or {}).get(name, name)
        configured = SubjectConfiguration(name, BaselineSettings(subject_id))
        facts[subject_id] = configured.build().facts
        shards = plan_asks(release, [configured], policy)
        results = merge_shards(run_shard(shard, release, log) for shard in shards)
        (row,) = run_table(release.release_id, shards, results).to_pylist()
        runs.append(EvaluatedRun(row, results))
    table = leaderboard_table(release, runs)
    return LeaderboardPage(release.release_id, release.digest, table, runs, facts)

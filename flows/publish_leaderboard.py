"""Publish the leaderboard of a release: a table, a page, an artifact."""

from pathlib import Path

from prefect import flow
from prefect.artifacts import create_markdown_artifact

from firsthand.store.catalog import rebuild_catalog
from flows.fan_out import run_here
from tasks.commits import commit_leaderboard
from tasks.job import new_job
from tasks.publication import place_page, ranking_of
from tasks.results import only_receipt
from tasks.run_summary import LeaderboardSummary

__all__ = ["publish_leaderboard"]


@flow(name="publish-leaderboard")
def publish_leaderboard(
    store: Path = Path("data/store"), benchmark: str | None = None
) -> LeaderboardSummary:
    """Publish the leaderboard of a benchmark's newest release.

    Args:
        store: Folder of the store.
        benchmark: Name of the benchmark; may be left out if the store holds one.
    """
    job = new_job("leaderboard", store, Path())
    ranking = ranking_of(job.store, benchmark)
    ranked = only_receipt(run_here("rank", job, [ranking]))
    commit_leaderboard(job, ranking.release_id, ranked)
    rebuild_catalog(job.store)
    summary = place_page(job.store, ranking, ranked)
    create_markdown_artifact(
        key="leaderboard", markdown=summary.markdown, description=ranking.release_id
    )
    return summary

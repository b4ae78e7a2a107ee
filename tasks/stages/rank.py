"""Ranking: every run over a release becomes rows of the leaderboard, and a page."""

from pathlib import Path

from firsthand import __version__
from firsthand.protocols import GROUNDING_VERSION, STREAMING_VERSION
from firsthand.protocols.lifelong import LIFELONG_VERSION
from firsthand.protocols.standing import PROACTIVE_VERSION
from firsthand.report import LeaderboardPage, leaderboard_page, leaderboard_table
from firsthand.report.grounding_grid import grounding_table
from firsthand.report.markdown import leaderboard_markdown
from firsthand.store import Outputs, StepRequest, Zone
from firsthand.store.releases import ReleaseCheck, read_release
from firsthand.store.tables import GROUNDING_GRID, LEADERBOARD
from firsthand.subjects import GROUNDING, LIFELONG, PROACTIVE, STREAMING
from firsthand.subjects.scoring import SCORER_VERSION
from tasks.job import Job
from tasks.ranking import Ranking, evaluated_runs, facts_of, funnel_of
from tasks.stage import Stage
from tasks.steps import RANK

__all__ = ["RANK_STAGE"]


def _request(job: Job, ranking: Ranking) -> StepRequest:
    del job
    return StepRequest(
        RANK,
        inputs={"release": ranking.release_digest, **ranking.run_digests},
        parameters={"release_id": ranking.release_id, "firsthand": __version__},
        subject=ranking.release_id,
    )


def _work(job: Job, ranking: Ranking, folder: Path) -> Outputs:
    release = read_release(ranking.release_path, ReleaseCheck.SIZES)
    runs = evaluated_runs(job.store, ranking)
    pointing = [run for run in runs if run.run["protocol"] == GROUNDING]
    table = leaderboard_table(release, [run for run in runs if run.run["protocol"] != GROUNDING])
    grid = grounding_table(ranking.release_id, pointing)
    put = [run for run in runs if run.run["protocol"] == STREAMING]
    page = LeaderboardPage(
        release_id=ranking.release_id,
        release_digest=ranking.release_digest,
        leaderboard=table,
        runs=put,
        standing=[run for run in runs if run.run["protocol"] == PROACTIVE],
        lifelong=[run for run in runs if run.run["protocol"] == LIFELONG],
        facts=facts_of(put),
        funnel=funnel_of(job.store, ranking),
        grounding=grid,
        versions={
            "firsthand": __version__,
            "streaming protocol": str(STREAMING_VERSION),
            "proactive protocol": str(PROACTIVE_VERSION),
            "lifelong protocol": str(LIFELONG_VERSION),
            "grounding protocol": str(GROUNDING_VERSION),
            "scorer": str(SCORER_VERSION),
        },
    )
    (folder / "page.html").write_text(leaderboard_page(page), encoding="utf-8")
    (folder / "board.md").write_text(leaderboard_markdown(page), encoding="utf-8")
    return Outputs(
        tables=((LEADERBOARD, Zone.PUBLIC, table), (GROUNDING_GRID, Zone.PUBLIC, grid)),
        files={
            "page": (folder / "page.html", Zone.PUBLIC),
            "markdown": (folder / "board.md", Zone.PUBLIC),
        },
        values={"runs": len(runs), "rows": table.num_rows},
    )


RANK_STAGE = Stage("rank", _request, _work)

"""Putting a ranked leaderboard where people find it."""

from firsthand.core.errors import FirsthandError
from firsthand.core.taxonomy import QuestionType
from firsthand.store import Receipt, Store
from firsthand.store.files import write_bytes
from firsthand.store.release_index import newest_release
from firsthand.store.releases import read_release
from firsthand.subjects import GROUNDING, LIFELONG, PROACTIVE, STREAMING
from firsthand.subjects.pointing_clips import pointing_clips
from tasks.ranking import Ranking, find_runs
from tasks.run_summary import LeaderboardSummary

__all__ = ["NoRunError", "place_page", "ranking_of"]


class NoRunError(FirsthandError):
    """A leaderboard was asked for of a release that no subject has been evaluated on."""


def ranking_of(store: Store, benchmark: str | None) -> Ranking:
    """Return the runs to rank over a benchmark's newest release.

    Raises:
        NoReleaseError: If there is no release.
        NoRunError: If no subject has been evaluated on it.
    """
    release = read_release(newest_release(store, benchmark))
    kinds = release.table("questions").column("question_type").to_pylist()
    closed = sum(kind != QuestionType.OPEN_ENDED for kind in kinds)
    clips = len(pointing_clips(release))
    whole = {
        STREAMING: len(kinds),
        LIFELONG: len(kinds),
        PROACTIVE: closed,
        GROUNDING: clips,
    }
    ranking = find_runs(store, release.path, release.digest, whole)
    if not ranking.scopes:
        raise NoRunError(
            f"release {release.release_id!r}",
            "no run over it",
            "at least one",
            "Evaluate subjects first with `firsthand evaluate`.",
        )
    return ranking


def place_page(store: Store, ranking: Ranking, receipt: Receipt) -> LeaderboardSummary:
    """Write the page under the release's name and return what was published."""
    page = store.leaderboards / f"{ranking.release_id}.html"
    write_bytes(page, receipt.blobs["page"].path(store).read_bytes(), store.scratch)
    markdown = receipt.blobs["markdown"].path(store).read_text(encoding="utf-8")
    return LeaderboardSummary(ranking.release_id, str(page), markdown, len(ranking.scopes))

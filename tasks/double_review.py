"""What a benchmark's file asks of double review, for the stages that apply decisions."""

from firsthand.core.identity import Json
from firsthand.curation.double_review import standing_under
from firsthand.curation.likeness import Alike, alike
from firsthand.curation.reviewing import Stander
from tasks.job import Job

__all__ = ["shares_in_key", "stander_of"]


def stander_of(job: Job, are_alike: Alike = alike) -> Stander:
    """Return how states follow from decisions in this benchmark."""
    return standing_under(job.spec().review.demand, are_alike)


def shares_in_key(job: Job, *kinds: str) -> dict[str, Json]:
    """Return what the key of a step has to hold of double review: nothing where one decides."""
    demand = job.spec().review.demand
    shares: dict[str, Json] = {
        kind: demand.share_of(kind) for kind in kinds if demand.share_of(kind)
    }
    return {"double": shares} if shares else {}

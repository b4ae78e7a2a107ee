"""Agreement of annotators in each queue, from what a build has made and people decided."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from firsthand.core.identity import digest_json
from firsthand.curation.agreement import Agreement, QueueAgreement, agreement_of, annotated
from firsthand.curation.click_items import CLICK_KIND
from firsthand.curation.double_review import ReviewDemand, is_double
from firsthand.curation.likeness import Alike, alike
from firsthand.curation.narration_items import NARRATION_KIND, has_narrations
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.revisions import ReviewItem
from firsthand.masks.engines import Mask
from firsthand.masks.likeness import masks_alike
from firsthand.store import Zone, committed_parts
from firsthand.store.compared_items import COMPARED_ITEMS, COMPARED_TABLES
from firsthand.store.decision_lines import decision_from_json, decision_to_json
from firsthand.store.reviews import ReviewStore
from tasks.cutting_out import cut_out
from tasks.items import Benchmark
from tasks.job import Job

__all__ = ["agreement_in", "compared_inputs", "queue_agreements"]

Row = Mapping[str, Any]
_QUESTIONS = "draft"
_NOT_OF_A_DECISION = ("participant_id", "review_id", "sequence", "edit")


def queue_agreements(
    job: Job, benchmark: Benchmark, drafts: Iterable[Row], reviews: Iterable[Row]
) -> list[QueueAgreement]:
    """Return how far annotators agree in each queue of which two people decide on a share.

    Args:
        job: The job.
        benchmark: With its recordings, whose frames tell when two people's clicks are alike.
        drafts: Rows of table `drafts`.
        reviews: Rows of table `reviews`.
    """
    demand = job.spec().review.demand
    found = {_QUESTIONS: agreement_in(drafts, reviews, demand)}
    found |= {kind: _compared(job, benchmark, kind) for kind in sorted(demand.queues)}
    return [
        QueueAgreement(kind, demand.share_of(kind), demand.least_of(kind), one)
        for kind, one in found.items()
    ]


def compared_inputs(job: Job, benchmark: Benchmark) -> dict[str, str]:
    """Return the digests of what agreement beside the questions follows from, by name."""
    kinds = sorted(job.spec().review.demand.queues)
    tables = sorted({table for kind in kinds for table in COMPARED_TABLES[kind]})
    parts = {
        f"private {table} {part.path}": part.sha256
        for table in tables
        for part in committed_parts(job.store, benchmark.name, table, Zone.PRIVATE)
    }
    decided = [decision_to_json(one) for kind in kinds for one in _decisions(job, kind)]
    return {**parts, "compared decisions": digest_json(decided)} if kinds else {}


def agreement_in(drafts: Iterable[Row], reviews: Iterable[Row], demand: ReviewDemand) -> Agreement:
    """Return how far annotators agree over the drafts that two people decide on.

    Args:
        drafts: Rows of table `drafts`.
        reviews: Rows of table `reviews`.
        demand: Which drafts are chosen.
    """
    rows = sorted(reviews, key=lambda row: int(row["sequence"]))
    items = (
        ReviewItem.of(_QUESTIONS, str(row["draft_id"]), row)
        for row in drafts
        if not row["rejected_by"]
    )
    return _agreement(items, map(_decision, rows), demand, alike)


def _compared(job: Job, benchmark: Benchmark, kind: str) -> Agreement:
    items = (item for item, _ in COMPARED_ITEMS[kind](job.store, benchmark.name))
    are_alike = _masks_alike(job, benchmark) if kind == CLICK_KIND else alike
    return _agreement(items, _decisions(job, kind), job.spec().review.demand, are_alike)


def _agreement(
    items: Iterable[ReviewItem],
    decisions: Iterable[ReviewDecision],
    demand: ReviewDemand,
    are_alike: Alike,
) -> Agreement:
    own: dict[tuple[str, str], list[ReviewDecision]] = defaultdict(list)
    for decision in decisions:
        own[decision.item].append(decision)
    chosen = (item for item in items if is_double(item.item_kind, item.item_id, demand))
    given = annotated(chosen, lambda item: own[item.item_kind, item.item_id], _is_optional)
    return agreement_of(given, are_alike)


def _is_optional(item: ReviewItem) -> bool:
    return item.item_kind == NARRATION_KIND and not has_narrations(item)


def _masks_alike(job: Job, benchmark: Benchmark) -> Alike:
    recordings = {one.recording_id: one for one in benchmark.recordings}

    def cut(item: ReviewItem) -> Mask:
        return cut_out(job, recordings[str(item.content["recording_id"])], item)

    return masks_alike(cut)


def _decisions(job: Job, kind: str) -> list[ReviewDecision]:
    every = ReviewStore.open(job.store.reviews).decisions()
    return [one for one in every if one.item_kind == kind]


def _decision(row: Row) -> ReviewDecision:
    plain = {name: value for name, value in row.items() if name not in _NOT_OF_A_DECISION}
    edit = {"edit": json.loads(row["edit"])} if row["edit"] else {}
    return decision_from_json({**plain, **edit})

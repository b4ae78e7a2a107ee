"""Agreement of annotators, from the tables of a build."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from firsthand.curation.agreement import Agreement, agreement_of
from firsthand.curation.double_review import ReviewDemand, annotations, is_double
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.revisions import ReviewItem
from firsthand.store.decision_lines import decision_from_json

__all__ = ["agreement_in"]

Row = Mapping[str, Any]
_NOT_OF_A_DECISION = ("participant_id", "review_id", "sequence", "edit")


def agreement_in(drafts: Iterable[Row], reviews: Iterable[Row], demand: ReviewDemand) -> Agreement:
    """Return how far annotators agree over the drafts that two people decide on.

    Args:
        drafts: Rows of table `drafts`.
        reviews: Rows of table `reviews`.
        demand: Which drafts are chosen.
    """
    own: dict[tuple[str, str], list[ReviewDecision]] = {}
    for row in sorted(reviews, key=lambda row: int(row["sequence"])):
        decision = _decision(row)
        own.setdefault(decision.item, []).append(decision)
    items = [
        ReviewItem.of("draft", str(row["draft_id"]), row)
        for row in drafts
        if not row["rejected_by"] and is_double("draft", str(row["draft_id"]), demand)
    ]
    return agreement_of(annotations(item, own.get(("draft", item.item_id), [])) for item in items)


def _decision(row: Row) -> ReviewDecision:
    plain = {name: value for name, value in row.items() if name not in _NOT_OF_A_DECISION}
    edit = {"edit": json.loads(row["edit"])} if row["edit"] else {}
    return decision_from_json({**plain, **edit})

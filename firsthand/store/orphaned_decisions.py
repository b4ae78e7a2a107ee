"""Decisions that fit nothing any more: their drafts came out differently since."""

from firsthand.curation.reviewing import ReviewDecision
from firsthand.store.commits import read_table, scopes_of
from firsthand.store.location import Store
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import DRAFTS

__all__ = ["orphaned_decisions"]


def orphaned_decisions(store: Store) -> tuple[ReviewDecision, ...]:
    """Return the decisions on drafts that no benchmark of the store shows, in order of arrival.

    A decision names its draft and no benchmark, so this can be said of a whole store alone.
    Drafts that a check rejected are shown to nobody.
    """
    shown = {
        row["draft_id"]
        for benchmark in scopes_of(store, DRAFTS.name)
        for row in read_table(store, benchmark, DRAFTS)
        .select(["draft_id", "rejected_by"])
        .to_pylist()
        if not row["rejected_by"]
    }
    return tuple(
        decision
        for decision in ReviewStore.open(store.reviews).decisions()
        if decision.item_kind == "draft" and decision.item_id not in shown
    )

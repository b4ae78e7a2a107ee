"""The funnel of drafting: what became of proposals, from the model to accepted questions."""

from collections import Counter
from dataclasses import dataclass

from firsthand.store import Store, read_table
from firsthand.store.tables import DRAFTS, QUESTIONS, REFUSED_DRAFTS, REVIEWS

__all__ = ["DraftingFunnel", "drafting_funnel"]


@dataclass(frozen=True, slots=True)
class DraftingFunnel:
    """Counts of a benchmark's drafting, each a part of the one before.

    Args:
        proposed: Proposals of a model, drafts or not; what rules draft is proposed as well.
        drafted: Proposals that became drafts.
        checked: Drafts that passed every check.
        reviewed: Of those, the ones that somebody decided on.
        accepted: Those that became questions.
        refusals: Why proposals became no drafts, by reason.
        rejections: Checks that drafts failed, by name; one draft may fail several.
    """

    proposed: int
    drafted: int
    checked: int
    reviewed: int
    accepted: int
    refusals: tuple[tuple[str, int], ...]
    rejections: tuple[tuple[str, int], ...]

    def lines(self) -> list[str]:
        """Return the funnel, ready to print, with the share that each step kept."""
        names = ("proposed", "drafted", "checked", "reviewed", "accepted")
        counts = [self.proposed, self.drafted, self.checked, self.reviewed, self.accepted]
        shown = [f"  {names[0]:<12} {counts[0]:>6}"]
        for name, count, before in zip(names[1:], counts[1:], counts, strict=False):
            share = f"{count / before:>7.1%}" if before else "      –"
            shown.append(f"  {name:<12} {count:>6} {share}")
        reasons = [("refused", *pair) for pair in self.refusals]
        reasons += [("rejected", *pair) for pair in self.rejections]
        return shown + [f"  {how:<12} {count:>6}   {name}" for how, name, count in reasons]


def drafting_funnel(store: Store, benchmark: str) -> DraftingFunnel:
    """Return the funnel of what a benchmark's last build committed.

    Args:
        store: The store.
        benchmark: Its name, which is the scope of its tables.
    """
    drafts = read_table(store, benchmark, DRAFTS).to_pylist()
    refused = read_table(store, benchmark, REFUSED_DRAFTS)["reason"].to_pylist()
    reviews = read_table(store, benchmark, REVIEWS).to_pylist()
    decided = {row["item_id"] for row in reviews if row["item_kind"] == "draft"}
    passed = [row["draft_id"] for row in drafts if not row["rejected_by"]]
    return DraftingFunnel(
        proposed=len(drafts) + len(refused),
        drafted=len(drafts),
        checked=len(passed),
        reviewed=len(decided.intersection(passed)),
        accepted=read_table(store, benchmark, QUESTIONS).num_rows,
        refusals=_counted(refused),
        rejections=_counted([name for row in drafts for name in row["rejected_by"]]),
    )


def _counted(names: list[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0])))

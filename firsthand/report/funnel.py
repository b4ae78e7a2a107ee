"""The funnel of drafting: what became of proposals, from the model to released questions."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa

from firsthand.store import Store, read_table, table_from_rows
from firsthand.store.release_index import NoReleaseError, newest_release
from firsthand.store.releases import Release, ReleaseCheck, read_release
from firsthand.store.tables import DRAFTS, FUNNEL, QUESTIONS, REFUSED_DRAFTS, REVIEWS

__all__ = ["FUNNEL_STEPS", "DraftingFunnel", "drafting_funnel", "funnel_for_release"]

FUNNEL_STEPS = ("proposed", "drafted", "checked", "reviewed", "accepted", "released")
_UNDECIDED, _NOT_ACCEPTED, _LEFT_OUT = "not yet decided on", "not accepted", "not in the release"

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class DraftingFunnel:
    """Counts of a benchmark's drafting, each a part of the one before.

    Args:
        proposed: Proposals of a model, drafts or not; what rules draft is proposed as well.
        drafted: Proposals that became drafts.
        checked: Drafts that passed every check.
        reviewed: Of those, the ones that somebody decided on.
        accepted: Those that became questions.
        released: Questions that a release carries as they were accepted.
        refusals: Why proposals became no drafts, by reason.
        rejections: Checks that drafts failed, by name; one draft may fail several.
    """

    proposed: int
    drafted: int
    checked: int
    reviewed: int
    accepted: int
    released: int
    refusals: tuple[tuple[str, int], ...]
    rejections: tuple[tuple[str, int], ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many are left after each step, in order."""
        return {step: int(getattr(self, step)) for step in FUNNEL_STEPS}

    def lines(self) -> list[str]:
        """Return the funnel, ready to print, with the share that each step kept."""
        counts = list(self.counts.items())
        shown = [f"  {counts[0][0]:<12} {counts[0][1]:>6}"]
        for (name, count), (_, before) in zip(counts[1:], counts, strict=False):
            share = f"{count / before:>7.1%}" if before else "      –"
            shown.append(f"  {name:<12} {count:>6} {share}")
        reasons = [("refused", *pair) for pair in self.refusals]
        reasons += [("rejected", *pair) for pair in self.rejections]
        return shown + [f"  {how:<12} {count:>6}   {name}" for how, name, count in reasons]

    def table(self, release_id: str) -> pa.Table:
        """Return the rows of table `funnel`: what each step kept, then why it kept some not."""
        rows = [
            {
                "release_id": release_id,
                "place": place,
                "step": step,
                "reason": reason,
                "count": count,
            }
            for place, step in enumerate(FUNNEL_STEPS)
            for reason, count in [("", self.counts[step]), *self._lost(step)]
        ]
        return table_from_rows(FUNNEL, rows)

    def _lost(self, step: str) -> Iterator[tuple[str, int]]:
        """Yield why a step did not keep what came to it."""
        named = {"drafted": self.refusals, "checked": self.rejections}
        yield from named.get(step, ())
        whole = {
            "reviewed": (_UNDECIDED, self.checked - self.reviewed),
            "accepted": (_NOT_ACCEPTED, self.reviewed - self.accepted),
            "released": (_LEFT_OUT, self.accepted - self.released),
        }
        if step in whole and whole[step][1]:
            yield whole[step]


def drafting_funnel(store: Store, benchmark: str) -> DraftingFunnel:
    """Return the funnel of what a benchmark's last build committed, to its newest release.

    Args:
        store: The store.
        benchmark: Its name, which is the scope of its tables.
    """
    try:
        newest = read_release(newest_release(store, benchmark), ReleaseCheck.SIZES)
    except NoReleaseError:
        newest = None
    return funnel_for_release(store, benchmark, newest)


def funnel_for_release(store: Store, benchmark: str, release: Release | None) -> DraftingFunnel:
    """Return the funnel of a benchmark's committed tables to a release of them.

    Args:
        store: The store.
        benchmark: The scope of its tables.
        release: The release; None if there is none.
    """
    drafts = read_table(store, benchmark, DRAFTS).to_pylist()
    refused = read_table(store, benchmark, REFUSED_DRAFTS)["reason"].to_pylist()
    reviews = read_table(store, benchmark, REVIEWS).to_pylist()
    accepted = _as_accepted(read_table(store, benchmark, QUESTIONS).to_pylist())
    released = set() if release is None else _as_accepted(release.table("questions").to_pylist())
    decided = {row["item_id"] for row in reviews if row["item_kind"] == "draft"}
    passed = [row["draft_id"] for row in drafts if not row["rejected_by"]]
    return DraftingFunnel(
        proposed=len(drafts) + len(refused),
        drafted=len(drafts),
        checked=len(passed),
        reviewed=len(decided.intersection(passed)),
        accepted=len(accepted),
        released=len(accepted & released),
        refusals=_counted(refused),
        rejections=_counted([name for row in drafts for name in row["rejected_by"]]),
    )


def _as_accepted(questions: Iterable[Row]) -> set[tuple[object, object]]:
    return {(row["question_id"], row["content_digest"]) for row in questions}


def _counted(names: list[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0])))

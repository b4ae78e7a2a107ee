"""Batches: the items of one queue of one benchmark, and the signature under their outcome.

What is signed is the digest of every item as it came, as it is now, and where it stands. One
decision more gives another outcome, which nobody has signed.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from firsthand.core.errors import FirsthandError
from firsthand.core.identity import digest_json
from firsthand.curation.reviewing import DecisionKind, ReviewDecision, ReviewState
from firsthand.curation.revisions import ReviewItem

__all__ = [
    "BATCH_KIND",
    "SETTLED",
    "Batch",
    "NotSignedOffError",
    "batch_of",
    "require_signature",
    "signature_on",
]

BATCH_KIND = "batch"
SETTLED = frozenset({ReviewState.ACCEPTED, ReviewState.REJECTED})
"""States of an item on which nothing more has to be decided."""


class NotSignedOffError(FirsthandError):
    """A release was asked for whose reviewed questions nobody has signed off."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The items of a queue with what people made of them.

    Args:
        benchmark: The benchmark.
        queue: Kind of its items.
        states: How many items are in each state.
        outcome: Digest of every item and of what was decided on it.
    """

    benchmark: str
    queue: str
    states: Mapping[ReviewState, int]
    outcome: str

    @property
    def open(self) -> int:
        """How many items wait for a decision."""
        return sum(count for state, count in self.states.items() if state not in SETTLED)

    @property
    def is_finished(self) -> bool:
        """Whether it has items and none of them waits."""
        return self.open == 0 and sum(self.states.values()) > 0

    @property
    def item(self) -> ReviewItem:
        """What is signed."""
        return ReviewItem(
            BATCH_KIND,
            f"{self.benchmark}/{self.queue}",
            0,
            {"benchmark": self.benchmark, "queue": self.queue, "outcome": self.outcome},
        )


def batch_of(
    benchmark: str, queue: str, stood: Iterable[tuple[ReviewItem, ReviewItem, ReviewState]]
) -> Batch:
    """Return the batch of some items.

    Args:
        benchmark: The benchmark.
        queue: Kind of the items.
        stood: Each item as it came, as it is now, and where it stands.
    """
    lines = sorted(
        [came.item_id, came.content_digest, now.revision, now.content_digest, state.value]
        for came, now, state in stood
    )
    states = Counter(ReviewState(str(line[-1])) for line in lines)
    return Batch(benchmark, queue, states, digest_json([benchmark, queue, lines]))


def signature_on(batch: Batch, decisions: Sequence[ReviewDecision]) -> ReviewDecision | None:
    """Return the latest decision on a batch with exactly this outcome; None if there is none."""
    item = batch.item
    seen = (item.item_kind, item.item_id, item.revision, item.content_digest)
    return next((one for one in reversed(decisions) if one.seen == seen), None)


def require_signature(batch: Batch, decisions: Sequence[ReviewDecision]) -> ReviewDecision:
    """Return the decision that allows a release.

    Raises:
        NotSignedOffError: If nobody has signed this outcome, or somebody refused to.
    """
    found = signature_on(batch, decisions)
    if found is not None and found.decision is DecisionKind.ACCEPT:
        return found
    raise NotSignedOffError(
        f"review of benchmark {batch.benchmark!r}",
        "no signature under this outcome" if found is None else f"refused by {found.reviewer}",
        "a sign-off of the reviewed questions, which the benchmark file asks for",
        "Decide on every question; then fill in the form of the run `release-reviewed`, which "
        "`make up` starts by itself.",
    )

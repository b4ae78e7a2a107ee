"""How far the annotators of a benchmark agree, over the items that two of them decided on."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from firsthand.core.errors import FirsthandError
from firsthand.core.identity import Json
from firsthand.curation.double_review import (
    ANNOTATORS,
    QUESTION_KINDS,
    Annotation,
    agree,
    annotations,
)
from firsthand.curation.likeness import Alike, alike
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.revisions import ReviewItem
from firsthand.metrics.agreement import (
    Scale,
    alpha_interval,
    cohens_kappa,
    kappa_interval,
    krippendorffs_alpha,
    share_interval,
)

__all__ = [
    "LEVEL",
    "QUEUE_WORDS",
    "Agreement",
    "AgreementOverride",
    "AgreementTooLowError",
    "Measure",
    "QueueAgreement",
    "agreement_lines",
    "agreement_of",
    "annotated",
    "check_agreement",
    "measure_of",
    "review_json",
]

LEVEL = 0.95
"""Level of the intervals of kappa, alpha and shares."""
QUEUE_WORDS: Mapping[str, str] = {
    "draft": "questions",
    "judgement": "judged answers",
    "transcript": "transcripts",
    "narration": "narrations",
    "click": "clicks",
    "stroke": "strokes",
}
"""What the items of double review are called in reports, by kind."""


class Measure(StrEnum):
    """What tells how far two people agree on the items of a queue."""

    KAPPA = "kappa"
    """Of verdicts and grades: names, on which two people also agree by chance."""
    ALIKE = "share alike"
    """Of windows, words and objects: on which share both left the same, within the tolerance of
    the kind. Chance sets no two windows alike, and where everybody sets every window anew the
    kappa of their verdicts is 0, however close the windows are."""


class AgreementTooLowError(FirsthandError):
    """The annotators agree less than the benchmark demands, or too few of them decided."""


@dataclass(frozen=True, slots=True)
class AgreementOverride:
    """Somebody's decision to release although annotators agree less than was demanded.

    Args:
        name: Who decided.
        reason: Why; it is published with the release.
    """

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement over the items that two annotators decided on.

    Args:
        chosen: Items chosen for double review.
        items: Those of them that two have decided on.
        agreed: Those of them on which both said the same.
        kappa: Cohen's kappa, the pairs of annotators taken together, each in order of
            name; None where it is not defined.
        alpha: Krippendorff's alpha over all annotators; None where it is not defined.
        pairs: By pair of annotators, the number of items and their kappa.
        kappa_interval: Ends of its interval at `LEVEL`; None where kappa is not defined.
        alpha_interval: Ends of its interval at `LEVEL`; None where alpha is not defined.
    """

    chosen: int
    items: int
    agreed: int
    kappa: float | None
    alpha: float | None
    pairs: Mapping[tuple[str, str], tuple[int, float | None]] = field(default_factory=dict)
    kappa_interval: tuple[float, float] | None = None
    alpha_interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class QueueAgreement:
    """How far two people agree on the items of one queue, beside what was asked of them.

    Args:
        kind: Kind of its items.
        share: The share of them that two people decide on.
        least: What a release demands of `value`; None demands nothing.
        found: What was found.
    """

    kind: str
    share: float
    least: float | None
    found: Agreement

    @property
    def measure(self) -> Measure:
        """What `value` measures."""
        return measure_of(self.kind)

    @property
    def value(self) -> float | None:
        """How far they agree; None where it is not defined."""
        if self.measure is Measure.KAPPA:
            return self.found.kappa
        return self.found.agreed / self.found.items if self.found.items else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Ends of the interval of `value` at `LEVEL`; None where that is not defined."""
        if self.measure is Measure.KAPPA:
            return self.found.kappa_interval
        if not self.found.items:
            return None
        return share_interval(self.found.agreed, self.found.items, LEVEL)

    @property
    def is_whole(self) -> bool:
        """Whether items were chosen, and two people decided on each of them."""
        return 0 < self.found.chosen == self.found.items

    @property
    def is_met(self) -> bool:
        """Whether they agree as was demanded, on everything that was chosen for two."""
        if self.least is None:
            return True
        if not self.is_whole or self.value is None:
            return False
        # Kappa has to lie above what is demanded, as papers state it; a share reaches it.
        reached = self.measure is Measure.ALIKE and self.value == self.least
        return reached or self.value > self.least

    def to_json(self) -> dict[str, Json]:
        """Return what a manifest says of the queue."""
        said: dict[str, Json] = {
            "share": self.share,
            "chosen": self.found.chosen,
            "decided_by_two": self.found.items,
            "alike": self.found.agreed,
            "measure": self.measure.value,
            "least": self.least,
            "is_met": self.is_met,
            "value": self.value,
            "interval": _ends(self.interval),
            "interval_level": LEVEL,
        }
        if self.measure is Measure.KAPPA:
            said["alpha"] = self.found.alpha
            said["alpha_interval"] = _ends(self.found.alpha_interval)
        return said


def measure_of(kind: str) -> Measure:
    """Return what tells how far two people agree on items of a kind."""
    return Measure.KAPPA if kind in QUESTION_KINDS else Measure.ALIKE


def review_json(
    queues: Sequence[QueueAgreement], override: AgreementOverride | None
) -> dict[str, Json]:
    """Return what a manifest says: what was found and demanded of each queue, who did without."""
    used = None if all(one.is_met for one in queues) else override
    return {
        "queues": {one.kind: one.to_json() for one in queues},
        "agreement_override": None if used is None else {"name": used.name, "reason": used.reason},
    }


def agreement_lines(queues: Sequence[QueueAgreement]) -> list[str]:
    """Return the lines of a report as Markdown; none where nothing is decided on by two."""
    shown = [one for one in queues if one.found.chosen]
    if not shown:
        return []
    return [
        "## Agreement of annotators",
        "",
        "| queue | chosen items | decided by two | alike | agreement | a release needs |",
        "|:--|---:|---:|---:|:--|:--|",
        *(
            f"| {QUEUE_WORDS[one.kind]} | {one.found.chosen} | {one.found.items} "
            f"| {one.found.agreed} | {one.measure} {_figure(one.value)}{_range(one.interval)} "
            f"| {'nothing' if one.least is None else _needed(one)} |"
            for one in shown
        ),
        "",
        f"In brackets: {LEVEL:.0%} intervals; those of kappa hold the chance agreement as found.",
        "",
    ]


def annotated(
    items: Iterable[ReviewItem],
    decisions_on: Callable[[ReviewItem], Sequence[ReviewDecision]],
    is_optional: Callable[[ReviewItem], bool],
) -> Iterator[tuple[Annotation, ...]]:
    """Yield the annotations of each item over which agreement is measured.

    Args:
        items: Those that two people decide on.
        decisions_on: The decisions on an item, in order of arrival.
        is_optional: Whether an item waits for nobody; it counts once somebody decided on it.
    """
    for item in items:
        decisions = decisions_on(item)
        if decisions or not is_optional(item):
            yield annotations(item, decisions)


def agreement_of(given: Iterable[Sequence[Annotation]], are_alike: Alike = alike) -> Agreement:
    """Return the agreement over items, by the annotations of each.

    Args:
        given: The annotations of each item.
        are_alike: Whether what two people left of an item says the same.
    """
    every = list(given)
    both = [sorted(one, key=lambda a: a.reviewer) for one in every if len(one) == ANNOTATORS]
    said = [_labels(one, other, are_alike) for one, other in both]
    sides = [one for one, _ in said], [other for _, other in said]
    names = sorted({annotation.reviewer for pair in both for annotation in pair})
    ratings = [
        [
            next((label for a, label in zip(pair, labels, strict=True) if a.reviewer == name), None)
            for pair, labels in zip(both, said, strict=True)
        ]
        for name in names
    ]
    by_pair: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for (one, other), verdicts in zip(both, said, strict=True):
        by_pair.setdefault((one.reviewer, other.reviewer), []).append(verdicts)
    return Agreement(
        chosen=len(every),
        items=len(both),
        agreed=sum(one == other for one, other in said),
        kappa=_kappa(said),
        alpha=krippendorffs_alpha(ratings, Scale.NOMINAL) if both else None,
        kappa_interval=kappa_interval(*sides, level=LEVEL),
        alpha_interval=alpha_interval(*sides, level=LEVEL),
        pairs={pair: (len(said_by), _kappa(said_by)) for pair, said_by in sorted(by_pair.items())},
    )


def _labels(one: Annotation, other: Annotation, are_alike: Alike) -> tuple[str, str]:
    """Return what agreement is measured on: verdicts, and for what can be compared, the forms."""
    if one.form.item_kind in QUESTION_KINDS or not (one.keeps and other.keeps):
        return one.label, other.label
    if agree(one, other, are_alike):
        return one.label, one.label
    return one.label, other.label if one.label != other.label else f"another {other.label}"


def check_agreement(
    queues: Iterable[QueueAgreement], benchmark: str, override: AgreementOverride | None = None
) -> None:
    """Check that annotators agree as a benchmark demands, or that somebody answers for it.

    Kappa says nothing where all verdicts are the same: then the demand is not met, since
    people who accept whatever they are shown look like that. Nor is it met while an item that
    was chosen for two waits for the second: who comes first to the easy ones agrees.

    Raises:
        AgreementTooLowError: If in any queue less is found than was demanded, or too few of
            the chosen items were decided by two.
    """
    short = [one for one in queues if not one.is_met]
    if not short or override is not None:
        return
    raise AgreementTooLowError(
        f"review of benchmark {benchmark!r}",
        "; ".join(f"{QUEUE_WORDS[one.kind]}: {_shortfall(one)}" for one in short),
        f"over all that was chosen for two, of {'; '.join(map(_demanded, short))}",
        "Let two annotators decide on the chosen items, talk over what they read differently, "
        "or answer for it with `review.agreement_override` in the benchmark file.",
    )


def _shortfall(one: QueueAgreement) -> str:
    found = one.found
    if not found.chosen:
        return "no item chosen for two annotators"
    if not one.is_whole:
        return f"{found.items} of {found.chosen} chosen items decided by two annotators"
    return f"agreement on {found.agreed} of {found.items} items, {one.measure} {_figure(one.value)}"


def _demanded(one: QueueAgreement) -> str:
    return f"{QUEUE_WORDS[one.kind]} {_needed(one)}"


def _needed(one: QueueAgreement) -> str:
    return f"{one.measure} {'above' if one.measure is Measure.KAPPA else 'at least'} {one.least:g}"


def _kappa(said: Sequence[tuple[str, str]]) -> float | None:
    return cohens_kappa([one for one, _ in said], [other for _, other in said])


def _ends(interval: tuple[float, float] | None) -> Json:
    return None if interval is None else [*interval]


def _range(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f" ({interval[0]:.3f} to {interval[1]:.3f})"


def _figure(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"

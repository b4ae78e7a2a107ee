"""How far the annotators of a benchmark agree, over the items that two of them decided on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from firsthand.core.errors import FirsthandError
from firsthand.core.identity import Json
from firsthand.curation.double_review import (
    ANNOTATORS,
    QUESTION_KINDS,
    Annotation,
    ReviewDemand,
    agree,
)
from firsthand.curation.likeness import Alike, alike
from firsthand.metrics.agreement import (
    Scale,
    alpha_interval,
    cohens_kappa,
    kappa_interval,
    krippendorffs_alpha,
)

__all__ = [
    "LEVEL",
    "Agreement",
    "AgreementOverride",
    "AgreementTooLowError",
    "agreement_of",
    "check_agreement",
    "is_met",
]

LEVEL = 0.95
"""Level of the intervals of kappa and alpha."""


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

    def to_json(self, demand: ReviewDemand, override: AgreementOverride | None) -> dict[str, Json]:
        """Return what a manifest says: what was found, what was demanded, who did without."""
        used = None if is_met(self, demand) else override
        return {
            "double_share": demand.double_share,
            "min_kappa": demand.min_kappa,
            "chosen": self.chosen,
            "decided_by_two": self.items,
            "alike": self.agreed,
            "kappa": self.kappa,
            "kappa_interval": _ends(self.kappa_interval),
            "alpha": self.alpha,
            "alpha_interval": _ends(self.alpha_interval),
            "interval_level": LEVEL,
            "override": None if used is None else {"name": used.name, "reason": used.reason},
        }

    def to_markdown(self) -> list[str]:
        """Return the lines of a report; none where nothing is decided on by two."""
        if not self.chosen:
            return []
        return [
            "## Agreement of annotators",
            "",
            "| chosen items | decided by two | alike | Cohen's kappa | Krippendorff's alpha |",
            "|---:|---:|---:|---:|---:|",
            f"| {self.chosen} | {self.items} | {self.agreed} "
            f"| {_figure(self.kappa)}{_range(self.kappa_interval)} "
            f"| {_figure(self.alpha)}{_range(self.alpha_interval)} |",
            "",
            f"In brackets: {LEVEL:.0%} intervals, the chance agreement held as found.",
            "",
        ]


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


def is_met(found: Agreement, demand: ReviewDemand) -> bool:
    """Return whether annotators agree as a benchmark demands."""
    return demand.min_kappa is None or (found.kappa is not None and found.kappa > demand.min_kappa)


def check_agreement(
    found: Agreement,
    demand: ReviewDemand,
    benchmark: str,
    override: AgreementOverride | None = None,
) -> None:
    """Check that annotators agree as a benchmark demands, or that somebody answers for it.

    Kappa says nothing where all verdicts are the same: then the demand is not met, since
    people who accept whatever they are shown look like that.

    Raises:
        AgreementTooLowError: If kappa is not above the demanded value, or is not defined.
    """
    if is_met(found, demand) or override is not None:
        return
    if found.items < found.chosen or not found.items:
        what = f"{found.items} of {found.chosen} chosen items decided by two annotators"
    else:
        what = f"agreement on {found.agreed} of {found.items} items"
    kappa = f"kappa {_figure(found.kappa)}"
    raise AgreementTooLowError(
        f"review of benchmark {benchmark!r}",
        f"{what}, {kappa}",
        f"Cohen's kappa above {demand.min_kappa:g} over the items of double review",
        "Let two annotators decide on the chosen items, talk over what they read differently, "
        "or answer for it with `review.agreement_override` in the benchmark file.",
    )


def _kappa(said: Sequence[tuple[str, str]]) -> float | None:
    return cohens_kappa([one for one, _ in said], [other for _, other in said])


def _ends(interval: tuple[float, float] | None) -> Json:
    return None if interval is None else [*interval]


def _range(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f" ({interval[0]:.3f} to {interval[1]:.3f})"


def _figure(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"

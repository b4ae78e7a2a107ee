"""The list of metrics: unit, bounds and direction of each, so that no table repeats them."""

from dataclasses import dataclass

from firsthand.core.registry import Registry

__all__ = ["METRICS", "Metric"]


@dataclass(frozen=True, slots=True)
class Metric:
    """What a reader must know of a figure.

    Args:
        title: Name as printed.
        unit: Unit of the score; "share" is printed in percent.
        bounds: Lowest and highest possible score.
        higher_is_better: Direction.
        card: Name of the metric card in `docs/metrics`.
        printed_in: Unit and factor of the printed headline.
    """

    title: str
    unit: str
    bounds: tuple[float, float]
    higher_is_better: bool
    card: str
    printed_in: tuple[str, float]


METRICS: Registry[Metric] = Registry("metric")
"""Metrics by the name that verdict rows carry."""

_PERCENT = ("%", 100.0)
_MINUTES = ("min", 1.0 / 60.0)
_NUMBER = ("", 1.0)

_SHARES = {
    "rta": ("Real-Time Accuracy", "rta"),
    "acc_cls": ("Acc_cls (what)", "ecog"),
    "acc_s": ("Acc_s (where)", "ecog"),
    "acc_t": ("Acc_t (when)", "ecog"),
    "acc_eco": ("Acc_eco (what, where and when)", "ecog"),
    "acc_seq": ("Acc_seq (all referents of a clip)", "ecog"),
    "accuracy": ("Judged accuracy", "lifelong"),
    "ref_at_n": ("Ref@N", "lifelong"),
    "miou": ("mIoU", "clue_grounding"),
    "rec_at_iou": ("rec@IoU", "clue_grounding"),
    "acc_at_iou": ("acc@IoU", "clue_grounding"),
    "clue_recovery_rate": ("Clue recovery rate", "clue_grounding"),
    "judge_f1": ("Judge's F1 against people", "agreement"),
}
for _name, (_title, _card) in _SHARES.items():
    METRICS.register(_name)(
        Metric(_title, "share", (0.0, 1.0), higher_is_better=True, card=_card, printed_in=_PERCENT)
    )

METRICS.register("mpt")(Metric("Memory Persistence Time", "s", (0.0, 600.0), True, "mpt", _MINUTES))
METRICS.register("mpt_restricted_mean")(
    Metric("Restricted mean persistence", "s", (0.0, 600.0), True, "survival", _MINUTES)
)
METRICS.register("cohens_kappa")(
    Metric("Cohen's kappa", "", (-1.0, 1.0), True, "agreement", _NUMBER)
)
METRICS.register("krippendorffs_alpha")(
    Metric("Krippendorff's alpha", "", (float("-inf"), 1.0), True, "agreement", _NUMBER)
)

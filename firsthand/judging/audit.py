"""Agreement of a judge with people who graded some of the same answers."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from firsthand.core.errors import DataFileError
from firsthand.metrics.agreement import Scale, cohens_kappa, f1_score, krippendorffs_alpha

__all__ = ["AuditAgreement", "audit_agreement", "read_audit"]

_COLUMNS = ["ask_id", "grade"]


@dataclass(frozen=True, slots=True)
class AuditAgreement:
    """How far a judge and people agree.

    Args:
        audited: Answers that a person graded.
        judged: Those among them that the judge graded, too; the figures are over these.
        same: Share with the same grade.
        kappa: Cohen's kappa of the grades as names; None where undefined.
        alpha: Krippendorff's alpha of the grades as numbers; None where undefined.
        f1: F1 of "full marks", people being right; None where nobody gives them.
    """

    audited: int
    judged: int
    same: float | None
    kappa: float | None
    alpha: float | None
    f1: float | None


def read_audit(path: Path) -> Mapping[str, float]:
    """Return people's grades by ask, from a CSV file with the columns ask_id and grade.

    Raises:
        DataFileError: If the file cannot be read, lacks a column, or holds a grade that is
            no number or an ask twice.
    """
    try:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8-sig").splitlines()))
        grades = {row["ask_id"]: float(row["grade"]) for row in rows}
    except (OSError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise _broken(path, type(error).__name__) from None
    if len(grades) < len(rows):
        raise _broken(path, f"{len(rows) - len(grades)} asks more than once")
    return grades


def audit_agreement(
    judgements: Iterable[Mapping[str, object]], audit: Mapping[str, float], highest: float
) -> AuditAgreement:
    """Return how far a judge agrees with people.

    Args:
        judgements: Rows of table `judgements` of one judge and rubric.
        audit: People's grades by ask, on the rubric's scale.
        highest: The rubric's highest grade.
    """
    repeats: dict[str, list[float]] = {}
    for row in judgements:
        if row["score"] is not None:
            repeats.setdefault(str(row["ask_id"]), []).append(float(str(row["score"])))
    both = sorted(set(audit) & set(repeats))
    people = [audit[name] for name in both]
    judge = [median(repeats[name]) for name in both]
    pairs = list(zip(people, judge, strict=True))
    return AuditAgreement(
        audited=len(audit),
        judged=len(both),
        same=sum(a == b for a, b in pairs) / len(pairs) if pairs else None,
        kappa=cohens_kappa(people, judge),
        alpha=krippendorffs_alpha([people, judge], Scale.INTERVAL),
        f1=f1_score([grade == highest for grade in people], [grade == highest for grade in judge]),
    )


def _broken(path: Path, found: str) -> DataFileError:
    return DataFileError(
        f"audit file {path.name}",
        found,
        f"CSV with the columns {', '.join(_COLUMNS)}, each ask once, grades as numbers",
        "Mend the file.",
    )

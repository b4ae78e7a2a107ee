"""TeleEgo's released figures as rows with clusters and intervals."""

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from firsthand.cli.score_table import Denominator, Difference, Figure, difference
from firsthand.core.errors import DataFileError
from firsthand.core.outcomes import Outcome
from firsthand.core.taxonomy import CATEGORY_OF, QuestionType
from firsthand.formats.teleego_columns import recorded_initials
from firsthand.formats.teleego_run import ParticipantRun, TeleEgoRun
from firsthand.metrics.columns import CODE_OF, Grouping, VerdictColumns
from firsthand.metrics.teleego_official import (
    OFFICIAL_OVERALL,
    OfficialRecord,
    official_held_s,
    official_mpt,
)

__all__ = ["official_differences", "official_figures"]

_CATEGORIES = {str(sub): str(category) for sub, category in CATEGORY_OF.items()}


def official_figures(run: TeleEgoRun) -> list[tuple[Figure, Mapping[str, Grouping]]]:
    """Return the released figures: they know records, and nothing of planned questions."""
    participants, records = recorded_initials(run)
    kept = [
        (participant, record)
        for participant, record in zip(participants, records, strict=True)
        if record.get("subcategory")
    ]
    flags = np.array([bool(record.get("correct")) for _, record in kept])
    outcome = np.where(flags, CODE_OF[Outcome.CORRECT], CODE_OF[Outcome.WRONG])
    subcategories = [str(record["subcategory"]) for _, record in kept]
    rta = Figure(
        "rta",
        "",
        VerdictColumns(flags.astype(np.float64), outcome.astype(np.uint8)),
        Grouping.of([participant for participant, _ in kept]),
        over=Denominator.RECORDED,
    )
    rta_groups = {
        "category": Grouping.of([_CATEGORIES.get(name) for name in subcategories]),
        "subcategory": Grouping.of(subcategories),
        "question_type": Grouping.of([str(record.get("QA_type")) for _, record in kept]),
        "participant": rta.clusters,
    }
    mpt, mpt_groups = _official_mpt(run)
    return [(rta, rta_groups), (mpt, mpt_groups)]


def official_differences(run: TeleEgoRun, other: TeleEgoRun) -> tuple[Difference, ...]:
    """Compare two runs over the questions that both recorded, each question once.

    A question's RTA is the mean of its records, its MPT is that of its last one, as the
    released code counts them.

    Raises:
        DataFileError: If the runs recorded no question in common.
        ReleasedCodeError: Where the released code itself stops.
    """
    mine, theirs = _official_items(run), _official_items(other)
    shared = [key for key in mine if key in theirs]
    if not shared:
        raise DataFileError(
            other.model, "no question of the run", "questions in common", "Check the runs."
        )
    people = Grouping.of([participant for participant, _ in shared])
    pairs = [
        tuple(
            Figure(metric, "", _scored([items[key][place] for key in shared]), people)
            for items in (mine, theirs)
        )
        for place, metric in enumerate(("rta", "mpt"))
    ]
    return tuple(difference(one, two, other.model) for one, two in pairs)


def _official_items(run: TeleEgoRun) -> dict[tuple[str, str], tuple[float, float]]:
    """Return RTA and MPT of every question that both released figures know."""
    items: dict[tuple[str, str], tuple[float, float]] = {}
    for part in run.participants:
        records = [
            record
            for record in _official_records(part)
            if record.question_type is not QuestionType.OPEN_ENDED and record.subcategory
        ]
        flags: dict[int | str, list[bool]] = {}
        for record in records:
            flags.setdefault(record.index, []).append(record.is_correct)
        held_s = official_held_s(records, _flags(part))
        for index, given in flags.items():
            key = part.participant, str(index)
            items[key] = sum(given) / len(given), held_s.get(index, 0.0)
    return items


def _scored(values: Sequence[float]) -> VerdictColumns:
    score = np.array(values, np.float64)
    codes = np.where(score > 0, CODE_OF[Outcome.CORRECT], CODE_OF[Outcome.WRONG])
    return VerdictColumns(score, codes.astype(np.uint8))


def _official_mpt(run: TeleEgoRun) -> tuple[Figure, dict[str, Grouping]]:
    """Return official MPT as rows: each participant's group mean, as often as it has items.

    The released code keeps sums only; means by participant have the same mean, and the
    same interval over participants, as the items themselves.
    """
    score: list[float] = []
    participants: list[str] = []
    subcategories: list[str | None] = []
    for part in run.participants:
        for name, sums in official_mpt([(_official_records(part), _flags(part))]).items():
            if name != OFFICIAL_OVERALL and name not in set(_CATEGORIES.values()):
                score += [sums.mpt_s] * sums.count
                participants += [part.participant] * sums.count
                subcategories += [name] * sums.count
    figure = Figure(
        "mpt",
        "",
        _scored(score),
        Grouping.of(participants),
        over=Denominator.RECORDED,
    )
    return figure, {
        "category": Grouping.of([_CATEGORIES.get(name or "") for name in subcategories]),
        "subcategory": Grouping.of(subcategories),
        "participant": figure.clusters,
    }


def _official_records(part: ParticipantRun) -> list[OfficialRecord]:
    return [
        OfficialRecord(
            cast("int | str", record["index"]),
            QuestionType(str(record.get("QA_type")).lower()),
            cast("str | None", record.get("subcategory")),
            bool(record.get("correct")),
        )
        for record in part.records
        if record["phase"] == "initial"
    ]


def _flags(part: ParticipantRun) -> Mapping[str, Sequence[bool]] | None:
    if part.tracker is None:
        return None
    return {index: line.flags for index, line in part.tracker.items()}

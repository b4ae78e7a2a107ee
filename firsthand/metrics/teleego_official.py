"""TeleEgo's released metrics code, reproduced with its defects, for the rule set `official`.

Its differences from the paper are listed on the metric cards `rta` and `mpt`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from firsthand.answers.official_grounding import ReleasedCodeError
from firsthand.core.taxonomy import CATEGORY_OF, Category, QuestionType

__all__ = [
    "OFFICIAL_OVERALL",
    "OfficialMpt",
    "OfficialRecord",
    "OfficialRta",
    "official_held_s",
    "official_mpt",
    "official_rta",
]

OFFICIAL_OVERALL = "Overall"
_STEP_S = 60.0
_CATEGORIES = {str(sub): str(category) for sub, category in CATEGORY_OF.items()}


@dataclass(frozen=True, slots=True)
class OfficialRecord:
    """An initial record of one participant, as the released runner wrote it.

    Args:
        index: The question's index, a number or a text, untouched: the code's table is
            keyed by what stands in the file.
        question_type: The record's type; open-ended records count nowhere.
        subcategory: The record's own, None where absent.
        is_correct: The record's flag; an absent flag is False.
    """

    index: int | str
    question_type: QuestionType
    subcategory: str | None
    is_correct: bool


@dataclass(frozen=True, slots=True)
class OfficialRta:
    """A group's figures as the code writes them; accuracy in percent."""

    correct: int
    total: int

    @property
    def accuracy(self) -> float:
        """Percent; 0.0 for an empty group."""
        return self.correct / self.total * 100 if self.total else 0.0


@dataclass(frozen=True, slots=True)
class OfficialMpt:
    """A group's figures as the code writes them, in seconds."""

    total_time_s: float
    count: int

    @property
    def mpt_s(self) -> float:
        """Seconds; 0.0 for an empty group."""
        return self.total_time_s / self.count if self.count else 0.0


def official_rta(records: Sequence[Sequence[OfficialRecord]]) -> dict[str, OfficialRta]:
    """Return RTA by subcategory, category and overall, for records by participant.

    Every record counts, repeated ones again; those without a subcategory count nowhere;
    a category adds up its listed subcategories, so that unknown ones are overall alone.
    """
    found: dict[str, list[bool]] = {}
    for record in (record for part in records for record in part):
        if record.question_type is not QuestionType.OPEN_ENDED and record.subcategory:
            found.setdefault(record.subcategory, []).append(record.is_correct)
    parts = {name: (sum(flags), len(flags)) for name, flags in found.items()}
    return {name: OfficialRta(*map(int, sums)) for name, sums in _with_totals(parts).items()}


def official_mpt(
    participants: Sequence[tuple[Sequence[OfficialRecord], Mapping[str, Sequence[bool]] | None]],
) -> dict[str | None, OfficialMpt]:
    """Return MPT by subcategory, category and overall.

    Args:
        participants: For each participant, the initial records and the tracker's flags by
            index (the initial answer first); None where the tracker's file is absent.

    Returns:
        Sums by group. A correct item without subcategory stands under None.

    Raises:
        ReleasedCodeError: Where the code stops: a missing tracker, an index that is no
            number, a tracker entry whose last initial record is wrong.
    """
    items: dict[str | None, list[float]] = {}
    for records, tracker in participants:
        for record, held_s in _participant_items(records, tracker):
            items.setdefault(record.subcategory, []).append(held_s)
    parts = {name: (sum(times), len(times)) for name, times in items.items()}
    totals: dict[str | None, tuple[float, int]] = {}
    totals.update(_with_totals({name: sums for name, sums in parts.items() if name is not None}))
    if None in parts:
        totals[None] = parts[None]
        totals[OFFICIAL_OVERALL] = _added(parts.values())
    return {name: OfficialMpt(float(time), int(count)) for name, (time, count) in totals.items()}


def official_held_s(
    records: Sequence[OfficialRecord], tracker: Mapping[str, Sequence[bool]] | None
) -> dict[int | str, float]:
    """Return the seconds that the code credits each of one participant's questions with.

    Raises:
        ReleasedCodeError: As `official_mpt`.
    """
    return {record.index: held_s for record, held_s in _participant_items(records, tracker)}


def _participant_items(
    records: Sequence[OfficialRecord], tracker: Mapping[str, Sequence[bool]] | None
) -> list[tuple[OfficialRecord, float]]:
    if tracker is None:
        raise _stop("FileNotFoundError", "a tracker file beside the records")
    table = {
        record.index: record
        for record in records
        if record.question_type is not QuestionType.OPEN_ENDED
    }
    items: list[tuple[OfficialRecord, float]] = []
    for key, flags in tracker.items():
        record = table.get(_whole_number(key))
        if record is None:
            continue
        if not record.is_correct:
            raise _stop("AssertionError", "only questions first answered correctly")
        items.append((record, _STEP_S * _leading(flags)))
    items.extend(
        (record, 0.0)
        for index, record in table.items()
        if str(index) not in tracker and record.subcategory
    )
    return items


def _whole_number(key: str) -> int:
    try:
        return int(key)
    except ValueError as error:
        raise _stop("ValueError", "indices that are whole numbers") from error


def _leading(flags: Sequence[bool]) -> int:
    return next((place for place, flag in enumerate(flags) if not flag), len(flags))


def _with_totals(parts: Mapping[str, tuple[float, int]]) -> dict[str, tuple[float, int]]:
    totals = dict(parts)
    for category in map(str, Category):
        members = [sums for name, sums in parts.items() if _CATEGORIES.get(name) == category]
        if members:
            totals[category] = _added(members)
    if parts:
        totals[OFFICIAL_OVERALL] = _added(parts.values())
    return totals


def _added(parts: Iterable[tuple[float, int]]) -> tuple[float, int]:
    sums = list(parts)
    return sum(total for total, _ in sums), sum(count for _, count in sums)


def _stop(exception: str, expected: str) -> ReleasedCodeError:
    return ReleasedCodeError(
        "run records, rule set 'official'",
        exception,
        expected,
        "The released code stops here; score the run under 'paper'.",
    )

"""A TeleEgo run as the columns that metrics take, one pass over its records."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import cast

import numpy as np

from firsthand.core.identity import Json
from firsthand.core.outcomes import Outcome
from firsthand.core.taxonomy import QuestionType
from firsthand.formats.teleego import TeleEgoQuestion
from firsthand.formats.teleego_run import ParticipantRun, TeleEgoRun
from firsthand.metrics.columns import CODE_OF, NOT_MEASURED, AskColumns, Grouping
from firsthand.metrics.persistence import ProbeColumns

__all__ = ["TeleEgoColumns", "planned_columns", "recorded_initials"]

_NOTHING_READ: tuple[Json, ...] = (None, [], "")


@dataclass(frozen=True, slots=True, eq=False)
class TeleEgoColumns:
    """One row per planned closed-form question of the participants that were run.

    Args:
        question_ids: Identifiers, as minted at import.
        asks: Outcomes and latencies of the initial asks; never asked is `not_asked`.
        probes: Their probes.
        groups: Grouping columns by kind.
        tracked: Flags of the tracker by row, for runs whose probes left no records.
        unknown_indices: Records that belong to no question, as `P1/17`.
        repeated: Questions with more than one initial record; the first counts.
    """

    question_ids: tuple[str, ...]
    asks: AskColumns
    probes: ProbeColumns
    groups: Mapping[str, Grouping]
    tracked: Mapping[int, tuple[bool, ...]] = field(default_factory=dict)
    unknown_indices: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()


@dataclass(slots=True)
class _Pass:
    """What one walk over the records gathers."""

    outcome: list[np.uint8]
    elapsed_s: list[float | None]
    initial: list[Mapping[str, Json] | None]
    probe_row: list[int] = field(default_factory=list)
    probe_round: list[int] = field(default_factory=list)
    probe_outcome: list[np.uint8] = field(default_factory=list)
    probe_elapsed_s: list[float | None] = field(default_factory=list)
    tracked: dict[int, tuple[bool, ...]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)


def planned_columns(questions: Iterable[TeleEgoQuestion], run: TeleEgoRun) -> TeleEgoColumns:
    """Return the columns of a run, over all closed-form questions of its participants.

    Groups come from the initial record where there is one, as published tables have them,
    and from the question otherwise. A number and its text are one index.
    """
    here = {part.participant for part in run.participants}
    asked = [question for question in questions if question.participant in here]
    planned = [
        question for question in asked if question.question_type is not QuestionType.OPEN_ENDED
    ]
    size = len(planned)
    seen = _Pass([CODE_OF[Outcome.NOT_ASKED]] * size, [None] * size, [None] * size)
    rows = _rows_by_index(planned)
    known = _rows_by_index(asked)
    for part in run.participants:
        mine = rows.get(part.participant, {})
        _walk(part, mine, known.get(part.participant, {}), seen)
    return TeleEgoColumns(
        tuple(question.question_id for question in planned),
        AskColumns(np.array(seen.outcome, np.uint8), _latencies_us(seen.elapsed_s)),
        ProbeColumns(
            np.array(seen.probe_row, np.intp),
            np.array(seen.probe_round, np.int64),
            AskColumns(np.array(seen.probe_outcome, np.uint8), _latencies_us(seen.probe_elapsed_s)),
        ),
        _groups(planned, seen.initial),
        seen.tracked,
        tuple(seen.unknown),
        tuple(seen.repeated),
    )


def recorded_initials(run: TeleEgoRun) -> tuple[list[str], list[Mapping[str, Json]]]:
    """Return the closed-form initial records in file order, each with its participant.

    The released code scores exactly these: repeated records count again, open-ended ones
    are known by the exact spelling `open_ended`.
    """
    participants: list[str] = []
    records: list[Mapping[str, Json]] = []
    for part in run.participants:
        found = [
            record
            for record in part.records
            if record["phase"] == "initial" and record.get("QA_type") != QuestionType.OPEN_ENDED
        ]
        participants += repeat(part.participant, len(found))
        records += found
    return participants, records


def _walk(
    part: ParticipantRun, rows: Mapping[Json, int], known: Mapping[Json, int], seen: _Pass
) -> None:
    has_probes = False
    correct, wrong = CODE_OF[Outcome.CORRECT], CODE_OF[Outcome.WRONG]
    unparsed = CODE_OF[Outcome.UNPARSED]
    for record in part.records:
        get = record.get
        row = rows.get(get("index"))
        if row is None:
            if get("index") not in known:
                seen.unknown.append(f"{part.participant}/{get('index')}")
            continue
        if get("correct"):
            outcome = correct
        else:
            outcome = unparsed if get("parsed_pred", True) in _NOTHING_READ else wrong
        if get("phase") == "recall":
            has_probes = True
            seen.probe_row.append(row)
            seen.probe_round.append(cast("int", get("round")))
            seen.probe_outcome.append(outcome)
            seen.probe_elapsed_s.append(cast("float | None", get("elapsed_time")))
        elif seen.initial[row] is None:
            seen.initial[row] = record
            seen.outcome[row] = outcome
            seen.elapsed_s[row] = cast("float | None", get("elapsed_time"))
        else:
            seen.repeated.append(f"{part.participant}/{get('index')}")
    if not has_probes:
        _track(part, rows, seen)


def _track(part: ParticipantRun, rows: Mapping[Json, int], seen: _Pass) -> None:
    # A tracker of initial answers alone says no more than the records do.
    lines = part.tracker or {}
    if any(len(line.flags) > 1 for line in lines.values()):
        for index, line in lines.items():
            if index in rows:
                seen.tracked[rows[index]] = line.flags


def _rows_by_index(questions: Sequence[TeleEgoQuestion]) -> dict[str, dict[Json, int]]:
    rows: dict[str, dict[Json, int]] = {}
    for row, question in enumerate(questions):
        mine = rows.setdefault(question.participant, {})
        mine[question.index] = row
        if question.index.isdecimal() and str(int(question.index)) == question.index:
            mine[int(question.index)] = row
    return rows


def _groups(
    planned: Sequence[TeleEgoQuestion], initial: Sequence[Mapping[str, Json] | None]
) -> dict[str, Grouping]:
    category: list[str | None] = []
    subcategory: list[str | None] = []
    for question, record in zip(planned, initial, strict=True):
        if record is None:
            category.append(question.category)
            subcategory.append(question.subcategory)
        else:
            category.append(cast("str | None", record.get("category", question.category)))
            subcategory.append(cast("str | None", record.get("subcategory", question.subcategory)))
    return {
        "category": Grouping.of(category),
        "subcategory": Grouping.of(subcategory),
        "question_type": Grouping.of([question.question_type.value for question in planned]),
        "participant": Grouping.of([question.participant for question in planned]),
    }


def _latencies_us(elapsed_s: Sequence[float | None]) -> np.ndarray:
    seconds = np.array(elapsed_s, np.float64)
    measured = np.nan_to_num(np.rint(seconds * 1e6), nan=NOT_MEASURED)
    return measured.astype(np.int64)

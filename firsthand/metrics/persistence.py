"""Memory Persistence Time: from the first right answer to the first failed probe."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from firsthand.core.outcomes import Outcome
from firsthand.core.time import SECOND_US
from firsthand.metrics.columns import (
    CODE_OF,
    NOT_MEASURED,
    OUTCOMES,
    AskColumns,
    VerdictColumns,
)
from firsthand.metrics.rta import timed_asks
from firsthand.protocols.policy import StreamingPolicy

__all__ = [
    "EVENTS",
    "AskEnd",
    "Event",
    "Persistence",
    "PersistenceColumns",
    "ProbeColumns",
    "WindowVariant",
    "persistence_columns",
    "persistence_of",
    "persistence_verdicts",
    "tracker_persistence",
]


class WindowVariant(StrEnum):
    """Where the answer window applies."""

    STRICT = "strict"
    """To initial answers and to probes: a late probe is a failed probe."""
    INITIAL_WINDOW = "initial_window"
    """To initial answers only."""
    NO_WINDOW = "no_window"
    """Nowhere."""


class Event(StrEnum):
    """How the observation of one question ended."""

    NEVER_CORRECT = "never_correct"
    FAILED = "failed"
    CENSORED = "censored"


EVENTS: tuple[Event, ...] = tuple(Event)
"""Event of each code."""

_NEVER, _FAILED, _CENSORED = (np.uint8(EVENTS.index(event)) for event in Event)
_NO_CAUSE = -1
_PROBE_ENDINGS = {
    Outcome.NOT_ASKED: Outcome.CENSORED_NOT_PROBED,
    Outcome.INFRASTRUCTURE_ERROR: Outcome.CENSORED_INFRASTRUCTURE,
    Outcome.CENSORED_STREAM_END: Outcome.CENSORED_STREAM_END,
    Outcome.CENSORED_INFRASTRUCTURE: Outcome.CENSORED_INFRASTRUCTURE,
    Outcome.CENSORED_NOT_PROBED: Outcome.CENSORED_NOT_PROBED,
    Outcome.CENSORED_CAP: Outcome.CENSORED_CAP,
}
_CAUSE_OF = np.full(len(OUTCOMES), _NO_CAUSE, np.int16)
for _outcome, _cause in _PROBE_ENDINGS.items():
    _CAUSE_OF[CODE_OF[_outcome]] = CODE_OF[_cause]


@dataclass(frozen=True, slots=True)
class AskEnd:
    """How one ask or probe ended: its outcome by the reading, and its latency."""

    outcome: Outcome
    latency_us: int = NOT_MEASURED


@dataclass(frozen=True, slots=True)
class Persistence:
    """How long one question was remembered.

    Args:
        event: How the observation ended.
        persistence_us: From t* to the first failed probe, or, if censored, to the last
            passed one; 0 if never correct or never probed.
        probes_asked: Probes that brought a reply, up to the first failure.
        censored_by: One of the `censored_*` outcomes, or None.
    """

    event: Event
    persistence_us: int
    probes_asked: int
    censored_by: Outcome | None


@dataclass(frozen=True, slots=True, eq=False)
class ProbeColumns:
    """One row per probe, in any order; duplicates keep the earliest row.

    Args:
        ask_row: Row of the probed question in the ask columns, shape (m,).
        probe_round: From 1, shape (m,).
        ends: Outcomes by the reading, and latencies. A `censored_*` outcome says why this
            probe and later ones were not put.
    """

    ask_row: npt.NDArray[np.intp]
    probe_round: npt.NDArray[np.int64]
    ends: AskColumns

    def __post_init__(self) -> None:
        if not len(self.ask_row) == len(self.probe_round) == len(self.ends):
            raise ValueError("probe columns differ in length")


@dataclass(frozen=True, slots=True, eq=False)
class PersistenceColumns:
    """`Persistence`, one row per question.

    Args:
        initial_outcome: Codes of the initial asks' outcomes, timed as the variant says.
        event: Places in `EVENTS`.
        persistence_us: See `Persistence`.
        probes_asked: See `Persistence`.
        censored_by: Codes of the `censored_*` outcomes; -1 where not censored.
    """

    initial_outcome: npt.NDArray[np.uint8]
    event: npt.NDArray[np.uint8]
    persistence_us: npt.NDArray[np.int64]
    probes_asked: npt.NDArray[np.int64]
    censored_by: npt.NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.event)

    def row(self, place: int) -> Persistence:
        """Return one question's persistence."""
        cause = int(self.censored_by[place])
        return Persistence(
            EVENTS[self.event[place]],
            int(self.persistence_us[place]),
            int(self.probes_asked[place]),
            None if cause == _NO_CAUSE else OUTCOMES[cause],
        )


def persistence_of(
    initial: AskEnd, probes: Sequence[AskEnd], policy: StreamingPolicy, variant: WindowVariant
) -> Persistence:
    """Return how long one question was remembered; `probes` are rounds 1, 2, … in order."""
    asks = _ask_columns([initial])
    rounds = np.arange(1, len(probes) + 1)
    columns = ProbeColumns(np.zeros(len(probes), np.intp), rounds, _ask_columns(probes))
    return persistence_columns(asks, columns, policy, variant).row(0)


def persistence_columns(
    asks: AskColumns, probes: ProbeColumns, policy: StreamingPolicy, variant: WindowVariant
) -> PersistenceColumns:
    """Return how long each question was remembered.

    A question counts as remembered while its probes are answered correctly, one after
    the other from round 1; the first that is not (late ones included under `strict`) ends
    it at its own time. Passes after a failure do not count. If no probe failed, the
    question is censored at its last passed probe: by the cap after the policy's last round,
    else by what the next probe's row says, else because nobody asked (`not_probed`).
    """
    initial = asks if variant is WindowVariant.NO_WINDOW else timed_asks(asks, policy.window_us)
    ends = probes.ends
    if variant is WindowVariant.STRICT:
        ends = timed_asks(ends, policy.window_us)
    grid = _probe_grid(len(asks), probes, ends.outcome, policy.probes)
    passed = grid == CODE_OF[Outcome.CORRECT]
    leading = np.logical_and.accumulate(passed, axis=1).sum(axis=1)
    # The column past the last round reads as the cap, so that every row has an end.
    next_end = grid[np.arange(len(asks)), leading]
    cause = _CAUSE_OF[next_end]
    is_correct = initial.outcome == CODE_OF[Outcome.CORRECT]
    has_failed = is_correct & (cause == _NO_CAUSE)
    rounds = np.where(is_correct, leading + has_failed, 0)
    event = np.where(is_correct, np.where(has_failed, _FAILED, _CENSORED), _NEVER)
    return PersistenceColumns(
        initial.outcome,
        event.astype(np.uint8),
        rounds * policy.probe_step_us,
        rounds,
        np.where(is_correct & ~has_failed, cause, _NO_CAUSE).astype(np.int16),
    )


def persistence_verdicts(held: PersistenceColumns) -> VerdictColumns:
    """Return MPT verdicts, in seconds: the mean of a group's rows is its MPT.

    A censored question carries its `censored_*` outcome; any other keeps the outcome of
    its initial ask, and scores 0 unless that is `correct`.
    """
    is_censored = held.censored_by != _NO_CAUSE
    outcome = np.where(is_censored, held.censored_by, held.initial_outcome).astype(np.uint8)
    return VerdictColumns(held.persistence_us / SECOND_US, outcome)


def tracker_persistence(flags: Sequence[bool], policy: StreamingPolicy) -> Persistence:
    """Return the persistence that a tracker of the released code alone tells.

    The tracker's flags begin with the initial answer. It serves only where the records of
    the probes themselves are absent: each leading true flag is worth one probe step, at
    most the policy's rounds, as the released code counts; a question without a false
    flag is censored: the released runner stops early only where the stream ends. With
    records, use `persistence_columns`.
    """
    leading = next((place for place, flag in enumerate(flags) if not flag), len(flags))
    if not leading:
        return Persistence(Event.NEVER_CORRECT, 0, 0, None)
    held_us = min(leading, policy.probes) * policy.probe_step_us
    if leading < len(flags):
        return Persistence(Event.FAILED, held_us, leading, None)
    cause = Outcome.CENSORED_CAP if leading >= policy.probes else Outcome.CENSORED_STREAM_END
    return Persistence(Event.CENSORED, held_us, leading - 1, cause)


def _ask_columns(ends: Sequence[AskEnd]) -> AskColumns:
    return AskColumns(
        np.array([CODE_OF[end.outcome] for end in ends], np.uint8),
        np.array([end.latency_us for end in ends], np.int64),
    )


def _probe_grid(
    asked: int, probes: ProbeColumns, outcome: npt.NDArray[np.uint8], rounds: int
) -> npt.NDArray[np.uint8]:
    """Lay the probes out as (question, round), with the cap behind the last round."""
    grid = np.full((asked, rounds + 1), CODE_OF[Outcome.CENSORED_NOT_PROBED], np.uint8)
    grid[:, rounds] = CODE_OF[Outcome.CENSORED_CAP]
    within = (probes.probe_round >= 1) & (probes.probe_round <= rounds)
    # Written backwards, so that of duplicates the earliest row stays.
    row, place = probes.ask_row[within][::-1], probes.probe_round[within][::-1] - 1
    grid[row, place] = outcome[within][::-1]
    return grid

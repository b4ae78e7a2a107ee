"""What a model is shown at a time, and which questions are asked of it: windows and quotas.

TeleEgo drafts from windows of half an hour, a share of them for each of eleven
subcategories, with evidence spread over each window; Ultra-long Memory is drafted from the
whole stream, with evidence that spans ten minutes to an hour. MM-Lifelong asks for clues:
several stretches of hours, apart from each other, that are all needed.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeVar

from firsthand.core.taxonomy import QuestionType, Subcategory
from firsthand.core.time import SECOND_US, ClosedSpan
from firsthand.curation.drafts import Draft, whole_seconds
from firsthand.drafting.material import Event, Material

__all__ = [
    "CLUES",
    "Quotas",
    "Shown",
    "Slot",
    "WindowPolicy",
    "in_turn",
    "recordings_shown",
    "windows_shown",
]

Kind = TypeVar("Kind", bound=str)

_MINUTE_US = 60 * SECOND_US
_LONG = Subcategory.ULTRA_LONG_MEMORY
_SHORTER = tuple(one for one in Subcategory if one is not _LONG)
_EVERY_TYPE = (
    QuestionType.MC_SINGLE,
    QuestionType.BINARY,
    QuestionType.MC_SINGLE,
    QuestionType.MC_MULTI,
    QuestionType.OPEN_ENDED,
)


@dataclass(frozen=True, slots=True)
class WindowPolicy:
    """How a stream is divided for drafting.

    Args:
        window_us: Length of a window; the last one may be shorter.
        questions: How many questions are asked for in a window.
        long_questions: How many are asked for of the whole stream.
        least_span_us: Least time from the first to the last evidence of a long question;
            a shorter stream is not asked for any.
        most_span_us: Most of it.
        subcategories: Subcategories in the order in which slots are given them, in windows;
            one that stands twice is asked for twice as often.
        types: Types of questions, likewise.
        least_clues: Fewest stretches of evidence, apart from each other, that a question
            of a window may rest on.
    """

    window_us: int = 30 * _MINUTE_US
    questions: int = 6
    long_questions: int = 3
    least_span_us: int = 10 * _MINUTE_US
    most_span_us: int = 60 * _MINUTE_US
    subcategories: tuple[Subcategory, ...] = _SHORTER
    types: tuple[QuestionType, ...] = _EVERY_TYPE
    least_clues: int = 1


CLUES = WindowPolicy(
    window_us=240 * _MINUTE_US,
    questions=8,
    long_questions=0,
    subcategories=(
        Subcategory.LONG_TERM_MEMORY,
        Subcategory.TEMPORAL_COMPARISON,
        Subcategory.ENTITY_TRACKING,
        Subcategory.TEMPORAL_CHAIN,
        Subcategory.MULTI_STEP_REASONING,
        Subcategory.CROSS_ENTITY_RELATION,
        Subcategory.CROSS_TEMPORAL_CAUSALITY,
    ),
    types=(QuestionType.OPEN_ENDED,),
    least_clues=2,
)
"""Questions in MM-Lifelong's manner: open ones, in kinds that need several places."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One question that is asked for.

    Args:
        subcategory: What it tests.
        question_type: How it is to be answered.
        stretch: Where a part of its evidence must lie.
    """

    subcategory: Subcategory
    question_type: QuestionType
    stretch: ClosedSpan


@dataclass(frozen=True, slots=True)
class Shown:
    """What a model is shown in one call.

    Args:
        span: The stretch of the stream, at whole seconds.
        events: What a narrator saw in it, in order of time.
        slots: The questions asked for; empty to leave them to the model.
        least_span_us: Least time from first to last evidence; None for no bound.
        most_span_us: Most of it.
        least_clues: Fewest stretches of evidence that lie apart from each other.
    """

    span: ClosedSpan
    events: tuple[Event, ...]
    slots: tuple[Slot, ...] = ()
    least_span_us: int | None = None
    most_span_us: int | None = None
    least_clues: int = 1


@dataclass(slots=True)
class Quotas:
    """The slots of a call that are still free.

    Args:
        shown: What was asked for.
    """

    shown: Shown
    _free: list[Slot] = field(init=False)

    def __post_init__(self) -> None:
        self._free = list(self.shown.slots)

    def refusal(self, draft: Draft) -> str | None:
        """Take the slot that a draft fills, or return why there is none for it.

        Reasons: `over_quota` (nobody asked for one more of its subcategory and type),
        `outside_its_stretch`, `evidence_too_close`, `evidence_too_far`, `too_few_clues`.
        """
        if reason := self._unfit_evidence(draft.evidence):
            return reason
        if not self.shown.slots:
            return None
        alike = [
            slot
            for slot in self._free
            if (slot.subcategory, slot.question_type) == (draft.subcategory, draft.question_type)
        ]
        if not alike:
            return "over_quota"
        fitting = [slot for slot in alike if _touches(slot.stretch, draft.evidence)]
        if not fitting:
            return "outside_its_stretch"
        self._free.remove(fitting[0])
        return None

    def _unfit_evidence(self, evidence: Sequence[ClosedSpan]) -> str | None:
        span_us = max(part.end_us for part in evidence) - evidence[0].begin_us
        if self.shown.least_span_us is not None and span_us < self.shown.least_span_us:
            return "evidence_too_close"
        if self.shown.most_span_us is not None and span_us > self.shown.most_span_us:
            return "evidence_too_far"
        return "too_few_clues" if _apart(evidence) < self.shown.least_clues else None


def recordings_shown(material: Material) -> list[Shown]:
    """Return one stretch for each recording that was narrated, its questions left open."""
    grouped = groupby(material.events, key=lambda event: event.recording_id)
    return [Shown(_around(events), events) for events in (tuple(run) for _, run in grouped)]


def windows_shown(material: Material, policy: WindowPolicy) -> list[Shown]:
    """Return the windows of a stream in order, then the whole stream if it is long enough.

    The slots of all windows together take the subcategories and the types in turn, so that
    each gets its share, and each pair of them as well; the slots of a window are spread
    over it.
    """
    shown: list[Shown] = []
    asked = 0
    for begin_us in range(0, material.recorded_us, policy.window_us):
        span = whole_seconds(
            ClosedSpan(begin_us, min(begin_us + policy.window_us, material.recorded_us))
        )
        events = _inside(material.events, span)
        if not events:
            continue
        kinds = [_pair(policy, number) for number in range(asked, asked + policy.questions)]
        asked += policy.questions
        slots = _slots(kinds, span)
        shown.append(Shown(span, events, slots, least_clues=policy.least_clues))
    is_long = policy.long_questions and material.recorded_us >= policy.least_span_us
    if material.events and is_long:
        whole = whole_seconds(ClosedSpan(0, material.recorded_us))
        types = [policy.types[n % len(policy.types)] for n in range(policy.long_questions)]
        slots = tuple(Slot(_LONG, kind, whole) for kind in types)
        bounds = (policy.least_span_us, policy.most_span_us)
        shown.append(Shown(whole, material.events, slots, *bounds))
    return shown


def in_turn(shares: Mapping[Kind, int]) -> tuple[Kind, ...]:
    """Return each name as often as its share says, its places spread evenly.

    The next one is always that which is furthest behind its share; of equal ones, the first.

    Args:
        shares: Whole numbers above zero, by name; only their ratios matter.
    """
    divisor = math.gcd(*shares.values())
    parts = {name: share // divisor for name, share in shares.items()}
    behind = dict.fromkeys(parts, 0)
    order: list[Kind] = []
    for _ in range(sum(parts.values())):
        for name, part in parts.items():
            behind[name] += part
        chosen = max(behind, key=behind.__getitem__)
        behind[chosen] -= sum(parts.values())
        order.append(chosen)
    return tuple(order)


def _pair(policy: WindowPolicy, number: int) -> tuple[Subcategory, QuestionType]:
    """Return what a slot asks for; slots are counted over all windows of a stream."""
    subcategories, types = policy.subcategories, policy.types
    # Two turns whose lengths share a divisor would only ever meet in some of their pairs:
    # after each common round the second one is moved on by one.
    rounds = number // math.lcm(len(subcategories), len(types))
    return subcategories[number % len(subcategories)], types[(number + rounds) % len(types)]


def _slots(kinds: Sequence[tuple[Subcategory, QuestionType]], span: ClosedSpan) -> tuple[Slot, ...]:
    length_us = span.end_us - span.begin_us
    borders = [
        (span.begin_us + length_us * number // len(kinds)) // SECOND_US * SECOND_US
        for number in range(len(kinds))
    ]
    ends = [*borders[1:], span.end_us]
    return tuple(
        Slot(subcategory, kind, ClosedSpan(begin_us, end_us))
        for (subcategory, kind), begin_us, end_us in zip(kinds, borders, ends, strict=True)
    )


def _inside(events: Iterable[Event], span: ClosedSpan) -> tuple[Event, ...]:
    # An event on the border of two windows is shown in the later one.
    return tuple(e for e in events if span.begin_us <= e.exact.begin_us < span.end_us)


def _touches(stretch: ClosedSpan, evidence: Iterable[ClosedSpan]) -> bool:
    return any(
        part.begin_us <= stretch.end_us and stretch.begin_us <= part.end_us for part in evidence
    )


def _apart(evidence: Iterable[ClosedSpan]) -> int:
    """Return how many stretches are left when those that touch are taken together."""
    number, end_us = 0, -1
    for part in sorted(evidence):
        number += part.begin_us > end_us
        end_us = max(end_us, part.end_us)
    return number


def _around(events: tuple[Event, ...]) -> ClosedSpan:
    return whole_seconds(
        ClosedSpan(events[0].exact.begin_us, max(event.exact.end_us for event in events))
    )

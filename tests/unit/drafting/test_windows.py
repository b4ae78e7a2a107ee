"""Windows and quotas: every subcategory in turn, evidence spread, long questions long."""

from collections import Counter
from itertools import pairwise

import pytest

from firsthand.core.taxonomy import Modality, QuestionType, Subcategory
from firsthand.core.time import SECOND_US, ClosedSpan
from firsthand.curation.drafts import Draft
from firsthand.drafting.material import Event, Material
from firsthand.drafting.windows import (
    CLUES,
    Quotas,
    Shown,
    Slot,
    WindowPolicy,
    in_turn,
    recordings_shown,
    windows_shown,
)
from tests.unit.drafting.stream import material

MINUTE_US = 60 * SECOND_US


def long_stream(minutes: int) -> Material:
    """A stream with one event a minute."""
    events = tuple(
        Event(
            f"r{minute // 20}",
            1,
            ClosedSpan(minute * MINUTE_US, minute * MINUTE_US + 5 * SECOND_US),
            "The wearer waits.",
            None,
            None,
        )
        for minute in range(minutes)
    )
    return Material("p", "s", minutes * MINUTE_US, events, ())


def draft(*spans_s: tuple[int, int], subcategory: Subcategory, kind: QuestionType) -> Draft:
    evidence = tuple(ClosedSpan(a * SECOND_US, b * SECOND_US) for a, b in spans_s)
    return Draft(
        "d", "p", "s", kind, subcategory, "?", (), ("x",), evidence, (Modality.VIDEO,), None, "m"
    )


def test_a_stream_is_cut_into_half_hours_and_shown_whole_for_long_memory() -> None:
    shown = windows_shown(long_stream(100), WindowPolicy())
    spans = [(one.span.begin_us // MINUTE_US, one.span.end_us // MINUTE_US) for one in shown]
    assert spans == [(0, 30), (30, 60), (60, 90), (90, 100), (0, 100)]
    assert [len(one.events) for one in shown] == [30, 30, 30, 10, 100]
    assert {slot.subcategory for slot in shown[-1].slots} == {Subcategory.ULTRA_LONG_MEMORY}


def test_eleven_subcategories_are_asked_for_equally_and_never_the_twelfth() -> None:
    shown = windows_shown(long_stream(330), WindowPolicy(questions=5))[:-1]
    asked = Counter(slot.subcategory for one in shown for slot in one.slots)
    # 11 windows of 5 questions: five of each of eleven.
    assert set(asked.values()) == {5}
    assert len(asked) == 11
    assert Subcategory.ULTRA_LONG_MEMORY not in asked


def test_types_are_asked_for_in_their_shares() -> None:
    policy = WindowPolicy(questions=4, types=(QuestionType.MC_SINGLE,) * 3 + (QuestionType.BINARY,))
    shown = windows_shown(long_stream(120), policy)[:-1]
    asked = Counter(slot.question_type for one in shown for slot in one.slots)
    assert asked == {QuestionType.MC_SINGLE: 12, QuestionType.BINARY: 4}


def test_the_slots_of_a_window_are_spread_over_it_without_a_gap() -> None:
    (shown, _) = windows_shown(long_stream(30), WindowPolicy(questions=7))
    stretches = [slot.stretch for slot in shown.slots]
    assert stretches[0].begin_us == 0
    assert stretches[-1].end_us == shown.span.end_us
    for before, after in pairwise(stretches):
        assert before.end_us == after.begin_us
        assert before.begin_us % SECOND_US == 0


def test_a_short_stream_is_asked_for_nothing_long_and_an_empty_window_for_nothing() -> None:
    assert len(windows_shown(long_stream(9), WindowPolicy())) == 1
    sparse = long_stream(90)
    events = tuple(event for event in sparse.events if event.exact.begin_us < 20 * MINUTE_US)
    rest = Material("p", "s", sparse.recorded_us, events, ())
    assert len(windows_shown(rest, WindowPolicy())) == 2


def test_recordings_are_shown_one_by_one_with_their_questions_open() -> None:
    shown = recordings_shown(material())
    assert [len(one.events) for one in shown] == [4, 4, 3, 3]
    assert all(one.slots == () for one in shown)


MEMORY, MC = Subcategory.SHORT_TERM_MEMORY, QuestionType.MC_SINGLE
STRETCH = ClosedSpan(0, 10 * SECOND_US)
ASKED = Shown(ClosedSpan(0, 60 * SECOND_US), (), (Slot(MEMORY, MC, STRETCH),))


def test_a_slot_is_filled_once() -> None:
    quotas = Quotas(ASKED)
    fitting = draft((2, 4), subcategory=MEMORY, kind=MC)
    assert quotas.refusal(fitting) is None
    assert quotas.refusal(fitting) == "over_quota"


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (draft((20, 30), subcategory=MEMORY, kind=MC), "outside_its_stretch"),
        (draft((9, 11), (20, 30), subcategory=MEMORY, kind=MC), None),
        (draft((2, 4), subcategory=Subcategory.ENTITY_TRACKING, kind=MC), "over_quota"),
        (draft((2, 4), subcategory=MEMORY, kind=QuestionType.BINARY), "over_quota"),
    ],
)
def test_what_nobody_asked_for_is_refused_by_reason(found: Draft, reason: str | None) -> None:
    assert Quotas(ASKED).refusal(found) == reason


@pytest.mark.parametrize(
    ("end_s", "reason"),
    [(599, "evidence_too_close"), (600, None), (3600, None), (3601, "evidence_too_far")],
)
def test_long_questions_span_ten_minutes_to_an_hour(end_s: int, reason: str | None) -> None:
    shown = windows_shown(long_stream(100), WindowPolicy())[-1]
    long_one = draft((0, 5), (end_s - 1, end_s), subcategory=Subcategory.ULTRA_LONG_MEMORY, kind=MC)
    assert Quotas(shown).refusal(long_one) == reason


def test_shares_are_kept_exactly_and_spread_evenly() -> None:
    # Smooth weighted round-robin, as published for load balancing: 5, 1, 1 gives aabacaa.
    assert "".join(in_turn({"a": 5, "b": 1, "c": 1})) == "aabacaa"
    assert in_turn({"a": 4, "b": 2}) == ("a", "b", "a")


def test_every_subcategory_meets_every_type_whatever_their_numbers() -> None:
    subcategories = (Subcategory.INTENT_INFERENCE, Subcategory.ENTITY_TRACKING)
    types = (MC, QuestionType.BINARY, MC, QuestionType.OPEN_ENDED)
    policy = WindowPolicy(questions=8, long_questions=0, subcategories=subcategories, types=types)
    (shown,) = windows_shown(long_stream(30), policy)
    asked = Counter((slot.subcategory, slot.question_type) for slot in shown.slots)
    assert set(asked.values()) == {1, 2}
    assert all(
        asked[one, kind] == types.count(kind) for one in subcategories for kind in set(types)
    )


def test_no_long_questions_are_asked_for_where_their_number_is_none() -> None:
    shown = windows_shown(long_stream(100), WindowPolicy(long_questions=0))
    assert len(shown) == 4


def test_clue_questions_are_open_and_rest_on_stretches_that_lie_apart() -> None:
    (shown,) = windows_shown(long_stream(100), CLUES)
    assert {slot.question_type for slot in shown.slots} == {QuestionType.OPEN_ENDED}
    first = shown.slots[0]
    wanted, kind = first.subcategory, first.question_type
    touching = draft((0, 5), (4, 9), (9, 12), subcategory=wanted, kind=kind)
    assert Quotas(shown).refusal(touching) == "too_few_clues"
    apart = draft((0, 5), (6, 9), subcategory=wanted, kind=kind)
    assert Quotas(shown).refusal(apart) is None

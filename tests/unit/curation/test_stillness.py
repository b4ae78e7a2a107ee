"""The hold of a gesture is found where it was laid, whatever the size of the hand."""

import math

import pytest

from firsthand.core.time import ClosedSpan
from firsthand.curation.deictic import DeicticPhrase
from firsthand.curation.stillness import SeenHand, pointing_hand, stillest
from firsthand.curation.stroke_proposals import Basis, stroke_proposals

FRAME_US = 66_000
WHOLE = ClosedSpan(0, 10_000_000)


def gesture(
    palm_px: float = 100.0, *, hold_us: tuple[int, int] = (1_000_000, 2_000_000)
) -> list[SeenHand]:
    """A hand that goes up by five palms in a second, holds with a tremor, and comes down."""
    begin_us, end_us = hold_us
    seen = []
    for number in range(46):
        now_us = number * FRAME_US
        away_us = max(begin_us - now_us, now_us - end_us, 0)
        y_px = 5 * palm_px * away_us / 1_000_000 + 0.01 * palm_px * math.sin(number)
        seen.append(SeenHand(now_us, 300.0, y_px, palm_px))
    return seen


@pytest.mark.parametrize("palm_px", [20.0, 100.0])
def test_the_hold_is_the_still_stretch_for_a_near_hand_and_a_far_one(palm_px: float) -> None:
    rest = stillest(gesture(palm_px), WHOLE)
    assert rest is not None
    # A tenth of a second of smoothing and a frame blur each end.
    assert rest.window.begin_us == pytest.approx(1_000_000, abs=170_000)
    assert rest.window.end_us == pytest.approx(2_000_000, abs=170_000)
    assert rest.stillest_us in rest.window
    assert rest.speed_palms_s < 0.6


def test_a_hand_that_never_rests_or_is_hardly_seen_has_no_hold() -> None:
    waving = [SeenHand(n * FRAME_US, 300.0 + 50 * (n % 2), 0.0, 100.0) for n in range(40)]
    assert stillest(waving, WHOLE) is None
    assert stillest(gesture()[:2], WHOLE) is None
    assert stillest([], WHOLE) is None
    assert stillest(gesture(), ClosedSpan(1_400_000, 1_450_000)) is None


def test_the_pointing_hand_is_the_one_that_moves() -> None:
    moving = gesture()
    frames = [[SeenHand(one.pts_us, 900.0, 500.0, 100.0), one] for one in moving]
    assert pointing_hand(frames) == tuple(moving)
    assert pointing_hand([]) == ()
    assert pointing_hand([[], []]) == ()


def test_a_hand_that_left_for_long_is_another_one() -> None:
    early, late = gesture()[:10], [SeenHand(8_000_000, 300.0, 0.0, 100.0)]
    assert pointing_hand([[one] for one in [*early, *late]]) == tuple(early)


THIS = DeicticPhrase("this", "object", 1_500_000, 1_700_000)
HERE = DeicticPhrase("here", "space", 4_000_000, 4_200_000)


def test_a_window_rests_on_the_hand_where_it_holds_and_else_on_the_phrase() -> None:
    first, second = stroke_proposals([THIS, HERE], 2, gesture(), 6_000_000)
    assert (first.basis, second.basis) == (Basis.HAND, Basis.PHRASE)
    assert first.stillest_us is not None
    assert first.window.begin_us == pytest.approx(1_000_000, abs=170_000)
    assert second.window == ClosedSpan(3_850_000, 4_450_000)
    assert second.stillest_us is None


def test_a_silent_gesture_is_looked_for_in_the_whole_clip() -> None:
    (found,) = stroke_proposals(None, 1, gesture(), 6_000_000)
    assert (found.phrase, found.basis) == (None, Basis.HAND)
    (lone,) = stroke_proposals(None, 1, [], 6_000_000)
    assert (lone.basis, lone.window) == (Basis.NOTHING, ClosedSpan(3_000_000, 3_000_000))


def test_words_that_do_not_fit_leave_every_window_without_length() -> None:
    proposals = stroke_proposals(None, 2, gesture(), 6_000_000)
    assert {one.basis for one in proposals} == {Basis.NOTHING}
    assert {one.window.end_us - one.window.begin_us for one in proposals} == {0}

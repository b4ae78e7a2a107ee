"""Palms are found where they were drawn, in pictures of any shape."""

import pytest

from firsthand.core.metering import metered
from firsthand.masks.palm_detection import PalmDetection
from tests.unit.masks.drawn_hand import hand, wall


@pytest.fixture(scope="module")
def detector() -> PalmDetection:
    return PalmDetection()


# A drawn hand is at the edge of what a network that learnt from photographs knows, so the
# places are such in which it is sure of it.
@pytest.mark.parametrize(
    ("x_px", "y_px", "size_wh"),
    [(420, 250, (640, 480)), (320, 240, (640, 640))],
)
def test_a_drawn_hand_is_found_at_its_palm(
    detector: PalmDetection, x_px: int, y_px: int, size_wh: tuple[int, int]
) -> None:
    (palm,) = detector.palms(hand(x_px, y_px, *size_wh))
    # The palm is a hundred pixels wide: its middle is known to within a third of that.
    assert (palm.x_px, palm.y_px) == pytest.approx((x_px, y_px), abs=33)
    assert 60 < palm.width_px < 220
    assert palm.score > 0.5


def test_a_wall_has_no_hand_and_looking_is_counted(detector: PalmDetection) -> None:
    with metered() as meter:
        assert detector.palms(wall(640, 480)) == ()
    assert meter["palm_detection"] == 1

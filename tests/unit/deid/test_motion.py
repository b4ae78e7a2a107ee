"""How the scene moved and what is new, on pictures that were moved by known amounts."""

import numpy as np
import numpy.typing as npt
import pytest

from firsthand.deid.faces import BoxPx
from firsthand.deid.motion import SMALL_WIDTH_PX, CameraMotion, Movement
from tests.unit.deid.drawn_recordings import wall

SCALE = 8
Small = npt.NDArray[np.float32]


def room() -> Small:
    wide = wall(1, 3 * SMALL_WIDTH_PX, 200)
    return np.ascontiguousarray(wide).astype(np.float32)


def view(x: int, y: int = 50) -> Small:
    return np.ascontiguousarray(room()[y : y + 90, x : x + SMALL_WIDTH_PX])


def between(first: Small, second: Small, known: tuple[BoxPx, ...] = ()) -> Movement:
    motion = CameraMotion(SMALL_WIDTH_PX * SCALE)
    assert motion.see(first) == Movement(0, 0)
    return motion.see(second, known)


@pytest.mark.parametrize(("dx", "dy"), [(0, 0), (5, 0), (-7, 3), (0, -6)])
def test_a_turn_of_the_camera_is_the_way_the_scene_moved(dx: int, dy: int) -> None:
    found = between(view(100), view(100 - dx, 50 - dy))
    assert (found.dx_px, found.dy_px) == pytest.approx((dx * SCALE, dy * SCALE), abs=0.3 * SCALE)


def test_two_pictures_of_different_rooms_have_not_moved() -> None:
    rng = np.random.default_rng(2)
    one, other = rng.uniform(0, 255, (2, 90, SMALL_WIDTH_PX, 3)).astype(np.float32)
    found = between(one, other)
    assert (found.dx_px, found.dy_px) == (0, 0)


def test_what_is_seen_is_not_written_to() -> None:
    motion, first = CameraMotion(1280), view(100)
    motion.see(first)
    motion.see(view(103))
    assert (first == view(100)).all()


@pytest.mark.parametrize("channel", [0, 1, 2])
def test_what_came_into_view_is_new_in_brightness_or_colour(channel: int) -> None:
    after = view(100)
    after[30:40, 60:72, channel] += 80
    found = between(view(100), after)
    assert found.novelty > 60
    assert found.place_px == pytest.approx((66 * SCALE, 35 * SCALE), abs=3 * SCALE)
    assert 8 * SCALE <= found.extent_px <= 20 * SCALE


def test_what_is_known_is_not_new() -> None:
    after = view(100)
    after[30:40, 60:72] += 80
    known = BoxPx(50 * SCALE, 20 * SCALE, 85 * SCALE, 50 * SCALE)
    assert between(view(100), after, (known,)).novelty < 5

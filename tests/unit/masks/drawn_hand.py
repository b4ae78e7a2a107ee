"""A raised open hand, drawn with its palm around a known point."""

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
_SKIN, _SHADE, _WALL = (205, 150, 120), (147, 108, 86), (60, 70, 80)
_FINGERS = (
    ((-42, -30), (-58, -120), 13),
    ((-16, -45), (-20, -150), 14),
    ((12, -45), (18, -142), 14),
    ((36, -32), (52, -112), 12),
    ((45, 30), (95, -25), 14),
)
_PALM = ((-52, -35), (48, -35), (50, 30), (28, 75), (-28, 75), (-52, 25))
_FINE = 4


def wall(width_px: int, height_px: int) -> Picture:
    """Return the wall alone."""
    return np.full((height_px, width_px, 3), _WALL, np.uint8)


def hand(x_px: float, y_px: float, width_px: int = 480, height_px: int = 480) -> Picture:
    """Return a hand before a wall, the middle of its palm at a point."""
    big = cv2.resize(
        wall(width_px, height_px), None, fx=_FINE, fy=_FINE, interpolation=cv2.INTER_NEAREST
    )

    def at(point: tuple[int, int]) -> tuple[int, int]:
        return round((x_px + point[0]) * _FINE), round((y_px - 15 + point[1]) * _FINE)

    for colour, more_px in ((_SHADE, 2), (_SKIN, 0)):
        cv2.line(big, at((0, 60)), at((0, 190)), colour, 2 * (28 + more_px) * _FINE)
        for root, tip, radius_px in _FINGERS:
            cv2.line(big, at(root), at(tip), colour, 2 * (radius_px + more_px) * _FINE)
        palm = np.array([at(point) for point in _PALM], np.int32)
        cv2.fillPoly(big, [palm], colour)
        cv2.polylines(big, [palm], isClosed=True, color=colour, thickness=(12 + more_px) * _FINE)
    for root, tip, radius_px in _FINGERS:
        for share in (0.35, 0.68):
            x, y = (round(a + (b - a) * share) for a, b in zip(root, tip, strict=True))
            cv2.line(big, at((x - radius_px, y)), at((x + radius_px, y)), _SHADE, 2 * _FINE)
    for down_px in (0, 20):
        cv2.ellipse(big, at((0, down_px)), (42 * _FINE, 12 * _FINE), 0, 10, 170, _SHADE, 2 * _FINE)
    soft = cv2.GaussianBlur(big, (0, 0), 1.2 * _FINE)
    return np.asarray(
        cv2.resize(soft, (width_px, height_px), interpolation=cv2.INTER_AREA), np.uint8
    )

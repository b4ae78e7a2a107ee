"""The visitor: the astronaut portrait cut out, given legs, and where its face is."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
from raster import Floats, Sprite, from_photo
from skimage import data

# Traced by eye on the 512 x 512 portrait; a cut along the hair and suit edges refines the outline.
_OUTLINE = [
    (22, 511), (20, 440), (28, 370), (45, 310), (62, 255), (88, 225), (114, 207), (112, 185),
    (125, 166), (150, 152), (184, 150), (182, 128), (165, 118), (153, 92), (155, 58), (168, 38),
    (200, 18), (238, 14), (272, 26), (293, 52), (302, 88), (292, 120), (278, 136), (262, 160),
    (262, 172), (284, 190), (302, 215), (305, 240), (325, 250), (345, 285), (360, 346),
    (395, 345), (430, 353), (462, 378), (482, 415), (494, 455), (495, 511),
]  # fmt: skip
# Tight face: forehead at the hairline to chin, ear to ear.
FACE_OUTLINE_PX = [
    (225, 74), (250, 78), (268, 92), (277, 112), (279, 130), (271, 140), (258, 165), (240, 182),
    (222, 188), (206, 181), (190, 160), (180, 138), (174, 128), (174, 118), (181, 95),
    (200, 79),
]  # fmt: skip
FACE_HEIGHT_PX = 114.0
FACE_CENTRE_PX = (226.0, 131.0)
_BAND_PX = 9
_LEGS_PX = 560


def visitor() -> Sprite:
    """Return the whole figure; the face keeps its coordinates of the portrait."""
    photo = np.ascontiguousarray(data.astronaut())
    cover = _cover(photo)
    upper = from_photo(photo, cover)
    rgba = np.pad(upper.rgba, ((0, _LEGS_PX), (0, 0), (0, 0)))
    legs = _legs(rgba.shape[:2])
    rgba = rgba + legs * (1 - rgba[..., 3:])
    return Sprite(rgba.astype(np.float32), rgba[..., 3].astype(np.float32))


def _cover(photo: npt.NDArray[np.uint8]) -> Floats:
    shape = np.zeros(photo.shape[:2], np.uint8)
    cv2.fillPoly(shape, [np.array(_OUTLINE, np.int32)], 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * _BAND_PX + 1, 2 * _BAND_PX + 1))
    inner, outer = cv2.erode(shape, kernel, borderValue=1), cv2.dilate(shape, kernel)
    labels = np.where(shape > 0, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    labels[inner > 0] = cv2.GC_FGD
    labels[outer == 0] = cv2.GC_BGD
    cv2.setRNGSeed(7)
    cv2.grabCut(
        photo, labels, (0, 0, 1, 1), np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_MASK
    )
    hard = np.isin(labels, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(hard)
    largest = 1 + int(np.argmax(stats[1:count, cv2.CC_STAT_AREA]))
    smooth = cv2.GaussianBlur((parts == largest).astype(np.float32), (0, 0), 1.6)
    return np.clip((smooth - 0.35) / 0.6, 0, 1).astype(np.float32)


def _legs(shape_hw: tuple[int, ...]) -> Floats:
    """Return trousers and boots below the portrait, so that a small figure does not float."""
    cover, tone = np.zeros(shape_hw, np.float32), np.zeros((*shape_hw, 3), np.float32)
    for centre in (165, 335):
        leg = np.array(
            [(centre - 115, 480), (centre + 105, 480), (centre + 58, 1000), (centre - 62, 1000)]
        )
        boot = np.array(
            [(centre - 66, 985), (centre + 62, 985), (centre + 80, 1068), (centre - 84, 1068)]
        )
        cv2.fillPoly(cover, [leg.astype(np.int32), boot.astype(np.int32)], 1.0)
        across = np.abs(np.arange(shape_hw[1]) - centre + 8) / 115
        shade = np.clip(1.05 - 0.5 * across**2, 0.4, 1)[None, :, None]
        mask = np.zeros(shape_hw, np.uint8)
        cv2.fillPoly(mask, [leg.astype(np.int32)], 1)
        tone = np.where(mask[..., None] > 0, np.array([0.84, 0.33, 0.2]) * shade, tone)
    tone = np.where(tone.sum(axis=2, keepdims=True) == 0, np.array([0.12, 0.12, 0.14]), tone)
    soft = cv2.GaussianBlur(cover, (0, 0), 1.5)
    return np.dstack(
        [cv2.GaussianBlur(tone.astype(np.float32), (0, 0), 2) * soft[..., None], soft]
    ).astype(np.float32)

"""The mask engine `grabcut`: an object cut out around a click by colour and edges."""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from firsthand.core.metering import count_engine_call
from firsthand.masks.engines import (
    MASK_ENGINES,
    Click,
    Mask,
    MaskWeights,
    PictureRgb,
    checked_clicks,
)
from firsthand.store.engine_identity import engine_identity

__all__ = ["GrabCut"]

_NAME = "grabcut"
_SEED = 1
_ROUNDS = 4
_FINE_ROUNDS = 2
_TRIAL_SIDE_PX = 180
_LEAST_RADIUS_SHARE = 0.05
_RADIUS_STEP = 1.2
_RADII = 12
_DESCENDING = range(_RADII - 1, -1, -1)
_AGREEMENT = 0.8
_LARGEST_FILL = 0.75
_FARTHEST_MIDDLE = 0.5
_SURE_RADIUS_PX = 3
_BAND_PX = 8
_ROOM_SHARE = 0.3
_LEAST_MARGIN_PX = 12
_RIM_PX = 2
_MODEL_NUMBERS = 65
_NO_BOX = (0, 0, 0, 0)
_SMOOTH_PX = 5
_MOST_THREADS = 4

Point = tuple[int, int]
Seeds = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class _Scene:
    """A picture with the (row, column) of its clicks, at one scale."""

    picture_rgb: PictureRgb
    positive: tuple[Point, ...]
    negative: tuple[Point, ...]

    @property
    def size_hw(self) -> tuple[int, int]:
        return self.picture_rgb.shape[0], self.picture_rgb.shape[1]


@dataclass(frozen=True, slots=True)
class _Trial:
    """A disc around the clicks and what was cut out when it seeded the object."""

    disc: Mask
    cut: Mask

    @property
    def area_px(self) -> int:
        return int(self.cut.sum())

    def agrees_with(self, other: "_Trial") -> bool:
        union = int((self.cut | other.cut).sum())
        return int((self.cut & other.cut).sum()) >= _AGREEMENT * union

    def fill(self) -> float:
        """Area of the cut as a share of its disc's."""
        return self.area_px / int(self.disc.sum())

    def is_inside(self, scene: _Scene) -> bool:
        """Whether the cut is no larger than its disc, and not too small to tell a scale."""
        return self.fill() <= 1 and self.area_px >= _least_area_px(scene)

    def may_be_chosen(self, scene: _Scene) -> bool:
        """Whether it counts, if it is steady."""
        is_shrunk = self.is_inside(scene) and self.fill() <= _LARGEST_FILL
        return is_shrunk and self.is_centred(scene)

    def is_centred(self, scene: _Scene) -> bool:
        """Whether the clicks lie around the middle of the cut."""
        middle = np.argwhere(self.cut).mean(axis=0)
        away_px = float(np.linalg.norm(middle - np.mean(scene.positive, axis=0)))
        return bool(away_px <= _FARTHEST_MIDDLE * np.sqrt(self.cut.sum()))


def _least_area_px(scene: _Scene) -> float:
    # Below half of the smallest disc the scale of the trials says nothing.
    return float(0.5 * np.pi * (_LEAST_RADIUS_SHARE * min(scene.size_hw)) ** 2)


class GrabCut:
    """Graph cuts from a click, without weights.

    How large the object is cannot be read from a click. Discs of growing size are each
    tried as the probable object on a small copy of the picture. A cut counts if it
    shrank back from its disc, so that the picture and not the disc gave its outline, if
    it lies around the click, and if the next smaller or larger disc gave nearly the
    same. The largest that counts is the object, since a click on a label means the box.

    Args:
        trial_side_px: Shorter side of that small copy. A smaller one is quicker, and may
            take another disc.
    """

    def __init__(self, trial_side_px: int = _TRIAL_SIDE_PX) -> None:
        self._trial_side_px = trial_side_px

    @property
    def identity(self) -> Mapping[str, str]:
        """Name and version; there are no weights."""
        return engine_identity(_NAME, ("opencv-python-headless",), ())

    def mask(self, picture_rgb: PictureRgb, clicks: Sequence[Click]) -> Mask:
        """Return the pixels of the object; the same input gives the same mask.

        Args:
            picture_rgb: The frame as displayed.
            clicks: One or more, at least one of them positive.

        Raises:
            ClickError: If no click is positive or one lies outside the picture.
        """
        positive, negative = checked_clicks(picture_rgb, clicks)
        count_engine_call(_NAME)
        scene = _Scene(picture_rgb, tuple(positive), tuple(negative))
        rough = _object(_small(scene, self._trial_side_px))
        return _refined(scene, _enlarged(rough, scene.size_hw))


@MASK_ENGINES.register(_NAME)
def _grabcut(_weights: MaskWeights) -> GrabCut:
    return GrabCut()


def _object(scene: _Scene) -> Mask:
    # A person waits for the mask of a click. Trials do not depend on each other, OpenCV lets
    # go of the interpreter, and its random numbers are a thread's own. The large ones go first:
    # an object that is larger than what any smaller disc can give makes those needless.
    cores = len(os.sched_getaffinity(0))
    discs = [_disc_of(scene, step) for step in range(_RADII)]
    trials: dict[int, _Trial] = {}
    with ThreadPoolExecutor(min(cores, _MOST_THREADS)) as threads:
        coming = {step: threads.submit(_trial, scene, discs[step]) for step in _DESCENDING}
        for step in _DESCENDING:
            trials[step] = coming[step].result()
            smaller = discs[step - 1] if step else None
            if smaller is not None and _is_decided(scene, trials, smaller):
                break
        for trial in coming.values():
            trial.cancel()
    return _best(scene, trials).cut


def _best(scene: _Scene, trials: Mapping[int, _Trial]) -> _Trial:
    ordered = [trials[step] for step in sorted(trials)]
    steady = [trials[step] for step in sorted(trials) if _is_steady(trials, step)]
    inside = [trial for trial in steady if trial.is_inside(scene)]
    centred = [trial for trial in inside if trial.is_centred(scene)]
    shrunk = [trial for trial in centred if trial.fill() <= _LARGEST_FILL]
    return max(shrunk or centred or inside or ordered[:1], key=lambda trial: trial.area_px)


def _is_decided(scene: _Scene, trials: Mapping[int, _Trial], smaller: Mask) -> bool:
    """Whether no smaller disc can give a larger object than those that were tried."""
    counting = {step: trial.area_px for step, trial in trials.items() if trial.may_be_chosen(scene)}
    steady_px = [area_px for step, area_px in counting.items() if _is_steady(trials, step)]
    # The last one tried may turn out steady by the next.
    last = min(trials)
    open_px = 0 if _is_steady(trials, last) else counting.get(last, 0)
    return max(steady_px, default=0) > max(open_px, _LARGEST_FILL * int(smaller.sum()))


def _is_steady(trials: Mapping[int, _Trial], step: int) -> bool:
    """Whether the next smaller or larger disc gave nearly the same."""
    return any(
        trials[step].agrees_with(trials[near]) for near in (step - 1, step + 1) if near in trials
    )


def _disc_of(scene: _Scene, step: int) -> Mask:
    radius_px = _LEAST_RADIUS_SHARE * _RADIUS_STEP**step * min(scene.size_hw)
    return _disc(scene.size_hw, scene.positive, round(radius_px))


def _trial(scene: _Scene, disc: Mask) -> _Trial:
    return _Trial(disc, _cut(scene, _seeds(scene, disc), _ROUNDS))


def _small(scene: _Scene, side_px: int) -> _Scene:
    import cv2

    height, width = scene.size_hw
    scale = min(1.0, side_px / min(height, width))
    small_hw = (max(1, round(height * scale)), max(1, round(width * scale)))
    picture_rgb = cv2.resize(
        scene.picture_rgb, small_hw[::-1], interpolation=cv2.INTER_AREA
    ).astype(np.uint8)

    def moved(points: Sequence[Point]) -> tuple[Point, ...]:
        return tuple(
            (row * small_hw[0] // height, column * small_hw[1] // width) for row, column in points
        )

    return _Scene(picture_rgb, moved(scene.positive), moved(scene.negative))


def _enlarged(mask: Mask, size_hw: tuple[int, int]) -> Mask:
    import cv2

    shares = cv2.resize(mask.astype(np.float32), size_hw[::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(shares >= 0.5)


def _refined(scene: _Scene, rough: Mask) -> Mask:
    """Cut once more at full size, free only in a band along the rough outline."""
    import cv2
    from scipy import ndimage

    seeds = _seeds(scene, rough)
    # The room around the outline is wider than the band: beyond it everything is background.
    room = _bounds(rough, _ROOM_SHARE)
    near, free = rough[room], seeds[room]
    free[ndimage.binary_erosion(near, iterations=_BAND_PX, border_value=1)] = cv2.GC_FGD
    free[~ndimage.binary_dilation(near, iterations=_BAND_PX)] = cv2.GC_BGD
    _mark_clicks(scene, seeds)
    return _cut(scene, seeds, _FINE_ROUNDS)


def _seeds(scene: _Scene, guess: Mask) -> Seeds:
    import cv2

    rows, columns = _bounds(guess, _ROOM_SHARE)
    seeds = np.full(scene.size_hw, cv2.GC_BGD, np.uint8)
    seeds[rows, columns] = np.where(guess[rows, columns], cv2.GC_PR_FGD, cv2.GC_PR_BGD)
    _close_in(seeds, rows, columns)
    _mark_clicks(scene, seeds)
    return seeds


def _mark_clicks(scene: _Scene, seeds: Seeds) -> None:
    import cv2

    if scene.negative:
        seeds[_disc(scene.size_hw, scene.negative, _SURE_RADIUS_PX)] = cv2.GC_BGD
    # Last, so that every cut holds its clicks and none is empty.
    seeds[_disc(scene.size_hw, scene.positive, _SURE_RADIUS_PX)] = cv2.GC_FGD


def _cut(scene: _Scene, seeds: Seeds, rounds: int) -> Mask:
    import cv2

    rows, columns = _bounds(seeds != cv2.GC_BGD, 0.0)
    inside = np.ascontiguousarray(seeds[rows, columns])
    if not (inside == cv2.GC_BGD).any() or not (inside == cv2.GC_PR_BGD).any():
        return np.asarray(np.isin(seeds, (cv2.GC_FGD, cv2.GC_PR_FGD)))
    window = np.ascontiguousarray(scene.picture_rgb[rows, columns])
    behind, before = np.zeros((1, _MODEL_NUMBERS)), np.zeros((1, _MODEL_NUMBERS))
    cv2.setRNGSeed(_SEED)
    cv2.grabCut(window, inside, _NO_BOX, behind, before, rounds, cv2.GC_INIT_WITH_MASK)
    clicked = [(row - rows.start, column - columns.start) for row, column in scene.positive]
    cut = np.zeros(scene.size_hw, dtype=bool)
    cut[rows, columns] = _clicked_part(np.isin(inside, (cv2.GC_FGD, cv2.GC_PR_FGD)), clicked)
    return cut


def _disc(size_hw: tuple[int, ...], centres: Sequence[Point], radius_px: int) -> Mask:
    rows, columns = np.ogrid[: size_hw[0], : size_hw[1]]
    near = [(rows - row) ** 2 + (columns - column) ** 2 <= radius_px**2 for row, column in centres]
    return np.asarray(np.logical_or.reduce(near))


def _bounds(mask: Mask, margin_share: float) -> tuple[slice, slice]:
    """Return the bounding box of a mask with a margin, cut at the picture's edges."""
    bounds = []
    for axis, size_px in ((1, mask.shape[0]), (0, mask.shape[1])):
        filled = np.flatnonzero(mask.any(axis=axis))
        first, last = int(filled[0]), int(filled[-1]) + 1
        least_px = _LEAST_MARGIN_PX if margin_share else _RIM_PX
        margin_px = max(least_px, round(margin_share * (last - first)))
        bounds.append(slice(max(0, first - margin_px), min(size_px, last + margin_px)))
    return bounds[0], bounds[1]


def _close_in(seeds: Seeds, rows: slice, columns: slice) -> None:
    """Declare the rim of the room background, except where it is the picture's own edge."""
    import cv2

    room = seeds[rows, columns]
    for at_edge, rim in (
        (rows.start == 0, np.s_[:_RIM_PX, :]),
        (rows.stop == seeds.shape[0], np.s_[-_RIM_PX:, :]),
        (columns.start == 0, np.s_[:, :_RIM_PX]),
        (columns.stop == seeds.shape[1], np.s_[:, -_RIM_PX:]),
    ):
        if not at_edge:
            room[rim] = cv2.GC_BGD


def _clicked_part(cut: Mask, positive: Sequence[Point]) -> Mask:
    """Keep the connected parts that were clicked, smooth their outline, fill their holes."""
    import cv2
    from scipy import ndimage

    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_SMOOTH_PX, _SMOOTH_PX))
    opened = cv2.morphologyEx(cut.astype(np.uint8), cv2.MORPH_OPEN, disc) > 0
    for parts in (opened, cut):
        labels, _ = ndimage.label(parts)
        clicked = {int(labels[point]) for point in positive} - {0}
        if clicked:
            filled: Mask = ndimage.binary_fill_holes(np.isin(labels, list(clicked)))
            return filled
    return cut

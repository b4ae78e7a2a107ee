"""The mask of some clicks on a frame, by the engine that the benchmark names."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from firsthand.masks import Click, GrabCut, Mask, MaskWeights, mask_engine
from firsthand.review_app.pictures import frame_rgb
from firsthand.store import Store
from firsthand.store.review_engines import MaskChoice, read_mask_choice

__all__ = ["cut_out", "first_look", "warm_up"]

_FIRST_LOOK = {"grabcut": GrabCut(trial_side_px=90)}
"""Engines that show roughly and at once what the one of that name takes a moment for."""


_TRIAL_PX = 64


def warm_up() -> None:
    """Cut something out that nobody sees, so that no person waits while engines load."""
    picture = np.zeros((_TRIAL_PX, _TRIAL_PX, 3), np.uint8)
    quarter = slice(_TRIAL_PX // 4, 3 * _TRIAL_PX // 4)
    picture[quarter, quarter] = 255
    middle = Click(_TRIAL_PX / 2, _TRIAL_PX / 2, positive=True)
    for engine in _FIRST_LOOK.values():
        engine.mask(picture, [middle])


def cut_out(store: Store, benchmark: str, path: Path, pts_us: int, clicks: Sequence[Click]) -> Mask:
    """Return the pixels that are cut out of a frame of a recording.

    Raises:
        ClickError: If no click is positive or one lies outside the picture.
        UnknownNameError: If no frame has that time.
    """
    choice = read_mask_choice(store, benchmark)
    engine = mask_engine(choice.engine, MaskWeights(**dict(choice.weights)))
    return engine.mask(frame_rgb(path, pts_us), clicks)


def first_look(choice: MaskChoice, path: Path, pts_us: int, clicks: Sequence[Click]) -> Mask | None:
    """Return roughly what will be cut out; None where the engine is as quick itself.

    Raises:
        ClickError: If no click is positive or one lies outside the picture.
        UnknownNameError: If no frame has that time.
    """
    engine = _FIRST_LOOK.get(choice.engine)
    return None if engine is None else engine.mask(frame_rgb(path, pts_us), clicks)

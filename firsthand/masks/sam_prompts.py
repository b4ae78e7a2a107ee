"""What both Segment Anything engines do alike: sizes, clicks, embeddings kept, masks chosen.

The rules are those of the published predictor, in numpy, so that the exported model needs
no torch: the longer side is scaled to the model's, the rest is padded below and right.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np
import numpy.typing as npt

from firsthand.core.identity import digest_bytes
from firsthand.masks.engines import Click, Mask, PictureRgb

__all__ = [
    "CHANNEL_MEAN",
    "CHANNEL_SPREAD",
    "Embedding",
    "EmbeddingCache",
    "Logits",
    "chosen_mask",
    "click_arrays",
    "fitted_size_hw",
    "scaled_picture",
]

CHANNEL_MEAN = (123.675, 116.28, 103.53)
CHANNEL_SPREAD = (58.395, 57.12, 57.375)
_MASK_THRESHOLD = 0.0
_KEPT = 16

Embedding = npt.NDArray[np.float32]
"""An embedded picture, 1 x channels x rows x columns."""

Logits = npt.NDArray[np.float32]
"""Masks before the threshold, count x height x width, at display size."""

Coordinates = npt.NDArray[np.float32]


@dataclass(slots=True)
class EmbeddingCache:
    """The embeddings of the latest pictures, by digest of model and picture.

    A person clicks on one frame many times, and a frame shows many objects: embedding is
    nearly all of the work, and is done once.

    Args:
        most: How many are kept; the one used longest ago goes first. One of the published
            models takes 4 MiB.
    """

    most: int = _KEPT
    _kept: OrderedDict[str, Embedding] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def get(
        self, model_sha256: str, picture_rgb: PictureRgb, embed: Callable[[], Embedding]
    ) -> Embedding:
        """Return the embedding of a picture, computed if it is not kept."""
        key = digest_bytes([f"{model_sha256} {picture_rgb.shape}".encode(), picture_rgb.tobytes()])
        with self._lock:
            if key not in self._kept:
                self._kept[key] = embed()
            self._kept.move_to_end(key)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
            return self._kept[key]


def fitted_size_hw(picture_rgb: PictureRgb, side_px: int) -> tuple[int, int]:
    """Return height and width after the longer side became `side_px`, halves rounded up."""
    height, width = picture_rgb.shape[:2]
    scale = side_px / max(height, width)
    return int(height * scale + 0.5), int(width * scale + 0.5)


def scaled_picture(picture_rgb: PictureRgb, side_px: int) -> PictureRgb:
    """Return the picture scaled so that its longer side is `side_px`."""
    from PIL import Image

    height, width = fitted_size_hw(picture_rgb, side_px)
    picture = Image.fromarray(picture_rgb).resize((width, height), Image.Resampling.BILINEAR)
    return np.asarray(picture, dtype=np.uint8)


def click_arrays(
    picture_rgb: PictureRgb, clicks: Sequence[Click], side_px: int
) -> tuple[Coordinates, Coordinates]:
    """Return the points (x, y) in the scaled picture and their labels, 1 on the object, else 0."""
    height, width = picture_rgb.shape[:2]
    new_height, new_width = fitted_size_hw(picture_rgb, side_px)
    points = [(c.x_px * new_width / width, c.y_px * new_height / height) for c in clicks]
    labels = [float(click.positive) for click in clicks]
    return np.array(points, np.float32), np.array(labels, np.float32)


def chosen_mask(logits: Logits, scores: Sequence[float], clicks: int) -> Mask:
    """Return one mask out of a decoder's.

    A decoder gives one mask that fits several clicks best, followed by three for a single
    click, which may mean a part or the whole: of those the best by the decoder's own score.
    A decoder that was exported to choose by itself gives one.

    Args:
        logits: The masks.
        scores: The decoder's estimate of each mask's overlap with the object.
        clicks: How many clicks there were.
    """
    if len(logits) == 1 or clicks > 1:
        return np.asarray(logits[0] > _MASK_THRESHOLD)
    best = 1 + int(np.argmax(scores[1:]))
    return np.asarray(logits[best] > _MASK_THRESHOLD)

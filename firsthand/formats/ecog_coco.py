"""EcoG-Bench's masks as COCO masks: crops are laid into the frame they were cut from."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from firsthand.core.errors import DataFileError
from firsthand.core.rle import encode_rle
from firsthand.formats.coco import CocoMask
from firsthand.formats.ecog import GoldClip, GoldMask
from firsthand.formats.mask_png import PngMask

__all__ = ["SizedClip", "coco_masks_of_clips", "full_frame_mask_hw"]


@dataclass(frozen=True, slots=True)
class SizedClip:
    """A clip with the display size of its picture.

    Args:
        clip: Its ground truth.
        size_wh_px: Width and height as shown.
    """

    clip: GoldClip
    size_wh_px: tuple[int, int]


def full_frame_mask_hw(mask: GoldMask, size_wh_px: tuple[int, int]) -> npt.NDArray[np.bool_]:
    """Return a mask over the whole frame.

    A picture of the frame's size is the mask; one of its box's size, the box's end
    exclusive or inclusive, is laid into the frame.

    Raises:
        DataFileError: If the picture fits neither, or the box leaves the frame.
    """
    picture = PngMask.from_base64(mask.png_base64).mask_hw()
    width, height = size_wh_px
    if picture.shape == (height, width):
        return picture
    left, top, right, bottom = (int(edge) for edge in mask.box_xyxy_px or (0, 0, 0, 0))
    rows, columns = picture.shape
    fits = columns - (right - left) in (0, 1) and rows - (bottom - top) in (0, 1)
    if not fits or min(left, top) < 0 or left + columns > width or top + rows > height:
        raise DataFileError(
            "mask",
            f"a picture of {columns}x{rows} with the box [{left}, {top}, {right}, {bottom}]",
            f"the frame's {width}x{height}, or the box's size inside the frame",
            "Check whether width and height are swapped.",
        )
    frame = np.zeros((height, width), bool)
    frame[top : top + rows, left : left + columns] = picture
    return frame


def coco_masks_of_clips(clips: Iterable[SizedClip]) -> Iterator[CocoMask]:
    """Yield the COCO mask of every referent that has a picture.

    Raises:
        DataFileError: If a mask fits its frame in no way.
    """
    for sized in clips:
        width, height = sized.size_wh_px
        for number, referent in enumerate(sized.clip.referents):
            if referent.mask is not None and referent.mask.png_base64:
                mask_hw = full_frame_mask_hw(referent.mask, sized.size_wh_px)
                yield CocoMask(
                    f"{sized.clip.clip_id}#{number}",
                    sized.clip.clip_id,
                    referent.choice.strip(),
                    (height, width),
                    encode_rle(mask_hw),
                )

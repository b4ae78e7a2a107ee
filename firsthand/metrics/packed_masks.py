"""Many masks as one column of bits, in which all points are looked up at once.

A point needs one bit of its mask. Each mask keeps the part of its picture that holds set
pixels, packed row by row; where a point falls is computed for all masks together.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["PackedMasks", "PackedPicture", "pack_picture"]

_BITS = 8


@dataclass(frozen=True, slots=True)
class PackedPicture:
    """A mask picture reduced to the rectangle that holds its set pixels.

    Args:
        crop_ltwh: Left, top, width and height of the rectangle in the picture; width and
            height are 0 where no pixel is set.
        bits: The rectangle's pixels, row after row, eight to a byte, the first highest.
    """

    crop_ltwh: tuple[int, int, int, int]
    bits: bytes


def pack_picture(mask_hw: npt.NDArray[np.bool_]) -> PackedPicture:
    """Return a mask picture packed."""
    rows, columns = np.flatnonzero(mask_hw.any(axis=1)), np.flatnonzero(mask_hw.any(axis=0))
    if not len(rows):
        return PackedPicture((0, 0, 0, 0), b"")
    top, bottom, left, right = (
        int(rows[0]),
        int(rows[-1]) + 1,
        int(columns[0]),
        int(columns[-1]) + 1,
    )
    crop = mask_hw[top:bottom, left:right]
    return PackedPicture((left, top, right - left, bottom - top), np.packbits(crop).tobytes())


@dataclass(frozen=True, slots=True, eq=False)
class PackedMasks:
    """The masks of referents, one row each; a row without a mask is all zero.

    Args:
        is_masked: Whether a mask decides; where not, the annotated point does.
        box_xyxy_px: Pixel boxes on the frame, NaN where a mask has none; (n, 4).
        size_wh: Columns and rows of the mask pictures; (n, 2).
        crop_ltwh: The rectangles that `bits` hold; (n, 4).
        starts: Byte of `bits` at which each mask begins; (n,).
        bits: All masks' bits, end to end.
    """

    is_masked: npt.NDArray[np.bool_]
    box_xyxy_px: npt.NDArray[np.float64]
    size_wh: npt.NDArray[np.int64]
    crop_ltwh: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    bits: npt.NDArray[np.uint8]

    @classmethod
    def of(
        cls,
        boxes_xyxy_px: Sequence[tuple[float, float, float, float] | None],
        sizes_wh: Sequence[tuple[int, int]],
        pictures: Sequence[PackedPicture | None],
    ) -> "PackedMasks":
        """Return the column of masks, None where a referent has no mask."""
        nowhere = (np.nan,) * 4
        held = [b"" if picture is None else picture.bits for picture in pictures]
        crops = [(0, 0, 0, 0) if picture is None else picture.crop_ltwh for picture in pictures]
        lengths = np.array([len(part) for part in held], np.int64)
        return cls(
            np.array([picture is not None for picture in pictures], np.bool_),
            np.array([box or nowhere for box in boxes_xyxy_px], np.float64).reshape(-1, 4),
            np.array(sizes_wh, np.int64).reshape(-1, 2),
            np.array(crops, np.int64).reshape(-1, 4),
            np.cumsum(lengths) - lengths,
            np.frombuffer(b"".join(held), np.uint8),
        )

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, rows: npt.NDArray[np.intp]) -> "PackedMasks":
        """Return the masks of some rows; the bits are shared."""
        return PackedMasks(
            self.is_masked[rows],
            self.box_xyxy_px[rows],
            self.size_wh[rows],
            self.crop_ltwh[rows],
            self.starts[rows],
            self.bits,
        )

    def is_set(
        self, columns: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.bool_]:
        """Whether a pixel of each mask's picture is set; outside the rectangle none is."""
        left, top, width, height = self.crop_ltwh.T
        column, row = columns - left, rows - top
        inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
        place = np.where(inside, row * width + column, 0)
        found = np.zeros(len(self), np.bool_)
        byte = self.bits[(self.starts + place // _BITS)[inside]]
        found[inside] = (byte >> (_BITS - 1 - place[inside] % _BITS)) & 1 == 1
        return found

    def hits(
        self, point_xy_px: npt.NDArray[np.float64], frame_wh_px: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.bool_]:
        """Whether positions on the frame hit their masks, as `ecog.mask_pixel` places them."""
        width, height = self.size_wh.T
        x1, y1, x2, y2 = self.box_xyxy_px.T
        is_frame = (self.size_wh == frame_wh_px).all(axis=1)
        has_box = ~np.isnan(x1)
        inclusive = (width == x2 - x1 + 1) & (height == y2 - y1 + 1)
        spans = np.column_stack([x2 - x1, y2 - y1]) + inclusive[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            cut = (point_xy_px - self.box_xyxy_px[:, :2]) * self.size_wh / spans
        place = np.where(is_frame[:, None], point_xy_px, cut)
        # NaN compares false, so that neither a missing point nor a missing box hits.
        inside = ((place >= 0) & (place < self.size_wh)).all(axis=1) & has_box & self.is_masked
        inside &= is_frame | (spans > 0).all(axis=1)
        whole = np.where(inside[:, None], place, 0).astype(np.int64)
        hits: npt.NDArray[np.bool_] = inside & self.is_set(whole[:, 0], whole[:, 1])
        return hits

    def official_hits(
        self, point_xy_px: npt.NDArray[np.float64], frame_wh_px: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.bool_]:
        """Whether whole pixels hit their masks, as the released code places them."""
        box, size = self.box_xyxy_px, self.size_wh
        is_frame = (size == frame_wh_px).all(axis=1)
        in_box = ((point_xy_px >= box[:, :2]) & (point_xy_px <= box[:, 2:])).all(axis=1)
        spans = np.maximum(box[:, 2:] - box[:, :2], 1)
        with np.errstate(invalid="ignore"):
            cut = np.minimum((point_xy_px - box[:, :2]) * size / spans, size - 1)
        place = np.where(is_frame[:, None], point_xy_px, cut)
        inside = in_box & self.is_masked
        # Beyond the frame the released look-up raises, which it takes for a miss.
        inside &= ~is_frame | ((place >= -size) & (place < size)).all(axis=1)
        whole = np.where(inside[:, None], place, 0).astype(np.int64) % np.maximum(size, 1)
        hits: npt.NDArray[np.bool_] = inside & self.is_set(whole[:, 0], whole[:, 1])
        return hits

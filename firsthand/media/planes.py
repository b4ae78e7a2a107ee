"""Pictures as encoders take them: brightness and two colour planes, 8 bits, even sizes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt
    from av.video.frame import VideoFrame
    from av.video.plane import VideoPlane

    from firsthand.media.frames import Picture

__all__ = ["Planes", "letterboxed", "plane_views", "planes_of"]

_BLACK_Y, _GREY = 16, 128
_PLAIN_FORMATS = ("yuv420p", "yuvj420p")


@dataclass(frozen=True, slots=True, eq=False)
class Planes:
    """A picture in YUV 4:2:0, display orientation; the arrays may be edited in place.

    An odd width or height is made even by repeating the last column or row at the right
    or bottom, so that coordinates stay what they were.

    Args:
        y: Brightness, rows x columns.
        u: Blue difference, half the rows and columns.
        v: Red difference, half the rows and columns.
        frame: A frame of libav in whose memory the arrays lie; None if they lie elsewhere.
    """

    y: npt.NDArray[np.uint8]
    u: npt.NDArray[np.uint8]
    v: npt.NDArray[np.uint8]
    frame: VideoFrame | None = field(default=None, kw_only=True)

    def __iter__(self) -> Iterator[npt.NDArray[np.uint8]]:
        yield from (self.y, self.u, self.v)

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height, both even."""
        return self.y.shape[1], self.y.shape[0]

    def resized(self, width_px: int, height_px: int) -> Planes:
        """Return the picture at another even size, averaging over areas."""
        import cv2

        if self.size_px == (width_px, height_px):
            return self
        halves = (width_px // 2, height_px // 2)
        sizes = ((width_px, height_px), halves, halves)
        return Planes(
            *(
                np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
                for plane, size in zip(self, sizes, strict=True)
            )
        )

    def to_frame(self) -> VideoFrame:
        """Return a frame for an encoder: a new one, or the one in which the planes lie.

        What is edited afterwards may be seen in it.
        """
        return self.frame or _new_frame(self)


def letterboxed(planes: Planes, width_px: int, height_px: int) -> Planes:
    """Return a picture fitted into an even size, never enlarged, in the middle of black bars."""
    if planes.size_px == (width_px, height_px):
        return planes
    ratio = min(1.0, width_px / planes.size_px[0], height_px / planes.size_px[1])
    fitted = planes.resized(*(max(2, 2 * round(side * ratio / 2)) for side in planes.size_px))
    left, top = ((width_px - fitted.size_px[0]) // 4 * 2, (height_px - fitted.size_px[1]) // 4 * 2)
    black = []
    for plane, (value, step) in zip(fitted, ((_BLACK_Y, 1), (_GREY, 2), (_GREY, 2)), strict=True):
        canvas = np.full((height_px // step, width_px // step), value, np.uint8)
        rows, columns = plane.shape
        canvas[top // step : top // step + rows, left // step : left // step + columns] = plane
        black.append(canvas)
    return Planes(*black)


def planes_of(picture: Picture, *, copied: bool = True) -> Planes:
    """Return a picture's planes, copied, so that edits never reach the decoder's frames.

    8-bit 4:2:0 of even size is taken as it is; everything else is converted, deeper
    pictures to 8 bits. Without `copied` the planes are for reading only, and may be the
    decoder's own.
    """
    coded = picture.coded
    turn = picture.orientation.apply
    if coded.format.name in _PLAIN_FORMATS and coded.width % 2 == coded.height % 2 == 0:
        turned = [turn(_view(plane)) for plane in coded.planes]
        return _in_frame(_new_frame(turned)) if copied else Planes(*turned)
    is_full_range = coded.format.name.startswith("yuvj")
    full = picture.converter.reformat(
        coded, format="yuvj444p" if is_full_range else "yuv444p", threads=1
    )
    y, u, v = (_evened(turn(_view(plane))) for plane in full.planes)
    return Planes(y, _halved(u), _halved(v))


def plane_views(picture: Picture) -> list[npt.NDArray[np.uint8]]:
    """Return brightness and colours in coded orientation and size, 8 bits, for reading only."""
    coded = picture.coded
    if coded.format.name not in _PLAIN_FORMATS:
        coded = picture.converter.reformat(coded, format="yuv420p", threads=1)
    return [_view(plane) for plane in coded.planes]


def _new_frame(planes: Iterable[npt.NDArray[np.uint8]]) -> VideoFrame:
    """Return a frame that holds copies of brightness and colours of an even size."""
    from av import VideoFrame

    y, u, v = planes
    frame = VideoFrame(y.shape[1], y.shape[0], "yuv420p")
    for target, plane in zip(frame.planes, (y, u, v), strict=True):
        _view(target)[...] = plane
    return frame


def _in_frame(frame: VideoFrame) -> Planes:
    y, u, v = (_view(plane) for plane in frame.planes)
    return Planes(y, u, v, frame=frame)


def _view(plane: VideoPlane) -> npt.NDArray[np.uint8]:
    # Rows are padded to `line_size`, so the width alone does not tell where one begins.
    padded = np.frombuffer(memoryview(plane), dtype=np.uint8).reshape(-1, plane.line_size)
    return padded[: plane.height, : plane.width]


def _evened(plane: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    rows, columns = plane.shape
    return np.pad(plane, ((0, rows % 2), (0, columns % 2)), mode="edge")


def _halved(plane: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    rows, columns = plane.shape
    blocks = plane.astype(np.uint16).reshape(rows // 2, 2, columns // 2, 2)
    mean: npt.NDArray[np.uint16] = (blocks.sum(axis=(1, 3), dtype=np.uint16) + 2) // 4
    return mean.astype(np.uint8)

"""Masks as PNG pictures: whole, or the one pixel that a scorer asks for.

Scoring needs one pixel of a mask. Decoding a full frame for it costs milliseconds, so an
8-bit grey picture is inflated only down to the pixel's row and unfiltered only along the
chain of rows that decide it; every other picture is decoded whole. Both give the same grey.
"""

import binascii
import io
import struct
import zlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from firsthand.core.errors import DataFileError

__all__ = ["MASK_THRESHOLD", "PngMask", "mask_png"]

MASK_THRESHOLD = 128
"""A pixel belongs to the mask where its grey value is above this."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEADER = struct.Struct(">IIBBBBB")
_CHUNK = struct.Struct(">I4s")
# Bit depth 8, colour type grey, the one compression and filter method, no interlace.
_PLAIN_GREY = (8, 0, 0, 0, 0)
_NONE, _SUB, _UP_ROWS = 0, 1, b"\x02"


@dataclass(frozen=True, slots=True)
class PngMask:
    """A mask picture, checked for whole chunks but not yet inflated.

    Args:
        width_px: Columns.
        height_px: Rows.
        png: The file's bytes.
        deflated: Its compressed rows, if they are plain 8-bit grey; None otherwise.
    """

    width_px: int
    height_px: int
    png: bytes
    deflated: bytes | None

    @classmethod
    def from_base64(cls, text: str) -> "PngMask":
        """Return the picture in a base64 text.

        Raises:
            DataFileError: If the text is no base64, or the bytes are no whole PNG.
        """
        try:
            return cls.from_bytes(binascii.a2b_base64(text))
        except (binascii.Error, ValueError) as error:
            raise _broken("text that is not base64") from error

    @classmethod
    def from_bytes(cls, png: bytes) -> "PngMask":
        """Return the picture in a file's bytes.

        Raises:
            DataFileError: If the bytes are no whole PNG.
        """
        if png[:8] != _SIGNATURE:
            raise _broken("bytes without the PNG signature")
        header, rows, position = b"", [], len(_SIGNATURE)
        while True:
            if len(png) < position + 12:
                raise _broken("a picture that is cut off")
            size, kind = _CHUNK.unpack_from(png, position)
            content = png[position + 8 : position + 8 + size]
            stated = png[position + 8 + size : position + 12 + size]
            if zlib.crc32(content, zlib.crc32(kind)).to_bytes(4) != stated:
                raise _broken("a picture with damaged bytes")
            position += 12 + size
            if kind == b"IHDR":
                header = content
            elif kind == b"IDAT":
                rows.append(content)
            elif kind == b"IEND":
                break
        if len(header) != _HEADER.size or not rows:
            raise _broken("a picture without header or rows")
        width_px, height_px, *layout = _HEADER.unpack(header)
        plain = tuple(layout) == _PLAIN_GREY
        return cls(width_px, height_px, png, b"".join(rows) if plain else None)

    def grey(self, column: int, row: int) -> int:
        """Return the grey value of one pixel, in [0, 255].

        Raises:
            DataFileError: If the pixel rows do not inflate.
            IndexError: If the pixel lies outside the picture.
        """
        if not (0 <= column < self.width_px and 0 <= row < self.height_px):
            raise IndexError(f"no pixel ({column}, {row})")
        if self.deflated is None:
            return int(self.grey_hw()[row, column])
        added, base = self._chained_grey(column, row)
        return (added + (self._decoded_grey(column, base) if base >= 0 else 0)) & 0xFF

    def contains(self, column: int, row: int) -> bool:
        """Whether a pixel belongs to the mask."""
        return self.grey(column, row) > MASK_THRESHOLD

    def grey_hw(self) -> npt.NDArray[np.uint8]:
        """Return all grey values, rows by columns; colour is weighed, alpha ignored.

        Raises:
            DataFileError: If the picture cannot be decoded.
        """
        from PIL import Image, UnidentifiedImageError

        try:
            with Image.open(io.BytesIO(self.png)) as picture:
                if picture.mode.startswith("I"):
                    return (np.asarray(picture) >> 8).astype(np.uint8)
                return np.asarray(picture.convert("L"))
        except (OSError, SyntaxError, UnidentifiedImageError, zlib.error) as error:
            raise _broken("pixel rows that do not decode") from error

    def mask_hw(self) -> npt.NDArray[np.bool_]:
        """Return the mask, rows by columns."""
        return self.grey_hw() > MASK_THRESHOLD

    def _decoded_grey(self, column: int, row: int) -> int:
        """Decode the rows down to the pixel's and no further."""
        from PIL import Image

        try:
            rows = Image.frombytes("L", (self.width_px, row + 1), self.deflated or b"", "zip", "L")
        except (OSError, ValueError) as error:
            raise _broken("pixel rows that do not decode") from error
        value = rows.getpixel((column, row))
        return int(value) if isinstance(value, int | float) else 0

    def _chained_grey(self, column: int, row: int) -> tuple[int, int]:
        """Add up the pixel along the rows that its filters refer to.

        A run of rows that are filtered by "up" adds one byte each to the row it rests on;
        that row is a plain one, or a sum of bytes from its left.

        Returns:
            The sum, and the row still to be decoded and added: -1 for none, the resting row
            where average or Paeth need every pixel before them.
        """
        stride = self.width_px + 1
        wanted = stride * (row + 1)
        try:
            rows = zlib.decompressobj().decompress(self.deflated or b"", wanted)
        except zlib.error as error:
            raise _broken("pixel rows that do not inflate") from error
        if len(rows) < wanted:
            raise _broken("fewer pixel rows than its header says")
        base = len(rows[::stride].rstrip(_UP_ROWS)) - 1
        added = sum(rows[(base + 1) * stride + 1 + column :: stride])
        if base < 0:
            return added, -1
        start = base * stride
        if rows[start] == _SUB:
            return added + sum(rows[start + 1 : start + 2 + column]), -1
        if rows[start] == _NONE:
            return added + rows[start + 1 + column], -1
        return added, base


def mask_png(mask_hw: npt.NDArray[np.bool_]) -> bytes:
    """Return a mask as an 8-bit grey PNG: 255 inside, 0 outside."""
    from PIL import Image

    target = io.BytesIO()
    Image.fromarray(mask_hw.astype(np.uint8) * 255).save(target, "PNG")
    return target.getvalue()


def _broken(found: str) -> DataFileError:
    return DataFileError("mask picture", found, "a whole PNG", "Export the mask again.")

"""One pixel of a mask, against decoders that read the whole picture."""

import base64
import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from firsthand.core.errors import DataFileError
from firsthand.formats.mask_png import PngMask

_ROWS, _COLUMNS = 9, 7


def _chunk(kind: bytes, content: bytes) -> bytes:
    checked = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checked)


def _png(grey: np.ndarray, filters: list[int]) -> bytes:
    """Write a grey picture, each row filtered as the PNG specification defines."""
    body = bytearray()
    above = np.zeros(grey.shape[1], np.int64)
    for row, kind in zip(grey.astype(np.int64), filters, strict=True):
        left = np.concatenate([[0], row[:-1]])
        corner = np.concatenate([[0], above[:-1]])
        estimate = left + above - corner
        away = np.abs(np.stack([left, above, corner]) - estimate)
        paeth = np.choose(away.argmin(axis=0), [left, above, corner])
        guess = [np.zeros_like(row), left, above, (left + above) // 2, paeth][kind]
        body += bytes([kind]) + ((row - guess) % 256).astype(np.uint8).tobytes()
        above = row
    header = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    parts = (_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(bytes(body))))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + _chunk(b"IEND", b"")


@pytest.mark.parametrize("seed", range(12))
def test_a_pixel_is_the_same_whichever_filters_its_rows_have(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grey = rng.integers(0, 256, (_ROWS, _COLUMNS)).astype(np.uint8)
    png = _png(grey, rng.integers(0, 5, _ROWS).tolist())
    assert (np.asarray(Image.open(io.BytesIO(png))) == grey).all()
    mask = PngMask.from_bytes(png)
    found = [[mask.grey(x, y) for x in range(_COLUMNS)] for y in range(_ROWS)]
    assert found == grey.tolist()


@pytest.mark.parametrize("mode", ["1", "L", "LA", "RGB", "RGBA", "P"])
def test_pictures_of_every_kind_are_read_at_the_threshold(mode: str) -> None:
    grey = np.where(np.arange(20).reshape(4, 5) % 3 == 0, 255, 0).astype(np.uint8)
    target = io.BytesIO()
    Image.fromarray(grey).convert(mode).save(target, "PNG")
    mask = PngMask.from_bytes(target.getvalue())
    assert (mask.mask_hw() == (grey > 128)).all()
    assert mask.contains(0, 0)
    assert not mask.contains(1, 0)


def test_a_grey_of_exactly_128_is_outside() -> None:
    mask = PngMask.from_bytes(_png(np.array([[128, 129]], np.uint8), [0]))
    assert [mask.contains(0, 0), mask.contains(1, 0)] == [False, True]


def test_a_picture_that_lost_its_end_or_a_byte_is_refused() -> None:
    png = _png(np.full((3, 3), 255, np.uint8), [0, 0, 0])
    damaged = bytearray(png)
    damaged[45] ^= 1
    for broken in (png[:-20], bytes(damaged), b"GIF89a", b""):
        with pytest.raises(DataFileError):
            PngMask.from_bytes(broken)
    with pytest.raises(DataFileError, match="base64"):
        PngMask.from_base64("A")


def test_base64_gives_the_same_picture() -> None:
    png = _png(np.full((2, 2), 255, np.uint8), [2, 2])
    assert PngMask.from_base64(base64.b64encode(png).decode()).contains(1, 1)

"""Run lengths against pycocotools, the reference implementation of the format."""

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pycocotools import mask as coco

from firsthand.core.rle import (
    compressed_from_counts,
    counts_from_compressed,
    counts_from_mask,
    decode_rle,
    encode_rle,
)

Mask = npt.NDArray[np.bool_]

sizes = st.tuples(st.integers(1, 40), st.integers(1, 40))
masks = sizes.flatmap(lambda size_hw: arrays(np.bool_, size_hw))


def coco_text(mask: Mask) -> str:
    return str(coco.encode(np.asfortranarray(mask.astype(np.uint8)))["counts"].decode())


@given(masks)
def test_a_mask_is_written_as_pycocotools_writes_it(mask: Mask) -> None:
    assert encode_rle(mask) == coco_text(mask)


@given(masks)
def test_a_mask_written_by_pycocotools_is_read_back(mask: Mask) -> None:
    assert (decode_rle(coco_text(mask), mask.shape) == mask).all()


@given(masks)
def test_uncompressed_counts_mean_the_same_to_pycocotools(mask: Mask) -> None:
    height, width = mask.shape
    plain = {"size": [height, width], "counts": counts_from_mask(mask)}
    assert coco.frPyObjects(plain, height, width)["counts"].decode() == coco_text(mask)


def test_large_pictures_with_long_runs_agree() -> None:
    rows, columns = np.ogrid[:1080, :1920]
    disc = (rows - 500) ** 2 + (columns - 1300) ** 2 < 300**2
    assert encode_rle(disc) == coco_text(disc)


@given(st.lists(st.integers(0, 5_000_000), min_size=1, max_size=30))
def test_counts_survive_compression(counts: list[int]) -> None:
    assert counts_from_compressed(compressed_from_counts(counts)) == counts

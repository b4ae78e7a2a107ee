"""Packed masks answer as the pictures they were packed from, under both rule sets."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from firsthand.metrics import ANSWERED
from firsthand.metrics.ecog import PointingColumns, ReferentColumns, ecog_hits, size_bands
from firsthand.metrics.ecog_official import official_ecog_hits
from firsthand.metrics.packed_masks import PackedMasks, pack_picture

FRAME = (40, 30)


@dataclass
class Picture:
    box_xyxy_px: tuple[float, float, float, float] | None
    mask_hw: npt.NDArray[np.bool_]

    @property
    def size_wh(self) -> tuple[int, int]:
        rows, columns = self.mask_hw.shape
        return columns, rows

    def is_set(self, column: int, row: int) -> bool:
        return bool(self.mask_hw[row, column])


@st.composite
def pictures(draw: st.DrawFn) -> Picture | None:
    kind = draw(st.sampled_from(["none", "frame", "exclusive", "inclusive", "scaled", "no box"]))
    if kind == "none":
        return None
    left, top = draw(st.integers(0, 20)), draw(st.integers(0, 15))
    width, height = draw(st.integers(1, 19)), draw(st.integers(1, 14))
    more = 1 if kind == "inclusive" else 0
    shape = (height + more, width + more)
    if kind == "frame":
        shape = (FRAME[1], FRAME[0])
    elif kind == "scaled":
        shape = (draw(st.integers(1, 9)), draw(st.integers(1, 9)))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    mask_hw = rng.random(shape) < draw(st.sampled_from([0.0, 0.1, 0.7]))
    box = None if kind == "no box" else (left, top, left + width, top + height)
    return Picture(box, mask_hw)


rows = st.lists(
    st.tuples(
        pictures(),
        st.one_of(st.just(np.nan), st.floats(-50, 1100), st.sampled_from([0.0, 1000.0])),
        st.floats(-50, 1100),
    ),
    min_size=1,
    max_size=8,
)


def columns(
    drawn: list[tuple[Picture | None, float, float]],
) -> tuple[ReferentColumns, PointingColumns]:
    n = len(drawn)
    truth = ReferentColumns(
        np.arange(n),
        ["A"] * n,
        np.zeros(n),
        np.full(n, 9.0),
        np.full((n, 2), 500.0),
        np.tile(np.array(FRAME, np.float64), (n, 1)),
        [picture for picture, _, _ in drawn],
    )
    points = np.array([(x, y) for _, x, y in drawn], np.float64)
    return truth, PointingColumns(["A"] * n, points, np.ones(n), np.full(n, ANSWERED))


def packed(truth: ReferentColumns, masks: list[Picture | None]) -> ReferentColumns:
    column = PackedMasks.of(
        [mask.box_xyxy_px if mask else None for mask in masks],
        [mask.size_wh if mask else (0, 0) for mask in masks],
        [pack_picture(mask.mask_hw) if mask else None for mask in masks],
    )
    return ReferentColumns(
        truth.clip_row,
        truth.choice,
        truth.begin_ms,
        truth.end_ms,
        truth.point_xy_permille,
        truth.frame_wh_px,
        column,
    )


@given(rows)
def test_packed_masks_hit_where_their_pictures_do(
    drawn: list[tuple[Picture | None, float, float]],
) -> None:
    truth, said = columns(drawn)
    column = packed(truth, [picture for picture, _, _ in drawn])
    for score in (ecog_hits, official_ecog_hits):
        assert (score(column, said).s == score(truth, said).s).all()
    assert (size_bands(column).codes == size_bands(truth).codes).all()


def test_an_empty_picture_and_no_masks_at_all_are_packed() -> None:
    empty = pack_picture(np.zeros((3, 4), bool))
    column = PackedMasks.of([(0, 0, 4, 3)], [(4, 3)], [empty])
    assert not column.hits(np.array([[1.0, 1.0]]), np.array([[4.0, 3.0]])).any()
    assert len(PackedMasks.of([], [], [])) == 0

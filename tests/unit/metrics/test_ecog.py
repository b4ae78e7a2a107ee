from dataclasses import dataclass

import numpy as np
import pytest

from firsthand.core.outcomes import Outcome
from firsthand.metrics import ANSWERED, tally
from firsthand.metrics.columns import CODE_OF
from firsthand.metrics.ecog import (
    EcogMetric,
    InstanceMask,
    PointingColumns,
    ReferentColumns,
    clip_verdicts,
    ecog_hits,
    failure_breakdown,
    referent_verdicts,
    size_bands,
    timestamp_bias_ms,
)
from firsthand.metrics.ecog_official import official_ecog_hits


@dataclass
class Grid:
    """A mask whose look-ups are counted."""

    box_xyxy_px: tuple[float, float, float, float] | None
    size_wh: tuple[int, int]
    holes: tuple[tuple[int, int], ...] = ()
    looked_up: int = 0

    def is_set(self, column: int, row: int) -> bool:
        self.looked_up += 1
        assert 0 <= column < self.size_wh[0]
        assert 0 <= row < self.size_wh[1]
        return (column, row) not in self.holes


def truth(
    masks: list[InstanceMask | None], clips: list[int] | None = None, choice: str = "A"
) -> ReferentColumns:
    n = len(masks)
    return ReferentColumns(
        np.array(clips or range(n), np.intp),
        [choice] * n,
        np.full(n, 1000.0),
        np.full(n, 2000.0),
        np.full((n, 2), 500.0),
        np.full((n, 2), 1000.0),
        masks,
    )


def said(points: list[tuple[float, float]], moment_ms: float = 1500.0) -> PointingColumns:
    n = len(points)
    return PointingColumns(
        ["A"] * n,
        np.array(points, np.float64).reshape(-1, 2),
        np.full(n, moment_ms),
        np.full(n, ANSWERED),
    )


def hit(mask: InstanceMask | None, point: tuple[float, float]) -> bool:
    return bool(ecog_hits(truth([mask]), said([point])).s[0])


def test_a_point_hits_strictly_within_a_hundred_pixels() -> None:
    assert hit(None, (599.999, 500))
    assert not hit(None, (600, 500))
    assert not ecog_hits(truth([None]), said([(540, 500)]), radius_px=40).s[0]


def test_the_end_of_a_box_is_excluded_unless_the_picture_is_one_larger() -> None:
    assert hit(Grid((100, 100, 110, 110), (10, 10)), (109.9, 109.9))
    assert not hit(Grid((100, 100, 110, 110), (10, 10)), (110, 105))
    assert hit(Grid((100, 100, 110, 110), (11, 11)), (110.5, 110.5))
    assert not hit(Grid((100, 100, 110, 110), (11, 11)), (111, 105))


def test_official_includes_the_far_edges_and_reads_the_last_pixel_there() -> None:
    mask = Grid((100, 100, 110, 110), (10, 10))
    found = official_ecog_hits(truth([mask]), said([(110, 110)]))
    assert found.s[0]


def test_official_misses_a_full_frame_mask_at_its_far_edge() -> None:
    mask = Grid((990, 990, 1000, 1000), (1000, 1000))
    assert official_ecog_hits(truth([mask]), said([(999, 999)])).s[0]
    assert not official_ecog_hits(truth([mask]), said([(1000, 995)])).s[0]


def test_a_picture_of_another_resolution_covers_its_box() -> None:
    holed = Grid((100, 100, 200, 200), (10, 10), holes=((9, 9),))
    assert not hit(holed, (195, 195))
    assert hit(holed, (185, 195))


def test_a_full_frame_is_looked_up_directly_and_needs_no_box_around_the_point() -> None:
    assert hit(Grid((0, 0, 10, 10), (1000, 1000)), (700, 700))
    assert not hit(Grid(None, (1000, 1000)), (700, 700))


def test_masks_are_looked_up_only_where_a_point_falls_on_them() -> None:
    far, asked = Grid((0, 0, 10, 10), (10, 10)), Grid((100, 100, 110, 110), (10, 10))
    ecog_hits(truth([far, asked, far]), said([(500, 500), (105, 105), (np.nan, np.nan)]))
    assert (far.looked_up, asked.looked_up) == (0, 1)


@pytest.mark.parametrize(
    ("moment_ms", "inside", "bias"),
    [(1000, True, 0), (2000, True, 0), (999.5, False, -0.5), (2000.5, False, 0.5)],
)
def test_the_stroke_window_is_closed_and_times_are_not_rounded(
    moment_ms: float, inside: bool, bias: float
) -> None:
    columns = truth([None]), said([(500, 500)], moment_ms)
    assert ecog_hits(*columns).t[0] == inside
    assert timestamp_bias_ms(*columns)[0] == bias


def test_official_cuts_times_to_whole_milliseconds() -> None:
    assert official_ecog_hits(truth([None]), said([(500, 500)], 2000.75)).t[0]


def test_a_missing_time_is_wrong_and_has_no_bias() -> None:
    columns = truth([None]), said([(500, 500)], np.nan)
    assert not ecog_hits(*columns).t[0]
    assert np.isnan(timestamp_bias_ms(*columns)[0])


def test_clip_means_and_referent_means_weigh_clips_differently() -> None:
    hits = ecog_hits(
        truth([None] * 4, clips=[0, 1, 1, 1]),
        said([(500, 500), (500, 500), (900, 900), (900, 900)]),
    )
    per_referent = tally(referent_verdicts(hits, EcogMetric.S))
    per_clip = tally(clip_verdicts(hits, EcogMetric.S))
    assert (per_referent.mean, per_referent.planned) == (0.5, 4)
    assert per_clip.mean == pytest.approx((1 + 1 / 3) / 2)
    assert tally(clip_verdicts(hits, EcogMetric.SEQ)).mean == 0.5


def test_a_reply_that_was_not_read_is_wrong_in_every_way_and_keeps_its_reason() -> None:
    refused = np.int16(CODE_OF[Outcome.REFUSED])
    read = said([(500, 500), (500, 500)])
    lost = PointingColumns(
        read.choice, read.point_xy_permille, read.moment_ms, np.array([ANSWERED, refused])
    )
    hits = ecog_hits(truth([None, None]), lost)
    for metric in EcogMetric:
        found = tally(referent_verdicts(hits, metric))
        assert (found.mean, found.outcomes[Outcome.REFUSED]) == (0.5, 1)


def test_failures_are_broken_down_into_what_where_and_when() -> None:
    hits = ecog_hits(truth([None, None]), said([(500, 500), (900, 900)], 5000.0))
    found = failure_breakdown(hits)
    assert (found["when"], found["where+when"], sum(found.values())) == (1, 1, 2)


def test_sizes_are_shares_of_the_frame() -> None:
    bands = size_bands(
        truth(
            [
                Grid((0, 0, 99, 100), (99, 100)),
                Grid((0, 0, 100, 100), (100, 100)),
                Grid((0, 0, 300, 200), (300, 200)),
                None,
            ]
        )
    )
    assert [bands.names[code] for code in bands.codes] == ["small", "medium", "large", "no_mask"]


def test_truth_and_replies_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="2 rows of replies"):
        ecog_hits(truth([None]), said([(1, 1), (2, 2)]))


def test_no_clips_have_no_score() -> None:
    hits = ecog_hits(truth([]), said([]))
    for metric in EcogMetric:
        assert tally(clip_verdicts(hits, metric)).mean is None

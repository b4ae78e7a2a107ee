"""EcoG golden clips as metric columns, for the golden tests alone."""

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from firsthand.answers import GroundingAnswer, PointedReferent
from firsthand.metrics import Grouping
from firsthand.metrics.ecog import LEVEL_OF_TEMPLATE, PointingColumns, ReferentColumns

THRESHOLD = 128


@dataclass(frozen=True)
class PngMask:
    box_xyxy_px: tuple[float, float, float, float] | None
    pixels: npt.NDArray[np.bool_]

    @property
    def size_wh(self) -> tuple[int, int]:
        rows, columns = self.pixels.shape
        return columns, rows

    def is_set(self, column: int, row: int) -> bool:
        return bool(self.pixels[row, column])


def read_mask(mask: Any) -> PngMask | None:
    if not mask or not mask.get("mask_base64"):
        return None
    picture = Image.open(io.BytesIO(base64.b64decode(mask["mask_base64"]))).convert("L")
    box = mask.get("bbox")
    return PngMask(tuple(box) if box else None, np.asarray(picture) > THRESHOLD)


def referents(clips: Sequence[Any]) -> ReferentColumns:
    rows = [
        (place, clip, truth) for place, clip in enumerate(clips) for truth in clip["gt"]["answer"]
    ]
    means_yx = [np.reshape(truth["points"], (-1, 2)).mean(axis=0) for _, _, truth in rows]
    return ReferentColumns(
        np.array([place for place, _, _ in rows], np.intp),
        [truth["choice"] for _, _, truth in rows],
        np.array([truth["stroke_begin_time"] for _, _, truth in rows], np.float64),
        np.array([truth["stroke_end_time"] for _, _, truth in rows], np.float64),
        np.array(means_yx, np.float64)[:, ::-1],
        np.array([(clip["width"], clip["height"]) for _, clip, _ in rows], np.float64),
        [read_mask(truth.get("mask")) for _, _, truth in rows],
    )


def pointings(
    clips: Sequence[Any], answers: Sequence[tuple[GroundingAnswer, np.int16]]
) -> PointingColumns:
    nothing = PointedReferent(None, None)
    rows = []
    for clip, (answer, outcome) in zip(clips, answers, strict=True):
        for place in range(len(clip["gt"]["answer"])):
            option = answer.options[place] if place < len(answer.options) else None
            said = answer.referents[place] if place < len(answer.referents) else nothing
            rows.append((option, said, outcome))
    missing = (np.nan, np.nan)
    return PointingColumns(
        [option for option, _, _ in rows],
        np.array([said.point_xy_permille or missing for _, said, _ in rows], np.float64),
        np.array(
            [np.nan if said.moment_ms is None else said.moment_ms for _, said, _ in rows],
            np.float64,
        ),
        np.array([outcome for _, _, outcome in rows], np.int16),
    )


def clip_groups(clips: Sequence[Any]) -> dict[str, Grouping]:
    return {
        "level": Grouping.of([LEVEL_OF_TEMPLATE[clip["instruction"]] for clip in clips]),
        "instruction": Grouping.of([str(clip["instruction"]) for clip in clips]),
        "lang": Grouping.of([clip["lang"] for clip in clips]),
    }


def spread(groups: dict[str, Grouping], clip_row: npt.NDArray[np.intp]) -> dict[str, Grouping]:
    """The clips' groups, row by row of their referents."""
    return {
        kind: Grouping(grouping.codes[clip_row], grouping.names)
        for kind, grouping in groups.items()
    }

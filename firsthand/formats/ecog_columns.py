"""EcoG-Bench's ground truth and replies as the columns that metrics take."""

import binascii
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from firsthand.answers.grounding import (
    CoordinateOrder,
    GroundingAnswer,
    grounding_answer,
    grounding_object,
    read_grounding_reply,
)
from firsthand.answers.official_grounding import (
    ReleasedCodeError,
    official_grounding_answer,
    official_prediction,
)
from firsthand.answers.readings import NoAnswer
from firsthand.core.errors import DataFileError
from firsthand.core.identity import Json
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.core.rle import decode_rle
from firsthand.formats.ecog import GoldClip, GoldMask, GoldReferent
from firsthand.formats.mask_png import PngMask
from firsthand.metrics.columns import ANSWERED, CODE_OF, Grouping
from firsthand.metrics.ecog import InstanceMask, PointingColumns, ReferentColumns

__all__ = [
    "PictureMask",
    "RunLengthMask",
    "clip_groups",
    "pointing_columns",
    "referent_columns",
    "run_length_mask_hw",
]

_HEADER_BASE64 = 44
_SIZE = struct.Struct(">II")
_SIZE_AT = 16
_FAILED = "FAILED_INFERENCE"
_FAULTS = ("Inference error", "Video processing failed")


Place = tuple[GoldClip, int]


class PictureMask:
    """A mask kept as its PNG, whose header alone is read until a pixel is asked for.

    Args:
        mask: The mask as its file states it.
        place: Its clip and position there, for errors.
    """

    def __init__(self, mask: GoldMask, place: Place) -> None:
        self.box_xyxy_px = mask.box_xyxy_px
        self._png_base64 = mask.png_base64
        self._place = place

    @cached_property
    def size_wh(self) -> tuple[int, int]:
        """Columns and rows of the picture."""
        try:
            head = binascii.a2b_base64(self._png_base64[:_HEADER_BASE64])
            width, height = _SIZE.unpack_from(head, _SIZE_AT)
        except (binascii.Error, struct.error) as error:
            raise self._broken("text that is no PNG in base64") from error
        return width, height

    def is_set(self, column: int, row: int) -> bool:
        """Whether a pixel belongs to the mask."""
        try:
            return PngMask.from_base64(self._png_base64).contains(column, row)
        except DataFileError as error:
            raise self._broken(error.found) from error

    def _broken(self, found: str) -> DataFileError:
        return DataFileError(
            f"{_named(self._place)}, mask.mask_base64",
            found,
            "a whole PNG",
            "Export the mask again.",
        )


class RunLengthMask:
    """A mask over the whole frame, kept as COCO run lengths until a pixel is asked for.

    Args:
        mask: The mask as its file states it.
        place: Its clip and position there, for errors.
    """

    def __init__(self, mask: GoldMask, place: Place) -> None:
        self.box_xyxy_px = mask.box_xyxy_px
        self._rle: Mapping[str, Json] = mask.rle or {}
        self._place = place

    @cached_property
    def size_wh(self) -> tuple[int, int]:
        """Columns and rows of the frame."""
        rows, columns = self._mask_hw.shape
        return columns, rows

    def is_set(self, column: int, row: int) -> bool:
        """Whether a pixel belongs to the mask."""
        return bool(self._mask_hw[row, column])

    @cached_property
    def _mask_hw(self) -> npt.NDArray[np.bool_]:
        return run_length_mask_hw(self._rle, _named(self._place))


def run_length_mask_hw(rle: Mapping[str, Json], place: str) -> npt.NDArray[np.bool_]:
    """Return the mask over a whole frame that COCO run lengths {size, counts} describe.

    Raises:
        DataFileError: If they have another form; `place` says where they stand.
        RunLengthError: If they describe no mask of their size.
    """
    match rle:
        case {"size": [int(height), int(width)], "counts": str() | list() as counts}:
            return decode_rle(counts, (height, width))
    raise DataFileError(
        f"{place}, mask.rle",
        "no size and counts",
        "COCO run lengths {size, counts}",
        "Export the mask again.",
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """One referent's reply."""

    choice: str | None
    point_xy_permille: tuple[float, float]
    moment_ms: float
    outcome: np.int16


_NOWHERE = (np.nan, np.nan)


def referent_columns(
    clips: Sequence[GoldClip], sizes_wh_px: Sequence[tuple[int, int]]
) -> ReferentColumns:
    """Return the ground truth of clips, one row per referent.

    Args:
        clips: The clips.
        sizes_wh_px: Display size of each clip's picture.
    """
    rows = [
        (number, size, referent, (clip, position))
        for number, (clip, size) in enumerate(zip(clips, sizes_wh_px, strict=True))
        for position, referent in enumerate(clip.referents)
    ]
    return ReferentColumns(
        np.array([number for number, _, _, _ in rows], np.intp),
        [referent.choice.strip() for _, _, referent, _ in rows],
        np.array([_or_nan(referent.stroke_begin_ms) for _, _, referent, _ in rows], np.float64),
        np.array([_or_nan(referent.stroke_end_ms) for _, _, referent, _ in rows], np.float64),
        np.array([_mean_xy(referent) for _, _, referent, _ in rows], np.float64).reshape(-1, 2),
        np.array([size for _, size, _, _ in rows], np.float64).reshape(-1, 2),
        [_mask(referent.mask, place) for _, _, referent, place in rows],
    )


def pointing_columns(
    clips: Sequence[GoldClip],
    replies: Sequence[Json],
    rules: RuleSet,
    *,
    order: CoordinateOrder = CoordinateOrder.XY,
) -> PointingColumns:
    """Return what replies say, row by row beside `referent_columns`.

    Args:
        clips: The clips.
        replies: For each the parsed reply or its text; None where it was never asked.
        rules: Which reader reads them.
        order: Declared order of the subject's coordinates.
    """
    read = _official_rows if rules is RuleSet.OFFICIAL else _paper_rows
    rows = [
        row
        for clip, reply in zip(clips, replies, strict=True)
        for row in read(reply, len(clip.referents), order)
    ]
    return PointingColumns(
        [row.choice for row in rows],
        np.array([row.point_xy_permille for row in rows], np.float64).reshape(-1, 2),
        np.array([row.moment_ms for row in rows], np.float64),
        np.array([row.outcome for row in rows], np.int16),
    )


def clip_groups(clips: Sequence[GoldClip]) -> dict[str, Grouping]:
    """Return grouping columns, one row per clip; an unstated language or scene is none."""
    return {
        "level": Grouping.of([clip.level for clip in clips]),
        "template": Grouping.of([clip.instruction for clip in clips]),
        "language": Grouping.of([clip.language or None for clip in clips]),
        "scene": Grouping.of([clip.scene or None for clip in clips]),
    }


def _named(place: Place) -> str:
    clip, position = place
    return f"{clip.clip_id}, referent {position}"


def _mask(mask: GoldMask | None, place: Place) -> InstanceMask | None:
    if mask is None:
        return None
    if mask.png_base64:
        return PictureMask(mask, place)
    return RunLengthMask(mask, place) if mask.rle else None


def _mean_xy(referent: GoldReferent) -> tuple[float, float]:
    points = referent.points_yx_1000
    if not points:
        return _NOWHERE
    if len(points) == 1:
        return points[0][1], points[0][0]
    y, x = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))
    return x, y


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else float(value)


def _paper_rows(reply: Json, referents: int, order: CoordinateOrder) -> list[_Row]:
    if reply is None:
        return _silent(Outcome.NOT_ASKED, referents)
    if isinstance(reply, str):
        reading = read_grounding_reply(reply, order=order)
        if isinstance(reading, NoAnswer):
            return _silent(Outcome(reading.reason), referents)
        return _said(reading, referents)
    if isinstance(reply, Mapping) and reply.get("explicit_command") == _FAILED:
        is_fault = str(reply.get("reasoning")).startswith(_FAULTS)
        outcome = Outcome.INFRASTRUCTURE_ERROR if is_fault else Outcome.UNPARSED
        return _silent(outcome, referents)
    if not isinstance(reply, Mapping | list):
        return _silent(Outcome.UNPARSED, referents)
    return _said(grounding_answer(reply, order=order), referents)


def _official_rows(reply: Json, referents: int, order: CoordinateOrder) -> list[_Row]:
    if reply is None:
        return _silent(Outcome.NOT_ASKED, referents)
    found = grounding_object(reply) if isinstance(reply, str) else reply
    try:
        answer = official_grounding_answer(official_prediction(found), referents, order=order)
    except ReleasedCodeError:
        # The released batch scores such a clip 0 and goes on.
        return _silent(Outcome.UNPARSED, referents)
    return _said(answer, referents)


def _silent(outcome: Outcome, referents: int) -> list[_Row]:
    return [_Row(None, _NOWHERE, np.nan, np.int16(CODE_OF[outcome]))] * referents


def _said(answer: GroundingAnswer, referents: int) -> list[_Row]:
    options, pointed = answer.options, answer.referents
    rows = []
    for place in range(referents):
        at = pointed[place] if place < len(pointed) else None
        rows.append(
            _Row(
                options[place] if place < len(options) else None,
                (at.point_xy_permille or _NOWHERE) if at else _NOWHERE,
                _or_nan(at.moment_ms) if at else np.nan,
                ANSWERED,
            )
        )
    return rows

"""EcoG-Bench in the store: ground truth and replies as tables that are scored directly.

They hold everything that a metric needs and nothing else: a clip's reply is read once for
each rule set, and a mask is the bits that a point is looked up in.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from firsthand.core.errors import DataFileError
from firsthand.core.outcomes import Outcome, RuleSet
from firsthand.formats.ecog import GoldClip, GoldMask
from firsthand.formats.ecog_columns import run_length_mask_hw
from firsthand.formats.ecog_rows import clip_key
from firsthand.formats.mask_png import PngMask
from firsthand.metrics.columns import ANSWERED, CODE_OF, OUTCOMES, Grouping
from firsthand.metrics.ecog import LEVEL_OF_TEMPLATE, PointingColumns, ReferentColumns
from firsthand.metrics.packed_masks import PackedMasks, PackedPicture, pack_picture
from firsthand.store.tables import POINTING_REPLIES, POINTING_TRUTH

__all__ = [
    "PARTICIPANT",
    "groups_from_table",
    "paired_tables",
    "pointing_from_table",
    "replies_table",
    "truth_from_table",
    "truth_table",
]

PARTICIPANT = "ecog"
"""Stands for all of EcoG-Bench's participants: its files name none."""

_ANSWERED = "answered"
_BOX = ("box_x1_px", "box_y1_px", "box_x2_px", "box_y2_px")
_PICTURE = ("picture_width_px", "picture_height_px")
_CROP = ("crop_left_px", "crop_top_px", "crop_width_px", "crop_height_px")
_POINT = ("point_x_permille", "point_y_permille")
_FRAME = ("frame_width_px", "frame_height_px")

Size = tuple[int, int]


def truth_table(
    clips: Sequence[GoldClip], truth: ReferentColumns, sizes_wh_px: Sequence[Size | None]
) -> pa.Table:
    """Return rows of `pointing_truth`.

    Args:
        clips: The clips.
        truth: Their columns, as `referent_columns` gives them.
        sizes_wh_px: Each clip's display size; None where its video is absent.

    Raises:
        DataFileError: If a mask is no whole picture.
    """
    golds = [referent.mask for clip in clips for referent in clip.referents]
    pictures = [
        _picture(referent.mask, f"{clip.clip_id}, referent {index}")
        for clip in clips
        for index, referent in enumerate(clip.referents)
    ]
    boxes = [gold.box_xyxy_px if gold is not None else None for gold in golds]
    places = [
        (clip_key(clip), clip.clip_id, index, clip.template, clip.language, clip.scene, size)
        for clip, size in zip(clips, sizes_wh_px, strict=True)
        for index in range(len(clip.referents))
    ]
    keys, names, indices, templates, languages, scenes, sizes = zip(*places, strict=True)
    packed = [picture or (None, (0, 0)) for picture in pictures]
    crops = [one.crop_ltwh if one else (0, 0, 0, 0) for one, _ in packed]
    rows = pa.table(
        {
            "participant_id": pa.array([PARTICIPANT] * len(keys)),
            "recording_id": pa.array(keys),
            "clip_id": pa.array(names),
            "referent_index": pa.array(indices, pa.int32()),
            "template": pa.array(templates, pa.int32()),
            "language": pa.array(languages),
            "scene": pa.array(scenes),
            "choice": pa.array(list(truth.choice)),
            "begin_ms": _numbers(truth.begin_ms),
            "end_ms": _numbers(truth.end_ms),
            **_columns(_POINT, truth.point_xy_permille),
            **_sizes(sizes),
            "masked": pa.array([picture is not None for picture in pictures]),
            **_columns(_BOX, np.array([box or (np.nan,) * 4 for box in boxes], np.float64)),
            **_whole(_PICTURE, [size for _, size in packed]),
            **_whole(_CROP, crops),
            "mask_bits": pa.array([one.bits if one else b"" for one, _ in packed], pa.binary()),
        }
    )
    return _as_declared(rows, POINTING_TRUTH.schema, POINTING_TRUTH.key)


def replies_table(
    clips: Sequence[GoldClip],
    run_id: str,
    read: Sequence[tuple[RuleSet, str, PointingColumns]],
    sizes_wh_px: Sequence[Size | None],
) -> pa.Table:
    """Return rows of `pointing_replies`.

    Args:
        clips: The clips, in the order of the columns.
        run_id: The subject.
        read: The replies as each rule set reads them, with the declared coordinate order.
        sizes_wh_px: For each referent the display size that the run recorded, or None.
    """
    places = [(clip_key(clip), index) for clip in clips for index in range(len(clip.referents))]
    parts = [
        pa.table(
            {
                "participant_id": pa.array([PARTICIPANT] * len(said)),
                "run_id": pa.array([run_id] * len(said)),
                "rule_set": pa.array([rules.value] * len(said)),
                "recording_id": pa.array([key for key, _ in places]),
                "referent_index": pa.array([index for _, index in places], pa.int32()),
                "coord_order": pa.array([order] * len(said)),
                "choice": pa.array(list(said.choice), pa.string()),
                **_columns(_POINT, said.point_xy_permille),
                "moment_ms": _numbers(said.moment_ms),
                "outcome": pa.array([_outcome(code) for code in said.reply_outcome.tolist()]),
                **_sizes(sizes_wh_px),
            }
        )
        for rules, order, said in read
    ]
    return _as_declared(pa.concat_tables(parts), POINTING_REPLIES.schema, POINTING_REPLIES.key)


def truth_from_table(truth: pa.Table, replies: pa.Table | None = None) -> ReferentColumns:
    """Return the ground truth of rows of `pointing_truth`, in their order.

    Args:
        truth: The rows.
        replies: Replies beside them; they may know display sizes that the files do not.

    Raises:
        DataFileError: If a clip's display size is known to neither.
    """
    frame_wh_px = _stack(truth, _FRAME)
    if replies is not None and np.isnan(frame_wh_px).any():
        frame_wh_px = np.where(np.isnan(frame_wh_px), _stack(replies, _FRAME), frame_wh_px)
    if np.isnan(frame_wh_px).any():
        raise DataFileError(
            "display sizes of the clips",
            "neither videos nor recorded sizes",
            "the size of every clip's picture",
            "Import the data folder with its videos.",
        )
    recordings = truth.column("recording_id").combine_chunks()
    begins = pc.not_equal(recordings[1:], recordings[:-1]).to_numpy(zero_copy_only=False)
    bits = truth.column("mask_bits").combine_chunks()
    _, places, held = bits.buffers()
    offsets = np.frombuffer(places, np.int32)[bits.offset :][: len(bits)]
    masks = PackedMasks(
        truth.column("masked").to_numpy(),
        _stack(truth, _BOX),
        _stack(truth, _PICTURE).astype(np.int64),
        _stack(truth, _CROP).astype(np.int64),
        offsets.astype(np.int64),
        np.frombuffer(held if held is not None else b"", np.uint8),
    )
    return ReferentColumns(
        np.concatenate([[0], np.cumsum(begins)]).astype(np.intp)[: truth.num_rows],
        truth.column("choice").to_pylist(),
        truth.column("begin_ms").to_numpy(),
        truth.column("end_ms").to_numpy(),
        _stack(truth, _POINT),
        frame_wh_px,
        masks,
    )


def paired_tables(truth: pa.Table, replies: pa.Table, rules: RuleSet) -> tuple[pa.Table, pa.Table]:
    """Return rows of truth and replies side by side, as a rule set knows them.

    The released code knows clips with a reply only.

    Raises:
        DataFileError: If the replies belong to other referents.
    """
    mine = replies.filter(pc.equal(replies.column("rule_set"), rules.value))
    for name in ("recording_id", "referent_index"):
        if not mine.column(name).equals(truth.column(name)):
            raise DataFileError(
                "pointing replies",
                f"{mine.num_rows} replies that do not pair with {truth.num_rows} referents",
                "one reply for each referent of the imported ground truth",
                "Import ground truth and replies again.",
            )
    if rules is RuleSet.PAPER:
        return truth, mine
    is_asked = pc.not_equal(mine.column("outcome"), str(Outcome.NOT_ASKED))
    return truth.filter(is_asked), mine.filter(is_asked)


def pointing_from_table(replies: pa.Table) -> PointingColumns:
    """Return what replies say, one rule set's rows of `pointing_replies`."""
    codes = {str(outcome): int(CODE_OF[outcome]) for outcome in OUTCOMES}
    codes[_ANSWERED] = int(ANSWERED)
    outcome = replies.column("outcome").combine_chunks().dictionary_encode()
    known = np.array([codes[name] for name in outcome.dictionary.to_pylist()], np.int16)
    return PointingColumns(
        replies.column("choice").to_pylist(),
        _stack(replies, _POINT),
        replies.column("moment_ms").to_numpy(),
        known[outcome.indices.to_numpy()] if len(known) else np.zeros(0, np.int16),
    )


def groups_from_table(
    truth: pa.Table, clip_row: npt.NDArray[np.intp]
) -> tuple[dict[str, Grouping], tuple[str, ...]]:
    """Return grouping columns as `clip_groups` gives them, and the clips' names."""
    first = pa.array(np.flatnonzero(np.diff(clip_row, prepend=-1)))
    named = ("template", "language", "scene", "clip_id")
    columns = truth.select(named).take(first)
    templates, languages, scenes, clip_ids = (columns.column(name).to_pylist() for name in named)
    groups = {
        "level": Grouping.of([LEVEL_OF_TEMPLATE[template] for template in templates]),
        "template": Grouping.of([f"指令{template}" for template in templates]),
        "language": Grouping.of([language or None for language in languages]),
        "scene": Grouping.of([scene or None for scene in scenes]),
    }
    return groups, tuple(clip_ids)


def _picture(gold: GoldMask | None, place: str) -> tuple[PackedPicture, Size] | None:
    if gold is None or not (gold.png_base64 or gold.rle):
        return None
    if gold.png_base64:
        try:
            mask_hw = PngMask.from_base64(gold.png_base64).mask_hw()
        except DataFileError as error:
            raise DataFileError(
                f"{place}, mask.mask_base64", error.found, error.expected, error.remedy
            ) from error
    else:
        mask_hw = run_length_mask_hw(gold.rle or {}, place)
    rows, columns = mask_hw.shape
    return pack_picture(mask_hw), (columns, rows)


def _outcome(code: int) -> str:
    return _ANSWERED if code == int(ANSWERED) else str(OUTCOMES[code])


def _numbers(values: npt.NDArray[np.float64]) -> pa.Array:
    return pa.array(values, pa.float64(), mask=np.isnan(values))


def _columns(names: Sequence[str], values: npt.NDArray[np.float64]) -> dict[str, pa.Array]:
    table = values.reshape(-1, len(names))
    return {name: _numbers(table[:, place]) for place, name in enumerate(names)}


def _whole(names: Sequence[str], values: Sequence[Sequence[int]]) -> dict[str, pa.Array]:
    table = np.array(values, np.int32).reshape(-1, len(names))
    return {name: pa.array(table[:, place]) for place, name in enumerate(names)}


def _sizes(sizes: Sequence[Size | None]) -> dict[str, pa.Array]:
    return {
        name: pa.array([None if size is None else size[place] for size in sizes], pa.int32())
        for place, name in enumerate(_FRAME)
    }


def _as_declared(rows: pa.Table, schema: pa.Schema, key: Sequence[str]) -> pa.Table:
    ordered = rows.sort_by([(name, "ascending") for name in key])
    return ordered.select(schema.names).cast(schema)


def _stack(table: pa.Table, names: Sequence[str]) -> npt.NDArray[np.float64]:
    columns: list[npt.NDArray[Any]] = [table.column(name).to_numpy() for name in names]
    return np.column_stack(columns).astype(np.float64)

"""The clips of a release in which somebody points: what is asked of them, and the truth."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from firsthand.core.identity import digest_json
from firsthand.core.rle import decode_rle
from firsthand.metrics.ecog import ReferentColumns
from firsthand.metrics.packed_masks import PackedMasks, pack_picture
from firsthand.protocols.grounding import ClipOption, ClipWord, closed_options
from firsthand.subjects.material import ReleaseTables

__all__ = ["PointedTruth", "PointingClip", "pointing_clips", "referent_truth"]

Row = Mapping[str, object]
_US_PER_MS = 1_000


@dataclass(frozen=True, slots=True)
class PointedTruth:
    """What an annotator says of one referent.

    Args:
        choice: Letter of the right option; empty if none of the options stands for it.
        begin_us: First moment of the stroke on the clip's clock, included; None if no
            stroke was marked.
        end_us: Last moment, included.
        click_xy_permille: Mean of the clicks on it, thousandths of the frame; None without.
        frame_wh_px: Size of the frame as shown.
        run_lengths: Its mask over the whole frame as compressed COCO runs; None without.
    """

    choice: str
    begin_us: int | None
    end_us: int | None
    click_xy_permille: tuple[float, float] | None
    frame_wh_px: tuple[int, int]
    run_lengths: str | None

    @property
    def is_whole(self) -> bool:
        """Whether it can be scored: an option, a stroke, and a mask or else a click."""
        mask_hw = self.mask_hw
        is_placed = self.click_xy_permille is not None if mask_hw is None else bool(mask_hw.any())
        return bool(self.choice) and self.begin_us is not None and is_placed

    @property
    def digest(self) -> str:
        """Digest of all of it."""
        click = None if self.click_xy_permille is None else list(self.click_xy_permille)
        size = list(self.frame_wh_px)
        return digest_json([self.choice, self.begin_us, self.end_us, click, size, self.run_lengths])

    @property
    def mask_hw(self) -> npt.NDArray[np.bool_] | None:
        """Its mask over the whole frame; not to be written to."""
        return None if self.run_lengths is None else _mask_hw(self.run_lengths, self.frame_wh_px)


@dataclass(frozen=True, slots=True)
class PointingClip:
    """A clip with referents.

    Args:
        clip_id: The clip.
        participant_id: Whose it is.
        stream_id: The stream it belongs to.
        stream_start_us: Where it starts on the stream's clock.
        start_us: Where it starts on the recording's clock.
        end_us: Where it ends there.
        proxy_sha256: Digest of its proxy.
        options: Its closed list.
        has_own_options: Whether the release holds that list for the clip; else it was drawn
            from what is meant in other clips.
        words: Words on the clip's clock; redacted ones are not among them.
        referents: K of them, in the order in which they are meant.
    """

    clip_id: str
    participant_id: str
    stream_id: str
    stream_start_us: int
    start_us: int
    end_us: int
    proxy_sha256: str
    options: tuple[ClipOption, ...]
    has_own_options: bool
    words: tuple[ClipWord, ...]
    referents: tuple[PointedTruth, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every referent can be scored."""
        return all(referent.is_whole for referent in self.referents)


def pointing_clips(release: ReleaseTables) -> tuple[PointingClip, ...]:
    """Return the clips of a release that have referents, by stream and start.

    A referent belongs to the clip of its recording in which its stroke begins; one without
    a stroke to the recording's first clip, which then is not whole.
    """
    tables = _Tables(release)
    owned = {
        str(clip["clip_id"]): mine
        for clip in tables.clips
        if (mine := [one for one in tables.referents(clip) if tables.clip_of(one) == clip])
    }
    labels = {
        clip_id: [(str(one["kind"]), str(one["label"])) for one in mine]
        for clip_id, mine in owned.items()
    }
    found = [
        tables.pointing_clip(
            clip,
            owned[clip_id],
            _drawn_choices(
                clip_id,
                labels[clip_id],
                [one for name, mine in labels.items() if name != clip_id for one in mine],
            ),
        )
        for clip in tables.clips
        if (clip_id := str(clip["clip_id"])) in owned
    ]
    return tuple(sorted(found, key=lambda clip: (clip.stream_id, clip.stream_start_us)))


@dataclass(frozen=True, slots=True)
class _Choices:
    """A closed list, and which of its letters stands for what is meant."""

    options: tuple[ClipOption, ...]
    is_own: bool
    letter_of: Callable[[Row], str]


def _drawn_choices(
    clip_id: str, own: Sequence[tuple[str, str]], others: Sequence[tuple[str, str]]
) -> _Choices:
    options = closed_options(clip_id, own, others)
    letters = {(one.letter.islower(), one.text): one.letter for one in options}

    def letter_of(referent: Row) -> str:
        return letters[referent["kind"] == "space", str(referent["label"])]

    return _Choices(options, False, letter_of)


def _set_up_choices(rows: Sequence[Row]) -> _Choices:
    """Return the list that a clip was set up with; an option knows whose positions it is."""
    ordered = sorted(rows, key=lambda row: _int(row["option_index"]))
    letters = {
        position: str(row["letter"]) for row in ordered for position in _ints(row["positions"])
    }
    return _Choices(
        tuple(ClipOption(str(row["letter"]), str(row["text"])) for row in ordered),
        True,
        lambda referent: letters.get(_int(referent["position"]), ""),
    )


def referent_truth(clips: Sequence[PointingClip]) -> ReferentColumns:
    """Return the ground truth of clips as the scorer takes it, one row per referent."""
    rows = [(number, one) for number, clip in enumerate(clips) for one in clip.referents]
    masks = [one.mask_hw for _, one in rows]
    nowhere = (np.nan, np.nan)
    return ReferentColumns(
        np.array([number for number, _ in rows], np.intp),
        [one.choice for _, one in rows],
        np.array([_ms(one.begin_us) for _, one in rows], np.float64),
        np.array([_ms(one.end_us) for _, one in rows], np.float64),
        np.array([one.click_xy_permille or nowhere for _, one in rows], np.float64).reshape(-1, 2),
        np.array([one.frame_wh_px for _, one in rows], np.float64).reshape(-1, 2),
        PackedMasks.of(
            [None if mask is None else _box_xyxy_px(mask) for mask in masks],
            [one.frame_wh_px for _, one in rows],
            [None if mask is None else pack_picture(mask) for mask in masks],
        ),
    )


class _Tables:
    """Rows of the tables that pointing needs, by recording and referent."""

    def __init__(self, release: ReleaseTables) -> None:
        self.clips: list[Row] = sorted(
            release.table("clips").to_pylist(),
            key=lambda row: (row["recording_id"], row["start_us"]),
        )
        self._referents = _grouped(release.table("referents"), "recording_id")
        self._strokes = _grouped(release.table("strokes"), "recording_id", "referent_id")
        self._clicks = _grouped(release.table("clicks"), "recording_id", "referent_id")
        self._masks = _grouped(release.table("masks"), "recording_id", "referent_id")
        self._options = _grouped(release.table("clip_options"), "recording_id")
        self._words = _grouped(release.table("words"), "recording_id")
        self._recordings = _grouped(release.table("recordings"), "recording_id")
        self._places = _grouped(release.table("timeline"), "recording_id")

    def referents(self, clip: Row) -> Sequence[Row]:
        mine = self._referents[(clip["recording_id"],)]
        return sorted(mine, key=lambda row: (_int(row["position"]), str(row["referent_id"])))

    def clip_of(self, referent: Row) -> Row:
        own: list[Row] = [
            clip for clip in self.clips if clip["recording_id"] == referent["recording_id"]
        ]
        strokes = self._strokes[(referent["recording_id"], referent["referent_id"])]
        begins_us = [_int(stroke["begin_us"]) for stroke in strokes]
        for clip in own:
            if begins_us and _int(clip["start_us"]) <= begins_us[0] < _int(clip["end_us"]):
                return clip
        return own[0]

    def pointing_clip(self, clip: Row, referents: Sequence[Row], drawn: _Choices) -> PointingClip:
        """Return a clip with its own list of options; with the drawn one if it has none."""
        own = self._options[(clip["recording_id"],)]
        choices = _set_up_choices(own) if own else drawn
        (place,) = self._places[(clip["recording_id"],)]
        start_us = _int(clip["start_us"])
        return PointingClip(
            str(clip["clip_id"]),
            str(clip["participant_id"]),
            str(clip["stream_id"]),
            _int(place["stream_start_us"]) + start_us,
            start_us,
            _int(clip["end_us"]),
            str(clip["proxy_sha256"]),
            choices.options,
            choices.is_own,
            tuple(self._heard(clip)),
            tuple(self._truth(one, start_us, choices) for one in referents),
        )

    def _heard(self, clip: Row) -> Iterator[ClipWord]:
        start_us, end_us = _int(clip["start_us"]), _int(clip["end_us"])
        rows = [row for row in self._words[(clip["recording_id"],)] if not row["redacted"]]
        for row in sorted(rows, key=lambda row: (_int(row["end_us"]), _int(row["begin_us"]))):
            begin_us, word_end_us = _int(row["begin_us"]), min(_int(row["end_us"]), end_us)
            if start_us <= begin_us < end_us:
                yield ClipWord(str(row["text"]), begin_us - start_us, word_end_us - start_us)

    def _truth(self, referent: Row, start_us: int, choices: _Choices) -> PointedTruth:
        key = (referent["recording_id"], referent["referent_id"])
        strokes, masks = self._strokes[key], self._masks[key]
        frame_wh_px = self._frame_wh_px(referent, masks)
        return PointedTruth(
            choices.letter_of(referent),
            _int(strokes[0]["begin_us"]) - start_us if strokes else None,
            _int(strokes[0]["end_us"]) - start_us if strokes else None,
            _mean_permille([row for row in self._clicks[key] if row["positive"]], frame_wh_px),
            frame_wh_px,
            str(masks[0]["rle"]) if masks else None,
        )

    def _frame_wh_px(self, referent: Row, masks: Sequence[Row]) -> tuple[int, int]:
        if masks:
            return _int(masks[0]["width_px"]), _int(masks[0]["height_px"])
        (recording,) = self._recordings[(referent["recording_id"],)]
        return _int(recording["width_px"]), _int(recording["height_px"])


@lru_cache(maxsize=32)
def _mask_hw(run_lengths: str, frame_wh_px: tuple[int, int]) -> npt.NDArray[np.bool_]:
    # Looked at once for each cell of a grid, and decoding takes milliseconds.
    width, height = frame_wh_px
    return decode_rle(run_lengths, (height, width))


def _grouped(table: pa.Table, *names: str) -> Mapping[tuple[object, ...], Sequence[Row]]:
    rows: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in table.to_pylist():
        rows[tuple(row[name] for name in names)].append(row)
    return rows


def _mean_permille(
    clicks: Sequence[Row], frame_wh_px: tuple[int, int]
) -> tuple[float, float] | None:
    if not clicks:
        return None
    width, height = frame_wh_px
    x_px, y_px = (
        sum(float(str(row[name])) for row in clicks) / len(clicks) for name in ("x_px", "y_px")
    )
    return x_px * 1000.0 / width, y_px * 1000.0 / height


def _box_xyxy_px(mask_hw: npt.NDArray[np.bool_]) -> tuple[float, float, float, float] | None:
    """Return the box of a mask, its far edges excluded; None if no pixel is set."""
    rows, columns = np.flatnonzero(mask_hw.any(axis=1)), np.flatnonzero(mask_hw.any(axis=0))
    if not len(rows):
        return None
    return float(columns[0]), float(rows[0]), float(columns[-1] + 1), float(rows[-1] + 1)


def _ms(moment_us: int | None) -> float:
    return np.nan if moment_us is None else moment_us / _US_PER_MS


def _ints(value: object) -> list[int]:
    if not isinstance(value, list):
        raise TypeError(f"a list was declared, got {type(value).__name__}")
    return [_int(one) for one in value]


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"a whole number was declared, got {type(value).__name__}")
    return value

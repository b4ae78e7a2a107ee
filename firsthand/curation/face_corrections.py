"""Corrections of covered faces: what a person says about a recording, applied without detecting.

How it is shown and told. An item of kind `face` is a moment of a recording that a person
looks at: its id is `<recording_id>/<pts_us>` (`face_item_id`), and `face_item` makes the
item to show. The frame comes from the original (private), what is covered in it from the
`tracks` table. An edit replaces one or both of two lists:

- `covered`: faces that the pipeline missed, or covered too tightly;
- `uncovered`: places where it covered something that is no face.

Each entry is a place over a span of the recording's clock, in display pixels: six numbers
`[begin_us, end_us, x0, y0, x1, y1]` (the span is half-open), or ten, where the last four are
the box at the end of the span and the place moves evenly between both. Edges are left, top,
right, bottom. `check_face_entries` says what is wrong with a list before it is submitted.

What counts. Entries speak of the recording, not of the tracks, so they outlive another
detector. To cover is safe and counts as soon as the edit is made; to uncover shows
somebody, perhaps, and counts only when the edited item was accepted. A rejected item
counts for nothing. What is covered by one item is never uncovered by another.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

from firsthand.core.errors import FirsthandError
from firsthand.core.identity import Json
from firsthand.curation.reviewing import ReviewDecision, ReviewState, accepted_items, current_item
from firsthand.curation.revisions import ReviewItem

__all__ = [
    "FACE_KIND",
    "FaceCorrection",
    "FaceCorrectionError",
    "check_face_entries",
    "corrections_of",
    "decisions_on",
    "face_item",
    "face_item_id",
]

FACE_KIND = "face"
_FIXED_PLACE = 6
_MOVING_PLACE = 10

BoxEdges = tuple[float, float, float, float]


class FaceCorrectionError(FirsthandError):
    """A correction of a face names no moment of a recording, or an entry of it is no place."""


@dataclass(frozen=True, slots=True)
class FaceCorrection:
    """A place over a span that is to be covered, or is no face.

    Args:
        covers: Whether it is to be covered; else what is covered there is no face.
        begin_us: First moment on the recording's clock.
        end_us: End of the span, exclusive.
        first_xyxy_px: The box at the begin, display pixels.
        last_xyxy_px: The box at the end.
    """

    covers: bool
    begin_us: int
    end_us: int
    first_xyxy_px: BoxEdges
    last_xyxy_px: BoxEdges

    def box_at(self, pts_us: int) -> BoxEdges | None:
        """Return the box at a moment; None outside the span."""
        if not self.begin_us <= pts_us < self.end_us:
            return None
        part = (pts_us - self.begin_us) / (self.end_us - self.begin_us)
        edges = zip(self.first_xyxy_px, self.last_xyxy_px, strict=True)
        x0, y0, x1, y1 = (first + (last - first) * part for first, last in edges)
        return x0, y0, x1, y1


def face_item_id(recording_id: str, pts_us: int) -> str:
    """Return the id of the item that is a moment of a recording."""
    return f"{recording_id}/{pts_us}"


def face_item(recording_id: str, pts_us: int) -> ReviewItem:
    """Return a moment of a recording as it stands before any edit."""
    row: dict[str, Json] = {
        "recording_id": recording_id,
        "pts_us": pts_us,
        "covered": [],
        "uncovered": [],
        "revision": 0,
    }
    return ReviewItem.of(FACE_KIND, face_item_id(recording_id, pts_us), row)


def decisions_on(recording_id: str, decisions: Iterable[ReviewDecision]) -> list[ReviewDecision]:
    """Return the decisions about faces of one recording, in order of arrival."""
    return [
        decision
        for decision in decisions
        if decision.item_kind == FACE_KIND and decision.item_id.startswith(f"{recording_id}/")
    ]


def corrections_of(
    recording_id: str, decisions: Iterable[ReviewDecision]
) -> tuple[FaceCorrection, ...]:
    """Return what decisions say of a recording's faces, in order of item.

    Args:
        recording_id: The recording; decisions about others count for nothing.
        decisions: In order of arrival.

    Raises:
        FaceCorrectionError: If an item's id names no moment, or an entry is no place.
        EditError: If an edit names a field that is not there or is fixed.
    """
    own = decisions_on(recording_id, decisions)
    found: list[FaceCorrection] = []
    for name in sorted({decision.item_id for decision in own}):
        item = face_item(recording_id, _moment_us(name))
        state = accepted_items(own, [item]).states[FACE_KIND, name]
        if state is ReviewState.REJECTED:
            continue
        present = current_item(item, [one for one in own if one.item_id == name])
        found += check_face_entries(name, present.content["covered"], covers=True)
        dropped = check_face_entries(name, present.content["uncovered"], covers=False)
        found += dropped if state is ReviewState.ACCEPTED else []
    return tuple(found)


def check_face_entries(item_id: str, entries: Json, *, covers: bool) -> list[FaceCorrection]:
    """Return the corrections that a list of an item spells.

    Args:
        item_id: The item, for the message.
        entries: The field's value.
        covers: Whether the field is `covered`.

    Raises:
        FaceCorrectionError: If it is no list of entries of six or ten numbers, a span is
            empty or begins before zero, or a box has no area.
    """
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise _no_place(item_id, type(entries).__name__)
    return [_correction(item_id, entry, covers=covers) for entry in entries]


def _correction(item_id: str, entry: Json, *, covers: bool) -> FaceCorrection:
    if not isinstance(entry, Sequence) or isinstance(entry, str):
        raise _no_place(item_id, type(entry).__name__)
    if len(entry) not in (_FIXED_PLACE, _MOVING_PLACE):
        raise _no_place(item_id, f"{len(entry)} values")
    numbers = [float(one) for one in entry if isinstance(one, int | float)]
    if len(numbers) != len(entry) or not all(map(isfinite, numbers)):
        raise _no_place(item_id, "a value that is no finite number")
    begin_us, end_us = round(numbers[0]), round(numbers[1])
    boxes = [tuple(numbers[2:6]), tuple(numbers[-4:])]
    if not 0 <= begin_us < end_us:
        raise _no_place(item_id, f"the span [{begin_us}, {end_us})")
    if any(x0 >= x1 or y0 >= y1 for x0, y0, x1, y1 in boxes):
        raise _no_place(item_id, "a box without area")
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = boxes
    return FaceCorrection(covers, begin_us, end_us, (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1))


def _moment_us(item_id: str) -> int:
    moment = item_id.rpartition("/")[2]
    if not (moment.isascii() and moment.isdigit()):
        raise FaceCorrectionError(
            f"face item {item_id!r}",
            "no time after the recording's id",
            "<recording_id>/<pts_us>",
            "Name the frame's time in microseconds on the recording's clock.",
        )
    return int(moment)


def _no_place(item_id: str, found: str) -> FaceCorrectionError:
    return FaceCorrectionError(
        f"correction of face item {item_id!r}",
        found,
        "a list of [begin_us, end_us, x0, y0, x1, y1] or the same with a second box",
        "Draw the box again; times are microseconds, edges are display pixels.",
    )

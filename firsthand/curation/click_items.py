"""Clicks under review: an item is one object of a recording, with the clicks that mean it.

How it is shown and told. `click_items` makes the items of a build from the rows of `clicks`
in its private zone, which hold what annotators' files say, and of the objects that are
pointed at and that nobody has clicked on yet (`unclicked_objects`). The id is
`<recording_id>/<referent_id>`. `points` lists `[x_px, y_px, positive]` in pixels of the
displayed frame, all on the frame shown at `pts_us`. An edit may change the points, the frame
and the label. `check_click_edit` says what is wrong with it.

What counts. Changed clicks count when they were accepted as changed; a mask is cut out of
them anew. An object whose clicks were rejected has no mask.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import isfinite

from firsthand.core.identity import Json
from firsthand.curation.reviewing import (
    DecisionKind,
    ReviewDecision,
    ReviewState,
    Stander,
    single_state,
)
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.standing import Standing, listed, moment_us, standings, wrong_value

__all__ = [
    "CLICK_KIND",
    "check_click_edit",
    "click_items",
    "open_changes",
    "reviewed_clicks",
    "unclicked_item",
    "unclicked_objects",
]

CLICK_KIND = "click"
_POINT_FIELDS = 3
_KEYS = ("participant_id", "recording_id", "referent_id")

Row = Mapping[str, Json]


def click_items(rows: Iterable[Row], unclicked: Iterable[Row] = ()) -> list[ReviewItem]:
    """Return one item for each object, in order of id.

    Args:
        rows: Rows of table `clicks`.
        unclicked: Rows of `unclicked_objects`.
    """
    items = [*map(_item, _by_object(rows).values()), *map(_unclicked_item, unclicked)]
    return sorted(items, key=lambda item: item.item_id)


def unclicked_objects(
    referents: Iterable[Row], clicks: Iterable[Row], last_frames_us: Mapping[str, int]
) -> list[Row]:
    """Return a row for each object that is pointed at and that nobody has clicked on.

    A row has what a row of `clicks` has of an object: participant_id, recording_id,
    referent_id, label, and as pts_us the last frame, on which an object is masked.

    Args:
        referents: Rows of table `referents`.
        clicks: Rows of table `clicks`.
        last_frames_us: The last frame of each recording; objects of others are left out.
    """
    clicked = {_item_id(row) for row in clicks}
    return [
        {
            **{name: row[name] for name in (*_KEYS, "label")},
            "pts_us": last_frames_us[str(row["recording_id"])],
        }
        for row in referents
        if _item_id(row) not in clicked and str(row["recording_id"]) in last_frames_us
    ]


def unclicked_item(recording_id: str, referent_id: str, label: str, pts_us: int) -> ReviewItem:
    """Return the item of an object that is still to be clicked on, on the frame at `pts_us`."""
    return _of(recording_id, referent_id, label, pts_us, [])


def check_click_edit(item: ReviewItem, edit: Mapping[str, Json], size_wh_px: Sequence[int]) -> None:
    """Check the clicks that an edit gives.

    Args:
        item: The object.
        edit: The new values.
        size_wh_px: Width and height of the displayed frame.

    Raises:
        EditError: If they are no points inside the frame, none is on the object, the frame
            has no time, or the label is empty.
    """
    _check({**item.content, **edit}, item)
    for x_px, y_px, _ in _points(item, edit.get("points", [])):
        if x_px >= size_wh_px[0] or y_px >= size_wh_px[1]:
            raise wrong_value(item, "points", f"x {x_px:g}, y {y_px:g}", "points inside the frame")


def reviewed_clicks(
    rows: Iterable[Row],
    decisions: Sequence[ReviewDecision],
    unclicked: Iterable[Row] = (),
    stander: Stander = single_state,
) -> list[dict[str, Json]]:
    """Return the rows of table `clicks` that count after review.

    Args:
        rows: One recording's rows as the annotators' files gave them.
        decisions: In order of arrival.
        unclicked: Rows of `unclicked_objects`; they count once they have accepted clicks.
        stander: How states follow from decisions.

    Raises:
        EditError: If an edit that counts gives clicks that cannot be used.
    """
    objects = _by_object(rows)
    waiting = {_item_id(row): row for row in unclicked}
    items = click_items(chain(*objects.values()), waiting.values())
    stands = standings(items, decisions, stander)
    kept: list[dict[str, Json]] = []
    for name, standing in stands.items():
        own = objects.get(name, [])
        if standing.is_corrected:
            kept += _corrected(own[0] if own else waiting[name], standing)
        elif standing.state is not ReviewState.REJECTED:
            kept += [dict(row) for row in own]
    return kept


def open_changes(
    rows: Iterable[Row], decisions: Sequence[ReviewDecision], stander: Stander = single_state
) -> frozenset[str]:
    """Return the objects, by referent, whose clicks were changed and wait to be accepted.

    Until then the clicks as they came count, and a mask is of them.

    Args:
        rows: One recording's rows as the annotators' files gave them.
        decisions: In order of arrival.
        stander: How states follow from decisions.
    """
    changed = {one.item_id for one in decisions if one.decision is DecisionKind.EDIT}
    settled = (ReviewState.ACCEPTED, ReviewState.REJECTED)
    return frozenset(
        str(standing.item.content["referent_id"])
        for name, standing in standings(click_items(rows), decisions, stander).items()
        if name in changed and standing.state not in settled
    )


def _by_object(rows: Iterable[Row]) -> dict[str, list[Row]]:
    ordered = sorted(rows, key=lambda row: (_item_id(row), int(str(row["click_index"]))))
    objects: dict[str, list[Row]] = {}
    for row in ordered:
        objects.setdefault(_item_id(row), []).append(row)
    return objects


def _item_id(row: Row) -> str:
    return f"{row['recording_id']}/{row['referent_id']}"


def _item(own: Sequence[Row]) -> ReviewItem:
    points: list[Json] = [[row["x_px"], row["y_px"], row["positive"]] for row in own]
    first = own[0]
    return _of(
        str(first["recording_id"]),
        str(first["referent_id"]),
        str(first["label"]),
        int(str(first["pts_us"])),
        points,
    )


def _unclicked_item(row: Row) -> ReviewItem:
    recording_id, referent_id = str(row["recording_id"]), str(row["referent_id"])
    return unclicked_item(recording_id, referent_id, str(row["label"]), int(str(row["pts_us"])))


def _of(
    recording_id: str, referent_id: str, label: str, pts_us: int, points: list[Json]
) -> ReviewItem:
    row: dict[str, Json] = {
        "recording_id": recording_id,
        "referent_id": referent_id,
        "label": label,
        "pts_us": pts_us,
        "points": points,
        "revision": 0,
    }
    return ReviewItem.of(CLICK_KIND, _item_id(row), row)


def _corrected(row: Row, standing: Standing) -> list[dict[str, Json]]:
    content = standing.item.content
    _check(content, standing.item)
    return [
        {
            **row,
            "click_index": index,
            "label": content["label"],
            "pts_us": content["pts_us"],
            "x_px": x_px,
            "y_px": y_px,
            "positive": positive,
        }
        for index, (x_px, y_px, positive) in enumerate(_points(standing.item, content["points"]))
    ]


def _check(content: Mapping[str, Json], item: ReviewItem) -> None:
    moment_us(item, "pts_us", content["pts_us"])
    if not isinstance(content["label"], str) or not content["label"].strip():
        raise wrong_value(item, "label", "no text", "what the object is called")
    if not any(positive for _, _, positive in _points(item, content["points"])):
        raise wrong_value(item, "points", "no click on the object", "at least one on it")


def _points(item: ReviewItem, value: Json) -> list[tuple[float, float, bool]]:
    return [_point(item, entry) for entry in listed(item, "points", value)]


def _point(item: ReviewItem, entry: Json) -> tuple[float, float, bool]:
    parts = listed(item, "points", entry)
    if len(parts) != _POINT_FIELDS or not isinstance(parts[2], bool):
        raise wrong_value(item, "points", f"{len(parts)} values", "[x_px, y_px, true or false]")
    numbers = [float(part) for part in parts[:2] if isinstance(part, int | float)]
    if len(numbers) < len(parts) - 1 or not all(isfinite(n) and n >= 0 for n in numbers):
        raise wrong_value(item, "points", "no point of a frame", "numbers from 0 on")
    return numbers[0], numbers[1], parts[2]

"""The queue of clicks: is this the object that is meant, and is its mask whole?"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import cast

from starlette.datastructures import FormData

from firsthand.core.identity import Json
from firsthand.core.time import us_to_s
from firsthand.curation.click_items import CLICK_KIND, check_click_edit
from firsthand.curation.likeness import Alike
from firsthand.curation.revisions import EditError, ReviewItem
from firsthand.masks import Click, Mask
from firsthand.masks.likeness import clicks_of, masks_alike
from firsthand.review_app.cutting_out import cut_out
from firsthand.review_app.footage import Footage
from firsthand.review_app.moments import stretch_view
from firsthand.review_app.pictures import size_wh_px
from firsthand.review_app.queue import QUEUES, Entry, FormReading, Queue
from firsthand.store import Store, Zone, read_table
from firsthand.store.compared_items import COMPARED_ITEMS, COMPARED_TABLES
from firsthand.store.machine_rows import machine_rows
from firsthand.store.tables import CLIPS

__all__ = ["CLICK_QUEUE", "FLAG_WORDS"]

FLAG_WORDS: Mapping[str, str] = {
    "clicks_changed": "Clicks changed, not accepted yet",
    "fragmented": "In several pieces",
    "occluded": "Something may lie before it",
    "small": "Very small",
    "touches_border": "Touches the picture's edge",
}
_NO_MASK = "Not clicked yet"
_PLAIN = "Nothing odd"
_ON, _BESIDE = "on", "beside"
_AROUND_US = 2_000_000


def _entries(store: Store, benchmark: str) -> Iterator[Entry]:
    flags = {
        f"{row['recording_id']}/{row['referent_id']}": tuple(row["flags"])
        for row in machine_rows(store, benchmark, "masks")
    }
    for item, person in COMPARED_ITEMS[CLICK_KIND](store, benchmark):
        look = _look(flags.get(item.item_id))
        yield Entry(item, person, {"participant": person, "look": look})


def _look(flags: Sequence[str] | None) -> str:
    if flags is None:
        return _NO_MASK
    return ", ".join(FLAG_WORDS.get(flag, flag) for flag in flags) or _PLAIN


def _title(item: ReviewItem) -> str:
    moment_s = us_to_s(int(str(item.content["pts_us"])))
    return f"{item.content['label']}, on the frame at {moment_s:.2f} s"


def _points(item: ReviewItem) -> list[tuple[float, float, bool]]:
    return [tuple(point) for point in cast("Sequence[Sequence[float]]", item.content["points"])]  # type: ignore[misc] # three values each


def _view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    pts_us = int(str(item.content["pts_us"]))
    recording_id = str(item.content["recording_id"])
    around = (max(pts_us - _AROUND_US, 0), pts_us)
    return {
        **stretch_view(footage, recording_id, *around),
        "recording_id": recording_id,
        "pts_us": pts_us,
        "label": item.content["label"],
        "points": [(f"{x_px:g}", f"{y_px:g}", on) for x_px, y_px, on in _points(item)],
    }


def _read(form: FormData, item: ReviewItem, footage: Footage) -> FormReading:
    if not form.get("with_points"):
        return FormReading(item.content)
    label = form.get("label", "")
    try:
        entered = _entered(form)
    except ValueError:
        return FormReading(item.content, {"points": "Each click needs two numbers, in pixels."})
    content: dict[str, Json] = {
        **item.content,
        "label": " ".join(str(label).split()),
        "points": cast("Json", [list(point) for point in entered]),
    }
    if entered == _points(item):
        content["points"] = item.content["points"]
    path = footage.copy_of(str(item.content["recording_id"]))
    try:
        if path is not None:
            check_click_edit(item, content, size_wh_px(path))
    except EditError:
        return FormReading(content, {"points": _complaint(content)})
    return FormReading(content)


def _complaint(content: Mapping[str, Json]) -> str:
    if not content["label"]:
        return "Say what the object is."
    if not any(point[2] for point in cast("Sequence[Sequence[Json]]", content["points"])):
        return "Click on the object at least once, or reject it."
    return "Every click lies inside the picture."


def _entered(form: FormData) -> list[tuple[float, float, bool]]:
    names = ("point_x", "point_y", "point_on")
    columns = [[str(value).strip() for value in form.getlist(name)] for name in names]
    return [
        (float(x_px), float(y_px), where == _ON)
        for x_px, y_px, where in zip(*columns, strict=True)
        if x_px or y_px
    ]


def _alike(store: Store, benchmark: str) -> Alike:
    """Return when clicks mean the same object; frames are read where it is asked."""

    @lru_cache(maxsize=256)
    def cut(recording_id: str, pts_us: int, clicks: tuple[Click, ...]) -> Mask:
        copies = {
            str(row["recording_id"]): str(row["deidentified_sha256"])
            for row in read_table(store, benchmark, CLIPS).to_pylist()
        }
        path = store.blob(Zone.PUBLIC, copies[recording_id], ".mp4")
        return cut_out(store, benchmark, path, pts_us, clicks)

    def of_item(item: ReviewItem) -> Mask:
        place = str(item.content["recording_id"]), int(str(item.content["pts_us"]))
        return cut(*place, tuple(clicks_of(item)))

    return masks_alike(of_item)


def _word(name: str, value: Json) -> str:
    if name == "points":
        points = cast("Sequence[Sequence[Json]]", value)
        on = sum(point[2] is True for point in points)
        return f"{on} on it, {len(points) - on} beside it" if points else "none"
    if name == "pts_us":
        return f"{us_to_s(int(str(value))):.2f} s"
    return str(value)


CLICK_QUEUE = QUEUES.register(CLICK_KIND)(
    Queue(
        kind=CLICK_KIND,
        name="Objects",
        task="Click on the object that is meant; its mask follows. Is it this, and all of it?",
        template="click.html.j2",
        tables=(*COMPARED_TABLES[CLICK_KIND], "masks"),
        facets={"participant": "Participant", "look": "What the mask is like"},
        reasons=("It cannot be seen", "Something else is meant", "No click gives its shape"),
        entries=_entries,
        title=_title,
        view=_view,
        read=_read,
        word=_word,
        alike=_alike,
        keys=(
            ("f", "Go to the picture; arrows move the cross, with Shift in larger steps"),
            ("Enter", "Click where the cross is: on the object"),
            ("x", "Click where the cross is: beside the object"),
            ("Backspace", "Take the last click away"),
            ("m", "Hide or show the mask"),
        ),
    )
)

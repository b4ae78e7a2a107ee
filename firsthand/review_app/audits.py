"""The queue of audit frames, and beside it the frames on which missed faces are drawn."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from starlette.datastructures import FormData

from firsthand.core.identity import Json
from firsthand.core.time import SECOND_US, s_to_us, us_to_s
from firsthand.curation.audit_items import AUDIT_KIND, audit_items, check_audit_edit
from firsthand.curation.face_corrections import (
    FACE_KIND,
    FaceCorrectionError,
    check_face_entries,
    face_item,
)
from firsthand.curation.revisions import EditError, ReviewItem
from firsthand.review_app.footage import Footage
from firsthand.review_app.moments import stretch_view
from firsthand.review_app.queue import QUEUES, Entry, FormReading, Queue
from firsthand.store import Store, Zone, read_table
from firsthand.store.tables import AUDIT_FRAMES

__all__ = ["AUDIT_QUEUE", "FACE_QUEUE"]

_STRATA = {
    "spared_face": "Where a participant's own face stays to be seen",
    "track_end": "Where a cover begins or ends",
    "weak_sighting": "Where something was seen and not covered",
    "fast_motion": "Where a face moves fast",
    "other": "Anywhere",
}
_FIELDS = ("begin_s", "end_s", "x0", "y0", "x1", "y1")
_AROUND_US = SECOND_US // 2


def _rows(store: Store, benchmark: str) -> list[dict[str, Json]]:
    rows: list[dict[str, Json]] = read_table(
        store, benchmark, AUDIT_FRAMES, Zone.PRIVATE
    ).to_pylist()
    return rows


def _audit_entries(store: Store, benchmark: str) -> Iterator[Entry]:
    rows = _rows(store, benchmark)
    own = {f"{row['recording_id']}/{row['pts_us']}": row for row in rows}
    for item in audit_items(rows):
        row = own[item.item_id]
        facets = {
            "participant": str(row["participant_id"]),
            "moment": _STRATA.get(str(row["stratum"]), str(row["stratum"])),
        }
        yield Entry(item, facets["participant"], facets)


def _face_entries(store: Store, benchmark: str) -> Iterator[Entry]:
    for row in sorted(_rows(store, benchmark), key=lambda r: (str(r["recording_id"]), r["pts_us"])):
        item = face_item(str(row["recording_id"]), int(str(row["pts_us"])))
        yield Entry(item, str(row["participant_id"]), {"participant": str(row["participant_id"])})


def _title(item: ReviewItem) -> str:
    moment_s = us_to_s(int(str(item.content["pts_us"])))
    return f"Frame of {str(item.content['recording_id'])[:8]} at {moment_s:.2f} s"


def _audit_view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    recording_id, pts_us = str(item.content["recording_id"]), int(str(item.content["pts_us"]))
    return {
        **_frame_view(item, footage),
        "content": item.content,
        "spared": footage.spared_at(recording_id, pts_us),
    }


def _frame_view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    pts_us = int(str(item.content["pts_us"]))
    recording_id = str(item.content["recording_id"])
    before, after = footage.pictures_of(item.item_id)
    around = (max(pts_us - _AROUND_US, 0), pts_us + _AROUND_US)
    return {
        **stretch_view(footage, recording_id, *around),
        "before_sha256": before if footage.has_picture(before) else None,
        "after_sha256": after,
        "item_id": item.item_id,
        "pts_s": us_to_s(pts_us),
    }


def _face_view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    return {
        **_frame_view(item, footage),
        "covered": [_place(entry) for entry in _entries_of(item, "covered")],
        "uncovered": [_place(entry) for entry in _entries_of(item, "uncovered")],
    }


def _entries_of(item: ReviewItem, name: str) -> Sequence[Sequence[float]]:
    return cast("Sequence[Sequence[float]]", item.content[name])


def _place(entry: Sequence[float]) -> Mapping[str, str]:
    begin_us, end_us, *box = entry
    values = (us_to_s(int(begin_us)), us_to_s(int(end_us)), *box[:4])
    return {name: _plain(value) for name, value in zip(_FIELDS, values, strict=True)}


def _plain(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _read_audit(form: FormData, item: ReviewItem, footage: Footage) -> FormReading:
    del footage
    content: dict[str, Json] = {**item.content}
    for name in ("faces_left", "texts_left"):
        text = str(form.get(name, content[name])).strip() or "0"
        if not text.isascii() or not text.isdecimal():
            return FormReading(item.content, {name: "Write a number, 0 or more."})
        content[name] = int(text)
    try:
        check_audit_edit(item, content)
    except EditError:
        return FormReading(item.content, {"faces_left": "Write a number, 0 or more."})
    return FormReading(content)


def _read_faces(form: FormData, item: ReviewItem, footage: Footage) -> FormReading:
    del footage
    content: dict[str, Json] = {**item.content}
    for name in ("covered", "uncovered"):
        if f"{name}_x0" not in form and not form.get("with_places"):
            continue
        try:
            entries = _entered(form, name)
            check_face_entries(item.item_id, entries, covers=name == "covered")
        except (ValueError, FaceCorrectionError):
            problem = "Each place needs a begin before its end, and a box with an area."
            return FormReading(item.content, {name: problem})
        content[name] = _kept(_entries_of(item, name), cast("list[list[float]]", entries))
    return FormReading(content)


def _kept(before: Sequence[Sequence[float]], entered: list[list[float]]) -> list[Json]:
    """Return the entered places; one that was not touched keeps its movement and its digits."""
    own = {tuple(_place(entry).values()): entry for entry in before}
    kept = [list(own.get(tuple(_place(entry).values()), entry)) for entry in entered]
    return cast("list[Json]", kept)


def _entered(form: FormData, name: str) -> list[Json]:
    columns = [[str(value).strip() for value in form.getlist(f"{name}_{part}")] for part in _FIELDS]
    entries: list[Json] = []
    for values in zip(*columns, strict=True):
        if not any(values):
            continue
        begin_s, end_s, *box = (float(value) for value in values)
        entries.append([s_to_us(begin_s), s_to_us(end_s), *box])
    return entries


def _word(name: str, value: Json) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"{len(value)} places" if name in ("covered", "uncovered") else str(value)
    return str(value)


AUDIT_QUEUE = QUEUES.register(AUDIT_KIND)(
    Queue(
        kind=AUDIT_KIND,
        name="Privacy",
        task="Compare the picture before and after: is everybody covered, and all private writing?",
        template="audit.html.j2",
        tables=("audit_frames",),
        facets={"participant": "Participant", "moment": "Kind of moment"},
        reasons=("A face can be recognised", "Private writing can be read"),
        entries=_audit_entries,
        title=_title,
        view=_audit_view,
        read=_read_audit,
        word=_word,
    )
)

FACE_QUEUE = QUEUES.register(FACE_KIND)(
    Queue(
        kind=FACE_KIND,
        name="Missed faces",
        task="Draw a box over what the cover missed; the next build covers it.",
        template="face.html.j2",
        tables=("audit_frames",),
        facets={"participant": "Participant"},
        reasons=("Nobody is there", "It is a picture, not a person"),
        entries=_face_entries,
        title=_title,
        view=_face_view,
        read=_read_faces,
        word=_word,
        on_demand=True,
    )
)

"""The queue of pointing strokes: when does the hand mean the object? Set to the millisecond."""

from collections.abc import Iterator, Mapping

from starlette.datastructures import FormData

from firsthand.core.identity import Json
from firsthand.core.time import ms_to_us
from firsthand.curation.revisions import EditError, ReviewItem
from firsthand.curation.stroke_items import STROKE_KIND, check_stroke_edit
from firsthand.review_app.footage import Footage
from firsthand.review_app.moments import moments_us, stretch_view
from firsthand.review_app.queue import QUEUES, Entry, FormReading, Queue
from firsthand.store import Store
from firsthand.store.compared_items import COMPARED_ITEMS, COMPARED_TABLES

__all__ = ["STROKE_QUEUE"]

_LONGEST_MS = 10**9


def _entries(store: Store, benchmark: str) -> Iterator[Entry]:
    for item, person in COMPARED_ITEMS[STROKE_KIND](store, benchmark):
        yield Entry(item, person, {"participant": person})


def _title(item: ReviewItem) -> str:
    begin_us, end_us = moments_us(item)
    return (
        f"“{item.content['phrase']}” for {item.content['referent_id']}: "
        f"{begin_us // 1000} to {end_us // 1000} ms"
    )


def _view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    begin_us, end_us = moments_us(item)
    found = footage.place_of(str(item.content["recording_id"]))
    length_us = found[1].stream.duration_us if found else end_us
    return {
        **stretch_view(footage, str(item.content["recording_id"]), begin_us, end_us),
        "phrase": item.content["phrase"],
        "begin_ms": begin_us / 1000,
        "end_ms": end_us / 1000,
        "length_ms": length_us // 1000,
    }


def _read(form: FormData, item: ReviewItem, footage: Footage) -> FormReading:
    if "begin_ms" not in form:
        return FormReading(item.content)
    content: dict[str, Json] = {**item.content}
    for name in ("begin", "end"):
        entered_ms = _number(form.get(f"{name}_ms"))
        if entered_ms is None:
            return FormReading(item.content, {"window": "Write both moments in milliseconds."})
        # A moment between two milliseconds stays as it is unless it is moved.
        before_us = int(str(item.content[f"{name}_us"]))
        moved = ms_to_us(entered_ms) != ms_to_us(before_us / 1000)
        content[f"{name}_us"] = ms_to_us(entered_ms) if moved else before_us
    found = footage.place_of(str(item.content["recording_id"]))
    try:
        if found is not None:
            check_stroke_edit(item, content, found[1].stream.duration_us)
    except EditError:
        problem = "The window ends after it begins, and lies inside the recording."
        return FormReading(item.content, {"window": problem})
    return FormReading(content)


def _number(value: object) -> float | None:
    try:
        number = float(str(value))
    except ValueError:
        return None
    return number if 0 <= number <= _LONGEST_MS else None


def _word(name: str, value: Json) -> str:
    return f"{int(str(value)) / 1000:g} ms" if name.endswith("_us") else str(value)


STROKE_QUEUE = QUEUES.register(STROKE_KIND)(
    Queue(
        kind=STROKE_KIND,
        name="Pointing",
        task="Set the window in which the hand points at what is meant.",
        template="stroke.html.j2",
        tables=COMPARED_TABLES[STROKE_KIND],
        facets={"participant": "Participant"},
        reasons=("Nobody points here", "The hand cannot be seen", "It means something else"),
        entries=_entries,
        title=_title,
        view=_view,
        read=_read,
        word=_word,
        keys=(
            ("f", "Go to the timeline; ↑ is the window's begin, ↓ its end"),
            ("← →", "On the timeline: a millisecond earlier, later; with Shift, a frame"),
        ),
    )
)

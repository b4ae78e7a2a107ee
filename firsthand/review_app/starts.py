"""The queue of doubtful start times."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast
from zoneinfo import ZoneInfo

from starlette.datastructures import FormData

from firsthand.core.identity import Json
from firsthand.core.time_local import read_moment_text
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.start_items import START_KIND, start_items
from firsthand.review_app.footage import Footage
from firsthand.review_app.queue import QUEUES, Entry, FormReading, Queue
from firsthand.store import Store, read_table
from firsthand.store.tables import STARTS

__all__ = ["START_QUEUE"]

_DOUBTS = {
    "nothing_known": "Neither the file nor its name tells a time, or the clock was never set.",
    "name_alone": "Only the file's name tells a time.",
    "sources_disagree": "The file and its name tell different times.",
    "device_clock_unknown": "Cameras of this make often write the local time as if it were UTC.",
    "skipped_hour": "The change to summer time skips this time.",
    "repeated_hour": "The change from summer time repeats this time.",
    "before_consent": "It lies before the day of the consent to record.",
    "overlap": "Another recording of the same person claims the same moment.",
}
_SOURCES = {
    "container": "inside the file",
    "file_name": "the file's name",
    "device_rule": "the rule for this camera",
    "sidecar": "the file beside the recording",
    "person": "entered by a person",
}


def _entries(store: Store, benchmark: str) -> Iterator[Entry]:
    for item in start_items(read_table(store, benchmark, STARTS).to_pylist()):
        person = str(item.content["participant_id"])
        yield Entry(item, person, {"participant": person})


def _title(item: ReviewItem) -> str:
    return f"{item.content['file_name']} began at {item.content['start'] or 'an unknown time'}"


def _view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    del footage
    candidates = [
        str(one).split(" ", 1) for one in cast("Sequence[str]", item.content["candidates"])
    ]
    doubts = cast("Sequence[str]", item.content["doubts"])
    return {
        "content": item.content,
        "doubts": [_DOUBTS.get(name, name) for name in doubts],
        "candidates": [(moment, _SOURCES.get(source, source)) for source, moment in candidates],
    }


def _read(form: FormData, item: ReviewItem, footage: Footage) -> FormReading:
    del footage
    if "start" not in form:
        return FormReading(item.content)
    entered = form.get("start")
    start = entered.strip() if isinstance(entered, str) else ""
    content = {**item.content, "start": start}
    problem = _problem(start, ZoneInfo(str(item.content["time_zone"])))
    return FormReading(content, {"start": problem} if problem else {})


def _problem(start: str, zone: ZoneInfo) -> str | None:
    if not start:
        return "Enter when the recording began; reject it if nobody knows."
    try:
        moments = read_moment_text(start, zone)
    except ValueError:
        return "Write date and time: 2026-05-03T09:30:00 or 2026-05-03T09:30:00+08:00."
    if not moments:
        return "The change to summer time skips this local time."
    if len(moments) > 1:
        return "This local time came twice; write its offset behind it, like +02:00."
    return None


def _word(name: str, value: Json) -> str:
    del name
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "; ".join(map(str, value))
    return str(value) or "unknown"


START_QUEUE = QUEUES.register(START_KIND)(
    Queue(
        kind=START_KIND,
        name="Start times",
        task="Decide when a recording began; until then it is held back.",
        template="start.html.j2",
        tables=("starts",),
        facets={"participant": "Participant"},
        reasons=("The clock was not set", "Nobody knows when this was recorded"),
        entries=_entries,
        title=_title,
        view=_view,
        read=_read,
        word=_word,
    )
)

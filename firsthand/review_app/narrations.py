"""The queue of narrations: what happens, minute by minute, imported, typed or spoken."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from starlette.datastructures import FormData

from firsthand.core.identity import Json
from firsthand.core.time import s_to_us, us_to_s
from firsthand.curation.narration_items import (
    NARRATION_KIND,
    SOURCES,
    check_narration_edit,
    has_narrations,
)
from firsthand.curation.revisions import EditError, ReviewItem
from firsthand.review_app.clock_text import clock_text
from firsthand.review_app.footage import Footage
from firsthand.review_app.moments import moments_us, stretch_view
from firsthand.review_app.queue import QUEUES, Entry, FormReading, Queue
from firsthand.store import Store
from firsthand.store.compared_items import COMPARED_ITEMS, COMPARED_TABLES

__all__ = ["NARRATION_QUEUE"]

_FIELDS = ("narration_begin", "narration_end", "narration_text", "narration_source")
_SHOWN = 60


def _entries(store: Store, benchmark: str) -> Iterator[Entry]:
    for item, person in COMPARED_ITEMS[NARRATION_KIND](store, benchmark):
        told = "Narrated" if has_narrations(item) else "Nothing told yet"
        facets = {"participant": person, "told": told}
        yield Entry(item, person, facets, is_optional=not has_narrations(item))


def _sentences(item: ReviewItem) -> list[tuple[int, int, str, str]]:
    listed = cast("Sequence[tuple[int, int, str, str]]", item.content["narrations"])
    return [(begin_us, end_us, text, source) for begin_us, end_us, text, source in listed]


def _title(item: ReviewItem) -> str:
    begin_us, end_us = moments_us(item)
    told = _sentences(item)
    words = told[0][2] if told else "nothing told yet"
    more = f" (and {len(told) - 1} more)" if len(told) > 1 else ""
    cut = f"{words[:_SHOWN]}…" if len(words) > _SHOWN else words
    return f"{clock_text(begin_us)} to {clock_text(end_us)}: {cut}{more}"


def _view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    stretch = stretch_view(footage, str(item.content["recording_id"]), *moments_us(item))
    return {
        **stretch,
        "recording_id": item.content["recording_id"],
        "minute_s": [us_to_s(one) for one in moments_us(item)],
        "told": [
            (f"{us_to_s(begin_us):.3f}", f"{us_to_s(end_us):.3f}", text, source)
            for begin_us, end_us, text, source in _sentences(item)
        ],
    }


def _read(form: FormData, item: ReviewItem, footage: Footage) -> FormReading:
    if not form.get("with_narrations"):
        return FormReading(item.content)
    try:
        entered = _kept(_sentences(item), _entered(form))
    except ValueError:
        return FormReading(item.content, {"narrations": "Write both moments in seconds: 12.340."})
    content: dict[str, Json] = {
        **item.content,
        "narrations": cast("Json", [list(one) for one in entered]),
    }
    if entered == _sentences(item):
        return FormReading(item.content)
    found = footage.place_of(str(item.content["recording_id"]))
    try:
        if found is not None:
            check_narration_edit(item, content, found[1].stream.duration_us)
    except EditError:
        begin, end = (clock_text(one) for one in moments_us(item))
        problem = f"Every sentence has a text, begins between {begin} and {end}, and then ends."
        return FormReading(content, {"narrations": problem})
    return FormReading(content)


def _entered(form: FormData) -> list[tuple[int, int, str, str]]:
    columns = [[" ".join(str(value).split()) for value in form.getlist(name)] for name in _FIELDS]
    return [
        (s_to_us(float(begin)), s_to_us(float(end)), text, source)
        for begin, end, text, source in zip(*columns, strict=True)
        if text
    ]


def _kept(
    before: Sequence[tuple[int, int, str, str]], entered: list[tuple[int, int, str, str]]
) -> list[tuple[int, int, str, str]]:
    """Return the entered sentences in order of time; what was touched is the reviewer's own.

    The form shows whole milliseconds and single spaces: what differs no more is not touched.
    """
    own = {_shown(one): one for one in before}
    made = [
        own.get(_shown(one), (*one[:3], one[3] if one[3] in SOURCES[1:] else "typed"))
        for one in entered
    ]
    return made if made == list(before) else sorted(made)


def _shown(sentence: tuple[int, int, str, str]) -> tuple[int, int, str]:
    begin_us, end_us, text, _ = sentence
    return round(begin_us / 1000), round(end_us / 1000), " ".join(text.split())


def _word(name: str, value: Json) -> str:
    if name == "narrations":
        told = cast("Sequence[tuple[int, int, str, str]]", value)
        return " / ".join(f"{us_to_s(one[0]):.1f} s {one[2]}" for one in told) or "nothing"
    return str(value)


NARRATION_QUEUE = QUEUES.register(NARRATION_KIND)(
    Queue(
        kind=NARRATION_KIND,
        name="Narrations",
        task="Watch a minute: is it told right, in words and in time? Tell what is missing.",
        template="narration.html.j2",
        tables=COMPARED_TABLES[NARRATION_KIND],
        facets={"participant": "Participant", "told": "What is told"},
        reasons=("It tells of something else", "It cannot be understood"),
        entries=_entries,
        title=_title,
        view=_view,
        read=_read,
        word=_word,
        keys=(
            ("n", "A new sentence at this moment"),
            ("t", "Speak it: begin, and again to stop"),
        ),
    )
)

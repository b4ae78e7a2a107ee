"""The queue of transcripts: what was heard, utterance by utterance, beside its sound."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from starlette.datastructures import FormData

from firsthand.core.identity import Json
from firsthand.curation.revisions import EditError, ReviewItem
from firsthand.curation.transcript_items import (
    TRANSCRIPT_KIND,
    edit_of_text,
    text_of,
)
from firsthand.review_app.footage import Footage
from firsthand.review_app.moments import moments_us, stretch_view
from firsthand.review_app.queue import QUEUES, Entry, FormReading, Queue
from firsthand.store import Store
from firsthand.store.compared_items import COMPARED_ITEMS, COMPARED_TABLES

__all__ = ["TRANSCRIPT_QUEUE"]


def _entries(store: Store, benchmark: str) -> Iterator[Entry]:
    for item, person in COMPARED_ITEMS[TRANSCRIPT_KIND](store, benchmark):
        facets = {"participant": person, "language": str(item.content["language"])}
        yield Entry(item, person, facets)


def _view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    stretch = stretch_view(footage, str(item.content["recording_id"]), *moments_us(item))
    return {**stretch, "said": text_of(item), "language": item.content["language"]}


def _read(form: FormData, item: ReviewItem, footage: Footage) -> FormReading:
    del footage
    entered = form.get("said")
    if not isinstance(entered, str) or entered.split() == text_of(item).split():
        return FormReading(item.content)
    try:
        return FormReading({**item.content, **edit_of_text(item, entered)})
    except EditError:
        return FormReading(item.content, {"said": "Write what is said; reject what nobody said."})


def _word(name: str, value: Json) -> str:
    if name == "words":
        return " ".join(str(word[0]) for word in cast("Sequence[Sequence[Json]]", value))
    return str(value)


TRANSCRIPT_QUEUE = QUEUES.register(TRANSCRIPT_KIND)(
    Queue(
        kind=TRANSCRIPT_KIND,
        name="Transcripts",
        task="Listen, and correct what was written down.",
        template="transcript.html.j2",
        tables=COMPARED_TABLES[TRANSCRIPT_KIND],
        facets={"participant": "Participant", "language": "Language"},
        reasons=("Nobody said this", "It cannot be understood", "Somebody else speaks"),
        entries=_entries,
        title=text_of,
        view=_view,
        read=_read,
        word=_word,
    )
)

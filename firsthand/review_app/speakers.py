"""The queue of voices: is it really the participant's, or a bystander's that must be silenced?"""

from collections.abc import Iterator, Mapping

from starlette.datastructures import FormData

from firsthand.core.identity import Json
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.speaker_items import BYSTANDER_NAME, SPEAKER_KIND, speaker_items
from firsthand.review_app.footage import Footage
from firsthand.review_app.machine_rows import machine_rows
from firsthand.review_app.moments import moments_us, stretch_view
from firsthand.review_app.queue import QUEUES, Entry, FormReading, Queue
from firsthand.store import Store

__all__ = ["SPEAKER_QUEUE"]


def _entries(store: Store, benchmark: str) -> Iterator[Entry]:
    # Only voices that can be heard in the copy can be judged by ear.
    rows = machine_rows(store, benchmark, "speakers")
    audible = [row for row in rows if row["speaker"] != BYSTANDER_NAME]
    people = {str(row["recording_id"]): str(row["participant_id"]) for row in audible}
    for item in speaker_items(audible):
        person = people[str(item.content["recording_id"])]
        yield Entry(item, person, {"participant": person})


def _title(item: ReviewItem) -> str:
    begin_us, end_us = moments_us(item)
    recording = str(item.content["recording_id"])[:8]
    return (
        f"{item.content['speaker']} speaks in {recording}, "
        f"{begin_us / 1e6:.1f} to {end_us / 1e6:.1f} s"
    )


def _view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    stretch = stretch_view(footage, str(item.content["recording_id"]), *moments_us(item))
    return {**stretch, "speaker": item.content["speaker"], "bystander": BYSTANDER_NAME}


def _read(form: FormData, item: ReviewItem, footage: Footage) -> FormReading:
    del footage
    # A voice that was called the participant's is theirs or a bystander's, nobody else's.
    if form.get("speaker") != BYSTANDER_NAME:
        return FormReading(item.content)
    return FormReading({**item.content, "speaker": BYSTANDER_NAME})


def _word(name: str, value: Json, item: ReviewItem, footage: Footage) -> str:
    del name, item, footage
    return str(value)


SPEAKER_QUEUE = QUEUES.register(SPEAKER_KIND)(
    Queue(
        kind=SPEAKER_KIND,
        name="Voices",
        task="Listen: is this the participant, or somebody who must be silenced?",
        template="speaker.html.j2",
        tables=("speakers",),
        facets={"participant": "Participant"},
        reasons=("Two people speak at once", "It is no voice", "It cannot be told"),
        entries=_entries,
        title=_title,
        view=_view,
        read=_read,
        word=_word,
    )
)

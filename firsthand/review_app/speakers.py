"""The queue of voices: who speaks, what is to be silenced, and what of it should be kept."""

from collections.abc import Iterator, Mapping

from starlette.datastructures import FormData

from firsthand.core.identity import Json
from firsthand.core.time import us_to_s
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.speaker_items import BYSTANDER_NAME, SPEAKER_KIND, speaker_items
from firsthand.review_app.footage import Footage
from firsthand.review_app.moments import moments_us, stretch_view
from firsthand.review_app.queue import QUEUES, Entry, FormReading, Queue
from firsthand.store import Store
from firsthand.store.machine_rows import machine_rows

__all__ = ["SPEAKER_QUEUE"]

_KEPT, _REMOVED, _OVERLAP = "kept", "removed", "overlap"
_NAMES = {
    _KEPT: "Kept",
    _REMOVED: "Silenced",
    _OVERLAP: "Silenced, with words of the participant",
}
# The timeline is drawn in thousandths of the recording.
_WIDTH = 1_000


def _entries(store: Store, benchmark: str) -> Iterator[Entry]:
    rows = machine_rows(store, benchmark, "speakers")
    own = {f"{row['recording_id']}/{row['begin_us']}": row for row in rows}
    for item in speaker_items(rows):
        row = own[item.item_id]
        facets = {"participant": str(row["participant_id"]), "fate": _NAMES[_fate(row)]}
        # Who doubts nothing leaves silence as it is: only what can be heard waits for a person.
        yield Entry(
            item, facets["participant"], facets, is_optional=row["speaker"] == BYSTANDER_NAME
        )


def _fate(row: Mapping[str, object]) -> str:
    if row["consented"]:
        return _KEPT
    return _OVERLAP if row["overlapped"] else _REMOVED


def _title(item: ReviewItem) -> str:
    begin_us, end_us = moments_us(item)
    recording = str(item.content["recording_id"])[:8]
    return (
        f"{item.content['speaker']} speaks in {recording}, "
        f"{begin_us / 1e6:.1f} to {end_us / 1e6:.1f} s"
    )


def _view(item: ReviewItem, footage: Footage) -> Mapping[str, object]:
    recording_id = str(item.content["recording_id"])
    begin_us, end_us = moments_us(item)
    return {
        **stretch_view(footage, recording_id, begin_us, end_us),
        "speaker": item.content["speaker"],
        "bystander": BYSTANDER_NAME,
        "recording_id": recording_id,
        "fates": _NAMES,
        "voices": list(_marks(item, footage)),
        "heard": None
        if footage.kept_sound(recording_id) is None
        else (us_to_s(begin_us), us_to_s(end_us)),
    }


def _marks(item: ReviewItem, footage: Footage) -> Iterator[Mapping[str, object]]:
    """Yield every stretch of a voice in the recording, as it counts since the last build."""
    recording_id = str(item.content["recording_id"])
    rows = footage.voices(recording_id)
    found = footage.place_of(recording_id)
    last_us = max((int(row["end_us"]) for row in rows), default=1)
    whole_us = max(found[1].stream.duration_us, last_us) if found else last_us
    for row in rows:
        begin_us, end_us = int(row["begin_us"]), int(row["end_us"])
        yield {
            "item_id": f"{recording_id}/{begin_us}",
            "fate": _fate(row),
            "is_here": begin_us == moments_us(item)[0],
            "x": _WIDTH * begin_us // whole_us,
            "width": max(4, _WIDTH * (end_us - begin_us) // whole_us),
            "text": f"{us_to_s(begin_us):.1f} to {us_to_s(end_us):.1f} s: "
            f"{row['speaker']}, {_NAMES[_fate(row)].lower()}",
        }


def _read(form: FormData, item: ReviewItem, footage: Footage) -> FormReading:
    # A voice is the participant's or a bystander's, nobody else's; the participant is whoever
    # recorded.
    said = form.get("speaker")
    if said == BYSTANDER_NAME:
        return FormReading({**item.content, "speaker": BYSTANDER_NAME})
    owners = {str(row["participant_id"]) for row in footage.voices(_recording(item))}
    return FormReading({**item.content, "speaker": said} if said in owners else item.content)


def _recording(item: ReviewItem) -> str:
    return str(item.content["recording_id"])


def _word(name: str, value: Json, item: ReviewItem, footage: Footage) -> str:
    del name, item, footage
    return str(value)


SPEAKER_QUEUE = QUEUES.register(SPEAKER_KIND)(
    Queue(
        kind=SPEAKER_KIND,
        name="Voices",
        task="Listen: is this the participant, or somebody who must be silenced?",
        template="speaker.html.j2",
        tables=("speakers", "kept_sounds"),
        facets={"participant": "Participant", "fate": "Fate"},
        reasons=("Two people speak at once", "It is no voice", "It cannot be told"),
        entries=_entries,
        title=_title,
        view=_view,
        read=_read,
        word=_word,
    )
)

"""The queue of voices: who speaks, what is to be silenced, and what of it should be kept."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from starlette.datastructures import FormData

from firsthand.core.identity import Json
from firsthand.core.time import us_to_s
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.speaker_items import BYSTANDER_NAME, SPEAKER_KIND, speaker_items
from firsthand.curation.standing import decisions_in
from firsthand.curation.voice_splits import SPLIT_KIND, parts_of
from firsthand.review_app.footage import Footage
from firsthand.review_app.moments import moments_us, stretch_view
from firsthand.review_app.queue import QUEUES, Entry, FormReading, Queue
from firsthand.store import Store
from firsthand.store.machine_rows import by_recording, machine_rows
from firsthand.store.reviews import ReviewStore

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
    decisions = ReviewStore.open(store.reviews).decisions()
    for recording_id, own in by_recording(rows).items():
        on_it = decisions_in(recording_id, (SPEAKER_KIND, SPLIT_KIND), decisions)
        parts = parts_of(own, on_it)
        for whole in sorted(own, key=lambda row: int(row["begin_us"])):
            shown = parts.get(int(whole["begin_us"]), [whole])
            for number, row in enumerate(shown, start=1):
                yield _entry(row, f"Part {number} of {len(shown)}" if len(shown) > 1 else None)


def _entry(row: Mapping[str, Json], part: str | None) -> Entry:
    facets = {"participant": str(row["participant_id"]), "fate": _NAMES[_fate(row)]}
    if part is not None:
        facets["part"] = part
    # Who doubts nothing leaves silence as it is: only what can be heard waits for a person.
    is_silent = row["speaker"] == BYSTANDER_NAME
    (item,) = speaker_items([row])
    return Entry(item, facets["participant"], facets, is_optional=is_silent)


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
        "span_s": (us_to_s(begin_us), us_to_s(end_us)),
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
    here = moments_us(item)
    for row in rows:
        for begin_us, end_us in _cut_at(here, int(row["begin_us"]), int(row["end_us"])):
            yield {
                "item_id": f"{recording_id}/{begin_us}",
                "fate": _fate(row),
                "is_here": begin_us == here[0],
                "x": _WIDTH * begin_us // whole_us,
                "width": max(4, _WIDTH * (end_us - begin_us) // whole_us),
                "text": f"{us_to_s(begin_us):.1f} to {us_to_s(end_us):.1f} s: "
                f"{row['speaker']}, {_NAMES[_fate(row)].lower()}",
            }


def _cut_at(here: tuple[int, int], begin_us: int, end_us: int) -> list[tuple[int, int]]:
    """Return a stretch, cut at the ends of that which is looked at where this is a part of it."""
    bounds = sorted({begin_us, *(one for one in here if begin_us < one < end_us), end_us})
    return list(pairwise(bounds))


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


SPEAKER_QUEUE = QUEUES.register(SPEAKER_KIND)(
    Queue(
        kind=SPEAKER_KIND,
        name="Voices",
        task="Listen: is this the participant, or somebody who must be silenced?",
        template="speaker.html.j2",
        tables=("speakers", "kept_sounds"),
        facets={"participant": "Participant", "fate": "Fate"},
        reasons=("Two people speak at once", "It is no voice", "It cannot be told"),
        keys=(("x", "Split the stretch at the moment that is shown"),),
        made_of=(SPLIT_KIND,),
        entries=_entries,
        title=_title,
        view=_view,
        read=_read,
    )
)

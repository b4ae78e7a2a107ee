"""The items that two people's forms of are compared, as a build has made them of its tables."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from firsthand.curation.click_items import CLICK_KIND, click_items, unclicked_objects
from firsthand.curation.narration_items import NARRATION_KIND, narration_items
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.speaker_items import BYSTANDER_NAME
from firsthand.curation.stroke_items import STROKE_KIND, stroke_items
from firsthand.curation.transcript_items import TRANSCRIPT_KIND, transcript_items
from firsthand.media.feed_index import read_frame_index
from firsthand.store.commits import read_table
from firsthand.store.location import Store, Zone
from firsthand.store.machine_rows import Rows, by_recording, machine_rows
from firsthand.store.tables import CLIPS, TIMELINE

__all__ = ["COMPARED_ITEMS", "COMPARED_TABLES", "OwnedItem"]

OwnedItem = tuple[ReviewItem, str]
"""An item, and the participant whose recording it is about."""

COMPARED_TABLES: Mapping[str, tuple[str, ...]] = {
    TRANSCRIPT_KIND: ("words", "utterances"),
    NARRATION_KIND: ("narrations", "timeline"),
    CLICK_KIND: ("clicks", "referents", "clips"),
    STROKE_KIND: ("strokes", "referents"),
}
"""The tables that the items of a kind are made of."""


def _transcripts(store: Store, benchmark: str) -> Iterator[OwnedItem]:
    words = by_recording(machine_rows(store, benchmark, "words"))
    for name, own in by_recording(machine_rows(store, benchmark, "utterances")).items():
        # What a bystander said is silenced in the copy that people hear.
        heard = [row for row in own if row["speaker"] != BYSTANDER_NAME and not row["redacted"]]
        for item in transcript_items(heard, words.get(name, [])):
            yield item, str(own[0]["participant_id"])


def _narrations(store: Store, benchmark: str) -> Iterator[OwnedItem]:
    own = by_recording(machine_rows(store, benchmark, "narrations"))
    places = read_table(store, benchmark, TIMELINE).to_pylist()
    for row in sorted(places, key=lambda row: (row["stream_id"], row["stream_start_us"])):
        recording_id = str(row["recording_id"])
        for item in narration_items(recording_id, own.get(recording_id, []), row["duration_us"]):
            yield item, str(row["participant_id"])


def _clicks(store: Store, benchmark: str) -> Iterator[OwnedItem]:
    clicks = machine_rows(store, benchmark, "clicks")
    referents = machine_rows(store, benchmark, "referents")
    clicked = {(row["recording_id"], row["referent_id"]) for row in clicks}
    waiting = {
        str(row["recording_id"])
        for row in referents
        if (row["recording_id"], row["referent_id"]) not in clicked
    }
    unclicked = unclicked_objects(referents, clicks, _last_frames_us(store, benchmark, waiting))
    yield from _owned(click_items(clicks, unclicked), [*clicks, *referents])


def _last_frames_us(store: Store, benchmark: str, recordings: set[str]) -> dict[str, int]:
    found = {}
    for clip in read_table(store, benchmark, CLIPS).to_pylist() if recordings else ():
        path = store.blob(Zone.PUBLIC, str(clip["deidentified_sha256"]), ".mp4")
        if clip["recording_id"] in recordings and path.is_file():
            found[str(clip["recording_id"])] = _last_frame_us(path)
    return found


# Files are named by their content, so what was read of one stays true.
@lru_cache(maxsize=64)
def _last_frame_us(path: Path) -> int:
    return read_frame_index(path).times_us[-1]


def _strokes(store: Store, benchmark: str) -> Iterator[OwnedItem]:
    strokes = machine_rows(store, benchmark, "strokes")
    yield from _owned(stroke_items(strokes, machine_rows(store, benchmark, "referents")), strokes)


def _owned(items: list[ReviewItem], rows: Rows) -> Iterator[OwnedItem]:
    people = {str(row["recording_id"]): str(row["participant_id"]) for row in rows}
    for item in items:
        yield item, people[str(item.content["recording_id"])]


COMPARED_ITEMS: Mapping[str, Callable[[Store, str], Iterator[OwnedItem]]] = {
    TRANSCRIPT_KIND: _transcripts,
    NARRATION_KIND: _narrations,
    CLICK_KIND: _clicks,
    STROKE_KIND: _strokes,
}
"""By kind, every item of a benchmark in the order in which it is worked on."""

"""A store in which every queue has an item: starts, frames, faces, words, voices, pointing."""

from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from firsthand.core.identity import digest_file
from firsthand.speech.wav import wav_bytes
from firsthand.store import Store, Zone, commit_table, table_from_rows
from firsthand.store.commits import write_part
from firsthand.store.tables import AUDIT_FRAMES, VOICES
from tests.unit.review_app.desk_store import KEY, RECORDING, SECOND_US, commit, make_store

OWN: dict[str, Any] = {"participant_id": "P1", "recording_id": RECORDING}
FRAME_US = 4 * SECOND_US
STROKE_US = (2_500_400, 3_250_000)
SIZE = (640, 360)

STARTS = {
    **OWN,
    "recording_id": "feed" + "0" * 60,
    "file_name": "VID_0001.mp4",
    "time_zone": "Europe/Berlin",
    "candidates": [
        "container 2026-05-03T09:30:00+02:00",
        "file_name 2026-05-03T07:30:00+02:00",
    ],
    "doubts": ["sources_disagree"],
    "start": "2026-05-03T09:30:00+02:00",
    "revision": 0,
    "standing": "waiting",
}
UTTERANCES = [
    {
        **OWN,
        "utterance_index": 0,
        "begin_us": 2 * SECOND_US,
        "end_us": 2 * SECOND_US + 1_500_000,
        "speaker": "P1",
        "text": "This cup is hers",
        "language": "en",
        "redacted": False,
    },
    {
        **OWN,
        "utterance_index": 1,
        "begin_us": 6 * SECOND_US,
        "end_us": 7 * SECOND_US,
        "speaker": "bystander",
        "text": "",
        "language": "en",
        "redacted": True,
    },
]
SPEAKERS = [
    {
        **OWN,
        "turn_index": number,
        "begin_us": begin_s * SECOND_US,
        "end_us": (begin_s + 1) * SECOND_US,
        "speaker": speaker,
        "similarity": 0.9,
        "consented": speaker == "P1",
        "overlapped": False,
    }
    for number, (begin_s, speaker) in enumerate([(2, "P1"), (6, "bystander")])
]
REFERENTS = [
    {
        **OWN,
        "referent_id": "cup",
        "position": 1,
        "label": "cup",
        "kind": "object",
        "phrase": "this cup",
    },
    # Nobody has clicked on this one yet.
    {
        **OWN,
        "referent_id": "box",
        "position": 2,
        "label": "blue box",
        "kind": "object",
        "phrase": "that box",
    },
]
STRANGERS = (
    (RECORDING, 6 * SECOND_US, "voice_01"),
    (RECORDING, 9 * SECOND_US, "voice_01"),
    ("d" * 64, 3 * SECOND_US, "voice_02"),
)
LAST_FRAME_US = 13_960_000
CLICKS = [
    {
        **OWN,
        "referent_id": "cup",
        "click_index": 0,
        "pts_us": LAST_FRAME_US,
        "x_px": 202.0,
        "y_px": 275.0,
        "positive": True,
        "label": "coffee cup",
    }
]
STROKES = [
    {
        **OWN,
        "referent_id": "cup",
        "begin_us": STROKE_US[0],
        "end_us": STROKE_US[1],
        "annotator": "annotator-1",
    }
]


def make_full_store(folder: Path) -> Store:
    """Lay out a store with an item in every queue."""
    store = make_store(folder)
    commit(store, "starts", [STARTS])
    commit(store, "utterances", UTTERANCES)
    commit(store, "speakers", SPEAKERS)
    commit(store, "referents", REFERENTS)
    commit(store, "strokes", STROKES)
    commit(store, "clicks", CLICKS)
    pictures = [_picture(store, colour) for colour in ("red", "blue")]
    frame = {
        **OWN,
        "pts_us": FRAME_US,
        "stratum": "track_end",
        "stratum_frames": 9,
        "stream_sha256": "ab" * 32,
        "before_sha256": pictures[0],
        "after_sha256": pictures[1],
    }
    rows = table_from_rows(AUDIT_FRAMES, [frame])
    part = write_part(store, AUDIT_FRAMES, rows, Zone.PRIVATE, KEY)
    commit_table(store, "small", AUDIT_FRAMES, [part])
    voices = table_from_rows(VOICES, [_voice(store, *given) for given in STRANGERS])
    commit_table(store, "small", VOICES, [write_part(store, VOICES, voices, Zone.PRIVATE, KEY)])
    return store


def _voice(store: Store, recording_id: str, begin_us: int, voice: str) -> dict[str, object]:
    return {
        **OWN,
        "recording_id": recording_id,
        "begin_us": begin_us,
        "end_us": begin_us + 2 * SECOND_US,
        "voice": voice,
        "speaker": voice,
        "confirmed": False,
        "word_indexes": [],
        "excerpt_sha256": _excerpt(store, begin_us),
        "heard_digest": "ab" * 32,
        "known_digest": "cd" * 32,
    }


def _excerpt(store: Store, number: int) -> str:
    written = store.scratch / f"{number}.wav"
    written.write_bytes(wav_bytes(np.full(16_000, number / 1e9, np.float32)))
    digest = digest_file(written)
    blob = store.blob(Zone.PRIVATE, digest, ".wav")
    blob.parent.mkdir(parents=True, exist_ok=True)
    written.replace(blob)
    return digest


def _picture(store: Store, colour: str) -> str:
    drawn = store.scratch / f"{colour}.jpg"
    Image.new("RGB", SIZE, colour).save(drawn)
    digest = digest_file(drawn)
    blob = store.blob(Zone.PRIVATE, digest, ".jpg")
    blob.parent.mkdir(parents=True, exist_ok=True)
    drawn.replace(blob)
    return digest

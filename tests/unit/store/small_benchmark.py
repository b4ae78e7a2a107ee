"""A benchmark small enough to write by hand: two people, a clip and a question each."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa

from firsthand.curation.revisions import content_digest
from firsthand.store import (
    TABLES,
    Blob,
    Outputs,
    StepRequest,
    StepSpec,
    Store,
    Zone,
    run_step,
    table_from_rows,
)
from firsthand.store.releases import MediaRole, ReleaseContent

PEOPLE = ("p1", "p2")
SECOND_US = 1_000_000
DURATION_US = 10 * SECOND_US
NOT_OF_A_QUESTION = {"draft_id", "options", "evidence", "drafter", "rejected_by"}


def recording_id(person: str) -> str:
    """A digest-like id: 64 hexadecimal digits that differ from the first on."""
    return {"p1": "a1", "p2": "b2"}[person] * 32


def draft_row(person: str) -> dict[str, Any]:
    row: dict[str, Any] = {
        "participant_id": person,
        "draft_id": f"draft-{person}",
        "revision": 0,
        "stream_id": f"stream-{person}",
        "question_type": "mc_single",
        "category": "Memory",
        "subcategory": "Short-term Memory",
        "text": "What stood on the table?",
        "options": ["a cup", "a book"],
        "answer": ["A"],
        "evidence": [{"begin_us": SECOND_US, "end_us": 2_500_000}],
        "required_modalities": ["video"],
        "scenario": None,
        "drafter": "rules",
        "rejected_by": [],
    }
    return {**row, "content_digest": content_digest("draft", row)}


def rows_of(person: str, media: Mapping[MediaRole, Blob]) -> dict[str, list[dict[str, Any]]]:
    recording = {"participant_id": person, "recording_id": recording_id(person)}
    times = {"begin_us": SECOND_US, "end_us": 2 * SECOND_US}
    draft = draft_row(person)
    question = {name: draft[name] for name in draft if name not in NOT_OF_A_QUESTION}
    question["question_id"] = f"question-{person}"
    return {
        "participants": [{"participant_id": person, "time_zone": "Europe/Lisbon"}],
        "consents": [
            {"participant_id": person, "scope": scope, "granted_on": date(2026, 1, 2)}
            for scope in ("recording", "publication")
        ],
        "recordings": [
            {
                **recording,
                "source_name": "secret.mp4",
                "media_digest": recording_id(person),
                "container": "mp4",
                "video_codec": "h264",
                "width_px": 640,
                "height_px": 360,
                "rotation_deg": 0,
                "frames": 250,
                "first_pts_us": 0,
                "duration_us": DURATION_US,
                "time_base": "1/12800",
                "variable_frame_rate": False,
                "warnings": [],
            }
        ],
        "timeline": [
            {
                **recording,
                "stream_id": f"stream-{person}",
                "day": 1,
                "start_utc_us": 1_800_000_000_000_000,
                "utc_offset_s": 0,
                "start_label": "D1-08:00:00",
                "end_label": "D1-08:00:10",
                "duration_us": DURATION_US,
                "stream_start_us": 0,
                "stream_end_us": DURATION_US,
                "start_source": "container",
                "doubtful": False,
            }
        ],
        "streams": [
            {
                "participant_id": person,
                "stream_id": f"stream-{person}",
                "recordings": 1,
                "recorded_us": DURATION_US,
                "spanned_us": DURATION_US,
                "lifelong": False,
                "unit_us": SECOND_US,
            }
        ],
        "clips": [
            {
                **recording,
                "clip_id": f"{recording_id(person)[:16]}/0",
                "stream_id": f"stream-{person}",
                "start_us": 0,
                "end_us": DURATION_US,
                "deidentified_sha256": media[MediaRole.DEIDENTIFIED].sha256,
                "proxy_sha256": media[MediaRole.PROXY].sha256,
            }
        ],
        "words": [
            {
                **recording,
                "word_index": 0,
                "text": "cup",
                **times,
                "speaker": person,
                "confidence": 0.5,
                "timing": "aligned",
                "mendings": [],
                "revision": 0,
                "engine": "ear",
                "redacted": False,
            }
        ],
        "masks": [
            {
                **recording,
                "referent_id": "r1",
                "pts_us": SECOND_US,
                "height_px": 360,
                "width_px": 640,
                "rle": "0",
                "area_share": 0.1,
                "flags": ["small"],
                "engine": "grabcut",
            }
        ],
        "drafts": [draft],
        "questions": [{**question, "source_index": 0, "due_us": 3 * SECOND_US}],
        "options": [
            {
                "participant_id": person,
                "question_id": f"question-{person}",
                "option_index": index,
                "letter": letter,
                "text": text,
            }
            for index, (letter, text) in enumerate(zip("AB", draft["options"], strict=True))
        ],
        "evidence": [
            {
                "participant_id": person,
                "question_id": f"question-{person}",
                "evidence_index": 0,
                "stream_id": f"stream-{person}",
                **draft["evidence"][0],
            }
        ],
        "reviews": [
            {
                "participant_id": person,
                "review_id": f"review-{person}",
                "sequence": 1,
                "item_kind": "draft",
                "item_id": draft["draft_id"],
                "revision": 0,
                "content_digest": draft["content_digest"],
                "reviewer": "r1",
                "decision": "accept",
                "reason": "",
                "seconds_spent": 3.0,
            }
        ],
    }


def media_of(store: Store) -> dict[str, dict[MediaRole, Blob]]:
    """Keep two small files a person in the public zone; return them by person and role."""
    spec = StepSpec("film", 1)

    def work(folder: Path) -> Outputs:
        files = {}
        for person in PEOPLE:
            for role in MediaRole:
                path = folder / f"{person}-{role}.mp4"
                path.write_bytes(f"{role} of {person}".encode())
                files[f"{person}/{role}"] = (path, Zone.PUBLIC)
        return Outputs(files=files)

    blobs = run_step(store, StepRequest(spec, {}), work, job="test").blobs
    return {person: {role: blobs[f"{person}/{role}"] for role in MediaRole} for person in PEOPLE}


def tables_of(store: Store) -> dict[str, pa.Table]:
    """Every table of the small benchmark; those that it does not fill are empty."""
    media = media_of(store)
    rows: dict[str, list[dict[str, Any]]] = {}
    for person in PEOPLE:
        for name, some in rows_of(person, media[person]).items():
            rows.setdefault(name, []).extend(some)
    return {name: table_from_rows(spec, rows.get(name, [])) for name, spec in TABLES.items()}


def content_of(store: Store, **changes: Any) -> ReleaseContent:
    """What a release of the small benchmark is made from."""
    names = "participants consents recordings timeline streams clips words masks questions"
    tables = tables_of(store)
    media = media_of(store)
    content = {
        "name": "small",
        "tables": {name: tables[name] for name in [*names.split(), "options", "evidence"]},
        "media": {f"{recording_id(person)[:16]}/0": media[person] for person in PEOPLE},
        "salt": "grains of salt",
        "step_versions": {"probe": 1},
        "engines": {"speech": {"name": "ear", "version": "1"}},
        "counts": {"unreviewed": 4},
    }
    return ReleaseContent(**{**content, **changes})

"""A release of two streams of eleven minutes in which doors are opened, and its run file.

In each stream a narrator opens door n at 20 n seconds; 30 questions ask about doors, two of
them openly. Doors whose number is a multiple of four are answered wrongly by the server.
"""

from pathlib import Path
from typing import Any

import yaml

from firsthand.store import TABLES, Store, table_from_rows
from firsthand.store.release_index import name_newest
from firsthand.store.releases import write_release
from tests.unit.store.small_benchmark import PEOPLE, content_of, media_of, recording_id, rows_of

S = 1_000_000
DURATION_US = 660 * S
DOORS = 30
OPEN_DOORS = (5, 14)

Row = dict[str, Any]


def write_text_release(store: Store) -> str:
    """Write the release and make it the newest of the benchmark `doors`; return its id."""
    media = media_of(store)
    rows: dict[str, list[Row]] = {}
    for person in PEOPLE:
        for name, some in _rows(person, rows_of(person, media[person])).items():
            rows.setdefault(name, []).extend(some)
    tables = {name: table_from_rows(TABLES[name], some) for name, some in rows.items()}
    release = write_release(store, content_of(store, name="doors", tables=tables))
    name_newest(store, "doors", release.release_id)
    return release.release_id


def _rows(person: str, small: dict[str, list[Row]]) -> dict[str, list[Row]]:
    owner = {"participant_id": person, "recording_id": recording_id(person)}
    (question,) = small["questions"]
    return {
        "participants": small["participants"],
        "consents": small["consents"],
        "recordings": [{**small["recordings"][0], "duration_us": DURATION_US}],
        "timeline": [
            {**small["timeline"][0], "duration_us": DURATION_US, "stream_end_us": DURATION_US}
        ],
        "streams": [{**small["streams"][0], "recorded_us": DURATION_US, "spanned_us": DURATION_US}],
        "clips": [{**small["clips"][0], "end_us": DURATION_US}],
        "narrations": [
            {
                **owner,
                "narration_index": door,
                "begin_us": 20 * door * S,
                "end_us": (20 * door + 2) * S,
                "text": f"Door {door} is opened by {person}.",
                "source": "imported",
            }
            for door in range(DOORS)
        ],
        "questions": [
            {
                **question,
                "question_id": f"{person}-door-{door}",
                "question_type": "open_ended" if door in OPEN_DOORS else "binary",
                "text": f"Door {door} was opened.",
                "answer": ["yes, it was"] if door in OPEN_DOORS else ["true"],
                "required_modalities": ["narration"],
                "source_index": door,
                "due_us": (20 * door + 3) * S,
            }
            for door in range(DOORS)
        ],
        "evidence": [
            {
                "participant_id": person,
                "question_id": f"{person}-door-{door}",
                "evidence_index": 0,
                "stream_id": question["stream_id"],
                "begin_us": 20 * door * S,
                "end_us": (20 * door + 2) * S,
            }
            for door in range(DOORS)
        ],
    }


def run_file(folder: Path, url: str, *more: dict[str, object]) -> Path:
    """Write a run file of two baselines and a model at `url`, judged by a model there.

    Args:
        folder: Where it is written.
        url: Address of the models.
        more: Further subjects.
    """
    path = folder / "doors.yaml"
    model = {"revision": "weights-1", "base_url": url, "timeout_s": 20, "attempts": 3}
    spec = {
        "schema_version": 1,
        "name": "doors",
        "benchmark": "doors",
        "subjects": [
            {"name": "transcript", "kind": "transcript", "declared_latency_s": 1.0},
            {"name": "dice", "kind": "random", "declared_latency_s": 1.0, "seed": 3},
            {
                "name": "model",
                "kind": "litellm",
                "model": "openai/doors",
                "declared_latency_s": 1.0,
                "price": {"input_usd_per_million": 1, "output_usd_per_million": 1},
                **model,
            },
            *more,
        ],
        "judge": {"model": "openai/judge", **model},
        "rule_sets": ["paper", "official"],
    }
    path.write_text(yaml.safe_dump(spec), encoding="utf-8")
    return path

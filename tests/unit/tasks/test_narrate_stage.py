"""The stage of narrations: what was imported stays known, what people made of it counts."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import yaml

from firsthand.curation.narration_items import narration_items
from firsthand.store import Receipt, Store, Zone
from firsthand.store.reviews import ReviewStore
from tasks.items import Recording, SourceFile
from tasks.job import Job
from tasks.stage import run_items
from tasks.stages.narrate import NARRATE_STAGE
from tasks.table_owners import TABLES_OF_STAGE
from tests.unit.curation.deciding import changes

SAMPLE = Path(__file__).parents[3] / "data/samples/benchmark.yaml"
LENGTH_US = 10_000_000


def job_in(folder: Path) -> Job:
    (folder / "recordings").mkdir()
    (folder / "walk.srt").write_text("1\n00:00:01,000 --> 00:00:03,000\nA cup.\n", "utf-8")
    person = {"participant_id": "P1", "recordings": "recordings", "consents": []}
    content = yaml.safe_load(SAMPLE.read_text("utf-8"))
    content["participants"] = [person | {"time_zone": "UTC", "narrations": ["walk.srt"]}]
    for key in ("annotations", "review", "truth"):
        content.pop(key, None)
    spec = folder / "benchmark.yaml"
    spec.write_text(yaml.safe_dump(content, sort_keys=False), "utf-8")
    return Job("test", folder / "store", spec)


def told(job: Job, zone: Zone) -> list[tuple[Any, ...]]:
    source = SourceFile("P1", Path("recordings/walk.mp4"), "0" * 64, 1)
    recording = Recording(source, LENGTH_US)
    (receipt,) = run_items(NARRATE_STAGE, job, [recording])
    assert isinstance(receipt, Receipt), receipt
    assert {(part.table, part.zone) for part in receipt.parts} == set(TABLES_OF_STAGE["narrate"])
    (part,) = receipt.parts_of("narrations", zone)
    rows = pq.read_table(job.store.root / part.path).to_pylist()
    return [(row["narration_index"], row["text"], row["begin_us"], row["source"]) for row in rows]


def test_accepted_narrations_count_from_the_next_build_on(tmp_path: Path) -> None:
    job = job_in(tmp_path)
    imported = [(0, "A cup.", 1_000_000, "imported")]
    assert told(job, Zone.PUBLIC) == told(job, Zone.PRIVATE) == imported
    name = SourceFile("P1", Path("walk.mp4"), "0" * 64, 1).recording_id
    row: dict[str, Any] = {
        "narration_index": 0,
        "begin_us": 1_000_000,
        "end_us": 3_000_000,
        "text": "A cup.",
    }
    (item,) = narration_items(name, [{**row, "source": "imported"}], LENGTH_US)
    drawer = [500_000, 900_000, "A drawer opens.", "typed"]
    cup = [1_000_000, 3_000_000, "A cup.", "imported"]
    reviews = ReviewStore.open(Store.opened(tmp_path / "store").reviews)
    reviews.replay(changes(item, narrations=[drawer, cup]))
    assert told(job, Zone.PRIVATE) == imported
    assert told(job, Zone.PUBLIC) == [
        (0, "A drawer opens.", 500_000, "typed"),
        (1, "A cup.", 1_000_000, "imported"),
    ]

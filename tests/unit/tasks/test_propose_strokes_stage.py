"""Clips are set up and strokes proposed; nothing proposed counts before a person says so."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml

from firsthand.curation.stroke_items import stroke_items
from firsthand.masks.hands import HAND_DETECTORS, Palm
from firsthand.store import Outputs, Receipt, StepRequest, StepSpec, Zone, run_step, table_from_rows
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import WORDS
from tasks.items import Recording, SourceFile
from tasks.stage import Failure, run_items
from tasks.stages.mask import MASK_STAGE
from tasks.stages.propose_strokes import PROPOSE_STROKES_STAGE
from tasks.table_owners import TABLES_OF_STAGE
from tests.unit.curation.deciding import changes, decides
from tests.unit.deid.drawn_recordings import BRIGHT, Picture, write_recording
from tests.unit.endpoints.chat_server import ChatServer, chat_server, says
from tests.unit.tasks.small_job import job_over

SECOND_US = 1_000_000
PLACE = {"label": "table", "kind": "space"}
DISTRACTORS = ["spoon", "plate", "lemon", PLACE]
SET_UP: dict[str, Any] = {
    "file": "P1/clip.mp4",
    "template": 3,
    "language": "en",
    "referents": [
        {"referent_id": "R1", "label": "red cup", "kind": "object"},
        {"referent_id": "R2", "label": "shelf", "kind": "space"},
    ],
    "distractors": DISTRACTORS,
    "seed": 11,
}
Rows = list[dict[str, Any]]


def _with_square(y_px: int) -> Picture:
    """Return a dark picture with a bright square, 20 pixels wide, at a height."""
    drawn = np.zeros((160, 192, 3), np.uint8)
    drawn[y_px - 10 : y_px + 10, 86:106] = BRIGHT
    return drawn


@HAND_DETECTORS.register("bright-square")
class BrightSquare:
    """Takes what is bright for a palm, so that its place is known by how it was drawn."""

    identity: Mapping[str, str] = MappingProxyType({"name": "bright-square", "version": "1"})

    def palms(self, picture_rgb: Picture) -> tuple[Palm, ...]:
        rows, columns = np.nonzero(picture_rgb.min(axis=2) > BRIGHT // 2)
        return (Palm(float(columns.mean()), float(rows.mean()), 20.0, 1.0),) if len(rows) else ()


@pytest.fixture(scope="module")
def chat() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


class Clip:
    """A job over one recording of four seconds, in which somebody says a sentence."""

    def __init__(self, folder: Path, text: str, **set_up: Any) -> None:
        (folder / "recordings").mkdir()
        self.job = job_over(folder)
        self.change("annotations", {"clips": "clips.jsonl"})
        self.change("engines", self._engines() | {"hands": None, "masks": "grabcut"})
        line = json.dumps(SET_UP | set_up) + "\n"
        (folder / "clips.jsonl").write_text(line, encoding="utf-8")
        source = SourceFile("P1", folder / "recordings/clip.mp4", "0" * 64, 1)
        recording = Recording(source, 4 * SECOND_US)
        recording = recording.after("attribute_voices", self._heard(recording, text))
        self.recording = recording.after(
            "deidentify", self._stream(folder, np.zeros((36, 64, 3), np.uint8))
        )

    def change(self, key: str, value: object) -> None:
        path = self.job.spec_path
        spec = yaml.safe_load(path.read_text("utf-8")) | {key: value}
        text = yaml.safe_dump(spec).replace("'2026-05-01'", "2026-05-01")
        path.write_text(text, encoding="utf-8")

    def with_moving_hand(self, folder: Path) -> None:
        """Let a hand rise for a second, hold for one and a half, and sink."""
        still_px, low_px = 60, 120
        heights = [*range(low_px, still_px, -2), *[still_px] * 45, *range(still_px, low_px, 2)]
        pictures = {y: _with_square(y) for y in set(heights)}
        path = write_recording(folder / "moving.mp4", (pictures[y] for y in heights))
        self.recording = self.recording.after("deidentify", self._kept("deidentify", path, {}))
        self.change("engines", self._engines() | {"hands": "bright-square"})

    def proposed(self) -> Receipt | Failure:
        (outcome,) = run_items(PROPOSE_STROKES_STAGE, self.job, [self.recording])
        return outcome

    def rows(self, table: str) -> Rows:
        outcome = self.proposed()
        assert isinstance(outcome, Receipt), outcome
        return self.read(outcome, table, Zone.PUBLIC)

    def masked(self) -> Receipt:
        proposed = self.proposed()
        assert isinstance(proposed, Receipt)
        return MASK_STAGE.run(self.job, self.recording.after("propose_strokes", proposed))

    def read(self, receipt: Receipt, table: str, zone: Zone) -> Rows:
        (part,) = receipt.parts_of(table, zone)
        return list(pq.read_table(self.job.store.root / part.path).to_pylist())

    def _engines(self) -> dict[str, Any]:
        return dict(yaml.safe_load(self.job.spec_path.read_text("utf-8"))["engines"])

    def _heard(self, recording: Recording, text: str) -> Receipt:
        common = {**recording.keys, "confidence": 0.9, "timing": "aligned", "mendings": []}
        rows = [
            common
            | {"word_index": n, "text": word, "speaker": "P1", "revision": 0, "engine": "any"}
            | {"begin_us": n * 400_000, "end_us": n * 400_000 + 300_000, "redacted": not word}
            for n, word in enumerate(text.split(" "))
        ]
        tables = {WORDS: rows}
        return self._kept("attribute_voices", None, tables)

    def _stream(self, folder: Path, picture: Any) -> Receipt:
        path = write_recording(folder / "stream.mp4", [picture] * 2)
        return self._kept("deidentify", path, {})

    def _kept(self, step: str, stream: Path | None, tables: dict[Any, Rows]) -> Receipt:
        outputs = Outputs(
            tables=tuple((s, Zone.PUBLIC, table_from_rows(s, rows)) for s, rows in tables.items()),
            files={} if stream is None else {"stream": (stream, Zone.PUBLIC)},
        )
        request = StepRequest(StepSpec(step, 1), {"of": str(stream)}, subject="clip")
        return run_step(self.job.store, request, lambda _: outputs, job=self.job.name)


def test_a_clip_is_set_up_and_its_phrases_are_aligned_by_rules(tmp_path: Path) -> None:
    clip = Clip(tmp_path, "Put this cup here please")
    (set_up,) = clip.rows("clip_setups")
    assert (set_up["level"], set_up["referents"], set_up["seed"]) == ("L3", 2, 11)
    options = clip.rows("clip_options")
    things = ["spoon", "plate", "lemon", "red cup"]
    assert sorted(row["text"] for row in options) == sorted([*things, "shelf", "table"])
    assert "".join(row["letter"] for row in options) == "ABCDab"
    assert {row["text"] for row in options if row["letter"].islower()} == {"shelf", "table"}
    assert {row["text"]: row["positions"] for row in options if row["positions"]} == {
        "red cup": [1],
        "shelf": [2],
    }
    proposals = clip.rows("stroke_proposals")
    assert [(row["phrase"], row["aligned_by"], row["basis"]) for row in proposals] == [
        ("this cup", "rules", "phrase"),
        ("here", "rules", "phrase"),
    ]
    assert (proposals[0]["phrase_begin_us"], proposals[0]["phrase_end_us"]) == (400_000, 1_100_000)
    outcome = clip.proposed()
    assert isinstance(outcome, Receipt)
    written = {(part.table, part.zone) for part in outcome.parts}
    assert written == set(TABLES_OF_STAGE["propose_strokes"])


def test_what_is_proposed_counts_only_when_a_person_accepts_or_sets_it(tmp_path: Path) -> None:
    clip = Clip(tmp_path, "Put this cup here please")
    before = clip.masked()
    assert clip.read(before, "strokes", Zone.PUBLIC) == []
    referents = clip.read(before, "referents", Zone.PUBLIC)
    assert [(row["label"], row["kind"], row["phrase"]) for row in referents] == [
        ("red cup", "object", ""),
        ("shelf", "space", ""),
    ]
    made = clip.read(before, "strokes", Zone.PRIVATE)
    assert {row["annotator"] for row in made} == {"proposed"}
    first, second = stroke_items(made, clip.read(before, "referents", Zone.PRIVATE))
    assert first.content["phrase"] == "this cup"
    reviews = ReviewStore.open(clip.job.store.reviews)
    reviews.replay([decides(first, "accept", "anna"), *changes(second, begin_us=1_250_000)])
    after = clip.masked()
    strokes = {row["referent_id"]: row for row in clip.read(after, "strokes", Zone.PUBLIC)}
    assert (strokes["R1"]["annotator"], strokes["R2"]["annotator"]) == ("anna", "r1")
    assert strokes["R2"]["begin_us"] == 1_250_000
    referents = clip.read(after, "referents", Zone.PUBLIC)
    assert [row["phrase"] for row in referents] == ["this cup", "here"]


def test_a_model_is_asked_where_the_rules_find_too_few(chat: ChatServer, tmp_path: Path) -> None:
    clip = Clip(tmp_path, "Put the one over yonder please")
    assert {row["basis"] for row in clip.rows("stroke_proposals")} == {"nothing"}
    chat.plan = [says('{"phrases": [[1, 2], [3, 4]]}')]
    model = {"model": "openai/aligner", "revision": "1", "base_url": chat.url}
    clip.change("deictic_model", model)
    proposals = clip.rows("stroke_proposals")
    assert [(row["phrase"], row["aligned_by"]) for row in proposals] == [
        ("the one", "openai/aligner"),
        ("over yonder", "openai/aligner"),
    ]
    assert len(chat.requests) == 1


def test_a_silent_gesture_is_proposed_where_the_hand_is_held_still(tmp_path: Path) -> None:
    lone = {"template": 1, "referents": SET_UP["referents"][:1]}
    clip = Clip(tmp_path, "", **lone, distractors=[*DISTRACTORS, "shelf"])
    clip.with_moving_hand(tmp_path)
    (found,) = clip.rows("stroke_proposals")
    assert (found["phrase"], found["basis"]) == ("", "hand")
    # Drawn to hold from 1.0 to 2.5 s; a frame in two is looked at and speeds are smoothed.
    assert found["begin_us"] == pytest.approx(1_000_000, abs=250_000)
    assert found["end_us"] == pytest.approx(2_500_000, abs=250_000)
    assert found["begin_us"] <= found["stillest_us"] <= found["end_us"]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"template": 4}, "referents object, space"),
        ({"template": 7}, "template 7"),
        ({"distractors": DISTRACTORS[:2]}, "4 options"),
        ({"distractors": [*DISTRACTORS, "Red cup"]}, "say the same"),
    ],
)
def test_a_set_up_that_is_no_fair_choice_is_refused_by_its_file(
    tmp_path: Path, change: dict[str, Any], found: str
) -> None:
    outcome = Clip(tmp_path, "Put this cup here", **change).proposed()
    assert isinstance(outcome, Failure)
    assert outcome.error == "ClipSetUpError"
    assert "P1/clip.mp4" in outcome.reason
    assert found in outcome.reason

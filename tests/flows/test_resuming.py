"""Nothing is lost or paid for twice: kills, repetitions, removed and changed inputs.

And what a build makes is what an evaluation asks with: a release carries its clips' options.
"""

import json
import random
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from firsthand.store import read_table, scopes_of
from firsthand.store.journal import summarise
from firsthand.store.tables import RUNS, TABLES, VERDICTS
from tests.flows.orchestrator import orchestrator
from tests.flows.workplace import Workplace
from tests.unit.endpoints.chat_server import Planned, chat_server, says
from tests.unit.subjects.endpoints import prompt_of
from tests.unit.subjects.workshop import said
from tests.unit.tasks.evaluate_here import evaluate_here

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

PER_RECORDING = {
    "probe",
    "transcribe",
    "attribute_voices",
    "find_faces",
    "deidentify",
    "narrate",
    "cut_clips",
    "mask",
}


BROKEN = "P1/VID_20260503_181500.mp4"


def test_a_second_build_tries_again_only_what_was_set_aside_and_its_state_names_it(
    built: Workplace,
) -> None:
    with orchestrator(built.folder / "state") as api:
        again = replace(built, api=api.url)
        assert again.build() == 3
        second, first = api.flow_runs()
        tried = api.tasks_of(second)
    summary = summarise(built.last_journal())
    assert summary.engine_calls == {}
    assert summary.executed == 0
    assert summary.reused > 0
    assert tried == {"probe (here)"}
    release_id = built.manifest()["release_id"]
    for run in (first, second):
        assert run["state"]["type"] == "COMPLETED"
        assert run["state"]["message"] == (
            f"Release {release_id}; set aside 1: {BROKEN} (probe: UnreadableMediaError)"
        )


def test_a_build_killed_at_three_moments_ends_with_the_undisturbed_release(
    built: Workplace, new_workplace: Callable[[str], Workplace]
) -> None:
    undisturbed = built.manifest()
    total = len({line.key for line in built.executed()})
    draw = random.Random(20261130)
    killed = new_workplace("killed")
    for _ in range(3):
        killed.kill_after(draw.randint(1, total // 3))
    assert killed.build() == 3, killed.output()
    assert killed.manifest()["digest"] == undisturbed["digest"]
    assert killed.manifest()["files"] == undisturbed["files"]


def test_every_committed_table_has_each_key_once(built: Workplace) -> None:
    for name, spec in TABLES.items():
        pointers = (built.store.root / "pointers").glob(f"*/small/{name}.json")
        for pointer in pointers:
            zone = pointer.parent.parent.name
            parts = sorted((built.store.root / zone / "tables" / name).glob("*/part-*.parquet"))
            keys = [
                tuple(row[column] for column in spec.key)
                for part in parts
                for row in pq.read_table(part).select(spec.key).to_pylist()
            ]
            assert len(keys) == len(set(keys)), name


def test_removing_a_clip_redoes_only_what_depends_on_it(built: Workplace, tmp_path: Path) -> None:
    workplace = _copy_of(built, tmp_path)
    (workplace.folder / "benchmark/recordings/P1/VID_20260503_093025.mp4").unlink()
    assert workplace.build() == 3, workplace.output()
    redone = {line.step for line in workplace.last_journal() if line.executed}
    assert redone.isdisjoint(PER_RECORDING)
    streams = {
        line.subject for line in workplace.last_journal() if line.executed and line.step == "place"
    }
    assert streams == {"P1.stream"}
    assert summarise(workplace.last_journal()).engine_calls == {}


def test_changing_a_byte_of_a_clip_redoes_that_clip_alone(built: Workplace, tmp_path: Path) -> None:
    workplace = _copy_of(built, tmp_path)
    clip = workplace.folder / "benchmark/recordings/P1/VID_20260503_093025.mp4"
    original = clip.read_bytes()
    # The minor version of the container's brand: bytes 12 to 15 of the first box.
    changed = original[:15] + bytes([original[15] ^ 1]) + original[16:]
    clip.write_bytes(changed)
    assert workplace.build() == 3, workplace.output()
    executed = [line for line in workplace.last_journal() if line.executed]
    subjects = {line.subject for line in executed if line.step in PER_RECORDING}
    assert len(subjects) == 1
    assert {line.step for line in executed} >= {"probe", "transcribe", "find_faces", "deidentify"}


def test_a_release_carries_the_options_that_its_clips_were_set_up_with_and_they_are_put(
    built: Workplace, tmp_path: Path
) -> None:
    workplace = _copy_of(built, tmp_path)
    lines = (workplace.folder / "benchmark/annotations/clips.jsonl").read_text().splitlines()
    meant = {
        frozenset((*named, *line["distractors"])): named
        for line in map(json.loads, lines)
        if (named := tuple(one["label"] for one in line["referents"]))
    }

    def answered(request: Any) -> Planned:
        """Choose what is meant; where and when it is pointed at are guesses."""
        letters = _letters_in(prompt_of(request))
        labels = meant[frozenset(letters)]
        return says(said(*((letters[label], (1, 1), 0) for label in labels)))

    with chat_server() as chat:
        chat.answering = answered
        evaluate_here(_grounding_run(tmp_path, chat.url), workplace.store.root, 10)
        assert len(chat.requests) == len(meant) == 2
    (scope,) = scopes_of(workplace.store, RUNS.name)
    (run,) = read_table(workplace.store, scope, RUNS).to_pylist()
    assert json.loads(run["policy"])["options"] == "clip_options"
    scores = {
        (row["metric"], row["score"])
        for row in read_table(workplace.store, scope, VERDICTS).to_pylist()
        if row["metric"] in ("acc_cls", "acc_s")
    }
    assert scores == {("acc_cls", 1.0), ("acc_s", 0.0)}


def _letters_in(prompt: str) -> dict[str, str]:
    told = prompt.partition("Options:\n")[2].partition("\n\n")[0]
    return {text: letter for letter, text in re.findall(r"^(\w)\. (.+)$", told, re.MULTILINE)}


def _grounding_run(folder: Path, url: str) -> Path:
    spec = {
        "schema_version": 1,
        "name": "pointing",
        "benchmark": "small",
        "protocol": {"name": "grounding", "stacks": ["frames_text"], "fps": [1]},
        "subjects": [
            {
                "name": "model",
                "kind": "litellm",
                "model": "openai/m",
                "revision": "w1",
                "base_url": url,
                "receives": ["video", "speech"],
                "declared_latency_s": 1.0,
            }
        ],
        "rule_sets": ["paper"],
    }
    path = folder / "run.yaml"
    path.write_text(yaml.safe_dump(spec), encoding="utf-8")
    return path


def _copy_of(built: Workplace, folder: Path) -> Workplace:
    """Return a copy of a built workplace; the store finds its own files wherever it lies."""
    copied = folder / "copied"
    ignored = shutil.ignore_patterns("state", "catalog.duckdb*")
    shutil.copytree(built.folder, copied, ignore=ignored)
    return Workplace(copied)

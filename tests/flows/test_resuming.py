"""Nothing is lost or paid for twice: kills, repetitions, removed and changed inputs."""

import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from firsthand.store.journal import summarise
from firsthand.store.tables import TABLES
from tests.flows.orchestrator import orchestrator
from tests.flows.workplace import Workplace

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


def _copy_of(built: Workplace, folder: Path) -> Workplace:
    """Return a copy of a built workplace; the store finds its own files wherever it lies."""
    copied = folder / "copied"
    ignored = shutil.ignore_patterns("state", "catalog.duckdb*")
    shutil.copytree(built.folder, copied, ignore=ignored)
    return Workplace(copied)

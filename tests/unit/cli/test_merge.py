"""`firsthand merge` over a release: one video a participant, its timeline beside it."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from typer.testing import CliRunner

from firsthand.cli.main import app
from firsthand.core.errors import UnknownNameError
from firsthand.media.frames import decoded_frames
from firsthand.media.probe import probe
from firsthand.store import Outputs, StepRequest, StepSpec, Store, Zone, run_step
from firsthand.store.releases import MediaRole, write_release
from tests.unit.store.small_benchmark import DURATION_US, PEOPLE, content_of, recording_id

CASES = Path(__file__).parents[2] / "cases"
FILM = CASES / "02-vfr-index-vs-time/vfr.mp4"


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """The small benchmark's release, its clips real films."""
    store = Store.opened(tmp_path / "store")

    def keep(folder: Path) -> Outputs:
        film = folder / "film.mp4"
        film.write_bytes(FILM.read_bytes())
        return Outputs(files={"film": (film, Zone.PUBLIC)})

    film = run_step(store, StepRequest(StepSpec("film", 2), {}), keep, job="test").blobs["film"]
    content = content_of(store)
    clips = content.tables["clips"]
    digests = dict.fromkeys(("deidentified_sha256", "proxy_sha256"), film.sha256)
    rows = [{**row, **digests} for row in clips.to_pylist()]
    tables = {**content.tables, "clips": pa.Table.from_pylist(rows, schema=clips.schema)}
    media = {f"{recording_id(person)[:16]}/0": dict.fromkeys(MediaRole, film) for person in PEOPLE}
    return write_release(store, replace(content, tables=tables, media=media)).path


def test_each_stream_becomes_a_video_with_its_timeline(release: Path, tmp_path: Path) -> None:
    out = tmp_path / "merged"
    result = CliRunner().invoke(app, ["merge", str(release), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in out.iterdir()) == [
        f"{kind}_{person}.{suffix}"
        for kind, suffix in (("merged", "mp4"), ("timeline", "json"))
        for person in PEOPLE
    ]
    merged = [one.pts_us for one in decoded_frames(out / "merged_p1.mp4")]
    assert merged == [one.pts_us for one in decoded_frames(FILM)]
    assert probe(out / "merged_p1.mp4").tags == ()
    released = release / "timelines/timeline_p1.json"
    assert (out / "timeline_p1.json").read_bytes() == released.read_bytes()
    content = json.loads(released.read_text())
    ((name, entry),) = content["mapping_by_input_label"].items()
    assert (release / "media/deidentified" / name).is_file()
    assert entry == {
        "start_label": "D1-08:00:00",
        "end_label": "D1-08:00:10",
        "merged_offset_start_seconds": 0.0,
        "merged_offset_end_seconds": DURATION_US / 1e6,
    }


def test_one_participant_or_the_timelines_alone_can_be_asked_for(
    release: Path, tmp_path: Path
) -> None:
    out = tmp_path / "merged"
    words = ["merge", str(release), "--out", str(out), "--participant", "p2", "--timelines-only"]
    assert CliRunner().invoke(app, words).exit_code == 0
    assert [path.name for path in out.iterdir()] == ["timeline_p2.json"]


def test_an_unknown_participant_is_named_with_those_there_are(
    release: Path, tmp_path: Path
) -> None:
    words = ["merge", str(release), "--out", str(tmp_path / "merged"), "--participant", "p3"]
    result = CliRunner().invoke(app, words)
    assert isinstance(result.exception, UnknownNameError)
    assert "one of p1, p2" in str(result.exception)

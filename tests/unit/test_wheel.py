"""The built wheel alone: what it holds, what it imports, and that it scores."""

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from firsthand.formats.textfile import write_json

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/golden/teleego_metrics"
UV = Path(sys.executable).parent / "uv"
ORCHESTRATION = {"pandas", "torch", "prefect", "dask", "distributed"}
USED_LATER = {"scipy", "duckdb", "pyarrow", "PIL", "typer"}

pytestmark = pytest.mark.slow


def _uv(*arguments: object) -> None:
    """Run uv from its cache, which making the environment has filled; else from the index."""
    command = [str(UV), *map(str, arguments), "--quiet"]
    offline = subprocess.run([*command, "--offline"], check=False, capture_output=True, cwd=ROOT)
    if offline.returncode:
        subprocess.run(command, check=True, cwd=ROOT)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    _uv("build", "--wheel", "--out-dir", folder)
    (path,) = folder.glob("firsthand-*.whl")
    return path


@pytest.fixture(scope="module")
def empty(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and its base dependencies, and nothing else."""
    folder = tmp_path_factory.mktemp("empty") / "env"
    _uv("venv", folder, "--python", sys.executable)
    locked = ("--constraint", ROOT / "requirements.lock")
    _uv("pip", "install", "--python", folder / "bin/python", *locked, wheel)
    return folder


def _python(env: Path, code: str, cwd: Path) -> Any:
    command = [str(env / "bin/python"), "-I", "-c", code]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _firsthand(env: Path, cwd: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [str(env / "bin/firsthand"), *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=cwd)


def _score(env: Path, cwd: Path, *arguments: object) -> Any:
    done = _firsthand(env, cwd, "score", *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_wheel_holds_the_library_and_nothing_of_the_checkout(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    assert tops == {"firsthand", f"{wheel.name.split('-py3')[0]}.dist-info"}


def test_metrics_import_numpy_and_nothing_heavier(empty: Path, tmp_path: Path) -> None:
    loaded = set(
        _python(
            empty,
            "import firsthand.metrics, json, sys; print(json.dumps(sorted(sys.modules)))",
            tmp_path,
        )
    )
    assert "numpy" in loaded
    assert not loaded & (ORCHESTRATION | USED_LATER)


def test_the_environment_holds_no_orchestrator(empty: Path, tmp_path: Path) -> None:
    code = (
        "import importlib.util, json;"
        f"print(json.dumps([n for n in {sorted(ORCHESTRATION)} if importlib.util.find_spec(n)]))"
    )
    assert _python(empty, code, tmp_path) == []


def test_teleego_is_scored_from_files_and_from_a_store(empty: Path, tmp_path: Path) -> None:
    shutil.copytree(GOLDEN / "outputs/alpha_full", tmp_path / "outputs/alpha_full")
    shutil.copytree(GOLDEN / "QAs", tmp_path / "QAs")
    files = ("--outputs", "outputs", "--qa", "QAs")
    expected = json.loads((GOLDEN / "expected/rta_alpha_full.json").read_text("utf-8"))
    (report,) = _score(empty, tmp_path, "teleego", *files, "--rules", "official")
    assert report["rows"][0]["value"] == pytest.approx(expected["Overall"]["accuracy"])
    _firsthand(empty, tmp_path, "import", "teleego", *files, "--store", "store")
    from_files = _score(empty, tmp_path, "teleego", *files)
    from_store = _score(empty, tmp_path, "teleego", "--store", "store")
    assert from_files[0]["rows"][0]["value"] == from_store[0]["rows"][0]["value"]


def test_ecog_and_mm_lifelong_are_scored(empty: Path, tmp_path: Path) -> None:
    truth: Any = {
        "object_choices": [],
        "space_choices": ["a. place"],
        "answer": [
            {
                "choice": "a",
                "stroke_begin_time": 100,
                "stroke_end_time": 200,
                "points": [[500, 500]],
            }
        ],
    }
    reply: Any = {
        "video_name": "a.mp4",
        "selected_options": ["a"],
        "point_list": [{"point": [500, 500], "timestamp": 150}],
    }
    size: Any = {"video_name": "a.mp4", "_video_width": 1920, "_video_height": 1080}
    write_json(tmp_path / "data/env/指令1/eval_gt.json", {"a.mp4": truth})
    write_json(tmp_path / "replies.json", {"predictions": [reply], "ground_truths": [size]})
    (report,) = _score(empty, tmp_path, "ecog", "--data", "data", "--predictions", "replies.json")
    assert {row["value"] for row in report["rows"]} == {100.0}
    question: Any = {
        "index": 0,
        "question": "?",
        "answer": "!",
        "total_intervals": [[0, 10]],
        "pred": {"answer": "!", "intervals": [[0, 10]]},
    }
    write_json(tmp_path / "test.json", [question])
    both = ("--questions", "test.json", "--predictions", "test.json")
    (report,) = _score(empty, tmp_path, "mm-lifelong", *both)
    assert report["rows"][0]["value"] == 100.0


def test_commands_of_the_checkout_say_that_they_need_it(empty: Path, tmp_path: Path) -> None:
    done = _firsthand(empty, tmp_path, "build", "benchmark.yaml")
    assert done.returncode != 0
    assert "checkout" in done.stderr
    assert "Traceback" not in done.stderr

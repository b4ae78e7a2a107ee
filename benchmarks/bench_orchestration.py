"""What Prefect and Dask cost on one hour of footage.

The sample clips are re-encoded into distinct copies, so that no step is reused, and built
as a user would build them. The journal says when each step's work began and ended; the
wall time in which no step of the job was at work is what orchestration (start-up of the
server and of workers included) costs.
"""

import argparse
import datetime as dt
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import yaml

_SAMPLES = Path("data/samples")
_TARGET_SHARE = 0.05
_START = dt.datetime(2026, 5, 3, 6, 0, tzinfo=dt.UTC)


def main() -> int:
    """Make the footage, build it, print the figures; 1 if the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="Footage to build.")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="Folder to work in and leave behind.")
    options = parser.parse_args()
    folder = options.keep or Path(tempfile.mkdtemp(prefix="bench-orchestration-"))
    try:
        spec = make_footage(folder / "footage", 60 * options.minutes)
        wall_s, spans = build(spec, folder / "store", options.workers)
    finally:
        if options.keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    return report(wall_s, spans, options.workers)


def make_footage(folder: Path, seconds: float) -> Path:
    """Write distinct copies of the sample clips and the benchmark file that names them."""
    spec: dict[str, Any] = yaml.safe_load((_SAMPLES / "benchmark.yaml").read_text("utf-8"))
    made_s = 0.0
    numbers = {participant["participant_id"]: 0 for participant in spec["participants"]}
    for number, (participant, source, length_s) in enumerate(_sources(spec)):
        if made_s >= seconds:
            break
        name = participant["participant_id"]
        start = _START + dt.timedelta(seconds=20 * numbers[name])
        _copy(source, folder / participant["recordings"] / f"VID_{start:%Y%m%d_%H%M%S}.mp4", number)
        numbers[name] += 1
        made_s += length_s
    _write_spec(folder, spec)
    return folder / "benchmark.yaml"


def build(spec: Path, store: Path, workers: int) -> tuple[float, list[tuple[float, float]]]:
    """Build a benchmark in a process of its own; return wall seconds and the steps' spans."""
    began_s = time.time()
    command = [sys.executable, "-m", "firsthand", "build", str(spec), "--store", str(store)]
    done = subprocess.run([*command, "--workers", str(workers)], check=False)
    wall_s = time.time() - began_s
    if done.returncode not in {0, 3}:
        raise SystemExit(f"the build ended with status {done.returncode}")
    lines = [
        json.loads(line)
        for journal in (store / "journal").glob("*.jsonl")
        for line in journal.read_text("utf-8").splitlines()
    ]
    return wall_s, [(line["began_s"], line["ended_s"]) for line in lines if line["began_s"]]


def report(wall_s: float, spans: Sequence[tuple[float, float]], workers: int) -> int:
    """Print one line a figure."""
    busy_s = sum(end - begin for begin, end in _united(spans))
    work_s = sum(end - begin for begin, end in spans)
    share = (wall_s - busy_s) / wall_s
    word = "holds" if share < _TARGET_SHARE else "short"
    print(f"{word} orchestration share of wall {share:.2%} (target < {_TARGET_SHARE:.0%})")
    idle = 1 - work_s / (workers * wall_s)
    print(f"{word} wall {wall_s:.0f} s, steps {len(spans)}, worker seconds idle {idle:.1%}")
    return 0 if word == "holds" else 1


def _sources(spec: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Path, float]]:
    truth = json.loads((_SAMPLES / spec["truth"]).read_text("utf-8"))
    usable = {
        name: entry["duration_us"] / 1e6
        for name, entry in truth["files"].items()
        if not entry.get("quarantined")
    }
    while True:
        for participant in spec["participants"]:
            for path in sorted((_SAMPLES / participant["recordings"]).glob("*.mp4")):
                length_s = usable.get(f"{participant['participant_id']}/{path.name}")
                if length_s is not None:
                    yield participant, path, length_s


def _copy(source: Path, target: Path, number: int) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    # Grain of another seed makes each copy other bytes and other pixels.
    grain = f"noise=alls=2:all_seed={number + 1}"
    command = [
        imageio_ffmpeg.get_ffmpeg_exe(),
        *("-v", "error", "-y", "-i", str(source), "-map_metadata", "-1", "-vf", grain),
        *("-c:v", "libx264", "-preset", "ultrafast", "-crf", "24", "-c:a", "copy", str(target)),
    ]
    subprocess.run(command, check=True)


def _write_spec(folder: Path, spec: dict[str, Any]) -> None:
    for participant in spec["participants"]:
        recordings = folder / participant["recordings"]
        (folder / participant["narrations"]).mkdir(parents=True, exist_ok=True)
        first = min(recordings.glob("*.mp4")).name
        participant["voice_enrolment"] = [{"file": first, "start_s": 0.0, "end_s": 10.0}]
        participant["scenarios"] = []
    spec["name"] = "bench"
    for key in ("annotations", "review", "truth"):
        spec.pop(key, None)
    (folder / "benchmark.yaml").write_text(yaml.safe_dump(spec), "utf-8")


def _united(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    united: list[tuple[float, float]] = []
    for begin, end in sorted(spans):
        if united and begin <= united[-1][1]:
            united[-1] = (united[-1][0], max(united[-1][1], end))
        else:
            united.append((begin, end))
    return united


if __name__ == "__main__":
    sys.exit(main())

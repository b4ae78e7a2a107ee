"""A small benchmark made of sample clips, and the command line run in processes of its own."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from firsthand.store import Store
from firsthand.store.journal import JournalLine, read_journal

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
# Two clips of one participant (one of them with a bystander), one of the other, and the
# file that cannot be opened.
CLIPS = {
    "P1": ("VID_20260503_093000.mp4", "VID_20260503_093025.mp4", "VID_20260503_181500.mp4"),
    "P2": ("VID_20260509_141000.mp4",),
}


@dataclass(frozen=True)
class Workplace:
    """A benchmark and a store that belong to one test.

    Args:
        folder: Where both lie, with the orchestrator's state.
        api: The orchestrator that commands report to; None lets each start its own.
    """

    folder: Path
    api: str | None = None

    @property
    def spec(self) -> Path:
        return self.folder / "benchmark" / "benchmark.yaml"

    @property
    def store(self) -> Store:
        return Store(self.folder / "store")

    def environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PREFECT", "FIRSTHAND"))}
        told = {} if self.api is None else {"PREFECT_API_URL": self.api}
        return {**kept, "FIRSTHAND_STATE": str(self.folder / "state"), **told}

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a command in a process group of its own, its output kept in a file."""
        return self.start_module("firsthand", *arguments)

    def start_module(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a module likewise."""
        with (self.folder / "output.txt").open("ab") as output:
            return subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                cwd=Path(__file__).parents[2],
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def run(self, *arguments: str) -> int:
        """Run a command to its end and return its exit status."""
        return self.start(*arguments).wait(timeout=600)

    def build(self) -> int:
        return self.run("build", str(self.spec), "--store", str(self.store.root))

    def start_build(self) -> subprocess.Popen[bytes]:
        return self.start("build", str(self.spec), "--store", str(self.store.root))

    def kill_after(self, steps: int) -> None:
        """Start a build and kill its whole process group after some executed steps."""
        before = len(self.executed())
        process = self.start_build()
        while process.poll() is None and len(self.executed()) < before + steps:
            time.sleep(0.02)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def journals(self) -> list[str]:
        """Names of the jobs so far, in order of start."""
        return sorted(path.stem for path in (self.store.root / "journal").glob("*.jsonl"))

    def last_journal(self) -> list[JournalLine]:
        return read_journal(self.store, self.journals()[-1])

    def executed(self) -> list[JournalLine]:
        """Every step that any job executed."""
        return [
            line
            for name in self.journals()
            for line in read_journal(self.store, name)
            if line.executed
        ]

    def manifest(self) -> dict[str, Any]:
        """The manifest of the newest release."""
        pointer = json.loads((self.store.root / "pointers/newest/small.json").read_text())
        path = self.store.releases / pointer["release_id"] / "manifest.json"
        manifest: dict[str, Any] = json.loads(path.read_text())
        return manifest

    def output(self) -> str:
        return (self.folder / "output.txt").read_text(errors="replace")


def free_port() -> int:
    """A loopback port that nothing listens on."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        return int(unused.getsockname()[1])


def make_benchmark(folder: Path) -> None:
    """Copy a few sample clips with what belongs to them, and write their benchmark file."""
    folder.mkdir(parents=True)
    spec: dict[str, Any] = yaml.safe_load((SAMPLES / "benchmark.yaml").read_text())
    spec["name"] = "small"
    for participant in spec["participants"]:
        name = participant["participant_id"]
        for clip in CLIPS[name]:
            _copy(f"recordings/{name}/{clip}", folder)
            srt = f"narrations/{name}/{Path(clip).stem}.srt"
            if (SAMPLES / srt).exists():
                _copy(srt, folder)
        kept = [one for one in participant["scenarios"] if one["file"] in CLIPS[name]]
        participant["scenarios"] = kept
    _copy("review/decisions.jsonl", folder)
    for kind in ("clips", "clicks", "strokes"):
        lines = (SAMPLES / f"annotations/{kind}.jsonl").read_text().splitlines()
        kept = [line for line in lines if json.loads(line)["file"].split("/")[1] in _names()]
        target = folder / "annotations" / f"{kind}.jsonl"
        target.parent.mkdir(exist_ok=True)
        target.write_text("".join(f"{line}\n" for line in kept))
    spec.pop("truth")
    (folder / "benchmark.yaml").write_text(yaml.safe_dump(spec))


def _names() -> set[str]:
    return {clip for clips in CLIPS.values() for clip in clips}


def _copy(relative: str, folder: Path) -> None:
    (folder / relative).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(SAMPLES / relative, folder / relative)

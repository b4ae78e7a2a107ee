"""Long-lived processes that `make up` starts and `make down` ends, and only those."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

__all__ = ["ProcessRecord", "read_records", "start_process", "stop_process", "write_records"]

_GRACE_S = 15.0


@dataclass(frozen=True, slots=True)
class ProcessRecord:
    """A started process.

    Args:
        role: What it does: server, worker, review.
        process_id: Its id.
        created_s: When it began, Unix seconds: ids are reused, this tells them apart.
        api_url: The API it serves or uses.
    """

    role: str
    process_id: int
    created_s: float
    api_url: str

    def process(self) -> psutil.Process | None:
        """Return the process if it is still the one that was started."""
        try:
            process = psutil.Process(self.process_id)
            same = abs(process.create_time() - self.created_s) < 1.0
        except psutil.NoSuchProcess:
            return None
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None


def start_process(
    role: str, command: Sequence[str], environment: Mapping[str, str], log: Path, api_url: str
) -> ProcessRecord:
    """Start a process in a session of its own, its output in `log`."""
    log.parent.mkdir(parents=True, exist_ok=True)
    # It outlives this process on purpose, so no object here may wait for it or miss it.
    process_id = os.posix_spawn(
        command[0],
        list(command),
        dict(environment),
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(log), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
    )
    return ProcessRecord(role, process_id, psutil.Process(process_id).create_time(), api_url)


def stop_process(record: ProcessRecord) -> bool:
    """End a recorded process and its children; False if it was gone already."""
    process = record.process()
    if process is None:
        return False
    family = [process, *process.children(recursive=True)]
    for member in family:
        _signal(member, "terminate")
    _, stubborn = psutil.wait_procs(family, timeout=_GRACE_S)
    for member in stubborn:
        _signal(member, "kill")
    return True


def read_records(path: Path) -> list[ProcessRecord]:
    """Read the records of started processes; none if nothing was started."""
    if not path.exists():
        return []
    return [ProcessRecord(**row) for row in json.loads(path.read_text(encoding="utf-8"))]


def write_records(path: Path, records: Sequence[ProcessRecord]) -> None:
    """Replace the records."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(".new")
    aside.write_text(json.dumps([asdict(record) for record in records]), encoding="utf-8")
    aside.replace(path)


def _signal(process: psutil.Process, verb: str) -> None:
    try:
        getattr(process, verb)()
    except psutil.NoSuchProcess:
        return

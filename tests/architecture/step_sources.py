"""Digests of the modules that decide what each step makes, recorded beside its version."""

import importlib.util
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

from firsthand.core.identity import digest_file, digest_json
from firsthand.store import StepSpec

__all__ = ["RECORD", "StepRecord", "complaint", "read_records", "source_digest", "write_records"]

RECORD = Path(__file__).with_name("step_sources.json")
RENEW = "python -m tests.architecture.renew_step_sources"


@dataclass(frozen=True, slots=True)
class StepRecord:
    """What was recorded of a step.

    Args:
        version: Its version then.
        digest: Digest of its sources then.
        waiver: Why the sources could change under the same version: the reason of the
            latest such change; empty if there was none.
    """

    version: int
    digest: str
    waiver: str = ""


def source_digest(spec: StepSpec) -> str:
    """Return the digest of a step's source modules, by name.

    Raises:
        ModuleNotFoundError: If a named module does not exist.
    """
    return digest_json({name: digest_file(_file_of(name)) for name in spec.sources})


def complaint(spec: StepSpec, recorded: StepRecord | None) -> str | None:
    """Return what is wrong with a step's record and what to do, or None."""
    if recorded is None:
        return f"step {spec.name!r} is not recorded: run `{RENEW}`"
    same = recorded.digest == source_digest(spec)
    if same and recorded.version == spec.version:
        return None
    if recorded.version != spec.version:
        return f"step {spec.name!r} has a new version: run `{RENEW}`"
    return (
        f"the sources of step {spec.name!r} changed and its version did not. If the same "
        f"inputs can now give another result, raise its version (tasks/*steps.py) and run "
        f'`{RENEW}`; if not, run `{RENEW} --waive {spec.name} "<why not>"`'
    )


def read_records() -> dict[str, StepRecord]:
    """Return the records by step; none if nothing was recorded yet."""
    if not RECORD.exists():
        return {}
    rows = cast("dict[str, dict[str, str]]", json.loads(RECORD.read_text(encoding="utf-8")))
    return {
        name: StepRecord(int(row["version"]), row["digest"], row["waiver"])
        for name, row in rows.items()
    }


def write_records(records: dict[str, StepRecord]) -> None:
    """Write the records, sorted, a line a fact, so that a change reads well."""
    rows = {name: asdict(records[name]) for name in sorted(records)}
    RECORD.write_text(json.dumps(rows, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _file_of(name: str) -> Path:
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"a step names {name!r} among its sources; there is none")
    return Path(found.origin)

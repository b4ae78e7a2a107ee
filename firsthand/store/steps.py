"""Steps: what is done is what the store holds a receipt for.

A step's key is the digest of everything its result depends on. Asking for a finished
step costs one small file read; asking for an unfinished one runs its work, writes the
outputs under the key and the receipt last. Two processes that run the same step write
the same files, so it does not matter which of them was first.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import cast

import pyarrow as pa

from firsthand.core.identity import Json, digest_file, digest_json
from firsthand.core.metering import metered
from firsthand.store.commits import Part, part_from_json, write_part
from firsthand.store.files import read_json, replaced_file, scratch_folder, write_json
from firsthand.store.journal import JournalLine, note
from firsthand.store.location import Store, Zone
from firsthand.store.table import TableSpec

__all__ = [
    "Blob",
    "Outputs",
    "Receipt",
    "StepRequest",
    "StepSpec",
    "damaged_outputs",
    "discard_receipt",
    "find_receipt",
    "receipt_from_json",
    "run_step",
]


@dataclass(frozen=True, slots=True)
class StepSpec:
    """A kind of step.

    Args:
        name: Verb of the field ("transcribe").
        version: Raised when the same inputs would give another result.
        sources: Modules whose code decides the result; a test holds their digest
            against the version.
    """

    name: str
    version: int
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StepRequest:
    """One step on given inputs.

    Args:
        spec: Which step.
        inputs: Digests of what it reads, by role.
        parameters: Every setting its result depends on.
        engine: Name, version and weights digest of its engine; empty without one.
        subject: What it is about (a recording id), for logs; not part of the key.
    """

    spec: StepSpec
    inputs: Mapping[str, str]
    parameters: Json = None
    engine: Mapping[str, str] = field(default_factory=dict)
    subject: str = ""

    @property
    def key(self) -> str:
        """The digest under which the result is kept."""
        return digest_json(
            {
                "step": self.spec.name,
                "version": self.spec.version,
                "inputs": dict(self.inputs),
                "parameters": self.parameters,
                "engine": dict(self.engine),
            }
        )


@dataclass(frozen=True, slots=True)
class Blob:
    """A content-addressed file in the store.

    Args:
        sha256: Its digest and name.
        suffix: File name extension with its dot.
        zone: Where it lies.
        size_bytes: Its length.
    """

    sha256: str
    suffix: str
    zone: Zone
    size_bytes: int

    def path(self, store: Store) -> Path:
        """Where the file is."""
        return store.blob(self.zone, self.sha256, self.suffix)

    def is_whole(self, store: Store) -> bool:
        """Whether the file is there with its recorded length."""
        path = self.path(store)
        return path.is_file() and path.stat().st_size == self.size_bytes


@dataclass(frozen=True, slots=True)
class Outputs:
    """What a step's work hands back.

    Args:
        tables: Rows by (table, zone).
        files: Files that the work wrote into its folder, by role and zone.
        fleeting: Roles of files that may be deleted later; the step stays done without them.
        values: Small facts that later steps read from the receipt.
    """

    tables: tuple[tuple[TableSpec, Zone, pa.Table], ...] = ()
    files: Mapping[str, tuple[Path, Zone]] = field(default_factory=dict)
    values: Mapping[str, Json] = field(default_factory=dict)
    fleeting: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof of a finished step; equal for equal inputs, whoever ran it and when.

    Args:
        step: Step name.
        key: Step key.
        subject: What it was about.
        parts: Part files it wrote.
        blobs: Blobs it wrote, by role.
        values: Small facts.
        digest: Digest of all its outputs: the input digest for steps that follow.
        fleeting: Blobs that may have been deleted since, by role.
    """

    step: str
    key: str
    subject: str
    parts: tuple[Part, ...]
    blobs: Mapping[str, Blob]
    values: Mapping[str, Json]
    digest: str
    fleeting: Mapping[str, Blob] = field(default_factory=dict)

    def is_whole(self, store: Store) -> bool:
        """Whether every output that must last is still there with its recorded length."""
        return not self.damaged(store)

    def damaged(self, store: Store) -> tuple[str, ...]:
        """Return the paths inside the store of outputs that are gone or of another length."""
        parts = [part.path for part in self.parts if not part.is_whole(store)]
        blobs = [blob.path(store) for blob in self.blobs.values() if not blob.is_whole(store)]
        return (*parts, *(path.relative_to(store.root).as_posix() for path in blobs))

    def parts_of(self, table: str, zone: Zone = Zone.PUBLIC) -> tuple[Part, ...]:
        """The parts written for one table in one zone."""
        return tuple(part for part in self.parts if part.table == table and part.zone == zone)


def run_step(
    store: Store, request: StepRequest, work: Callable[[Path], Outputs], *, job: str
) -> Receipt:
    """Return the receipt of a step, running `work` only if the store holds none.

    Args:
        store: Where results are kept.
        request: The step and everything its result depends on.
        work: Computes the outputs; it is given an empty folder for its files.
        job: Name of the journal that notes the step, its wall seconds and engine calls.
    """
    finished = find_receipt(store, request)
    if finished is not None:
        note(store, job, JournalLine(request.spec.name, request.key, request.subject))
        return finished
    damaged = damaged_outputs(store, request)
    began_s = time.time()
    with scratch_folder(store.scratch) as folder, metered() as calls:
        receipt = _keep(store, request, work(folder))
    write_json(store.receipt(request.spec.name, request.key), asdict(receipt), store.scratch)
    line = JournalLine(
        request.spec.name,
        request.key,
        request.subject,
        began_s,
        time.time(),
        dict(calls),
        damaged,
    )
    note(store, job, line)
    return receipt


def find_receipt(store: Store, request: StepRequest) -> Receipt | None:
    """Return the receipt of a finished step whose outputs are all there, or None."""
    receipt = _written_receipt(store, request)
    return receipt if receipt is not None and receipt.is_whole(store) else None


def damaged_outputs(store: Store, request: StepRequest) -> tuple[str, ...]:
    """Return the paths of a finished step's outputs that were lost or cut short since."""
    receipt = _written_receipt(store, request)
    return () if receipt is None else receipt.damaged(store)


def _written_receipt(store: Store, request: StepRequest) -> Receipt | None:
    path = store.receipt(request.spec.name, request.key)
    return receipt_from_json(read_json(path)) if path.exists() else None


def discard_receipt(store: Store, request: StepRequest) -> None:
    """Forget that a step is done, so that it runs again; its files stay until replaced."""
    store.receipt(request.spec.name, request.key).unlink(missing_ok=True)


def _keep(store: Store, request: StepRequest, outputs: Outputs) -> Receipt:
    parts = tuple(
        write_part(store, spec, rows, zone, request.key) for spec, zone, rows in outputs.tables
    )
    blobs = {
        role: _keep_blob(store, path, zone) for role, (path, zone) in sorted(outputs.files.items())
    }
    digest = digest_json(
        {
            "parts": sorted([part.table, part.zone.value, part.sha256] for part in parts),
            "blobs": {role: blob.sha256 for role, blob in blobs.items()},
            "values": dict(outputs.values),
        }
    )
    return Receipt(
        request.spec.name,
        request.key,
        request.subject,
        parts,
        {role: blob for role, blob in blobs.items() if role not in outputs.fleeting},
        outputs.values,
        digest,
        {role: blob for role, blob in blobs.items() if role in outputs.fleeting},
    )


def _keep_blob(store: Store, path: Path, zone: Zone) -> Blob:
    blob = Blob(digest_file(path), path.suffix, zone, path.stat().st_size)
    if not blob.is_whole(store):
        with replaced_file(blob.path(store), store.scratch) as temporary:
            path.replace(temporary)
    return blob


def receipt_from_json(value: Json) -> Receipt:
    """Return the receipt that `dataclasses.asdict` turned into JSON."""
    row = cast("dict[str, object]", value)
    blobs = cast("dict[str, dict[str, Json]]", row["blobs"])
    fleeting = cast("dict[str, dict[str, Json]]", row.get("fleeting", {}))
    return Receipt(
        step=str(row["step"]),
        key=str(row["key"]),
        subject=str(row["subject"]),
        parts=tuple(part_from_json(part) for part in cast("list[Json]", row["parts"])),
        blobs={role: _blob_from_json(blob) for role, blob in blobs.items()},
        values=cast("dict[str, Json]", row["values"]),
        digest=str(row["digest"]),
        fleeting={role: _blob_from_json(blob) for role, blob in fleeting.items()},
    )


def _blob_from_json(row: Mapping[str, Json]) -> Blob:
    return Blob(
        sha256=str(row["sha256"]),
        suffix=str(row["suffix"]),
        zone=Zone(str(row["zone"])),
        size_bytes=int(str(row["size_bytes"])),
    )

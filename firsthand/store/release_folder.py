"""A release's folder, read back and held against its checksums."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import cast

import pyarrow as pa
import pyarrow.parquet as pq

from firsthand.core.errors import FirsthandError
from firsthand.core.identity import Json, digest_file, digest_json
from firsthand.store.table import table_from_rows
from firsthand.store.tables import RELEASE_MANIFEST, TABLES

__all__ = [
    "MANIFEST",
    "SUMS",
    "MediaRole",
    "Release",
    "ReleaseBrokenError",
    "ReleaseCheck",
    "ReleaseContentError",
    "ReleaseFile",
    "read_release",
    "release_digest",
]

MANIFEST = "manifest.json"
SUMS = "SHA256SUMS"


class ReleaseContentError(FirsthandError):
    """Something was handed over for a release that may not be in it, or is missing from it."""


class ReleaseBrokenError(FirsthandError):
    """A release's folder is not what its checksums and its name say."""


class MediaRole(StrEnum):
    """Which of a clip's files: the de-identified one, or the small one for evaluation."""

    DEIDENTIFIED = "deidentified"
    PROXY = "proxy"


class ReleaseCheck(StrEnum):
    """How closely a release is held against its checksums when it is read."""

    DIGESTS = "digests"
    SIZES = "sizes"


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    """A file of a release.

    Args:
        path: Path inside the release, with forward slashes.
        sha256: Its digest.
        size_bytes: Its length.
        kind: `table`, `media` or `timeline`.
        rows: Row count of a table.
        clip_id: The clip that a media file shows.
        role: Which of the clip's files it is.
    """

    path: str
    sha256: str
    size_bytes: int
    kind: str
    rows: int | None = None
    clip_id: str | None = None
    role: str | None = None


@dataclass(frozen=True, slots=True)
class Release:
    """A release that was held against its checksums.

    Args:
        path: Its folder.
        release_id: Name and first twelve digits of the digest.
        digest: Digest of its contents: no times, no places.
        files: Its tables, media and timelines.
        manifest: The manifest as written.
    """

    path: Path
    release_id: str
    digest: str
    files: tuple[ReleaseFile, ...]
    manifest: Mapping[str, Json]

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables it holds, sorted."""
        return tuple(Path(file.path).stem for file in self.files if file.kind == "table")

    def table(self, name: str) -> pa.Table:
        """Return a table's released columns; no rows if the release has no such table.

        Raises:
            KeyError: If no table of that name is declared.
        """
        spec = TABLES[name]
        if name not in self.table_names:
            kept = [spec.schema.field(column) for column in spec.released_columns]
            return pa.schema(kept).empty_table()
        return pq.read_table(self.path / "tables" / f"{name}.parquet")

    def media_path(self, clip_id: str, role: MediaRole = MediaRole.PROXY) -> Path:
        """Return where a clip's file lies.

        Raises:
            ReleaseContentError: If the release has no such file.
        """
        for file in self.files:
            if file.clip_id == clip_id and file.role == role:
                return self.path / file.path
        raise ReleaseContentError(
            f"release {self.release_id}",
            f"no {role} file of clip {clip_id!r}",
            "a clip of its `clips` table",
            "Take clip ids from the release itself: they are disguised in it.",
        )

    def manifest_rows(self) -> pa.Table:
        """Return the release's rows of the `release_manifest` table."""
        columns = ("path", "sha256", "size_bytes", "kind", "rows")
        records = [
            ReleaseFile(name, digest_file(file), file.stat().st_size, "record")
            for name in (MANIFEST, SUMS)
            if (file := self.path / name)
        ]
        return table_from_rows(
            RELEASE_MANIFEST,
            (
                {"release_id": self.release_id, **{name: getattr(file, name) for name in columns}}
                for file in (*self.files, *records)
            ),
        )


def read_release(path: Path, check: ReleaseCheck = ReleaseCheck.DIGESTS) -> Release:
    """Read a release's manifest after holding its files against it.

    Args:
        path: The release's folder.
        check: `sizes` spares reading the media; for a process whose parent has checked.

    Raises:
        ReleaseBrokenError: If a file is absent, surplus or altered, or the folder's
            contents do not have the digest in its name.
    """
    sums = _read_sums(path)
    if sums.get(MANIFEST) != digest_file(path / MANIFEST):
        raise _broken(path, f"{MANIFEST} altered", f"the digest that {SUMS} records")
    manifest = cast("dict[str, Json]", json.loads((path / MANIFEST).read_bytes()))
    rows = cast("list[dict[str, Json]]", manifest["files"])
    files = tuple(ReleaseFile(**row) for row in rows)  # type: ignore[arg-type] # checked by digest
    _check_names(path, files, sums)
    for file in files:
        _check_file(path, file, sums, check)
    digest = release_digest(manifest)
    release_id = str(manifest["release_id"])
    if digest != manifest["digest"] or not release_id.endswith(f"-{digest[:12]}"):
        raise _broken(path, f"contents of digest {digest[:12]}…", f"the release {release_id}")
    return Release(path, release_id, digest, files, manifest)


def release_digest(manifest: Mapping[str, Json]) -> str:
    """Return the digest of a manifest's contents, its own id and digest left out."""
    own = ("release_id", "digest")
    return digest_json({name: value for name, value in manifest.items() if name not in own})


def _read_sums(path: Path) -> dict[str, str]:
    if not (path / SUMS).is_file() or not (path / MANIFEST).is_file():
        raise _broken(path, "a folder without them", f"a folder with {SUMS} and {MANIFEST}")
    lines = (path / SUMS).read_text(encoding="utf-8").split("\n")
    pairs = [line.split("  ", 1) for line in lines if line]
    if any(len(pair) != 2 for pair in pairs):
        raise _broken(path, f"a torn line in {SUMS}", "lines of digest, two spaces, path")
    return {name: digest for digest, name in pairs}


def _check_names(path: Path, files: tuple[ReleaseFile, ...], sums: Mapping[str, str]) -> None:
    there = {file.relative_to(path).as_posix() for file in path.rglob("*") if not file.is_dir()}
    named = {MANIFEST, *(file.path for file in files)}
    for odd in sorted((there ^ {*named, SUMS}) | (named ^ set(sums))):
        state = "surplus or unlisted" if odd in there else "absent"
        raise _broken(path, f"{odd} {state}", f"exactly the files of {MANIFEST} and {SUMS}")


def _check_file(
    path: Path, file: ReleaseFile, sums: Mapping[str, str], check: ReleaseCheck
) -> None:
    size_bytes = (path / file.path).stat().st_size
    if size_bytes != file.size_bytes:
        raise _broken(path, f"{file.path} of {size_bytes} bytes", f"{file.size_bytes} bytes")
    digest = digest_file(path / file.path) if check is ReleaseCheck.DIGESTS else file.sha256
    if not digest == file.sha256 == sums[file.path]:
        raise _broken(path, f"{file.path} altered", f"sha256 {file.sha256[:12]}…")


def _broken(path: Path, found: str, expected: str) -> ReleaseBrokenError:
    return ReleaseBrokenError(
        f"release {path.name}",
        found,
        expected,
        "Fetch the release again, or delete the folder and build it anew.",
    )

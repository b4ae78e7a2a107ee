"""Releases: immutable folders of tables, media and a manifest, named by their content."""

import errno
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq

from firsthand.core.identity import Json, canonical_json, digest_file
from firsthand.media.traces import Trace
from firsthand.store.files import scratch_folder, settle_folder
from firsthand.store.location import Store, Zone
from firsthand.store.release_folder import (
    MANIFEST,
    SUMS,
    MediaRole,
    Release,
    ReleaseBrokenError,
    ReleaseCheck,
    ReleaseContentError,
    ReleaseFile,
    read_release,
    release_digest,
)
from firsthand.store.release_rows import (
    RELEASED_TABLES,
    Substitution,
    belonging_rows,
    released_rows,
    salted_id,
    salting,
)
from firsthand.store.release_search import search_release
from firsthand.store.release_streams import released_streams, write_timelines
from firsthand.store.steps import Blob
from firsthand.store.tables import TABLES

__all__ = [
    "RELEASED_TABLES",
    "MediaRole",
    "Release",
    "ReleaseBrokenError",
    "ReleaseCheck",
    "ReleaseContent",
    "ReleaseContentError",
    "ReleaseFile",
    "read_release",
    "salted_id",
    "write_release",
]

_SCHEMA_VERSION = 1
_NEEDED_TABLES = ("clips", "participants", "questions", "streams")
_DIGEST_COLUMNS = {
    MediaRole.DEIDENTIFIED: "deidentified_sha256",
    MediaRole.PROXY: "proxy_sha256",
}


@dataclass(frozen=True, slots=True)
class ReleaseContent:
    """What a release is made from.

    Args:
        name: Name of the benchmark; leads the release's id.
        tables: Whole tables of the benchmark; rows that refer to no released clip,
            stream, participant or question are left out.
        media: By clip id: its files by role, in the public zone.
        salt: Secret with which recordings' ids are disguised.
        step_versions: Version of each step that took part.
        engines: Name, version and weights digest of each engine, by need.
        counts: What was counted on the way (drafts by review state, quarantined files).
        audit: What people found when they looked for leaks, or who went without.
        review: How far annotators agreed, what was demanded of them, and who signed.
        traces: What each original says about its origin, by recording id; nothing of it
            may be in the release.
    """

    name: str
    tables: Mapping[str, pa.Table]
    media: Mapping[str, Mapping[MediaRole, Blob]]
    salt: str = field(repr=False)
    step_versions: Mapping[str, int] = field(default_factory=dict)
    engines: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    audit: Mapping[str, Json] = field(default_factory=dict)
    review: Mapping[str, Json] = field(default_factory=dict)
    traces: Mapping[str, Sequence[Trace]] = field(default_factory=dict, repr=False)


def write_release(store: Store, content: ReleaseContent) -> Release:
    """Write a release whole, or return the one that is there; equal content, equal bytes.

    Raises:
        ReleaseContentError: If a table or file may not be released, or a clip lacks a file.
        TracesLeftError: If a file tells where, when or with what a recording was made.
        ReleaseBrokenError: If a damaged release of the same content is in the way.
    """
    _check_tables(content)
    substitute = salting(content.salt, _recording_ids(content))
    with scratch_folder(store.scratch) as folder:
        kept = replace(content, tables=belonging_rows(content.tables))
        files = [
            *_write_tables(folder, released_rows(kept.tables, substitute)),
            *_write_media(store, folder, kept, substitute),
        ]
        files += _write_timelines(folder, files)
        manifest = _manifest(content, files)
        release_id = str(manifest["release_id"])
        _write_records(folder, manifest, files)
        _search(folder, kept, files, substitute)
        target = store.releases / release_id
        try:
            settle_folder(folder, target)
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
    return read_release(target)


def _search(
    folder: Path, content: ReleaseContent, files: Sequence[ReleaseFile], substitute: Substitution
) -> None:
    owners = {
        substitute(clip["clip_id"]): clip["recording_id"]
        for clip in content.tables["clips"].select(["clip_id", "recording_id"]).to_pylist()
    }
    media = {
        folder / file.path: content.traces.get(owners[file.clip_id], ())
        for file in files
        if file.clip_id is not None
    }
    search_release(folder, media, [one for own in content.traces.values() for one in own])


def _recording_ids(content: ReleaseContent) -> set[str]:
    columns = (
        rows.column("recording_id")
        for rows in content.tables.values()
        if "recording_id" in rows.column_names
    )
    return {name for column in columns for name in column.unique().to_pylist()}


def _check_tables(content: ReleaseContent) -> None:
    surplus = sorted(set(content.tables).difference(RELEASED_TABLES))
    missing = sorted(set(_NEEDED_TABLES).difference(content.tables))
    if surplus or missing:
        raise ReleaseContentError(
            f"release of {content.name!r}",
            f"surplus tables {surplus}, missing tables {missing}",
            f"{', '.join(_NEEDED_TABLES)} and no table but {', '.join(RELEASED_TABLES)}",
            "Hand over released tables only; drafts and reviews stay in the store.",
        )
    for name, rows in content.tables.items():
        if not rows.schema.equals(TABLES[name].schema):
            raise ValueError(f"rows of {name!r} do not have the declared schema")


def _write_tables(folder: Path, tables: Mapping[str, pa.Table]) -> Iterator[ReleaseFile]:
    (folder / "tables").mkdir()
    for name, rows in tables.items():
        path = folder / "tables" / f"{name}.parquet"
        pq.write_table(rows, path, compression="zstd")
        yield _described(folder, path, "table", rows=rows.num_rows)


def _write_media(
    store: Store, folder: Path, content: ReleaseContent, substitute: Substitution
) -> Iterator[ReleaseFile]:
    clips = content.tables["clips"].select(["clip_id", *_DIGEST_COLUMNS.values()])
    for clip in clips.to_pylist():
        for role, column in _DIGEST_COLUMNS.items():
            blob = _released_blob(store, content, clip["clip_id"], role)
            if blob.sha256 != clip[column]:
                raise _media_error(clip["clip_id"], f"a {role} file of another digest")
            clip_id = substitute(clip["clip_id"])
            path = folder / "media" / role.value / f"{quote(clip_id, safe='')}{blob.suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            _link(blob.path(store), path)
            yield _described(folder, path, "media", clip_id=clip_id, role=role.value)


def _write_timelines(folder: Path, files: Sequence[ReleaseFile]) -> Iterator[ReleaseFile]:
    """Write the streams' timelines, from the tables and media that are there already."""
    written = Release(folder, "", "", tuple(files), {})
    (folder / "timelines").mkdir()
    streams = released_streams(written, MediaRole.DEIDENTIFIED)
    for path in write_timelines(streams, folder / "timelines"):
        yield _described(folder, path, "timeline")


def _released_blob(store: Store, content: ReleaseContent, clip_id: str, role: MediaRole) -> Blob:
    blob = content.media.get(clip_id, {}).get(role)
    if blob is None:
        raise _media_error(clip_id, f"no {role} file")
    if blob.zone is not Zone.PUBLIC:
        raise _media_error(clip_id, f"a {role} file in the private zone")
    if not blob.is_whole(store):
        raise _media_error(clip_id, f"a {role} file that is absent or cut short")
    return blob


def _media_error(clip_id: str, found: str) -> ReleaseContentError:
    return ReleaseContentError(
        f"clip {clip_id!r}",
        found,
        "for each role the public, de-identified file that the `clips` table names",
        "Run de-identification for this clip again, or leave the clip out.",
    )


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        # Another file system, or one without hard links.
        shutil.copyfile(source, target)


def _described(folder: Path, path: Path, kind: str, **particulars: object) -> ReleaseFile:
    relative = path.relative_to(folder).as_posix()
    return ReleaseFile(relative, digest_file(path), path.stat().st_size, kind, **particulars)  # type: ignore[arg-type] # its own fields


def _manifest(content: ReleaseContent, files: list[ReleaseFile]) -> dict[str, Json]:
    manifest: dict[str, Json] = {
        "schema_version": _SCHEMA_VERSION,
        "name": content.name,
        "files": [asdict(file) for file in files],
        "table_versions": {name: TABLES[name].version for name in content.tables},
        "step_versions": dict(content.step_versions),
        "engines": {need: dict(engine) for need, engine in content.engines.items()},
        "counts": dict(content.counts),
        "audit": dict(content.audit),
        "review": dict(content.review),
    }
    digest = release_digest(manifest)
    return {**manifest, "release_id": f"{content.name}-{digest[:12]}", "digest": digest}


def _write_records(folder: Path, manifest: Mapping[str, Json], files: list[ReleaseFile]) -> None:
    (folder / MANIFEST).write_bytes(canonical_json(manifest) + b"\n")
    sums = {file.path: file.sha256 for file in files} | {MANIFEST: digest_file(folder / MANIFEST)}
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items()))
    (folder / SUMS).write_text(lines, encoding="utf-8", newline="\n")

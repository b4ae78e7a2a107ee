"""Recordings of replies, made from what a run file names and kept in the store."""

from pathlib import Path

from firsthand.core.errors import ConfigurationError
from firsthand.formats.teleego_run import read_runs
from firsthand.store import Store, read_table, scopes_of
from firsthand.store.files import write_bytes
from firsthand.store.release_index import newest_release
from firsthand.store.releases import ReleaseCheck, read_release
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import ASKS, REPLIES, RUNS
from firsthand.subjects import ReplaySettings
from firsthand.subjects.human_baseline import human_subject_id, recording_of_person
from firsthand.subjects.recordings import Recording, recording_of_run, recording_of_teleego
from schemas.subject_specs import ReplaySpec

__all__ = ["human_settings", "replay_settings"]


def replay_settings(spec: ReplaySpec, store: Store) -> ReplaySettings:
    """Return the settings of a replay, its recording kept under its digest.

    Raises:
        ConfigurationError: If the store holds no such run.
        DataFileError: If the folder holds no run, or several, or records that break the
            format.
    """
    recording = _recording(spec, store)
    return ReplaySettings(spec.name, _kept(recording, store), recording.digest)


def human_settings(person: str, store: Store, benchmark: str | None) -> ReplaySettings:
    """Return the settings of a person's answers to the newest release of a benchmark.

    Raises:
        NoReleaseError: If there is no release.
        ReleaseBrokenError: If the release is not what its checksums say.
    """
    release = read_release(newest_release(store, benchmark), ReleaseCheck.SIZES)
    decisions = ReviewStore.open(store.reviews).decisions()
    recording = recording_of_person(release, decisions, person)
    kept = _kept(recording, store)
    return ReplaySettings(human_subject_id(person), kept, recording.digest, is_person=True)


def _kept(recording: Recording, store: Store) -> Path:
    path = store.recording(recording.digest)
    if not path.is_file():
        write_bytes(path, recording.payload, store.scratch)
    return path


def _recording(spec: ReplaySpec, store: Store) -> Recording:
    if spec.folder is not None:
        (run,) = read_runs(spec.folder)
        return recording_of_teleego(run)
    scope = f"runs/{spec.run}"
    if scope not in scopes_of(store, RUNS.name):
        raise ConfigurationError(
            f"subject {spec.name!r}, key run",
            repr(spec.run),
            "the identifier of a run in this store",
            "List them with `firsthand runs list`.",
        )
    return recording_of_run(read_table(store, scope, ASKS), read_table(store, scope, REPLIES))

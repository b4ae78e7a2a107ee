"""Recordings of replies, made from what a run file names and kept in the store."""

from firsthand.core.errors import ConfigurationError
from firsthand.formats.teleego_run import read_runs
from firsthand.store import Store, read_table, scopes_of
from firsthand.store.files import write_bytes
from firsthand.store.tables import ASKS, REPLIES, RUNS
from firsthand.subjects import ReplaySettings
from firsthand.subjects.recordings import Recording, recording_of_run, recording_of_teleego
from schemas.subject_specs import ReplaySpec

__all__ = ["replay_settings"]


def replay_settings(spec: ReplaySpec, store: Store) -> ReplaySettings:
    """Return the settings of a replay, its recording kept under its digest.

    Raises:
        ConfigurationError: If the store holds no such run.
        DataFileError: If the folder holds no run, or several, or records that break the
            format.
    """
    recording = _recording(spec, store)
    path = store.recording(recording.digest)
    if not path.is_file():
        write_bytes(path, recording.payload, store.scratch)
    return ReplaySettings(spec.name, path, recording.digest)


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

"""Finding the delivered files, and setting aside those that may not be used."""

import difflib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from firsthand.core.errors import ConfigurationError, FirsthandError
from firsthand.core.identity import digest_file, digest_json
from firsthand.core.text import same_name
from firsthand.media.chapters import chapter_runs
from schemas.benchmark_spec import BenchmarkSpec
from schemas.participant_spec import ParticipantSpec
from tasks.items import Chapter, SourceFile
from tasks.stage import Failure
from tasks.start_sidecars import START_SUFFIX, StartSidecarError, read_start_sidecar

__all__ = [
    "ConsentMissingError",
    "DuplicateRecordingError",
    "check_consent",
    "check_named",
    "check_new",
    "find_sources",
    "usable",
]

_NEEDED_CONSENTS = frozenset({"recording", "publication"})


class ConsentMissingError(FirsthandError):
    """A participant's recordings may not be processed or published."""


class DuplicateRecordingError(FirsthandError):
    """Two delivered files hold the same bytes."""


def find_sources(
    spec: BenchmarkSpec, digest: Callable[[Path], str] = digest_file
) -> tuple[list[SourceFile], list[Failure]]:
    """Return all delivered recordings in order of participant and name, and those set aside.

    Every visible file in a recordings folder counts: one that is no recording is set
    aside by the probe with its reason, so that nothing disappears without a word. Chapters
    of one recording become one source, at the first chapter's place. A start file beside a
    recording is read into it.

    Args:
        spec: The benchmark.
        digest: Digests a file's bytes.

    Raises:
        ConfigurationError: If the benchmark's file enters a start, or enrols a voice, by the
            name of a file that was not delivered.
    """
    sources: list[SourceFile] = []
    failures: list[Failure] = []
    seen: dict[str, str] = {}
    for participant in spec.participants:
        found: list[SourceFile] = []
        for source in _files(participant, digest):
            try:
                check_consent(participant)
                if not _is_start(source):
                    check_new(source, seen)
                found.append(source)
            except FirsthandError as error:
                sources.append(source)
                failures.append(_refused(source, error))
        recordings, lost = _with_starts(_recordings(_media(found)), found)
        check_named(participant, sources + recordings)
        sources += recordings
        failures += lost
    return sorted(sources, key=lambda source: source.item_id), failures


def check_consent(participant: ParticipantSpec) -> None:
    """Check that a participant's recordings may be processed and published.

    Raises:
        ConsentMissingError: If a needed consent is not recorded.
    """
    missing = _NEEDED_CONSENTS - {consent.scope for consent in participant.consents}
    if missing:
        raise ConsentMissingError(
            f"participant {participant.participant_id!r}",
            f"no consent for {', '.join(sorted(missing))}",
            f"consents for {', '.join(sorted(_NEEDED_CONSENTS))}",
            "Record the signed consent in the benchmark file, or leave the participant out.",
        )


def check_new(source: SourceFile, seen: dict[str, str]) -> None:
    """Check that no file with these bytes was met before, and remember this one.

    Args:
        source: The file.
        seen: First file met, by digest; added to.

    Raises:
        DuplicateRecordingError: If another file holds the same bytes.
    """
    first = seen.setdefault(source.media_digest, source.item_id)
    if first != source.item_id:
        raise DuplicateRecordingError(
            f"file {source.item_id}",
            f"the same bytes as {first}",
            "each recording once",
            "Remove one of the two files.",
        )


def check_named(participant: ParticipantSpec, delivered: Sequence[SourceFile]) -> None:
    """Check that what the benchmark's file says of single recordings names delivered ones.

    Raises:
        ConfigurationError: If a start or a piece of a voice names none: it would otherwise
            be without effect, and nobody would know.
    """
    names = {
        same_name(source.file_name)
        for source in delivered
        if source.participant_id == participant.participant_id
    }
    told = [("starts", one.file) for one in participant.starts]
    told += [("voice_enrolment", one.file.name) for one in participant.voice_enrolment]
    for key, name in told:
        if same_name(name) not in names:
            near = difflib.get_close_matches(same_name(name), sorted(names), n=1)
            raise ConfigurationError(
                f"{key} of participant {participant.participant_id!r}",
                f"{name!r}, which is no recording of theirs",
                "the name of a delivered file, or of the first chapter of a recording",
                f"Did you mean {near[0]!r}?" if near else "Correct the name, or remove the entry.",
            )


def usable(sources: Sequence[SourceFile], refused: Sequence[Failure]) -> list[SourceFile]:
    """Return the delivered files that were not refused."""
    names = {failure.item_id for failure in refused}
    return [source for source in sources if source.item_id not in names]


def _media(files: Sequence[SourceFile]) -> list[SourceFile]:
    return [file for file in files if not _is_start(file)]


def _is_start(file: SourceFile) -> bool:
    return file.path.name.endswith(START_SUFFIX)


def _with_starts(
    recordings: Iterator[SourceFile], files: Sequence[SourceFile]
) -> tuple[list[SourceFile], list[Failure]]:
    """Give recordings the starts told beside them; a start file of none is set aside."""
    beside = {file.path: file for file in files if _is_start(file)}
    kept: list[SourceFile] = []
    failures: list[Failure] = []
    for recording in recordings:
        told = beside.pop(recording.path.with_name(recording.path.name + START_SUFFIX), None)
        try:
            start = None if told is None else read_start_sidecar(told.path)
            kept.append(replace(recording, start=start))
        except StartSidecarError as error:
            kept.append(recording)
            failures.append(_refused(recording, error))
    for file in beside.values():
        kept.append(file)
        lost = StartSidecarError(
            f"start file {file.item_id}",
            "no recording of that name beside it, or a later chapter of one",
            f"the name of a recording's first file with {START_SUFFIX} after it",
            "Rename it, or remove it.",
        )
        failures.append(_refused(file, lost))
    return kept, failures


def _refused(source: SourceFile, error: FirsthandError) -> Failure:
    return Failure(source.item_id, "ingest", type(error).__name__, str(error))


def _recordings(files: Sequence[SourceFile]) -> Iterator[SourceFile]:
    """Put the chapters of one recording together; they lie in one folder."""
    folders: dict[Path, dict[str, SourceFile]] = defaultdict(dict)
    for file in files:
        folders[file.path.parent][file.path.name] = file
    for by_name in folders.values():
        for run in chapter_runs(by_name):
            yield _recording([by_name[name] for name in run.names], run.missing_before)


def _recording(files: Sequence[SourceFile], missing_before: tuple[int, ...]) -> SourceFile:
    first = replace(files[0], missing_before=missing_before)
    if len(files) == 1:
        return first
    return replace(
        first,
        media_digest=digest_json([file.media_digest for file in files]),
        size_bytes=sum(file.size_bytes for file in files),
        chapters=tuple(Chapter(file.path, file.media_digest) for file in files),
    )


def _files(participant: ParticipantSpec, digest: Callable[[Path], str]) -> Iterator[SourceFile]:
    paths = sorted(_listed(participant.recordings), key=lambda path: (path.name, path))
    named = Counter(path.name for path in paths)
    for path in paths:
        # Cameras count anew on each card, so the same name may come from two folders.
        several = named[path.name] > 1
        yield SourceFile(
            participant_id=participant.participant_id,
            path=path,
            media_digest=digest(path),
            size_bytes=path.stat().st_size,
            name=f"{path.parent.name}/{path.name}" if several else path.name,
        )


def _listed(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from (
                file for file in path.iterdir() if file.is_file() and not file.name.startswith(".")
            )
        else:
            yield path

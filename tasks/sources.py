"""Finding the delivered files, and setting aside those that may not be used."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from firsthand.core.errors import FirsthandError
from firsthand.core.identity import digest_file, digest_json
from firsthand.media.chapters import chapter_runs
from schemas.benchmark_spec import BenchmarkSpec, ParticipantSpec
from tasks.items import Chapter, SourceFile
from tasks.stage import Failure

__all__ = [
    "ConsentMissingError",
    "DuplicateRecordingError",
    "check_consent",
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
    of one recording become one source, at the first chapter's place.

    Args:
        spec: The benchmark.
        digest: Digests a file's bytes.
    """
    sources: list[SourceFile] = []
    failures: list[Failure] = []
    seen: dict[str, str] = {}
    for participant in spec.participants:
        found: list[SourceFile] = []
        for source in _files(participant, digest):
            try:
                check_consent(participant)
                check_new(source, seen)
                found.append(source)
            except FirsthandError as error:
                sources.append(source)
                failures.append(Failure(source.item_id, "ingest", type(error).__name__, str(error)))
        sources += _recordings(found)
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


def usable(sources: Sequence[SourceFile], refused: Sequence[Failure]) -> list[SourceFile]:
    """Return the delivered files that were not refused."""
    names = {failure.item_id for failure in refused}
    return [source for source in sources if source.item_id not in names]


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

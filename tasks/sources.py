"""Finding the delivered files, and setting aside those that may not be used."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from firsthand.core.errors import FirsthandError
from firsthand.core.identity import digest_file
from schemas.benchmark_spec import BenchmarkSpec, ParticipantSpec
from tasks.items import SourceFile
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


def find_sources(spec: BenchmarkSpec) -> tuple[list[SourceFile], list[Failure]]:
    """Return all delivered files in order of participant and name, and those set aside.

    Every visible file in a recordings folder counts: one that is no recording is set
    aside by the probe with its reason, so that nothing disappears without a word.
    """
    sources: list[SourceFile] = []
    failures: list[Failure] = []
    seen: dict[str, str] = {}
    for participant in spec.participants:
        for source in _files(participant):
            sources.append(source)
            try:
                check_consent(participant)
                check_new(source, seen)
            except FirsthandError as error:
                failures.append(Failure(source.item_id, "ingest", type(error).__name__, str(error)))
    return sources, failures


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


def _files(participant: ParticipantSpec) -> Iterator[SourceFile]:
    for path in sorted(_listed(participant.recordings), key=lambda path: path.name):
        yield SourceFile(
            participant_id=participant.participant_id,
            path=path,
            media_digest=digest_file(path),
            size_bytes=path.stat().st_size,
        )


def _listed(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from (
                file for file in path.iterdir() if file.is_file() and not file.name.startswith(".")
            )
        else:
            yield path

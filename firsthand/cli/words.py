"""`firsthand words compare`: a transcript against a reference."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from firsthand.core.errors import DataFileError
from firsthand.formats.ctm import read_ctm
from firsthand.formats.subtitles import read_srt
from firsthand.formats.webvtt import read_vtt
from firsthand.speech.comparison import ComparedWord, compared_words, word_errors

__all__ = ["words_app"]

words_app = typer.Typer(no_args_is_help=True, help="Words: transcripts against references.")

_Texts = list[tuple[str, int]]


@words_app.callback()
def words() -> None:
    """Words: transcripts against references."""


@words_app.command()
def compare(
    reference: Annotated[Path, typer.Argument(help="What was said: SRT, VTT or CTM.")],
    hypothesis: Annotated[Path, typer.Argument(help="What was heard: SRT, VTT or CTM.")],
    language: Annotated[
        str, typer.Option(help="BCP 47 tag; of Chinese, characters are compared.")
    ] = "en",
) -> None:
    """Print the word error rate, its edits, and the median error of onsets."""
    found = word_errors(_words(reference, language), _words(hypothesis, language))
    edits = f"{found.substitutions} other, {found.deletions} missing, {found.insertions} surplus"
    typer.echo(f"word error rate   {found.word_error_rate:.3f}")
    typer.echo(f"spoken words      {found.reference_words} ({edits})")
    onset_ms, compared = found.onset_error_ms, len(found.onset_errors_ms)
    median = "none to compare" if onset_ms is None else f"{onset_ms:.0f} ms at the median"
    typer.echo(f"onset error       {median}, {compared} words")


def _words(path: Path, language: str) -> Sequence[ComparedWord]:
    return [
        word for text, begin_us in _texts(path) for word in compared_words(text, begin_us, language)
    ]


def _texts(path: Path) -> _Texts:
    match path.suffix.lower():
        case ".srt":
            return [(cue.text, cue.begin_us) for cue in read_srt(path)]
        case ".vtt":
            return [(cue.text, cue.begin_us) for cue in read_vtt(path)]
        case ".ctm":
            timed = sorted(read_ctm(path), key=lambda word: word.begin_us)
            return [(word.text, word.begin_us) for word in timed]
    raise DataFileError(
        f"file {path.name!r}",
        f"the ending {path.suffix!r}",
        "an ending of .srt, .vtt or .ctm",
        "Export the transcript in one of these formats (`firsthand export`).",
    )

"""`firsthand export`: official and common file formats out of a store."""

import shutil
from pathlib import Path
from typing import Annotated, cast

import typer

from firsthand.cli.imports import ECOG_IMPORT, EGOLIFE_IMPORT, TELEEGO_IMPORT
from firsthand.cli.options import USUAL_STORE, ScopeOption, StoreOption
from firsthand.cli.stored_lifelong import LIFELONG_IMPORT
from firsthand.core.errors import DataFileError
from firsthand.core.outcomes import RuleSet
from firsthand.formats.coco import CocoMask, write_coco
from firsthand.formats.ecog import read_clips
from firsthand.formats.ecog_coco import SizedClip, coco_masks_of_clips
from firsthand.formats.mp4_size import display_size_wh_px
from firsthand.formats.store_import import committed_import
from firsthand.formats.subtitles import Cue, write_srt
from firsthand.formats.teleego import TeleEgoQuestion, read_question_file, write_questions
from firsthand.formats.teleego_rows import questions_from_rows, teleego_rows
from firsthand.formats.teleego_time import read_timeline
from firsthand.formats.webvtt import write_vtt
from firsthand.store import TABLES, StepSpec, Store, read_table

__all__ = ["export_app"]

export_app = typer.Typer(no_args_is_help=True, help="Write official and common file formats.")


OutOption = Annotated[Path, typer.Option("--out", help="File or folder to write.")]


@export_app.command("teleego")
def export_teleego(
    out: OutOption, store: StoreOption = USUAL_STORE, scope: ScopeOption = "teleego"
) -> None:
    """Write a benchmark's questions in TeleEgo's layout, unchanged items untouched."""
    opened = Store.opened(store)
    questions, options, evidence = (
        read_table(opened, scope, TABLES[name]).to_pylist()
        for name in ("questions", "options", "evidence")
    )
    sources = _teleego_sources(opened, scope)
    paths = write_questions(out, questions_from_rows(questions, options, evidence, sources))
    typer.echo(f"wrote {len(questions)} questions to {len(paths)} files in {out}")


@export_app.command("ecog")
def export_ecog(
    out: OutOption, store: StoreOption = USUAL_STORE, scope: ScopeOption = "ecog"
) -> None:
    """Write EcoG-Bench's ground truth back in its folders, as it was imported."""
    _write_kept(Store.opened(store), scope, (ECOG_IMPORT, "referents"), out)


@export_app.command("mm-lifelong")
def export_mm_lifelong(
    out: OutOption,
    store: StoreOption = USUAL_STORE,
    scope: ScopeOption = "mm-lifelong/month/val",
) -> None:
    """Write one split of MM-Lifelong back, as it was imported."""
    _write_kept(Store.opened(store), scope, (LIFELONG_IMPORT, "questions"), out)


@export_app.command("egolife")
def export_egolife(
    out: OutOption,
    store: StoreOption = USUAL_STORE,
    scope: ScopeOption = "egolife/A1",
) -> None:
    """Write EgoLifeQA back, as it was imported."""
    _write_kept(Store.opened(store), scope, (EGOLIFE_IMPORT, "questions"), out)


@export_app.command("srt")
def export_srt(
    recording: Annotated[str, typer.Option("--recording", help="Identifier of the recording.")],
    out: OutOption,
    store: StoreOption = USUAL_STORE,
    scope: ScopeOption = "benchmark",
    table: Annotated[str, typer.Option(help="utterances or narrations.")] = "utterances",
) -> None:
    """Write a recording's utterances or narrations as subtitles (.srt, or .vtt by name)."""
    rows = read_table(Store.opened(store), scope, TABLES[table]).to_pylist()
    cues = sorted(_cue(row) for row in rows if row["recording_id"] == recording and row["text"])
    (write_vtt if out.suffix == ".vtt" else write_srt)(out, cues)
    typer.echo(f"wrote {len(cues)} cues to {out}")


@export_app.command("coco")
def export_coco(
    out: OutOption,
    data: Annotated[
        Path | None, typer.Option("--data", help="EcoG-Bench's data folder with its videos.")
    ] = None,
    store: StoreOption = USUAL_STORE,
    scope: ScopeOption = "benchmark",
) -> None:
    """Write masks as COCO run lengths: a benchmark's in the store, or EcoG-Bench's files'."""
    masks = _stored_masks(Store.opened(store), scope) if data is None else _official_masks(data)
    write_coco(out, masks)
    typer.echo(f"wrote {len(masks)} masks to {out}")


def _teleego_sources(store: Store, scope: str) -> dict[str, TeleEgoQuestion]:
    """Read the official files that a scope was imported from, by identifier and digest."""
    found: dict[str, TeleEgoQuestion] = {}
    for receipt in committed_import(store, scope, TELEEGO_IMPORT, "questions"):
        blobs = {name: blob.path(store) for name, blob in receipt.blobs.items()}
        timelines = {
            name.removeprefix("timeline_").removesuffix(".json"): read_timeline(path, RuleSet.PAPER)
            for name, path in blobs.items()
            if name.startswith("timeline_")
        }
        questions = [
            question
            for name, path in blobs.items()
            if name.startswith("merged_")
            for question in read_question_file(path, name.split("_")[1])
        ]
        digests = {
            str(row["question_id"]): str(row["content_digest"])
            for row in teleego_rows(questions, timelines).questions
        }
        for question in questions:
            found[f"{question.question_id} {digests.get(question.question_id)}"] = question
    return found


def _write_kept(store: Store, scope: str, kept: tuple[StepSpec, str], out: Path) -> None:
    """Write the official files that a scope's table was made from."""
    written = 0
    for receipt in committed_import(store, scope, *kept):
        for name, blob in sorted(receipt.blobs.items()):
            target = out / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(blob.path(store), target)
            written += 1
    if not written:
        raise DataFileError(
            f"scope {scope!r}", "no import", "a scope that was imported", "Check its name."
        )
    typer.echo(f"wrote {written} files to {out}")


def _cue(row: dict[str, object]) -> Cue:
    return Cue(cast("int", row["begin_us"]), cast("int", row["end_us"]), str(row["text"]))


def _stored_masks(store: Store, scope: str) -> list[CocoMask]:
    referents = read_table(store, scope, TABLES["referents"]).to_pylist()
    labels = {(row["recording_id"], row["referent_id"]): row["label"] for row in referents}
    return [
        CocoMask(
            f"{row['recording_id']}#{row['referent_id']}",
            str(row["recording_id"]),
            str(labels.get((row["recording_id"], row["referent_id"]), row["referent_id"])),
            (int(row["height_px"]), int(row["width_px"])),
            str(row["rle"]),
        )
        for row in read_table(store, scope, TABLES["masks"]).to_pylist()
    ]


def _official_masks(data: Path) -> list[CocoMask]:
    sized = (
        SizedClip(clip, display_size_wh_px(clip.folder / clip.video_name))
        for clip in read_clips(data)
    )
    return list(coco_masks_of_clips(sized))

"""`firsthand import` and `firsthand export`: official layouts in and out of the store."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, cast

import typer

from firsthand.answers import CoordinateOrder
from firsthand.cli.pointing_runs import grounding_tables
from firsthand.cli.stored_lifelong import LIFELONG_IMPORT
from firsthand.core.errors import DataFileError
from firsthand.core.identity import digest_json
from firsthand.core.outcomes import RuleSet
from firsthand.formats.coco import CocoMask, write_coco
from firsthand.formats.ecog import ANNOTATIONS_FILE, GROUND_TRUTH_FILE, clip_folders, read_clips
from firsthand.formats.ecog_coco import SizedClip, coco_masks_of_clips
from firsthand.formats.ecog_rows import ecog_rows
from firsthand.formats.egolife import read_egolife
from firsthand.formats.egolife_rows import egolife_rows
from firsthand.formats.imported_runs import (
    commit_lifelong_run,
    commit_pointing_run,
    commit_teleego_run,
)
from firsthand.formats.mm_lifelong import read_lifelong_predictions, read_lifelong_questions
from firsthand.formats.mm_lifelong_rows import lifelong_rows
from firsthand.formats.mp4_size import display_size_wh_px
from firsthand.formats.problems import Problem
from firsthand.formats.question_rows import QuestionRows
from firsthand.formats.store_import import OfficialImport, commit_import, committed_import
from firsthand.formats.subtitles import Cue, write_srt
from firsthand.formats.teleego import (
    TeleEgoQuestion,
    read_question_file,
    read_questions,
    write_questions,
)
from firsthand.formats.teleego_columns import planned_columns
from firsthand.formats.teleego_rows import questions_from_rows, teleego_rows
from firsthand.formats.teleego_run import read_runs
from firsthand.formats.teleego_time import read_timeline
from firsthand.formats.webvtt import write_vtt
from firsthand.store import TABLES, StepSpec, Store, read_table

__all__ = ["export_app", "import_app"]

import_app = typer.Typer(no_args_is_help=True, help="Bring a benchmark's official files in.")
export_app = typer.Typer(no_args_is_help=True, help="Write official and common file formats.")

_STORE = Path("data/store")
_INCOMPLETE = 1
_FRAME_SIDES = ("frame_width_px", "frame_height_px")
_TELEEGO = StepSpec("import_teleego", 1, ("firsthand.formats.teleego_rows",))
_ECOG = StepSpec(
    "import_ecog", 2, ("firsthand.formats.ecog_rows", "firsthand.formats.stored_pointing")
)
_LIFELONG = LIFELONG_IMPORT
_EGOLIFE = StepSpec("import_egolife", 1, ("firsthand.formats.egolife_rows",))

StoreOption = Annotated[Path, typer.Option("--store", help="Folder of the store.")]
ScopeOption = Annotated[str, typer.Option("--scope", help="Name of the benchmark in the store.")]
PredictionsOption = Annotated[
    Path | None, typer.Option("--predictions", help="A subject's replies, to import as well.")
]
SubjectOption = Annotated[
    str | None, typer.Option("--subject", help="The subject's name; else the file's.")
]
OutOption = Annotated[Path, typer.Option("--out", help="File or folder to write.")]


@import_app.command("teleego")
def import_teleego(
    qa: Annotated[Path, typer.Option("--qa", help="Folder of merged_P<n>_A.json.")],
    timelines: Annotated[
        Path | None, typer.Option("--timelines", help="Folder of timeline_P<n>.json.")
    ] = None,
    outputs: Annotated[
        Path | None, typer.Option("--outputs", help="Runs to import: outputs/ or a model's folder.")
    ] = None,
    store: StoreOption = _STORE,
    scope: ScopeOption = "teleego",
) -> None:
    """Import TeleEgo's questions and runs; labels become moments of the merged stream."""
    questions = read_questions(qa)
    files = {path.name: path for path in sorted(qa.glob("merged_P*_A.json"))}
    read = {}
    for path in sorted(timelines.glob("timeline_P*.json")) if timelines else ():
        read[path.stem.removeprefix("timeline_")] = read_timeline(path, RuleSet.PAPER)
        files[path.name] = path
    for run in read_runs(outputs) if outputs else ():
        commit_teleego_run(Store.opened(store), scope, run, planned_columns(questions, run))
        typer.echo(f"imported the run of {run.model!r} into {scope!r}")
    rows = teleego_rows(questions, read)
    _commit_questions(store, scope, rows, OfficialImport(_TELEEGO, files, {}))


@import_app.command("mm-lifelong")
def import_mm_lifelong(
    questions: Annotated[Path, typer.Option("--questions", help="<scale>/<split>.json.")],
    predictions: PredictionsOption = None,
    subject: SubjectOption = None,
    store: StoreOption = _STORE,
    scope: ScopeOption = "mm-lifelong",
) -> None:
    """Import one split of MM-Lifelong; scale and split are the file's folder and name."""
    split = f"{questions.resolve().parent.name}/{questions.stem}"
    if predictions is not None:
        name = subject or predictions.stem
        answers = read_lifelong_predictions(predictions)
        place = Store.opened(store), f"{scope}/{split}"
        commit_lifelong_run(*place, name, answers, predictions)
        typer.echo(f"imported {len(answers)} answers of {name!r} into {place[1]!r}")
    rows = lifelong_rows(read_lifelong_questions(questions), split, questions.name)
    work = OfficialImport(_LIFELONG, {f"{split}.json": questions}, {}, split)
    _commit_questions(store, f"{scope}/{split}", rows, work)


@import_app.command("egolife")
def import_egolife(
    questions: Annotated[Path, typer.Option("--questions", help="EgoLifeQA file.")],
    participant: Annotated[str, typer.Option("--participant", help="Whose week it is.")],
    store: StoreOption = _STORE,
    scope: ScopeOption = "egolife",
) -> None:
    """Import EgoLifeQA; its times are the wall clock of the recorded week."""
    rows = egolife_rows(read_egolife(questions), participant)
    work = OfficialImport(_EGOLIFE, {questions.name: questions}, {}, participant)
    _commit_questions(store, f"{scope}/{participant}", rows, work)


@import_app.command("ecog")
def import_ecog(
    data: Annotated[Path, typer.Option("--data", help="The benchmark's data folder.")],
    predictions: PredictionsOption = None,
    subject: SubjectOption = None,
    order: Annotated[
        CoordinateOrder, typer.Option("--coord-order", help="Declared order of the subject.")
    ] = CoordinateOrder.XY,
    store: StoreOption = _STORE,
    scope: ScopeOption = "ecog",
) -> None:
    """Import EcoG-Bench's ground truth, and a subject's replies as they are read."""
    name = subject or (predictions.stem if predictions else "")
    truth, replies = grounding_tables(data, predictions, name, order)
    rows = ecog_rows(read_clips(data))
    files = {
        f"{environment}/指令{template}/{name}": folder / name
        for environment, template, folder in clip_folders(data)
        for name in (GROUND_TRUTH_FILE, ANNOTATIONS_FILE)
        if (folder / name).is_file()
    }
    tables = {"referents": rows.referents, "strokes": rows.strokes, "options": rows.options}
    opened = Store.opened(store)
    # Display sizes come from the videos, which are not among the files that are kept.
    sizes = digest_json([truth.column(side).to_pylist() for side in _FRAME_SIDES])
    ready = {"pointing_truth": truth}
    commit_import(opened, scope, OfficialImport(_ECOG, files, tables, {"sizes": sizes}, ready))
    typer.echo(f"imported {len(rows.referents)} referents into {scope!r}")
    if replies is not None and predictions is not None:
        commit_pointing_run(opened, scope, name, replies, _reply_files(predictions))
        typer.echo(f"imported the replies of {name!r} into {scope!r}")
    _report_left_out(rows.left_out)


@export_app.command("teleego")
def export_teleego(
    out: OutOption, store: StoreOption = _STORE, scope: ScopeOption = "teleego"
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
def export_ecog(out: OutOption, store: StoreOption = _STORE, scope: ScopeOption = "ecog") -> None:
    """Write EcoG-Bench's ground truth back in its folders, as it was imported."""
    _write_kept(Store.opened(store), scope, (_ECOG, "referents"), out)


@export_app.command("mm-lifelong")
def export_mm_lifelong(
    out: OutOption,
    store: StoreOption = _STORE,
    scope: ScopeOption = "mm-lifelong/month/val",
) -> None:
    """Write one split of MM-Lifelong back, as it was imported."""
    _write_kept(Store.opened(store), scope, (_LIFELONG, "questions"), out)


@export_app.command("egolife")
def export_egolife(
    out: OutOption,
    store: StoreOption = _STORE,
    scope: ScopeOption = "egolife/A1",
) -> None:
    """Write EgoLifeQA back, as it was imported."""
    _write_kept(Store.opened(store), scope, (_EGOLIFE, "questions"), out)


@export_app.command("srt")
def export_srt(
    recording: Annotated[str, typer.Option("--recording", help="Identifier of the recording.")],
    out: OutOption,
    store: StoreOption = _STORE,
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
    store: StoreOption = _STORE,
    scope: ScopeOption = "benchmark",
) -> None:
    """Write masks as COCO run lengths: a benchmark's in the store, or EcoG-Bench's files'."""
    masks = _stored_masks(Store.opened(store), scope) if data is None else _official_masks(data)
    write_coco(out, masks)
    typer.echo(f"wrote {len(masks)} masks to {out}")


def _reply_files(predictions: Path) -> dict[str, Path]:
    if predictions.is_file():
        return {predictions.name: predictions}
    return {
        path.relative_to(predictions).as_posix(): path
        for path in sorted(predictions.rglob("*.json"))
    }


def _commit_questions(store: Path, scope: str, rows: QuestionRows, work: OfficialImport) -> None:
    tables = {"questions": rows.questions, "options": rows.options, "evidence": rows.evidence}
    whole = OfficialImport(work.spec, work.files, tables, work.parameters)
    commit_import(Store.opened(store), scope, whole)
    typer.echo(f"imported {len(rows.questions)} questions into {scope!r}")
    for problem in rows.noted:
        typer.echo(f"noted: {problem}", err=True)
    _report_left_out(rows.left_out)


def _report_left_out(left_out: Sequence[Problem]) -> None:
    for problem in left_out:
        typer.echo(f"left out: {problem}", err=True)
    if left_out:
        typer.echo(f"{len(left_out)} left out, see above", err=True)
        raise typer.Exit(_INCOMPLETE)


def _teleego_sources(store: Store, scope: str) -> dict[str, TeleEgoQuestion]:
    """Read the official files that a scope was imported from, by identifier and digest."""
    found: dict[str, TeleEgoQuestion] = {}
    for receipt in committed_import(store, scope, _TELEEGO, "questions"):
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

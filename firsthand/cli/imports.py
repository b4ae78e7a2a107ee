"""`firsthand import`: official files of a benchmark, and runs on it, into a store."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from firsthand.answers import CoordinateOrder
from firsthand.cli.options import USUAL_STORE, ScopeOption, StoreOption
from firsthand.cli.pointing_runs import grounding_tables
from firsthand.cli.stored_lifelong import LIFELONG_IMPORT
from firsthand.core.identity import digest_json
from firsthand.core.outcomes import RuleSet
from firsthand.formats.ecog import ANNOTATIONS_FILE, GROUND_TRUTH_FILE, clip_folders, read_clips
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
from firsthand.formats.problems import Problem
from firsthand.formats.question_rows import QuestionRows
from firsthand.formats.store_import import OfficialImport, commit_import
from firsthand.formats.teleego import read_questions
from firsthand.formats.teleego_columns import planned_columns
from firsthand.formats.teleego_rows import teleego_rows
from firsthand.formats.teleego_run import read_runs
from firsthand.formats.teleego_time import read_timeline
from firsthand.store import StepSpec, Store

__all__ = ["ECOG_IMPORT", "EGOLIFE_IMPORT", "TELEEGO_IMPORT", "import_app"]

import_app = typer.Typer(no_args_is_help=True, help="Bring a benchmark's official files in.")

_INCOMPLETE = 1
_FRAME_SIDES = ("frame_width_px", "frame_height_px")

TELEEGO_IMPORT = StepSpec("import_teleego", 1, ("firsthand.formats.teleego_rows",))
ECOG_IMPORT = StepSpec(
    "import_ecog", 2, ("firsthand.formats.ecog_rows", "firsthand.formats.stored_pointing")
)
EGOLIFE_IMPORT = StepSpec("import_egolife", 1, ("firsthand.formats.egolife_rows",))

PredictionsOption = Annotated[
    Path | None, typer.Option("--predictions", help="A subject's replies, to import as well.")
]
SubjectOption = Annotated[
    str | None, typer.Option("--subject", help="The subject's name; else the file's.")
]


@import_app.command("teleego")
def import_teleego(
    qa: Annotated[Path, typer.Option("--qa", help="Folder of merged_P<n>_A.json.")],
    timelines: Annotated[
        Path | None, typer.Option("--timelines", help="Folder of timeline_P<n>.json.")
    ] = None,
    outputs: Annotated[
        Path | None, typer.Option("--outputs", help="Runs to import: outputs/ or a model's folder.")
    ] = None,
    store: StoreOption = USUAL_STORE,
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
    _commit_questions(store, scope, rows, OfficialImport(TELEEGO_IMPORT, files, {}))


@import_app.command("mm-lifelong")
def import_mm_lifelong(
    questions: Annotated[Path, typer.Option("--questions", help="<scale>/<split>.json.")],
    predictions: PredictionsOption = None,
    subject: SubjectOption = None,
    store: StoreOption = USUAL_STORE,
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
    work = OfficialImport(LIFELONG_IMPORT, {f"{split}.json": questions}, {}, split)
    _commit_questions(store, f"{scope}/{split}", rows, work)


@import_app.command("egolife")
def import_egolife(
    questions: Annotated[Path, typer.Option("--questions", help="EgoLifeQA file.")],
    participant: Annotated[str, typer.Option("--participant", help="Whose week it is.")],
    store: StoreOption = USUAL_STORE,
    scope: ScopeOption = "egolife",
) -> None:
    """Import EgoLifeQA; its times are the wall clock of the recorded week."""
    rows = egolife_rows(read_egolife(questions), participant)
    work = OfficialImport(EGOLIFE_IMPORT, {questions.name: questions}, {}, participant)
    _commit_questions(store, f"{scope}/{participant}", rows, work)


@import_app.command("ecog")
def import_ecog(
    data: Annotated[Path, typer.Option("--data", help="The benchmark's data folder.")],
    predictions: PredictionsOption = None,
    subject: SubjectOption = None,
    order: Annotated[
        CoordinateOrder, typer.Option("--coord-order", help="Declared order of the subject.")
    ] = CoordinateOrder.XY,
    store: StoreOption = USUAL_STORE,
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
    commit_import(
        opened, scope, OfficialImport(ECOG_IMPORT, files, tables, {"sizes": sizes}, ready)
    )
    typer.echo(f"imported {len(rows.referents)} referents into {scope!r}")
    if replies is not None and predictions is not None:
        commit_pointing_run(opened, scope, name, replies, _reply_files(predictions))
        typer.echo(f"imported the replies of {name!r} into {scope!r}")
    _report_left_out(rows.left_out)


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

"""MM-Lifelong runs as the scorer takes them, from the store."""

from firsthand.cli.score_lifelong import LifelongRun
from firsthand.core.errors import DataFileError
from firsthand.formats.imported_runs import imported_table, predictions_from_table
from firsthand.formats.mm_lifelong import LifelongQuestion, read_lifelong_questions
from firsthand.formats.store_import import committed_import
from firsthand.store import StepSpec, Store

__all__ = ["LIFELONG_IMPORT", "questions_from_store", "stored_lifelong_run"]

LIFELONG_IMPORT = StepSpec("import_mm_lifelong", 1, ("firsthand.formats.mm_lifelong_rows",))
"""The step that imports a split's questions and keeps their file."""


def questions_from_store(store: Store, scope: str) -> tuple[LifelongQuestion, ...]:
    """Return a split's questions from the file that was imported.

    Raises:
        DataFileError: If none was.
    """
    receipts = committed_import(store, scope, LIFELONG_IMPORT, "questions")
    files = [blob.path(store) for receipt in receipts for blob in receipt.blobs.values()]
    if not files:
        raise DataFileError(
            f"scope {scope!r}", "no questions", "a split that was imported", "Check its name."
        )
    return read_lifelong_questions(files[0])


def stored_lifelong_run(store: Store, scope: str, subject: str) -> LifelongRun:
    """Return an imported subject's run.

    Raises:
        DataFileError: If it was not imported.
    """
    rows = imported_table(store, scope, "lifelong_answers", subject)
    return LifelongRun(subject, predictions_from_table(rows), f"{scope}, subject {subject}")

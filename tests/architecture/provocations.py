"""For every error a way to meet it, through public code; `test_errors` walks the table.

A provocation is given an empty folder of its own and must end in the error itself.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

import duckdb

from firsthand.core import errors, rle, timeline
from firsthand.core.identity import checked_id
from firsthand.core.registry import Registry
from firsthand.core.time import DAY_US, SECOND_US, DayLabel
from firsthand.curation.agreement import (
    AgreementTooLowError,
    QueueAgreement,
    agreement_of,
    check_agreement,
)
from firsthand.curation.batches import Batch, NotSignedOffError, require_signature
from firsthand.curation.clip_setup import ClipSetUpError, check_referent_kinds
from firsthand.curation.face_corrections import FaceCorrectionError, check_face_entries
from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.curation.revisions import EditError, ReviewItem, edited
from firsthand.media.traces import traces_of
from firsthand.store import TABLES, Store, Zone, commit_table, table_from_rows, weights
from firsthand.store.catalog import (
    CatalogBusyError,
    CatalogPartError,
    CatalogQueryError,
    query,
    rebuild_catalog,
)
from firsthand.store.commits import write_part
from firsthand.store.release_search import TracesLeftError
from firsthand.store.releases import (
    ReleaseBrokenError,
    ReleaseContentError,
    read_release,
    write_release,
)
from firsthand.store.reviews import ReviewConflictError, ReviewStore
from firsthand.store.table import TableRowsError
from schemas.gate import DataQualityError, check_tables
from schemas.run_spec import load_run_spec
from tests.unit.store.small_benchmark import content_of, draft_row, recording_id, tables_of

__all__ = ["PROVOCATIONS", "provokes"]

Provocation = Callable[[Path], object]
PROVOCATIONS: dict[type[errors.FirsthandError], Provocation] = {}
Given = TypeVar("Given", bound=Provocation)


def provokes(kind: type[errors.FirsthandError]) -> Callable[[Given], Given]:
    """Return a decorator that files a provocation under the error it ends in."""

    def file_provocation(provocation: Given) -> Given:
        if kind in PROVOCATIONS:
            raise ValueError(f"{kind.__name__} is provoked twice")
        PROVOCATIONS[kind] = provocation
        return provocation

    return file_provocation


@provokes(errors.ConfigurationError)
def _(folder: Path) -> object:
    return load_run_spec(folder / "absent.yaml")


@provokes(errors.UnknownKeyError)
def _(folder: Path) -> object:
    path = folder / "run.yaml"
    path.write_text("schema_version: 1\nname: demo\nsubjcts: []\n", encoding="utf-8")
    return load_run_spec(path)


@provokes(errors.UnknownNameError)
def _(folder: Path) -> object:
    return Registry[int]("mask engine")["grab-cut"]


@provokes(errors.DataFileError)
def _(folder: Path) -> object:
    return checked_id("participant", "../p1")


@provokes(errors.MissingWeightsError)
def _(folder: Path) -> object:
    entry = weights.WeightsEntry(
        "absent", "absent-package", "1.0", "absent_module", "x.onnx", "0" * 64, "MIT", "Test."
    )
    with patch.object(weights, "WEIGHTS", {"absent": entry}):
        return weights.weights_file("absent")


@provokes(TableRowsError)
def _(folder: Path) -> object:
    return table_from_rows(TABLES["participants"], [{"participant_id": "p1"}])


@provokes(CatalogQueryError)
def _(folder: Path) -> object:
    return query(Store.opened(folder), "SELECT * FROM read_text('/etc/hostname')")


@provokes(CatalogPartError)
def _(folder: Path) -> object:
    store = Store.opened(folder)
    spec = TABLES["participants"]
    rows = table_from_rows(spec, [{"participant_id": "p1", "time_zone": "UTC"}])
    part = write_part(store, spec, rows, Zone.PUBLIC, "key")
    commit_table(store, "demo", spec, [part])
    (store.root / part.path).write_bytes(b"PAR1")
    return rebuild_catalog(store)


@provokes(CatalogBusyError)
def _(folder: Path) -> object:
    store = Store.opened(folder)
    rebuild_catalog(store)
    # DuckDB's locks hold between processes; what the other one is told is played here.
    told = duckdb.IOException(
        "IO Error: Could not set lock on file: Conflicting lock is held in /bin/duckdb (PID 7)"
    )

    class Locked:
        def execute(self, _: str) -> object:
            raise told

        def close(self) -> None:
            """Nothing was opened."""

    with patch.object(duckdb, "connect", return_value=Locked()):
        return query(store, "SELECT 1", patience_s=0)


@provokes(ReleaseContentError)
def _(folder: Path) -> object:
    store = Store.opened(folder)
    return write_release(store, content_of(store, media={}))


@provokes(TracesLeftError)
def _(folder: Path) -> object:
    store = Store.opened(folder)
    serial = traces_of((("serial_number", "question-p1"),))
    return write_release(store, content_of(store, traces={recording_id("p1"): serial}))


@provokes(ReleaseBrokenError)
def _(folder: Path) -> object:
    store = Store.opened(folder)
    release = write_release(store, content_of(store))
    (release.path / "manifest.json").write_bytes(b"{}")
    return read_release(release.path)


@provokes(ClipSetUpError)
def _(folder: Path) -> None:
    check_referent_kinds("P1/VID_20260503_093000.mp4", 7, ["object"])


@provokes(EditError)
def _(folder: Path) -> object:
    return edited(ReviewItem.of("draft", "d1", draft_row("p1")), {"drafter": "another"})


@provokes(FaceCorrectionError)
def _(folder: Path) -> object:
    return check_face_entries("r1/0", [[0, 0, 1, 1, 2, 2]], covers=True)


@provokes(AgreementTooLowError)
def _(folder: Path) -> None:
    check_agreement([QueueAgreement("draft", 1.0, 0.8, agreement_of([()]))], "samples")


@provokes(NotSignedOffError)
def _(folder: Path) -> object:
    return require_signature(Batch("samples", "draft", {}, "0" * 64), [])


@provokes(ReviewConflictError)
def _(folder: Path) -> object:
    store = ReviewStore.open(folder / "reviews.sqlite", time.time)
    seen = ("draft", "d1", 0, "0" * 64)
    edit = ReviewDecision(*seen, "r1", DecisionKind.EDIT, "", 1.0, {"text": "Where?"})
    store.submit(edit, expected_revision=0)
    accept = ReviewDecision(*seen, "r2", DecisionKind.ACCEPT, "", 1.0)
    return store.submit(accept, expected_revision=0)


@provokes(DataQualityError)
def _(folder: Path) -> None:
    tables = tables_of(Store.opened(folder))
    tables["consents"] = tables["consents"].slice(0, 0)
    names = ("recordings", "consents")
    check_tables({name: tables[name] for name in names}).require_passed()


@provokes(rle.RunLengthError)
def _(folder: Path) -> object:
    return rle.decode_rle([1, 2], (2, 2))


def _placed(recording_id: str, start_s: int, utc_offset_s: int = 0) -> timeline.Placement:
    start_us = 20_000 * DAY_US + start_s * SECOND_US
    return timeline.Placement(recording_id, start_us, utc_offset_s, 10 * SECOND_US, "person")


@provokes(timeline.EmptyTimelineError)
def _(folder: Path) -> object:
    return timeline.build_timeline([])


@provokes(timeline.OverlappingRecordingsError)
def _(folder: Path) -> object:
    return timeline.build_timeline([_placed("a", 0), _placed("b", 5)])


@provokes(timeline.UnknownRecordingError)
def _(folder: Path) -> object:
    return timeline.build_timeline([_placed("a", 0)]).segment("b")


@provokes(timeline.OutsideStreamError)
def _(folder: Path) -> object:
    return timeline.build_timeline([_placed("a", 0)]).segment_at(11 * SECOND_US)


@provokes(timeline.LabelInGapError)
def _(folder: Path) -> object:
    return timeline.build_timeline([_placed("a", 0)]).from_label(DayLabel(1, 20 * SECOND_US))


@provokes(timeline.AmbiguousLabelError)
def _(folder: Path) -> object:
    # Clocks were put back by an hour between the two.
    twice = [_placed("a", 0, 3600), _placed("b", 3600, 0)]
    return timeline.build_timeline(twice).from_label(DayLabel(1, 3605 * SECOND_US))

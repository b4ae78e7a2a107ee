"""Provocations of tasks, deployments and the command line."""

import concurrent.futures
import socket
import sys
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from deployments import control
from deployments.api_server import ServerStartError, check_port_free, wait_until_healthy
from deployments.control import DeploymentFailedError
from deployments.review_server import sender
from deployments.settings import Settings
from firsthand.cli.checkout import CheckoutNeededError, start_flow
from firsthand.core.errors import PortInUseError
from firsthand.curation.batches import Batch
from firsthand.review_app import AnnouncementError
from firsthand.store import Outputs, Receipt, StepRequest, StepSpec, Store, Zone, run_step
from firsthand.store.release_index import NoReleaseError, name_newest, newest_release
from firsthand.store.releases import write_release
from firsthand.store.tables import STROKES
from flows.lost_workers import WorkersLostError, outcome_of
from schemas.participant_spec import ParticipantSpec
from tasks.commits import commit_receipts
from tasks.dating import UnconfirmedStartError, placed
from tasks.items import Recording, SourceFile
from tasks.job import Job
from tasks.planning import NoQuestionError, plan_evaluation
from tasks.publication import NoRunError, ranking_of
from tasks.receipted import MissingReceiptError
from tasks.results import StageFailedError, only_receipt
from tasks.secrets import MissingSecretError, secret
from tasks.sources import (
    ConsentMissingError,
    DuplicateRecordingError,
    check_consent,
    check_new,
)
from tasks.stage import Failure
from tasks.start_sidecars import StartSidecarError, read_start_sidecar
from tasks.table_owners import StageTableError
from tests.architecture.provocations import provokes
from tests.architecture.repository import ROOT
from tests.flows.workplace import free_port
from tests.unit.store.small_benchmark import content_of


@provokes(CheckoutNeededError)
def _(folder: Path) -> object:
    with patch.dict(sys.modules, {"deployments.local": None}):
        return start_flow("flows.build_benchmark.build_benchmark", {})


@provokes(PortInUseError)
def _(folder: Path) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        check_port_free(int(held.getsockname()[1]))


@provokes(ServerStartError)
def _(folder: Path) -> None:
    with socket.socket() as unused, patch("deployments.api_server._START_TIMEOUT_S", 0.0):
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/api"
        wait_until_healthy(url, None, folder / "server.log")


@provokes(DeploymentFailedError)
def _(folder: Path) -> None:
    settings = Settings(ROOT, folder, folder / "store", free_port(), free_port(), 1, None)
    # The server is not started, so that the first command of the orchestrator must fail.
    with (
        patch.object(control, "_start_server"),
        patch.object(control, "write_records"),
        patch.object(control, "_command", lambda *_: [sys.executable, "-c", "raise SystemExit(1)"]),
    ):
        control.up(settings)


@provokes(MissingReceiptError)
def _(folder: Path) -> object:
    source = SourceFile("P1", folder / "a.mp4", "0" * 64, 1)
    return Recording(source, 1_000_000).receipt("probe")


@provokes(NoReleaseError)
def _(folder: Path) -> object:
    return newest_release(Store.opened(folder), "demo")


@provokes(NoRunError)
def _(folder: Path) -> object:
    store = _released(folder, with_questions=True)
    return ranking_of(store, "demo")


@provokes(NoQuestionError)
def _(folder: Path) -> object:
    store = _released(folder, with_questions=False)
    run = folder / "run.yaml"
    run.write_text((ROOT / "data/samples/run.yaml").read_text().replace("samples", "demo"))
    return plan_evaluation(Job("evaluate", store.root, run), began_unix_s=0.0)


@provokes(StageFailedError)
def _(folder: Path) -> object:
    return only_receipt({"demo": Failure("demo", "gate", "DataQualityError", "Mend the rows.")})


@provokes(MissingSecretError)
def _(folder: Path) -> object:
    return secret("FIRSTHAND_KEY_THAT_NOBODY_SET")


@provokes(ConsentMissingError)
def _(folder: Path) -> None:
    check_consent(ParticipantSpec.model_construct(participant_id="P1", consents=(), recordings=()))


@provokes(StartSidecarError)
def _(folder: Path) -> object:
    sidecar = folder / "clip.mp4.start.txt"
    sidecar.write_text("some day in May")
    return read_start_sidecar(sidecar)


@provokes(DuplicateRecordingError)
def _(folder: Path) -> None:
    seen = {"0" * 64: "P1/a.mp4"}
    check_new(SourceFile("P1", folder / "b.mp4", "0" * 64, 1), seen)


def _released(folder: Path, *, with_questions: bool) -> Store:
    store = Store.opened(folder)
    content = content_of(store)
    if not with_questions:
        about = ("questions", "options", "evidence")
        tables = {
            name: rows.slice(0, 0) if name in about else rows
            for name, rows in content.tables.items()
        }
        content = replace(content, tables=tables)
    name_newest(store, "demo", write_release(store, content).release_id)
    return store


@provokes(UnconfirmedStartError)
def _(folder: Path) -> object:
    source = SourceFile("P1", folder / "clip.mp4", "00" * 32, 1)
    recording = Recording(source, 1_000_000)
    start = {"start_utc_us": None, "standing": "waiting", "doubts": ["nothing_known"]}
    values = {"starts": {recording.recording_id: start}}
    return placed(recording, Receipt("date", "key", "P1", (), {}, values, "digest"))


@provokes(StageTableError)
def _(folder: Path) -> None:
    job = Job("test", folder, ROOT / "data/samples/benchmark.yaml")
    outputs = Outputs(tables=((STROKES, Zone.PUBLIC, STROKES.schema.empty_table()),))
    request = StepRequest(StepSpec("test", 1), {})
    receipt = run_step(job.store, request, lambda _: outputs, job=job.name)
    commit_receipts(job, "draft", [receipt])


@provokes(AnnouncementError)
def _(folder: Path) -> None:
    batch = Batch("samples", "draft", {}, "0" * 64)
    sender(Store.opened(folder), f"http://127.0.0.1:{free_port()}/api")(batch)


@provokes(WorkersLostError)
def _(folder: Path) -> object:
    lost: concurrent.futures.Future[object] = concurrent.futures.Future()
    lost.cancel()
    return outcome_of(lost, f"shard 1 of 1 in {folder.name}")

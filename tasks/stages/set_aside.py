"""Quarantine: every delivered file that is not in, with the stage and the reason."""

from collections.abc import Sequence
from pathlib import Path

from firsthand.core.identity import digest_json
from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.tables import QUARANTINE
from tasks.items import SetAside
from tasks.job import Job
from tasks.stage import Stage
from tasks.steps import SET_ASIDE

__all__ = ["SET_ASIDE_STAGE"]


def _rows(aside: SetAside) -> Sequence[dict[str, str]]:
    return [
        {
            "participant_id": source.participant_id,
            "source_name": source.file_name,
            "media_digest": source.media_digest,
            "stage": failure.stage,
            "error": failure.error,
            "reason": failure.reason,
        }
        for source, failure in aside.files
    ]


def _request(job: Job, aside: SetAside) -> StepRequest:
    del job
    return StepRequest(SET_ASIDE, inputs={"files": digest_json(_rows(aside))})


def _work(job: Job, aside: SetAside, folder: Path) -> Outputs:
    del job, folder
    table = table_from_rows(QUARANTINE, _rows(aside))
    return Outputs(tables=((QUARANTINE, Zone.PUBLIC, table),))


SET_ASIDE_STAGE = Stage("set_aside", _request, _work)

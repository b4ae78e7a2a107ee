"""Enrolment: a consenting participant's voice as a vector, in the private zone."""

from pathlib import Path

import numpy as np

from firsthand.core.time import Span
from firsthand.speech.engines import Embedding, sound_between
from firsthand.speech.speakers import enrol
from firsthand.store import Outputs, Receipt, StepRequest, Store, Zone
from tasks.engines import chosen_speech_engines
from tasks.items import Enrolment
from tasks.job import Job
from tasks.sound import sound_of
from tasks.stage import Stage
from tasks.steps import ENROL

__all__ = ["ENROL_STAGE", "enrolled_voice"]


def enrolled_voice(store: Store, receipt: Receipt) -> Embedding:
    """Return the voice that an enrolment kept."""
    voice: Embedding = np.load(receipt.blobs["voice"].path(store), allow_pickle=False)
    return voice


def _request(job: Job, enrolment: Enrolment[Span]) -> StepRequest:
    return StepRequest(
        ENROL,
        inputs=enrolment.media_digests,
        parameters={"spans_us": [[span.start_us, span.end_us] for _, span in enrolment.marks]},
        engine=chosen_speech_engines(job).speaker_identity,
        subject=enrolment.participant_id,
    )


def _work(job: Job, enrolment: Enrolment[Span], folder: Path) -> Outputs:
    pieces = [
        sound_between(sound_of(source, folder), span.start_us, span.end_us)
        for source, span in enrolment.marks
    ]
    np.save(folder / "voice.npy", enrol(pieces, chosen_speech_engines(job)), allow_pickle=False)
    return Outputs(files={"voice": (folder / "voice.npy", Zone.PRIVATE)})


ENROL_STAGE = Stage("enrol", _request, _work)

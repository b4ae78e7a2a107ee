"""Words with times, in the private zone: nothing here is de-identified yet."""

import json
from dataclasses import asdict
from pathlib import Path

from firsthand.speech.engines import RecognisedWord, Timing
from firsthand.speech.transcription import transcribe
from firsthand.store import Outputs, Receipt, StepRequest, Store, Zone
from tasks.engines import chosen_speech_engines, hearing_engines
from tasks.items import Recording
from tasks.job import Job
from tasks.sound import sound_of
from tasks.stage import Stage
from tasks.steps import TRANSCRIBE

__all__ = ["TRANSCRIBE_STAGE", "transcribed_words"]


def transcribed_words(store: Store, receipt: Receipt) -> tuple[RecognisedWord, ...]:
    """Return the words that a transcription kept."""
    rows = json.loads(receipt.blobs["words"].path(store).read_text(encoding="utf-8"))
    return tuple(
        RecognisedWord(
            **{**row, "timing": Timing(row["timing"]), "mendings": tuple(row["mendings"])}
        )
        for row in rows
    )


def _request(job: Job, recording: Recording) -> StepRequest:
    return StepRequest(
        TRANSCRIBE,
        inputs={"media": recording.source.media_digest},
        engine=chosen_speech_engines(job).transcription_identity,
        subject=recording.recording_id,
    )


def _work(job: Job, recording: Recording, folder: Path) -> Outputs:
    engines = hearing_engines(job, recording.participant_id)
    sound = sound_of(recording.source, folder)
    words = transcribe(sound, engines, recording.duration_us)
    target = folder / "words.json"
    rows = [{**asdict(word), "timing": word.timing.value} for word in words]
    target.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return Outputs(files={"words": (target, Zone.PRIVATE)})


TRANSCRIBE_STAGE = Stage("transcribe", _request, _work)

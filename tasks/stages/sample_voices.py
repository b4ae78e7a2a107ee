"""How voices sound that nobody enrolled: a vector of each stretch, and its first seconds."""

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from firsthand.core.identity import digest_file
from firsthand.core.time import SECOND_US
from firsthand.speech.engines import Embedding, Samples, sound_between
from firsthand.speech.wav import wav_bytes
from firsthand.store import Outputs, Receipt, StepRequest, Store, Zone, table_from_rows
from firsthand.store.tables import VOICE_SAMPLES
from tasks.engines import chosen_speech_engines
from tasks.items import Recording
from tasks.job import Job
from tasks.sound import sound_of
from tasks.stage import Stage
from tasks.steps import SAMPLE_VOICES

__all__ = ["EXCERPT", "SAMPLE_VOICES_STAGE", "VECTORS", "kept_vectors"]

EXCERPT = "voice-"
"""What the roles of excerpts begin with."""
VECTORS = "vectors"
"""Role of the vectors, a row for each stretch."""

_SHORTEST_US = SECOND_US // 2
_EXCERPT_US = 6 * SECOND_US


def _request(job: Job, recording: Recording) -> StepRequest:
    return StepRequest(
        SAMPLE_VOICES,
        inputs={
            "media": recording.source.media_digest,
            "turns": recording.receipt("attribute_voices").digest,
        },
        parameters=dict(recording.keys),
        engine=chosen_speech_engines(job).speaker_identity,
        subject=recording.recording_id,
    )


def _work(job: Job, recording: Recording, folder: Path) -> Outputs:
    encoder = chosen_speech_engines(job).speaker_encoder
    spans = _strangers_us(job, recording)
    # A recording without strangers may be one without sound.
    sound: Samples = sound_of(recording.source, folder) if spans else np.zeros(0, np.float32)
    rows: list[dict[str, object]] = []
    voices: list[Embedding] = []
    files: dict[str, tuple[Path, Zone]] = {}
    for begin_us, end_us in spans:
        (voice,) = encoder.embed([sound_between(sound, begin_us, end_us)])
        voices.append(voice)
        excerpt = folder / f"{EXCERPT}{begin_us}.wav"
        last_us = min(end_us, begin_us + _EXCERPT_US)
        excerpt.write_bytes(wav_bytes(sound_between(sound, begin_us, last_us)))
        files[excerpt.stem] = (excerpt, Zone.PRIVATE)
        rows.append(
            {
                **recording.keys,
                "begin_us": begin_us,
                "end_us": end_us,
                "excerpt_sha256": digest_file(excerpt),
            }
        )
    if voices:
        np.save(folder / f"{VECTORS}.npy", np.stack(voices))
        files[VECTORS] = (folder / f"{VECTORS}.npy", Zone.PRIVATE)
    table = table_from_rows(VOICE_SAMPLES, rows)
    # Sign-off deletes whatever tells how somebody sounds; when they spoke is no voice.
    return Outputs(
        tables=((VOICE_SAMPLES, Zone.PRIVATE, table),), files=files, fleeting=frozenset(files)
    )


def kept_vectors(store: Store, sampled: Receipt) -> list[Embedding] | None:
    """Return the vectors of the sampled stretches, in order; None once they were deleted."""
    blob = sampled.fleeting.get(VECTORS)
    if blob is None:
        return []
    if not blob.is_whole(store):
        return None
    return list(np.load(blob.path(store), allow_pickle=False))


def _strangers_us(job: Job, recording: Recording) -> list[tuple[int, int]]:
    """Return the stretches of others alone; where the participant speaks too, nobody is told."""
    (part,) = recording.receipt("attribute_voices").parts_of("speakers", Zone.PUBLIC)
    turns = pq.read_table(job.store.root / part.path).to_pylist()
    return [
        (turn["begin_us"], turn["end_us"])
        for turn in turns
        if not turn["consented"]
        and not turn["overlapped"]
        and turn["end_us"] - turn["begin_us"] >= _SHORTEST_US
    ]


SAMPLE_VOICES_STAGE = Stage("sample_voices", _request, _work)
"""Over recordings; everything that it writes is private."""

"""Who speaks, what must be silenced, and the words with and without what is silenced."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from firsthand.core.time import Span
from firsthand.speech.attribution import (
    SpokenWord,
    muted_spans,
    redacted,
    utterances,
    words_with_speakers,
)
from firsthand.speech.rows import speaker_rows, utterance_rows, word_rows
from firsthand.speech.speakers import voice_turns
from firsthand.store import Outputs, Receipt, StepRequest, TableSpec, Zone, table_from_rows
from firsthand.store.tables import SPEAKERS, UTTERANCES, WORDS
from tasks.engines import chosen_speech_engines
from tasks.items import Recording
from tasks.job import Job
from tasks.sound import sound_of
from tasks.stage import Stage
from tasks.stages.enrol import enrolled_voice
from tasks.stages.transcribe import transcribed_words
from tasks.steps import ATTRIBUTE_VOICES
from tasks.values import pairs

__all__ = ["ATTRIBUTE_VOICES_STAGE", "silenced_spans"]


def silenced_spans(receipt: Receipt) -> list[Span]:
    """Return the spans that must be silenced, as attribution decided."""
    return [Span(begin_us, end_us) for begin_us, end_us in pairs(receipt, "muted_us")]


def _request(job: Job, recording: Recording) -> StepRequest:
    return StepRequest(
        ATTRIBUTE_VOICES,
        inputs={
            "media": recording.source.media_digest,
            "words": recording.receipt("transcribe").digest,
            "voice": recording.receipt("enrol").digest,
        },
        parameters={"participant_id": recording.participant_id},
        engine=chosen_speech_engines(job).speaker_identity,
        subject=recording.recording_id,
    )


def _work(job: Job, recording: Recording, folder: Path) -> Outputs:
    del folder
    engines = chosen_speech_engines(job)
    voice = enrolled_voice(job.store, recording.receipt("enrol"))
    turns = voice_turns(sound_of(recording), {recording.participant_id: voice}, engines)
    heard = transcribed_words(job.store, recording.receipt("transcribe"))
    spoken = words_with_speakers(heard, turns)
    muted = muted_spans(turns, recording.duration_us, spoken)
    names = (recording.participant_id, recording.recording_id)
    rows = speaker_rows(*names, turns)
    return Outputs(
        tables=(
            (SPEAKERS, Zone.PUBLIC, table_from_rows(SPEAKERS, rows)),
            *_speech_tables(job, recording, spoken, Zone.PRIVATE),
            *_speech_tables(job, recording, redacted(spoken, muted), Zone.PUBLIC),
        ),
        values={"muted_us": [[span.start_us, span.end_us] for span in muted]},
    )


def _speech_tables(
    job: Job, recording: Recording, spoken: Sequence[SpokenWord], zone: Zone
) -> Iterator[tuple[TableSpec, Zone, pa.Table]]:
    names = (recording.participant_id, recording.recording_id)
    runs = utterances(spoken, chosen_speech_engines(job).recogniser.language)
    words = word_rows(*names, spoken, job.spec().engines.speech)
    yield WORDS, zone, table_from_rows(WORDS, words)
    yield UTTERANCES, zone, table_from_rows(UTTERANCES, utterance_rows(*names, runs))


ATTRIBUTE_VOICES_STAGE = Stage("attribute_voices", _request, _work)

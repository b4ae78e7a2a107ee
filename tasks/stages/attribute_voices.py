"""Who speaks, what must be silenced, and the words with and without what is silenced."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import pyarrow as pa

from firsthand.core.identity import Json, digest_json
from firsthand.core.time import Span
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.speaker_items import SPEAKER_KIND, reviewed_speakers
from firsthand.curation.standing import decisions_in
from firsthand.curation.transcript_items import TRANSCRIPT_KIND, utterance_reviews
from firsthand.curation.voice_splits import SPLIT_KIND, parts_of
from firsthand.deid.muting import merged_spans
from firsthand.speech.attribution import (
    SpokenWord,
    lost_speech,
    muted_spans,
    redacted,
    utterances,
    words_with_speakers,
)
from firsthand.speech.corrections import corrected_turns, corrected_words, parted_turns
from firsthand.speech.private_speech import PrivateSpeech, private_spans
from firsthand.speech.rows import speaker_rows, utterance_rows, word_rows
from firsthand.speech.speakers import VoiceTurn, voice_turns
from firsthand.store import Outputs, Receipt, StepRequest, TableSpec, Zone, table_from_rows
from firsthand.store.decision_lines import decision_to_json
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import SPEAKERS, UTTERANCES, WORDS
from tasks.double_review import shares_in_key, stander_of
from tasks.engines import chosen_speech_engines
from tasks.items import Recording
from tasks.job import Job
from tasks.settings import as_json
from tasks.sound import sound_of
from tasks.stage import Stage
from tasks.stages.enrol import enrolled_voice
from tasks.stages.transcribe import transcribed_words
from tasks.steps import ATTRIBUTE_VOICES
from tasks.values import pairs

__all__ = [
    "ATTRIBUTE_VOICES_STAGE",
    "overlapped_spans",
    "private_word_spans",
    "silenced_spans",
]

Rows = dict[TableSpec, list[dict[str, object]]]


def silenced_spans(receipt: Receipt) -> list[Span]:
    """Return the spans that must be silenced, as attribution decided."""
    return [Span(begin_us, end_us) for begin_us, end_us in pairs(receipt, "muted_us")]


def private_word_spans(receipt: Receipt) -> list[Span]:
    """Return what of the silenced spans is participants' own private words."""
    return [Span(begin_us, end_us) for begin_us, end_us in pairs(receipt, "private_us")]


def overlapped_spans(receipt: Receipt) -> list[Span]:
    """Return the spans in which participants' speech is lost with a bystander's."""
    return [Span(begin_us, end_us) for begin_us, end_us in pairs(receipt, "overlapped_us")]


def _private_speech(job: Job) -> PrivateSpeech:
    wanted = job.spec().removal.speech
    return PrivateSpeech(wanted.numbers, wanted.names)


def _request(job: Job, recording: Recording) -> StepRequest:
    return StepRequest(
        ATTRIBUTE_VOICES,
        inputs={
            "media": recording.source.media_digest,
            "words": recording.receipt("transcribe").digest,
            "voice": recording.receipt("enrol").digest,
            "decisions": digest_json([decision_to_json(one) for one in _decisions(job, recording)]),
        },
        parameters={
            "participant_id": recording.participant_id,
            "language": chosen_speech_engines(job).recogniser.language,
            "recogniser": job.spec().engines.speech,
            "private_speech": as_json(_private_speech(job)),
            **shares_in_key(job, TRANSCRIPT_KIND),
        },
        engine=chosen_speech_engines(job).speaker_identity,
        subject=recording.recording_id,
    )


def _work(job: Job, recording: Recording, folder: Path) -> Outputs:
    engines = chosen_speech_engines(job)
    voice = enrolled_voice(job.store, recording.receipt("enrol"))
    sound = sound_of(recording.source, folder)
    judged = voice_turns(sound, {recording.participant_id: voice}, engines)
    heard = transcribed_words(job.store, recording.receipt("transcribe"))
    decided = _decisions(job, recording)
    judged_rows = speaker_rows(*_names(recording), judged)
    turns = _reviewed_turns(judged, _json(judged_rows), decided)
    spoken = words_with_speakers(heard, turns)
    machine = _speech_rows(job, recording, spoken)
    reviews = utterance_reviews(
        _json(machine[UTTERANCES]), _json(machine[WORDS]), decided, stander_of(job)
    )
    said = corrected_words(spoken, reviews, recording.duration_us)
    others = muted_spans(turns, recording.duration_us, spoken)
    wanted = _private_speech(job)
    # Words are private as the machine heard them and as people corrected them.
    own = [*private_spans(spoken, wanted), *private_spans(said, wanted)]
    muted = merged_spans([*others, *own])
    lost = merged_spans(lost_speech(turns, said, others))
    # The private zone keeps what the machine made of it, the public one what counts.
    private = {SPEAKERS: judged_rows, **machine}
    public = {
        SPEAKERS: speaker_rows(*_names(recording), turns),
        **_speech_rows(job, recording, redacted(said, muted)),
    }
    return Outputs(
        tables=(*_tables(private, Zone.PRIVATE), *_tables(public, Zone.PUBLIC)),
        values={
            "muted_us": [[span.start_us, span.end_us] for span in muted],
            "private_us": [[span.start_us, span.end_us] for span in merged_spans(own)],
            "overlapped_us": [[span.start_us, span.end_us] for span in lost],
        },
    )


def _reviewed_turns(
    judged: Sequence[VoiceTurn], rows: Sequence[Mapping[str, Json]], decided: list[ReviewDecision]
) -> tuple[VoiceTurn, ...]:
    """Return the turns as people left them: whole or in parts, and whose voices they are."""
    turns = corrected_turns(judged, reviewed_speakers(rows, decided))
    parts = parts_of(rows, decided)
    spans = {
        begin_us: [(int(str(one["begin_us"])), int(str(one["end_us"]))) for one in own]
        for begin_us, own in parts.items()
    }
    every = [one for own in parts.values() for one in own]
    return corrected_turns(parted_turns(turns, spans), reviewed_speakers(every, decided))


def _decisions(job: Job, recording: Recording) -> list[ReviewDecision]:
    decisions = ReviewStore.open(job.store.reviews).decisions()
    return decisions_in(
        recording.recording_id, (SPEAKER_KIND, SPLIT_KIND, TRANSCRIPT_KIND), decisions
    )


def _names(recording: Recording) -> tuple[str, str]:
    return recording.participant_id, recording.recording_id


def _speech_rows(job: Job, recording: Recording, spoken: Sequence[SpokenWord]) -> Rows:
    runs = utterances(spoken, chosen_speech_engines(job).recogniser.language)
    return {
        WORDS: word_rows(*_names(recording), spoken, job.spec().engines.speech),
        UTTERANCES: utterance_rows(*_names(recording), runs),
    }


def _tables(rows: Rows, zone: Zone) -> list[tuple[TableSpec, Zone, pa.Table]]:
    return [(spec, zone, table_from_rows(spec, lines)) for spec, lines in rows.items()]


def _json(rows: Sequence[dict[str, object]]) -> list[dict[str, Json]]:
    return cast("list[dict[str, Json]]", rows)


ATTRIBUTE_VOICES_STAGE = Stage("attribute_voices", _request, _work)

"""Names of voices that nobody enrolled, the same in all recordings of a participant.

The names of the build before are an input: what has a name keeps it. A build that compares the
same stretches again therefore asks for the names with what was known the first time, which the
rows tell; else it would never find its own receipt.

Once the vectors of a recording were deleted, its voices keep their names, and nobody is
recognised by them any more: a stranger who is heard again gets a name of their own.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pyarrow.parquet as pq

from firsthand.core.identity import Json, digest_json
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.speaker_items import BYSTANDER_NAME
from firsthand.curation.voice_items import VOICE_KIND, attributions
from firsthand.speech.voice_names import Place, VoiceSample, name_voices
from firsthand.store import Outputs, StepRequest, Zone, read_table, table_from_rows
from firsthand.store.decision_lines import decision_to_json
from firsthand.store.reviews import ReviewStore
from firsthand.store.tables import VOICES
from tasks.items import Recording, Stream
from tasks.job import Job
from tasks.stage import Stage
from tasks.stages.sample_voices import kept_vectors
from tasks.steps import NAME_VOICES

__all__ = ["NAME_VOICES_STAGE"]

Row = dict[str, Json]


def _request(job: Job, stream: Stream) -> StepRequest:
    decisions: list[Json] = [decision_to_json(one) for one in _decisions(job, stream)]
    heard = _heard(job, stream)
    return StepRequest(
        NAME_VOICES,
        inputs={
            "heard": heard,
            "known": _known_digest(_before(job, stream), heard),
            "decisions": digest_json(decisions),
        },
        subject=stream.stream_id,
    )


def _work(job: Job, stream: Stream, folder: Path) -> Outputs:
    del folder
    before = _before(job, stream)
    decided = _decisions(job, stream)
    rows, samples = _samples(job, stream)
    known = dict(_voices(before))
    # New stretches join the voices that people made of them; items keep the machine's names.
    said = attributions(before, decided)
    belongs = {place: said[place[0], name].voice for place, name in known.items()}
    named = {**name_voices(samples, belongs), **known}
    voiced = [{**row, "voice": named.get(_place(row))} for row in rows]
    said = attributions(voiced, decided)
    digests = {
        "heard_digest": _heard(job, stream),
        "known_digest": _known_digest(before, _heard(job, stream)),
    }
    words = {one.recording_id: _strangers_words(job, one) for one in stream.recordings}
    made = []
    for row in voiced:
        place, voice = _place(row), row["voice"]
        told = said.get((place[0], str(voice)))
        made.append(
            {
                "participant_id": row["participant_id"],
                "recording_id": place[0],
                "begin_us": place[1],
                "end_us": place[2],
                "voice": voice,
                "speaker": BYSTANDER_NAME if told is None else told.speaker,
                "confirmed": told is not None and told.confirmed,
                "word_indexes": _indexes(words[place[0]], place),
                "excerpt_sha256": row["excerpt_sha256"],
                **digests,
            }
        )
    return Outputs(tables=((VOICES, Zone.PRIVATE, table_from_rows(VOICES, made)),))


def _heard(job: Job, stream: Stream) -> str:
    """Return the digest of the stretches, and of which of them can be compared still."""
    sampled = [one.receipt("sample_voices") for one in stream.recordings]
    return digest_json(
        sorted([one.digest, kept_vectors(job.store, one) is not None] for one in sampled)
    )


def _before(job: Job, stream: Stream) -> list[Row]:
    rows = read_table(job.store, job.spec().name, VOICES, Zone.PRIVATE).to_pylist()
    return [row for row in rows if row["participant_id"] == stream.participant_id]


def _known_digest(before: list[Row], heard: str) -> str:
    if before and before[0]["heard_digest"] == heard:
        return str(before[0]["known_digest"])
    return digest_json([[*place, voice] for place, voice in sorted(_voices(before))])


def _voices(rows: Iterable[Row]) -> Iterator[tuple[Place, str]]:
    return ((_place(row), str(row["voice"])) for row in rows if row["voice"] is not None)


def _decisions(job: Job, stream: Stream) -> list[ReviewDecision]:
    own = {one.recording_id for one in stream.recordings}
    return [
        decision
        for decision in ReviewStore.open(job.store.reviews).decisions()
        if decision.item_kind == VOICE_KIND and decision.item_id.split("/")[0] in own
    ]


def _samples(job: Job, stream: Stream) -> tuple[list[Row], list[VoiceSample]]:
    """Return the sampled stretches in order of time along the stream, and how they sound.

    Of recordings whose vectors were deleted nobody knows how they sound.
    """
    rows: list[Row] = []
    samples: list[VoiceSample] = []
    for recording in stream.recordings:
        sampled = recording.receipt("sample_voices")
        (part,) = sampled.parts_of("voice_samples", Zone.PRIVATE)
        own: list[Row] = pq.read_table(job.store.root / part.path).to_pylist()
        vectors = kept_vectors(job.store, sampled)
        if vectors is not None:
            samples += [VoiceSample(_place(r), v) for r, v in zip(own, vectors, strict=True)]
        rows += own
    return rows, samples


def _strangers_words(job: Job, recording: Recording) -> list[Row]:
    (part,) = recording.receipt("attribute_voices").parts_of("words", Zone.PRIVATE)
    rows: list[Row] = pq.read_table(job.store.root / part.path).to_pylist()
    return [row for row in rows if row["speaker"] == BYSTANDER_NAME]


def _indexes(words: list[Row], place: Place) -> list[int]:
    _, begin_us, end_us = place
    middles = (
        (int(str(word["word_index"])), (int(str(word["begin_us"])) + int(str(word["end_us"]))) // 2)
        for word in words
    )
    return [index for index, middle_us in middles if begin_us <= middle_us < end_us]


def _place(row: Mapping[str, Json]) -> Place:
    return str(row["recording_id"]), int(str(row["begin_us"])), int(str(row["end_us"]))


NAME_VOICES_STAGE = Stage("name_voices", _request, _work)
"""Over streams; everything that it writes is private."""

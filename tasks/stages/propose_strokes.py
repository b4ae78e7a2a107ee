"""Clips for co-speech grounding: set up, their phrases aligned, a stroke proposed for each.

What is proposed is never taken for truth: a window counts when a person has accepted or
set it, and its phrase with it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from firsthand.core.identity import digest_json
from firsthand.curation.clip_setup import (
    CLIP_TEMPLATES,
    ClipThing,
    arranged_clip_options,
    check_referent_kinds,
)
from firsthand.curation.deictic import DeicticPhrase, SaidWord, aligned_phrases
from firsthand.curation.stillness import SeenHand, pointing_hand
from firsthand.curation.stroke_proposals import StrokeProposal, stroke_proposals
from firsthand.drafting.deictic_model import phrases_by_model
from firsthand.masks.hands import HAND_DETECTORS, HandDetector
from firsthand.media.frames import decoded_frames
from firsthand.store import Outputs, StepRequest, Zone, table_from_rows
from firsthand.store.tables import CLIP_OPTIONS, CLIP_SETUPS, STROKE_PROPOSALS
from schemas.annotation_files import ClipLine
from tasks.items import Recording
from tasks.job import Job
from tasks.pointing import alignment_identity, alignment_of, clip_set_up
from tasks.stage import Stage
from tasks.steps import PROPOSE_STROKES

__all__ = ["PROPOSE_STROKES_STAGE"]

_LOOK_EVERY_US = 66_000
_RULES = "rules"

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class _Aligned:
    """The phrases of a clip's referents, or None, and what found them."""

    phrases: tuple[DeicticPhrase, ...] | None
    by: str


def _request(job: Job, recording: Recording) -> StepRequest:
    hands = _hand_detector(job)
    inputs = {
        "set_up": digest_json(_set_up(job, recording).model_dump(mode="json")),
        "words": recording.receipt("attribute_voices").digest,
    }
    if hands is not None:
        inputs["stream"] = recording.receipt("deidentify").blobs["stream"].sha256
    return StepRequest(
        PROPOSE_STROKES,
        inputs=inputs,
        parameters={
            **recording.keys,
            "duration_us": recording.duration_us,
            "model": alignment_identity(job),
        },
        engine={"name": "none"} if hands is None else hands.identity,
        subject=recording.recording_id,
    )


def _work(job: Job, recording: Recording, folder: Path) -> Outputs:
    del folder
    line = _set_up(job, recording)
    check_referent_kinds(line.file, line.template, [one.kind for one in line.referents])
    options = list(_option_rows(recording, line))
    aligned = _aligned(job, recording, line)
    hand = _pointing_hand(job, recording)
    proposals = stroke_proposals(aligned.phrases, len(line.referents), hand, recording.duration_us)
    tables = (
        (CLIP_SETUPS, [_set_up_row(recording, line)]),
        (CLIP_OPTIONS, options),
        (STROKE_PROPOSALS, list(_proposal_rows(recording, line, aligned.by, proposals))),
    )
    return Outputs(
        tables=tuple((spec, Zone.PUBLIC, table_from_rows(spec, rows)) for spec, rows in tables),
        values={"hands_seen": len(hand)},
    )


def _set_up(job: Job, recording: Recording) -> ClipLine:
    line = clip_set_up(job, recording)
    if line is None:
        raise ValueError(f"recording {recording.recording_id[:12]} is not set up as a clip")
    return line


def _set_up_row(recording: Recording, line: ClipLine) -> Row:
    return {
        **recording.keys,
        "template": line.template,
        "level": CLIP_TEMPLATES[line.template].level,
        "language": line.language,
        "referents": len(line.referents),
        "seed": line.seed,
    }


def _option_rows(recording: Recording, line: ClipLine) -> Iterator[Row]:
    targets = [ClipThing(one.label, one.kind) for one in line.referents]
    distractors = [
        ClipThing(one) if isinstance(one, str) else ClipThing(one.label, one.kind)
        for one in line.distractors
    ]
    arranged = arranged_clip_options(line.file, targets, distractors, line.seed)
    for index, (letter, text) in enumerate(arranged.options):
        answers = enumerate(arranged.answers, start=1)
        yield {
            **recording.keys,
            "option_index": index,
            "letter": letter,
            "text": text,
            "positions": [place for place, answer in answers if answer == letter],
        }


def _aligned(job: Job, recording: Recording, line: ClipLine) -> _Aligned:
    """Return the phrases by the rules, else by a model; a silent clip has none."""
    if CLIP_TEMPLATES[line.template].is_silent:
        return _Aligned(None, "none")
    words = _said(job, recording)
    found = aligned_phrases(words, line.language, len(line.referents))
    if found is not None:
        return _Aligned(found, _RULES)
    alignment = alignment_of(job)
    if alignment is None:
        return _Aligned(None, "none")
    kinds = [one.kind for one in line.referents]
    asked = phrases_by_model(recording.participant_id, words, line.language, kinds, alignment)
    return _Aligned(asked, "none" if asked is None else alignment.endpoint.model)


def _said(job: Job, recording: Recording) -> list[SaidWord]:
    """Return the words that may be shown, in order of onset."""
    receipt = recording.receipt("attribute_voices")
    rows = [
        row
        for part in receipt.parts_of("words", Zone.PUBLIC)
        for row in pq.read_table(job.store.root / part.path).to_pylist()
        if row["text"] and not row["redacted"]
    ]
    rows.sort(key=lambda row: (row["begin_us"], row["word_index"]))
    return [SaidWord(row["text"], row["begin_us"], row["end_us"]) for row in rows]


def _hand_detector(job: Job) -> HandDetector | None:
    name = job.spec().engines.hands
    return None if name is None else HAND_DETECTORS[name]()


def _pointing_hand(job: Job, recording: Recording) -> tuple[SeenHand, ...]:
    """Return where the pointing hand is seen, in about fifteen frames a second."""
    detector = _hand_detector(job)
    if detector is None:
        return ()
    stream = recording.receipt("deidentify").blobs["stream"].path(job.store)
    frames: list[list[SeenHand]] = []
    due_us = 0
    for picture in decoded_frames(stream):
        if picture.pts_us < due_us:
            continue
        due_us = picture.pts_us + _LOOK_EVERY_US
        palms = detector.palms(picture.rgb)
        frames.append([SeenHand(picture.pts_us, p.x_px, p.y_px, p.width_px) for p in palms])
    return pointing_hand(frames)


def _proposal_rows(
    recording: Recording, line: ClipLine, aligned_by: str, proposals: Sequence[StrokeProposal]
) -> Iterator[Row]:
    places = enumerate(zip(line.referents, proposals, strict=True), start=1)
    for position, (referent, proposal) in places:
        phrase = proposal.phrase
        yield {
            **recording.keys,
            **referent.model_dump(),
            "position": position,
            "phrase": "" if phrase is None else phrase.text,
            "phrase_begin_us": None if phrase is None else phrase.begin_us,
            "phrase_end_us": None if phrase is None else phrase.end_us,
            "aligned_by": aligned_by,
            "begin_us": proposal.window.begin_us,
            "end_us": proposal.window.end_us,
            "basis": proposal.basis.value,
            "stillest_us": proposal.stillest_us,
        }


PROPOSE_STROKES_STAGE = Stage("propose_strokes", _request, _work)

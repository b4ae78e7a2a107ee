"""Clips for co-speech grounding in a build: their set-ups, and the referents that come of them."""

from collections.abc import Mapping, Sequence

from firsthand.core.errors import DataFileError
from firsthand.core.text import same_name
from firsthand.core.time import ms_to_us
from firsthand.curation.stroke_items import PROPOSED
from firsthand.drafting.deictic_model import ModelAlignment
from firsthand.drafting.prompts import load_prompt
from schemas.annotation_files import ClickLine, ClipLine, StrokeLine, read_clips
from tasks.calls import reply_log
from tasks.items import Recording
from tasks.job import Job
from tasks.prompted_models import budget_of, endpoint_of

__all__ = [
    "alignment_identity",
    "alignment_of",
    "clip_set_up",
    "named_clips",
    "referent_rows",
    "stroke_rows",
    "verified_referents",
]

_ANNOTATOR = "annotator-1"
_PROMPT = "deictic-phrases"

Row = dict[str, object]


def named_clips(job: Job) -> list[str]:
    """Return the files that set-ups of clips name."""
    path = job.spec().annotations.clips
    return [line.file for line in read_clips(path)] if path else []


def clip_set_up(job: Job, recording: Recording) -> ClipLine | None:
    """Return how a recording is set up as a clip; None if it is not.

    Raises:
        DataFileError: If it is set up twice.
    """
    path = job.spec().annotations.clips
    lines = read_clips(path) if path else []
    own = [line for line in lines if same_name(line.file) == same_name(recording.item_id)]
    if len(own) > 1:
        raise DataFileError(
            f"set-up of clip {recording.item_id!r}",
            f"{len(own)} lines",
            "one line for each clip",
            "Keep the line that holds.",
        )
    return own[0] if own else None


def alignment_of(job: Job) -> ModelAlignment | None:
    """Return how a model is asked which words point; None if the benchmark names none.

    Raises:
        MissingSecretError: If the model's key is not set.
    """
    spec = job.spec().deictic_model
    if spec is None:
        return None
    return ModelAlignment(
        endpoint=endpoint_of(spec),
        prompt=load_prompt(_PROMPT),
        replies=reply_log(job.store.replies),
        revision=spec.revision,
        budget=budget_of(spec),
    )


def alignment_identity(job: Job) -> str:
    """Return everything that decides which words a model says to point."""
    spec = job.spec().deictic_model
    if spec is None:
        return "none"
    return f"{spec.model} {spec.revision} {load_prompt(_PROMPT).name}"


def referent_rows(
    recording: Recording,
    clicks: Sequence[ClickLine],
    strokes: Sequence[StrokeLine],
    proposals: Sequence[Mapping[str, object]],
) -> list[Row]:
    """Return rows of table `referents`, in order of mention.

    The set-up of a clip names them; without one, they are what the strokes go with, by time.

    Args:
        recording: The recording.
        clicks: Its clicks, whose labels name what was clicked.
        strokes: Its strokes, set by an annotator.
        proposals: Its rows of table `stroke_proposals`; none where it is not set up.

    Raises:
        DataFileError: If a stroke goes with a referent that the set-up does not name.
    """
    if not proposals:
        return _by_time(recording, clicks, strokes)
    phrases = {line.referent_id: line.phrase for line in strokes}
    strange = sorted(phrases.keys() - {str(row["referent_id"]) for row in proposals})
    if strange:
        raise DataFileError(
            f"strokes of {recording.item_id!r}, field referent_id",
            f"{strange[0]!r}, which the clip's set-up does not name",
            f"one of {', '.join(str(row['referent_id']) for row in proposals)}",
            "Correct the stroke, or add the referent to the set-up.",
        )
    kept = ("referent_id", "position", "label", "kind", "phrase")
    rows = [{**recording.keys, **{name: row[name] for name in kept}} for row in proposals]
    return [{**row, "phrase": phrases.get(str(row["referent_id"]), row["phrase"])} for row in rows]


def stroke_rows(
    recording: Recording,
    strokes: Sequence[StrokeLine],
    proposals: Sequence[Mapping[str, object]],
) -> list[Row]:
    """Return rows of table `strokes` before review: an annotator's, else what is proposed."""
    own = {line.referent_id for line in strokes}
    rows: list[Row] = [
        {
            **recording.keys,
            "referent_id": line.referent_id,
            "begin_us": ms_to_us(line.begin_ms),
            "end_us": ms_to_us(line.end_ms),
            "annotator": _ANNOTATOR,
        }
        for line in strokes
    ]
    kept = ("referent_id", "begin_us", "end_us")
    rows += [
        {**recording.keys, **{name: row[name] for name in kept}, "annotator": PROPOSED}
        for row in proposals
        if row["referent_id"] not in own
    ]
    return rows


def verified_referents(
    referents: Sequence[Row], counting: Sequence[Mapping[str, object]]
) -> list[Row]:
    """Return the referents without the phrases that nobody has verified.

    A person who sets or accepts a stroke has its phrase before them.

    Args:
        referents: Rows of table `referents`.
        counting: The rows of table `strokes` that count after review.
    """
    seen = {row["referent_id"] for row in counting}
    return [row if row["referent_id"] in seen else {**row, "phrase": ""} for row in referents]


def _by_time(
    recording: Recording, clicks: Sequence[ClickLine], strokes: Sequence[StrokeLine]
) -> list[Row]:
    labels = {line.referent_id: line.label for line in clicks}
    pointed = sorted(strokes, key=lambda line: (line.begin_ms, line.referent_id))
    return [
        {
            **recording.keys,
            "referent_id": line.referent_id,
            "position": position,
            "label": labels.get(line.referent_id, line.phrase),
            "kind": "object",
            "phrase": line.phrase,
        }
        for position, line in enumerate(pointed, start=1)
    ]

"""EcoG-Bench's ground truth as table rows: referents, their strokes, their options."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from firsthand.core.identity import digest_json
from firsthand.core.time import ms_to_us
from firsthand.formats.ecog import GoldClip
from firsthand.formats.problems import Problem
from firsthand.formats.question_rows import Row
from firsthand.formats.teleego import option_parts

__all__ = ["GroundingRows", "clip_key", "ecog_rows"]

_KEY_DIGITS = 16


@dataclass(slots=True)
class GroundingRows:
    """Rows of three tables, and referents that could not become rows."""

    referents: list[Row] = field(default_factory=list)
    strokes: list[Row] = field(default_factory=list)
    options: list[Row] = field(default_factory=list)
    left_out: list[Problem] = field(default_factory=list)


def clip_key(clip: GoldClip) -> str:
    """Return a clip's identifier: its names may be Chinese, an identifier may not."""
    return f"ecog/{digest_json([clip.environment, clip.template, clip.video_name])[:_KEY_DIGITS]}"


def ecog_rows(clips: Sequence[GoldClip], participant_id: str = "ecog") -> GroundingRows:
    """Return table rows of clips; a clip is a one-recording stream on its own clock.

    A referent without a stroke window, or with one that ends before it begins, is left out
    and listed.
    """
    rows = GroundingRows()
    for clip in clips:
        common: Row = {"participant_id": participant_id, "recording_id": clip_key(clip)}
        lines = (*clip.object_choices, *clip.space_choices)
        choices = [option_parts(line, place) for place, line in enumerate(lines)]
        rows.options += [
            {
                "participant_id": participant_id,
                "question_id": clip_key(clip),
                "option_index": place,
                "letter": letter,
                "text": text,
            }
            for place, (letter, text) in enumerate(choices)
        ]
        labels = dict(choices)
        for position, referent in enumerate(clip.referents, start=1):
            begin_ms, end_ms = referent.stroke_begin_ms, referent.stroke_end_ms
            if begin_ms is None or end_ms is None or begin_ms > end_ms:
                place = f"{clip.clip_id}, referent {position - 1}"
                found = f"[{begin_ms}, {end_ms}]"
                rows.left_out.append(
                    Problem("eval_gt.json", place, "stroke", found, "begin and end in order")
                )
                continue
            choice = referent.choice.strip()
            named: Row = {**common, "referent_id": str(position)}
            rows.referents.append(
                {
                    **named,
                    "position": position,
                    "label": labels.get(choice, choice),
                    "kind": "object" if choice.isupper() else "space",
                    "phrase": "",
                }
            )
            rows.strokes.append(
                {
                    **named,
                    "begin_us": ms_to_us(begin_ms),
                    "end_us": ms_to_us(end_ms),
                    "annotator": "imported",
                }
            )
    return rows

"""Which tables each stage of a build owns: their content is what its last run made.

A table is committed whole when its stage ends, also when the stage had nothing to do: the
rows of a recording, or of an annotation, that is no longer there leave with it.
"""

from collections.abc import Mapping
from types import MappingProxyType

from firsthand.core.errors import FirsthandError
from firsthand.store import Zone

__all__ = ["TABLES_OF_STAGE", "StageTableError"]


class StageTableError(FirsthandError):
    """A stage wrote a table that another stage, or none, owns."""


def _public(*tables: str) -> tuple[tuple[str, Zone], ...]:
    return tuple((table, Zone.PUBLIC) for table in tables)


def _private(*tables: str) -> tuple[tuple[str, Zone], ...]:
    return tuple((table, Zone.PRIVATE) for table in tables)


TABLES_OF_STAGE: Mapping[str, tuple[tuple[str, Zone], ...]] = MappingProxyType(
    {
        "probe": _public("recordings"),
        "date": _public("starts"),
        "place": _public("timeline", "streams"),
        "describe": _public("participants", "consents", "scenarios"),
        "enrol": (),
        "transcribe": (),
        "attribute_voices": (
            *_public("speakers", "words", "utterances"),
            *_private("speakers", "words", "utterances"),
        ),
        "sample_voices": _private("voice_samples"),
        "name_voices": _private("voices"),
        "find_faces": _public("detections", "tracks"),
        "enrol_faces": (),
        "spare_faces": _public("spared_faces"),
        "find_text": (*_private("text_sightings"), *_public("text_tracks")),
        "deidentify": _public("deid_audit"),
        "sample_audit": _private("audit_frames", "kept_sounds"),
        "narrate": (*_public("narrations"), *_private("narrations")),
        "cut_clips": _public("clips"),
        "propose_strokes": _public("clip_setups", "clip_options", "stroke_proposals"),
        "mask": (
            *_public("clicks", "masks", "referents", "strokes"),
            *_private("clicks", "masks", "referents", "strokes"),
        ),
        "draft": _public("drafts", "refused_drafts"),
        "accept": _public("reviews", "questions", "options", "evidence"),
        "set_aside": _public("quarantine"),
        "sign_off": _public("audit_results"),
    }
)
"""Tables and zones by stage; no two stages share one."""

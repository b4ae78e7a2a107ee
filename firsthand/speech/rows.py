"""Rows of the tables `words`, `utterances` and `speakers`."""

from collections.abc import Sequence

from firsthand.speech.attribution import SpokenWord, Utterance
from firsthand.speech.speakers import VoiceTurn

__all__ = ["speaker_rows", "utterance_rows", "word_rows"]

Row = dict[str, object]


def word_rows(
    participant_id: str, recording_id: str, words: Sequence[SpokenWord], engine: str
) -> list[Row]:
    """Return one row of `words` for each word.

    Args:
        participant_id: Whose recording it is, whoever spoke.
        recording_id: The recording.
        words: In order of onset; their positions become `word_index`.
        engine: Name of the recogniser.
    """
    return [
        {
            "participant_id": participant_id,
            "recording_id": recording_id,
            "word_index": index,
            "text": item.word.text,
            "begin_us": item.word.begin_us,
            "end_us": item.word.end_us,
            "speaker": item.speaker,
            "confidence": item.word.confidence,
            "timing": item.word.timing.value,
            "mendings": list(item.word.mendings),
            "revision": item.revision,
            "engine": engine,
            "redacted": item.redacted,
        }
        for index, item in enumerate(words)
    ]


def utterance_rows(
    participant_id: str, recording_id: str, spoken: Sequence[Utterance]
) -> list[Row]:
    """Return one row of `utterances` for each utterance, in order of onset."""
    return [
        {
            "participant_id": participant_id,
            "recording_id": recording_id,
            "utterance_index": index,
            "begin_us": utterance.begin_us,
            "end_us": utterance.end_us,
            "speaker": utterance.speaker,
            "text": utterance.text,
            "language": utterance.language,
            "redacted": utterance.redacted,
        }
        for index, utterance in enumerate(spoken)
    ]


def speaker_rows(participant_id: str, recording_id: str, turns: Sequence[VoiceTurn]) -> list[Row]:
    """Return one row of `speakers` for each voice turn, in order of begin."""
    return [
        {
            "participant_id": participant_id,
            "recording_id": recording_id,
            "turn_index": index,
            "begin_us": turn.begin_us,
            "end_us": turn.end_us,
            "speaker": turn.speaker,
            "similarity": turn.similarity,
            "consented": turn.consented,
            "overlapped": turn.overlapped,
        }
        for index, turn in enumerate(turns)
    ]

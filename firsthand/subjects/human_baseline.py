"""People as subjects: a release's questions as they are put to a person, and their answers."""

from collections.abc import Sequence

from firsthand.curation.human_items import first_answers, human_item
from firsthand.curation.reviewing import ReviewDecision
from firsthand.curation.revisions import ReviewItem
from firsthand.endpoints.replies import Reply
from firsthand.subjects.material import ReleaseTables, questions_of
from firsthand.subjects.recordings import Recording, recording_of_replies

__all__ = ["human_items", "human_subject_id", "recording_of_person"]


def human_subject_id(person: str) -> str:
    """Return how a person is known among subjects."""
    return f"human:{person}"


def human_items(release: ReleaseTables) -> list[tuple[str, ReviewItem]]:
    """Return participant and item of every question, by stream and then in order of due time."""
    streams = sorted({str(one) for one in release.table("questions")["stream_id"].to_pylist()})
    kept = [question for name in streams for question in questions_of(release, name)]
    kept.sort(key=lambda one: (one.stream_id, one.due_us, one.source_index))
    return [
        (
            one.participant_id,
            human_item(
                release.release_id,
                {
                    "question_id": one.question_id,
                    "stream_id": one.stream_id,
                    "question_type": one.question_type.value,
                    "text": one.text,
                    "options": [option.text for option in one.options],
                    "due_us": one.due_us,
                },
            ),
        )
        for one in kept
    ]


def recording_of_person(
    release: ReleaseTables, decisions: Sequence[ReviewDecision], person: str
) -> Recording:
    """Return a person's answers as replies to be replayed: each with the time that it took.

    Args:
        release: The release.
        decisions: In order of arrival.
        person: Who answered.
    """
    items = [item for _, item in human_items(release)]
    answers = first_answers(items, decisions, person)
    return recording_of_replies(
        {
            (question_id, 0): Reply(text, "stop", latency_us, "measured")
            for question_id, (text, latency_us) in answers.items()
        }
    )

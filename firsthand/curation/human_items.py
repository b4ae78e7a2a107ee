"""Answers of people to a release's questions: the human baseline.

How it is shown and told. `human_item` makes an item of a question of a release; the id is the
question's. Each person answers each question alone, in order of due time, after the stream
until then. An edit gives `answer`: a letter or several, `true` or `false`, or a text.

What counts. A person's first answer to the question as it stands in the release, with the
seconds that the server counted since it first showed them the question.
"""

from collections.abc import Iterable, Mapping, Sequence

from firsthand.core.identity import Json
from firsthand.core.time import s_to_us
from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.curation.revisions import ReviewItem

__all__ = ["HUMAN_KIND", "first_answers", "human_item"]

HUMAN_KIND = "human_answer"


def human_item(release_id: str, row: Mapping[str, Json]) -> ReviewItem:
    """Return the item of a question.

    Args:
        release_id: The release.
        row: `question_id`, `stream_id`, `question_type`, `text`, `options` as texts in order,
            and `due_us`.
    """
    content: dict[str, Json] = {**row, "release_id": release_id, "answer": "", "revision": 0}
    return ReviewItem.of(HUMAN_KIND, str(row["question_id"]), content)


def first_answers(
    items: Iterable[ReviewItem], decisions: Sequence[ReviewDecision], person: str
) -> dict[str, tuple[str, int]]:
    """Return a person's answers: text and microseconds since the question was shown.

    Args:
        items: The questions.
        decisions: In order of arrival; those of others do not count.
        person: Who answered.
    """
    asked = {(item.item_id, item.content_digest) for item in items}
    found: dict[str, tuple[str, int]] = {}
    for one in decisions:
        is_answer = one.item_kind == HUMAN_KIND and one.decision is DecisionKind.EDIT
        if not is_answer or one.reviewer != person or "answer" not in one.edit:
            continue
        if (one.item_id, one.content_digest) in asked:
            answer = (str(one.edit["answer"]), s_to_us(one.seconds_spent))
            found.setdefault(one.item_id, answer)
    return found

"""Judged answers under review: an item is an open answer that a judge graded, graded by a person.

How it is shown and told. `judgement_item` makes an item of an answer: question, reference,
answer, and the rubric; what the judge said of it, and which subject gave it, is not part of
it. The id is `<run_id>/<first digits of a digest of ask and rubric>`. A person's edit gives
`grade`, one of the rubric's; `check_grade_edit` says what is wrong with it.

What counts. A grade counts when it was accepted; a rejected answer cannot be graded.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from firsthand.core.identity import Json, digest_json
from firsthand.curation.reviewing import (
    ReviewDecision,
    ReviewState,
    Stander,
    accepted_items,
    single_state,
)
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.standing import wrong_value

__all__ = ["JUDGEMENT_KIND", "check_grade_edit", "judgement_item", "person_grades"]

JUDGEMENT_KIND: Final = "judgement"
_ID_DIGITS = 24

Row = Mapping[str, Json]


def judgement_item(run_id: str, ask_id: str, row: Row) -> ReviewItem:
    """Return the item of a judged answer.

    Args:
        run_id: The run.
        ask_id: The ask.
        row: `question`, `reference`, `answer` and `rubric` as name and version.
    """
    name = digest_json([ask_id, row["rubric"]])[:_ID_DIGITS]
    content: dict[str, Json] = {
        **row,
        "run_id": run_id,
        "ask_id": ask_id,
        "grade": None,
        "revision": 0,
    }
    return ReviewItem.of(JUDGEMENT_KIND, f"{run_id}/{name}", content)


def check_grade_edit(item: ReviewItem, edit: Row, grades: Sequence[float]) -> None:
    """Check the grade that an edit gives.

    Args:
        item: The answer.
        edit: The new values.
        grades: Those that the rubric knows.

    Raises:
        EditError: If it is none of them.
    """
    grade = edit.get("grade")
    if isinstance(grade, bool) or not isinstance(grade, int | float) or grade not in grades:
        expected = f"one of {', '.join(f'{one:g}' for one in grades)}"
        raise wrong_value(item, "grade", "no grade of the rubric", expected)


def person_grades(
    items: Iterable[ReviewItem],
    decisions: Iterable[ReviewDecision],
    stander: Stander = single_state,
) -> dict[str, float]:
    """Return the grades that people gave and accepted, by item.

    Args:
        items: The judged answers.
        decisions: In order of arrival; those on other items do not count.
        stander: How states follow from the decisions on an item.
    """
    own = [decision for decision in decisions if decision.item_kind == JUDGEMENT_KIND]
    outcome = accepted_items(own, items, stander)
    return {
        item.item_id: float(str(item.content["grade"]))
        for item in outcome.accepted
        if item.content["grade"] is not None
        and outcome.states[item.item_kind, item.item_id] is ReviewState.ACCEPTED
    }

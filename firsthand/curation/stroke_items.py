"""Strokes under review: an item is the window in which a pointing gesture means its object.

How it is shown and told. `stroke_items` makes the items of a build from the rows of
`strokes` and `referents` in its private zone, before review; the id is
`<recording_id>/<referent_id>`, and `phrase` is what is said with the gesture. A person
drags `begin_us` and `end_us` on the timeline; both are inclusive, and may be equal.
`check_stroke_edit` says what is wrong with them.

What counts. A changed window counts when it was accepted as changed. A window that the
machine proposed counts only when it was accepted; one that an annotator set counts unless
it was rejected.
"""

from collections.abc import Iterable, Mapping, Sequence

from firsthand.core.identity import Json
from firsthand.curation.reviewing import ReviewDecision, ReviewState, Stander, single_state
from firsthand.curation.revisions import ReviewItem
from firsthand.curation.standing import Standing, moment_us, standings, wrong_value

__all__ = [
    "PROPOSED",
    "STROKE_KIND",
    "check_stroke_edit",
    "reviewed_strokes",
    "stroke_items",
]

STROKE_KIND = "stroke"
PROPOSED = "proposed"
"""In place of an annotator: the machine proposed the window, and nobody has set it yet."""

Row = Mapping[str, Json]


def stroke_items(strokes: Iterable[Row], referents: Iterable[Row]) -> list[ReviewItem]:
    """Return one item for each row of table `strokes`, in order of id.

    Args:
        strokes: The windows.
        referents: Rows of table `referents`, for the phrases.

    Raises:
        KeyError: If a window's referent is not among them.
    """
    phrases = {_item_id(row): row["phrase"] for row in referents}
    items = [_item(row, phrases[_item_id(row)]) for row in strokes]
    return sorted(items, key=lambda item: item.item_id)


def check_stroke_edit(item: ReviewItem, edit: Mapping[str, Json], duration_us: int) -> None:
    """Check the window that an edit gives.

    Args:
        item: The stroke.
        edit: The new values.
        duration_us: Length of the recording.

    Raises:
        EditError: If it ends before it begins, or reaches outside the recording.
    """
    content = {**item.content, **edit}
    begin_us = moment_us(item, "begin_us", content["begin_us"])
    end_us = moment_us(item, "end_us", content["end_us"])
    if not begin_us <= end_us <= duration_us:
        expected = f"a window inside 0 to {duration_us} us, its begin not after its end"
        raise wrong_value(item, "end_us", f"{begin_us} to {end_us} us", expected)


def reviewed_strokes(
    strokes: Iterable[Row],
    referents: Iterable[Row],
    decisions: Sequence[ReviewDecision],
    duration_us: int,
    stander: Stander = single_state,
) -> list[dict[str, Json]]:
    """Return the rows of table `strokes` that count after review.

    Args:
        strokes: One recording's windows before review.
        referents: Its rows of table `referents`.
        decisions: In order of arrival.
        duration_us: Length of the recording.
        stander: How states follow from decisions.

    Raises:
        EditError: If an edit that counts gives a window that cannot be used.
    """
    rows = {_item_id(row): row for row in strokes}
    stands = standings(stroke_items(rows.values(), referents), decisions, stander)
    kept = []
    for name, standing in stands.items():
        row = rows[name]
        if standing.is_corrected:
            check_stroke_edit(standing.item, {}, duration_us)
        if _counts(row, standing):
            kept.append(_as_left(row, standing))
    return kept


def _counts(row: Row, standing: Standing) -> bool:
    if row["annotator"] == PROPOSED:
        return standing.state is ReviewState.ACCEPTED
    return standing.state is not ReviewState.REJECTED


def _as_left(row: Row, standing: Standing) -> dict[str, Json]:
    if standing.is_corrected:
        window = {name: standing.item.content[name] for name in ("begin_us", "end_us")}
        return {**row, **window, "annotator": standing.editor}
    # Who accepts a proposal has set it: the window is a person's from then on.
    was_proposed = row["annotator"] == PROPOSED
    return {**row, "annotator": standing.decider if was_proposed else row["annotator"]}


def _item_id(row: Row) -> str:
    return f"{row['recording_id']}/{row['referent_id']}"


def _item(row: Row, phrase: Json) -> ReviewItem:
    return ReviewItem.of(STROKE_KIND, _item_id(row), {**row, "phrase": phrase, "revision": 0})

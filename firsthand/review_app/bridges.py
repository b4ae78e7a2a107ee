"""Queues handed out to reviewers who work elsewhere, and their answers recorded."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.curation.revisions import ReviewItem, edited
from firsthand.formats.review_answers import ReviewAnswer, ReviewTask
from firsthand.review_app.archive import Archive, Holdings
from firsthand.review_app.desk import Part, Selection, Standing
from firsthand.review_app.queue import Queue
from firsthand.store.reviews import ReviewConflictError

__all__ = ["Recorded", "answers_recorded", "tasks_for"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of answers.

    Args:
        recorded: How many items have a new decision.
        refused: Why each other answer was refused, with its place in the file.
    """

    recorded: int
    refused: tuple[str, ...]


def tasks_for(
    archive: Archive, benchmark: str, kind: str, reviewer: str, selection: Selection
) -> Iterator[ReviewTask]:
    """Yield the selected items of a queue as a reviewer may see them.

    Raises:
        UnknownNameError: If there is no such benchmark or queue.
    """
    holdings = archive.benchmark(benchmark)
    desk = holdings.desk(kind)
    for name in desk.chosen(selection, reviewer):
        standing = desk.standing(name, reviewer)
        item = standing.present
        yield ReviewTask(
            item_id=name,
            revision=item.revision,
            content_digest=item.content_digest,
            last=standing.last,
            title=desk.title(name, reviewer),
            shown={field: desk.queue.word(field, value) for field, value in item.content.items()},
        )


def answers_recorded(
    archive: Archive, benchmark: str, kind: str, reviewer: str, answers: Iterable[ReviewAnswer]
) -> Recorded:
    """Record answers as decisions; one on an item that changed meanwhile is refused alone.

    An answer that was recorded before adds nothing.

    Raises:
        UnknownNameError: If there is no such benchmark or queue.
    """
    refused = []
    recorded = 0
    for answer in answers:
        holdings = archive.benchmark(benchmark)
        desk = holdings.desk(kind)
        if answer.item_id not in desk:
            refused.append(f"{answer.place}: no such item")
            continue
        standing = desk.standing(answer.item_id, reviewer)
        if _is_recorded(answer, standing):
            continue
        problem = _problem(answer, standing.present) or _fault(
            answer, desk.queue, standing, holdings
        )
        problem = problem or _submitted(archive, answer, standing, reviewer)
        if problem:
            refused.append(f"{answer.place}: {problem}")
        else:
            recorded += 1
    return Recorded(recorded, tuple(refused))


def _problem(answer: ReviewAnswer, item: ReviewItem) -> str | None:
    """Return why an answer cannot be recorded on an item as it is."""
    if (answer.revision, answer.content_digest) != (item.revision, item.content_digest):
        return "the item has changed since it was handed out"
    if answer.decision != "accept" and not answer.reason:
        return "a reason is missing"
    if answer.new_text and "text" not in item.content:
        return "items of this kind have no text to rewrite"
    if answer.new_text and answer.decision != "accept":
        return "a new text comes with `accept`"
    return None


def _fault(
    answer: ReviewAnswer, queue: Queue, standing: Standing, holdings: Holdings
) -> str | None:
    """Return what is wrong with the item that a new text makes."""
    if not answer.new_text:
        return None
    content = {**standing.present.content, "text": answer.new_text}
    faults = queue.check(replace(standing.present, content=content), holdings.footage)
    return " ".join(faults.values()) or None


def _is_recorded(answer: ReviewAnswer, standing: Standing) -> bool:
    own = [row.decision for row in standing.rows if row.sequence > answer.last]
    wanted = DecisionKind.EDIT if answer.new_text else DecisionKind(answer.decision)
    return any(
        one.revision == answer.revision
        and one.content_digest == answer.content_digest
        and one.reason == answer.reason
        and one.decision is wanted
        for one in own
    )


def _submitted(
    archive: Archive, answer: ReviewAnswer, standing: Standing, reviewer: str
) -> str | None:
    first, *rest = _decisions(answer, standing.present, reviewer)
    try:
        archive.ledger.reviews.submit(
            first,
            *rest,
            expected_revision=first.revision,
            expected_last=answer.last,
            blind=standing.part is Part.ANNOTATOR,
        )
    except ReviewConflictError as conflict:
        return f"{conflict.found}"
    return None


def _decisions(answer: ReviewAnswer, item: ReviewItem, reviewer: str) -> Sequence[ReviewDecision]:
    one = ReviewDecision.on(
        item,
        reviewer,
        DecisionKind(answer.decision),
        answer.reason,
        seconds_spent=answer.seconds_spent,
    )
    if not answer.new_text or answer.new_text == item.content.get("text"):
        return [one]
    edit = {"text": answer.new_text}
    after = edited(item, edit)
    accepted = replace(
        one,
        revision=after.revision,
        content_digest=after.content_digest,
        seconds_spent=0.0,
    )
    return [replace(one, decision=DecisionKind.EDIT, edit=edit), accepted]

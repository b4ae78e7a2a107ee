"""The pages of a queue: its list, an item, and what becomes of a decision on it."""

from collections.abc import Mapping
from dataclasses import replace

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from firsthand.curation.reviewing import DecisionKind, ReviewDecision
from firsthand.review_app.archive import Holdings
from firsthand.review_app.deciding import Seen, decisions_of, seen_form, seen_of, taken_back
from firsthand.review_app.desk import Desk, Part, Standing
from firsthand.review_app.queue import FormReading
from firsthand.review_app.visit import AForm, AVisit, Visit
from firsthand.store.reviews import ReviewConflictError

__all__ = ["conflict_page", "is_outdated", "item_page", "item_pages"]

item_pages = APIRouter()
_ON_A_PAGE = 50


@item_pages.get("/review/{benchmark}/{kind}")
def show_list(visit: AVisit, benchmark: str, kind: str) -> Response:
    """The queue as a list, narrowed by the address."""
    holdings, desk = _desk(visit, benchmark, kind)
    selection = visit.selection(desk.queue)
    chosen = desk.chosen(selection, visit.reviewer)
    pages = max(1, -(-len(chosen) // _ON_A_PAGE))
    number = visit.query.get("page", "1")
    page = min(max(int(number), 1), pages) if number.isascii() and number.isdecimal() else 1
    shown = chosen[(page - 1) * _ON_A_PAGE : page * _ON_A_PAGE]
    values = {
        **_frame(visit, holdings, desk),
        "selection": selection,
        "counts": desk.counts(visit.reviewer),
        "facets": {name: desk.facet_values(name) for name in desk.queue.facets},
        "found": len(chosen),
        "page": page,
        "pages": pages,
        "lines": [
            (desk.standing(name, visit.reviewer), desk.title(name, visit.reviewer))
            for name in shown
        ],
        "waiting": desk.waiting(visit.reviewer),
    }
    return visit.office.pages.page("list.html.j2", values)


@item_pages.get("/review/{benchmark}/{kind}/next")
def show_next(visit: AVisit, benchmark: str, kind: str) -> Response:
    """Lead to the next item that waits."""
    _, desk = _desk(visit, benchmark, kind)
    found = desk.next_open(None, visit.selection(desk.queue), visit.reviewer)
    return _see_other(_address(visit, benchmark, desk, found))


@item_pages.get("/review/{benchmark}/{kind}/item/{item_id:path}")
def show_item(visit: AVisit, benchmark: str, kind: str, item_id: str) -> Response:
    """An item with everything that is needed to decide on it."""
    holdings, desk = _desk(visit, benchmark, kind)
    standing = desk.standing(item_id, visit.reviewer)
    turn = desk.turn_of(item_id, visit.reviewer)
    if turn != item_id:
        # Nobody sees of a stream what lies after a question before having answered it.
        return _see_other(_address(visit, benchmark, desk, turn))
    return item_page(visit, holdings, desk, standing)


@item_pages.post("/show/{benchmark}/{kind}/item/{item_id:path}")
def show_question(visit: AVisit, form: AForm, benchmark: str, kind: str, item_id: str) -> Response:
    """Show a question of a sitting; the person's time begins."""
    del form
    _, desk = _desk(visit, benchmark, kind)
    item = desk.standing(item_id, visit.reviewer).entry.item
    if desk.queue.is_sitting and desk.turn_of(item_id, visit.reviewer) == item_id:
        visit.office.showings.show(visit.reviewer, item.content_digest)
    return _see_other(_address(visit, benchmark, desk, item_id))


@item_pages.post("/review/{benchmark}/{kind}/item/{item_id:path}")
def decide(visit: AVisit, form: AForm, benchmark: str, kind: str, item_id: str) -> Response:
    """Record a decision, or say what stands in its way."""
    holdings, desk = _desk(visit, benchmark, kind)
    standing = desk.standing(item_id, visit.reviewer)
    seen = seen_of(form)
    reading = desk.queue.read(form, standing.present, holdings.footage)
    if is_outdated(standing, seen):
        return conflict_page(visit, holdings, desk, item_id, (seen, reading))
    decisions, missing = decisions_of(form, standing.present, reading, visit.reviewer)
    problems = dict(reading.problems) if form.get("decision") in ("accept", "edit") else {}
    if missing is not None:
        problems["decision"] = missing
    if problems:
        return item_page(visit, holdings, desk, standing, (form, problems, reading))
    if desk.queue.is_sitting:
        decisions = _timed(visit, standing, decisions)
    sequence = _submitted(visit, desk, standing, decisions, seen.last) if decisions else None
    if sequence is None:
        return conflict_page(visit, holdings, desk, item_id, (seen, reading))
    # The page that follows sees the decision taken in.
    desk = visit.office.archive.benchmark(benchmark).desk(kind)
    following = desk.next_open(item_id, visit.selection(desk.queue), visit.reviewer)
    address = _address(visit, benchmark, desk, following)
    return _see_other(f"{address}{'&' if '?' in address else '?'}done={sequence}")


@item_pages.post("/undo/{benchmark}/{kind}/item/{item_id:path}")
def undo(visit: AVisit, form: AForm, benchmark: str, kind: str, item_id: str) -> Response:
    """Take back one's own latest decision on an item, by a new one."""
    holdings, desk = _desk(visit, benchmark, kind)
    standing = desk.standing(item_id, visit.reviewer)
    seen = seen_of(form)
    is_final = desk.queue.is_sitting
    decisions = [] if is_final else taken_back(standing, seen.last, visit.reviewer)
    reading = FormReading(standing.present.content)
    if not decisions:
        return conflict_page(visit, holdings, desk, item_id, (seen, reading))
    if _submitted(visit, desk, standing, decisions, seen.last) is None:
        return conflict_page(visit, holdings, desk, item_id, (seen, reading))
    return _see_other(_address(visit, benchmark, desk, item_id))


def _timed(
    visit: Visit, standing: Standing, decisions: list[ReviewDecision]
) -> list[ReviewDecision]:
    """Return a first answer with the time it took by the server's clock; nothing for another."""
    item = standing.entry.item
    seconds = visit.office.showings.seconds_since(visit.reviewer, item.content_digest)
    is_final = decisions[-1].decision in (DecisionKind.ACCEPT, DecisionKind.REJECT)
    if seconds is None or standing.rows or not is_final:
        return []
    first, *rest = decisions
    return [replace(first, seconds_spent=round(seconds, 3)), *rest]


def _submitted(
    visit: Visit, desk: Desk, standing: Standing, decisions: list[ReviewDecision], last: int
) -> int | None:
    first, *rest = decisions
    try:
        row = visit.office.archive.ledger.reviews.submit(
            first,
            *rest,
            expected_revision=first.revision,
            expected_last=last,
            blind=standing.part is Part.ANNOTATOR,
            alone=desk.queue.is_sitting,
        )
    except ReviewConflictError:
        return None
    return row.sequence


def is_outdated(standing: Standing, seen: Seen) -> bool:
    """Whether a form was filled in about another form of an item than the present."""
    present = standing.present
    return (seen.revision, seen.content_digest) != (present.revision, present.content_digest)


def item_page(
    visit: Visit,
    holdings: Holdings,
    desk: Desk,
    standing: Standing,
    refused: tuple[Mapping[str, object], Mapping[str, str], FormReading] | None = None,
) -> Response:
    """Return the page of an item; after a form was refused, with what was entered and why."""
    item_id = standing.present.item_id
    selection = visit.selection(desk.queue)
    form, problems, reading = refused or ({}, {}, FormReading(standing.present.content))
    # What was entered is shown again, so that nothing has to be typed twice.
    entered = replace(standing.present, content=reading.content)
    chosen = desk.chosen(selection, visit.reviewer)
    before, after = (desk.neighbour(item_id, chosen, step) for step in (-1, 1))
    values = {
        **_frame(visit, holdings, desk),
        "standing": standing,
        "shown": _is_shown(visit, desk, standing),
        "item": standing.present,
        "title": desk.title(item_id, visit.reviewer),
        "view": desk.queue.view(entered, holdings.footage),
        "problems": problems,
        "refused": bool(problems),
        "reason": form.get("reason", ""),
        "history": _history(desk, standing),
        "place": chosen.index(item_id) + 1 if item_id in chosen else None,
        "found": len(chosen),
        "before": before and _address(visit, holdings.name, desk, before),
        "after": after and _address(visit, holdings.name, desk, after),
    }
    return visit.office.pages.page("item.html.j2", values, 422 if problems else 200)


def _is_shown(visit: Visit, desk: Desk, standing: Standing) -> bool:
    """Whether a question is to be seen: in a sitting, once its reader asked for it."""
    digest = standing.entry.item.content_digest
    since = visit.office.showings.seconds_since(visit.reviewer, digest)
    return not desk.queue.is_sitting or since is not None


def conflict_page(
    visit: Visit, holdings: Holdings, desk: Desk, item_id: str, entered: tuple[Seen, FormReading]
) -> Response:
    """Return the page that says what somebody else made of an item meanwhile."""
    desk = visit.office.archive.benchmark(holdings.name).desk(desk.queue.kind)
    seen, reading = entered
    standing = desk.standing(item_id, visit.reviewer)
    then = seen_form(standing.entry.item, standing.rows, seen)
    word = desk.queue.word
    changes = [
        (
            name,
            word(name, then.content[name]) if then else None,
            word(name, value),
            word(name, reading.content[name]),
        )
        for name, value in standing.present.content.items()
        if then is None or then.content[name] != value
    ]
    values = {
        **_frame(visit, holdings, desk),
        "standing": standing,
        "title": desk.title(item_id, visit.reviewer),
        "changes": changes,
        "since": [row.decision for row in standing.rows if row.sequence > seen.last],
        "again": _address(visit, holdings.name, desk, item_id),
    }
    return visit.office.pages.page("conflict.html.j2", values, 409)


def _history(desk: Desk, standing: Standing) -> list[tuple[ReviewDecision, list[tuple[str, str]]]]:
    return [
        (
            row.decision,
            [(name, desk.queue.word(name, value)) for name, value in row.decision.edit.items()],
        )
        for row in standing.rows
    ]


def _frame(visit: Visit, holdings: Holdings, desk: Desk) -> dict[str, object]:
    return {
        "visit": visit,
        "benchmark": holdings.name,
        "desk": desk,
        "queue": desk.queue,
        "list_address": f"/review/{holdings.name}/{desk.queue.kind}{visit.selected_by(desk.queue)}",
        "done": _done(visit, desk),
    }


def _done(visit: Visit, desk: Desk) -> Mapping[str, object] | None:
    """Return one's own decision that the address names, to confirm it and offer to undo it."""
    number = visit.query.get("done", "")
    row = visit.office.archive.ledger.row(int(number)) if number.isdecimal() else None
    if row is None or row.decision.reviewer != visit.reviewer:
        return None
    kind, item_id = row.decision.item
    if kind != desk.queue.kind:
        return None
    last = desk.standing(item_id, visit.reviewer).last == row.sequence
    return {"row": row, "title": desk.title(item_id, visit.reviewer), "last": last}


def _desk(visit: Visit, benchmark: str, kind: str) -> tuple[Holdings, Desk]:
    holdings = visit.office.archive.benchmark(benchmark)
    return holdings, holdings.desk(kind)


def _address(visit: Visit, benchmark: str, desk: Desk, item_id: str | None) -> str:
    place = "" if item_id is None else f"/item/{item_id}"
    return f"/review/{benchmark}/{desk.queue.kind}{place}{visit.selected_by(desk.queue)}"


def _see_other(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=303)

"""Splitting a stretch that holds two voices, from its page; joining its parts again."""

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from firsthand.core.identity import Json
from firsthand.core.time import s_to_us
from firsthand.curation.reviewing import DecisionKind, ReviewDecision, current_item
from firsthand.curation.revisions import EditError, ReviewItem
from firsthand.curation.speaker_items import SPEAKER_KIND
from firsthand.curation.voice_splits import check_split, split_item
from firsthand.review_app.deciding import seen_of
from firsthand.review_app.item_pages import conflict_page, is_outdated, item_page
from firsthand.review_app.moments import moments_us
from firsthand.review_app.queue import FormReading
from firsthand.review_app.visit import AForm, AVisit, Visit
from firsthand.store.machine_rows import machine_rows
from firsthand.store.reviews import ReviewConflictError

__all__ = ["split_pages"]

split_pages = APIRouter()

_PROBLEM = "Write a second inside the stretch, a tenth of a second or more from its ends."


@split_pages.post("/split/{benchmark}/speaker/item/{item_id:path}")
def split(visit: AVisit, form: AForm, benchmark: str, item_id: str) -> Response:
    """Split a stretch at the moment that a form gives, or join its parts; lead to the first."""
    holdings = visit.office.archive.benchmark(benchmark)
    desk = holdings.desk(SPEAKER_KIND)
    standing = desk.standing(item_id, visit.reviewer)
    seen, reading = seen_of(form), FormReading(standing.present.content)
    if is_outdated(standing, seen):
        return conflict_page(visit, holdings, desk, item_id, (seen, reading))
    whole = _whole(visit, benchmark, standing.present)
    edit = _edit(form, whole, standing.present)
    if edit is None:
        problems = {"split_s": _PROBLEM}
        return item_page(visit, holdings, desk, standing, (form, problems, reading))
    decision = ReviewDecision.on(whole, visit.reviewer, DecisionKind.EDIT, "", edit=edit)
    try:
        reviews = visit.office.archive.ledger.reviews
        reviews.submit(decision, expected_revision=whole.revision)
    except ReviewConflictError:
        return conflict_page(visit, holdings, desk, item_id, (seen, reading))
    address = f"/review/{benchmark}/{SPEAKER_KIND}/item/{whole.item_id}"
    return RedirectResponse(address, status_code=303)


def _whole(visit: Visit, benchmark: str, part: ReviewItem) -> ReviewItem:
    """Return the stretch that the machine took for one voice, as people have split it."""
    archive = visit.office.archive
    begin_us, _ = moments_us(part)
    (row,) = (
        row
        for row in machine_rows(archive.store, benchmark, "speakers")
        if row["recording_id"] == part.content["recording_id"]
        and row["begin_us"] <= begin_us < row["end_us"]
    )
    item = split_item(row)
    return current_item(item, archive.ledger.decisions((item.item_kind, item.item_id)))


def _edit(form: FormData, whole: ReviewItem, part: ReviewItem) -> dict[str, Json] | None:
    """Return the edit that a form asks for; None if it gives no moment inside the stretch."""
    if form.get("join"):
        return {"moments": []}
    begin_us, end_us = moments_us(part)
    try:
        moment_us = s_to_us(float(str(form.get("split_s", "")).strip().replace(",", ".")))
        moments: list[int] = sorted([*_moments(whole), moment_us])
        check_split(whole, {"moments": moments})
    except (ValueError, OverflowError, EditError):
        return None
    return {"moments": list(moments)} if begin_us < moment_us < end_us else None


def _moments(whole: ReviewItem) -> list[int]:
    moments: list[int] = whole.content["moments"]  # type: ignore[assignment] # as `check_split` has it
    return moments

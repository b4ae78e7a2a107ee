"""Signing in and out, the overview, media and the files of the pages."""

import os
from pathlib import Path
from threading import get_ident
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)

from firsthand.media.cutting import cut_until
from firsthand.review_app.reviewers import SESSION_SECONDS
from firsthand.review_app.stretch_wave import LONGEST_US, stretch_wave
from firsthand.review_app.visit import AForm, AVisit, Office, office_of
from firsthand.review_app.waveform import STEP_MS, loudness

__all__ = ["front_pages"]

front_pages = APIRouter()

AnOffice = Annotated[Office, Depends(office_of)]
_WRONG_CODE = "This is not an access code. Copy the whole of it from your invitation."


@front_pages.get("/health")
def health() -> Response:
    """Say that the server answers."""
    return PlainTextResponse("ok")


@front_pages.get("/static/{name}")
def static_file(office: AnOffice, name: str) -> Response:
    """A style sheet or a script."""
    return office.pages.file(name)


@front_pages.get("/sign-in")
def sign_in_page(office: AnOffice) -> Response:
    """Ask for an access code."""
    return office.pages.page("sign_in.html.j2", {"visit": None, "problem": None})


@front_pages.post("/sign-in")
async def sign_in(request: Request) -> Response:
    """Open a session for who knows a code; the guard has seen that the form is ours."""
    office = office_of(request)
    form = await request.form()
    code = form.get("code", "")
    session = office.reviewers.open_session(code) if isinstance(code, str) else None
    if session is None:
        return office.pages.page("sign_in.html.j2", {"visit": None, "problem": _WRONG_CODE}, 403)
    answer = RedirectResponse(_own_address(form.get("to", "")), status_code=303)
    answer.set_cookie(
        office.cookie, session, max_age=SESSION_SECONDS, httponly=True, samesite="strict"
    )
    return answer


@front_pages.post("/sign-out")
def sign_out(visit: AVisit, form: AForm) -> Response:
    """End the session."""
    del form
    visit.office.reviewers.close_session(visit.session)
    answer = RedirectResponse("/sign-in", status_code=303)
    answer.delete_cookie(visit.office.cookie, httponly=True, samesite="strict")
    return answer


@front_pages.get("/")
def overview(visit: AVisit) -> Response:
    """What waits, by benchmark and queue."""
    archive = visit.office.archive
    benchmarks = [archive.benchmark(name) for name in archive.names()]
    judges = {one.name: archive.judges(one) for one in benchmarks}
    values = {"visit": visit, "benchmarks": benchmarks, "judges": judges}
    return visit.office.pages.page("overview.html.j2", values)


@front_pages.get("/media/{benchmark}/{sha256}.mp4")
def media(visit: AVisit, benchmark: str, sha256: str) -> Response:
    """A de-identified file, whole or the part that a player asks for."""
    path = visit.office.archive.benchmark(benchmark).footage.media_file(sha256)
    return _file(path, "video/mp4")


@front_pages.get("/until/{benchmark}/{recording_id}/{end_us}.mp4")
def media_until(visit: AVisit, benchmark: str, recording_id: str, end_us: int) -> Response:
    """The small file of a recording as far as a moment, for who may see no further."""
    archive = visit.office.archive
    footage = archive.benchmark(benchmark).footage
    found = footage.place_of(recording_id)
    path = footage.media_file(found[1].proxy_sha256) if found else None
    if path is None or not path.is_file() or end_us < 0:
        return PlainTextResponse("No such recording.", 404)
    if found is not None and end_us >= found[1].stream.duration_us:
        return FileResponse(path, media_type="video/mp4")
    # The name begins with the process, so that a later one sweeps it.
    cut = archive.store.scratch / f"{os.getpid()}-until-{path.stem}-{end_us}.mp4"
    if not cut.is_file():
        # A player may ask again before the first cut is done: each is made apart.
        own = cut.with_name(f"{cut.stem}-{get_ident()}.mp4")
        cut_until(path, end_us, own)
        own.replace(cut)
    return FileResponse(cut, media_type="video/mp4")


@front_pages.get("/picture/{benchmark}/{sha256}.jpg")
def picture(visit: AVisit, benchmark: str, sha256: str) -> Response:
    """A picture of an audited frame; the one before shows what is covered in the copy."""
    path = visit.office.archive.benchmark(benchmark).footage.picture_file(sha256)
    return _file(path, "image/jpeg")


@front_pages.get("/heard/{benchmark}/{recording_id}.m4a")
def heard(visit: AVisit, benchmark: str, recording_id: str) -> Response:
    """A recording's sound as it was before voices were silenced, while it is kept."""
    path = visit.office.archive.benchmark(benchmark).footage.kept_sound(recording_id)
    if path is None:
        return PlainTextResponse("No such sound.", 404)
    return FileResponse(path, media_type="audio/mp4")


@front_pages.get("/wave/{benchmark}/{recording_id}/{begin_us}/{end_us}.svg")
def wave(visit: AVisit, benchmark: str, recording_id: str, begin_us: int, end_us: int) -> Response:
    """The sound of a stretch of a recording, drawn."""
    footage = visit.office.archive.benchmark(benchmark).footage
    found = footage.place_of(recording_id)
    path = footage.media_file(found[1].proxy_sha256) if found else None
    fits = 0 <= begin_us < end_us <= begin_us + LONGEST_US
    if path is None or not path.is_file() or not fits:
        return PlainTextResponse("No such stretch.", 404)
    return Response(stretch_wave(path, begin_us, end_us), media_type="image/svg+xml")


@front_pages.get("/voice/{benchmark}/{sha256}.wav")
def voice(visit: AVisit, benchmark: str, sha256: str) -> Response:
    """An excerpt of a voice that the copy is silent about."""
    path = visit.office.archive.benchmark(benchmark).footage.excerpt_file(sha256)
    return _file(path, "audio/wav")


@front_pages.get("/sound/{benchmark}/{recording_id}.json")
def sound(visit: AVisit, benchmark: str, recording_id: str) -> Response:
    """How loud a recording is, in steps of ten milliseconds, from 0 to 100."""
    footage = visit.office.archive.benchmark(benchmark).footage
    found = footage.place_of(recording_id)
    path = footage.media_file(found[1].proxy_sha256) if found else None
    if path is None or not path.is_file():
        return PlainTextResponse("No such recording.", 404)
    return JSONResponse({"step_ms": STEP_MS, "levels": loudness(path)})


def _own_address(wanted: object) -> str:
    """Return a place on this server to go to; never another host."""
    own = (
        isinstance(wanted, str) and wanted.startswith("/") and not wanted.startswith(("//", "/\\"))
    )
    return str(wanted) if own and str(wanted).isprintable() else "/"


def _file(path: Path | None, media_type: str) -> Response:
    """Return what is kept by its digest, or say that there is none."""
    if path is None or not path.is_file():
        return PlainTextResponse("No such file.", 404)
    # `no-store`, as for all pages: no footage stays behind in a browser's cache.
    return FileResponse(path, media_type=media_type)

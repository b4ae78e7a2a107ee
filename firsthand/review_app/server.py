"""The review server: the parts put together, and served on loopback."""

import re
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from urllib.parse import quote

import uvicorn
from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from firsthand.core.errors import FirsthandError, PortInUseError, UnknownNameError
from firsthand.core.identity import digest_json
from firsthand.review_app import (
    audits,
    clicks,
    drafts,
    human_answers,
    judgements,
    narrations,
    speakers,
    starts,
    strokes,
    transcripts,
    voices,
)
from firsthand.review_app.announcing import Announcer, Send
from firsthand.review_app.archive import Archive
from firsthand.review_app.click_pages import click_pages
from firsthand.review_app.cutting_out import warm_up
from firsthand.review_app.front_pages import front_pages
from firsthand.review_app.guard import Guard
from firsthand.review_app.item_pages import item_pages
from firsthand.review_app.narration_pages import narration_pages
from firsthand.review_app.pages import Pages
from firsthand.review_app.reviewers import Reviewers
from firsthand.review_app.split_pages import split_pages
from firsthand.review_app.visit import FormRefusedError, Office, SignInNeeded, office_of
from firsthand.review_app.whereabouts import noted_address
from firsthand.store import Store, Zone
from firsthand.store.showings import Showings

__all__ = ["create_app", "reviewers_of", "serve"]

QUEUE_MODULES = (
    starts,
    audits,
    transcripts,
    speakers,
    voices,
    narrations,
    clicks,
    strokes,
    drafts,
    human_answers,
    judgements,
)
"""Modules that register a queue; importing them is what makes it known."""

_PAGE_OF_FORM = re.compile("^/(undo|split)/")
_RENEW_S = 2.0
_STOP_S = 3
"""How long a request may take to its end when the server is told to. A player that holds a
file half read would otherwise keep it from ending for as long as its page is open."""


def reviewers_of(store: Store) -> Reviewers:
    """Return who may review in a store."""
    return Reviewers(store.zone(Zone.PRIVATE) / "reviewers.sqlite", time.time)


def create_app(store: Store, now_s: Callable[[], float] = time.time) -> FastAPI:
    """Return the application over a store, everything read.

    Args:
        store: The store.
        now_s: The clock that decisions are noted by, in Unix seconds.
    """
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, lifespan=_warmed)
    app.state.office = Office(
        archive=Archive(store, now_s),
        reviewers=reviewers_of(store),
        pages=Pages(),
        showings=Showings(store.zone(Zone.PRIVATE) / "showings.sqlite", now_s),
        cookie=f"firsthand_{digest_json(str(store.root))[:12]}",
    )
    app.include_router(front_pages)
    app.include_router(item_pages)
    app.include_router(click_pages)
    app.include_router(narration_pages)
    app.include_router(split_pages)
    app.add_middleware(Guard)
    app.add_exception_handler(SignInNeeded, _to_sign_in)
    app.add_exception_handler(FormRefusedError, _form_refused)
    app.add_exception_handler(FirsthandError, _error_page)
    app.add_exception_handler(HTTPException, _http_error_page)
    return app


@asynccontextmanager
async def _warmed(app: FastAPI) -> AsyncIterator[None]:
    del app
    # Pages are served meanwhile; an error in the thread is printed, and met again at the click.
    threading.Thread(target=warm_up, name="warm-up").start()
    yield


def serve(
    store: Store, port: int, *, ready: Callable[[str], None], send: Send | None = None
) -> None:
    """Serve the pages on 127.0.0.1 until the process is told to end.

    Args:
        store: The store.
        port: The port.
        ready: Called with the address once everything is read.
        send: Tells others of a finished batch; left out where nobody is to be told.

    Raises:
        PortInUseError: If something listens there already.
    """
    with closing(_listening(port)) as listener:
        app = create_app(store)
        stop = threading.Event()
        archive = app.state.office.archive
        announcer = None if send is None else Announcer(archive, send)
        watcher = threading.Thread(target=_keep_up, args=(archive, announcer, stop), daemon=True)
        watcher.start()
        address = f"http://127.0.0.1:{port}"
        ready(address)
        # Addresses hold ids and search words: they are not logged.
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_STOP_S,
        )
        with noted_address(store, address):
            uvicorn.Server(config).run(sockets=[listener])
        stop.set()


def _listening(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError:
        listener.close()
        raise PortInUseError(
            f"port {port}",
            "another process listens there",
            "a free port on 127.0.0.1",
            "Stop that process, or choose another port with --port.",
        ) from None
    return listener


def _keep_up(archive: Archive, announcer: Announcer | None, stop: threading.Event) -> None:
    while not stop.wait(_RENEW_S):
        archive.renew()
        # Here and not with the decision: a reviewer waits for nobody else's server.
        if announcer is not None:
            announcer.announce()


def _to_sign_in(request: Request, _error: Exception) -> Response:
    address = request.url.path
    if request.url.query:
        address += f"?{request.url.query}"
    # A form that came without a session is lost to the server; the page still has it.
    to = address if request.method == "GET" else _PAGE_OF_FORM.sub("/review/", request.url.path)
    return RedirectResponse(f"/sign-in?to={quote(to, safe='/')}", status_code=303)


def _form_refused(request: Request, _error: Exception) -> Response:
    return _page(
        request, 403, "This form is out of date", "Go back, reload the page, and send it again."
    )


def _error_page(request: Request, error: Exception) -> Response:
    known = isinstance(error, UnknownNameError)
    remedy = error.remedy if isinstance(error, FirsthandError) else ""
    return _page(request, 404 if known else 500, str(error).removesuffix(f" {remedy}"), remedy)


def _http_error_page(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _page(request, status, "There is no such page", "Go back to the overview.")


def _page(request: Request, status: int, heading: str, remedy: str) -> Response:
    pages = office_of(request).pages
    return pages.page(
        "problem.html.j2", {"visit": None, "heading": heading, "remedy": remedy}, status
    )

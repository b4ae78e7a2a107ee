"""One request of one reviewer: who it is, what is looked at, which form came with it."""

import hmac
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Depends, Request
from starlette.datastructures import FormData

from firsthand.review_app.archive import Archive
from firsthand.review_app.desk import Selection
from firsthand.review_app.pages import Pages
from firsthand.review_app.queue import Queue
from firsthand.review_app.reviewers import Reviewers, form_token
from firsthand.store.showings import Showings

__all__ = [
    "AForm",
    "AVisit",
    "FormRefusedError",
    "Office",
    "SignInNeeded",
    "Visit",
    "form_of",
    "office_of",
    "visit_of",
]


class SignInNeeded(Exception):  # noqa: N818 - not a failure: it leads to the sign-in page
    """The request belongs to no reviewer's session."""


class FormRefusedError(Exception):
    """A form did not carry what only a page of this session can know."""


@dataclass(frozen=True, slots=True)
class Office:
    """What the server is made of.

    Args:
        archive: Benchmarks, queues and decisions.
        reviewers: Who may decide.
        pages: Templates and files.
        showings: When questions were first shown to those who answer them.
        cookie: Name of the session's cookie; another for each store, since cookies are
            shared by all ports of a machine.
    """

    archive: Archive
    reviewers: Reviewers
    pages: Pages
    showings: Showings
    cookie: str


@dataclass(frozen=True, slots=True)
class Visit:
    """A reviewer's request.

    Args:
        office: The server's parts.
        reviewer: Whose request it is.
        session: Secret of the session.
        query: Parameters of the address.
    """

    office: Office
    reviewer: str
    session: str
    query: Mapping[str, str]

    @property
    def form_token(self) -> str:
        """What every form of this session carries."""
        return form_token(self.session)

    def selection(self, queue: Queue) -> Selection:
        """Return which items the address selects."""
        facets = {name: self.query.get(name, "") for name in queue.facets}
        return Selection(self.query.get("state", ""), self.query.get("text", ""), facets)

    def selected_by(self, queue: Queue) -> str:
        """Return the part of an address that selects the same items again, `?` included."""
        names = ("state", "text", *queue.facets)
        kept = {name: self.query[name] for name in names if self.query.get(name)}
        return f"?{urlencode(kept)}" if kept else ""


def office_of(request: Request) -> Office:
    """Return the server's parts."""
    office: Office = request.app.state.office
    return office


def visit_of(request: Request) -> Visit:
    """Return the visit that a request is.

    Raises:
        SignInNeeded: If it belongs to no session.
    """
    office = office_of(request)
    session = request.cookies.get(office.cookie, "")
    reviewer = office.reviewers.reviewer_of(session) if session else None
    if reviewer is None:
        raise SignInNeeded
    return Visit(office, reviewer, session, request.query_params)


async def form_of(request: Request) -> AsyncIterator[FormData]:
    """Yield the form of a request that came from a page of its own session.

    Raises:
        FormRefusedError: If it lacks the session's token.
    """
    async with request.form() as form:
        session = request.cookies.get(office_of(request).cookie, "")
        given = form.get("form_token", "")
        if not isinstance(given, str) or not hmac.compare_digest(
            given.encode(), form_token(session).encode()
        ):
            raise FormRefusedError
        yield form


AVisit = Annotated[Visit, Depends(visit_of)]
"""What the function of a page takes for the request that it answers."""

AForm = Annotated[FormData, Depends(form_of)]
"""What it takes for the form that came with it."""

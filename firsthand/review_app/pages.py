"""Templates and the files beside them; everything that is shown is escaped."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from firsthand.core.utc_text import utc_text
from firsthand.curation.reviewing import DecisionKind, ReviewState
from firsthand.review_app.clock_text import clock_text

__all__ = ["DECISION_WORDS", "STATE_WORDS", "Pages"]

STATE_WORDS: Mapping[ReviewState, str] = {
    ReviewState.UNREVIEWED: "New",
    ReviewState.OUTDATED: "Changed since",
    ReviewState.UNSURE: "Not sure",
    ReviewState.ACCEPTED: "Accepted",
    ReviewState.REJECTED: "Rejected",
    ReviewState.HALF: "One of two",
    ReviewState.DISPUTED: "Disputed",
}
DECISION_WORDS: Mapping[DecisionKind, str] = {
    DecisionKind.ACCEPT: "accepted",
    DecisionKind.EDIT: "changed",
    DecisionKind.REJECT: "rejected",
    DecisionKind.UNSURE: "was not sure about",
}
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_DIGEST_DIGITS = 16


@dataclass(frozen=True, slots=True)
class _File:
    payload: bytes
    media_type: str
    digest: str


class Pages:
    """Renders templates and hands out style sheets and scripts by name."""

    def __init__(self) -> None:
        self._files = {
            path.name: _file(path.name, path.read_bytes())
            for path in (files("firsthand.review_app") / "static").iterdir()
        }
        self._environment = Environment(
            loader=PackageLoader("firsthand.review_app"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["clock"] = clock_text
        self._environment.filters["utc"] = utc_text
        self._environment.globals.update(
            static=self._address, state_words=STATE_WORDS, decision_words=DECISION_WORDS
        )

    def page(self, template: str, values: Mapping[str, object], status: int = 200) -> HTMLResponse:
        """Return a rendered template."""
        return HTMLResponse(self._environment.get_template(template).render(values), status)

    def file(self, name: str) -> Response:
        """Return a style sheet or a script; 404 for any other name."""
        if name not in self._files:
            return Response(status_code=404)
        found = self._files[name]
        # The address holds the digest, so that a new version is another address.
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(found.payload, media_type=found.media_type, headers=headers)

    def _address(self, name: str) -> str:
        return f"/static/{name}?v={self._files[name].digest}"


def _file(name: str, payload: bytes) -> _File:
    suffix = name[name.rindex(".") :]
    return _File(payload, _TYPES[suffix], hashlib.sha256(payload).hexdigest()[:_DIGEST_DIGITS])

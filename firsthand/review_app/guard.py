"""What every request must be, and what every answer says, before any page is reached.

The server listens on loopback, but any page in the reviewer's browser can send requests
there, and a foreign name can be made to point there (DNS rebinding). So the name asked for
must be a loopback name, and a request that changes something must come from our own page.
"""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Guard"]

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_READING = frozenset({"GET", "HEAD"})
_MOST_BYTES = 512 * 1024
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "media-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # `no-referrer` would make the origin of our own forms `null`.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
}


class Guard:
    """Refuses foreign hosts, foreign origins and large bodies; adds the safety headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it in one line."""
        if scope["type"] != "http":
            # Lifespan passes; nothing here speaks WebSocket.
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = _refusal(scope["method"], Headers(scope=scope))
        answer = PlainTextResponse(refusal[1], refusal[0]) if refusal else self.app
        await answer(scope, receive, send_with_headers)


def _refusal(method: str, headers: Headers) -> tuple[int, str] | None:
    host = headers.get("host", "")
    if _name_of(host) not in _LOOPBACK:
        return 421, "This server answers to 127.0.0.1 and localhost only."
    if method in _READING:
        return None
    if headers.get("origin") != f"http://{host}":
        return 403, "This request did not come from a page of this server."
    length = headers.get("content-length", "")
    if not length.isdecimal() or int(length) > _MOST_BYTES:
        return 413, f"A form holds at most {_MOST_BYTES} bytes."
    return None


def _name_of(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None

"""Who may ask, and what every answer tells the browser to refuse.

The explorer can read files of this machine, so other pages in the same
browser, other programs and other machines must not be able to ask it.
"""

from __future__ import annotations

import hmac
import logging
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

from causalrules.explorer.complaints import UNEXPECTED

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_HEADER = "X-Causalrules-Token"  # noqa: S105 - the name, not the token # nosec B105
_LOG = logging.getLogger(__name__)
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Stands before the application: refuses requests from elsewhere, and lets no error's details out.

    Parameters
    ----------
    app : ASGI application
        What is guarded.
    token : str
        What questions must bring along; only who saw the terminal knows it.
    port : int
        Where we listen; names of other hosts and ports are not ours.
    """

    def __init__(self, app: ASGIApp, *, token: str, port: int) -> None:
        self._app = app
        self._token = token.encode()
        names = [f"127.0.0.1:{port}", f"localhost:{port}"]
        if port == 80:
            names += ["127.0.0.1", "localhost"]
        self._hosts = frozenset(names)
        self._origins = frozenset(f"http://{name}" for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it."""
        if scope["type"] != "http":
            return  # nothing here speaks another protocol
        has_begun = False

        async def send_guarded(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        refusal = self.refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
            return
        try:
            await self._app(scope, receive, send_guarded)
        except Exception as error:
            _LOG.error("a request failed unexpectedly: %s: %s", type(error).__name__, error)
            _LOG.debug("where it failed", exc_info=error)
            if not has_begun:
                await _refused(500, UNEXPECTED)(scope, receive, send_guarded)

    def refusal(self, scope: Scope) -> JSONResponse | None:
        """The reason not to answer, if there is one."""
        headers = Headers(scope=scope)
        if len(headers.getlist("host")) != 1 or headers["host"].lower() not in self._hosts:
            return _refused(403, "this explorer answers only at the address that the terminal shows.")
        if any(origin not in self._origins for origin in headers.getlist("origin")):
            return _refused(403, "another page must not ask this explorer.")
        if not self._comes_from_here(scope, headers):
            return _refused(403, "another page must not ask this explorer.")
        if scope["path"].startswith("/api/") and not self._knows_the_token(headers):
            return _refused(401, "open the address that the terminal shows: it holds the key to this page.")
        return None

    def _comes_from_here(self, scope: Scope, headers: Headers) -> bool:
        """What the browser says about the asking page; programs that say nothing still need the token."""
        site = headers.get("sec-fetch-site", "same-origin")
        if site == "same-origin":
            return True
        is_page = scope["path"] == "/" and scope["method"] in ("GET", "HEAD")
        if is_page:  # an address that was typed, or a link in a web terminal; the page itself holds no data
            return headers.get("sec-fetch-dest", "document") == "document"
        return site == "none" and scope["path"].startswith("/static/")

    def _knows_the_token(self, headers: Headers) -> bool:
        given = headers.getlist(TOKEN_HEADER)
        return len(given) == 1 and hmac.compare_digest(given[0].encode("latin-1", "replace"), self._token)


def _refused(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"error": sentence[:1].upper() + sentence[1:], "about": None}, status)

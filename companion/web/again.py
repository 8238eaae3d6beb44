"""A page that asks for its own inside again: the same answer as by way of Flask, at a third of the cost.

Twelve of thirteen requests of a record are such. Who asks, what is shown and what an answer carries is decided by the
same functions; whatever is not plain is left to Flask.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from flask import Flask, g

from companion import storage
from companion.rules.inputs import IllegalInput
from companion.web.access import Tokens, lang, language, may_come, recognised, site, tokens
from companion.web.answers import frame_of, trouble
from companion.web.headers import HEADERS, NOT_KEPT, is_ours
from companion.web.inside import inside, is_shared
from companion.web.packing import joined
from companion.web.screens import Back, Lang

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_PAGE = re.compile(r"/t/([0-9A-Za-z]{1,8})(/seat)?")
_READS = ("HTTP_COOKIE", "HTTP_ACCEPT_LANGUAGE")
"""On which the browser's tokens and language depend."""
KEPT_BROWSERS = 4096
LONGEST_KEPT = 4096
"""Characters of what a browser tells of itself, for it to be kept."""

Answer = tuple[str, list[tuple[str, str]], bytes]


class Again:
    """Stands before the application."""

    def __init__(self, app: Flask, otherwise: WSGIApplication) -> None:
        self._app = app
        self.otherwise = otherwise
        self._browsers: dict[tuple[str, ...], tuple[Tokens, Lang]] = {}

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        page = None
        if environ["REQUEST_METHOD"] == "GET" and "HTTP_HX_REQUEST" in environ and not environ.get("QUERY_STRING"):
            page = _PAGE.fullmatch(environ["PATH_INFO"])
        answer = self._answer(environ, page[1], "seat" if page[2] else "table") if page else None
        if answer is None:
            return self.otherwise(environ, start)
        status, headers, body = answer
        start(status, headers)
        return [body] if body else []

    def _answer(self, environ: WSGIEnvironment, code: str, back: Back) -> Answer | None:
        """The page's inside, or that nothing has changed; None where Flask has to see to it."""
        with self._app.app_context():
            if not is_ours(environ.get("HTTP_HOST", "")):
                return None
            try:
                return self._inside(environ, code, back)
            except (IllegalInput, storage.StoreUnavailable):
                return None

    def _inside(self, environ: WSGIEnvironment, code: str, back: Back) -> Answer | None:
        evening = site().tables.evening(code)
        shown, g.lang = self._browser(environ, code)
        asking = recognised(evening, shown)
        if back == "seat" and asking.person is None and not shown.seat:
            return None
        if not may_come(asking, environ.get("REMOTE_ADDR", "")):
            return None
        with evening.reading():
            frame = frame_of(asking, back, True)
            if environ.get("HTTP_IF_NONE_MATCH") == frame.etag:
                return "304 NOT MODIFIED", [("ETag", frame.etag), *HEADERS.items(), *NOT_KEPT.items()], b""
            if trouble() or not is_shared(asking):
                return None
            pieces = inside(asking, frame)
        is_packed = "gzip" in environ.get("HTTP_ACCEPT_ENCODING", "")
        body = joined(pieces, is_packed)
        headers = [("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(body)))]
        if is_packed:
            headers.append(("Content-Encoding", "gzip"))
        return "200 OK", [*headers, ("ETag", frame.etag), *HEADERS.items(), *NOT_KEPT.items()], body

    def _browser(self, environ: WSGIEnvironment, code: str) -> tuple[Tokens, Lang]:
        """The browser's tokens at the table and its language, which its next request will tell in the same words."""
        words = (code, *(environ.get(name, "") for name in _READS))
        known = self._browsers.get(words)
        if known is None:
            with self._app.request_context(cast(Any, environ)):
                language()
                known = tokens(site().tables.evening(code)), lang()
            if len(self._browsers) >= KEPT_BROWSERS:
                self._browsers.clear()
            if sum(map(len, words)) <= LONGEST_KEPT:
                self._browsers[words] = known
        return known

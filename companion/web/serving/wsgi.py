"""One request answered by the application: from what was read of a connection to what is written to it."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from email.utils import formatdate
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from waitress.parser import HTTPRequestParser
from waitress.utilities import InternalServerError

from companion.web.headers import HEADERS, NOT_KEPT
from companion.web.stream import EventStream

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

PLAIN_NAMES = ("CONTENT_LENGTH", "CONTENT_TYPE")
"""Request headers that an environment holds without `HTTP_` before their names."""
PROXYS = ("FORWARDED", "X_FORWARDED")
"""How headers begin by which a proxy speaks for a browser: there is none here, and nobody else may."""


@dataclass(frozen=True)
class Answer:
    """What is written, whether the connection is kept for another request, and the events that follow, if any."""

    written: bytes
    keeps: bool = False
    events: EventStream | None = None


class Gateway:
    """The application as connections of one port reach it."""

    def __init__(self, app: WSGIApplication, port: int) -> None:
        self._app = app
        self._shared: dict[str, Any] = {
            "SCRIPT_NAME": "",
            "SERVER_NAME": "companion",
            "SERVER_PORT": str(port),
            "wsgi.errors": sys.stderr,
            "wsgi.input_terminated": True,
            "wsgi.multiprocess": False,
            "wsgi.multithread": True,
            "wsgi.run_once": False,
            "wsgi.url_scheme": "http",
            "wsgi.version": (1, 0),
        }

    def answer(self, request: HTTPRequestParser, peer: str) -> Answer:
        """Answer a whole request of the browser at the address `peer`."""
        try:
            # What a request has read is not told by the types of `waitress`.
            return _fault(request.error) if request.error else self._answer(request, peer)
        except Exception as error:
            logging.getLogger("companion").error("%s while answering", type(error).__name__)
            return _fault(InternalServerError("The server encountered an unexpected internal server error"))
        finally:
            request.close()

    def _answer(self, request: Any, peer: str) -> Answer:
        begun: list[tuple[str, list[tuple[str, str]]]] = []
        written: list[bytes] = []

        def start(status: str, headers: list[tuple[str, str]], _: object = None) -> Callable[[bytes], object]:
            begun[:] = [(status, headers)]
            return written.append

        pieces = self._app(self._environ(request, peer), start)
        if isinstance(pieces, EventStream):
            return Answer(_head(*begun[-1], keeps=False), events=pieces)
        body = b"".join((*written, *_all(pieces)))
        status, headers = begun[-1]
        keeps = request.version == "1.1" and not request.connection_close
        has_body = status[:3] not in ("204", "304")
        if has_body and all(name.lower() != "content-length" for name, _ in headers):
            headers = [*headers, ("Content-Length", str(len(body)))]
        head = _head(status, headers, keeps)
        return Answer(head + body if has_body and request.command != "HEAD" else head, keeps)

    def _environ(self, request: Any, peer: str) -> dict[str, Any]:
        environ = {
            **self._shared,
            "REMOTE_ADDR": peer,
            "REQUEST_METHOD": request.command,
            "SERVER_PROTOCOL": f"HTTP/{request.version}",
            "PATH_INFO": "/" + request.path.lstrip("/"),
            "QUERY_STRING": request.query,
            "REQUEST_URI": request.request_uri,
            "wsgi.input": request.get_body_stream(),
        }
        for name, value in request.headers.items():
            if not name.startswith(PROXYS):
                environ[name if name in PLAIN_NAMES else f"HTTP_{name}"] = value
        return environ


def _all(pieces: Iterable[bytes]) -> list[bytes]:
    try:
        return list(pieces)
    finally:
        if hasattr(pieces, "close"):
            pieces.close()


def _head(status: str, headers: Iterable[tuple[str, str]], keeps: bool) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    end = "" if keeps else "Connection: close\r\n"
    return f"HTTP/1.1 {status}\r\n{lines}Date: {_date(int(time.time()))}\r\n{end}\r\n".encode("latin-1")


@lru_cache(maxsize=1)
def _date(now: int) -> str:
    return formatdate(now, usegmt=True)


def _fault(fault: Any) -> Answer:
    """What is refused before the application sees it, with the headers that every answer carries."""
    status, headers, body = fault.to_response()
    headers += [*HEADERS.items(), *NOT_KEPT.items(), ("Content-Length", str(len(body)))]
    return Answer(_head(status, headers, keeps=False) + body)

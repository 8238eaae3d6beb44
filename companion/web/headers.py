"""What every request must be, and what every response carries."""

from __future__ import annotations

import gzip
import socket
from functools import lru_cache

from flask import Response, abort, request

from companion.web.access import site

SAFE = ("GET", "HEAD", "OPTIONS")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

NOT_KEPT = {"Cache-Control": "no-store", "Vary": "Cookie, Accept-Language, HX-Request, Accept-Encoding"}
KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}


def _known_hosts() -> set[str]:
    """The names under which this server is reached now: the laptop may change its network."""
    name = _own_name()
    return {"localhost", "127.0.0.1", name, f"{name}.local", *site().names, *(one.ip for one in site().addresses())}


@lru_cache(maxsize=1)
def _own_name() -> str:
    return socket.gethostname().lower()


def is_ours(host: str) -> bool:
    """Whether this server is reached by the name, with or without a port."""
    return (host.rpartition(":")[0] or host).lower() in _known_hosts()


def guard() -> None:
    """Refuse foreign host names, and unsafe methods that do not come from our own pages."""
    if not is_ours(request.host):
        abort(400)
    if request.method not in SAFE and request.headers.get("Origin") != request.host_url.rstrip("/"):
        abort(403)


def takes_gzip() -> bool:
    """Whether whoever asks can unpack gzip."""
    return "gzip" in request.headers.get("Accept-Encoding", "")


def harden(response: Response) -> Response:
    """Security headers; pages are never stored, static files are kept as long as their address; texts are packed."""
    response.headers.extend(HEADERS)
    is_static = request.endpoint == "static" and response.status_code in (200, 304)
    response.headers.update(KEPT if is_static else NOT_KEPT)
    packable = (response.mimetype or "").startswith(("text/html", "text/css", "text/javascript"))
    is_packed = "Content-Encoding" in response.headers
    if packable and not is_packed and response.status_code == 200 and takes_gzip():
        response.direct_passthrough = False
        data = response.get_data()
        if len(data) > 1000:
            response.set_data(_packed(data) if is_static else gzip.compress(data, 1, mtime=0))
            response.headers["Content-Encoding"] = "gzip"
    return response


@lru_cache(maxsize=16)
def _packed(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)

"""The event stream: it says "look now" and never what there is to see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flask import Blueprint, Response, abort, request

from companion.live import TooManyStreams
from companion.web.access import site, visitor

BEAT_SECONDS = 10
RETRY_MS = 5000

pages = Blueprint("stream", __name__)


@pages.get("/t/<code>/stream")
def stream(code: str) -> Response:
    """Server-sent events with the table's public version. A new stream of the same page and visitor ends the old."""
    asking = visitor(code)
    row = asking.evening.row
    of = request.args.get("of")
    who = f"{asking.who} {of if of in ('seat', 'host', 'claim', 'pass') else 'table'}"
    if asking.who == "guest":
        who = f"{who} {request.remote_addr} {request.headers.get('User-Agent', '')[:80]}"
    try:
        versions = site().tables.signals.follow(row.id, who, row.version, BEAT_SECONDS)
    except TooManyStreams:
        abort(503)
    response = Response(_events(versions), mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
    response.call_on_close(versions.close)
    return response


def _events(versions: Iterable[int | None]) -> Iterator[bytes]:
    yield f"retry: {RETRY_MS}\n\n".encode()
    for version in versions:
        yield b": \n\n" if version is None else f"data: {version}\n\n".encode()

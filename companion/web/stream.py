"""The event stream: it says "look now" and never what there is to see."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Blueprint, Response, abort, request

from companion.live import Followed, TooManyStreams
from companion.web.access import site, visitor

BEAT_SECONDS = 10
BEAT = b": \n\n"
RETRY_MS = 5000

pages = Blueprint("stream", __name__)


@pages.get("/t/<code>/stream")
def stream(code: str) -> Response:
    """Server-sent events with the table's public version. A new stream of the same page and visitor ends the old."""
    asking = visitor(code)
    row = asking.evening.row
    of = request.args.get("of")
    who = f"{asking.who} {of if of in ('seat', 'host', 'claim', 'pass') else 'table'}"
    is_guest = asking.who == "guest"
    if is_guest:
        who = f"{who} {request.remote_addr} {request.headers.get('User-Agent', '')[:80]}"
    try:
        versions = site().tables.signals.follow(row.id, who, row.version, BEAT_SECONDS, is_guest=is_guest)
    except TooManyStreams:
        abort(503)
    events = EventStream(versions)
    headers = {"X-Accel-Buffering": "no"}
    return Response(events, mimetype="text/event-stream", headers=headers, direct_passthrough=True)


class EventStream:
    """The stream as text. A server that can listen needs no thread for it; every other one goes through it."""

    def __init__(self, versions: Followed) -> None:
        self._versions = versions
        self.close = versions.close

    def listen(self, send: Callable[[bytes | None], None]) -> None:
        """Let `send` be called with each event, and with None when it is over; beats are the listener's affair."""
        send(_OPENED)
        self._versions.listen(lambda version: send(None if version is None else _event(version)))

    def __iter__(self) -> Iterator[bytes]:
        yield _OPENED
        for version in self._versions:
            yield BEAT if version is None else _event(version)


_OPENED = f"retry: {RETRY_MS}\n\n".encode()


def _event(version: int) -> bytes:
    return f"data: {version}\n\n".encode()

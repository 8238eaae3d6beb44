"""The connections of all browsers, in one event loop: none of them holds a thread but while its request is answered.

Whoever says nothing, or half of something, or never listens, costs a socket and is left out in the end.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser

from companion.web.serving.workers import Workers
from companion.web.serving.wsgi import Answer, Gateway
from companion.web.stream import BEAT, BEAT_SECONDS, EventStream

WAIT_SECONDS = 120.0
"""How long a connection may take for its next whole request, and to receive some of what was written to it."""
SWEEP_SECONDS = 2.0
LONGEST_HEAD = LONGEST_BODY = 64 * 1024


class Mailbox:
    """What other threads want the event loop to do: a letter costs nothing where another lies there unread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._letters: deque[Callable[[], None]] = deque()
        self._is_rung = False

    def post(self, letter: Callable[[], None]) -> None:
        """Let the event loop call it soon. Called from any thread."""
        self._letters.append(letter)
        if not self._is_rung and not self._loop.is_closed():
            self._is_rung = True
            self._loop.call_soon_threadsafe(self._open)

    def _open(self) -> None:
        self._is_rung = False
        while self._letters:
            self._letters.popleft()()


class Connections:
    """All connections of a server, at most `most`: one more pushes out whoever has owed a request for longest."""

    def __init__(self, gateway: Gateway, workers: Workers, most: int) -> None:
        self.gateway = gateway
        self.workers = workers
        self.mailbox = Mailbox(asyncio.get_running_loop())
        self.limits = Adjustments(max_request_header_size=LONGEST_HEAD, max_request_body_size=LONGEST_BODY)
        self.open: set[Connection] = set()
        self.owing: dict[Connection, float] = {}
        """Who has to say something, or to receive what was written, and since when; the longest first."""
        self._most = most

    def take(self, connection: Connection) -> None:
        """Somebody has connected."""
        self.open.add(connection)
        if len(self.open) > self._most:
            longest = next(iter(self.owing), connection)
            self.leave(longest)
            longest.abort()

    def leave(self, connection: Connection) -> None:
        """A connection has ended."""
        self.open.discard(connection)
        self.owing.pop(connection, None)

    async def sweep(self) -> None:
        """Now and then: let go whoever keeps silent or does not listen, and let streams beat."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = time.monotonic()
            late = [connection for connection, since in self.owing.items() if now - since > WAIT_SECONDS]
            for connection in late:
                connection.abort()
            for connection in list(self.open):
                connection.look_after(now)

    def close(self) -> None:
        """Close all of them, each as soon as it has received what was written."""
        for connection in list(self.open):
            connection.close()


class Connection(asyncio.Protocol):
    """One connection: its requests are answered one after the other."""

    def __init__(self, all_: Connections) -> None:
        self._all = all_
        self._request: HTTPRequestParser | None = None
        self._is_busy = self._is_answered = False
        self._ahead = b""
        self._events: EventStream | None = None
        self._unsent = 0
        self._moved = self._spoke = time.monotonic()

    # Called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.set_write_buffer_limits(high=0)
        # Whoever has left already has no address any more.
        peer = transport.get_extra_info("peername")
        self._peer: str = peer[0] if peer else ""
        _let_go_of_the_lost(transport.get_extra_info("socket"))
        self._all.take(self)
        self._all.owing[self] = time.monotonic()

    def connection_lost(self, error: Exception | None) -> None:
        self._all.leave(self)
        if self._events:
            self._events.close()

    def data_received(self, data: bytes) -> None:
        self._ahead += data
        if self._is_busy:
            self._transport.pause_reading()
        else:
            self._read()

    def _read(self) -> None:
        """Read what has come until a request is whole."""
        while self._ahead:
            request = self._request = self._request or HTTPRequestParser(self._all.limits)
            self._ahead = self._ahead[request.received(self._ahead) :]
            if request.completed:
                self._request = None
                if not request.empty:
                    self._is_busy = True
                    self._all.owing.pop(self, None)
                    self._all.workers.do(partial(self._answer, request), _table(request))
                    return
            elif request.expect_continue and request.headers_finished:
                request.expect_continue = False
                self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _answer(self, request: HTTPRequestParser) -> None:
        """In a thread of its own."""
        answer = self._all.gateway.answer(request, self._peer)
        self._all.mailbox.post(partial(self._write, answer))

    def _write(self, answer: Answer) -> None:
        self._events = answer.events
        if self._transport.is_closing():
            self.connection_lost(None)
            return
        self._transport.write(answer.written)
        if answer.events:
            answer.events.listen(lambda event: self._all.mailbox.post(partial(self._tell, event)))
        elif not answer.keeps:
            self._transport.close()
        else:
            self._is_answered = True
            if not self._transport.get_write_buffer_size():
                self._go_on()
        if not answer.events and self._transport.get_write_buffer_size():
            self._owe()

    def resume_writing(self) -> None:
        """All that was written has been received as far as the system's own buffers reach."""
        if self._is_answered:
            self._go_on()

    def _go_on(self) -> None:
        """Be ready for the next request, which may have come already."""
        self._is_busy = self._is_answered = False
        self._owe()
        self._transport.resume_reading()
        self._read()

    def _owe(self) -> None:
        """From now on it is waited for: for its next request, or for it to receive what was written."""
        self._all.owing.pop(self, None)
        self._all.owing[self] = time.monotonic()

    def _tell(self, event: bytes | None) -> None:
        if event is None:
            self._transport.close()
        elif not self._transport.is_closing():
            self._spoke = time.monotonic()
            self._transport.write(event)

    def look_after(self, now: float) -> None:
        """Let a stream beat after a silence; let go who receives nothing of what was written."""
        unsent = self._transport.get_write_buffer_size()
        if not unsent or unsent < self._unsent:
            self._moved = now
            if unsent and self in self._all.owing:
                self._owe()
        self._unsent = unsent
        if now - self._moved > WAIT_SECONDS:
            self.abort()
        elif self._events and now - self._spoke >= BEAT_SECONDS:
            self._tell(BEAT)

    def abort(self) -> None:
        """End it at once."""
        self._transport.abort()

    def close(self) -> None:
        """End it as soon as what was written has been received."""
        self._transport.close()


def _let_go_of_the_lost(connected: socket.socket) -> None:
    """Where the system can: end a connection whose other side confirms nothing, as of a phone that left the Wi-Fi."""
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        with suppress(OSError):
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(WAIT_SECONDS * 1000))


def _table(request: HTTPRequestParser) -> str | None:
    """The code of the table that is asked, as far as the address says so."""
    parts = getattr(request, "path", "").split("/", 3)
    return parts[2].upper() if len(parts) > 2 and parts[1] == "t" else None

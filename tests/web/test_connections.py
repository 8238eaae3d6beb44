"""What is written to connections, whatever comes of them. The application tells what it was asked."""

from __future__ import annotations

import asyncio
import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import Any

import pytest

from companion.live import Signals
from companion.web.headers import HEADERS, NOT_KEPT
from companion.web.serving import connections as module
from companion.web.serving.connections import Connection, Connections
from companion.web.serving.workers import Workers
from companion.web.serving.wsgi import Gateway
from companion.web.stream import EventStream

Start = Callable[[str, list[tuple[str, str]]], Any]
MOST = 8


class Front:
    """A server of its own loop and thread, at most `MOST` connections."""

    def __init__(self) -> None:
        self.signals = Signals()
        listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = listener.getsockname()[1]
        self._is_ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(listener)))
        self._thread.start()
        assert self._is_ready.wait(5)

    async def _run(self, listener: socket.socket) -> None:
        self.loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        self.all = Connections(Gateway(self._app, self.port), Workers(4), MOST)
        server = await self.loop.create_server(lambda: Connection(self.all), sock=listener)
        sweeping = asyncio.create_task(self.all.sweep())
        self._is_ready.set()
        await self._end.wait()
        sweeping.cancel()
        server.close()
        self.all.close()

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self._end.set)
        self._thread.join(5)

    def _app(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path == "/stream":
            start("200 OK", [("Content-Type", "text/event-stream")])
            return EventStream(self.signals.follow(1, environ.get("HTTP_WHO", ""), 7, 10))
        if path == "/fault":
            raise ValueError("a secret")
        if path == "/same":
            start("304 NOT MODIFIED", [])
            return []
        start("200 OK", [("Content-Type", "text/plain")])
        told = f"{environ['REQUEST_METHOD']} {path} {environ['wsgi.input'].read().decode()}".encode()
        return [told, b"." * 5_000_000] if path == "/large" else [told]


@pytest.fixture
def front(monkeypatch: pytest.MonkeyPatch) -> Iterator[Front]:
    monkeypatch.setattr(module, "SWEEP_SECONDS", 0.05)
    front = Front()
    yield front
    front.close()


def _said(front: Front, *sent: bytes) -> bytes:
    """All that is answered until the connection is closed or a second has passed in silence."""
    heard = b""
    with closing(socket.create_connection(("127.0.0.1", front.port), timeout=1)) as line:
        for part in sent:
            line.sendall(part)
            time.sleep(0.02)
        try:
            while data := line.recv(1 << 16):
                heard += data
        except TimeoutError:
            heard += b"<silence>"
    return heard


LAST = b"Connection: close\r\n\r\n"


def test_requests_that_come_at_once_are_answered_in_their_order(front: Front) -> None:
    said = _said(
        front, b"GET /1 HTTP/1.1\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 2\r\n\r\nabGET /3 HTTP/1.1\r\n" + LAST
    )
    places = [said.index(told) for told in (b"GET /1 ", b"POST /2 ab", b"GET /3 ")]
    assert places == sorted(places)
    assert said.count(b"Connection: close") == 1


def test_a_request_may_come_in_crumbs(front: Front) -> None:
    request = b"POST /x HTTP/1.1\r\nContent-Length: 3\r\n" + LAST + b"abc"
    assert _said(front, *(request[n : n + 7] for n in range(0, len(request), 7))).endswith(b"POST /x abc")


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"nonsense\r\n\r\n", b"400 "),
        (b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", b"400 "),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, b"431 "),
        (b"POST / HTTP/1.1\r\nContent-Length: 70000\r\n\r\n", b"413 "),
        (b"GET /fault HTTP/1.1\r\n\r\n", b"500 "),
    ],
)
def test_what_cannot_be_answered_is_refused_and_ends_the_connection(
    front: Front, request_: bytes, status: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    said = _said(front, request_)
    assert said.startswith(b"HTTP/1.1 " + status)
    assert b"Connection: close" in said
    for name, value in {**HEADERS, **NOT_KEPT}.items():
        assert f"\r\n{name}: {value}\r\n".encode() in said
    assert not said.endswith(b"<silence>")
    assert b"secret" not in said
    assert "secret" not in caplog.text


def test_answers_without_a_body_say_no_length_and_keep_the_connection(front: Front) -> None:
    said = _said(front, b"GET /same HTTP/1.1\r\n\r\nHEAD /x HTTP/1.1\r\n\r\n")
    same, head, rest = said.split(b"\r\n\r\n")
    assert b"Length" not in same
    assert b"Content-Length: 8" in head
    assert rest == b"<silence>"


def test_an_old_browser_is_answered_once(front: Front) -> None:
    assert _said(front, b"GET /x HTTP/1.0\r\n\r\n").endswith(b"GET /x ")


def test_a_proxys_word_for_a_browser_is_not_heard(front: Front) -> None:
    environ = front.all.gateway._environ(
        _Asked({"X_FORWARDED_FOR": "1.2.3.4", "FORWARDED": "x", "HOST": "a"}), "9.9.9.9"
    )
    assert environ["REMOTE_ADDR"] == "9.9.9.9"
    assert {name for name in environ if name.startswith("HTTP_")} == {"HTTP_HOST"}


class _Asked:
    """A request with these headers."""

    command, version, path, query, request_uri = "GET", "1.1", "/", "", "/"

    def __init__(self, headers: dict[str, str]) -> None:
        self.headers = headers

    def get_body_stream(self) -> None:
        return None


def _stream(front: Front, who: str) -> http.client.HTTPResponse:
    line = http.client.HTTPConnection("127.0.0.1", front.port, timeout=5)
    line.request("GET", "/stream", headers={"Who": who})
    return line.getresponse()


def test_streams_hear_changes_and_their_end_and_take_no_thread(front: Front) -> None:
    streams = [_stream(front, str(number)) for number in range(6)]
    threads = threading.active_count()
    front.signals.publish(1, 8)
    again = _stream(front, "0")
    assert streams[0].read() == b"retry: 5000\n\ndata: 7\n\ndata: 8\n\n"
    front.signals.close()
    assert [stream.read() for stream in streams[1:]] == [b"retry: 5000\n\ndata: 7\n\ndata: 8\n\n"] * 5
    assert again.read() == b"retry: 5000\n\ndata: 7\n\n"
    assert threading.active_count() <= threads


def test_a_stream_beats_in_silence(front: Front, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BEAT_SECONDS", 0.05)
    stream = _stream(front, "a")
    assert [stream.readline() for _ in range(6)][4:] == [b": \n", b"\n"]


def test_whoever_hangs_up_gives_the_streams_place_back(front: Front) -> None:
    stream = _stream(front, "a")
    assert stream.readline()
    stream.close()
    until = time.monotonic() + 5
    while front.all.open and time.monotonic() < until:
        time.sleep(0.01)
    assert not front.all.open
    assert not front.signals._tables


def test_one_more_pushes_out_whoever_has_owed_a_request_for_longest(front: Front) -> None:
    stream = _stream(front, "a")
    silent = [socket.create_connection(("127.0.0.1", front.port), timeout=5) for _ in range(MOST + 3)]
    assert _said(front, b"GET /x HTTP/1.1\r\n" + LAST).endswith(b"GET /x ")
    for pushed in silent[:4]:
        with pytest.raises(ConnectionError):
            if not pushed.recv(1):
                raise ConnectionError
    silent[-1].sendall(b"GET /late HTTP/1.1\r\n\r\n")
    assert silent[-1].recv(100).startswith(b"HTTP/1.1 200")
    front.signals.publish(1, 8)
    assert [stream.readline() for _ in range(5)][4] == b"data: 8\n"
    for one in silent:
        one.close()


def test_one_more_pushes_out_whoever_does_not_receive_what_was_written(front: Front) -> None:
    deaf = [socket.create_connection(("127.0.0.1", front.port), timeout=5) for _ in range(MOST)]
    for one in deaf:
        one.sendall(b"GET /large HTTP/1.1\r\n\r\n" * 3)
    until = time.monotonic() + 5
    while len(front.all.owing) < MOST and time.monotonic() < until:
        time.sleep(0.01)
    for _ in range(3):
        assert _said(front, b"GET /x HTTP/1.1\r\n" + LAST).endswith(b"GET /x ")
    for one in deaf:
        one.close()


def test_who_owes_a_request_or_receives_nothing_is_left_out_in_the_end(
    front: Front, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAIT_SECONDS", 0.3)
    lines = [socket.create_connection(("127.0.0.1", front.port), timeout=5) for _ in range(3)]
    lines[1].sendall(b"GET /x HTTP/1.1\r\nX: ")
    lines[2].sendall(b"GET /large HTTP/1.1\r\n\r\nGET /next HTTP/1.1\r\n\r\n")
    until = time.monotonic() + 6
    while front.all.open and time.monotonic() < until:
        time.sleep(0.02)
    assert not front.all.open
    for line in lines:
        line.close()


def test_a_slow_reader_gets_everything_and_then_the_next_answer(front: Front) -> None:
    with closing(socket.create_connection(("127.0.0.1", front.port), timeout=2)) as line:
        line.sendall(b"GET /large HTTP/1.1\r\n\r\nGET /next HTTP/1.1\r\n" + LAST)
        heard = 0
        last = b""
        while data := line.recv(1 << 18):
            heard, last = heard + len(data), (last + data)[-100:]
            time.sleep(0.002)
    assert heard > 5_000_000
    assert last.endswith(b"GET /next ")

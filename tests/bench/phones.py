"""Phones and a table screen over real HTTP, as their pages do it: a stream that says "look", then one's own page.

One thread and plain sockets, so that the client costs little beside the server; what it costs is measured, too.
"""

from __future__ import annotations

import gzip
import re
import selectors
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection
from urllib.parse import urlencode

VERSION = re.compile(rb'etag: "[^"]*?-(\d+)-', re.IGNORECASE)
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
LOCATION = re.compile(rb"location: (\S+)", re.IGNORECASE)
ETAG = re.compile(rb"etag: (\S+)", re.IGNORECASE)
PATIENCE = 10.0


@dataclass
class Answer:
    """One whole response. `version`: the table's public version that its page shows (0: it shows none)."""

    status: int
    head: bytes
    body: bytes

    def __post_init__(self) -> None:
        found = VERSION.search(self.head)
        self.version = int(found[1]) if found else 0

    @property
    def text(self) -> str:
        packed = b"content-encoding: gzip" in self.head.lower()
        return (gzip.decompress(self.body) if packed else self.body).decode()

    @property
    def size(self) -> int:
        """Bytes on the wire."""
        return len(self.head) + len(self.body)


class Line:
    """A keep-alive connection, opened when it is needed, that gives each whole answer to `heard`."""

    def __init__(self, port: int, selector: selectors.BaseSelector, heard: Callable[[Answer], None]) -> None:
        self.busy = False
        self._port = port
        self._selector = selector
        self._heard = heard
        self._buffer = b""
        self._socket: socket.socket | None = None

    def send(self, request: bytes) -> None:
        self.busy = True
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=PATIENCE)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket.setblocking(False)
            self._selector.register(self._socket, selectors.EVENT_READ, self.read)
        self._socket.send(request)

    def close(self) -> None:
        """Hang up; an answer that was awaited never comes."""
        if self._socket:
            self._selector.unregister(self._socket)
            self._socket.close()
        self._socket, self._buffer, self.busy = None, b"", False

    def read(self) -> None:
        assert self._socket
        data = self._socket.recv(1 << 18)
        if not data and self.busy:
            raise ConnectionError("the server closed a connection on which an answer was awaited")
        if not data:
            self.close()
            return
        self._buffer += data
        head, parted, body = self._buffer.partition(b"\r\n\r\n")
        if not parted:
            return
        length = LENGTH.search(head)
        wanted = int(length[1]) if length else 0
        if len(body) < wanted:
            return
        assert len(body) == wanted
        self._buffer, self.busy = b"", False
        self._heard(Answer(int(head[9:12]), head, body))


@dataclass
class Phone:
    """A page of the table in a browser: its stream, and its own fragment whenever something changed."""

    port: int
    selector: selectors.BaseSelector
    path: str
    name: str
    cookies: dict[str, str] = field(default_factory=dict)
    shown: Answer | None = None
    due: bool = False
    shown_at: float = 0.0
    stream: socket.socket | None = None

    def request(self, method: str, path: str, form: Mapping[str, str] | None = None) -> Answer:
        """Ask on a connection of its own and wait; cookies are kept, redirects followed."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, urlencode(form) if form else None, self._headers(bool(form)))
        answer = connection.getresponse()
        head = "".join(f"{name}: {value}\r\n" for name, value in answer.getheaders()).encode()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        got, place = Answer(answer.status, head, answer.read()), answer.headers.get("Location")
        connection.close()
        return self.request("GET", place) if place else got

    def _headers(self, posts: bool, **more: str) -> dict[str, str]:
        headers = {
            "Host": f"127.0.0.1:{self.port}",
            "User-Agent": f"bench {self.name}",
            "Accept-Encoding": "gzip, deflate",
            "Accept-Language": "zh-CN,zh;q=0.9",
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        if posts:
            headers["Origin"] = f"http://127.0.0.1:{self.port}"
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        return headers | {name.replace("_", "-"): value for name, value in more.items()}

    def _raw(self, method: str, path: str, body: str = "", **more: str) -> bytes:
        headers = self._headers(bool(body), **more)
        if body:
            headers["Content-Length"] = str(len(body))
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n{body}".encode()

    def open(self) -> None:
        """Load the page and open its stream, as its script does."""
        self.shown, self.shown_at = self.request("GET", self.path), time.perf_counter()
        self._asks = Line(self.port, self.selector, self._holds)
        self._posts = Line(self.port, self.selector, self._answered)
        self.due = False
        self.listen()

    def listen(self) -> None:
        """Open the stream."""
        assert self.shown
        address = re.search(r'data-stream="([^"]+)"', self.shown.text)
        if address:
            self._stream_path = address[1].replace("&amp;", "&")
        self.stream = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        self.stream.sendall(self._raw("GET", self._stream_path, Accept="text/event-stream"))
        self.selector.register(self.stream, selectors.EVENT_READ, self._told)

    def hang_up(self) -> None:
        """Close all its connections."""
        self.deafen()
        self._asks.close()
        self._posts.close()

    def deafen(self) -> None:
        """Close its stream."""
        if self.stream:
            self.selector.unregister(self.stream)
            self.stream.close()
            self.stream = None

    def _told(self) -> None:
        assert self.stream
        data = self.stream.recv(1 << 16)
        if not data:
            self.ended()
        elif b"data:" in data:
            self.look()

    def ended(self) -> None:
        """The server has closed the stream."""
        raise ConnectionError(f"the stream of {self.name} ended")

    def look(self) -> None:
        """Ask for the fragment; while an answer is awaited, once more afterwards."""
        if self._asks.busy:
            self.due = True
            return
        etag = ETAG.search(self.shown.head) if self.shown else None
        more = {"If_None_Match": etag[1].decode()} if etag else {}
        self._asks.send(self._raw("GET", self.path, HX_Request="true", **more))

    def _holds(self, answer: Answer) -> None:
        if answer.status == 200:
            self._show(answer)
        if self.due:
            self.due = False
            self.look()

    def _show(self, answer: Answer) -> None:
        if self.shown is None or answer.version >= self.shown.version:
            self.shown, self.shown_at = answer, time.perf_counter()

    def post(self, path: str, form: Mapping[str, str]) -> None:
        """Send a form as htmx does; its answer is the page."""
        self._posts.send(self._raw("POST", path, urlencode(form), HX_Request="true"))

    def _answered(self, answer: Answer) -> None:
        if answer.status == 303:
            place = LOCATION.search(answer.head)
            assert place
            self._posts.send(self._raw("GET", place[1].decode(), HX_Request="true"))
            return
        if answer.status != 200:
            raise RuntimeError(f"{self.name} was refused: {answer.status} {answer.text[:300]}")
        self._show(answer)

    @property
    def is_quiet(self) -> bool:
        return not (self._asks.busy or self._posts.busy or self.due)

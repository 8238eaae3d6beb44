"""What the laptop server does beside Flask: threads and their lanes, kept connections, packed pieces, its end."""

from __future__ import annotations

import gzip
import http.client
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.web.packing import Piece, packed
from companion.web.serving.server import most_connections
from companion.web.serving.workers import Workers
from tests.running import PATIENCE, Server


@given(st.lists(st.binary(max_size=300)))
def test_packed_pieces_are_one_gzip_file(pieces: list[bytes]) -> None:
    assert gzip.decompress(packed(map(Piece, pieces))) == b"".join(pieces)


class Job:
    """Work that remembers who did it, and may be made to wait or to fail."""

    def __init__(self, gate: threading.Event | None = None, fault: Exception | None = None) -> None:
        self.gate = gate
        self.fault = fault
        self.done_by: int | None = None
        self.is_begun = threading.Event()
        self.is_over = threading.Event()

    def __call__(self) -> None:
        self.done_by = threading.get_ident()
        self.is_begun.set()
        if self.gate:
            self.gate.wait(PATIENCE)
        self.is_over.set()
        if self.fault:
            raise self.fault


def _give(workers: Workers, job: Job, of: str | None = None) -> Job:
    workers.do(job, of)
    return job


def _done(workers: Workers, job: Job) -> Job:
    assert job.is_over.wait(PATIENCE)
    time.sleep(0.05)
    return job


def test_the_thread_that_rested_last_works_next() -> None:
    workers = Workers(8)
    done = {_done(workers, _give(workers, Job())).done_by for _ in range(10)}
    assert len(done) == 1


def test_a_fault_in_one_request_does_not_cost_a_thread(caplog: pytest.LogCaptureFixture) -> None:
    workers = Workers(1)
    _done(workers, _give(workers, Job(fault=ValueError("no"))))
    assert _done(workers, _give(workers, Job())).done_by
    assert "ValueError while answering" in caplog.text


def test_requests_of_one_table_wait_for_each_other_and_not_for_another_table() -> None:
    gate = threading.Event()
    workers = Workers(8)
    first, second = _give(workers, Job(gate), "A"), _give(workers, Job(), "A")
    assert first.is_begun.wait(PATIENCE)
    others = [_give(workers, Job(), of) for of in ("B", None, None)]
    assert all(other.is_over.wait(PATIENCE) for other in others)
    assert not second.is_begun.is_set()
    gate.set()
    assert _done(workers, second).done_by == first.done_by


def test_no_request_of_a_great_crowd_is_forgotten() -> None:
    workers, done = Workers(4), threading.Semaphore(0)

    def crowd() -> None:
        for number in range(3000):
            workers.do(done.release, of=number % 5 or None)

    crowds = [threading.Thread(target=crowd) for _ in range(3)]
    for one in crowds:
        one.start()
    for _ in range(9000):
        assert done.acquire(timeout=PATIENCE)
    begun = time.monotonic()
    workers.end(PATIENCE)
    assert time.monotonic() - begun < PATIENCE


def test_beyond_the_limit_requests_wait_and_the_end_forgets_them() -> None:
    gate = threading.Event()
    workers = Workers(2)
    busy = [_give(workers, Job(gate), of) for of in ("A", None)]
    assert all(job.is_begun.wait(PATIENCE) for job in busy)
    late = [_give(workers, Job(), of) for of in ("A", "B", None)]
    ending = threading.Thread(target=workers.end, args=(5,))
    ending.start()
    time.sleep(0.05)
    gate.set()
    ending.join(5)
    assert not ending.is_alive()
    assert all(job.is_over.is_set() for job in busy)
    assert not any(job.is_begun.is_set() for job in late)


@pytest.mark.parametrize(
    ("soft", "hard", "raised_to", "connections"),
    [
        (256, -1, 4224, 4096),
        (256, 1000, 1000, 872),
        (5000, 5000, None, 4096),
        (-1, -1, None, 4096),
        (100, 100, None, 64),
    ],
)
def test_a_low_limit_of_open_files_is_raised_as_far_as_it_may_be(
    soft: int, hard: int, raised_to: int | None, connections: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "RLIM_INFINITY", -1)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits))
    assert most_connections() == connections
    assert asked == ([(raised_to, hard)] if raised_to else [])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path)
    started.start()
    yield started
    started.kill()


def _ask(line: http.client.HTTPConnection, method: str, path: str, **headers: str) -> http.client.HTTPResponse:
    line.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    return line.getresponse()


def test_nothing_changed_keeps_the_connection_and_the_end_waits_for_no_stream(server: Server) -> None:
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    opened = _ask(line, "POST", "/", Origin=server.url)
    opened.read()
    table = opened.headers["Location"]
    page = _ask(line, "GET", table, HX_Request="true")
    assert page.read()
    for _ in range(3):
        again = _ask(line, "GET", table, HX_Request="true", If_None_Match=page.headers["ETag"])
        assert (again.status, again.read()) == (304, b"")
        assert line.sock, "the connection was closed"
    stream = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    told = _ask(stream, "GET", f"{table}/stream")
    assert told.readline().startswith(b"retry:")
    server.stop()
    assert server.process and server.process.returncode == 0, server.said()


def test_twelve_phones_and_a_table_screen_that_come_back_five_times_wait_for_nobody(server: Server) -> None:
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    opened = _ask(line, "POST", "/", Origin=server.url)
    opened.read()
    table = opened.headers["Location"]
    streams: list[http.client.HTTPConnection] = []

    def come(phone: int) -> None:
        stream = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        assert _ask(stream, "GET", f"{table}/stream?of=seat", User_Agent=f"phone {phone}").status == 200
        streams.append(stream)
        page = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        assert _ask(page, "GET", f"{table}/seat", User_Agent=f"phone {phone}").status == 200
        page.close()

    for _ in range(5):
        phones = [threading.Thread(target=come, args=(phone,)) for phone in range(13)]
        for phone in phones:
            phone.start()
        for phone in phones:
            phone.join(PATIENCE)
    assert len(streams) == 5 * 13
    assert _ask(line, "GET", table).status == 200

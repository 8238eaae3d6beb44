"""What the laptop server does beside Flask: threads, kept connections, packed pieces, an end without delay."""

from __future__ import annotations

import gzip
import http.client
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from waitress.task import Task

from companion.web.packing import packed
from companion.web.workers import Workers
from tests.running import Server


@given(st.lists(st.binary(max_size=300)))
def test_packed_pieces_are_one_gzip_file(pieces: list[bytes]) -> None:
    assert gzip.decompress(packed(pieces)) == b"".join(pieces)


class Job:
    """A task that remembers who served it, and may be made to wait or to fail."""

    def __init__(self, gate: threading.Event | None = None, fault: Exception | None = None) -> None:
        self.gate = gate
        self.fault = fault
        self.served_by: int | None = None
        self.was_cancelled = False
        self.is_over = threading.Event()

    def service(self) -> None:
        self.served_by = threading.get_ident()
        if self.gate:
            self.gate.wait(5)
        self.is_over.set()
        if self.fault:
            raise self.fault

    def cancel(self) -> None:
        self.was_cancelled = True


def _give(workers: Workers, job: Job) -> Job:
    workers.add_task(cast(Task, job))
    return job


def _done(workers: Workers, job: Job) -> Job:
    assert job.is_over.wait(5)
    time.sleep(0.05)
    return job


def test_the_thread_that_rested_last_works_next() -> None:
    workers = Workers(8, lambda: None)
    served = {_done(workers, _give(workers, Job())).served_by for _ in range(10)}
    assert len(served) == 1


def test_a_fault_in_one_request_does_not_cost_a_thread(caplog: pytest.LogCaptureFixture) -> None:
    workers = Workers(1, lambda: None)
    _done(workers, _give(workers, Job(fault=ValueError("no"))))
    assert _done(workers, _give(workers, Job())).served_by
    assert "while serving" in caplog.text


def test_beyond_the_limit_requests_wait_and_the_end_cancels_them() -> None:
    gate = threading.Event()
    workers = Workers(2, gate.set)
    busy = [_give(workers, Job(gate)) for _ in range(2)]
    time.sleep(0.05)
    late = _give(workers, Job())
    assert not late.is_over.wait(0.1)
    begun = time.monotonic()
    workers.shutdown(timeout=5)
    assert time.monotonic() - begun < 2
    assert all(job.is_over.is_set() for job in busy)
    assert late.was_cancelled or late.is_over.is_set()


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
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    opened = _ask(line, "POST", "/", Origin=server.url)
    opened.read()
    table = opened.headers["Location"]
    page = _ask(line, "GET", table, HX_Request="true")
    assert page.read()
    for _ in range(3):
        again = _ask(line, "GET", table, HX_Request="true", If_None_Match=page.headers["ETag"])
        assert (again.status, again.read()) == (304, b"")
        assert line.sock, "the connection was closed"
    stream = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    told = _ask(stream, "GET", f"{table}/stream")
    assert told.readline().startswith(b"retry:")
    begun = time.monotonic()
    server.stop()
    assert time.monotonic() - begun < 3
    assert server.process and server.process.returncode == 0, server.said()


def test_twelve_phones_and_a_table_screen_that_come_back_five_times_wait_for_nobody(server: Server) -> None:
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    opened = _ask(line, "POST", "/", Origin=server.url)
    opened.read()
    table = opened.headers["Location"]
    streams: list[http.client.HTTPConnection] = []

    def come(phone: int) -> None:
        stream = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
        assert _ask(stream, "GET", f"{table}/stream?of=seat", User_Agent=f"phone {phone}").status == 200
        streams.append(stream)
        page = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
        assert _ask(page, "GET", f"{table}/seat", User_Agent=f"phone {phone}").status == 200
        page.close()

    for _ in range(5):
        phones = [threading.Thread(target=come, args=(phone,)) for phone in range(13)]
        for phone in phones:
            phone.start()
        for phone in phones:
            phone.join(10)
    assert len(streams) == 5 * 13
    begun = time.monotonic()
    assert _ask(line, "GET", table).status == 200
    assert time.monotonic() - begun < 1

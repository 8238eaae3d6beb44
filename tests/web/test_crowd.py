"""A real server under people who reload, sleep, walk away, and under connections that never finish."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from random import Random

import pytest

from companion.web.serving.connections import WAIT_SECONDS
from tests.bench.endurance import Endurance
from tests.bench.fanout import Evening
from tests.running import Server

CROWD = 120
SOON = WAIT_SECONDS / 4
"""Far sooner than those who never finish are given up."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("data"))
    started.start()
    yield started
    started.kill()


def test_minutes_of_reloads_sleeps_walks_and_forgotten_streams_hang_nobody_and_leave_nothing(server: Server) -> None:
    endurance = Endurance(server, speed=200)
    before = endurance.state()
    endurance.play(5)
    assert endurance.records > 10
    assert endurance.troubles > 20
    assert endurance.hangs == 0
    endurance.end()
    until = time.monotonic() + 5
    while (after := endurance.state()).files > before.files and time.monotonic() < until:
        time.sleep(0.1)
    assert after.files <= before.files
    assert after.threads <= before.threads + 3


UNFINISHED: dict[str, Callable[[str], bytes]] = {
    "silence": lambda _: b"",
    "half a head": lambda base: f"GET {base} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ".encode(),
    "half a body": lambda base: f"POST {base}/record HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nhalf".encode(),
    "a stream that is never read": lambda base: (
        f"GET {base}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: {Random().random()}\r\n\r\n".encode()
    ),
    "a page that is never read": lambda base: f"GET {base} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() * 40,
}


@pytest.mark.parametrize("kind", UNFINISHED)
def test_many_connections_that_never_finish_do_not_stop_a_table(server: Server, kind: str) -> None:
    evening = Evening(server.port, "court8")
    with ExitStack() as crowd:
        for _ in range(CROWD):
            one = crowd.enter_context(closing(socket.create_connection(("127.0.0.1", server.port), timeout=5)))
            one.sendall(UNFINISHED[kind](evening.base))
        begun = time.monotonic()
        assert evening.phones[0].request("GET", evening.base).status == 200
        assert time.monotonic() - begun < SOON
        for seat in (2, 3, 4):
            assert evening.tell(evening.phones[seat], "/record", {"verb": "turn", "who": str(seat)}) < SOON

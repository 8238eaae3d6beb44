"""The port: taken, forbidden, or of another machine is each said; and who has it is found out by asking."""

import errno
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import __version__, listening
from tests.running import Server, free_port

HOME = "127.0.0.1"


@pytest.fixture
def stranger() -> Iterator[socket.socket]:
    """Another program's socket, which takes connections in and never answers."""
    with socket.socket() as taken:
        taken.bind((HOME, 0))
        taken.listen()
        yield taken


def test_a_taken_port_is_said_on_every_address(stranger: socket.socket) -> None:
    port = stranger.getsockname()[1]
    for host in (HOME, listening.EVERYWHERE):
        with pytest.raises(listening.PortTaken):
            listening.listen(host, port)


def test_a_port_is_listened_on_again_as_soon_as_it_is_free() -> None:
    port = free_port()
    for _ in range(3):
        with listening.listen(HOME, port) as listener, socket.create_connection((HOME, port)):
            listener.accept()[0].close()


def test_an_address_of_another_machine_is_said() -> None:
    with pytest.raises(listening.NoSuchAddress):
        listening.listen("203.0.113.7", free_port())


def test_a_port_that_the_system_keeps_is_not_another_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    class Kept(socket.socket):
        bind = refused

    monkeypatch.setattr(socket, "socket", Kept)
    with pytest.raises(listening.PortForbidden):
        listening.listen(HOME, 80)


def test_a_running_companion_is_recognised(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        assert listening.running([HOME], server.port) == __version__
    finally:
        server.stop()


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 200 OK\r\n\r\n<h1>printer</h1>", b"SSH-2.0-OpenSSH_9.2\r\n", b"\xff" * 2000]
)
def test_another_program_is_not_taken_for_one(stranger: socket.socket, answer: bytes) -> None:
    def serve() -> None:
        connection, _ = stranger.accept()
        with connection:
            connection.recv(4000)
            connection.sendall(answer)

    thread = threading.Thread(target=serve)
    thread.start()
    assert listening.running([HOME], stranger.getsockname()[1]) is None
    thread.join()


def test_a_program_that_never_answers_is_not_waited_for(
    stranger: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "_PATIENCE", 0.05)
    assert listening.running([HOME], stranger.getsockname()[1]) is None
    assert listening.running([HOME], free_port()) is None

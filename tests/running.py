"""The default server as people start it: `companion serve` in a process of its own, with data and a port of its own."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path

PATIENCE = 20.0
"""Seconds that a start, an answer or an end may take on a busy machine before it counts as failed."""


def command() -> str:
    """The installed `companion` command that belongs to this Python."""
    found = shutil.which("companion", path=str(Path(sys.executable).parent))
    if found is None:
        raise FileNotFoundError("companion is not installed beside this Python: pip install -e '.[test]'")
    return found


def free_port() -> int:
    """A port on which nobody listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """One server; killed and started again it keeps its port and its data, as a laptop does."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> float:
        """Start it, and return the seconds from the command to the whole first page."""
        begun = time.perf_counter()
        self.launch()
        while not self._answers():
            if self._is_over() or time.perf_counter() - begun > PATIENCE:
                raise RuntimeError(f"companion serve did not start:\n{self.said()}")
            time.sleep(0.005)
        return time.perf_counter() - begun

    def launch(self) -> None:
        """Let it begin to start."""
        with (self.data / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [command(), "serve", "--no-browser", "--data", str(self.data), "--port", str(self.port)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def _is_over(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def _answers(self) -> bool:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", "/")
            answer = connection.getresponse()
            return bool(answer.read()) and answer.status == 200
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()

    def said(self) -> str:
        """What the server has printed so far."""
        return (self.data / "server.log").read_text("utf-8", "replace")

    def kill(self) -> None:
        """End it without a word, as a power cut does."""
        self._end(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)

    def stop(self) -> None:
        """Interrupt it, as Ctrl+C does; killed if it does not end in time."""
        try:
            self._end(signal.SIGINT)
        except subprocess.TimeoutExpired:
            self.kill()

    def _end(self, how: signal.Signals) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)

"""What lies between a phone and the laptop: connections pass through it, until it goes silent without a word.

Then neither end hears anything any more, as when somebody walks out of the Wi-Fi: no end, no reset.
"""

from __future__ import annotations

import selectors
import socket
import threading
from contextlib import suppress
from functools import partial

_Pair = tuple[socket.socket, socket.socket]


class Air:
    """Forwards connections to a port of this machine, in a thread of its own."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._lock = threading.Lock()
        self._selector = selectors.DefaultSelector()
        self._doors: dict[int, list[_Pair]] = {}
        self._sockets: set[socket.socket] = set()
        self._is_open = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def door(self) -> int:
        """A new port that leads to the server."""
        listener = socket.create_server(("127.0.0.1", 0))
        port = int(listener.getsockname()[1])
        with self._lock:
            self._doors[port] = []
            self._sockets.add(listener)
            self._selector.register(listener, selectors.EVENT_READ, partial(self._come, listener, port))
        return port

    def fall_silent(self, door: int) -> None:
        """Whatever has come through this door until now is heard of no more."""
        with self._lock:
            pairs, self._doors[door] = self._doors[door], []
            for one in (end for pair in pairs for end in pair):
                with suppress(KeyError, ValueError):
                    self._selector.unregister(one)

    def close(self) -> None:
        """End all connections, the silent ones too."""
        self._is_open = False
        self._thread.join(5)
        for one in self._sockets:
            one.close()
        self._selector.close()

    def _run(self) -> None:
        while self._is_open:
            for key, _ in self._selector.select(0.05):
                with self._lock:
                    if self._selector.get_map().get(key.fd) is key:
                        key.data()

    def _come(self, listener: socket.socket, door: int) -> None:
        near, _ = listener.accept()
        far = socket.create_connection(("127.0.0.1", self._port), timeout=5)
        self._doors[door].append((near, far))
        for one, other in ((near, far), (far, near)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._sockets.add(one)
            self._selector.register(one, selectors.EVENT_READ, partial(self._pass, one, other))

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        try:
            data = one.recv(1 << 16)
            other.sendall(data)
        except OSError:
            data = b""
        if data:
            return
        for end in (one, other):
            with suppress(KeyError, ValueError):
                self._selector.unregister(end)
            self._sockets.discard(end)
            end.close()

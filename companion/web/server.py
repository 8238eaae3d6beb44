"""The laptop server: `waitress` with a thread for every stream and to spare."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer, create_server
from waitress.task import WSGITask

from companion import lan
from companion.listening import EVERYWHERE, listen
from companion.modes.deck import new_key
from companion.storage import SqliteStore
from companion.storage.key import deck_key
from companion.tables import Tables
from companion.web.app import Site, create_app
from companion.web.workers import Workers

THREADS = 96


def _cached(read: Callable[[], Sequence[lan.Address]], seconds: float = 5.0) -> Callable[[], Sequence[lan.Address]]:
    """The interfaces, asked again now and then: the laptop may change its network in the middle of an evening."""
    lock = threading.Lock()
    known: list[tuple[float, Sequence[lan.Address]]] = []

    def addresses() -> Sequence[lan.Address]:
        with lock:
            if not known or time.monotonic() - known[0][0] > seconds:
                known[:] = [(time.monotonic(), read())]
            return known[0][1]

    return addresses


def _preferred(found: Sequence[lan.Address], host: str | None) -> Sequence[lan.Address]:
    return [one for one in found if one.ip == host] or found


class _Task(WSGITask):
    """Keeps the connection after "nothing changed": for `waitress` an answer without a length ends it."""

    def set_close_on_finish(self) -> None:
        headers = getattr(self.request, "headers", {})
        if self.has_body or self.version != "1.1" or headers.get("CONNECTION", "").lower() == "close":
            super().set_close_on_finish()


class _Channel(HTTPChannel):
    """Waits while a thread sends by itself, which says so if something is left: `waitress` looks again and again."""

    task_class = _Task

    def writable(self) -> bool:
        if self.total_outbufs_len:
            if not self.outbuf_lock.acquire(blocking=False):
                return False
            self.outbuf_lock.release()
        return super().writable()


def serve(database: Path, host: str | None, port: int, ready: Callable[[Sequence[str]], None]) -> None:
    """Serve the tables of the database until interrupted. `host`: the one address to show and listen on (None: all).

    Calls `ready` with the addresses for phones once connections are accepted. Raises what `listening.listen` and
    the store raise.
    """
    listener = listen(host or EVERYWHERE, port)
    try:
        store = SqliteStore(database)
        tables = Tables(store, deck_key=lambda: deck_key(database.parent, lambda: new_key(secrets.token_bytes(10))))
        addresses = _cached(lambda: _preferred(lan.addresses(), host))
        app = create_app(Site(tables, addresses, port, is_local=True))
        workers = Workers(THREADS, tables.signals.close)
        server = create_server(
            app, _dispatcher=workers, sockets=[listener], ident=None, clear_untrusted_proxy_headers=True
        )
        assert isinstance(server, TcpWSGIServer)
        server.channel_class = _Channel
        ready([one.ip for one in addresses() if one.kind != "loopback"])
        try:
            server.run()
        finally:
            tables.signals.close()
            server.close()
            tables.store.close()
    finally:
        listener.close()

"""The laptop server: one event loop for all connections, and threads for the requests that are being answered."""

from __future__ import annotations

import asyncio
import gc
import secrets
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from companion import lan
from companion.listening import EVERYWHERE, listen
from companion.live import Signals
from companion.modes.deck import new_key
from companion.storage import SqliteStore
from companion.storage.key import deck_key
from companion.tables import Tables
from companion.web.app import Site, create_app
from companion.web.serving.connections import Connection, Connections
from companion.web.serving.workers import Workers
from companion.web.serving.wsgi import Gateway

THREADS = 12
BACKLOG = 256
LEAST_CONNECTIONS, MOST_CONNECTIONS = 64, 4096
OTHER_FILES = 128
"""Files that the server may have open beside its connections."""
END_SECONDS = 5.0


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


def most_connections() -> int:
    """How many connections the system allows, asked for as many as are wanted."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return MOST_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    wanted = MOST_CONNECTIONS + OTHER_FILES
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < allowed:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
            soft = allowed
    return max(LEAST_CONNECTIONS, min(MOST_CONNECTIONS, soft - OTHER_FILES))


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
        most = most_connections()
        tables.signals = Signals(most // 2)
        app = create_app(Site(tables, addresses, port, is_local=True))
        try:
            with asyncio.Runner() as runner:
                phones = [one.ip for one in addresses() if one.kind != "loopback"]
                runner.run(_run(Gateway(app, port), listener, most, tables.signals, lambda: ready(phones)))
        finally:
            tables.store.close()
    finally:
        listener.close()


def _collect_seldom() -> None:
    """Look for garbage in cycles less often, and not among what stays: with many tables it stops everybody for long."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


async def _run(
    gateway: Gateway, listener: socket.socket, most: int, signals: Signals, ready: Callable[[], None]
) -> None:
    _collect_seldom()
    workers = Workers(THREADS)
    connections = Connections(gateway, workers, most)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(connections), sock=listener, backlog=BACKLOG)
    ready()
    try:
        await connections.sweep()
    finally:
        server.close()
        signals.close()
        await asyncio.to_thread(workers.end, END_SECONDS)
        connections.close()
        await asyncio.sleep(0)

"""Who is told that something changed: one process, every open stream by its table.

A message is a table's public version and nothing else; it means "look now". Whoever misses one looks all the same,
because pages ask again by themselves.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue

Hear = Callable[[int | None], None]
"""Called with each version, and with None when the stream is over."""


class TooManyStreams(Exception):
    """Every place for a stream is taken; the page goes on by asking."""


class Followed:
    """An open stream: it is waited for (`iter`) or listened to. It takes a place until it is closed."""

    def __init__(self, version: int, beat: float, leave: Callable[[Followed], None], is_guests: bool) -> None:
        self.is_guests = is_guests
        self._lock = threading.Lock()
        self._queue: SimpleQueue[int | None] = SimpleQueue()
        self._queue.put(version)
        self._hear: Hear = self._queue.put
        self._beat = beat
        self._leave = leave

    def tell(self, version: int | None) -> None:
        """Say this version, or that the stream is over."""
        with self._lock:
            self._hear(version)

    def listen(self, hear: Hear) -> None:
        """Let `hear` be called with each version, the present one first, in the thread of whoever changed it."""
        with self._lock:
            while not self._queue.empty():
                hear(self._queue.get())
            self._hear = hear

    def __iter__(self) -> Iterator[int | None]:
        while True:
            try:
                version = self._queue.get(timeout=self._beat)
            except Empty:
                yield None
                continue
            if version is None:
                return
            yield version

    def close(self) -> None:
        """Give the place back."""
        self._leave(self)


class Signals:
    """The open streams of all tables, at most `limit` at once."""

    def __init__(self, limit: int = 2000) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._tables: dict[int, dict[str, Followed]] = {}
        self._count = 0

    def publish(self, table: int, version: int) -> None:
        """Tell everybody who follows the table."""
        with self._lock:
            streams = list(self._tables.get(table, {}).values())
        for stream in streams:
            stream.tell(version)

    def follow(self, table: int, who: str, version: int, beat: float, *, is_guest: bool = False) -> Followed:
        """Versions as they come, the present one first; None after every `beat` seconds of silence.

        A second stream of the same `who` ends the first; where all places are taken, whoever is at home at a table
        ends a guest's. Raises TooManyStreams.
        """
        stream = Followed(version, beat, lambda left: self._leave(table, who, left), is_guest)
        with self._lock:
            ended = self._tables.get(table, {}).get(who)
            if ended is None:
                if self._count >= self._limit:
                    ended = None if is_guest else self._push_out_a_guest()
                    if ended is None:
                        raise TooManyStreams
                self._count += 1
            self._tables.setdefault(table, {})[who] = stream
        if ended is not None:
            ended.tell(None)
        return stream

    def _push_out_a_guest(self) -> Followed | None:
        for table, streams in self._tables.items():
            for who, stream in streams.items():
                if stream.is_guests:
                    self._forget(table, who)
                    return stream
        return None

    def _leave(self, table: int, who: str, stream: Followed) -> None:
        with self._lock:
            if self._tables.get(table, {}).get(who) is stream:
                self._forget(table, who)

    def _forget(self, table: int, who: str) -> None:
        del self._tables[table][who]
        self._count -= 1
        if not self._tables[table]:
            del self._tables[table]

    def close(self) -> None:
        """End every stream."""
        with self._lock:
            streams = [stream for table in self._tables.values() for stream in table.values()]
            self._tables, self._count = {}, 0
        for stream in streams:
            stream.tell(None)

"""Who is told that something changed: one process, one queue for each open stream.

A message is a table's public version and nothing else; it means "look now". Whoever misses one looks all the same,
because pages ask again by themselves.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue


class TooManyStreams(Exception):
    """Every place for a stream is taken; the page goes on by asking."""


class Followed:
    """An open stream. It takes a place until it is closed, whether or not anybody ever listened to it."""

    def __init__(self, queue: SimpleQueue[int | None], beat: float, leave: Callable[[], None]) -> None:
        self._queue = queue
        self._beat = beat
        self.close = leave

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


class Signals:
    """The open streams of all tables, at most `limit` at once."""

    def __init__(self, limit: int = 64) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._streams: dict[tuple[int, str], SimpleQueue[int | None]] = {}

    def publish(self, table: int, version: int) -> None:
        """Tell everybody who follows the table."""
        with self._lock:
            queues = [queue for (followed, _), queue in self._streams.items() if followed == table]
        for queue in queues:
            queue.put(version)

    def follow(self, table: int, who: str, version: int, beat: float) -> Followed:
        """Versions as they come, the present one first; None after every `beat` seconds of silence.

        A second stream of the same `who` ends the first. Raises TooManyStreams.
        """
        queue: SimpleQueue[int | None] = SimpleQueue()
        place = (table, who)
        with self._lock:
            earlier = self._streams.pop(place, None)
            if earlier is not None:
                earlier.put(None)
            elif len(self._streams) >= self._limit:
                raise TooManyStreams
            self._streams[place] = queue
        queue.put(version)
        return Followed(queue, beat, lambda: self._leave(place, queue))

    def _leave(self, place: tuple[int, str], queue: SimpleQueue[int | None]) -> None:
        with self._lock:
            if self._streams.get(place) is queue:
                del self._streams[place]

    def close(self) -> None:
        """End every stream."""
        with self._lock:
            queues, self._streams = list(self._streams.values()), {}
        for queue in queues:
            queue.put(None)

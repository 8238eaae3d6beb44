"""The threads that answer requests: a few, begun as they are needed.

So few of them ever need a connection to the store. Requests of one table would wait for each other anyway, for a
table is read by one at a time: they stand in one lane, and a crowded table takes one thread.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait

Job = Callable[[], None]


class Workers:
    """At most `most` threads."""

    def __init__(self, most: int) -> None:
        self._threads = ThreadPoolExecutor(most, "answering")
        self._lock = threading.Lock()
        self._lanes: dict[Hashable, deque[Job]] = {}
        self._running: set[Future[None]] = set()

    def do(self, job: Job, of: Hashable = None) -> None:
        """Do the job in a thread; it waits where all are busy.

        Jobs `of` the same (None: of nothing) are done one after the other.
        """
        if of is None:
            self._begin(lambda: _do(job))
            return
        with self._lock:
            if of in self._lanes:
                self._lanes[of].append(job)
                return
            self._lanes[of] = deque((job,))
        self._begin(lambda: self._go_along(of))

    def _begin(self, work: Job) -> None:
        try:
            future = self._threads.submit(work)
        except RuntimeError:  # the end came first
            return
        self._running.add(future)
        future.add_done_callback(self._running.discard)

    def _go_along(self, of: Hashable) -> None:
        while job := self._next(of):
            _do(job)

    def _next(self, of: Hashable) -> Job | None:
        with self._lock:
            if self._lanes[of]:
                return self._lanes[of].popleft()
            del self._lanes[of]
            return None

    def end(self, seconds: float) -> None:
        """Forget what waits, and give what is being done so many seconds to finish."""
        with self._lock:
            for lane in self._lanes.values():
                lane.clear()
        self._threads.shutdown(wait=False, cancel_futures=True)
        wait(list(self._running), seconds)


def _do(job: Job) -> None:
    try:
        job()
    except Exception as error:
        logging.getLogger("companion").error("%s while answering", type(error).__name__)

"""The threads that answer requests: as many as are busy at once, up to a limit; whoever rested last works next.

So few of them ever need a connection to the store. Requests of one table would wait for each other anyway, for a
table is read by one at a time: they stand in one lane, and a crowded table takes one thread.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable

Job = Callable[[], None]


class _Lane:
    def __init__(self, of: Hashable, job: Job) -> None:
        self.of = of
        self.jobs = deque((job,))


class _Worker:
    def __init__(self, lane: _Lane) -> None:
        self.lane: _Lane | None = lane
        self.bell = threading.Semaphore(0)


class Workers:
    """At most `most` threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._busy = 0
        self._resting: list[_Worker] = []
        self._lanes: dict[Hashable, _Lane] = {}
        self._waiting: deque[_Lane] = deque()

    def do(self, job: Job, of: Hashable = None) -> None:
        """Let a resting thread do the job, or a new one; it waits where the limit is reached.

        Jobs `of` the same (None: of nothing) are done one after the other.
        """
        with self._lock:
            if of is not None and of in self._lanes:
                self._lanes[of].jobs.append(job)
                return
            lane = _Lane(of, job)
            if of is not None:
                self._lanes[of] = lane
            if self._busy == self._most:
                self._waiting.append(lane)
            else:
                self._busy += 1
                self._set_to_work(lane)

    def _set_to_work(self, lane: _Lane) -> None:
        if self._resting:
            worker = self._resting.pop()
            worker.lane = lane
            worker.bell.release()
        else:
            threading.Thread(target=self._work, args=(_Worker(lane),), daemon=True).start()

    def _work(self, me: _Worker) -> None:
        while me.lane:
            while job := self._next(me.lane):
                _do(job)
            with self._lock:
                me.lane = self._waiting.popleft() if self._waiting else None
                if me.lane is None:
                    self._busy -= 1
                    self._resting.append(me)
            if me.lane is None:
                me.bell.acquire()

    def _next(self, lane: _Lane) -> Job | None:
        with self._lock:
            if lane.jobs:
                return lane.jobs.popleft()
            self._lanes.pop(lane.of, None)
            return None

    def end(self, seconds: float) -> None:
        """Forget what waits, and give those who work so many seconds to finish."""
        with self._lock:
            self._waiting.clear()
            for lane in self._lanes.values():
                lane.jobs.clear()
        end = time.monotonic() + seconds
        while self._busy and time.monotonic() < end:
            time.sleep(0.01)


def _do(job: Job) -> None:
    try:
        job()
    except Exception as error:
        logging.getLogger("companion").error("%s while answering", type(error).__name__)

"""The threads that answer requests: as many as are busy at once, up to a limit; whoever rested last works next.

`waitress` itself starts all its threads at the beginning and lets them take turns, so that each of a hundred needs its
own connection to the store and nothing is ever at hand.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable

from waitress.task import Task, ThreadedTaskDispatcher


class _Worker:
    def __init__(self, task: Task) -> None:
        self.task: Task | None = task
        self.bell = threading.Semaphore(0)


class Workers(ThreadedTaskDispatcher):
    """At most `most` threads. `before_end` is called when the server ends, so that those who wait for news let go."""

    def __init__(self, most: int, before_end: Callable[[], None]) -> None:
        super().__init__()
        self._most = most
        self._before_end = before_end
        self._busy = 0
        self._resting: list[_Worker] = []
        self._waiting: deque[Task] = deque()

    def add_task(self, task: Task) -> None:
        """Let a resting thread serve the task, or a new one; it waits where the limit is reached."""
        with self.lock:
            if self._resting:
                worker = self._resting.pop()
                worker.task = task
                self._busy += 1
                worker.bell.release()
            elif self._busy < self._most:
                self._busy += 1
                threading.Thread(target=self._work, args=(_Worker(task),), daemon=True).start()
            else:
                self._waiting.append(task)

    def _work(self, me: _Worker) -> None:
        while me.task:
            self._serve(me.task)
            with self.lock:
                me.task = self._waiting.popleft() if self._waiting else None
                if me.task is None:
                    self._busy -= 1
                    self._resting.append(me)
            if me.task is None:
                me.bell.acquire()

    def _serve(self, task: Task) -> None:
        try:
            task.service()
        except BaseException:
            logging.getLogger("waitress").exception("while serving %r", task)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """Cancel what waits, and give those who work `timeout` seconds to finish."""
        self._before_end()
        with self.lock:
            while self._waiting:
                self._waiting.popleft().cancel()  # type: ignore[attr-defined]
        end = time.monotonic() + timeout
        while self._busy and time.monotonic() < end:
            time.sleep(0.01)
        return True

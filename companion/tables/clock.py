"""What time it is, how long ago something happened, and what is to be done later."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable


class Clock:
    """What time it is, and what is to be done later. Another one can be put in its place."""

    def now(self) -> int:
        """Milliseconds since 1970 (UTC)."""
        return time.time_ns() // 1_000_000

    def seconds(self) -> float:
        """Seconds on a clock that nobody sets."""
        return time.monotonic()

    def later(self, seconds: float, action: Callable[[], None]) -> None:
        """Do it after so many seconds, in a thread of its own."""
        timer = threading.Timer(seconds, action)
        timer.daemon = True
        timer.start()


class Ages:
    """How long ago things happened, though somebody sets the wall clock meanwhile: it is read once for each of them.

    So it decides about nothing but what is older than the server's start. What lies ahead of it, since it was set back
    before that start, counts as equally long ago: looks end, cards are closed and claims dropped rather soon than late.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._begun: dict[Hashable, float] = {}

    def of(self, what: Hashable, at: int) -> float:
        """Seconds since what happened `at` (ms since 1970); counted from here on, if it is asked for the first time."""
        seconds = self._clock.seconds()
        if what not in self._begun:
            self._begun[what] = seconds - abs(self._clock.now() - at) / 1000
        return seconds - self._begun[what]

"""What time it is, and what is to be done later."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


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

"""Why nothing that people enter can be kept just now: it is said on every screen, and ends by itself."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.storage import Reason, Store, StoreUnavailable
from companion.tables.clock import Clock

TRY_SECONDS = 2
PASSING: tuple[Reason, ...] = ("busy", "closed")
"""Reasons that are over, or the server is, before anybody could read of them."""


class Trouble:
    """Whether the store can keep something: `reason` is None, or why the last attempt failed.

    From the first failure on it is tried again every few seconds. `tell` is called whenever `reason` changes.
    """

    def __init__(self, store: Store, clock: Clock, tell: Callable[[], None]) -> None:
        self.reason: Reason | None = None
        self._store = store
        self._clock = clock
        self._tell = tell
        self._lock = threading.Lock()

    def met(self, reason: Reason) -> None:
        """Something could not be kept."""
        if reason in PASSING:
            return
        with self._lock:
            known, self.reason = self.reason, reason
        if known is None:
            self._clock.later(TRY_SECONDS, self._try_again)
        if known != reason:
            self._tell()

    def _try_again(self) -> None:
        try:
            self._store.try_writing()
        except StoreUnavailable as still:
            if still.reason != "closed":
                self.met(still.reason)
                self._clock.later(TRY_SECONDS, self._try_again)
            return
        with self._lock:
            self.reason = None
        self._tell()

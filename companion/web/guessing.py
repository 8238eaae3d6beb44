"""Whoever tries many codes that are wrong has to wait: nobody finds a table, or a printed card, by trying them all.

Only different wrong codes count, so that a page which asks for a forgotten table again and again is no guesser. Whether
somebody has to wait depends on the codes that were typed, and on nothing that is hidden at the table.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable

SECONDS = 60
"""How long a wrong guess is remembered."""
MOST_WRONG = 30
"""How many different wrong codes somebody may try in that time."""
KEPT_GUESSERS = 1024
LONGEST_GUESS = 40


class Guesses:
    """The latest wrong guesses of the latest guessers. Times are in seconds, of a clock that never goes back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wrong: OrderedDict[Hashable, dict[str, float]] = OrderedDict()

    def are_too_many(self, guesser: Hashable, now: float) -> bool:
        """Whether the guesser has to wait."""
        with self._lock:
            return len(self._recent(guesser, now)) >= MOST_WRONG

    def add(self, guesser: Hashable, guess: str, now: float) -> None:
        """The guess was wrong."""
        with self._lock:
            recent = self._recent(guesser, now)
            if len(recent) < MOST_WRONG:
                recent[guess[:LONGEST_GUESS].upper()] = now
                self._wrong[guesser] = recent
                self._wrong.move_to_end(guesser)
            if len(self._wrong) > KEPT_GUESSERS:
                self._wrong.popitem(last=False)

    def _recent(self, guesser: Hashable, now: float) -> dict[str, float]:
        recent = {guess: at for guess, at in self._wrong.get(guesser, {}).items() if now - at < SECONDS}
        if recent:
            self._wrong[guesser] = recent
        else:
            self._wrong.pop(guesser, None)
        return recent

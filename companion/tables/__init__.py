"""The application: tables are opened, people sit down, identities are dealt, events recorded and taken back.

No HTTP and no SQL. An `Evening` is one table as it is now, kept in memory beside the store; its lock is held by every
method, and by whoever reads several things that must belong together. What is refused raises IllegalInput, whose reason
is worded at the rim.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from random import Random

from companion import storage
from companion.dealing import Decks
from companion.live import Signals
from companion.modes import MODES
from companion.modes.deck import new_key
from companion.rules.inputs import refuse
from companion.tables.clock import Clock
from companion.tables.evening import SHIELD_SECONDS, Evening
from companion.tables.gathering import MOST_PEOPLE
from companion.tables.house import House, Phase, Settings, Wifi, hash_token
from companion.tables.running import CardToDo, Repeated, Running, cards_of
from companion.tables.seats import OFFER_SECONDS, OPEN_SECONDS, SYMBOLS, SeatEvent
from companion.tables.trouble import Trouble

__all__ = [
    "MOST_PEOPLE",
    "OFFER_SECONDS",
    "OPEN_SECONDS",
    "SHIELD_SECONDS",
    "SYMBOLS",
    "CardToDo",
    "Clock",
    "Evening",
    "Phase",
    "Repeated",
    "Running",
    "SeatEvent",
    "Settings",
    "Tables",
    "Wifi",
    "cards_of",
    "hash_token",
]

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Letters and digits that are not mistaken for each other when read aloud."""
CODE_LENGTH = 4


class Tables(House):
    """All tables of this server. `random` deals; it and the clock can be replaced.

    `deck_key` gives the key of the printed cards' codes; without one, no card that was printed elsewhere is known.
    """

    def __init__(
        self,
        store: storage.Store,
        *,
        random: Random | None = None,
        clock: Clock | None = None,
        deck_key: Callable[[], str] | None = None,
    ) -> None:
        clock = clock or Clock()
        super().__init__(
            store,
            Signals(),
            random or secrets.SystemRandom(),
            clock,
            Decks(deck_key or (lambda: new_key(secrets.token_bytes(10)))),
            Trouble(store, clock, self._look),
        )
        self._lock = threading.Lock()
        self._evenings: dict[str, Evening] = {}

    def open(self, mode: str = MODES[0]) -> tuple[Evening, str]:
        """A new table, and the token that makes its bearer the host."""
        token = secrets.token_urlsafe(24)
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            try:
                row = self.store.open_table(code, hash_token(token), mode, "", Settings().write(), self.clock.now())
            except storage.CodeTaken:
                continue
            return self.evening(row.code), token

    def evening(self, code: str) -> Evening:
        """The table with this code, in either case. Raises IllegalInput where there is none."""
        code = code.upper()
        with self._lock:
            if code not in self._evenings:
                row = self.store.table_by_code(code) if len(code) <= 2 * CODE_LENGTH else None
                if row is None:
                    refuse("no_table")
                self._evenings[code] = Evening(self, row)
            return self._evenings[code]

    def _look(self) -> None:
        """Let everybody at every table look again."""
        for evening in list(self._evenings.values()):
            self.signals.publish(evening.row.id, evening.row.version)

    def evenings(self, most: int) -> list[Evening]:
        """The newest tables, newest first."""
        return [self.evening(row.code) for row in self.store.tables()[:most]]

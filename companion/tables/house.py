"""What all tables of one server share, and what a host sets for an evening."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from random import Random
from typing import Literal

from companion import storage
from companion.dealing import Decks
from companion.live import Signals
from companion.tables.clock import Clock
from companion.tables.trouble import Trouble

Phase = Literal["lobby", "play", "end"]


def hashed(text: str) -> str:
    """What is stored in place of a text that nobody has to read again: of a request's key, for instance."""
    return hashlib.sha256(text.encode()).hexdigest()


def hash_token(token: str) -> str:
    """What is stored of a token."""
    return hashed(token)


@dataclass
class House:
    """Where tables are kept and why not, who is told of changes, what time it is, who deals, and the printed decks.

    `random` deals; it and the clock can be replaced.
    """

    store: storage.Store
    signals: Signals
    random: Random
    clock: Clock
    decks: Decks
    trouble: Trouble


@dataclass(frozen=True)
class Wifi:
    """The network that phones join; without a password an open one."""

    name: str
    password: str = field(default="", repr=False)


@dataclass(frozen=True)
class Settings:
    """What the host sets for the evening. `pause`: seconds (0 to 10) before a death counts; `address`: an IP or "".

    `by_cards`: people draw printed cards and enter their codes; else phones deal. `composition`: the cards that the
    host chose where the mode is composed, as in a record ("": the mode's own). `wifi`: for the table
    screen and for posters that the host prints; shown to nobody else. `screen`: the hashed token of the table screen
    that was host before a phone was ("": none). `seating`: who has tapped their places so far, in this order (None:
    nobody is asked to).
    """

    pause: int = 4
    address: str = ""
    by_cards: bool = False
    composition: str = ""
    wifi: Wifi | None = None
    screen: str = ""
    seating: Sequence[int] | None = None

    @classmethod
    def read(cls, text: str) -> Settings:
        known = json.loads(text or "{}")
        found = {field.name: known[field.name] for field in fields(cls) if field.name in known}
        if found.get("wifi"):
            found["wifi"] = Wifi(**found["wifi"])
        return cls(**found)

    def write(self) -> str:
        return json.dumps(asdict(self))

"""An evening to test with: a server without sockets, a clock that is moved by hand, a deck that is stacked."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.lan import Address
from companion.modes import find_mode
from companion.modes.sixteen_deal import lone_lord
from companion.prints import Prints
from companion.rules.inputs import Card, Deal, read
from companion.storage import SqliteStore
from companion.tables import Clock, Evening, Tables
from companion.web.app import Site, create_app
from companion.web.faults import print_fault
from companion.web.once import Pieces

NAMES = "甲乙丙丁戊己庚辛壬癸卯辰"
PORT = 8000
DECK_KEY = "0123456789ABCDEF"
WIFI = Address("192.168.1.20", "wlan0", "wifi")
ORIGIN = {"Origin": "http://localhost"}


class HandClock(Clock):
    """Stands still until it is moved; what is due then is done at once."""

    def __init__(self) -> None:
        self.passed = 0.0
        self.set_by = 0.0
        self._due: list[tuple[float, Callable[[], None]]] = []

    def now(self) -> int:
        return 1_796_000_000_000 + round((self.passed + self.set_by) * 1000)

    def seconds(self) -> float:
        return self.passed

    def later(self, seconds: float, action: Callable[[], None]) -> None:
        self._due.append((self.passed + seconds, action))

    def set_wall(self, seconds: float) -> None:
        """Set the wall clock by so many seconds (back where negative); none passes."""
        self.set_by += seconds

    def move(self, seconds: float) -> None:
        """Let so many seconds pass."""
        self.passed += seconds
        due = [action for at, action in self._due if at <= self.passed]
        self._due = [(at, action) for at, action in self._due if at > self.passed]
        for action in due:
            action()


class StackedDeck(Random):
    """Deals what was put on top of it, and at random when nothing was. Cards point where they were put to point."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.next: list[tuple[Card, ...]] = []
        self._picks: list[int] = []

    def shuffle(self, x: Any) -> None:
        if not self.next:
            super().shuffle(x)
            return
        cards = x[:] = self.next.pop(0)
        seat_1_is_drawn = "chu" in {card.role for card in cards} or lone_lord(cards) is None
        self._picks = [0] * seat_1_is_drawn + [card.target for card in cards if card.target]

    def choice(self, seq: Any) -> Any:
        return self._picks.pop(0) if self._picks else super().choice(seq)


class Chance:
    """Stands in for `secrets`: after the same `seed` it draws the same."""

    def __init__(self) -> None:
        self._random = Random(0)

    def seed(self, seed: int) -> None:
        self._random = Random(seed)

    def token_urlsafe(self, nbytes: int | None = None) -> str:
        return f"{self._random.getrandbits(8 * (nbytes or 24)):x}"

    def choice(self, items: Sequence[str]) -> str:
        return self._random.choice(items)

    @contextmanager
    def instead_of_secrets(self) -> Iterator[None]:
        with (
            patch.object(secrets, "token_urlsafe", self.token_urlsafe),
            patch.object(secrets, "choice", self.choice),
        ):
            yield


@cache
def the_app() -> Flask:
    """One application for all houses of a test run: what it costs is compiling the templates."""
    app = create_app(Site(None, lambda: [WIFI], PORT))  # type: ignore[arg-type]
    app.jinja_env.globals["once"] = lambda shared, caller: app.extensions["pieces"].once(shared, caller)
    return app


class House:
    """A laptop with its database, its clock and its deck. `start` is a restart of the server."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.clock = HandClock()
        self.deck = StackedDeck()
        self.addresses = [WIFI]
        self.is_local = False
        self.start()

    def start(self) -> None:
        """A new server on the same database. What the last one knew is forgotten."""
        self._pieces = Pieces()
        self.store = SqliteStore(self.database)
        self.tables = Tables(self.store, random=self.deck, clock=self.clock, deck_key=lambda: DECK_KEY)
        self.presses: list[Callable[[], None]] = []
        prints = Prints(self.clock.seconds, print_fault, self.presses.append)
        self.site = Site(self.tables, lambda: self.addresses, PORT, self.is_local, prints=prints)

    @property
    def app(self) -> Flask:
        """The application, serving this house."""
        app = the_app()
        app.extensions["companion"] = self.site
        app.extensions["pieces"] = self._pieces
        return app

    def press(self) -> None:
        """Print what waits to be printed."""
        while self.presses:
            self.presses.pop(0)()

    def stack(self, deal: str | Deal, mode: str = "court8") -> None:
        """The next cards, in the order of the ring (`lord rebel …`)."""
        cards = deal if isinstance(deal, Deal) else read(f"deal {deal}", find_mode(mode).ruleset.names)
        assert isinstance(cards, Deal)
        self.deck.next.append(cards.cards)

    def browser(self, language: str = "zh-CN", address: str = "192.168.1.31") -> Browser:
        """A browser that nobody has used yet."""
        return Browser(self, language, address)


class Browser:
    """One browser: it keeps its cookies, and stays on the table at which it is."""

    def __init__(self, house: House, language: str, address: str) -> None:
        self.house = house
        self.language = language
        self.base = ""
        self._client: FlaskClient = house.app.test_client()
        self._environ = {"REMOTE_ADDR": address}

    def get(self, path: str, headers: Mapping[str, str] | None = None, **more: Any) -> TestResponse:
        """GET; a path that does not begin with / belongs to the table."""
        return self._send("GET", path, headers, more)

    def post(
        self, path: str, form: Mapping[str, object] | None = None, headers: Mapping[str, str] | None = None
    ) -> TestResponse:
        """POST a form from one of our own pages."""
        return self._send("POST", path, {**ORIGIN, **(headers or {})}, {"data": form or {}})

    def _send(self, method: str, path: str, headers: Mapping[str, str] | None, more: Mapping[str, Any]) -> TestResponse:
        _ = self.house.app
        url = path if path.startswith("/") else f"{self.base}/{path}".rstrip("/")
        sent = {"Accept-Language": self.language, **(headers or {})}
        return self._client.open(url, method=method, headers=sent, environ_overrides=self._environ, **more)

    def cookie(self, kind: str) -> str | None:
        """The cookie "seat" or "host" that belongs to the table."""
        code = self.base.split("/")[2]
        kept = self._client.get_cookie(f"{kind}-{code}-{PORT}", path=f"/t/{code}")
        return kept.value if kept else None

    def borrow(self, kind: str, other: Browser) -> None:
        """Take over a cookie of another browser."""
        self._client.set_cookie(f"{kind}-{other.base[3:]}-{PORT}", str(other.cookie(kind)), path=other.base)

    def forget(self) -> None:
        """Lose every cookie."""
        self._client = self.house.app.test_client()

    # What people do

    def open_table(self) -> str:
        """Open a table and be its host; gives its address."""
        self.base = self.post("/").headers["Location"]
        return self.base

    def sit_down(self, base: str, name: str) -> TestResponse:
        """Scan, and type a name."""
        self.base = base
        self.get("seat")
        return self.post("join", {"name": name, "back": "seat"})

    def record(self, line: str, **form: object) -> TestResponse:
        """Record a whole line from one's own page."""
        return self.post("record", {"input": line, "back": "seat", "key": f"{line} {self._key()}", **form})

    def _key(self) -> int:
        return self.evening.row.version

    @property
    def evening(self) -> Evening:
        """The table behind the pages."""
        return self.house.tables.evening(self.base.split("/")[2])

    def page(self, path: str = "seat", **headers: str) -> str:
        """The text of a page, which must be there."""
        response = self.get(path, headers)
        assert response.status_code == 200, response.status
        return response.get_data(as_text=True)


HTMX = {"HX-Request": "true"}


def said(response: TestResponse) -> str:
    """What the notice of an answer says, without its markup."""
    found = re.search(
        r'<div id="notice"[^>]*>(.*?)<a class="button ghost close"', response.get_data(as_text=True), re.S
    )
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split()) if found else ""


def seated(house: House, mode: str = "court8", players: int = 8, **settings: object) -> tuple[Browser, list[Browser]]:
    """A table in its lobby: the host's browser (without a seat), and a phone for each place in ring order."""
    host = house.browser(address="127.0.0.1")
    base = host.open_table()
    phones = [house.browser(address=f"192.168.1.{100 + place}") for place in range(players)]
    for phone, name in zip(phones, NAMES, strict=False):
        assert phone.sit_down(base, name).status_code == 303
    options = {f"option-{name}": "on" for name in str(settings.pop("options", "")).split()}
    shown = " ".join(find_mode(mode).ruleset.options)
    form = {"mode": mode, "pause": 0, "shown": shown, "back": "host", **options, **settings}
    assert host.post("host/settings", form).status_code == 303
    return host, phones


def log(host: Browser) -> list[str]:
    """The inputs that stand, the deal left out."""
    assert host.evening.game is not None
    return [entry.text for entry in host.evening.game.standing[1:]]


COURT8 = "lord rebel crown_prince rebel_chief rebel loyalist renegade rebel"
COURT12 = (
    "lord crown_prince chancellor general eunuch partisan rebel_chief desperado righteous_bandit rioter looter renegade"
)


def dealt(house: House, deal: str = COURT8, mode: str = "court8", **settings: object) -> tuple[Browser, list[Browser]]:
    """As `seated`, with the cards dealt: seat n is the n-th phone."""
    host, phones = seated(house, mode, len(deal.split()), **settings)
    house.stack(deal, mode)
    assert host.post("host/deal", {"back": "host"}).status_code == 303
    assert host.evening.phase == "play"
    return host, phones


def carry_out(browser: Browser) -> None:
    """Do what the table screen announces, card by card."""
    while card := re.search(r'name="announcement" value="([^"]+)"', browser.page("")):
        browser.post("done", {"announcement": card[1]})

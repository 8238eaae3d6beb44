"""From a request to who asks. No other module reads a cookie."""

from __future__ import annotations

import re
import secrets
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

from flask import Response, abort, current_app, g, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from companion import storage
from companion.rules.facts import TABLE
from companion.rules.inputs import IllegalInput
from companion.tables import Evening, hash_token
from companion.web.screens import Lang

if TYPE_CHECKING:
    from companion.web.app import Site

KEPT_SECONDS = 60 * 60 * 24 * 30
MOST_SEATS = 20
WRONG_CODES = ("no_table", "card_mistyped", "card_unknown", "card_other_mode", "card_not_in_play")
"""The refusals that tell whoever tries a code that there is nothing behind it."""
_TOKEN = re.compile(r"[\w-]{32}", re.ASCII)
"""What `secrets.token_urlsafe(24)` gives."""
LANGUAGES: tuple[Lang, ...] = ("zh-Hans", "zh-Hant", "en")


def site() -> Site:
    """What this server's routes share."""
    return cast("Site", current_app.extensions["companion"])


@dataclass(frozen=True)
class Visitor:
    """Who asks something of a table. `person`: whoever sits there with this phone; `seat`: in the present game.

    `has_seen_everything`: this browser was shown all of the present game, in which it has no seat then, whoever sits
    there with it otherwise. `token_hash`: of this browser's token for a seat, whether it has one or not. `is_screen`:
    it was the host before a phone was, and is the table screen still.
    """

    evening: Evening
    person: storage.Person | None
    is_host: bool
    has_seen_everything: bool = False
    token_hash: str = ""
    is_screen: bool = False

    @property
    def seat(self) -> int | None:
        game = self.evening.game
        if game is None or self.person is None or self.has_seen_everything:
            return None
        return game.seat_of(self.person.id)

    @property
    def may_see_everything(self) -> bool:
        """Whether the view of everything is opened for this browser, which is the host's."""
        return self.is_host and self.has_seen_everything

    @property
    def viewer(self) -> int:
        """As whom the visitor sees the game: a seat, or whoever has none."""
        return self.seat or TABLE

    @property
    def may_record(self) -> bool:
        """People with a seat, the host and the table screen record; spectators do not."""
        return self.is_host or self.is_screen or self.seat is not None

    @property
    def lost(self) -> str:
        """The name of whoever had a seat with this browser before another phone got it; else nothing."""
        return "" if self.person else self.evening.lost_by(self.token_hash)

    @property
    def who(self) -> str:
        """A name for idempotency keys and streams that says nothing about identities."""
        if self.person:
            return f"p{self.person.id}"
        return "host" if self.is_host else "screen" if self.is_screen else "guest"


@dataclass(frozen=True)
class Tokens:
    """What a browser shows at a table: the token of its seat, the host's and its own, as far as it has them."""

    seat: str | None
    host: str | None
    browser: str | None


def visitor(code: str) -> Visitor:
    """The visitor of the table with this code. Raises IllegalInput where there is no such table.

    Whoever has tried too many codes is refused whether there is one or not, but for those who belong to it.
    """
    address = request.remote_addr or ""
    try:
        found = _visitor(code)
    except IllegalInput:
        with guessing(("table", address), code):
            raise
    if not may_come(found, address):
        abort(429)
    return found


def _visitor(code: str) -> Visitor:
    evening = site().tables.evening(code)
    return recognised(evening, tokens(evening))


def may_come(asking: Visitor, address: str) -> bool:
    """Whether the visitor may see the table from this address: not after too many wrong codes, unless at home there."""
    belongs = asking.person or asking.is_host or asking.is_screen or asking.evening.claim_of(asking.token_hash)
    return bool(belongs) or not site().guesses.are_too_many(("table", address), site().tables.clock.seconds())


@contextmanager
def guessing(guesser: Hashable, code: str) -> Iterator[None]:
    """The refusal of a code that somebody tries is a wrong guess; after too many of them nothing is tried at all."""
    guesses, now = site().guesses, site().tables.clock.seconds()
    if guesses.are_too_many(guesser, now):
        abort(429)
    try:
        yield
    except IllegalInput as refusal:
        if refusal.reason in WRONG_CODES:
            guesses.add(guesser, code, now)
        raise


def tokens(evening: Evening) -> Tokens:
    """What this browser shows at the table."""
    return Tokens(*(request.cookies.get(_cookie(kind, evening)) for kind in ("seat", "host", "browser")))


def recognised(evening: Evening, shown: Tokens) -> Visitor:
    """Who it is that shows these tokens."""
    person = evening.person_by_token(shown.seat) if shown.seat else None
    host_hash = hash_token(shown.host or "")
    is_host = secrets.compare_digest(host_hash, evening.row.host_hash)
    is_screen = secrets.compare_digest(host_hash, evening.settings.screen)
    has_seen = bool(shown.browser) and evening.has_seen_everything(shown.browser or "")
    return Visitor(evening, person, is_host, has_seen, hash_token(shown.seat) if shown.seat else "", is_screen)


def _cookie(kind: str, evening: Evening) -> str:
    """Cookies know no ports, so their names hold it: two servers on one machine must not share seats."""
    return f"{kind}-{evening.row.code}-{site().port}"


def _set(response: Response, name: str, value: str, path: str) -> None:
    response.set_cookie(name, value, max_age=KEPT_SECONDS, path=path, httponly=True, samesite="Lax")


def seat_token(evening: Evening) -> str:
    """This browser's token for a seat at the table; a new one where it has none."""
    return _own_token("seat", evening)


def keep_seat_token(response: Response, evening: Evening, token: str) -> None:
    """Let the browser keep the token that is (or will be) its seat."""
    _set(response, _cookie("seat", evening), token, f"/t/{evening.row.code}")


def keep_scanning(response: Response, evening: Evening, token: str) -> None:
    """Let the browser send its seat also with a card's address that it scans."""
    _set(response, _cookie("seat", evening), token, "/C")


def seats_here() -> list[Visitor]:
    """The tables of this server at which this browser has a seat, as far as it says so with this address."""
    end = f"-{site().port}"
    kept = [name for name in request.cookies if name.startswith("seat-") and name.endswith(end)]
    found = []
    for code in [name.split("-")[1] for name in kept][:MOST_SEATS]:
        with suppress(IllegalInput):
            found.append(_visitor(code))
    return [one for one in found if one.person]


def browser_token(evening: Evening) -> str:
    """What this browser is known by, whoever sits there or is host with it; a new token where it is not known yet."""
    return _own_token("browser", evening)


def _own_token(kind: str, evening: Evening) -> str:
    """The token that the browser shows, if it looks like one of ours: nobody sits down with one that can be guessed."""
    shown = request.cookies.get(_cookie(kind, evening), "")
    return shown if _TOKEN.fullmatch(shown) else secrets.token_urlsafe(24)


def keep_browser_token(response: Response, evening: Evening, token: str) -> None:
    """Know the browser by this token from now on."""
    _set(response, _cookie("browser", evening), token, f"/t/{evening.row.code}")


def keep_host_token(response: Response, evening: Evening, token: str) -> None:
    """Let the browser be the table's host."""
    _set(response, _cookie("host", evening), token, f"/t/{evening.row.code}")


def is_from_this_machine() -> bool:
    """Whether the request comes from the laptop on which the server runs for its own table."""
    try:
        return site().is_local and ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def remembered_name() -> str:
    """The name that was typed on this phone before."""
    return request.cookies.get("name", "")[:100]


def remember_name(response: Response, name: str) -> None:
    _set(response, "name", name, "/")


def language() -> ResponseReturnValue | None:
    """Choose the page's language: `?lang=` (kept, and cleaned from the address), the cookie, the browser's wish."""
    wanted = request.args.get("lang")
    if wanted in LANGUAGES and request.method == "GET":
        response = redirect("/" + quote(request.path.lstrip("/\\")), 303)
        _set(cast(Response, response), "lang", wanted, "/")
        return response
    kept = request.cookies.get("lang")
    g.lang = kept if kept in LANGUAGES else _wished()
    return None


def _wished() -> Lang:
    return _best(request.headers.get("Accept-Language", ""))


@lru_cache(maxsize=64)
def _best(wishes: str) -> Lang:
    accepted = parse_accept_header(wishes, LanguageAccept)
    for wish, _ in accepted:
        parts = wish.lower().replace("_", "-").split("-")
        if parts[0] == "zh":
            return "zh-Hant" if {"hant", "tw", "hk", "mo"} & set(parts) else "zh-Hans"
        if parts[0] == "en":
            return "en"
    return "en" if accepted else "zh-Hans"


def lang() -> Lang:
    """The page's language; asked before `language` ran (a refused request), the browser's wish."""
    return cast(Lang, g.get("lang")) or _wished()


def locale() -> str:
    """The page's language as Babel names it."""
    return lang().replace("-", "_")


def text_key() -> str:
    """The page's language as the modes' texts name it."""
    return lang().replace("-", "_").lower()


def number(text: str | None) -> int:
    """The number that a form's field holds; 0 where it holds none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0

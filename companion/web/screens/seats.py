"""What the templates of seats lost and found receive: see `screens`."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from companion.web.screens import Frame, Person
from companion.web.screens.parts import Card, Claim


@dataclass(frozen=True, slots=True)
class ClaimScreen:
    """A phone without a place looks for its seat among `people`, or waits for the host (`claim`).

    `takes_over`: a game runs, and somebody's seat may be taken over. `name` was remembered.
    """

    frame: Frame
    people: tuple[Person, ...]
    claim: Claim | None = None
    takes_over: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class PassScreen:
    """The people without a phone, on the phone of somebody who has one.

    `drawing`: before the deal with printed cards; who of them has `entered` one (ids) is known to all.
    """

    frame: Frame
    people: tuple[Person, ...]
    drawing: bool = False
    entered: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PassedScreen:
    """The card of somebody without a phone, covered, on the phone that was passed on."""

    frame: Frame
    person: Person
    card: Card


@dataclass(frozen=True, slots=True)
class OfferScreen:
    """A code that makes whoever scans it the host, once, within `minutes`. `qr` is an inline ``<svg>``."""

    frame: Frame
    qr: Markup
    minutes: int


@dataclass(frozen=True, slots=True)
class HostingScreen:
    """A phone has scanned the host's code. `token` is empty where it is worth nothing any more."""

    frame: Frame
    token: str = ""

"""Fills the screens of seats lost and found. What everybody may read stands in every page's frame."""

from __future__ import annotations

from dataclasses import replace

from markupsafe import Markup

from companion import storage
from companion.tables import OFFER_SECONDS, Evening
from companion.web.access import Visitor, remembered_name
from companion.web.screens import Frame, Person
from companion.web.screens import parts as p
from companion.web.screens import seats as s
from companion.web.showing.telling import seat_news
from printables import qr

SHOWN_NEWS = 3


def told(asking: Visitor, frame: Frame) -> Frame:
    """The frame with what all screens say about seats, and with what this phone has lost."""
    evening = asking.evening
    wanted = {claim.person for claim in evening.claims}
    return replace(
        frame,
        asked=tuple(one.name for one in evening.people if one.id in wanted),
        approves=asking.is_host,
        news=seat_news(evening.just_happened()[-SHOWN_NEWS:]),
        lost=asking.lost,
    )


def claims(evening: Evening) -> tuple[p.Claim, ...]:
    """What other phones ask for, oldest first. For the host alone: the symbols prove who asks."""
    wanted = [claim.person for claim in evening.claims]
    return tuple(
        p.Claim(one.id, one.symbol, evening.everyone[one.person].name, one.name, wanted.count(one.person) > 1)
        for one in evening.claims
    )


def claim(asking: Visitor, frame: Frame) -> tuple[str, s.ClaimScreen]:
    """A phone that looks for its seat. It learns nothing but the names that every screen shows."""
    evening = asking.evening
    mine = evening.claim_of(asking.token_hash)
    shown = p.Claim(mine.id, mine.symbol, evening.everyone[mine.person].name, mine.name) if mine else None
    people = tuple(Person(str(one.id), one.name) for one in evening.people)
    return "seat/claim.html", s.ClaimScreen(frame, people, shown, evening.phase == "play", remembered_name())


def passing(asking: Visitor, frame: Frame) -> tuple[str, s.PassScreen]:
    """Whose cards can be opened on this phone."""
    evening = asking.evening
    people = tuple(Person(str(one.id), one.name, False) for one in _waiting(evening))
    entered = frozenset(one.id for one in people if evening.has_card(int(one.id)))
    return "seat/pass.html", s.PassScreen(frame, people, evening.phase != "play", entered)


def phoneless(evening: Evening) -> tuple[str, ...]:
    """The names of those who need another phone now."""
    return tuple(one.name for one in _waiting(evening))


def _waiting(evening: Evening) -> list[storage.Person]:
    """Who needs another phone now: to look at the own card, or to enter a printed one."""
    return evening.phoneless if evening.phase == "play" or evening.settings.by_cards else []


def still(frame: Frame, url: str) -> Frame:
    """The frame of a page that does not change by itself, at this address, and says nothing besides."""
    return replace(frame, url=url, etag="", stream=None, partial=False, asked=(), news=(), lost="")


def offer(frame: Frame, url: str) -> s.OfferScreen:
    """The code for the next host."""
    return s.OfferScreen(frame, Markup(qr.svg(url, label=url)), OFFER_SECONDS // 60)

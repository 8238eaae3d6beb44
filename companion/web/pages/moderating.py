"""Fills the view of everything, for a host who has no seat in the game. No other page is made of more than one view."""

from __future__ import annotations

from companion.rules.facts import HOST
from companion.web.access import Visitor
from companion.web.screens import Frame
from companion.web.screens import mending as m
from companion.web.screens import parts as p
from companion.web.showing.own import news
from companion.web.showing.present import teller


def everything(asking: Visitor, frame: Frame) -> m.EverythingScreen:
    """Each seat's true identity, and what its card says besides."""
    whole = teller(asking.evening, HOST)
    return m.EverythingScreen(frame, tuple(_seat(asking, seat.number) for seat in whole.view.seats))


def _seat(asking: Visitor, number: int) -> p.Known:
    whole, own = teller(asking.evening, HOST), teller(asking.evening, number)
    seat = whole.view.seat(number)
    assert seat.identity is not None
    knows = tuple(news(own.view, own.words))
    return p.Known(whole.named(number), whole.words.shown(seat.identity), whole.fate(seat), knows)

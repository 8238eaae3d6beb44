"""Fills the view of everything, for a host who has no seat in the game. No other page is made of more than one view."""

from __future__ import annotations

from companion.rules.facts import HOST
from companion.web import mending_screens as m
from companion.web import parts as p
from companion.web.access import Visitor
from companion.web.own import news
from companion.web.present import teller
from companion.web.screens import Frame


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

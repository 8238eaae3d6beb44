"""The inside of a page as the page itself asks for it: what all visitors of a kind share is rendered once a version.

What is shared is made of public facts alone; the visitor's own card and mark are put in afterwards.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from flask import current_app, render_template

from companion.web.access import Visitor
from companion.web.once import once_a_version
from companion.web.packing import Piece
from companion.web.screens import Frame, Lang
from companion.web.screens.parts import Card
from companion.web.showing import present

_NOBODY = 'me-nobody"'
"""Stands where a page says whose it is. No name can hold it: quotes are escaped."""


def is_shared(asking: Visitor) -> bool:
    """Whether the page is made of what all share and the visitor's own identity card.

    It is not where people draw printed cards or tap their places, and on a phone that has lost its seat.
    """
    evening = asking.evening
    if asking.lost:
        return False
    return evening.phase == "play" or (
        evening.phase == "end" and not evening.settings.by_cards and evening.seating is None
    )


def inside(asking: Visitor, frame: Frame) -> tuple[Piece, ...]:
    """What `<main>` of the visitor's table screen or phone holds once cards were dealt, in pieces.

    Called while the evening's lock is held.
    """
    evening = asking.evening
    has_place, has_seat = asking.person is not None, asking.seat is not None
    left, address = evening.seconds_left(), present.address(evening)
    kind = (frame.back, frame.lang, asking.is_host, asking.is_screen, has_place, has_seat, left, address)

    def render() -> tuple[Piece, Piece, Piece]:
        template, screen = present.shared(asking, frame)
        before, nobody, after = render_template(template, screen=screen).partition(_NOBODY)
        return Piece(before.encode()), Piece(nobody.encode()), Piece(after.encode())

    before, nobody, after = once_a_version(evening, kind, render)
    if frame.back != "seat" or asking.person is None or asking.seat is None:
        return before, nobody, after
    card = present.card(asking)
    if card is None:
        return before, _mark(asking.seat), after
    own = _card(frame.lang, card, asking.person.name)
    filled = own.plain
    for place, text in (("base", frame.base), ("key", frame.key), ("back", "seat")):
        filled = filled.replace(f"~{place}~".encode(), text.encode())
    return before, _mark(asking.seat), after, own if filled == own.plain else Piece(filled)


@cache
def _mark(seat: int) -> Piece:
    return Piece(f'me-{seat}"'.encode())


@lru_cache(maxsize=1024)
def _card(_: Lang, card: Card, name: str) -> Piece:
    own: Any = current_app.jinja_env.get_template("seat/_card.html").module
    return Piece(str(own.card(card, name)).encode())

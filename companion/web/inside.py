"""The inside of a page as the page itself asks for it: what all visitors of a kind share is rendered once a version.

What is shared is made of public facts alone; the visitor's own card and mark are put in afterwards.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from flask import current_app, render_template

from companion.web import present
from companion.web.access import Visitor
from companion.web.once import once_a_version
from companion.web.screens import Card, Frame, Lang

_NOBODY = 'me-nobody"'
"""Stands where a page says whose it is. No name can hold it: quotes are escaped."""


def inside(asking: Visitor, frame: Frame) -> str:
    """What `<main>` of the visitor's table screen or phone holds once cards were dealt.

    Called while the evening's lock is held.
    """
    evening = asking.evening
    has_place, has_seat = asking.person is not None, asking.seat is not None
    kind = (
        frame.back,
        frame.lang,
        asking.is_host,
        has_place,
        has_seat,
        evening.seconds_left(),
        present.address(evening),
    )

    def render() -> str:
        template, screen = present.shared(asking, replace(frame, key="~key~"))
        return render_template(template, screen=screen)

    page = once_a_version(evening, kind, render).replace("~key~", frame.key)
    if frame.back != "seat" or asking.person is None or asking.seat is None:
        return page
    page = page.replace(_NOBODY, f'me-{asking.seat}"', 1)
    card = present.card(asking)
    if card is None:
        return page
    return page + _card(frame.lang, card, asking.person.name, frame.base).replace("~key~", frame.key)


@lru_cache(maxsize=256)
def _card(_: Lang, card: Card, name: str, base: str) -> str:
    own: Any = current_app.jinja_env.get_template("seat/_card.html").module
    return str(own.card(card, name, base))

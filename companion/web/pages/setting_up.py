"""Before play: places that are tapped round the ring, the look that all take together, whom each one plays."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, request

from companion.web.access import Visitor, number, visitor
from companion.web.answers import act, key

pages = Blueprint("setting_up", __name__, url_prefix="/t/<code>")


@pages.post("/host/places")
def places(code: str) -> Response:
    """Ask all to tap their places, let the ring be as tapped so far, or stop asking."""
    asking, wish = visitor(code), request.form.get("do")
    evening = asking.evening
    action = evening.set_places if wish == "set" else partial(evening.ask_places, wish == "ask")
    return act(asking, action, asking.is_host)


@pages.post("/place")
def place(code: str) -> Response:
    """Sit down behind whoever tapped last: the visitor; or, for the host, anybody."""
    asking = visitor(code)
    someone = number(request.form.get("person")) if asking.is_host else 0
    person = someone or (asking.person.id if asking.person else 0)
    return act(asking, lambda: asking.evening.take_place(person), asking.is_host or asking.person is not None)


@pages.post("/look")
def look(code: str) -> Response:
    """Everybody looks at the own card, from now on."""
    asking = visitor(code)
    return act(asking, asking.evening.start_look, asking.may_record)


@pages.post("/hero")
def hero(code: str) -> Response:
    """Whom the visitor plays, and with how many hit points."""
    asking = visitor(code)
    return act(asking, lambda: _play(asking, request.form.get("name", "")[:100]), asking.seat is not None)


def _play(asking: Visitor, name: str) -> None:
    if asking.seat and asking.person:
        asking.evening.name_hero(asking.seat, name)
        if points := request.form.get("hp", "")[:4]:
            asking.evening.record(f"hp {asking.seat} {points}", key(asking), asking.person.id)

"""People without a phone: they sit down, and look at their cards on the phones of others.

Such a card is in the answer to one form alone; every screen says that it was opened, and where.
"""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, make_response, render_template, request
from flask.typing import ResponseReturnValue

from companion.rules.inputs import refuse
from companion.tables import OPEN_SECONDS
from companion.web.access import Visitor, number, visitor
from companion.web.answers import act, error_page, frame_of, go, key, show
from companion.web.pages.board import entered_line
from companion.web.pages.drawing import LONGEST_CODE, enter_card
from companion.web.screens import Person
from companion.web.screens.seats import PassedScreen
from companion.web.showing import present
from companion.web.showing.seating import still

pages = Blueprint("passing", __name__, url_prefix="/t/<code>")


@pages.post("/add")
def add(code: str) -> Response:
    """Somebody without a phone sits down, by the host or by anybody who sits there."""
    asking, name = visitor(code), request.form.get("name", "")[:100]
    return act(asking, lambda: asking.evening.add(name, key(asking)), asking.is_host or asking.person is not None)


@pages.get("/pass")
def people(code: str) -> Response:
    """Who has no phone: for everybody who has one at this table."""
    asking = visitor(code)
    return show(asking, "pass") if asking.person else go(frame_of(asking, "seat", False).url)


@pages.post("/pass")
def opened(code: str) -> ResponseReturnValue:
    """Open the card of somebody without a phone: it is covered, and leaves the phone by itself."""
    asking, person = visitor(code), number(request.form.get("person"))
    if asking.person is None:
        return error_page(403, "no_seat")
    opener = asking.person.id
    answer = act(asking, lambda: asking.evening.open_card(person, opener), True)
    return answer if answer.status_code >= 400 else _card(asking, person)


def _card(asking: Visitor, person: int) -> Response:
    evening, frame = asking.evening, frame_of(asking, "seat", False)
    with evening.reading():
        seat = evening.game.seat_of(person) if evening.game else None
        card = present.card_of(evening, seat)
        if card is None:
            return go(frame.url)
        whose = Person(str(person), evening.everyone[person].name, False)
        page = render_template("seat/passed.html", screen=PassedScreen(still(frame, f"{frame.base}/pass"), whose, card))
    response = make_response(page)
    response.headers["Refresh"] = f"{OPEN_SECONDS}; url={frame.url}"
    return response


@pages.post("/pass/use")
def use(code: str) -> Response:
    """Use a skill of the card that is open here."""
    asking, line, person = visitor(code), entered_line(request.form), number(request.form.get("person"))

    def record() -> None:
        is_open = asking.person and asking.evening.has_open(person, asking.person.id)
        if not is_open or line.split()[:1] != ["use"]:
            refuse("not_opened")
        asking.evening.record(line, key(asking), person)

    return act(asking, record, asking.seat is not None)


def _printed(code: str, action: Callable[[Visitor, int], object]) -> Response:
    """Do something with the printed card of somebody without a phone."""
    asking, person = visitor(code), number(request.form.get("person"))

    def checked() -> None:
        if person not in {one.id for one in asking.evening.phoneless}:
            refuse("no_person")
        action(asking, person)

    return act(asking, checked, asking.person is not None)


@pages.post("/pass/card")
def enter(code: str) -> Response:
    """Enter the code of the printed card that somebody without a phone drew."""
    card = request.form.get("card", "")[:LONGEST_CODE]
    return _printed(code, lambda it, person: enter_card(it, person, card))


@pages.post("/pass/card/back")
def take_back(code: str) -> Response:
    """Take it back."""
    return _printed(code, lambda it, person: it.evening.take_back_card(person))

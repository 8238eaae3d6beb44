"""Seats lost and found: another phone asks for one or for somebody's place, and the host gives it."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request

from companion.rules.inputs import refuse
from companion.web.access import Visitor, keep_scanning, keep_seat_token, number, seat_token, visitor
from companion.web.answers import act, go, show

pages = Blueprint("claims", __name__, url_prefix="/t/<code>")


@pages.get("/claim")
def find(code: str) -> Response:
    """A phone without a place looks for its seat, and waits until the host has given it: then it goes there."""
    asking = visitor(code)
    if asking.person is None:
        return show(asking, "claim")
    response = go(f"/t/{asking.evening.row.code}/seat")
    keep_scanning(response, asking.evening, seat_token(asking.evening))
    return response


@pages.post("/claim")
def ask(code: str) -> Response:
    """Ask for one's own seat, or to take over somebody's under a name."""
    asking, name = visitor(code), request.form.get("name")
    token, person = seat_token(asking.evening), number(request.form.get("person"))

    def wanted() -> None:
        if asking.has_seen_everything and asking.evening.phase == "play":
            refuse("seen_everything")
        if name is None:
            asking.evening.ask(person, token)
        else:
            asking.evening.take_over(person, token, name[:100])

    response = act(asking, wanted, True)
    keep_seat_token(response, asking.evening, token)
    return response


@pages.post("/claim/drop")
def drop(code: str) -> Response:
    """Ask no longer."""
    asking = visitor(code)
    return act(asking, lambda: asking.evening.withdraw_claim(asking.token_hash), True)


def _decide(code: str, decision: Callable[[Visitor, set[int]], object]) -> Response:
    """The host decides on the claims that the page showed: one that came in between is not among them."""
    asking = visitor(code)
    shown = {number(text) for text in request.form.getlist("claim")[:64]}
    return act(asking, lambda: decision(asking, shown), asking.is_host)


@pages.post("/host/approve")
def approve(code: str) -> Response:
    """Give the seats that were asked for."""
    return _decide(code, lambda it, shown: it.evening.approve(shown))


@pages.post("/host/refuse")
def decline(code: str) -> Response:
    """Refuse them."""
    return _decide(code, lambda it, shown: it.evening.refuse_claims(shown))

"""A phone: sitting down, the page with one's own card, leaving."""

from __future__ import annotations

from typing import cast

from flask import Blueprint, Response, redirect, request

from companion.web.access import keep_scanning, keep_seat_token, remember_name, seat_token, visitor
from companion.web.answers import act
from companion.web.pages.drawing import told

pages = Blueprint("seat", __name__)


@pages.get("/t/<code>/seat")
def phone(code: str) -> Response:
    """The phone's page: join, wait, play, see how it ended."""
    return told(visitor(code))


@pages.get("/t/<code>/join")
def joined(code: str) -> Response:
    """A form's address that somebody reloads: the phone's page."""
    return cast(Response, redirect(f"/t/{visitor(code).evening.row.code}/seat", 303))


@pages.post("/t/<code>/join")
def join(code: str) -> Response:
    """Sit down under a name. A second tap sits down once."""
    asking = visitor(code)
    token, name = seat_token(asking.evening), request.form.get("name", "")[:100]
    response = act(asking, lambda: asking.evening.join(name, token), True)
    keep_seat_token(response, asking.evening, token)
    keep_scanning(response, asking.evening, token)
    if response.status_code < 400:
        remember_name(response, name)
    return response


@pages.post("/t/<code>/leave")
def leave(code: str) -> Response:
    """Whoever sits here leaves the table, between games. A second tap does nothing."""
    asking = visitor(code)
    person = asking.person.id if asking.person else 0
    return act(asking, lambda: asking.evening.remove(person), True)

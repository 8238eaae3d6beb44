"""A phone: sitting down, and the page with one's own card."""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.web.access import keep_seat_token, remember_name, seat_token, visitor
from companion.web.answers import act, show

pages = Blueprint("seat", __name__)


@pages.get("/t/<code>/seat")
def phone(code: str) -> Response:
    """The phone's page: join, wait, play, see how it ended."""
    return show(visitor(code), "seat")


@pages.post("/t/<code>/join")
def join(code: str) -> Response:
    """Sit down under a name. A second tap sits down once."""
    asking = visitor(code)
    token, name = seat_token(asking.evening), request.form.get("name", "")[:100]
    response = act(asking, lambda: asking.evening.join(name, token), True)
    keep_seat_token(response, asking.evening, token)
    if response.status_code < 400:
        remember_name(response, name)
    return response

"""Hosting goes from one device to another by a code that works once."""

from __future__ import annotations

from typing import cast

from flask import Blueprint, Response, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.rules.inputs import IllegalInput
from companion.tables import OFFER_SECONDS
from companion.web.access import Visitor, keep_host_token, site, visitor
from companion.web.answers import error_page, frame_of
from companion.web.screens.seats import HostingScreen
from companion.web.showing import present, seating

pages = Blueprint("hosting", __name__, url_prefix="/t/<code>")


@pages.post("/host/offer")
def offer(code: str) -> ResponseReturnValue:
    """A code that makes one device the host. It is in this answer alone."""
    asking = visitor(code)
    if not asking.is_host:
        return error_page(403, "not_host")
    frame, token = frame_of(asking, "host", False), asking.evening.offer_hosting()
    url = f"http://{present.address(asking.evening)}:{site().port}{frame.base}/hosting/{token}"
    page = render_template("host/offer.html", screen=seating.offer(seating.still(frame, frame.url), url))
    response = make_response(page)
    response.headers["Refresh"] = f"{OFFER_SECONDS}; url={frame.base}"
    return response


@pages.get("/hosting/<token>")
def scanned(code: str, token: str) -> ResponseReturnValue:
    """The code was scanned. Nothing happens before a tap: phones look at addresses by themselves."""
    asking = visitor(code)
    return _is_host(asking) if asking.is_host else _asked(asking, token if asking.evening.is_offered(token) else "")


@pages.post("/hosting")
def take(code: str) -> ResponseReturnValue:
    """Become the host, once. A second tap finds this browser host already."""
    asking = visitor(code)
    if asking.is_host:
        return _is_host(asking)
    try:
        token = asking.evening.take_hosting(request.form.get("token", "")[:100])
    except IllegalInput:
        return _asked(asking, "")
    response = _is_host(asking)
    keep_host_token(response, asking.evening, token)
    return response


def _is_host(asking: Visitor) -> Response:
    return cast(Response, redirect(f"/t/{asking.evening.row.code}/host", 303))


def _asked(asking: Visitor, token: str) -> ResponseReturnValue:
    frame = seating.still(frame_of(asking, "seat", False), request.path)
    return render_template("host/hosting.html", screen=HostingScreen(frame, token)), 200 if token else 410

"""How requests are answered: a page in its present state, nothing where nothing changed, a notice where refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, cast

from flask import Response, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from companion import __version__
from companion.rules.inputs import IllegalInput
from companion.storage import StoreUnavailable
from companion.tables import Repeated
from companion.tables.trouble import PASSING
from companion.web.access import Visitor, keep_seat_token, lang, remembered_name, seat_token, site, tokens, visitor
from companion.web.headers import takes_gzip
from companion.web.inside import inside, is_shared
from companion.web.markup import words_for
from companion.web.packing import Piece, joined
from companion.web.screens import Back, ErrorScreen, Frame, Notice
from companion.web.showing import present, seating

Reason = Literal["not_found", "no_table", "not_host", "no_seat", "forbidden", "too_many", "busy", "broken", "storage"]


def frame_of(asking: Visitor, back: Back, partial: bool) -> Frame:
    """The frame of one of a table's pages, or of its inside alone. Nothing in it depends on anything hidden."""
    return seating.told(asking, _bare_frame(asking, back, partial))


def _bare_frame(asking: Visitor, back: Back, partial: bool) -> Frame:
    row = asking.evening.row
    base = f"/t/{row.code}"
    who = f"{asking.who}{'h' if asking.is_host else ''}"
    return Frame(
        lang=lang(),
        url=base if back == "table" else f"{base}/{back}",
        base=base,
        back=back,
        code=row.code,
        key=str(row.version),
        etag=f'"{__version__}-{row.version}-{back}-{who}-{lang()}-{_around(asking, back)}"',
        stream=f"{base}/stream?of={back}",
        partial=partial,
        shared=f"{row.code}-{row.version}-{lang()}-{asking.evening.seconds_left()}" if asking.evening.game else "",
    )


def _around(asking: Visitor, back: Back) -> str:
    """What a page shows though nothing happened at the table: addresses, trouble with the disk, that nobody comes."""
    chosen, wrong = present.address(asking.evening), site().tables.trouble.reason or ""
    if back == "seat":
        return f"{chosen}-{wrong}"
    stuck = "stuck" if back == "table" and asking.evening.nobody_comes else ""
    return "-".join((chosen, *(one.ip for one in site().addresses()), stuck, wrong))


def is_alive() -> bool:
    """Whether a page asks that lives (htmx): it wants its inside alone."""
    return "HX-Request" in request.headers


def show(asking: Visitor, back: Back, notice: Notice | None = None, status: int = 200) -> Response:
    """One of a table's pages as it is now; 304 for a page that asks for itself when nothing has changed."""
    with asking.evening.reading():
        notice = notice or trouble()
        frame = replace(frame_of(asking, back, is_alive()), notice=notice)
        if frame.partial and request.method == "GET" and request.headers.get("If-None-Match") == frame.etag:
            response = make_response("", 304)
            response.headers["ETag"] = frame.etag
            return response
        if frame.partial and not notice and back in ("table", "seat") and is_shared(asking):
            response = _made_of(inside(asking, frame))
        else:
            template, screen = _screen(asking, back, frame)
            response = make_response(render_template(template, screen=screen), status)
    response.headers["ETag"] = frame.etag
    is_new = asking.person is None and not (frame.partial and tokens(asking.evening).seat)
    if back in ("seat", "claim") and is_new:
        keep_seat_token(response, asking.evening, seat_token(asking.evening))
    return response


def trouble() -> Notice | None:
    """What every page says while nothing can be kept."""
    match site().tables.trouble.reason:
        case None:
            return None
        case "full" | "readonly" as reason:
            return Notice(reason)
        case _:
            return Notice("broken")


def _made_of(pieces: tuple[Piece, ...]) -> Response:
    is_packed = takes_gzip()
    response = make_response(joined(pieces, is_packed))
    if is_packed:
        response.headers["Content-Encoding"] = "gzip"
    return response


def _screen(asking: Visitor, back: Back, frame: Frame) -> tuple[str, object]:
    if back == "seat":
        name = request.form.get("name") or remembered_name()
        return present.seat(asking, frame, name[:100])
    fill = {"host": present.host, "claim": seating.claim, "pass": seating.passing, "table": present.board}[back]
    return fill(asking, frame)


def back_page(asking: Visitor) -> Back:
    """The page from which a form was sent, or where its visitor belongs now."""
    back = request.form.get("back", "table")
    if back in ("claim", "pass"):
        return cast(Back, back) if (back == "claim") == (asking.person is None) else "seat"
    if back == "host" and asking.is_host:
        return "host"
    return "seat" if back == "seat" else "table"


def go(url: str) -> Response:
    """Lead the browser to another page, also from a page that asks for itself."""
    response = make_response("") if is_alive() else cast(Response, redirect(url, 303))
    if response.status_code == 200:
        response.headers["HX-Redirect"] = url
    return response


def act(asking: Visitor, action: Callable[[], object], allowed: bool) -> Response:
    """Do what a form asks, and go back to its page; a refusal shows the page in its present state and the reason.

    A page that lives (htmx) is answered with its new inside at once: a redirect would cost it another request.
    """
    if not allowed:
        return make_response(error_page(403, "not_host" if asking.may_record else "no_seat"))
    try:
        action()
    except Repeated as again:
        notice = Notice("repeat", again.by or gettext("牌桌"), again.text)
        return show(visitor(asking.evening.row.code), back_page(asking), notice, 409)
    except IllegalInput as refusal:
        words = words_for(asking.evening.mode, asking.evening.names())
        notice = Notice("refused", words.refusal(refusal.reason, refusal.params), clause=refusal.clause)
        return show(visitor(asking.evening.row.code), back_page(asking), notice, 422)
    except StoreUnavailable as failed:
        if failed.reason in PASSING:
            raise
        return show(visitor(asking.evening.row.code), back_page(asking), status=507)
    back = back_page(asking)
    if is_alive():
        return show(visitor(asking.evening.row.code), back)
    return cast(Response, redirect(frame_of(asking, back, False).url, 303))


def key(asking: Visitor) -> str:
    """The request's idempotency key: one person's forms of one state of a page are one request."""
    return f"{request.form.get('key', '')[:80]} {asking.who}"


def error_page(status: int, reason: Reason) -> ResponseReturnValue:
    """A page that says in plain words what is wrong and what to do."""
    parts = request.path.split("/")
    is_known = parts[1:2] == ["t"] and len(parts) > 2 and reason not in ("no_table", "not_found", "too_many")
    base = f"/t/{parts[2]}" if is_known else ""
    frame = Frame(lang=lang(), url=request.path, base=base, partial=is_alive())
    return render_template("error.html", screen=ErrorScreen(frame, status, reason)), status

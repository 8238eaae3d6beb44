"""What the host sets right while a game runs and after it: one line of the log, a pause, the view of everything.

See `tables.rehearsal` for what is shown before a line is changed, and what is not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.rules.facts import HOST
from companion.rules.inputs import IllegalInput
from companion.web.access import Visitor, browser_token, keep_browser_token, number, visitor
from companion.web.answers import act, error_page, frame_of, key
from companion.web.markup import words_for
from companion.web.pages import moderating
from companion.web.pages.board import entered_line
from companion.web.screens import Frame, Notice
from companion.web.showing import changing

pages = Blueprint("mending", __name__, url_prefix="/t/<code>/host")


def _frame(asking: Visitor, path: str) -> Frame:
    """The frame of a page of the host's that stands still."""
    frame = frame_of(asking, "host", False)
    return replace(frame, url=f"{frame.url}/{path}", stream=None)


def _to_host(asking: Visitor) -> Response:
    return cast(Response, redirect(frame_of(asking, "host", False).url, 303))


@pages.get("/line")
def line(code: str) -> ResponseReturnValue:
    """One line of the log (`step`): what may be done with it, and with `how` what that would mean."""
    asking, step = visitor(code), number(request.args.get("step"))
    if not asking.is_host:
        return error_page(403, "not_host")
    with asking.evening.reading():
        game, frame = asking.evening.game, _frame(asking, "line")
        if game is None or game.lost or not 1 < step <= len(game.standing):
            return _to_host(asking)
        how = request.args.get("how", "")
        if how not in changing.WAYS:
            return render_template("host/line.html", screen=changing.line(asking, frame, step))
        text = entered_line(request.args) if how == "change" else ""
        try:
            return render_template("host/rehearsal.html", screen=changing.rehearsal(asking, frame, step, how, text))
        except IllegalInput as refusal:
            words = words_for(game.mode, asking.evening.names())
            notice = Notice("refused", words.refusal(refusal.reason, refusal.params), clause=refusal.clause)
            screen = changing.line(asking, replace(frame, notice=notice), step)
            return render_template("host/line.html", screen=screen), 422


@pages.post("/change")
def change(code: str) -> Response:
    """Change the line of a step, or take it out where `line` is empty; `seen` is the log that the host has seen."""
    asking, form = visitor(code), request.form
    step, text, seen = number(form.get("step")), form.get("line", "")[:200], number(form.get("seen"))
    by = asking.person.id if asking.person else None
    return act(asking, lambda: asking.evening.change(step, text, seen, key(asking), by), asking.is_host)


@pages.post("/pause")
def pause(code: str) -> Response:
    """Let the game rest (`on` = 1), or go on."""
    asking = visitor(code)
    return act(asking, lambda: asking.evening.pause(request.form.get("on") == "1"), asking.is_host)


@pages.post("/everything")
def open_everything(code: str) -> Response:
    """The host, who has no seat in the running game, is shown all of it from now on, and gets no seat in it."""
    asking = visitor(code)
    token = browser_token(asking.evening)
    allowed = asking.is_host and asking.seat is None
    response = act(asking, lambda: asking.evening.let_see_everything(token), allowed)
    if response.status_code < 400:
        response = cast(Response, redirect(f"{frame_of(asking, 'host', False).url}/everything", 303))
        keep_browser_token(response, asking.evening, token)
    return response


@pages.get("/everything")
def everything(code: str) -> ResponseReturnValue:
    """All identities and all that people know, covered until held; only for whoever has asked for it."""
    asking = visitor(code)
    if not asking.may_see_everything:
        return error_page(403, "forbidden")
    with asking.evening.reading():
        if asking.evening.phase != "play":
            return _to_host(asking)
        screen = moderating.everything(asking, _frame(asking, "everything"))
        return render_template("host/everything.html", screen=screen)


@pages.get("/record.txt")
def whole_record(code: str) -> ResponseReturnValue:
    """The full record of the running game; only for whoever has asked to see everything."""
    asking = visitor(code)
    with asking.evening.reading():
        if not asking.may_see_everything:
            return error_page(403, "forbidden")
        headers = {"Content-Disposition": f'attachment; filename="{asking.evening.row.code}-full.txt"'}
        return Response(asking.evening.export(HOST), mimetype="text/plain", headers=headers)

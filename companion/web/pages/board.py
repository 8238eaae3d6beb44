"""The start page, the table screen, and the forms that every screen of a table shares."""

from __future__ import annotations

from typing import cast

from flask import Blueprint, Response, abort, redirect, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from companion import __version__
from companion.web.access import is_from_this_machine, keep_host_token, lang, site, visitor
from companion.web.answers import act, key, show, trouble
from companion.web.screens import Frame
from companion.web.showing import present

SHOWN_TABLES = 6

pages = Blueprint("board", __name__)


@pages.get("/")
def start() -> str:
    """One button that opens a table; on the laptop itself also the tables that can be resumed."""
    evenings = site().tables.evenings(SHOWN_TABLES) if is_from_this_machine() else []
    return render_template("start.html", screen=present.start(Frame(lang=lang(), url="/", notice=trouble()), evenings))


@pages.post("/")
def open_table() -> Response:
    """Open a table; this browser is its host."""
    evening, token = site().tables.open()
    response = cast(Response, redirect(f"/t/{evening.row.code}", 303))
    keep_host_token(response, evening, token)
    return response


@pages.get("/version")
def version() -> Response:
    """What this program is, for another one of its kind that finds the port taken."""
    return Response(f"companion {__version__}", mimetype="text/plain")


@pages.post("/t/<code>/resume")
def resume(code: str) -> ResponseReturnValue:
    """On the laptop itself: go on with a table as its host."""
    asking = visitor(code)
    if not is_from_this_machine():
        abort(404)
    response = cast(Response, redirect(f"/t/{asking.evening.row.code}", 303))
    if not asking.is_host:
        keep_host_token(response, asking.evening, asking.evening.new_host())
    return response


@pages.get("/j/<code>")
@pages.get("/J/<code>")
def join_link(code: str) -> ResponseReturnValue:
    """The short address in the QR code."""
    return redirect(f"/t/{visitor(code).evening.row.code}/seat", 303)


@pages.get("/t/<code>")
def table(code: str) -> Response:
    """The table screen."""
    return show(visitor(code), "table")


@pages.post("/t/<code>/record")
def record(code: str) -> Response:
    """Enter a line of the record, whole in `input` or in parts."""
    asking, line = visitor(code), entered_line(request.form)
    by = asking.person.id if asking.person else None
    again = request.form.get("again") == "1"
    allowed = asking.is_host if line.split()[:1] in HOSTS_OWN else asking.may_record
    return act(asking, lambda: asking.evening.record(line, key(asking), by, again=again), allowed)


HOSTS_OWN = (["end"], ["correct"])
NUMBERED = ("correct", "damage", "heal", "lose", "saved", "hp", "provinces", "limit")
CAUSED = ("death", "damage", "heal", "dying", "touch")


def entered_line(form: MultiDict[str, str]) -> str:
    """The line of the record that the form stands for."""
    if "input" in form:
        return form["input"][:200]
    verb, who = form.get("verb", "")[:20], form.get("who", "")[:4]
    if verb == "deaths":
        blows = ((name.removeprefix("by-"), by) for name, by in form.items() if name.startswith("by-") and by)
        return "deaths " + ", ".join(f"{victim[:4]} by {by[:4]}" for victim, by in blows)
    words = [verb, who]
    if verb == "use":
        return " ".join((*words, form.get("skill", "")[:20], *(seat[:4] for seat in form.getlist("on")[:16])))
    if verb == "correct":
        words.append(form.get("what", "")[:20])
    if verb in NUMBERED and (n := form.get("n") or (form.get("points") if verb in CAUSED else None)):
        words.append(n[:4])
    if verb in CAUSED and (by := form.get("by")):
        words += ["by", by[:4]]
    if verb == "saved" and (rescuers := [by[:4] for name, by in form.items() if name.startswith("rescuer-") and by]):
        words += ["by", *rescuers]
    return " ".join(words)


@pages.post("/t/<code>/withdraw")
def withdraw(code: str) -> Response:
    """Take back the record that every screen announces."""
    asking = visitor(code)
    return act(asking, lambda: asking.evening.withdraw(request.form.get("draft", "")), asking.may_record)


@pages.post("/t/<code>/done")
def done(code: str) -> Response:
    """The announcement is carried out."""
    asking = visitor(code)
    return act(asking, lambda: asking.evening.done(request.form.get("announcement", "")), asking.may_record)


@pages.post("/t/<code>/again")
def again(code: str) -> Response:
    """New cards with the same places."""
    asking = visitor(code)
    return act(asking, asking.evening.deal, asking.is_host)


@pages.get("/t/<code>/record.txt")
def download(code: str) -> Response:
    """The game's record as its reader may know it; the whole record once the game has ended."""
    asking = visitor(code)
    # The viewer's seat and the game belong together: in the next game the seats are others.
    with asking.evening.reading():
        if asking.evening.game is None:
            abort(404)
        text = asking.evening.export(asking.viewer)
        name = f"{asking.evening.row.code}-{asking.evening.game.row.number}.txt"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, mimetype="text/plain", headers=headers)

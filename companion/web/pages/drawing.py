"""Printed cards: entered on one's own phone by their code, or by scanning it; taken back."""

from __future__ import annotations

from typing import cast

from flask import Blueprint, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.rules.inputs import IllegalInput
from companion.web.access import Visitor, guessing, lang, seats_here, visitor
from companion.web.answers import act, show
from companion.web.markup import words_for
from companion.web.screens import Frame, Notice, ScanScreen

REFUSALS = (
    "card_mistyped",
    "card_unknown",
    "card_other_mode",
    "card_not_in_play",
    "card_entered",
    "phones_deal",
    "game_runs",
    "players",
)
"""Why a scanned card may not have been entered: said on the page to which the scan leads."""
LONGEST_CODE = 40

pages = Blueprint("drawing", __name__)


@pages.post("/t/<code>/card")
def enter(code: str) -> Response:
    """Enter the code of one's own card."""
    asking, card = visitor(code), request.form.get("card", "")[:LONGEST_CODE]
    return act(asking, lambda: _enter(asking, card), asking.person is not None)


@pages.post("/t/<code>/card/back")
def take_back(code: str) -> Response:
    """Take one's own card back."""
    asking = visitor(code)
    return act(asking, lambda: _take_back(asking), asking.person is not None)


def _enter(asking: Visitor, card: str) -> None:
    assert asking.person is not None
    enter_card(asking, asking.person.id, card)


def enter_card(asking: Visitor, person: int, card: str) -> None:
    """Enter the card of a person: the visitor's own, or that of somebody without a phone."""
    assert asking.person is not None
    table = asking.evening.row.id
    by_address, by_person = (table, request.remote_addr), (table, asking.person.id)
    with guessing(by_address, card), guessing(by_person, card):
        asking.evening.enter_card(person, card)


def _take_back(asking: Visitor) -> None:
    assert asking.person is not None
    asking.evening.take_back_card(asking.person.id)


@pages.get("/C/<card>")
@pages.get("/c/<card>")
def scan(card: str) -> ResponseReturnValue:
    """A card's QR code: the tables that wait for cards from this browser. Nothing is entered until one is tapped, for
    any page can lead here."""
    waiting = [one for one in seats_here() if one.evening.settings.by_cards and one.evening.phase != "play"]
    tables = tuple(one.evening.row.code for one in waiting)
    return render_template("seat/scan.html", screen=ScanScreen(Frame(lang(), "/"), card[:LONGEST_CODE], tables))


@pages.post("/C")
def choose() -> Response:
    """The table for which a card was scanned. Without a seat there, the name is asked for first."""
    wanted, card = request.form.get("table", "").strip()[:8].upper(), request.form.get("card", "")[:LONGEST_CODE]
    asking = next((one for one in seats_here() if one.evening.row.code == wanted), None)
    return _scanned(asking, card) if asking else _seat(visitor(wanted))


def _scanned(asking: Visitor, card: str) -> Response:
    """Enter it and leave its address behind; a refusal is named in the address by its kind, never the card."""
    try:
        _enter(asking, card[:LONGEST_CODE])
    except IllegalInput as refusal:
        return _seat(asking, f"?card={refusal.reason}")
    return _seat(asking)


def _seat(asking: Visitor, more: str = "") -> Response:
    return cast(Response, redirect(f"/t/{asking.evening.row.code}/seat{more}", 303))


def told(asking: Visitor) -> Response:
    """The phone's page, and why the card that was just scanned was not entered."""
    reason = request.args.get("card")
    if reason not in REFUSALS or asking.person is None:
        return show(asking, "seat")
    mode = asking.evening.mode
    params = {"mode": mode.id, "found": len(asking.evening.people), "players": mode.players}
    return show(asking, "seat", Notice("refused", words_for(mode, {}).refusal(reason, params)))

"""The pages that print: an order, how far it is, the PDF."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion import prints
from companion.modes import MODES, find_mode
from companion.modes.deck import PrintedCard, of
from companion.names import clean
from companion.tables import Evening
from companion.web.access import Visitor, is_from_this_machine, lang, site, text_key, visitor
from companion.web.answers import is_alive, trouble
from companion.web.faults import order_fault
from companion.web.screens import Frame, JobScreen, PrintScreen
from companion.web.showing import present
from printables.labels import Lang

DEFAULTS = {
    "what": "cards",
    "players": "",
    "variant": "",
    "paper": "a4",
    "size": "poker",
    "dpi": "300",
    "backs": "long",
    "marks": "outside",
    "bleed": "",
    "margin": "",
    "x": "",
    "y": "",
    "network": "",
    "names": "",
    "width": "",
    "height": "",
    "single": "",
    "address": "",
}
DETAILS = tuple(name for name in DEFAULTS if name not in ("what", "paper", "network", "names"))
"""The fields that are folded away."""
LONGEST_NAMES = 2000
MOST_NAMES = 40

pages = Blueprint("printing", __name__)


@pages.get("/print")
def order() -> str:
    """What can be printed."""
    return _first_page(None)


@pages.get("/t/<code>/print")
def order_for(code: str) -> str:
    """What can be printed, with a table's mode, names and address."""
    return _first_page(visitor(code))


@pages.post("/print")
def start() -> Response:
    """Let it be made."""
    return _start(None)


@pages.post("/t/<code>/print")
def start_for(code: str) -> Response:
    """Let it be made for a table."""
    return _start(visitor(code))


@pages.get("/print/<job>")
def progress(job: str) -> ResponseReturnValue:
    """How far it is."""
    found = _own(job) or abort(404)
    frame = Frame(lang(), f"/print/{found.id}", partial=is_alive())
    ahead = site().prints.before(found) if found.state == "waiting" else 0
    back = f"{found.back}?again={found.id}"
    shown = JobScreen(frame, found.state, found.done, found.total, ahead, found.error, found.file_name, back)
    return render_template("print/job.html", screen=shown)


@pages.get("/print/<job>/<name>")
def download(job: str, name: str) -> Response:
    """The PDF."""
    found = _own(job)
    if found is None or found.state != "done" or found.file_name != name:
        abort(404)
    headers = {"Content-Disposition": f'attachment; filename="{found.file_name}"'}
    return Response(found.pdf, mimetype="application/pdf", headers=headers)


def _own(job: str) -> prints.Job | None:
    """The job, for the device that ordered it: the PDF may hold the codes of cards or the Wi-Fi's password."""
    return site().prints.find(job, request.remote_addr or "")


def _start(asking: Visitor | None) -> Response:
    form = {name: text[:LONGEST_NAMES] for name, text in request.form.items()}
    back = f"/t/{asking.evening.row.code}/print" if asking else "/print"
    language, reader = cast(Lang, _one_of_three(form.get("in", ""))), cast(Lang, text_key())
    typed = {name: form.get(name, usual) for name, usual in {**DEFAULTS, "mode": MODES[0], "in": language}.items()}
    try:
        wanted = _whole(form, language, asking)
        job = site().prints.add(wanted, request.remote_addr or "", back, typed, reader)
    except prints.BadOrder as error:
        return make_response(_page(asking, typed, order_fault(error.fault, reader), error.field), 422)
    except prints.TooMany:
        return make_response(_page(asking, typed, order_fault("busy", reader)), 503)
    return cast(Response, redirect(f"/print/{job.id}", 303))


def _one_of_three(text: str) -> str:
    return text if text in ("zh_hans", "zh_hant", "en") else text_key()


def _whole(form: Mapping[str, str], language: Lang, asking: Visitor | None) -> prints.Order:
    """The form's order with what this server adds to it: names, addresses, and on the laptop itself the codes."""
    found = prints.read(form, language)
    if found.variant == "table" and asking and asking.is_host and found.mode.id == asking.evening.row.mode:
        found = replace(found, own=of([(card.role, card.colour) for card in asking.evening.cards()], found.mode))
    typed = form.get("names", "").splitlines()[:MOST_NAMES]
    names = tuple(name for name in (clean(one, longest=None) for one in typed) if name)
    if found.what == "tents" and not names:
        raise prints.BadOrder("names", "names")
    card_address = form.get("address", "") if form.get("address") in _addresses() else ""
    shown = asking.evening.settings.wifi if asking and asking.is_host else None
    if shown and found.network == shown.name and not found.password:
        found = replace(found, password=shown.password)
    return replace(
        found,
        names=names,
        address=_join_address(asking.evening if asking else None),
        codes=_codes(found),
        card_address=f"{card_address}/C" if card_address else None,
    )


def _codes(found: prints.Order) -> dict[PrintedCard, str] | None:
    """The codes of the cards, for whoever sits at the laptop that knows them again."""
    if found.what != "cards" or not is_from_this_machine():
        return None
    codes = site().tables.decks.of(found.mode)
    return {card: codes.code(card) for card in found.deck()}


def _addresses() -> tuple[str, ...]:
    return tuple(f"http://{one.ip}:{site().port}" for one in site().addresses() if one.kind != "loopback")


def _join_address(evening: Evening | None) -> str:
    if evening is None:
        return f"http://{site().addresses()[0].ip}:{site().port}"
    return f"http://{present.address(evening)}:{site().port}/j/{evening.row.code.lower()}"


def _first_page(asking: Visitor | None) -> str:
    """The form, as it was for the job from which one comes back, and why that failed."""
    job = _own(request.args.get("again", ""))
    return _page(asking, job.typed, job.error) if job else _page(asking)


def _page(asking: Visitor | None, typed: Mapping[str, str] | None = None, fault: str = "", wrong: str = "") -> str:
    code = asking.evening.row.code if asking else ""
    base, usual = f"/t/{code}" if asking else "", _proposed(asking)
    frame = Frame(lang(), f"{base}/print", base, notice=trouble(), code=code)
    key, known = text_key(), prints.variants()
    return render_template(
        "print/order.html",
        screen=PrintScreen(
            frame=frame,
            modes=tuple((mode, find_mode(mode).name[key]) for mode in MODES),
            variants=tuple((f"{name}={value}", mode.name[key], _key(name, value)) for mode, name, value in known),
            most=max(find_mode(mode).players[-1] for mode in MODES),
            typed=typed or usual,
            has_codes=is_from_this_machine(),
            addresses=_addresses(),
            has_table=bool(asking and asking.is_host and asking.evening.cards()),
            has_wifi=bool(asking and asking.is_host and asking.evening.settings.wifi),
            fault=fault,
            wrong=wrong,
            detailed=typed is not None and any(typed[name] != usual[name] for name in DETAILS),
        ),
    )


def _key(name: str, value: str) -> str:
    return {"on": name, "off": f"no_{name}"}.get(value, value)


def _proposed(asking: Visitor | None) -> Mapping[str, str]:
    """The defaults; of a table, its mode and names."""
    wanted = request.args.get("what", "")
    found = {**DEFAULTS, "mode": MODES[0], "in": text_key(), "what": wanted if wanted in prints.WHATS else "cards"}
    if asking:
        evening = asking.evening
        count = len(evening.people)
        found["mode"] = evening.row.mode
        found["variant"] = "table" if asking.is_host and evening.mode.composer and evening.cards() else ""
        found["players"] = str(count) if count in evening.mode.players else ""
        found["network"] = evening.settings.wifi.name if asking.is_host and evening.settings.wifi else ""
        found["names"] = "\n".join(person.name for person in evening.people)
    return found

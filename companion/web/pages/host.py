"""The host's page: mode, options, places, the deal, and what only the host may take back or end."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from companion.rules.ruleset import OPTION_VALUES
from companion.web.access import Visitor, number, visitor
from companion.web.answers import act, error_page, key, show

pages = Blueprint("host", __name__, url_prefix="/t/<code>/host")


@pages.get("")
def page(code: str) -> ResponseReturnValue:
    """The host's page; a plain refusal for everybody else."""
    asking = visitor(code)
    return show(asking, "host") if asking.is_host else error_page(403, "not_host")


def _act(code: str, action: Callable[[Visitor], object]) -> Response:
    asking = visitor(code)
    return act(asking, lambda: action(asking), asking.is_host)


@pages.post("/settings")
def settings(code: str) -> Response:
    """Mode, options and the pause before a death counts."""
    form = request.form
    shown = [name for name in form.get("shown", "").split() if name in OPTION_VALUES]
    options = {name: form.get(f"option-{name}", OPTION_VALUES[name][0]) for name in shown}
    return _act(code, lambda it: it.evening.choose(form.get("mode", ""), options, number(form.get("pause"))))


@pages.post("/composition")
def composition(code: str) -> Response:
    """Which cards are dealt, where the host composes them: a preset, or how many of one card."""
    card, _, count = request.form.get("count", "")[:60].partition(" ")
    if card:
        return _act(code, lambda it: it.evening.set_count(card, number(count)))
    return _act(code, lambda it: it.evening.compose(request.form.get("preset", "")))


@pages.post("/address")
def address(code: str) -> Response:
    """Which of the laptop's addresses phones are shown."""
    return _act(code, lambda it: it.evening.choose_address(request.form.get("address", "")[:40]))


@pages.post("/wifi")
def wifi(code: str) -> Response:
    """Which Wi-Fi the table screen shows."""
    form = request.form
    name, password = form.get("network", "")[:100], form.get("password", "")[:100]
    return _act(code, lambda it: it.evening.choose_wifi(name, password, form.get("kind") == "open"))


@pages.post("/move")
def move(code: str) -> Response:
    """Move somebody one place along the ring, or to the place of this number."""
    to, person = request.form.get("to", ""), number(request.form.get("person"))
    if place := number(to):
        return _act(code, lambda it: it.evening.move_to(person, place - 1))
    return _act(code, lambda it: it.evening.move(person, -1 if to == "up" else 1))


@pages.post("/remove")
def remove(code: str) -> Response:
    """Take somebody out of the ring."""
    return _act(code, lambda it: it.evening.remove(number(request.form.get("person"))))


@pages.post("/dealing")
def dealing(code: str) -> Response:
    """Whether phones deal, or printed cards."""
    return _act(code, lambda it: it.evening.choose_dealing(request.form.get("by") == "cards"))


@pages.post("/collect")
def collect(code: str) -> Response:
    """Take all printed cards back."""
    return _act(code, lambda it: it.evening.collect_cards())


@pages.post("/deal")
def deal(code: str) -> Response:
    """Deal the identities."""
    return _act(code, lambda it: it.evening.deal())


@pages.post("/undo")
def undo(code: str) -> Response:
    """Take back the last record, or all from `step` to `last`."""
    step, last = number(request.form.get("step")), request.form.get("last")
    until = None if last is None else number(last)
    return _act(code, lambda it: it.evening.undo(step, key(it), _by(it), last=until))


@pages.post("/end")
def end(code: str) -> Response:
    """End the game without a verdict."""
    return _act(code, lambda it: it.evening.end(key(it), _by(it)))


def _by(asking: Visitor) -> int | None:
    return asking.person.id if asking.person else None

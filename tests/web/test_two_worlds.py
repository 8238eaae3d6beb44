"""Secrets stay secret over HTTP: see `worlds`. Planted leaks of each kind are found, so that the search is known to
search.

The test run compares 60 pairs of worlds a mode. For many more::

    COMPANION_PAIRS=5000 pytest tests/web/test_two_worlds.py
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from flask import Response, make_response
from markupsafe import Markup

from companion.modes import MODES, find_mode
from companion.rules.facts import HOST
from companion.rules.inputs import IllegalInput
from companion.tables import Evening
from companion.tables.mending import Rehearsal
from companion.tables.rehearsal import replay
from companion.web import access, answers, present, telling
from companion.web import parts as p
from companion.web import screens as s
from tests.rules.worlds import has_secrets
from tests.web.calls import CALLS
from tests.web.evening import the_app
from tests.web.worlds import Leak, Worlds

SECRETIVE = [mode for mode in MODES if has_secrets(find_mode(mode))]
ACTS = {"ambition": 16, "court12": 22, "sixteen": 18}
"""What people do in a pair, where many first deaths tell the worlds apart at once."""
PAIRS = int(os.environ.get("COMPANION_PAIRS", "200"))
"""How many a mode, in parts that may run side by side."""
PARTS = 4


def test_every_route_and_method_is_called() -> None:
    """A new route is compared without anybody remembering: it has to be listed in `calls.CALLS`."""
    routes = {
        (rule.rule, method)
        for rule in the_app().url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert routes == set(CALLS)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("mode", SECRETIVE)
def test_what_a_visitor_cannot_know_makes_no_difference(mode: str, part: int, tmp_path: Path) -> None:
    worlds = Worlds(tmp_path)
    worlds.many(mode, range(PAIRS)[part::PARTS], ACTS.get(mode, 17))
    assert median(worlds.after_death) >= 5
    kinds = {"guest", "guest of another table", "spectator", "removed", "host", "host in seat 2", "seat 1", "seat 3"}
    assert all(worlds.compared[kind] >= PAIRS // PARTS // 5 for kind in kinds)


@pytest.mark.parametrize("mode", SECRETIVE)
def test_nothing_that_can_be_called_makes_a_difference_at_any_moment(mode: str, tmp_path: Path) -> None:
    Worlds(tmp_path).all_of_it(mode, seed=3)


@pytest.mark.parametrize("mode", SECRETIVE)
def test_a_silent_rehearsal_of_any_change_makes_no_difference(mode: str, tmp_path: Path) -> None:
    worlds = Worlds(tmp_path)
    worlds.rehearsals(mode, 4)
    assert worlds.compared["host"] > 50


# Planted leaks


def truth(evening: Evening, seat: int) -> str:
    """The role that nobody should be able to tell."""
    assert evening.game is not None
    role = evening.game.table.state.seat(seat).role
    assert role is not None
    return role


def told_by_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = present.invitation

    def labelled(asking: access.Visitor) -> s.Invitation:
        shown = plain(asking)
        if asking.evening.game is None:
            return shown
        roles = ",".join(seat.role or "" for seat in asking.evening.game.table.state.seats)
        return replace(shown, qr=Markup(str(shown.qr).replace("<svg", f'<svg data-alt="{roles}"', 1)))

    monkeypatch.setattr(present, "invitation", labelled)


def told_by_a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    def labelled(*args: Any) -> Response:
        response = make_response(*args)
        for evening in access.site().tables.evenings(9):
            if evening.game:
                response.headers["X-Checksum"] = str(hash(truth(evening, 2)) % 97)
        return response

    monkeypatch.setattr(answers, "make_response", labelled)


def told_by_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Evening.record

    def choosy(self: Evening, text: str, *args: Any, **more: Any) -> None:
        if self.game and text.startswith("turn ") and text[5:].isdigit():
            seat = int(text[5:])
            if 1 < seat <= len(self.game.row.seats) and truth(self, seat) == "renegade":
                raise IllegalInput("dead", "X3", {"seat": seat})
        plain(self, text, *args, **more)

    monkeypatch.setattr(Evening, "record", choosy)


def told_by_the_words_of_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Evening.record

    def wordy(self: Evening, *args: Any, **more: Any) -> None:
        try:
            plain(self, *args, **more)
        except IllegalInput as refusal:
            if self.game:
                refusal.clause = f"X{len(truth(self, len(self.game.row.seats)))}"
            raise

    monkeypatch.setattr(Evening, "record", wordy)


def told_by_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Evening.record

    def counting(self: Evening, *args: Any, **more: Any) -> None:
        plain(self, *args, **more)
        if self.game and truth(self, 2) == "rebel":
            with self._changing():
                self._store.set_notes(self.game.row.id, "touched")

    monkeypatch.setattr(Evening, "record", counting)


def told_by_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Evening.record

    def calling(self: Evening, *args: Any, **more: Any) -> None:
        plain(self, *args, **more)
        for seat in range(2, len(self.game.row.seats) + 1, 2) if self.game else ():
            if truth(self, seat) == "rebel":
                self._house.signals.publish(self.row.id, self.row.version)

    monkeypatch.setattr(Evening, "record", calling)


def told_by_a_button(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = telling.Teller.play

    def offering(self: telling.Teller, *args: Any) -> p.Play:
        shown = plain(self, *args)
        if shown.recorder and truth(self.evening, 2) == "rebel":
            return replace(shown, recorder=replace(shown.recorder, verbs=shown.recorder.verbs[:-1]))
        return shown

    monkeypatch.setattr(telling.Teller, "play", offering)


def told_by_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Evening.export
    monkeypatch.setattr(Evening, "export", lambda self, _: plain(self, HOST))


def test_a_rehearsal_that_plays_the_truth_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plain = Evening.rehearse_change

    def truthful(self: Evening, step: int, text: str) -> Rehearsal:
        shown, game = plain(self, step, text), self.game
        assert game is not None
        before = [*game.table.inputs[: step - 1], *([shown.changed] if shown.changed else [])]
        after = map(game.read, game.log.after(step))
        return replace(shown, misfits=tuple(replay(game.mode.ruleset, game.row.options, before, after)[1]))

    monkeypatch.setattr(Evening, "rehearse_change", truthful)
    with pytest.raises(Leak):
        Worlds(tmp_path).rehearsals("court12", 12)


@pytest.mark.parametrize(
    "plant",
    [
        told_by_a_picture,
        told_by_a_header,
        told_by_a_refusal,
        told_by_the_words_of_a_refusal,
        told_by_the_version,
        told_by_the_stream,
        told_by_a_button,
        told_by_the_record,
    ],
)
def test_a_planted_leak_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):
        Worlds(tmp_path).many("court8", range(40))

"""Secrets stay secret over HTTP: see `worlds`. Planted leaks of each kind are found, so that the search is known to
search.

The test run compares 200 pairs of worlds a mode. For more, or for fewer::

    COMPANION_PAIRS=5000 pytest -n logical tests/web/test_two_worlds.py
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from flask import Response, make_response
from markupsafe import Markup

from companion import storage
from companion.modes import MODES, find_mode
from companion.rules import inputs as i
from companion.rules.facts import HOST
from companion.rules.inputs import IllegalInput, refuse
from companion.rules.views import View
from companion.tables import Evening, Running, SeatEvent
from companion.tables.mending import Rehearsal
from companion.tables.rehearsal import replay
from companion.web import access, answers, packing
from companion.web import screens as s
from companion.web.packing import Piece, packed
from companion.web.screens import parts as p
from companion.web.showing import present, telling
from tests.rules.worlds import has_secrets
from tests.web import worlds
from tests.web.calls import CALLS, routes
from tests.web.pairs import Worlds
from tests.web.worlds import Leak

SECRETIVE = [mode for mode in MODES if has_secrets(find_mode(mode))]
ACTS = {"court12": 26}
"""What people do in a pair, where many first deaths tell the worlds apart at once."""
ENOUGH = 200
"""So many pairs a mode show whether games are long enough, and whether everybody is compared."""
PAIRS = int(os.environ.get("COMPANION_PAIRS", ENOUGH))
"""How many a mode, in parts that may run side by side."""
PARTS = 4
KINDS = (
    *("guest", "guest of another table", "spectator", "removed", "asking", "signed out", "table screen"),
    *("host", "host in seat 2", "moderator", "seat 1", "seat 3", "dead seat"),
)
"""Each of these is compared in every part."""
DEEDS = ("/look", "/hero", "/pass", "while held: /withdraw", "death", "turn", "while held: use", "while held: turn")
"""Each of these is done in every part."""


def test_every_route_and_method_is_called() -> None:
    """A new route is compared without anybody remembering: it has to be listed in `calls.CALLS`."""
    assert routes() == set(CALLS)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("mode", SECRETIVE)
def test_what_a_visitor_cannot_know_makes_no_difference(mode: str, part: int, tmp_path: Path) -> None:
    pairs = Worlds(tmp_path)
    pairs.many(mode, range(PAIRS)[part::PARTS], ACTS.get(mode, 20))
    if PAIRS < ENOUGH:
        return
    assert median(pairs.after_death) >= 5
    assert pairs.parted_by, "no two worlds ever parted: the games are too short"
    assert not {kind: pairs.compared[kind] for kind in KINDS if pairs.compared[kind] < PAIRS // PARTS // 5}
    assert not {deed: pairs.done[deed] for deed in DEEDS if pairs.done[deed] < PAIRS // PARTS // 25}


@pytest.mark.parametrize("mode", SECRETIVE)
def test_nothing_that_can_be_called_makes_a_difference_at_any_moment(mode: str, tmp_path: Path) -> None:
    Worlds(tmp_path).all_of_it(mode, seed=3)


@pytest.mark.parametrize("mode", SECRETIVE)
def test_a_silent_rehearsal_of_any_change_makes_no_difference(mode: str, tmp_path: Path) -> None:
    pairs = Worlds(tmp_path)
    pairs.rehearsals(mode, 4)
    assert pairs.compared["host"] > 50


# Planted leaks


def truth(evening: Evening, seat: int) -> str:
    """The role that nobody should be able to tell."""
    assert evening.game is not None
    role = evening.game.table.state.seat(seat).role
    assert role is not None
    return role


def told_by_a_counter(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = telling.Teller.play

    def counting(self: telling.Teller, *args: Any) -> p.Play:
        turns = [entered.seat for entered in self.game.table.inputs if isinstance(entered, i.Turn)]
        rebels = [seat for seat in turns if truth(self.evening, seat) == "rebel"]
        shown = plain(self, *args)
        return replace(shown, number=shown.number + len(rebels))

    monkeypatch.setattr(telling.Teller, "play", counting)


def told_by_a_line_of_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = telling.Teller._entry

    def noting(self: telling.Teller, step: int, entered: i.Input, *args: Any) -> p.Entry:
        shown = plain(self, step, entered, *args)
        is_rebels = isinstance(entered, i.Turn) and truth(self.evening, entered.seat) == "rebel"
        return replace(shown, notes=(*shown.notes, "注意")) if is_rebels else shown

    monkeypatch.setattr(telling.Teller, "_entry", noting)


def told_by_an_early_end(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Running.view

    def ending(self: Running, viewer: int) -> View:
        shown = plain(self, viewer)
        dead = [seat.number for seat in self.table.state.seats if not seat.alive]
        is_over = bool(dead) and self.table.state.seat(2).role == "rebel"
        return replace(shown, state=shown.state._replace(ended=True)) if is_over else shown

    monkeypatch.setattr(Running, "view", ending)


def told_by_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is packed holds the same, and is longer by an empty file for each letter of an identity."""

    def padded(pieces: Iterable[Piece]) -> bytes:
        hidden = [truth(evening, 2) for evening in access.site().tables.evenings(9) if evening.game]
        return packed(pieces) + packed(()) * len("".join(hidden))

    monkeypatch.setattr(packing, "packed", padded)


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
                self._store.set_notes(self.game.row.id, self.game.notes.write())

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


def told_by_the_console(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Evening.record

    def noting(self: Evening, *args: Any, **more: Any) -> None:
        plain(self, *args, **more)
        if self.game and truth(self, 2) == "rebel":
            logging.getLogger("companion").debug("odd")

    monkeypatch.setattr(Evening, "record", noting)


def told_by_a_heros_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is one more version where the person who plays the hero is a rebel."""
    plain = Evening.name_hero

    def counting(self: Evening, seat: int, name: str) -> None:
        plain(self, seat, name)
        if self.game and truth(self, seat) == "rebel":
            with self._changing():
                self._keep(self.game, self.game.notes)

    monkeypatch.setattr(Evening, "name_hero", counting)


def told_during_the_look(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Evening.start_look

    def calling(self: Evening) -> None:
        plain(self)
        if self.game and self.game.notes.look and truth(self, 2) == "rebel":
            self._clock.later(3, self._end_look)

    monkeypatch.setattr(Evening, "start_look", calling)


def told_by_a_refusal_while_a_death_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Evening.record

    def choosy(self: Evening, *args: Any, **more: Any) -> None:
        if self.game and self.game.held and truth(self, 2) == "rebel":
            refuse("paused")
        plain(self, *args, **more)

    monkeypatch.setattr(Evening, "record", choosy)


def told_by_a_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Evening._hold

    def slow(self: Evening, game: Running, draft: storage.Draft, seconds: float) -> None:
        held = i.read(draft.text, game.mode.ruleset.names)
        is_rebels = isinstance(held, i.Death) and truth(self, held.seat) == "rebel"
        plain(self, game, draft, seconds + 0.4 * is_rebels)

    monkeypatch.setattr(Evening, "_hold", slow)


def told_by_a_card_that_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said twice where the person without a phone is a rebel."""
    plain = Evening.open_card

    def loud(self: Evening, person: int, opener: int) -> None:
        plain(self, person, opener)
        seat = self.game.seat_of(person) if self.game else None
        if seat and truth(self, seat) == "rebel":
            with self._changing():
                self._tell(SeatEvent("opened", self.everyone[person].name))

    monkeypatch.setattr(Evening, "open_card", loud)


def told_by_a_skill_that_others_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has no place learns whether the person could use it now."""
    plain = Evening.record

    def truthful(self: Evening, text: str, key: str, by: int | None, **more: Any) -> None:
        if self.game and by is None and text.startswith("use "):
            try:
                self.game.rehearse(i.read(text, self.game.mode.ruleset.names))
            except IllegalInput:
                refuse("paused")
        plain(self, text, key, by, **more)

    monkeypatch.setattr(Evening, "record", truthful)


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
    ("plant", "mode"),
    [
        (told_by_a_counter, "court8"),
        (told_by_a_line_of_the_log, "court8"),
        (told_by_an_early_end, "court8"),
        (told_by_a_size, "court8"),
        (told_by_a_picture, "court8"),
        (told_by_a_header, "court8"),
        (told_by_a_refusal, "court8"),
        (told_by_the_words_of_a_refusal, "court8"),
        (told_by_the_version, "court8"),
        (told_by_the_stream, "court8"),
        (told_by_a_button, "court8"),
        (told_by_the_record, "court8"),
        (told_by_the_console, "court8"),
        (told_by_a_heros_name, "court8"),
        (told_during_the_look, "court8"),
        (told_by_a_refusal_while_a_death_is_held, "court8"),
        (told_by_a_delay, "court8"),
        (told_by_a_card_that_is_opened, "court8"),
        (told_by_a_skill_that_others_try, "sixteen"),
    ],
)
def test_a_planted_leak_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], mode: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):
        Worlds(tmp_path).many(mode, range(40))


def test_worlds_that_part_at_a_clause_that_is_not_marked_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first difference must come from a clause that tells identities apart."""
    found = find_mode("court8")
    silent = {name: replace(clause, declassifies=clause.id != "X4") for name, clause in found.clauses.items()}
    monkeypatch.setattr(worlds, "find_mode", lambda _: replace(found, clauses=silent))
    with pytest.raises(Leak, match=r"can tell by “Revealed .* \[X4\]”"):
        Worlds(tmp_path).many("court8", range(40))

"""From the lobby to the first turn: people tap their places round the ring, look together, say whom they play."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import ceil

from companion import storage
from companion.names import clean
from companion.rules.inputs import refuse
from companion.tables.gathering import Gathering
from companion.tables.house import House
from companion.tables.notes import Notes
from companion.tables.running import Running

LOOK_SECONDS = 10
"""How long everybody looks at the own card after the deal."""


class SettingUp(Gathering):
    """What a table does before play begins."""

    def __init__(self, house: House, row: storage.Table) -> None:
        super().__init__(house, row)
        if self.game and self.game.notes.look and self.game.setting_up == "look" and not self.look_left(self.game):
            # It ended while the server was away: nobody who looked has heard of it.
            self._clock.later(0, self._end_look)

    def load(self) -> None:
        super().load()
        if self.game and (left := self.look_left(self.game)):
            self._clock.later(left, self._end_look)

    # The places, tapped in the direction of play

    @property
    def seating(self) -> tuple[int, ...] | None:
        """Who has tapped a place so far, in this order; None where nobody is asked."""
        asked = self.settings.seating
        return None if asked is None else tuple(one for one in asked if one in {person.id for person in self.people})

    def ask_places(self, asked: bool) -> None:
        """Ask all to tap their places, from the start; or stop asking, and the ring stays as it was."""
        with self._changing():
            self._refuse_while_playing()
            self._keep_seating(() if asked else None)

    def take_place(self, person: int) -> None:
        """The person sits behind those who have tapped before. Once all have, that is the ring. Twice counts once."""
        with self._changing():
            self._refuse_while_playing()
            taken = self.seating
            if taken is None or person in taken:
                return
            if person not in {someone.id for someone in self.people}:
                refuse("no_person")
            taken = (*taken, person)
            self._keep_seating(taken)
            if len(taken) == len(self.people):
                self._set_places(taken)

    def set_places(self) -> None:
        """Let the ring be as it was tapped so far; whoever has not tapped stays at the end."""
        with self._changing():
            self._refuse_while_playing()
            if self.seating is not None:
                self._set_places(self.seating)

    def deal(self) -> None:
        """Deal to the ring as it was tapped so far, if that is going on."""
        with self._changing():
            if self.seating is not None and self.phase != "play":
                self.set_places()
            super().deal()

    def _set_places(self, taken: tuple[int, ...]) -> None:
        self._store.set_ring(self.row.id, taken)
        self._keep_seating(None)

    def _keep_seating(self, taken: tuple[int, ...] | None) -> None:
        self._store.change_table(self.row.id, settings=replace(self.settings, seating=taken).write())

    # The look that everybody takes together

    def start_look(self) -> None:
        """Everybody looks at the own card from now on. Nothing happens where that is not what is to be done now."""
        with self._changing():
            game = self.game
            if game is None or game.notes.look or game.setting_up != "look":
                return
            self._keep(game, replace(game.notes, look=self._clock.now() + LOOK_SECONDS * 1000))
            self._clock.later(self.look_left(game), self._end_look)

    def look_left(self, game: Running) -> int:
        """Whole seconds, rounded up, until everybody covers the card; 0 before the look and after it."""
        if not game.notes.look:
            return 0
        begun = game.notes.look - LOOK_SECONDS * 1000
        return max(0, ceil(LOOK_SECONDS - self._ages.of(("look", game.row.id), begun)))

    def _end_look(self) -> None:
        """Nothing is kept of the end: all screens are told that it has come."""
        with suppress(storage.StoreUnavailable), self._changing():
            if self.game and self.game.notes.look:
                self._keep(self.game, self.game.notes)

    # Who plays whom

    def name_hero(self, seat: int, name: str) -> None:
        """Write down whom the seat plays, for all to read. An empty name changes nothing."""
        with self._changing():
            chosen = clean(name)
            if self.game and self.phase == "play" and chosen and chosen != self.game.notes.heroes.get(seat):
                self._keep(self.game, replace(self.game.notes, heroes={**self.game.notes.heroes, seat: chosen}))

    def _keep(self, game: Running, notes: Notes) -> None:
        game.row = self._store.set_notes(game.row.id, notes.write())

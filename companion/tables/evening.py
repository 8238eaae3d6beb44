"""A game is under way: events are recorded, held for a moment, carried out, taken back."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from math import ceil

from companion import storage
from companion.rules.facts import TABLE
from companion.rules.inputs import Deal, End, Hp, IllegalInput, Input, Leave, Use, refuse, write
from companion.rules.inputs import Death as DeathInput
from companion.rules.inputs import Deaths as DeathsInput
from companion.rules.record import format_game
from companion.tables.house import hash_token, hashed
from companion.tables.mending import Mending
from companion.tables.running import Held, Repeated, Running
from companion.tables.seats import Seats
from companion.tables.setting_up import SettingUp

SAME_EVENT_SECONDS = 10
SHIELD_SECONDS = 5
"""How long a dying lord can be saved by a skill before the record of his death counts (SX-GUARD.1)."""

HELD = (DeathInput, DeathsInput, Leave)
"""Inputs that turn a card for good: they wait for a few seconds before they count."""


class Evening(SettingUp, Seats, Mending):
    """One table, its people and its present game. Whoever reads several things of it does so `reading` it."""

    def load(self) -> None:
        super().load()
        draft = self._store.current_draft(self.game.row.id) if self.game else None
        if self.game and draft:
            self._hold(self.game, draft, (draft.due - draft.at) / 1000)

    def record(self, text: str, key: str, by: int | None, *, again: bool = False) -> None:
        """Enter a line of the record. `key` names the request; `by` is the person who recorded (None: the table).

        A death waits first, and is committed by itself; entered again meanwhile it is the same one. Raises Repeated
        where another event was recorded just so a moment ago and `again` is not set.
        """
        with self._changing():
            game = self._running()
            key = hashed(f"{key} {text}")
            if key in game.log.keys:
                return
            entered = game.mode.ruleset.read(text)
            text = write(entered)
            if game.notes.paused:
                refuse("paused")
            if isinstance(entered, Deal):
                refuse("dealt_twice", "X8")
            if isinstance(entered, Use) and (by is None or game.seat_of(by) != entered.seat):
                refuse("skill_of_another")  # Whatever else were said of it would tell whose skill it is.
            if game.held:
                if game.held.draft.text == text:
                    return
                if not self._may_avert(game, entered):
                    refuse("draft_held")
                game.rehearse(entered)
            if not again and not isinstance(entered, HELD):
                self._ask_if_repeated(game, text, key)
            if pause := self._pause(game, entered):
                game.rehearse(entered)
                now = self._clock.now()
                draft = self._store.hold(game.row.id, text, key, by, now, now + pause * 1000)
                if draft.state == "held":
                    self._hold(game, draft, pause)
                return
            self._enter(game, entered, key, by)

    def _pause(self, game: Running, entered: Input) -> int:
        """Seconds before the input counts. Who may still be saved by a skill gets the time to be saved."""
        if not isinstance(entered, HELD):
            return 0
        saving = isinstance(entered, DeathInput) and entered.seat in self.awaiting(game)
        return max(self.settings.pause, SHIELD_SECONDS if saving else 0)

    def awaiting(self, game: Running) -> tuple[int, ...]:
        """The dying whom a skill may still save, as the table knows them."""
        shield = game.mode.shield
        seats = game.view(TABLE).seats if shield else ()
        return tuple(seat.number for seat in seats if shield and seat.is_dying and seat.role in shield.roles)

    def _may_avert(self, game: Running, entered: Input) -> bool:
        """Whether it is the skill that can save who is about to die."""
        shield, held = game.mode.shield, game.held
        is_shield = shield is not None and isinstance(entered, Use) and entered.skill == shield.skill
        return is_shield and held is not None and isinstance(held.entered, DeathInput)

    def _enter(self, game: Running, entered: Input, key: str, by: int | None) -> None:
        """Let it count, instead of the record that is held, if there is one."""
        # Whose hit points are how many is written down while people set up; anything else says that they have.
        pointer = game.row.pointer if isinstance(entered, Hp) else len(game.cards())
        held = game.held.draft.key if game.held else None
        game.table.feed(entered)
        digest = game.digest(len(game.table.inputs))
        line = storage.Line("input", write(entered), key, by, digest, self._clock.now())
        seq = game.log.last_seq + 1
        self._note(game, self._store.append(game.row.id, seq, line, pointer=pointer, instead_of=held), pointer)
        game.held = None

    def _ask_if_repeated(self, game: Running, text: str, key: str) -> None:
        for entry in reversed(game.standing):
            if self._age(entry) > SAME_EVENT_SECONDS:
                return
            if entry.text == text and entry.key != key:
                raise Repeated(text, self.name(entry.by))

    def _age(self, entry: storage.Entry) -> float:
        """Seconds since it was entered, also if it was entered again when a line before it was changed."""
        return self._ages.of((entry.game, entry.text, entry.at), entry.at)

    def _note(self, game: Running, entry: storage.Entry, pointer: int) -> None:
        self._age(entry)
        game.log.note(entry)
        game.row = replace(game.row, pointer=pointer)

    def _hold(self, game: Running, draft: storage.Draft, seconds: float) -> None:
        deadline = self._clock.seconds() + seconds
        game.held = Held(draft, game.mode.ruleset.read(draft.text), deadline, seconds)
        self._clock.later(seconds, self._commit_in_time)

    def seconds_left(self) -> int:
        """Whole seconds, rounded up, until the record that is held counts; else until the look together ends.

        In a pause the record's stand still.
        """
        if self.game is None:
            return 0
        held = self.game.held
        if held and self.is_paused:
            return ceil(held.total)
        return max(0, ceil(held.deadline - self._clock.seconds())) if held else self.look_left(self.game)

    def _commit_in_time(self) -> None:
        # Nobody is there to be told of a fault. The record stays held; reading it again sets another timer.
        with suppress(storage.StoreUnavailable):
            self.commit_due()

    def commit_due(self) -> None:
        """Commit the record that was held, if its time has come. It is dropped if it no longer fits."""
        with self.lock:
            held = self.game.held if self.game else None
            if not self.game or not held or self.is_paused or self._clock.seconds() < held.deadline - 0.005:
                return
        with self._changing():
            game, key = self.game, held.draft.key
            pointer = len(game.cards())
            try:
                game.table.feed(held.entered)
            except IllegalInput:
                self._drop(game)
                return
            digest, seq, now = game.digest(len(game.table.inputs)), game.log.last_seq + 1, self._clock.now()
            self._note(game, self._store.commit_draft(game.row.id, key, seq, digest, now, pointer=pointer), pointer)
            game.held = None

    def _drop(self, game: Running) -> None:
        assert game.held is not None
        self._store.drop_draft(game.row.id, game.held.draft.key)
        game.held = None

    def withdraw(self, key: str) -> None:
        """Take back the record that is held. Too late: it stands, and undo is the way."""
        with self._changing():
            if self.game and self.game.held and self.game.held.draft.key == key:
                self._drop(self.game)

    def done(self, card: str) -> None:
        """The announcement is carried out, and so are all before it."""
        with self._changing():
            if self.game is None:
                return
            amends = self.amends()
            if amends and card == amends.id and self.game.log.change:
                self.game.log.amended = self.game.log.change.seq
                self._keep(self.game, replace(self.game.notes, amended=self.game.log.amended))
                return
            places = [number for number, told in enumerate(self.game.cards(), 1) if told.id == card]
            if places:
                self.game.row = self._store.set_pointer(self.game.row.id, places[0])

    def end(self, key: str, by: int | None) -> None:
        """End the game without a verdict, also one that the rules no longer allow to go on."""
        with self._changing():
            game = self.game
            if game is None:
                refuse("not_dealt", "X8")
            key = hashed(f"{key} end")
            if key in game.log.keys:
                return
            self._enter(game, End(), key, by)

    # A pause, and who has seen everything

    @property
    def is_paused(self) -> bool:
        """Whether nothing can be recorded until the host lets the game go on."""
        return self.game is not None and self.phase == "play" and self.game.notes.paused

    def pause(self, paused: bool) -> None:
        """Let the game rest, or go on. A record that is held waits its whole time again afterwards."""
        with self._changing():
            if self.game is None or self.phase != "play" or paused == self.is_paused:
                return
            self._keep(self.game, replace(self.game.notes, paused=paused))
            if self.game.held and not paused:
                self._hold(self.game, self.game.held.draft, self.game.held.total)

    def let_see_everything(self, browser: str) -> None:
        """From now on the browser with this token may see all of the running game, and never sits down in it."""
        with self._changing():
            if self.game is None or self.phase != "play":
                refuse("not_dealt", "X8")
            if not self.has_seen_everything(browser):
                seen = (*self.game.notes.moderators, hash_token(browser))
                self._keep(self.game, replace(self.game.notes, moderators=seen))

    def has_seen_everything(self, browser: str) -> bool:
        """Whether the browser with this token has been shown all of the present game."""
        return self.game is not None and hash_token(browser) in self.game.notes.moderators

    def export(self, viewer: int) -> str:
        """The game's record as the viewer may know it."""
        with self.reading():
            if self.game is None:
                refuse("not_dealt", "X8")
            tags = {"Date": time.strftime("%Y-%m-%d", time.localtime(self.game.row.started / 1000))}
            return format_game(self.game.table, viewer, tags, self.names(), self.game.log.comments)

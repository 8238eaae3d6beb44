"""The application: tables are opened, people sit down, identities are dealt, events recorded and taken back.

No HTTP and no SQL. An `Evening` is one table as it is now, kept in memory beside the store; its lock is held by every
method, and by whoever reads several things that must belong together. What is refused raises IllegalInput, whose reason
is worded at the rim.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields, replace
from math import ceil
from random import Random
from typing import Literal

from companion import storage
from companion.live import Signals
from companion.modes import MODES, Mode, find_mode
from companion.names import clean, told_apart
from companion.rules.facts import TABLE
from companion.rules.inputs import Card, Deal, End, IllegalInput, Input, Leave, Use, read, refuse, write
from companion.rules.inputs import Death as DeathInput
from companion.rules.inputs import Deaths as DeathsInput
from companion.rules.record import derived_text, format_game
from companion.rules.ruleset import Options, write_options
from companion.rules.table import Table, play
from companion.rules.views import Announcement, View, view_of

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Letters and digits that are not mistaken for each other when read aloud."""
CODE_LENGTH = 4
MOST_PEOPLE = 16
LONGEST_PAUSE = 10
SAME_EVENT_SECONDS = 10
SHIELD_SECONDS = 5
"""How long a dying lord can be saved by a skill before the record of his death counts (SX-GUARD.1)."""

HELD = (DeathInput, DeathsInput, Leave)
"""Inputs that turn a card for good: they wait for a few seconds before they count."""


Phase = Literal["lobby", "play", "end"]


def hash_token(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Clock:
    """What time it is, and what is to be done later. Another one can be put in its place."""

    def now(self) -> int:
        """Milliseconds since 1970 (UTC)."""
        return time.time_ns() // 1_000_000

    def seconds(self) -> float:
        """Seconds on a clock that nobody sets."""
        return time.monotonic()

    def later(self, seconds: float, action: Callable[[], None]) -> None:
        """Do it after so many seconds, in a thread of its own."""
        timer = threading.Timer(seconds, action)
        timer.daemon = True
        timer.start()


class Repeated(Exception):
    """The same event was recorded a moment ago, by `by` (a name, or None for the table screen)."""

    def __init__(self, text: str, by: str | None) -> None:
        super().__init__(text)
        self.text = text
        self.by = by


@dataclass(frozen=True)
class Settings:
    """What the host sets for the evening. `pause`: seconds (0 to 10) before a death counts; `address`: an IP or "".

    `composition`: the cards that the host chose where the mode is composed, as in a record ("": the mode's own).
    """

    pause: int = 4
    address: str = ""
    composition: str = ""

    @classmethod
    def read(cls, text: str) -> Settings:
        known = json.loads(text or "{}")
        return cls(**{field.name: known[field.name] for field in fields(cls) if field.name in known})

    def write(self) -> str:
        return json.dumps(asdict(self))


@dataclass(frozen=True)
class CardToDo:
    """One clause's announcements of one input, as one card. `id` names it as long as the input stands."""

    id: str
    clause: str
    steps: tuple[Announcement, ...]


@dataclass
class Held:
    """A record that waits. `deadline` is on the monotonic clock, in seconds."""

    draft: storage.Draft
    entered: Input
    deadline: float
    total: float


@dataclass
class Running:
    """One game: its rules, the inputs that stand (`standing[n]` is step n + 1), and what came of them.

    `drifted` lists the steps that give other facts than when they were recorded: the rules have changed since. `lost`
    are the lines from the first that the rules refuse now; such a game can be read and ended, but not continued.
    """

    row: storage.Game
    mode: Mode
    table: Table
    standing: list[storage.Entry] = field(default_factory=list)
    comments: dict[int, list[str]] = field(default_factory=dict)
    drifted: list[int] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    last_seq: int = 0
    held: Held | None = None
    views: dict[int, tuple[Table, View]] = field(default_factory=dict)

    @classmethod
    def load(cls, row: storage.Game, entries: Sequence[storage.Entry]) -> Running:
        """Play a stored game again."""
        mode = find_mode(row.mode)
        running = cls(row, mode, Table(mode.ruleset, row.options))
        for entry in entries:
            running.note(entry)
        logged, running.standing = running.standing, []
        for entry in logged:
            running._replay(entry)
        return running

    def _replay(self, entry: storage.Entry) -> None:
        if not self.lost or entry.text == write(End()):
            try:
                self.table.feed(read(entry.text, self.mode.ruleset.names))
            except IllegalInput:
                pass
            else:
                self.standing.append(entry)
                step = len(self.standing)
                if self.digest(step) != entry.digest:
                    self.drifted.append(step)
                return
        self.lost.append(entry.text)
        self.comments.setdefault(len(self.standing), []).append(f"no longer fits: {entry.text}")

    def note(self, entry: storage.Entry) -> None:
        """Follow the log: an input stands at the end, an undo takes the last one away and leaves a comment."""
        self.last_seq = entry.seq
        self.keys.add(entry.key)
        if entry.kind == "input":
            self.standing.append(entry)
        else:
            undone = self.standing.pop()
            self.comments.setdefault(len(self.standing), []).append(f"undone: {undone.text}")

    def digest(self, step: int) -> str:
        """What is kept to notice that the step's facts have changed."""
        return hashlib.sha256(derived_text(self.table.facts, step).encode()).hexdigest()[:16]

    def rehearse(self, entered: Input) -> None:
        """Raise IllegalInput if the input would be refused now."""
        play(self.mode.ruleset, [*self.table.inputs, entered], self.row.options)

    def seat_of(self, person: int) -> int | None:
        """The seat (from 1) that the person has in this game."""
        return self.row.seats.index(person) + 1 if person in self.row.seats else None

    def cards(self) -> list[CardToDo]:
        """Everything announced so far, one card for each clause of each input, in order."""
        return cards_of(self.view(TABLE), self.mode)

    def view(self, viewer: int) -> View:
        """The game as the viewer (a seat or `TABLE`) may know it now."""
        known = self.views.get(viewer)
        if known is None or known[0] is not self.table:
            view = view_of(self.table, viewer)
        elif known[1].read == len(self.table.facts):
            return known[1]
        else:
            view = view_of(self.table, viewer, known[1])
        self.views[viewer] = self.table, view
        return view


def cards_of(view: View, mode: Mode) -> list[CardToDo]:
    """The view's announcements as cards: those of one input that the same clause makes one after the other.

    What a mode's own instruction says (the steps of its start, for instance) is a card of its own.
    """
    cards: list[CardToDo] = []
    for told in view.announcements:
        is_same = cards and cards[-1].clause == told.clause and cards[-1].steps[0].step == told.step
        if is_same and told.do not in mode.instructions:
            cards[-1] = replace(cards[-1], steps=(*cards[-1].steps, told))
        else:
            count = sum(card.steps[0].step == told.step for card in cards)
            cards.append(CardToDo(f"{told.step}-{count}", told.clause, (told,)))
    return cards


class Evening:
    """One table, its people and its present game. Whoever reads several things of it does so `reading` it."""

    def __init__(self, tables: Tables, row: storage.Table) -> None:
        self.lock = threading.RLock()
        self.row = row
        self.stale = False
        self._tables = tables
        self._store = tables.store
        self._clock = tables.clock
        self.load()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Holds the lock, so that what is read belongs together. Raises StoreUnavailable where nothing is certain."""
        with self.lock:
            if self.stale:
                self.load()
            yield

    def refresh(self) -> None:
        """Read the table's own row and its people again."""
        self.row = self._store.table(self.row.id)
        self.everyone = {person.id: person for person in self._store.people(self.row.id)}
        self.people = [person for person in self.everyone.values() if not person.removed]
        self.settings = Settings.read(self.row.settings)

    def load(self) -> None:
        """Read everything from the store again, and play the present game."""
        self.refresh()
        game = self._store.latest_game(self.row.id)
        self.game = Running.load(game, self._store.read(game.id)) if game else None
        draft = self._store.current_draft(game.id) if game else None
        if self.game and draft:
            self._hold(self.game, draft, (draft.due - draft.at) / 1000)
        self.stale = False

    @property
    def mode(self) -> Mode:
        return find_mode(self.row.mode)

    @property
    def options(self) -> Options:
        return self.mode.ruleset.read_options(self.row.options)

    @property
    def phase(self) -> Phase:
        """`lobby` before the first deal, `play` while a game runs, `end` after it."""
        if self.game is None:
            return "lobby"
        return "end" if self.game.table.state.ended else "play"

    def name(self, person: int | None) -> str | None:
        """The person's name; None for nobody (the table screen)."""
        return self.everyone[person].name if person in self.everyone else None

    def person_by_token(self, token: str) -> storage.Person | None:
        """Whoever sits here with this token."""
        hashed = hash_token(token)
        return next((person for person in self.people if person.token_hash == hashed), None)

    def names(self) -> dict[int, str]:
        """The names of the present game by seat."""
        if self.game is None:
            return {}
        return {seat: self.everyone[person].name for seat, person in enumerate(self.game.row.seats, 1)}

    def new_host(self) -> str:
        """A new host token; whoever held the old one is host no longer."""
        token = secrets.token_urlsafe(24)
        with self._changing():
            self._store.change_table(self.row.id, host_hash=hash_token(token))
        return token

    # Before the deal

    def join(self, name: str, token: str) -> storage.Person:
        """Sit down at the end of the ring. The same token sits down once, however often it asks."""
        with self._changing():
            hashed = hash_token(token)
            seated = self._store.person_by_token(hashed)
            if seated and seated.table == self.row.id and not seated.removed:
                return seated
            chosen = clean(name)
            if not chosen:
                refuse("no_name")
            if len(self.people) >= MOST_PEOPLE:
                refuse("table_full", most=MOST_PEOPLE)
            if self.phase == "play":
                refuse("game_runs")
            if seated:
                self._store.change_person(seated.id, token_hash="")
            key = hashlib.sha256(f"join {hashed} {seated.id if seated else ''}".encode()).hexdigest()
            chosen = told_apart(chosen, (person.name for person in self.people))
            return self._store.add_person(self.row.id, chosen, hashed, key, self._clock.now())

    def move(self, person: int, by: int) -> None:
        """Move somebody `by` places along the ring (-1: towards its start), round the end."""
        with self._changing():
            self._refuse_while_playing()
            ring = [someone.id for someone in self.people]
            if person not in ring:
                refuse("no_person")
            place = (ring.index(person) + by) % len(ring)
            ring.remove(person)
            ring.insert(place, person)
            self._store.set_ring(self.row.id, ring)

    def remove(self, person: int) -> None:
        """Take somebody out of the ring; the phone is a spectator's from then on."""
        with self._changing():
            self._refuse_while_playing()
            if person not in {someone.id for someone in self.people}:
                return
            self._store.change_person(person, removed=True)

    def choose(self, mode: str, options: Mapping[str, str], pause: int) -> None:
        """Set mode, options and the pause before a death counts. Options that the mode lacks are left out."""
        with self._changing():
            self._refuse_while_playing()
            ruleset = find_mode(mode).ruleset
            kept = " ".join(f"{name}={value}" for name, value in options.items() if name in ruleset.options)
            if not 0 <= pause <= LONGEST_PAUSE:
                refuse("not_in_range", found=pause, least=0, most=LONGEST_PAUSE)
            settings = replace(self.settings, pause=pause)
            text = write_options(ruleset.read_options(kept))
            self._store.change_table(self.row.id, mode=mode, options=text, settings=settings.write())

    def choose_address(self, address: str) -> None:
        """Set the address that phones are shown."""
        with self._changing():
            self._store.change_table(self.row.id, settings=replace(self.settings, address=address).write())

    def _refuse_while_playing(self) -> None:
        if self.phase == "play":
            refuse("game_runs")

    @property
    def wanted(self) -> int:
        """The number of people for whom there are cards: that of a composed deal, or the nearest that the mode has."""
        if composed := self._composed():
            return len(composed)
        return self._nearest

    @property
    def _nearest(self) -> int:
        count = len(self.people)
        return min(self.mode.players, key=lambda players: (abs(players - count), players))

    def _composed(self) -> tuple[Card, ...]:
        """The cards that the host chose; none where the mode is not composed or its own are dealt."""
        if not self.mode.composer or not self.settings.composition:
            return ()
        entered = read(f"deal {self.settings.composition}", self.mode.ruleset.names)
        assert isinstance(entered, Deal)
        return entered.cards

    def cards(self) -> tuple[Card, ...]:
        """The cards that would be dealt to so many people as are wanted, by kind; none where there is no such game."""
        if composed := self._composed():
            return composed
        row = self.mode.composition(self.wanted, self.options) or {}
        return tuple(Card(role) for role, count in row.items() for _ in range(count))

    def faults(self) -> list[IllegalInput]:
        """What is wrong with the composition itself, however many people are there."""
        return self.mode.ruleset.check(self.options, self.cards(), False) if self._composed() else []

    def why_not(self) -> list[IllegalInput]:
        """Why the cards cannot be dealt now: the composition, the number of people, the options."""
        mode, count = self.mode, len(self.people)
        if faults := self.faults():
            return faults
        if count not in mode.players:
            return [IllegalInput("players", None, {"mode": mode.id, "found": count, "players": mode.players})]
        if self._composed() and self.wanted != count:
            return [IllegalInput("cards_missing", None, {"cards": self.wanted, "found": count})]
        if not self.cards():
            return [IllegalInput("no_composition", None, {"found": count})]
        return []

    def compose(self, preset: str) -> None:
        """Take the mode's own composition ("basic"), or one at random for the people who are there ("random")."""
        with self._changing():
            self._refuse_while_playing()
            composer = self.mode.composer
            cards: Sequence[Card] = ()
            if composer and preset == "random":
                row = self.mode.composition(self._nearest, self.options) or {}
                cards = composer.settle(composer.draw(row, self._tables.random.choice))
            self._keep_composition(cards)

    def set_count(self, card: str, count: int) -> None:
        """Let so many of the card ("loyalist:red") be dealt, and as many of the others as now."""
        with self._changing():
            self._refuse_while_playing()
            composer = self.mode.composer
            chosen = next((one for one in composer.offers if str(one) == card), None) if composer else None
            if composer is None or chosen is None:
                refuse("unknown_role", found=card[:40])
            most = self.mode.players[-1]
            if not 0 <= count <= most:
                refuse("not_in_range", found=count, least=0, most=most)
            now = composer.settle(self.cards())
            counts = {one: now.count(one) for one in composer.offers} | {chosen: count}
            self._keep_composition([one for one, times in counts.items() for _ in range(times)])

    def _keep_composition(self, cards: Sequence[Card]) -> None:
        text = " ".join(map(str, cards))
        self._store.change_table(self.row.id, settings=replace(self.settings, composition=text).write())

    def deal(self) -> None:
        """Deal identities to everybody in the ring: a new game. While one runs this does nothing (a second tap)."""
        with self._changing():
            if self.phase == "play":
                return
            for refusal in self.why_not():
                raise refusal
            cards, chance = list(self.cards()), self._tables.random
            chance.shuffle(cards)
            first, dealt = self.mode.arrange(cards, chance.choice)
            seats = [person.id for person in self.people]
            self._begin(list(dealt), [*seats[first:], *seats[:first]])

    def _begin(self, cards: list[Card], seats: list[int]) -> None:
        entered, now = Deal(tuple(cards)), self._clock.now()
        rehearsal = Table(self.mode.ruleset, self.row.options)
        rehearsal.feed(entered)
        digest = hashlib.sha256(derived_text(rehearsal.facts, 1).encode()).hexdigest()[:16]
        number = self.game.row.number if self.game else 0
        line = storage.Line("input", write(entered), "deal", None, digest, now)
        version = self.mode.ruleset.version
        key = f"after {number}"
        row = self._store.start_game(self.row.id, self.row.mode, self.row.options, version, seats, [line], key, now)
        self.game = Running.load(row, self._store.read(row.id))

    # While a game runs

    def record(self, text: str, key: str, by: int | None, *, again: bool = False) -> None:
        """Enter a line of the record. `key` names the request; `by` is the person who recorded (None: the table).

        A death waits first, and is committed by itself; entered again meanwhile it is the same one. Raises Repeated
        where another event was recorded just so a moment ago and `again` is not set.
        """
        with self._changing():
            game = self._running()
            key = hashlib.sha256(f"{key} {text}".encode()).hexdigest()
            if key in game.keys:
                return
            entered = read(text, game.mode.ruleset.names)
            text = write(entered)
            if isinstance(entered, Deal):
                refuse("dealt_twice", "X8")
            if isinstance(entered, Use):
                self._refuse_anothers_skill(game, entered, by)
            if game.held:
                if game.held.draft.text == text:
                    return
                if not self._may_avert(game, entered):
                    refuse("draft_held")
                game.rehearse(entered)
                self._drop(game)
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

    def _refuse_anothers_skill(self, game: Running, entered: Use, by: int | None) -> None:
        """A skill is used from its owner's phone, or by a host without a place, to whom every refusal is the same."""
        if by is None:
            try:
                game.rehearse(entered)
            except IllegalInput:
                refuse("skill_not_now")
        elif game.seat_of(by) != entered.seat:
            refuse("skill_of_another")

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
        pointer = len(game.cards())
        game.table.feed(entered)
        digest = game.digest(len(game.table.inputs))
        line = storage.Line("input", write(entered), key, by, digest, self._clock.now())
        game.note(self._store.append(game.row.id, game.last_seq + 1, line, pointer=pointer))
        game.row = replace(game.row, pointer=pointer)

    def _running(self) -> Running:
        if self.game is None:
            refuse("not_dealt", "X8")
        if self.game.lost:
            refuse("rules_changed")
        return self.game

    def _ask_if_repeated(self, game: Running, text: str, key: str) -> None:
        since = self._clock.now() - SAME_EVENT_SECONDS * 1000
        for entry in reversed(game.standing):
            if entry.at < since:
                return
            if entry.text == text and entry.key != key:
                raise Repeated(text, self.name(entry.by))

    def _hold(self, game: Running, draft: storage.Draft, seconds: float) -> None:
        deadline = self._clock.seconds() + seconds
        game.held = Held(draft, read(draft.text, game.mode.ruleset.names), deadline, seconds)
        self._clock.later(seconds, self._commit_in_time)

    def seconds_left(self) -> int:
        """Whole seconds, rounded up, until the record that is held counts."""
        held = self.game.held if self.game else None
        return max(0, ceil(held.deadline - self._clock.seconds())) if held else 0

    def _commit_in_time(self) -> None:
        # Nobody is there to be told of a fault. The record stays held; reading it again sets another timer.
        with suppress(storage.StoreUnavailable):
            self.commit_due()

    def commit_due(self) -> None:
        """Commit the record that was held, if its time has come. It is dropped if it no longer fits."""
        with self.lock:
            held = self.game.held if self.game else None
            if not self.game or not held or self._clock.seconds() < held.deadline - 0.005:
                return
        with self._changing():
            game, key = self.game, held.draft.key
            pointer = len(game.cards())
            try:
                game.table.feed(held.entered)
            except IllegalInput:
                self._drop(game)
                return
            digest, now = game.digest(len(game.table.inputs)), self._clock.now()
            game.note(self._store.commit_draft(game.row.id, key, game.last_seq + 1, digest, now, pointer=pointer))
            game.row = replace(game.row, pointer=pointer)
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
            places = [number for number, told in enumerate(self.game.cards(), 1) if told.id == card]
            if places:
                self.game.row = self._store.set_pointer(self.game.row.id, places[0])

    def undo(self, step: int, key: str, by: int | None) -> None:
        """Take back the last record, if it still is number `step`. The deal itself is not taken back."""
        with self._changing():
            game = self._running()
            key = hashlib.sha256(f"{key} undo".encode()).hexdigest()
            if key in game.keys:
                return
            if game.held:
                refuse("draft_held")
            if step != len(game.standing) or step <= 1:
                return
            shorter = play(game.mode.ruleset, game.table.inputs[:-1], game.row.options)
            pointer = min(game.row.pointer, len(cards_of(view_of(shorter, TABLE), game.mode)))
            line = storage.Line("undo", "", key, by, "", self._clock.now())
            game.note(self._store.append(game.row.id, game.last_seq + 1, line, pointer=pointer))
            game.table, game.row = shorter, replace(game.row, pointer=pointer)

    def end(self, key: str, by: int | None) -> None:
        """End the game without a verdict, also one that the rules no longer allow to go on."""
        with self._changing():
            game = self.game
            if game is None:
                refuse("not_dealt", "X8")
            key = hashlib.sha256(f"{key} end".encode()).hexdigest()
            if key in game.keys:
                return
            if game.held:
                self._drop(game)
            self._enter(game, End(), key, by)

    def export(self, viewer: int) -> str:
        """The game's record as the viewer may know it."""
        with self.reading():
            if self.game is None:
                refuse("not_dealt", "X8")
            tags = {"Date": time.strftime("%Y-%m-%d", time.localtime(self.game.row.started / 1000))}
            return format_game(self.game.table, viewer, tags, self.names(), self.game.comments)

    def _changing(self) -> _Change:
        return _Change(self, self._tables.signals)


class _Change:
    """Holds the evening's lock; afterwards everybody is told if anything changed.

    After a fault (the store was unavailable, say) memory may be ahead of the store: it is read again, at the next
    change at the latest.
    """

    def __init__(self, evening: Evening, signals: Signals) -> None:
        self._evening = evening
        self._signals = signals

    def __enter__(self) -> None:
        self._evening.lock.acquire()
        if self._evening.stale:
            try:
                self._evening.load()
            except BaseException:
                self._evening.lock.release()
                raise

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        evening = self._evening
        try:
            before = evening.row.version
            if kind is not None and not issubclass(kind, IllegalInput | Repeated):
                evening.stale = True
                evening.load()
            else:
                evening.refresh()
            if evening.row.version != before:
                self._signals.publish(evening.row.id, evening.row.version)
        finally:
            evening.lock.release()


class Tables:
    """All tables of this server. `random` deals; it and the clock can be replaced."""

    def __init__(
        self,
        store: storage.Store,
        *,
        random: Random | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.store = store
        self.signals = Signals()
        self.random = random or secrets.SystemRandom()
        self.clock = clock or Clock()
        self._lock = threading.Lock()
        self._evenings: dict[str, Evening] = {}

    def open(self, mode: str = MODES[0]) -> tuple[Evening, str]:
        """A new table, and the token that makes its bearer the host."""
        token = secrets.token_urlsafe(24)
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            try:
                row = self.store.open_table(code, hash_token(token), mode, "", Settings().write(), self.clock.now())
            except storage.CodeTaken:
                continue
            return self.evening(row.code), token

    def evening(self, code: str) -> Evening:
        """The table with this code, in either case. Raises IllegalInput where there is none."""
        code = code.upper()
        with self._lock:
            if code not in self._evenings:
                row = self.store.table_by_code(code) if len(code) <= 2 * CODE_LENGTH else None
                if row is None:
                    refuse("no_table")
                self._evenings[code] = Evening(self, row)
            return self._evenings[code]

    def evenings(self, most: int) -> list[Evening]:
        """The newest tables, newest first."""
        return [self.evening(row.code) for row in self.store.tables()[:most]]

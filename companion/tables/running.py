"""One game: its rules, the inputs that stand, what came of them, and the record that is held for a moment."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from companion import storage
from companion.modes import Mode, find_mode
from companion.modes.loader import SetupStep
from companion.rules.facts import TABLE
from companion.rules.inputs import End, IllegalInput, Input, write
from companion.rules.record import derived_text
from companion.rules.state import State, evolve
from companion.rules.table import Table, play
from companion.rules.views import Announcement, View, told_to, view_of
from companion.tables.log import MISFIT, Log, Note
from companion.tables.notes import Notes

DEAL = 1
"""The step that every game begins with."""


@dataclass(frozen=True)
class CardToDo:
    """One clause's announcements of one input, as one card. `id` names it as long as the input stands.

    A step of setting up is a card of the deal that no clause announces: `setup` is the step, `seats` whom it is for.
    """

    id: str
    clause: str
    steps: tuple[Announcement, ...]
    setup: SetupStep | None = None
    seats: tuple[int, ...] = ()

    @property
    def step(self) -> int:
        """The input that led to it."""
        return self.steps[0].step if self.steps else DEAL

    @property
    def is_of_deal(self) -> bool:
        """Whether it is done before the first turn."""
        return self.step == DEAL


@dataclass
class Held:
    """A record that waits. `deadline` is on the monotonic clock, in seconds."""

    draft: storage.Draft
    entered: Input
    deadline: float
    total: float


@dataclass
class Running:
    """One game: its rules, its log (`standing[n]` is step n + 1), and what came of the inputs that stand.

    `drifted` lists the steps that give other facts than when they were recorded: the rules have changed since. `lost`
    are the lines from the first that the rules refuse now; such a game can be read and ended, but not continued.
    """

    row: storage.Game
    mode: Mode
    table: Table
    log: Log = field(default_factory=Log)
    drifted: list[int] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    held: Held | None = None
    views: dict[int, tuple[Table, View]] = field(default_factory=dict)

    @classmethod
    def load(cls, row: storage.Game, entries: Sequence[storage.Entry]) -> Running:
        """Play a stored game again."""
        mode = find_mode(row.mode)
        running = cls(row, mode, Table(mode.ruleset, row.options), Log(Notes.read(row.notes).amended))
        for entry in entries:
            running.log.note(entry)
        logged, running.log.standing = running.standing, []
        for entry in logged:
            running._replay(entry)
        return running

    def _replay(self, entry: storage.Entry) -> None:
        if not self.lost or entry.text == write(End()):
            try:
                self.table.feed(self.read(entry))
            except IllegalInput:
                pass
            else:
                self.standing.append(entry)
                step = len(self.standing)
                if self.digest(step) != entry.digest:
                    self.drifted.append(step)
                return
        self.lost.append(entry.text)
        self.log.comment(len(self.standing), Note(MISFIT, entry))

    @property
    def standing(self) -> list[storage.Entry]:
        """The inputs that stand."""
        return self.log.standing

    @property
    def notes(self) -> Notes:
        """What is kept of the game beside its log."""
        return Notes.read(self.row.notes)

    def read(self, entry: storage.Entry) -> Input:
        """What the entry's line stands for."""
        return self.mode.ruleset.read(entry.text)

    def digest(self, step: int) -> str:
        """What is kept to notice that the step's facts have changed."""
        return digest_of(self.table, step)

    def rehearse(self, entered: Input) -> None:
        """Raise IllegalInput if the input would be refused now."""
        play(self.mode.ruleset, [*self.table.inputs, entered], self.row.options)

    def seat_of(self, person: int) -> int | None:
        """The seat (from 1) that the person has in this game."""
        return self.row.seats.index(person) + 1 if person in self.row.seats else None

    @property
    def setting_up(self) -> str:
        """The id of the step of setting up that is to be done now; empty where none is."""
        cards = self.cards()[self.row.pointer :]
        return cards[0].setup.id if cards and cards[0].setup else ""

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


def digest_of(table: Table, step: int) -> str:
    """A fingerprint of what the step led to."""
    return hashlib.sha256(derived_text(table.facts, step).encode()).hexdigest()[:16]


def told_cards(table: Table, mode: Mode) -> list[CardToDo]:
    """What was announced to everybody while the game ran: the end, at which all is told, adds nothing."""
    return cards_of(View(TABLE, table.state, told_to(TABLE, table.facts), table.pending), mode)


def cards_of(view: View, mode: Mode) -> list[CardToDo]:
    """The view's announcements as cards: those of one input that the same clause makes one after the other.

    What a mode's own instruction says (the steps of its start, for instance) is a card of its own. The steps of setting
    up stand before and after what the deal announces.
    """
    before, after = (_setup_cards(view, steps) for steps in mode.setup)
    announced = _announced(view, mode)
    of_deal = sum(card.is_of_deal for card in announced)
    return [*before, *announced[:of_deal], *after, *announced[of_deal:]]


def _setup_cards(view: View, steps: Sequence[SetupStep]) -> Iterator[CardToDo]:
    dealt = State()
    for happened in takewhile(lambda it: it.step == DEAL, view.facts):
        dealt = evolve(dealt, happened.fact)
    public = tuple(seat.number for seat in dealt.seats if seat.public)
    for step in steps:
        if not step.public:
            yield CardToDo(f"setup-{step.id}", "", (), step)
        elif public:
            yield CardToDo(f"setup-{step.id}", "", (), step, public)


def _announced(view: View, mode: Mode) -> list[CardToDo]:
    cards: list[CardToDo] = []
    for told in view.announcements:
        is_same = cards and cards[-1].clause == told.clause and cards[-1].step == told.step
        if is_same and told.do not in mode.instructions:
            cards[-1] = replace(cards[-1], steps=(*cards[-1].steps, told))
        else:
            count = sum(card.step == told.step for card in cards)
            cards.append(CardToDo(f"{told.step}-{count}", told.clause, (told,)))
    return cards


class Repeated(Exception):
    """The same event was recorded a moment ago, by `by` (a name, or None for the table screen)."""

    def __init__(self, text: str, by: str | None) -> None:
        super().__init__(text)
        self.text = text
        self.by = by

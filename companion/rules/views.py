"""What one viewer knows of a game: the facts told to that viewer, and what folds from exactly those.

A viewer is a seat (from 1), `TABLE` (everybody without a seat) or `HOST` (a moderator who has no seat).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from companion.rules.facts import HOST, Fact, Happened, Instructed, Learnt, MarksHidden, TrophyTaken, is_told
from companion.rules.state import Seat, State, evolve, known_as
from companion.rules.table import Pending, Table


def facts_for(table: Table, viewer: int) -> list[Happened]:
    """The facts that the viewer may know, in order. Once the game has ended, all of them."""
    if table.state.ended or viewer == HOST:
        return table.facts
    return told_to(viewer, table.facts)


def told_to(viewer: int, facts: list[Happened]) -> list[Happened]:
    """What the viewer is told of these facts, as the viewer is told it."""
    told = (happened for happened in facts if is_told(happened.fact, viewer))
    return [Happened(step, clause, fact.as_told_to(viewer)) for step, clause, fact in told]


@dataclass(frozen=True)
class Announcement:
    """Something that the table must do or see, in the words of the record's contract.

    `step`: the input that led to it. `seat`: whom it is about (None: the whole table). `skill`: the word of a skill
    that was used, or the clause whose standing effect begins or ends; `seats`: whom it was used on, or whose card was
    taken. `up_to`: the most that `n` can be.
    """

    step: int
    seat: int | None
    do: str
    n: int | None
    clause: str
    role: str | None = None
    choices: tuple[str, ...] = ()
    skill: str | None = None
    seats: tuple[int, ...] = ()
    colour: str | None = None
    camp: str | None = None
    up_to: bool = False


@dataclass(frozen=True)
class View:
    """A game as one viewer may know it. Nothing in it was made from facts that the viewer was not told.

    `read` is how many of the table's facts were looked at.
    """

    viewer: int
    state: State
    facts: list[Happened]
    pending: Pending | None
    read: int = field(default=0, repr=False, compare=False)

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.state.seats

    def seat(self, number: int) -> Seat:
        return self.state.seat(number)

    @cached_property
    def announcements(self) -> list[Announcement]:
        """What was announced, in order."""
        return [told for happened in self.facts if (told := announcement(happened))]


def view_of(table: Table, viewer: int, earlier: View | None = None) -> View:
    """The game as the viewer may know it, folded on from that viewer's `earlier` view of the same table."""
    if table.state.ended or viewer == HOST:
        return View(viewer, table.state, table.facts, table.pending, len(table.facts))
    state, facts, read = (earlier.state, earlier.facts, earlier.read) if earlier else (State(), [], 0)
    new = told_to(viewer, table.facts[read:])
    for happened in new:
        state = _believe(state, happened.fact)
    return View(viewer, state, [*facts, *new], table.pending, len(table.facts))


def _believe(state: State, fact: Fact) -> State:
    """Like `evolve`, with what only changes what a viewer knows: another's card that he was told, marks unseen."""
    if isinstance(fact, Learnt):
        return known_as(state, fact.seat, fact.identity)
    if isinstance(fact, MarksHidden):
        return state._replace(seats=tuple(seat._replace(marks=None) for seat in state.seats))
    return evolve(state, fact)


def announcement(happened: Happened) -> Announcement | None:
    """What the fact announces; None for a fact that is only recorded, or that no clause caused."""
    step, clause, fact = happened
    if isinstance(fact, Instructed):
        return Announcement(step, fact.seat, fact.word, fact.n, clause, choices=fact.choices)
    if fact.do is None or not clause:
        return None
    identity = getattr(fact, "identity", None)
    return Announcement(
        step,
        getattr(fact, "seat", None),
        fact.do,
        getattr(fact, "n", None),
        clause,
        role=identity and identity.role,
        colour=identity and identity.colour,
        camp=identity and identity.camp,
        skill=getattr(fact, "skill", None),
        seats=(fact.victim,) if isinstance(fact, TrophyTaken) else getattr(fact, "seats", ()),
        up_to=getattr(fact, "up_to", False),
    )

"""`sixteen`: marks, secret conversion, 起义 (clauses SX-4…). Nothing but 起义 itself shows at the table."""

from __future__ import annotations

from companion.modes.common import always
from companion.modes.sixteen_roles import LORDS, TURBAN, is_disguised, turbans
from companion.rules.common import is_living, living, reveal
from companion.rules.facts import (
    NOBODY,
    Converted,
    Damaged,
    Healed,
    Identity,
    Marked,
    MarksCounted,
    Saved,
    Touched,
    UprisingBegan,
)
from companion.rules.inputs import Touch, refuse
from companion.rules.ruleset import Steps, rule
from companion.rules.state import Seat, State
from companion.rules.table import Table

Touching = Damaged | Healed | Saved | Touched


def touch(table: Table, entered: Touch) -> Steps:
    """Damage or healing that is recorded where hit points are not; of everybody alike (SX-4.1)."""
    if table.has("hp"):
        refuse("touch_with_hp", "SX-4.1")
    if entered.by in (NOBODY, entered.seat):
        refuse("touch_two", "SX-4.1")
    living(table, entered.seat)
    living(table, entered.by)
    yield Touched(entered.seat, entered.by)


def touchers(table: Table, fact: Touching) -> tuple[int, ...]:
    """The living 黄巾 who did it, each once, in the order in which they were entered (X3)."""
    if isinstance(fact, Saved) and not table.has("hp"):
        return ()
    by = fact.by if isinstance(fact, Saved) else (fact.by or NOBODY,)
    return tuple(number for number in by if is_living(table, number) and table.seat(number).role == TURBAN)


@rule("SX-4.1", when=lambda table, fact: bool(touchers(table, fact)))
def mark(table: Table, fact: Touching) -> Steps:
    for by in touchers(table, fact):
        seat = table.state.seat(fact.seat)
        if seat.alive and seat.role != TURBAN:
            yield Marked(seat.number, (seat.marks or 0) + 1, by, told=turbans(table.state))


def is_immune(seat: Seat) -> bool:
    return seat.role in LORDS or is_disguised(seat)


def can_convert(table: Table, marked: Marked) -> bool:
    return marked.marks >= 3 and not table.state.has_risen and not is_immune(table.state.seat(marked.seat))


@rule("SX-4.2", when=can_convert)
def convert(table: Table, marked: Marked) -> Steps:
    yield MarksCounted(((marked.seat, 0),), told=turbans(table.state))
    yield Converted(marked.seat, Identity(TURBAN, table.ruleset.camps[TURBAN]), marked.by)
    yield MarksCounted(all_marks(table.state), told=(marked.seat,))


def all_marks(state: State) -> tuple[tuple[int, int], ...]:
    return tuple((seat.number, seat.marks or 0) for seat in state.seats)


def are_half(state: State) -> bool:
    """Whether the living 黄巾 are at least half of all who began, rounded down."""
    return sum(seat.role == TURBAN for seat in state.living) >= len(state.seats) // 2


@rule("SX-4.4", when=lambda table, converted: are_half(table.state))
def rise_up(table: Table, converted: Converted) -> Steps:
    yield UprisingBegan()
    for seat in table.state.in_order():
        if seat.alive and seat.role == TURBAN:
            yield from reveal(table, seat.number)


@rule("SX-4.5", when=always)
def begin_marks(table: Table, _: None) -> Steps:
    """Nobody has a mark at the start; whoever may see marks sees that."""
    yield MarksCounted(tuple((seat.number, 0) for seat in table.state.seats), told=turbans(table.state))

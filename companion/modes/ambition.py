"""`ambition`: 志向局, 2 to 9 players (clauses AM-…)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.modes.common import all_of, always, died, has_killer
from companion.modes.loader import Behaviour
from companion.rules import common
from companion.rules import inputs as i
from companion.rules.common import living, reveal, source
from companion.rules.facts import (
    Corrected,
    Died,
    Instructed,
    LimitChanged,
    LimitSet,
    ProvincesDiscarded,
    ProvincesSet,
    TrophyTaken,
)
from companion.rules.goals import DRAW, LOSE, WIN, Ending, Grades, everyone, is_alive, is_alone
from companion.rules.inputs import refuse
from companion.rules.ruleset import VERDICT, Begun, Settled, Steps, Together, rule, tier
from companion.rules.state import Seat, State
from companion.rules.table import Table

RESTORER = 1
"""The seat of 匡 (AM-2.4)."""


def is_large(table: Table) -> bool:
    """More than four players began."""
    return len(table.state.seats) > 4


@rule("AM-2.1", when=always)
def declare(table: Table, _: None) -> Steps:
    yield from reveal(table, RESTORER)


@rule("AM-2.2", when=always)
def set_limits(table: Table, _: None) -> Steps:
    for seat in table.state.seats:
        yield LimitSet(seat.number, 4 if seat.number == RESTORER and is_large(table) else 3)


@rule("AM-2.5", when=lambda table, _: table.has("provinces"))
def count_provinces(table: Table, _: None) -> Steps:
    for seat in table.state.seats:
        yield ProvincesSet(seat.number, seat.limit or 0)


@rule("AM-2.3", when=always)
def lay_out(table: Table, _: None) -> Steps:
    yield Instructed(None, "mark_areas")
    yield Instructed(None, "set_aside")
    yield Instructed(None, "draw_each", 4)
    if is_large(table):
        yield Instructed(RESTORER, "draw_another", 1)
    yield Instructed(RESTORER, "show_role_card")
    yield Instructed(None, "lay_face_down")
    yield Instructed(None, "flip_together")


@rule("AM-2.4", when=always)
def draw_hands(table: Table, _: None) -> Steps:
    yield Instructed(None, "draw_hands", 4)
    yield Instructed(RESTORER, "first_turn")


def has_excess(table: Table, change: LimitChanged) -> bool:
    """The seat has more 州 than its limit allows; where they are not counted, it may have after every fall."""
    seat = table.state.seat(change.seat)
    return change.n < 0 if seat.provinces is None else seat.provinces > (seat.limit or 0)


@rule("AM-3.2", when=has_excess)
def discard_excess(table: Table, change: LimitChanged) -> Steps:
    seat = table.state.seat(change.seat)
    yield ProvincesDiscarded(seat.number, None if seat.provinces is None else seat.provinces - (seat.limit or 0))


@rule("AM-4.1", when=always)
def reveal_ambition(table: Table, death: Died) -> Steps:
    yield from reveal(table, death.seat)


@rule("AM-4.3", when=has_killer)
def take_trophy(table: Table, death: Died) -> Steps:
    yield TrophyTaken(death.by, death.seat)


def is_killed_by_restorer(table: Table, death: Died) -> bool:
    return has_killer(table, death) and death.by == RESTORER


@rule("AM-4.4", when=all_of(died("supporter"), is_killed_by_restorer))
def atone(table: Table, death: Died) -> Steps:
    yield Instructed(RESTORER, "lose_all_but_provinces")
    if table.state.seat(RESTORER).limit:
        yield LimitChanged(RESTORER, -1)


@rule("AM-4.5", when=all_of(died("disruptor"), has_killer))
def expand(table: Table, death: Died) -> Steps:
    yield Instructed(death.by, "draw", 1)
    yield LimitChanged(death.by, 1)


@rule("AM-4.6", when=has_killer)
def conquer(table: Table, death: Died) -> Steps:
    yield Instructed(death.by, "settle_conquest")


ORDER = {
    Begun: (tier("AM-2.1"), tier("AM-2.2"), tier("AM-2.5"), tier("AM-2.3"), tier("AM-2.4")),
    LimitChanged: (tier("AM-3.2"),),
    Died: (tier("AM-4.1"), tier(VERDICT), tier("AM-4.3"), tier("AM-4.4"), tier("AM-4.5"), tier("AM-4.6")),
    Settled: (tier(VERDICT),),
}

RULES = (
    declare,
    set_limits,
    count_provinces,
    lay_out,
    draw_hands,
    discard_excess,
    reveal_ambition,
    take_trophy,
    atone,
    expand,
    conquer,
)


def fit(seat: Seat, count: int) -> None:
    """So many 州 must lie between none and the seat's limit (AM-3.1)."""
    if not 0 <= count <= (seat.limit or 0):
        refuse("provinces_range", "AM-3.1", seat=seat.number, found=count, most=seat.limit)


def counted(table: Table, number: int) -> tuple[Seat, int]:
    """The living seat with its 州, which must be counted (AM-2.5)."""
    seat = living(table, number)
    if seat.provinces is None:
        refuse("provinces_off", "AM-2.5")
    return seat, seat.provinces


def set_provinces(table: Table, entered: i.Provinces) -> Steps:
    seat, count = counted(table, entered.seat)
    count = count + entered.n if entered.relative else entered.n
    fit(seat, count)
    yield ProvincesSet(entered.seat, count)


def limited(table: Table, number: int, change: int) -> LimitChanged:
    """The change of a living seat's limit, which must stay a count."""
    limit = (living(table, number).limit or 0) + change
    if not 0 <= limit <= i.MOST:
        refuse("not_in_range", "AM-3.1", found=limit, least=0, most=i.MOST)
    return LimitChanged(number, change)


def change_limit(table: Table, entered: i.Limit) -> Steps:
    yield limited(table, entered.seat, entered.change)


def correct(table: Table, entered: i.Correct) -> Steps:
    """州 and limits as they are at the table; a limit that turns out lower triggers AM-3.2."""
    if entered.what == "limit":
        yield limited(table, entered.seat, entered.value - (living(table, entered.seat).limit or 0))
    elif entered.what == "provinces":
        seat, _ = counted(table, entered.seat)
        fit(seat, entered.value)
        yield Corrected(entered.seat, entered.what, entered.value)
    else:
        yield from common.correct(table, entered)


def save(table: Table, entered: i.Save) -> Steps:
    """Back from 濒亡 (AM-3.3) to so many 州."""
    fit(living(table, entered.seat), entered.n)
    yield from common.save(table, entered)


def die_together(table: Table, entered: i.Deaths) -> Steps:
    """A batch (AM-4.7), by seat: each counts as the deed of whoever lived before it."""
    deaths: dict[int, Died] = {}
    for number, by in sorted(entered.blows):
        seat = living(table, number)
        if number in deaths:
            refuse("named_twice", "AM-4.7", seat=number)
        deaths[number] = Died(number, source(table, by, number), seat.public)
    yield Together(tuple(deaths.values()))


def is_restorer_dead(state: State) -> bool:
    return not is_alive(state, "restorer")


def is_realm_restored(state: State) -> bool:
    return not is_alive(state, "usurper") and not is_alive(state, "disruptor")


RESTORER_WINS, USURPER_WINS, DISRUPTOR_WINS, NOBODY_WINS = range(4)
"""The columns of AM-6."""

GRADES = {
    "restorer": (WIN, LOSE, LOSE, LOSE),
    "supporter": (WIN, LOSE, LOSE, LOSE),
    "supporter, dead": (DRAW, LOSE, LOSE, LOSE),
    "usurper": (LOSE, WIN, LOSE, LOSE),
    "usurper, dead by disruptor": (DRAW, LOSE, LOSE, LOSE),
    "usurper, dead": (LOSE, LOSE, DRAW, LOSE),
    "disruptor": (LOSE, LOSE, WIN, LOSE),
    "disruptor, dead": (LOSE, DRAW, WIN, LOSE),
}
"""AM-6: who is graded how when 匡, 夺, 乱 or nobody wins."""


def graded(column: int) -> Callable[[State], Grades]:
    """The grades of one column of AM-6."""
    return lambda state: {seat.number: GRADES[_row(state, seat)][column] for seat in state.seats}


def _row(state: State, seat: Seat) -> str:
    if seat.alive or seat.role == "restorer":
        return str(seat.role)
    killer = state.seat(seat.killer).role if seat.killer else None
    undone = seat.role == "usurper" and killer == "disruptor"
    return f"{seat.role}, dead by disruptor" if undone else f"{seat.role}, dead"


ENDINGS = (
    Ending("AM-5.1", lambda state: not state.living, everyone(DRAW)),
    Ending("AM-5.2", lambda state: is_alone(state, "usurper"), graded(USURPER_WINS)),
    Ending("AM-5.3", lambda state: is_restorer_dead(state) and is_alive(state, "disruptor"), graded(DISRUPTOR_WINS)),
    Ending("AM-5.4", is_restorer_dead, graded(NOBODY_WINS)),
    Ending("AM-5.5", is_realm_restored, graded(RESTORER_WINS)),
)

INPUTS: Mapping[type, Callable[..., Steps]] = {
    i.Provinces: set_provinces,
    i.Limit: change_limit,
    i.Correct: correct,
    i.Save: save,
    i.Deaths: die_together,
}

BEHAVIOURS = {
    "ambition": Behaviour(
        ORDER,
        RULES,
        ENDINGS,
        composition="AM-1",
        headcount="AM-1.2",
        seat_1=("restorer", "AM-2.4"),
        inputs=INPUTS,
    ),
}

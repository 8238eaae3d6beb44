"""How a game is decided: ordered endings, each with the clause that says so and a grade for every seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.rules.state import Seat, State

WIN, DRAW, LOSE = "win", "draw", "lose"

Grades = dict[int, str]
"""A grade by seat."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The game is over by `clause` once `when` holds; `grades` then gives every seat its grade.

    `when` can come to hold only by a change of the seats: it is not asked again while they are as they were.
    """

    clause: str
    when: Callable[[State], bool]
    grades: Callable[[State], Grades]


def verdict(endings: tuple[Ending, ...], state: State) -> Ending | None:
    """The first ending that holds, or None while the game goes on."""
    return next((ending for ending in endings if ending.when(state)), None)


def living_camps(state: State) -> set[str | None]:
    """The camps that have a living member."""
    return {seat.identity.camp for seat in state.seats if seat.alive and seat.identity}


def is_alive(state: State, role: str) -> bool:
    """Whether anybody with this role lives."""
    return any(seat.alive and seat.role == role for seat in state.seats)


def is_alone(state: State, role: str) -> bool:
    """Whether a seat with this role is the only one alive."""
    return [seat.role for seat in state.living] == [role]


def won_by(has_won: Callable[[Seat], bool]) -> Callable[[State], Grades]:
    """Grades by which the seats that `has_won` picks win, dead or alive, and all others lose (X6)."""
    return lambda state: {seat.number: WIN if has_won(seat) else LOSE for seat in state.seats}


def camp_wins(camp: str) -> Callable[[State], Grades]:
    """Grades by which the camp's members win by their final identity, dead or alive, and all others lose (X6)."""
    return won_by(lambda seat: seat.camp == camp)


def won_alone(state: State) -> tuple[str | None, str | None]:
    """The camp whose members alone won the ended game, and their colour where that tells them from others of the camp.

    Whoever departed with a grade of their own does not count.
    """
    won = [seat for seat in state.seats if seat.grade == WIN and not seat.departed]
    camps = {seat.camp for seat in won}
    if len(camps) != 1:
        return None, None
    (camp,) = camps
    colours = {seat.identity.colour for seat in state.seats if seat.camp == camp and seat.identity}
    return camp, won[0].identity.colour if won[0].identity and len(colours) > 1 else None


def everyone(grade: str) -> Callable[[State], Grades]:
    """Grades by which all seats get the same."""
    return lambda state: {seat.number: grade for seat in state.seats}

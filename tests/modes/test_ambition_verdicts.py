"""`ambition`: AM-5 and AM-6 for every number of players, both branches, all survivors and killers of 夺."""

from collections.abc import Iterator
from itertools import product

import pytest

from companion.modes import find_mode
from companion.modes.ambition import ENDINGS
from companion.rules.facts import Identity
from companion.rules.goals import verdict
from companion.rules.state import Seat, State

MODE = find_mode("ambition")
COMPOSITIONS = [
    pytest.param(
        [role for role, count in row.roles.items() for _ in range(count)],
        id="-".join([str(row.players), *row.options.values()]),
    )
    for row in MODE.compositions
]

COLUMNS = ["AM-5.5", "AM-5.2", "AM-5.3", "AM-5.4", "AM-5.1"]
TABLE = {
    # AM-6 as the rulebook has it: 匡 wins, 夺 wins, 乱 wins, nobody, draw. "-" cannot come up.
    "restorer alive": "win - - - -",
    "restorer dead": "- lose lose lose draw",
    "supporter alive": "win - lose lose -",
    "supporter dead": "draw lose lose lose draw",
    "usurper alive": "- win lose lose -",
    "usurper dead by disruptor": "draw lose lose lose draw",
    "usurper dead by another": "lose lose draw lose draw",
    "disruptor alive": "- - win - -",
    "disruptor dead": "lose draw win lose draw",
}


def situations(roles: list[str]) -> Iterator[State]:
    """Every set of survivors; dead 夺 undone by 乱, by 匡 and by nobody."""
    killers = [roles.index("disruptor") + 1, 1, 0]
    for alive in product([True, False], repeat=len(roles)):
        dead_usurpers = [n for n, role in enumerate(roles) if role == "usurper" and not alive[n]]
        for deeds in product(killers, repeat=len(dead_usurpers)):
            killer = dict(zip(dead_usurpers, deeds, strict=True))
            yield State(
                tuple(
                    Seat(n + 1, Identity(role, role), alive=alive[n], killer=None if alive[n] else killer.get(n, 0))
                    for n, role in enumerate(roles)
                )
            )


def deciding_clause(state: State) -> str | None:
    """AM-5 in other words than the mode's own."""
    left = sorted(str(seat.role) for seat in state.living)
    if "restorer" in left:
        return None if {"usurper", "disruptor"} & set(left) else "AM-5.5"
    if not left:
        return "AM-5.1"
    if left == ["usurper"]:
        return "AM-5.2"
    return "AM-5.3" if "disruptor" in left else "AM-5.4"


def row(state: State, seat: Seat) -> str:
    if seat.alive:
        return f"{seat.role} alive"
    if seat.role != "usurper":
        return f"{seat.role} dead"
    by_disruptor = bool(seat.killer) and state.seat(seat.killer or 0).role == "disruptor"
    return f"{seat.role} dead by {'disruptor' if by_disruptor else 'another'}"


@pytest.mark.parametrize("roles", COMPOSITIONS)
def test_every_situation_is_judged_and_graded(roles: list[str]) -> None:
    for state in situations(roles):
        ending = verdict(ENDINGS, state)
        clause = deciding_clause(state)
        assert (ending and ending.clause) == clause, state
        if ending and clause:
            column = COLUMNS.index(clause)
            expected = {seat.number: TABLE[row(state, seat)].split()[column] for seat in state.seats}
            assert ending.grades(state) == expected, state


def test_every_cell_of_the_table_comes_up() -> None:
    met = set()
    for composition in COMPOSITIONS:
        roles = composition.values[0]
        assert isinstance(roles, list)
        for state in situations(roles):
            if clause := deciding_clause(state):
                met |= {(row(state, seat), clause) for seat in state.seats}
    cells = {(name, COLUMNS[at]) for name, grades in TABLE.items() for at, grade in enumerate(grades.split())}
    impossible = {
        (name, COLUMNS[at]) for name, grades in TABLE.items() for at, g in enumerate(grades.split()) if g == "-"
    }
    assert met == cells - impossible


def test_no_deal_is_won_before_it_begins() -> None:
    for composition in COMPOSITIONS:
        roles = composition.values[0]
        assert isinstance(roles, list)
        assert verdict(ENDINGS, next(situations(roles))) is None

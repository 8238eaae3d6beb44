"""Who wins in `sixteen` once the lords are gone, against a table written out from the rulebook (SX-7)."""

from itertools import product

import pytest

from companion.modes.sixteen_verdicts import ENDINGS
from companion.rules.facts import Identity
from companion.rules.goals import verdict
from companion.rules.state import Seat, State


def seat(number: int, role: str, alive: bool, **more: int | None) -> Seat:
    camp = {"lord": "royal", "loyalist": "royal", "strategist": "rebel"}.get(role, role)
    return Seat(number, Identity(role, camp, "red" if camp == "royal" else None), alive=alive, **more)  # type: ignore[arg-type]


def expected(rebel: bool, turban: bool, renegades: int, emperor: bool, after_lord: bool, contract: bool) -> str | None:
    """Read off the rulebook: who is alive beside 刺客, with no lord kind among them."""
    if rebel:
        return None if turban or emperor else "SX-7.2"
    if turban:
        return None if renegades or emperor else "SX-7.3"
    if renegades + emperor == 1 and after_lord:
        return "SX-7.4"
    return None if contract else "SX-7.5"


@pytest.mark.parametrize(
    ("rebel", "turban", "renegades", "emperor", "after_lord", "assassin"),
    list(product((False, True), (False, True), (0, 1, 2), (False, True), (False, True), (None, "open", "none"))),
)
def test_no_lord_lives(
    rebel: bool, turban: bool, renegades: int, emperor: bool, after_lord: bool, assassin: str | None
) -> None:
    seats = [seat(1, "lord", False), seat(2, "strategist", rebel), seat(3, "yellow_turban", turban)]
    seats += [seat(4, "renegade", renegades > 0), seat(5, "renegade", renegades > 1), seat(6, "false_emperor", emperor)]
    others = [one.number for one in seats if one.alive]
    target = others[0] if others and assassin == "open" else None
    seats.append(seat(7, "assassin", assassin is not None, target=target))
    state = State(seats=tuple(seats), last_dead=1 if after_lord else 7)
    ending = verdict(ENDINGS, state)
    contract = target is not None
    assert (ending and ending.clause) == expected(rebel, turban, renegades, emperor, after_lord, contract)
    if ending:
        grades = ending.grades(state)
        winners = {
            "SX-7.2": {2},
            "SX-7.3": {3},
            "SX-7.4": {one.number for one in seats if one.alive and one.role != "assassin"},
            "SX-7.5": set(),
        }[ending.clause]
        assert {number for number, grade in grades.items() if grade == "win"} == winners
        assert set(grades) == set(range(1, 8))


@pytest.mark.parametrize("enemy", ["strategist", "renegade", "yellow_turban", "false_emperor", "assassin"])
@pytest.mark.parametrize("lives", [False, True])
def test_a_lord_lives(enemy: str, lives: bool) -> None:
    """SX-7.1: everybody but a living 刺客 blocks the victory."""
    state = State(seats=(seat(1, "lord", True), seat(2, "loyalist", False), seat(3, enemy, lives, target=1)))
    ending = verdict(ENDINGS, state)
    assert (ending is None) == (lives and enemy != "assassin")
    assert not ending or ending.grades(state) == {1: "win", 2: "win", 3: "lose"}


def test_colours_are_enemies() -> None:
    """SX-7.1: the other colour blocks the victory, and loses it."""
    blue = Seat(2, Identity("lord", "royal", "blue"))
    both = State(seats=(seat(1, "lord", True), blue))
    assert verdict(ENDINGS, both) is None
    red = State(seats=(seat(1, "lord", True), blue._replace(alive=False)))
    ending = verdict(ENDINGS, red)
    assert ending
    assert ending.grades(red) == {1: "win", 2: "lose"}

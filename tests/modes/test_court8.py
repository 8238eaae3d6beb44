"""`court8` against the rulebook's table of verdicts, written here once more: all 32 combinations of who is alive."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

import pytest

from companion.modes import find_mode
from companion.rules import inputs as i
from companion.rules.goals import verdict
from companion.rules.table import Table
from tests.rules.games import caused, played

MODE = find_mode("court8")
ROLES = ("lord", "crown_prince", "loyalist", "rebel_chief", "rebel", "rebel", "rebel", "renegade")
SIDES = "MCZRRRRN"
"""By seat: M 主公, C 储君, Z 忠臣, R rebel camp, N 内奸."""
DEAL = "deal " + " ".join(ROLES) + ";"

WINNERS = {"C8-V0": "", "C8-V1": "R", "C8-V2": "N", "C8-V3": "MCZ"}


def decided(alive: frozenset[str]) -> str | None:
    """The rulebook's table of verdicts for the sides that have a living member."""
    if not alive:
        return "C8-V0"
    if "M" not in alive and "C" not in alive and "R" in alive:
        return "C8-V1"
    if alive == {"N"}:
        return "C8-V2"
    if "R" not in alive and "N" not in alive:
        return "C8-V3"
    return None


COMBINATIONS = [
    frozenset(s for s, there in zip("MCZRN", bits, strict=True) if there) for bits in product((1, 0), repeat=5)
]


def sides_of(dead: frozenset[int]) -> frozenset[str]:
    return frozenset(side for seat, side in enumerate(SIDES, 1) if seat not in dead)


def reachable() -> dict[frozenset[int], tuple[int, ...]]:
    """For every set of dead seats to which an undecided game leads by one more death: an order of these deaths.

    The plain rebels differ in nothing, so they die in the order of their seats.
    """
    found: dict[frozenset[int], tuple[int, ...]] = {frozenset(): ()}
    todo = [frozenset[int]()]
    while todo:
        dead = todo.pop()
        if decided(sides_of(dead)):
            continue
        plain = [seat for seat in (5, 6, 7) if seat not in dead][:1]
        for seat in {1, 2, 3, 4, 8, *plain} - dead:
            if dead | {seat} not in found:
                found[dead | {seat}] = (*found[dead], seat)
                todo.append(dead | {seat})
    return found


def after(deaths: tuple[int, ...], leaving: bool) -> Table:
    table = Table(MODE.ruleset)
    table.feed(i.Deal(tuple(i.Card(role) for role in ROLES)))
    for seat in deaths:
        table.feed(i.Leave(seat) if leaving else i.Death(seat, 0))
    return table


@pytest.mark.parametrize("leaving", [False, True], ids=["death", "leave"])
def test_every_set_of_dead_to_which_a_game_leads(leaving: bool) -> None:
    for dead, deaths in reachable().items():
        table, clause = after(deaths, leaving), decided(sides_of(dead))
        assert table.state.verdict == clause, deaths
        assert table.state.ended == bool(clause)
        grades = ["win" if side in WINNERS[clause] else "lose" for side in SIDES] if clause else [None] * 8
        assert [seat.grade for seat in table.state.seats] == grades


def test_all_combinations_are_reached_or_proved_unreachable() -> None:
    """The unreachable ones have no undecided predecessor that is reachable: one death lowers one letter at most."""
    reached = {sides_of(dead) for dead in reachable()}
    assert len(COMBINATIONS) == 32
    unreachable = set(COMBINATIONS) - reached
    for combination in unreachable:
        before = [combination | {side} for side in "MCZRN" if side not in combination]
        assert all(decided(sides) or sides in unreachable for sides in before), sorted(combination)
    assert unreachable == {frozenset()}, "only nobody alive: whoever is last alive has won before"


@pytest.mark.parametrize("alive", COMBINATIONS, ids=lambda sides: "".join(sorted(sides)) or "nobody")
def test_the_endings_decide_every_combination_as_the_table_says(alive: frozenset[str]) -> None:
    state = after((), leaving=False).state
    seats = tuple(seat._replace(alive=SIDES[seat.number - 1] in alive) for seat in state.seats)
    ending = verdict(MODE.ruleset.endings, state._replace(seats=seats))
    assert (ending and ending.clause) == decided(alive)
    if ending:
        wanted = {s: "win" if side in WINNERS[ending.clause] else "lose" for s, side in enumerate(SIDES, 1)}
        assert ending.grades(state) == (dict.fromkeys(wanted, "draw") if ending.clause == "C8-V0" else wanted)


def announced(dead: list[int], victim: int, killer: int, stepped: set[int]) -> Iterator[str]:
    """What a death leads to, from the rulebook's Order. `dead` holds the victim; `stepped` who has stepped forward."""
    role, living = ROLES[victim - 1], sides_of(frozenset(dead))
    lords = [seat for seat in (1, 2) if seat not in dead]
    yield f"Died {victim} by {killer or '-'}"
    if victim not in stepped:
        yield f"Revealed {victim} {role} [X4]"
    if clause := decided(living):
        grades = ",".join(f"{s}={'win' if side in WINNERS[clause] else 'lose'}" for s, side in enumerate(SIDES, 1))
        yield f"Ended {clause} {grades} [{clause}]"
        return
    if role in ("crown_prince", "loyalist") and killer and killer in lords[:1]:
        yield f"Instructed {killer} discard_all [C8-LORD.2]"
    if role == "lord" and 2 not in dead:
        yield from steps_forward(2, "C8-PRINCE.1", "lord_skill")
    if role == "rebel_chief" and killer:
        yield f"Instructed {killer} draw 5 [C8-CHIEF.2]"
    if role == "rebel" and killer:
        yield f"Instructed {killer} draw 3 [C8-REBEL.1]"
    if role in ("lord", "rebel") and 4 not in dead and 4 not in stepped:
        yield from steps_forward(4, "C8-CHIEF.1", "lord_skill")
    if (role == "lord" or "R" not in living) and 8 not in dead and 8 not in stepped:
        yield from steps_forward(8, "C8-REN.1", "draw 3", "extra_turn")


def steps_forward(seat: int, clause: str, *words: str) -> Iterator[str]:
    for said in (f"Revealed {seat} {ROLES[seat - 1]}", f"MaxHpChanged {seat} 1", f"Healed {seat} 1"):
        yield f"{said} [{clause}]"
    for word in words:
        yield f"Instructed {seat} {word} [{clause}]"


def test_every_death_leads_to_what_the_rulebook_orders() -> None:
    """From every reachable undecided game: every victim, killed by everybody and by nobody."""
    tried = 0
    for dead, deaths in reachable().items():
        if decided(sides_of(dead)):
            continue
        for victim in set(range(1, 9)) - dead:
            for killer in {0, 1, 2, 8} - {victim}:
                table = after(deaths, leaving=False)
                stepped = {seat.number for seat in table.state.seats if seat.public}
                table.feed(i.Death(victim, killer))
                counts = 0 if killer in dead else killer
                found = [str(h) for h in table.facts if h.step == len(table.inputs)]
                wanted = list(announced([*dead, victim], victim, counts, stepped))
                assert [text for text in found if not text.startswith("DyingBegan")] == wanted, (deaths, victim, killer)
                tried += 1
    assert tried > 1000


def test_the_camps_of_any_seating_decide_alike() -> None:
    """Who wins depends on who is what, not on where anybody sits."""
    for places in list(permutations(range(2, 9)))[::701]:
        roles = ["lord", *(ROLES[place - 1] for place in places)]
        text = f"deal {' '.join(roles)}; " + "; ".join(
            f"leave {roles.index(role) + 1}" for role in ("crown_prince", "lord")
        )
        assert played("court8", text).state.verdict == "C8-V1"


def test_nobody_else_than_eight_may_play() -> None:
    for players in (*range(1, 8), *range(9, 13)):
        cards = [i.Card(role) for role in (*ROLES, "rebel", "rebel", "rebel", "rebel")[:players]]
        [refusal] = MODE.ruleset.check(MODE.ruleset.read_options(""), cards, False)
        assert refusal.reason == "players"
    assert MODE.refusal, "why 9 to 11 are refused"


def test_case_22_a_loyalist_against_the_renegade_goes_on() -> None:
    table = played("court8", f"{DEAL} leave 4; leave 5; leave 6; leave 7; leave 1; leave 2")
    assert not table.state.ended
    assert [seat.number for seat in table.state.living] == [3, 8]


def test_case_23_a_chief_who_is_the_first_rebel_to_die() -> None:
    table = played("court8", f"{DEAL} death 4 by 8; death 5 by 8; death 1 by 6")
    assert caused(table, "C8-CHIEF.2") == ["Instructed 8 draw 5"]
    assert caused(table, "C8-CHIEF.1") == []

"""`classic` against an account of its rules that shares no code with it: every small game, and big ones at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random

import pytest

from companion.modes import find_mode
from companion.rules import inputs as i
from companion.rules.table import Table
from tests.rules.games import played

COMPOSITIONS = {
    (2, False): "lord rebel",
    (3, False): "lord rebel renegade",
    (4, False): "lord loyalist rebel renegade",
    (5, False): "lord loyalist rebel rebel renegade",
    (6, False): "lord loyalist rebel rebel rebel renegade",
    (6, True): "lord loyalist rebel rebel renegade renegade",
    (7, False): "lord loyalist loyalist rebel rebel rebel renegade",
    (8, False): "lord loyalist loyalist rebel rebel rebel rebel renegade",
    (8, True): "lord loyalist loyalist rebel rebel rebel renegade renegade",
    (9, False): "lord loyalist loyalist loyalist rebel rebel rebel rebel renegade",
    (10, False): "lord loyalist loyalist loyalist rebel rebel rebel rebel rebel renegade",
    (10, True): "lord loyalist loyalist loyalist rebel rebel rebel rebel renegade renegade",
}

Roles = Sequence[str]
Death = tuple[int, int]
"""Who died, and by whom (0: nobody)."""


def outcome(roles: Roles, dead: set[int]) -> tuple[str, set[int]] | None:
    """The deciding clause and the winning seats; None while the game goes on."""
    alive = {seat for seat in range(1, len(roles) + 1) if seat not in dead}

    def of(*wanted: str) -> set[int]:
        return {seat for seat, role in enumerate(roles, 1) if role in wanted}

    if 1 in dead:
        if len(alive) == 1 and alive <= of("renegade"):
            return "CL-4.1", alive
        return "CL-4.2", of("rebel")
    if not alive & of("rebel", "renegade"):
        return "CL-4.3", of("lord", "loyalist")
    return None


def announced(roles: Roles, dead: set[int], death: Death, hidden: bool) -> list[str]:
    """What the last of these deaths leads to; `dead` holds the victim too."""
    victim, killer = death
    killer = 0 if killer in dead else killer
    said = [f"Died {victim} by {killer or '-'}"]
    if not hidden and victim != 1:
        said.append(f"Revealed {victim} {roles[victim - 1]} [X4]")
    if end := outcome(roles, dead):
        clause, winners = end
        grades = ",".join(f"{seat}={'win' if seat in winners else 'lose'}" for seat in range(1, len(roles) + 1))
        said.append(f"Ended {clause} {grades} [{clause}]")
    elif killer and not hidden:
        if roles[victim - 1] == "rebel":
            said.append(f"Instructed {killer} draw 3 [CL-3]")
        elif roles[victim - 1] == "loyalist" and killer == 1:
            said.append("Instructed 1 discard_all [CL-3]")
    return said


def deals(players: int) -> list[Roles]:
    """Every deal that differs in who is what, the Lord in seat 1."""
    lord, *others = COMPOSITIONS[players, False].split()
    return [(lord, *rest) for rest in sorted(set(permutations(others)))]


def undecided(roles: Roles, dead: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every order in which people can have died without deciding the game."""
    if outcome(roles, set(dead)):
        return
    yield dead
    for victim in range(1, len(roles) + 1):
        if victim not in dead:
            yield from undecided(roles, (*dead, victim))


def table_of(roles: Roles, options: str = "") -> Table:
    table = Table(find_mode("classic").ruleset, options)
    table.feed(i.Deal(tuple(i.Card(role) for role in roles)))
    return table


def die(table: Table, roles: Roles, death: Death) -> None:
    """Enter the death and compare what it leads to with `announced`."""
    table.feed(i.Death(*death))
    dead = {seat.number for seat in table.state.seats if not seat.alive}
    found = [str(happened) for happened in table.facts if happened.step == len(table.inputs)]
    hidden = table.has("hidden_dead")
    assert [text for text in found if not text.startswith("DyingBegan")] == announced(roles, dead, death, hidden)
    assert table.state.ended == bool(outcome(roles, dead))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_small_game(players: int) -> None:
    """Every deal (of five: every sixth, the others differ by seat only), order of deaths, and killer of the last.

    Neither what is decided nor who gets what depends on who killed earlier victims, so these get killers at random.
    """
    rng, tried = Random(players), 0
    different = deals(players)
    for roles in different if players < 5 else different[::6]:
        for dead in undecided(roles):
            for victim in set(range(1, players + 1)) - set(dead):
                for killer in range(players + 1):
                    table = table_of(roles)
                    for earlier in dead:
                        die(table, roles, (earlier, rng.randint(0, players)))
                    die(table, roles, (victim, killer))
                    tried += 1
    assert tried >= {2: 6, 3: 56, 4: 600, 5: 1100}[players]


@pytest.mark.parametrize(("players", "double"), [key for key in COMPOSITIONS if key[0] > 5])
@pytest.mark.parametrize("hidden", [False, True], ids=["shown", "hidden_dead"])
def test_big_games_at_random(players: int, double: bool, hidden: bool) -> None:
    rng = Random(players + double)
    for _ in range(25):
        lord, *others = COMPOSITIONS[players, double].split()
        roles = (lord, *rng.sample(others, len(others)))
        table = table_of(roles, "double=on " * double + "hidden_dead=on" * hidden)
        while not table.state.ended:
            alive = [seat.number for seat in table.state.living if seat.number > 1 or rng.random() < 0.3]
            if alive:
                die(table, roles, (rng.choice(alive), rng.randint(0, players)))


def test_the_compositions_are_these_and_no_others() -> None:
    mode = find_mode("classic")
    assert mode.players == tuple(range(2, 11))
    for players in mode.players:
        for double in (False, True):
            options = mode.ruleset.read_options("double=on" if double else "")
            found = mode.composition(players, options)
            wanted = COMPOSITIONS.get((players, double))
            assert found == (wanted and {role: wanted.split().count(role) for role in wanted.split()})


FIVE = "deal lord loyalist rebel rebel renegade;"


def test_case_25_the_lord_pays_for_a_loyalist_and_nobody_gains_by_nobodys_deed() -> None:
    table = played("classic", f"{FIVE} death 2 by 1")
    assert "Instructed 1 discard_all [CL-3]" in map(str, table.facts)
    table = played("classic", f"{FIVE} death 3 by -")
    assert [str(happened) for happened in table.facts if happened.step == 2][1:] == [
        "Died 3 by -",
        "Revealed 3 rebel [X4]",
    ]


def test_case_26_the_lord_dies_before_the_renegade_or_before_a_loyalist_as_well() -> None:
    last_two = played("classic", f"{FIVE} death 2 by 3; death 3 by 1; death 4 by 1; death 1 by 5")
    assert (last_two.state.verdict, last_two.state.seat(5).grade) == ("CL-4.1", "win")
    three = played("classic", f"{FIVE} death 3 by 1; death 4 by 1; death 1 by 5")
    assert three.state.verdict == "CL-4.2"
    assert [seat.grade for seat in three.state.seats] == ["lose", "lose", "win", "win", "lose"]

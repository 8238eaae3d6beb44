"""`court12`: every combination of living camps is reached in a game, or cannot come about in any."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import permutations, product

import pytest

from companion.modes import find_ruleset
from companion.rules.facts import Identity
from companion.rules.goals import verdict
from companion.rules.inputs import Answer, Leave
from companion.rules.state import Seat, State
from companion.rules.table import Table
from tests.modes.test_court12 import court

CAMPS = {"M": (1,), "C": (2,), "Z": (3, 4), "X": (5, 6), "R": (7, 8, 9, 10, 11), "N": (12,)}
"""主公, 储君, 忠臣, 佞臣, the rebel camp, the renegade's camp, and the seats where they sit."""

COMBINATIONS = ["".join(living) for living in product(*((letter, "-") for letter in CAMPS))]

ENDED = {
    "C12-V1": ["--..R."],
    "C12-V2": ["--..-N"],
    "C12-V3": ["--..--"],
    "C12-V4": ["M..---", "-C.---"],
    "C12-V5": ["M--X--", "-C-X--"],
}
"""The combinations that end the game, `.` for either; the others go on."""

WINNERS = {"C12-V1": "R", "C12-V2": "N", "C12-V3": "", "C12-V4": "MCZ", "C12-V5": "X"}

UNREACHABLE = {"------", "--Z---", "---X--"}
"""Nobody, loyalists alone, ministers alone: whoever died last left a combination at which the game was over."""

IDENTITIES = {
    "M": Identity("lord", "royal"),
    "C": Identity("crown_prince", "royal"),
    "Z": Identity("chancellor", "royal"),
    "X": Identity("eunuch", "sycophant"),
    "R": Identity("rebel_chief", "rebel"),
    "N": Identity("renegade", "renegade"),
}


def fits(combination: str, pattern: str) -> bool:
    return all(wanted in (".", found) for found, wanted in zip(combination, pattern, strict=True))


def expected(combination: str) -> str | None:
    """What the rulebook's table says of the combination."""
    return next((clause for clause, rows in ENDED.items() if any(fits(combination, row) for row in rows)), None)


def judged(combination: str) -> str | None:
    """What the endings say where nobody else lives."""
    living = [IDENTITIES[letter] for letter in combination if letter != "-"]
    state = State(tuple(Seat(number, identity) for number, identity in enumerate(living, 1)))
    ending = verdict(find_ruleset("court12").endings, state)
    return ending.clause if ending else None


def combination_at(table: Table) -> str:
    living = {seat.number for seat in table.state.living}
    return "".join(letter if living.intersection(seats) else "-" for letter, seats in CAMPS.items())


def emptied(order: Iterable[str]) -> Table:
    """The game in which these camps leave the table one after the other, and nobody turns."""
    table = court("")
    for seat in (seat for letter in order for seat in CAMPS[letter]):
        if table.state.ended:
            break
        table.feed(Leave(seat))
        while table.pending:
            table.feed(Answer(table.pending.seat, table.pending.choices[-1]))
    return table


def predecessors(combination: str) -> list[str]:
    """The combinations from which one death, the last of a camp, leads to this one."""
    missing = ((at, letter) for at, letter in enumerate(CAMPS) if combination[at] == "-")
    return [combination[:at] + letter + combination[at + 1 :] for at, letter in missing]


@pytest.mark.parametrize("combination", COMBINATIONS)
def test_what_each_combination_means(combination: str) -> None:
    assert judged(combination) == expected(combination)


def test_forty_combinations_go_on() -> None:
    counts = Counter(map(expected, COMBINATIONS))
    assert counts == {None: 40, "C12-V1": 8, "C12-V2": 4, "C12-V3": 4, "C12-V4": 6, "C12-V5": 2}


@pytest.mark.parametrize("combination", sorted(set(COMBINATIONS) - UNREACHABLE))
def test_a_game_leads_to_each_combination(combination: str) -> None:
    gone = [letter for letter in CAMPS if letter not in combination]
    games = (emptied(order) for order in permutations(gone))
    game = next(game for game in games if combination_at(game) == combination)
    assert game.state.verdict == expected(combination)


@pytest.mark.parametrize("combination", sorted(UNREACHABLE))
def test_no_game_leads_to_the_rest(combination: str) -> None:
    assert "N" not in combination, "then nobody has just turned: it was a death"
    assert all(map(expected, predecessors(combination)))

"""Random games of `sixteen`: they end, everybody is graded, and nobody sees what he may not know."""

from itertools import chain, zip_longest
from random import Random
from statistics import median
from typing import NamedTuple

import pytest

from companion.modes import find_mode
from companion.modes.sixteen_deal import check, targets
from companion.modes.sixteen_roles import ASSASSIN, FALSE_EMPEROR, LOYAL, REBELS, turbans
from companion.rules.facts import (
    HOST,
    TABLE,
    CampTold,
    Converted,
    Dealt,
    Died,
    Happened,
    Learnt,
    Marked,
    MarksCounted,
    MarksHidden,
    is_told,
)
from companion.rules.inputs import Card, Death, Dying, IllegalInput, Input, Leave, Use
from companion.rules.record import format_game
from companion.rules.state import State, evolve
from companion.rules.table import Table, play
from companion.rules.views import view_of
from tests.modes.sixteen_games import RULES, begin, random_cards, random_inputs

GAMES = 100
PAIRS = 80
QUIET = 30
"""Accepted inputs before the seats that differ may die or use a skill."""
DECLASSIFYING = {clause.id for clause in find_mode("sixteen").clauses.values() if clause.declassifies}


def feed(table: Table, entered: Input) -> IllegalInput | None:
    """Enter it; the refusal where there is one, and then nothing of it was applied."""
    before = table.state, len(table.facts), table.pending
    try:
        table.feed(entered)
    except IllegalInput as refused:
        assert (table.state, len(table.facts), table.pending) == before
        return refused
    return None


@pytest.mark.parametrize("options", ["", "hp=on"])
def test_every_game_comes_to_an_end(options: str) -> None:
    for seed in range(GAMES):
        chance = Random(f"{seed} {options}")
        table = begin(random_cards(chance), options)
        for entered in random_inputs(table, chance):
            feed(table, entered)
            assert len(table.inputs) < 500
        assert table.state.verdict
        assert all(seat.grade in ("win", "lose") for seat in table.state.seats)
        assert all(view_of(table, viewer).state == table.state for viewer in (HOST, TABLE, 1, 2))
        for cut in {chance.randint(1, len(table.inputs)), len(table.inputs)}:
            again = play(RULES, table.inputs[:cut], options)
            assert again.facts == [happened for happened in table.facts if happened.step <= cut]


class Worlds(NamedTuple):
    """Two games whose deals a viewer cannot tell apart, and the seats at which they differ."""

    here: Table
    there: Table
    viewer: int
    moved: frozenset[int]


def draw_worlds(chance: Random, options: str) -> Worlds:
    while True:
        cards = random_cards(chance, least=6)
        viewer = chance.choice((TABLE, *range(1, len(cards) + 1)))
        others = dealt_otherwise(cards, viewer, chance)
        if others == cards or check({}, others, True):
            continue
        here, there = begin(cards, options), begin(others, options)
        if news(here, viewer) == news(there, viewer):
            moved = (number for number, both in enumerate(zip(cards, others, strict=True), 1) if both[0] != both[1])
            return Worlds(here, there, viewer, frozenset(moved))


def dealt_otherwise(cards: tuple[Card, ...], viewer: int, chance: Random) -> tuple[Card, ...]:
    """The same cards, except to the viewer, dealt to others: two or all exchanged, or their targets drawn anew."""
    numbers = [number for number in range(1, len(cards) + 1) if number != viewer]
    chosen = chance.sample(numbers, chance.choice((0, min(2, len(numbers)), len(numbers))))
    dealt = list(cards)
    for number, other in zip(chosen, chosen[1:] + chosen[:1], strict=True):
        dealt[number - 1] = cards[other - 1]
    for number in chosen or numbers:
        if dealt[number - 1].role in (ASSASSIN, FALSE_EMPEROR):
            dealt[number - 1] = dealt[number - 1]._replace(target=chance.choice(targets(dealt, number) or (None,)))
    return tuple(dealt)


def news(table: Table, viewer: int) -> list[Happened]:
    """What the viewer was told while the game ran."""
    told = (happened for happened in table.facts if is_told(happened.fact, viewer))
    return [happened._replace(fact=happened.fact.as_told_to(viewer)) for happened in told]


def is_telling(entered: Input, worlds: Worlds) -> bool:
    """Whether it would show at once what is at the seats that differ."""
    kinds = Use | Death | Dying | Leave
    return isinstance(entered, kinds) and entered.seat in worlds.moved and len(worlds.here.inputs) < QUIET


def walk(worlds: Worlds, chance: Random) -> int:
    """Enter the same in both worlds until the viewer can tell them apart; how many inputs after a death that took."""
    here, there, viewer, _ = worlds
    compared = 0
    unmoved = [seat.number for seat in here.state.seats if seat.number not in worlds.moved]
    first_death = [Death(unmoved[-1], chance.choice(unmoved))] if unmoved else []
    for entered in chain(first_death, random_inputs(here, chance)):
        if is_telling(entered, worlds):
            continue
        refused = feed(here, entered), feed(there, entered)
        if isinstance(entered, Use) and entered.seat != viewer and str(refused[0]) != str(refused[1]):
            break  # nobody but a skill's owner is asked whether he may use it
        assert str(refused[0]) == str(refused[1]), entered
        first = next((both for both in zip_longest(news(here, viewer), news(there, viewer)) if both[0] != both[1]), ())
        if first:
            assert {happened.clause for happened in first if happened} & DECLASSIFYING, (entered, first)
            break
        if here.state.ended or there.state.ended:
            break
        assert view_of(here, viewer) == view_of(there, viewer)
        compared += refused[0] is None and any(isinstance(happened.fact, Died) for happened in here.facts)
        if compared % 8 == 1:
            assert format_game(here, viewer, {}, {}, {}) == format_game(there, viewer, {}, {}, {})
    return compared


@pytest.mark.parametrize("options", ["", "hp=on"])
@pytest.mark.parametrize("block", range(4))
def test_what_a_viewer_cannot_know_makes_no_difference_to_him(block: int, options: str) -> None:
    chance = Random(f"{block} {options}")
    compared = [walk(draw_worlds(chance, options), chance) for _ in range(PAIRS)]
    assert median(compared) >= 5


@pytest.mark.parametrize("options", ["", "hp=on"])
def test_private_news_reaches_nobody_else(options: str) -> None:
    """The clauses of private news may tell identities apart, so that their audiences are looked at one by one."""
    chance = Random(options)
    for _ in range(60):
        table = begin(random_cards(chance), options)
        for entered in random_inputs(table, chance):
            feed(table, entered)
        state = State()
        for happened in table.facts:
            fact, state = happened.fact, evolve(state, happened.fact)
            told = {seat.number for seat in state.seats if is_told(fact, seat.number)}
            assert is_told(fact, TABLE) == (told == {seat.number for seat in state.seats})
            match fact:
                case Marked():
                    assert told == set(turbans(state))
                case MarksCounted():
                    assert told <= set(turbans(state))
                case Converted(seat, _, by):
                    assert told == {seat, by}
                case Learnt(to):
                    assert told == {to}
                case Dealt(seat) | MarksHidden(seat):
                    assert told == {seat}
                case CampTold(seat):
                    involved = {s.number for s in state.living if s.role in (*LOYAL, *REBELS)}
                    assert told == involved | {seat}

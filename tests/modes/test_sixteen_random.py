"""Random games of `sixteen`: they end, everybody is graded, and nobody sees what he may not know."""

from itertools import zip_longest
from random import Random

import pytest

from companion.modes import find_mode
from companion.modes.sixteen_deal import check, targets
from companion.modes.sixteen_roles import ASSASSIN, FALSE_EMPEROR
from companion.rules.facts import HOST, TABLE, Happened, is_told
from companion.rules.inputs import Card, Deal, IllegalInput, Use
from companion.rules.record import format_game
from companion.rules.table import Table, play
from companion.rules.views import View, facts_for, view_of
from tests.modes.sixteen_games import RULES, begin, random_cards, random_inputs

DECLASSIFYING = {clause.id for clause in find_mode("sixteen").clauses.values() if clause.declassifies}


def feed(table: Table, entered: object) -> str | None:
    """Enter it; the reason where it is refused, and then nothing of it was applied."""
    before = table.state, len(table.facts), table.pending
    try:
        table.feed(entered)  # type: ignore[arg-type]
    except IllegalInput as refused:
        assert (table.state, len(table.facts), table.pending) == before
        return str(refused)
    return None


@pytest.mark.parametrize("options", ["", "hp=on"])
@pytest.mark.parametrize("block", range(5))
def test_every_game_comes_to_an_end(block: int, options: str) -> None:
    for seed in range(block * 60, block * 60 + 60):
        chance = Random(seed)
        table = begin(random_cards(chance), options)
        for entered in random_inputs(table, chance):
            feed(table, entered)
            assert len(table.inputs) < 1000
            assert table.pending is None or table.pending.choices
        assert table.state.verdict
        assert all(seat.grade in ("win", "lose") for seat in table.state.seats)
        assert play(RULES, table.inputs, options).facts == table.facts
        cut = chance.randint(1, len(table.inputs))
        undone = play(RULES, table.inputs[:cut], options)
        assert undone.facts == [happened for happened in table.facts if happened.step <= cut]


def other_world(cards: tuple[Card, ...], viewer: int, chance: Random) -> tuple[Card, ...]:
    """The same cards dealt otherwise, except to the viewer: others swapped, and their targets drawn anew."""
    numbers = [number for number in range(1, len(cards) + 1) if number != viewer]
    mixed = dict(zip(numbers, chance.sample(numbers, len(numbers)), strict=True))
    if chance.random() < 0.3:
        mixed = {number: number for number in numbers}
    dealt = [cards[mixed.get(number, number) - 1] for number in range(1, len(cards) + 1)]
    for number in numbers:
        if dealt[number - 1].role in (ASSASSIN, FALSE_EMPEROR):
            choice = targets(dealt, number)
            dealt[number - 1] = dealt[number - 1]._replace(target=chance.choice(choice) if choice else None)
    return tuple(dealt)


def seen(view: View) -> object:
    return view.seats, view.announcements, view.pending


@pytest.mark.parametrize("options", ["", "hp=on"])
@pytest.mark.parametrize("block", range(10))
def test_two_worlds_look_the_same(block: int, options: str) -> None:
    """What a viewer cannot know makes no difference to him until a clause that says so tells him."""
    compared = []
    for seed in range(block * 100, block * 100 + 100):
        chance = Random(f"{seed} {options}")
        cards = random_cards(chance)
        viewer = chance.choice((TABLE, *range(1, len(cards) + 1)))
        for _ in range(20):
            others = other_world(cards, viewer, chance)
            if others != cards and not check({}, others, True):
                here, there = begin(cards, options), begin(others, options)
                if facts_for(here, viewer) == facts_for(there, viewer):
                    compared.append(walk(here, there, viewer, chance))
                    break
    assert len(compared) > 40
    assert sum(compared) / len(compared) > 5


def news(table: Table, viewer: int) -> list[Happened]:
    """What the viewer was told while the game ran."""
    told = (happened for happened in table.facts if is_told(happened.fact, viewer))
    return [happened._replace(fact=happened.fact.as_told_to(viewer)) for happened in told]


def walk(here: Table, there: Table, viewer: int, chance: Random) -> int:
    """Enter the same in both worlds until they differ for the viewer; how many inputs that took."""
    for entered in random_inputs(here, chance):
        reasons = feed(here, entered), feed(there, entered)
        if isinstance(entered, Use) and entered.seat != viewer and None in reasons and reasons[0] != reasons[1]:
            break  # only a skill's owner is asked whether he may use it
        assert reasons[0] == reasons[1] or (isinstance(entered, Use) and entered.seat != viewer), entered
        first = next((pair for pair in zip_longest(news(here, viewer), news(there, viewer)) if pair[0] != pair[1]), ())
        if first:
            assert {happened.clause for happened in first if happened} & DECLASSIFYING, (entered, first)
            break
        if here.state.ended:
            break
        assert seen(view_of(here, viewer)) == seen(view_of(there, viewer))
        assert here.pending == there.pending
        assert format_game(here, viewer, {}, {}, {}) == format_game(there, viewer, {}, {}, {})
    return len(here.inputs)


def test_the_host_sees_the_truth() -> None:
    for seed in range(40):
        chance = Random(seed)
        table = begin(random_cards(chance), "")
        for entered in random_inputs(table, chance):
            feed(table, entered)
            assert view_of(table, HOST).state is table.state
        assert all(view_of(table, viewer).state == table.state for viewer in range(len(table.state.seats) + 1))


def test_undo_is_a_shorter_list() -> None:
    for seed in range(30):
        chance = Random(seed)
        table = begin(random_cards(chance), "hp=on")
        for entered in random_inputs(table, chance):
            feed(table, entered)
        for cut in range(1, len(table.inputs) + 1, 7):
            assert isinstance(table.inputs[0], Deal)
            again = play(RULES, table.inputs[:cut], "hp=on")
            assert again.facts == [happened for happened in table.facts if happened.step <= cut]

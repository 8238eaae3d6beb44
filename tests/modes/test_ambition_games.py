"""`ambition`: random games (never stuck, every seat graded, undo, records) and what each viewer may know of them."""

from itertools import combinations, groupby, zip_longest
from random import Random
from statistics import median

import pytest

from companion.modes import find_mode, find_ruleset
from companion.rules.facts import HOST, TABLE, Fact, Happened, is_told
from companion.rules.inputs import Deal, Death, Deaths, IllegalInput, Input, read
from companion.rules.record import format_game, parse, run
from companion.rules.ruleset import write_options
from companion.rules.table import Table, play
from companion.rules.views import facts_for, view_of

MODE = find_mode("ambition")
VERBS = ["turn", "dying", "saved", "death", "deaths", "provinces", "limit", "correct", "leave"]
BLOODY = (4, 2, 2, 2, 0.5, 4, 3, 1, 0.3)
CALM = (6, 1, 2, 0.3, 0.1, 4, 3, 1, 0.1)
LONGEST = 400


def entered(text: str) -> Input:
    return read(text, MODE.ruleset.names)


def deal(chance: Random) -> tuple[str, Deal]:
    """Options and a random deal for them."""
    row = chance.choice(MODE.compositions)
    options = dict(row.options) | {"provinces": chance.choice(["off", "on"])}
    others = [role for role, count in row.roles.items() for _ in range(count)][1:]
    chance.shuffle(others)
    dealt = entered("deal restorer " + " ".join(others))
    assert isinstance(dealt, Deal)
    return write_options(options), dealt


def something(chance: Random, seats: int, weights: tuple[float, ...] = BLOODY) -> Input:
    """Anything that people might enter, whether it makes sense or not."""
    seat, by = chance.randint(1, seats), chance.choice(["-", *range(1, seats + 1)])
    match chance.choices(VERBS, weights)[0]:
        case "turn" | "leave" as verb:
            return entered(f"{verb} {seat}")
        case "dying" as verb:
            return entered(f"{verb} {seat} by {by}")
        case "death" as verb:
            return entered(f"{verb} {seat}" + chance.choice(["", f" by {by}"]))
        case "deaths" as verb:
            seats = min(seats, chance.randint(1, 3))
            return entered(f"{verb} " + ", ".join(f"{(seat + n) % seats + 1} by {by}" for n in range(seats)))
        case "saved" as verb:
            return entered(f"{verb} {seat} {chance.randint(1, 4)}")
        case "provinces" as verb:
            return entered(f"{verb} {seat} {chance.choice(['0', '1', '3', '+1', '-1'])}")
        case "limit" as verb:
            return entered(f"{verb} {seat} {chance.choice(['+1', '-1'])}")
        case verb:
            return entered(f"{verb} {seat} {chance.choice(['limit', 'provinces'])} {chance.randint(-1, 4)}")


def random_game(seed: int) -> Table:
    chance = Random(seed)
    options, dealt = deal(chance)
    table = play(MODE.ruleset, [dealt], options)
    for _ in range(LONGEST):
        if table.state.ended:
            break
        before = table.state
        try:
            table.feed(something(chance, len(table.state.seats)))
        except IllegalInput:
            assert table.state is before
    return table


@pytest.fixture(scope="module")
def games() -> list[Table]:
    return [random_game(seed) for seed in range(300)]


def test_no_game_is_stuck_and_every_seat_is_graded(games: list[Table]) -> None:
    for table in games:
        assert table.state.ended, [str(h) for h in table.facts]
        assert table.pending is None
        assert all(seat.grade and seat.public for seat in table.state.seats)
    assert {table.state.verdict for table in games} == {f"AM-5.{n}" for n in range(1, 6)}


def test_provinces_never_pass_their_limit(games: list[Table]) -> None:
    for table in games:
        again = Table(MODE.ruleset, write_options(table.options))
        for given in table.inputs:
            again.feed(given)
            for seat in again.state.seats:
                assert seat.limit is not None and seat.limit >= 0
                assert (seat.provinces is not None) == again.has("provinces")
                assert 0 <= (seat.provinces or 0) <= seat.limit
                assert not (seat.is_dying and seat.provinces)


def test_undo_is_a_shorter_list(games: list[Table]) -> None:
    for table in games[:60]:
        for length in range(1, len(table.inputs)):
            shorter = play(MODE.ruleset, table.inputs[:length], write_options(table.options))
            assert shorter.facts == [h for h in table.facts if h.step <= length]


def test_a_record_replays_to_the_same_game(games: list[Table]) -> None:
    text = "\n".join(format_game(table, HOST, {}, {}, {}) for table in games)
    for table, game in zip(games, parse(text, find_ruleset), strict=True):
        again = run(game)
        assert again.problems == []
        assert again.table is not None and again.table.facts == table.facts


def other_world(chance: Random, dealt: Deal, viewer: int) -> Deal | None:
    """The same deal with two cards exchanged that the viewer cannot tell apart; None where there are no such cards."""
    hidden = [n for n in range(1, len(dealt.cards)) if n + 1 != viewer]
    pairs = [(a, b) for a, b in combinations(hidden, 2) if dealt.cards[a] != dealt.cards[b]]
    if not pairs:
        return None
    a, b = chance.choice(pairs)
    cards = list(dealt.cards)
    cards[a], cards[b] = cards[b], cards[a]
    return Deal(tuple(cards))


def told(table: Table, viewer: int, given: Input) -> list[Happened] | tuple[object, ...]:
    """What the viewer is told of an input while the game goes on, or why it is refused."""
    before = len(table.facts)
    try:
        table.feed(given)
    except IllegalInput as refused:
        return refused.reason, refused.clause, refused.params
    return [h for h in table.facts[before:] if is_told(h.fact, viewer)]


def first_difference(one: list[Happened], other: list[Happened]) -> set[str]:
    """The clauses at the first place where the two lists differ."""
    at = next(n for n, pair in enumerate(zip_longest(one, other)) if pair[0] != pair[1])
    return {h.clause for facts in (one, other) for h in facts[at : at + 1]}


def compare(chance: Random) -> int:
    """Play two worlds alike until the viewer can tell them apart; how many inputs that took after the first death."""
    options, dealt = deal(chance)
    viewer = chance.choice([TABLE, *range(1, len(dealt.cards) + 1)])
    otherwise_dealt = other_world(chance, dealt, viewer)
    if otherwise_dealt is None:
        return 0
    one, other = Table(MODE.ruleset, options), Table(MODE.ruleset, options)
    assert told(one, viewer, dealt) == told(other, viewer, otherwise_dealt)
    compared = 0
    for _ in range(LONGEST):
        given = something(chance, len(dealt.cards), CALM)
        told_one, told_other = told(one, viewer, given), told(other, viewer, given)
        if told_one != told_other:
            assert isinstance(told_one, list) and isinstance(told_other, list), "a refusal tells them apart"
            clauses = first_difference(told_one, told_other)
            assert any(clause and MODE.clauses[clause].declassifies for clause in clauses), clauses
            break
        compared += not all(seat.alive for seat in one.state.seats) and isinstance(told_one, list)
        if one.state.ended:
            break
        if isinstance(given, Deal | Death | Deaths):
            assert view_of(one, viewer).seats == view_of(other, viewer).seats
            assert format_game(one, viewer, {}, {}, {}) == format_game(other, viewer, {}, {}, {})
    return compared


def test_two_worlds_look_alike_until_a_clause_tells_them_apart() -> None:
    compared = [n for n in (compare(Random(seed)) for seed in range(400)) if n]
    assert len(compared) > 100
    assert median(compared) >= 5


def kinds(facts: list[Happened]) -> dict[int, list[Fact]]:
    return {step: [h.fact for h in group] for step, group in groupby(facts, lambda h: h.step)}


def test_who_knows_what() -> None:
    """AM-7: everybody knows their own ambition and 匡's, all know the dead, and nobody knows more."""
    table = play(MODE.ruleset, [entered("deal 匡 辅 夺 乱 乱"), entered("death 4 by 3")])
    for viewer, known in {
        TABLE: [1, 4],
        1: [1, 4],
        2: [1, 2, 4],
        3: [1, 3, 4],
        5: [1, 4, 5],
        HOST: [1, 2, 3, 4, 5],
    }.items():
        view = view_of(table, viewer)
        assert [seat.number for seat in view.seats if seat.role] == known
        assert [seat.number for seat in view.seats if seat.public] == [1, 4]
        assert view.seat(4).killer == 3
        assert kinds(facts_for(table, viewer))[2] == [h.fact for h in table.facts if h.step == 2]


def test_all_is_open_once_the_game_has_ended() -> None:
    table = play(MODE.ruleset, [entered("deal 匡 夺 乱"), entered("death 1 by 3")])
    assert all(view_of(table, viewer).seats == table.state.seats for viewer in (TABLE, 1, 2, 3, HOST))
    assert all(seat.public for seat in table.state.seats)

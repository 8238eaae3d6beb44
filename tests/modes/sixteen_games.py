"""Games of `sixteen` for the tests: written out, or drawn at random from a seed."""

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from companion.modes import find_mode, find_ruleset
from companion.modes.sixteen_deal import GROUPS, aimed, check, coloured, randomised, seat_1
from companion.modes.sixteen_roles import COLOURED, COLOURS
from companion.modes.sixteen_skills import SKILLS
from companion.rules import inputs as i
from companion.rules.facts import Happened
from companion.rules.inputs import Card, Deal, IllegalInput, Input, read
from companion.rules.table import Table

RULES = find_ruleset("sixteen")


def play(lines: Iterable[str], options: str = "") -> Table:
    table = Table(RULES, options)
    enter(table, *lines)
    return table


def enter(table: Table, *lines: str) -> None:
    for line in lines:
        table.feed(read(line, RULES.names))


def refusal(table: Table, line: str) -> tuple[str, str | None]:
    """Reason and clause of the refusal of this line; nothing of it may have been applied."""
    before = table.state, list(table.facts), table.pending, list(table.inputs)
    try:
        enter(table, line)
    except IllegalInput as refused:
        assert before == (table.state, table.facts, table.pending, table.inputs)
        return refused.reason, refused.clause
    raise AssertionError(f"{line} was allowed")


def told(facts: Sequence[Happened], clause: str | None = None) -> list[str]:
    """The facts as a record writes them; those of one clause only, without it, where it is given."""
    return [str(h) if clause is None else str(h).removesuffix(f" [{clause}]") for h in facts if clause in (None, h[1])]


def grades(table: Table) -> str:
    """One letter a seat: w, l, or - for a seat that is not graded."""
    return "".join((seat.grade or "-")[0] for seat in table.state.seats)


def random_cards(chance: Random, least: int = 2) -> tuple[Card, ...]:
    """A legal composition, shuffled, seated and aimed: the preset `random`, or whatever a host puts together."""
    players = max(least, chance.choice((2, 3, 4, 5, 6, 6, 7, 7, 8, 8)))
    row = find_mode("sixteen").composition(players, {})
    assert row
    cards = randomised(row, chance.choice) if chance.random() < 0.3 else _custom(players, chance)
    ring = list(cards)
    chance.shuffle(ring)
    first = seat_1(ring, chance.choice)
    return aimed(coloured(ring[first:] + ring[:first]), chance.choice)


def _custom(players: int, chance: Random) -> tuple[Card, ...]:
    roles = [role for group in GROUPS for role in group] + ["yellow_turban"] * 3
    while True:
        colours = COLOURS[: chance.randint(1, 3)]
        drawn = [chance.choice(roles) for _ in range(players)]
        cards = tuple(Card(role, chance.choice(colours) if role in COLOURED else None) for role in drawn)
        if not check({}, cards, False):
            return cards


def random_inputs(table: Table, chance: Random) -> Iterator[Input]:
    """What people might enter next, most of it legal: ever more deaths, so that the game comes to an end."""
    while not table.state.ended:
        if table.pending and chance.random() < 0.8:
            yield i.Answer(table.pending.seat, chance.choice(table.pending.choices))
            continue
        kind = chance.choice("tttttttttdhuuuulsyyvxc" + "x" * (len(table.inputs) // 12))
        entered = (
            _touch(table, chance)
            if kind == "t"
            else _skill(table, chance)
            if kind == "u"
            else _event(table, kind, chance)
        )
        if entered:
            yield entered


def _touch(table: Table, chance: Random) -> Input:
    """Somebody hurts or heals another; in most games one player most often the same few, so that marks gather."""
    seats = len(table.state.seats)
    by = chance.choice(
        [seat.number for seat in table.state.living if seat.role == "yellow_turban"] or range(1, seats + 1)
    )
    seat = chance.choice((seats // 2, seats // 2 + 1, chance.randint(1, seats)))
    if not table.has("hp"):
        return i.Touch(seat, by if chance.random() < 0.6 else chance.randint(1, seats))
    return i.Damage(seat, 1, by) if chance.random() < 0.6 else i.Heal(seat, 1, by)


def _event(table: Table, kind: str, chance: Random) -> Input | None:
    """Whatever else happens at a table; None for nothing."""
    seats = len(table.state.seats)
    seat, by = chance.randint(1, seats), chance.randint(0, seats)
    match kind:
        case "d":
            return i.Damage(seat, chance.randint(1, 3), by)
        case "h":
            return i.Heal(seat, 1, by)
        case "l":
            return i.Lose(seat, 1) if chance.random() < 0.5 else i.Turn(seat)
        case "s":
            return i.Save(seat, 1, tuple({by} - {0}))
        case "y":
            return i.Dying(seat, by)
        case "v":
            return i.Leave(seat) if chance.random() < 0.2 else None
        case "c":
            return i.Correct(seat, chance.choice(("hp", "max_hp")), chance.randint(1, 5))
        case _:
            return i.Death(seat, by)


def _skill(table: Table, chance: Random) -> Input:
    """Most often a skill that its seat has."""
    seats = [seat.number for seat in table.state.seats]
    number = chance.choice(seats)
    own = [word for word, skill in SKILLS.items() if skill.role == table.state.seat(number).role]
    word = chance.choice(own or list(SKILLS))
    if word == "inspect" and chance.random() < 0.5:
        return i.Turn(number)
    return i.Use(number, word, tuple(chance.sample(seats, min(SKILLS[word].most, len(seats), chance.randint(1, 3)))))


def begin(cards: tuple[Card, ...], options: str) -> Table:
    table = Table(RULES, options)
    table.feed(Deal(cards))
    return table

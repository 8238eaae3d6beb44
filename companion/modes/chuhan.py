"""`chuhan`: 楚汉争霸 for 4 players (clauses CH-…)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.modes.common import always
from companion.modes.loader import Behaviour, Choose
from companion.rules.common import reveal
from companion.rules.facts import Died, Instructed
from companion.rules.goals import Ending, Grades, living_camps, won_by
from companion.rules.inputs import Card, IllegalInput
from companion.rules.ruleset import VERDICT, Begun, Options, Settled, Steps, rule, tier
from companion.rules.state import State
from companion.rules.table import Table

SEATING = ("chu", "han", "han", "chu")


def check(options: Options, cards: Sequence[Card], seated: bool) -> list[IllegalInput]:
    """Why these cards cannot be dealt: two on each side, 楚 in seats 1 and 4 (CH-1)."""
    if len(cards) != len(SEATING):
        return [IllegalInput("players", "CH-1", {"mode": "chuhan", "found": len(cards), "players": (4,)})]
    reasons = [IllegalInput("plain_cards", "CH-1", {"role": card.role}) for card in cards if card.colour or card.target]
    roles = tuple(card.role for card in cards)
    if sorted(roles) != sorted(SEATING):
        reasons.append(IllegalInput("composition", "CH-1", {"roles": {"chu": 2, "han": 2}, "found": len(cards)}))
    elif seated and roles != SEATING:
        reasons.append(IllegalInput("seating", "CH-1", {}))
    return reasons


def arrange(cards: Sequence[Card], choose: Choose) -> tuple[int, tuple[Card, ...]]:
    """Chance says where seat 1 is, so that neighbours become a side; the cards follow from that."""
    return choose(range(len(cards))), tuple(map(Card, SEATING))


@rule("CH-1", when=always)
def take_sides(table: Table, _: None) -> Steps:
    for seat in table.state.seats:
        yield from reveal(table, seat.number)


@rule("CH-2", when=always)
def stake_all(table: Table, death: Died) -> Steps:
    side = table.state.seat(death.seat).role
    for mate in table.state.living:
        if mate.role == side:
            yield Instructed(mate.number, "gain_skill")


def is_one_side_left(state: State) -> bool:
    return len(living_camps(state)) == 1


def grade_sides(state: State) -> Grades:
    left = living_camps(state)
    return won_by(lambda seat: seat.camp in left)(state)


ORDER = {
    Begun: (tier("CH-1"),),
    Died: (tier(VERDICT), tier("CH-2")),
    Settled: (tier(VERDICT),),
}

ENDINGS = (Ending("CH-3", is_one_side_left, grade_sides),)

BEHAVIOURS = {
    "chuhan": Behaviour(ORDER, (take_sides, stake_all), ENDINGS, composition="CH-1", check=check, arrange=arrange),
}

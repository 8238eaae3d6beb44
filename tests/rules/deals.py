"""Deals to test with, for whatever mode there is: at random, and otherwise than they were."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.modes import Mode
from companion.modes.sixteen_deal import GROUPS, aimed, check, coloured, randomised, seat_1, targets
from companion.modes.sixteen_roles import COLOURED, COLOURS, TURBAN
from companion.rules.inputs import Card, Deal
from companion.rules.ruleset import OPTION_VALUES


def random_options(mode: Mode, rng: Random) -> dict[str, str]:
    return {name: rng.choice(OPTION_VALUES[name]) for name in mode.ruleset.options}


def random_deal(mode: Mode, rng: Random, least: int = 2) -> tuple[str, Deal]:
    """Options, and a legal deal under them to `least` or more people."""
    while True:
        options = random_options(mode, rng)
        players = rng.choice([n for n in mode.players if n >= min(least, mode.players[-1])])
        roles = mode.composition(players, options)
        if roles is None:
            continue
        cards = [Card(role) for role, count in roles.items() for _ in range(count)]
        if mode.id == "sixteen":
            cards = _composed(mode, players, rng)
        else:
            rng.shuffle(cards)
            cards.sort(key=lambda card: card.role != mode.seat_1)
        if not mode.ruleset.check(options, cards, True):
            return " ".join(f"{name}={value}" for name, value in options.items()), Deal(tuple(cards))


def _composed(mode: Mode, players: int, rng: Random) -> list[Card]:
    """What a host puts together, or the preset `random`; shuffled, seated and aimed."""
    row = mode.composition(players, {})
    assert row
    ring = list(randomised(row, rng.choice) if rng.random() < 0.2 else _custom(players, rng))
    rng.shuffle(ring)
    first = seat_1(ring, rng.choice)
    return list(aimed(coloured(ring[first:] + ring[:first]), rng.choice))


def _custom(players: int, rng: Random) -> list[Card]:
    roles = [role for group in GROUPS for role in group] + [TURBAN] * 3
    while True:
        colours = COLOURS[: rng.randint(1, 3)]
        drawn = [rng.choice(roles) for _ in range(players)]
        cards = [Card(role, rng.choice(colours) if role in COLOURED else None) for role in drawn]
        if not check({}, cards, False):
            return cards


def another_deal(deal: Deal, seats: Sequence[int], rng: Random) -> Deal:
    """The deal with the cards of these seats exchanged among them: of two mostly, sometimes of all.

    Cards that point at a seat may point at another one then, and sometimes nothing else is changed.
    """
    cards = list(deal.cards)
    aims = [seat for seat in seats if cards[seat - 1].target]
    if not aims or rng.random() < 0.6:
        chosen = list(seats) if rng.random() < 0.25 else rng.sample(seats, min(2, len(seats)))
        mixed = chosen[::-1] if len(chosen) == 2 else rng.sample(chosen, len(chosen))
        for seat, other in zip(chosen, mixed, strict=True):
            cards[seat - 1] = deal.cards[other - 1]
        aims = [seat for seat in chosen if cards[seat - 1].target]
    for seat in aims:
        cards[seat - 1] = cards[seat - 1]._replace(target=rng.choice(targets(cards, seat) or (seat,)))
    return Deal(tuple(cards))

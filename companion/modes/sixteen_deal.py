"""`sixteen`: what may be dealt, who sits where, and presets (clauses SX-1…, SX-2…). Chance is drawn by the caller."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from companion.modes.loader import Choose, Composer
from companion.modes.sixteen_roles import (
    ASSASSIN,
    COLOURED,
    COLOURS,
    COPIED,
    FALSE_EMPEROR,
    LATTER_LORD,
    LORDS,
    LOYAL,
    PUBLIC,
    REBELS,
    TURBAN,
)
from companion.modes.sixteen_verdicts import ENDINGS
from companion.rules.facts import Identity
from companion.rules.goals import verdict
from companion.rules.inputs import Card, IllegalInput
from companion.rules.ruleset import Options
from companion.rules.state import Seat, State

PLAYERS = tuple(range(2, 9))
DEALT_LORDS = LORDS[:4]
STRANGERS = ("chu", "han")
EXCLUDED = (
    ("SX-1.2", "former_lord", ("lord", "wise_lord", "hidden_dragon", "crown_prince", "alliance_leader", FALSE_EMPEROR)),
    ("SX-1.3", FALSE_EMPEROR, ("hidden_dragon", "former_lord")),
)
ONLY_ONE = (("SX-1.2", "former_lord"), ("SX-1.3", FALSE_EMPEROR), ("SX-1.5", "alliance_leader"))
CAMPS = dict.fromkeys((*LORDS, *LOYAL), "royal") | dict.fromkeys(REBELS, "rebel")
"""The camps of those who share one; every other identity is a camp of its own."""
GROUPS = (DEALT_LORDS, LOYAL, REBELS, ("renegade", TURBAN, ASSASSIN, FALSE_EMPEROR))


def coloured(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards with the one lord's colour where none was given (red if that lord has none)."""
    lords = [card for card in cards if card.role in DEALT_LORDS]
    if len(lords) != 1:
        return tuple(cards)
    colour = lords[0].colour or COLOURS[0]
    return tuple(card._replace(colour=card.colour or colour) if card.role in COLOURED else card for card in cards)


def check(options: Options, cards: Sequence[Card], seated: bool) -> list[IllegalInput]:
    """Why these cards cannot be dealt, each reason with its clause; seats and targets included where `seated`."""
    headcount = [*_headcount(cards)]
    roles = {card.role for card in cards}
    if roles & {*STRANGERS}:
        return [*headcount, IllegalInput("other_mode", "SX-1.8", {})]
    if LATTER_LORD in roles:
        return [*headcount, IllegalInput("never_dealt", "SX-6.3", {"role": LATTER_LORD})]
    cards = coloured(cards)
    reasons = [*headcount, *_exclusions(cards), *_colours(cards), *_counts(cards), *_targets(cards, seated)]
    if not reasons:
        reasons += _won(cards)
    if not reasons and seated:
        reasons += _first_seat(cards)
    return reasons


def _headcount(cards: Sequence[Card]) -> Iterator[IllegalInput]:
    if len(cards) not in PLAYERS:
        yield IllegalInput("players", "SX-1.1", {"mode": "sixteen", "found": len(cards), "players": PLAYERS})


def _exclusions(cards: Sequence[Card]) -> Iterator[IllegalInput]:
    counts = Counter(card.role for card in cards)
    for clause, role, others in EXCLUDED:
        for other in others:
            if counts[role] and counts[other]:
                yield IllegalInput("excludes", clause, {"role": role, "role_other": other})
    for clause, role in ONLY_ONE:
        if counts[role] > 1:
            yield IllegalInput("only_one", clause, {"role": role})
    if counts[FALSE_EMPEROR] and not any(counts[role] for role in COPIED):
        yield IllegalInput("needs_copied_lord", "SX-1.3", {})


def _colours(cards: Sequence[Card]) -> Iterator[IllegalInput]:
    clause = "SX-1.4"
    lords = Counter(card.colour for card in cards if card.role in DEALT_LORDS)
    if not lords:
        yield IllegalInput("no_lord", clause, {})
    for colour, count in lords.items():
        if colour and count > 1:
            yield IllegalInput("colour_twice", clause, {"colour": colour})
    for role, colour in dict.fromkeys((card.role, card.colour) for card in cards):
        if colour and role not in COLOURED:
            yield IllegalInput("colourless", clause, {"role": role})
        elif colour and colour not in COLOURS:
            yield IllegalInput("unknown_colour", clause, {"found": colour[:40]})
        elif role in COLOURED and lords and colour is None:
            yield IllegalInput("colour_missing", clause, {"role": role})
        elif role in LOYAL and lords and colour not in lords:
            yield IllegalInput("colour_without_lord", clause, {"role": role, "colour": colour})


def _counts(cards: Sequence[Card]) -> Iterator[IllegalInput]:
    princes = Counter(card.colour for card in cards if card.role == "crown_prince")
    for colour, count in princes.items():
        if count > 1:
            yield IllegalInput("only_one_a_colour", "SX-1.5", {"role": "crown_prince", "colour": colour})
    turbans, half = sum(card.role == TURBAN for card in cards), min(len(cards), PLAYERS[-1]) // 2
    if turbans and len(cards) < 4:
        yield IllegalInput("turban_players", "SX-1.6", {"least": 4})
    elif turbans >= half and turbans:
        yield IllegalInput("turban_count", "SX-1.6", {"found": turbans, "most": half - 1})


def _targets(cards: Sequence[Card], seated: bool) -> Iterator[IllegalInput]:
    for number, card in enumerate(cards, 1):
        if card.role not in (ASSASSIN, FALSE_EMPEROR):
            if card.target:
                yield IllegalInput("pointless", "SX-2.4", {"role": card.role})
            continue
        clause = "SX-2.4" if card.role == ASSASSIN else "SX-2.5"
        if card.target is None:
            if seated:
                yield IllegalInput("target_missing", clause, {"role": card.role, "seat": number})
        elif card.target not in targets(cards, number):
            yield IllegalInput("target_wrong", clause, {"role": card.role, "found": card.target})


def targets(cards: Sequence[Card], number: int) -> tuple[int, ...]:
    """The seats at which the card of this seat may point: others for 刺客, 主公 and 明主 for 伪帝."""
    others = [(seat, card) for seat, card in enumerate(cards, 1) if seat != number]
    if cards[number - 1].role == FALSE_EMPEROR:
        return tuple(seat for seat, card in others if card.role in COPIED)
    return tuple(seat for seat, _ in others)


def _won(cards: Sequence[Card]) -> Iterator[IllegalInput]:
    seats = (
        Seat(number, Identity(card.role, CAMPS.get(card.role, card.role), card.colour))
        for number, card in enumerate(cards, 1)
    )
    ending = verdict(ENDINGS, State(seats=tuple(seats)))
    if ending:
        yield IllegalInput("won_already", "SX-1.7", {"ending": ending.clause})


def lone_lord(cards: Sequence[Card]) -> int | None:
    """The index of the card that must be in seat 1 (SX-2.1), None where seat 1 is random."""
    lords = [index for index, card in enumerate(cards) if card.role in DEALT_LORDS]
    if len(lords) != 1 or any(card.role == FALSE_EMPEROR for card in cards):
        return None
    return lords[0] if cards[lords[0]].role in PUBLIC else None


def _first_seat(cards: Sequence[Card]) -> Iterator[IllegalInput]:
    first = lone_lord(cards)
    if first:
        yield IllegalInput("seat_1", "SX-2.1", {"role": cards[first].role})


def seat_1(cards: Sequence[Card], choose: Choose) -> int:
    """The index of the card, in a ring of shuffled cards, whose holder is seat 1 (SX-2.1)."""
    first = lone_lord(cards)
    return choose(range(len(cards))) if first is None else first


def aimed(cards: Sequence[Card], choose: Choose) -> tuple[Card, ...]:
    """The cards in seat order, each that points at somebody with its seat drawn (SX-2.4, SX-2.5)."""
    return tuple(
        card._replace(target=choose(targets(cards, number))) if card.role in (ASSASSIN, FALSE_EMPEROR) else card
        for number, card in enumerate(cards, 1)
    )


def cards_of(row: Mapping[str, int]) -> tuple[Card, ...]:
    """The cards of a composition. Of the mode's own row for so many players: the preset `basic`."""
    return tuple(Card(role) for role, count in row.items() for _ in range(count))


def randomised(row: Mapping[str, int], choose: Choose) -> tuple[Card, ...]:
    """The preset `random`: each card of the classical row replaced by one of its group, so that SX-1 holds."""
    cards = list(cards_of(row))
    for index, card in enumerate(cards):
        group = next(group for group in GROUPS if card.role in group)
        cards[index] = choose([Card(role) for role in group if _fits(cards, index, Card(role))])
    return tuple(cards)


def _fits(cards: Sequence[Card], index: int, card: Card) -> bool:
    return not check({}, [*cards[:index], card, *cards[index + 1 :]], False)


def arrange(cards: Sequence[Card], choose: Choose) -> tuple[int, tuple[Card, ...]]:
    """Of shuffled cards round the ring: at which of them seat 1 is, and all in seat order with colours and targets."""
    first = seat_1(cards, choose)
    return first, aimed(coloured((*cards[first:], *cards[:first])), choose)


COMPOSER = Composer(GROUPS, COLOURED, COLOURS, settle=coloured, draw=randomised)

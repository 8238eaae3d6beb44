"""Dealing with printed cards: the codes that people have entered, and what is to be dealt.

While somebody's card is missing, a code is checked by itself alone: what is said of it depends on nothing that others
have drawn. The whole is checked once all cards are in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from companion.modes import MODES, Mode, find_mode
from companion.modes.deck import Codes, Fault, PrintedCard, dealt_as
from companion.rules.inputs import Card, refuse


class Decks:
    """The codes of all modes under one key, which is asked for when it is first needed."""

    def __init__(self, key: Callable[[], str]) -> None:
        self._key = key
        self._codes: dict[str, Codes] = {}

    def of(self, mode: Mode) -> Codes:
        """The mode's cards as they are printed, and those of all other modes, so that they are known as such."""
        if mode.id not in self._codes:
            others = [find_mode(other) for other in MODES if other != mode.id]
            self._codes[mode.id] = Codes(self._key(), [mode, *others])
        return self._codes[mode.id]


@dataclass(frozen=True)
class Drawn:
    """What people have drawn. `missing`: how many have entered nothing yet.

    `cards`: the cards round the ring, once all are in and fit; `faults`: else what is wrong, by the place in the ring
    (from 1) of whose card does not belong; a card that was entered twice is a fault of both. For their own eyes only.
    """

    missing: int
    cards: tuple[Card, ...] = ()
    faults: Mapping[int, str] = field(default_factory=dict)

    @property
    def is_wrong(self) -> bool:
        """All cards are in, and they are not those that are to be dealt."""
        return not self.missing and not self.cards


def as_told(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards as people tell them apart: where all are of one colour, that need not be said."""
    has_colours = len({card.colour for card in cards if card.colour}) > 1
    return tuple(cards) if has_colours else tuple(Card(card.role) for card in cards)


def drawn(codes: Codes, mode: Mode, wanted: Sequence[Card], entered: Mapping[int, str], players: int) -> Drawn:
    """What the entered codes (by place in the ring) come to. `wanted`: the cards that are to be dealt."""
    if len(entered) < players or not players:
        return Drawn(players - len(entered))
    told = [str(card) for card in as_told(wanted)]
    found = codes.check(entered, mode, Counter(told), players)
    if isinstance(found, list):
        return Drawn(0, faults={fault.seat: fault.key for fault in found if fault.seat})
    dealt = dict(zip(told, wanted, strict=True))
    return Drawn(0, tuple(dealt[found[place]] for place in sorted(found)))


def check_alone(codes: Codes, mode: Mode, wanted: Sequence[Card], code: str) -> None:
    """Raise IllegalInput where the code cannot be right, whatever others have drawn. It never names the identity."""
    card = codes.card(code)
    if card == Fault("mistyped"):
        refuse("card_mistyped")
    if not isinstance(card, PrintedCard):
        refuse("card_unknown")
    if card.mode != mode.id:
        refuse("card_other_mode", mode=mode.id)
    if dealt_as(card, {str(card) for card in as_told(wanted)}) is None:
        refuse("card_not_in_play")

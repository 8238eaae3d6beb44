"""The printed identity cards of a mode: which there are, and the short code on each by which a phone knows it again.

A code is five signs that a key picks and one that checks them: it says nothing of the card, nor of another's code, to
whoever has not the key. Whoever prints and whoever deals need the same key and the same deck.
"""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from companion.modes.loader import Mode
from companion.rules.inputs import Card, refuse

SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's: without I, L, O and U, which are read as 1, 1 and 0 or refused."""
LENGTH = 6
MOST_COPIES = 12
"""So many cards of one identity have codes of their own."""

_READ_AS = str.maketrans("ILO", "110", " -_·\t\n")


@dataclass(frozen=True, order=True)
class PrintedCard:
    """One card of a deck. `copy` counts from 1 among the cards of the same identity and colour."""

    mode: str
    role: str
    colour: str | None = None
    copy: int = 1

    @property
    def identity(self) -> str:
        """As it is typed in a deal: `lord`, `lord:red`."""
        return f"{self.role}:{self.colour}" if self.colour else self.role


@dataclass(frozen=True)
class Fault:
    """What is wrong with the cards that people entered, as a key with parameters.

    `mistyped`, `unknown_card`: the code of nobody's card. `other_mode` (mode): a card of another mode. `card_twice`
    (seat): that seat has entered the same card; both have this fault, for it may be either's. `not_in_play` (role,
    most): more of this identity than the composition has; only the seat's own person may read it, for it names the
    identity. `missing` (n): so many seats have entered nothing yet.
    """

    key: str
    seat: int | None = None
    params: Mapping[str, object] = field(default_factory=dict)


def cards(mode: Mode, players: int | None = None, options: Mapping[str, str] | None = None) -> tuple[PrintedCard, ...]:
    """The deck: every identity as often as the composition has it, and once those that appear only in the game.

    Without a number of players, as often as any of the mode's compositions needs it. Raises IllegalInput where the mode
    has no such game.
    """
    rows = [
        row
        for row in mode.compositions
        if players in (None, row.players) and all((options or {}).get(k, v) == v for k, v in row.options.items())
    ]
    if players not in (None, *mode.players):
        refuse("players", mode=mode.id, found=players, players=mode.players)
    if not rows:
        refuse("no_composition", found=players)
    needed = {role: max(row.roles.get(role, 0) for row in rows) for role in mode.roles}
    never_dealt = {role for role in mode.roles if not any(row.roles.get(role) for row in mode.compositions)}
    return of([(role, None) for role in mode.roles for _ in range(needed[role] or role in never_dealt)], mode)


def of(identities: Iterable[tuple[str, str | None]], mode: Mode) -> tuple[PrintedCard, ...]:
    """A deck of these identities (role and colour), in the order of the mode's roles."""
    order = list(mode.roles)
    counted: Counter[tuple[str, str | None]] = Counter()
    made = []
    for role, colour in sorted(identities, key=lambda one: (order.index(one[0]), one[1] or "")):
        counted[role, colour] += 1
        made.append(PrintedCard(mode.id, role, colour, counted[role, colour]))
    return tuple(made)


def check(wanted: Sequence[Card], mode: Mode) -> None:
    """Raise IllegalInput for what no printed card of the mode can be, and for more of one than have codes."""
    offers = mode.composer.offers if mode.composer else ()
    for card, count in Counter(wanted).items():
        if card.target:
            refuse("printed_target")
        if card.colour and card not in offers:
            if any(one.role == card.role and one.colour for one in offers):
                refuse("unknown_colour", found=card.colour[:40])
            refuse("colourless", role=card.role)
        if count > MOST_COPIES:
            refuse("printed_copies", role=card.role, found=count, most=MOST_COPIES)


def dealt_as(card: PrintedCard, wanted: Container[str]) -> str | None:
    """As which of the wanted identities the card is dealt, if any: one without a colour takes a card of any colour."""
    return next((identity for identity in (card.identity, card.role) if identity in wanted), None)


def new_key(chance: bytes) -> str:
    """A key of 16 signs from at least ten bytes of chance."""
    number = int.from_bytes(chance[:10], "big")
    return "".join(SIGNS[number >> 5 * place & 31] for place in range(15, -1, -1))


def normal(code: str) -> str:
    """The code or key as it is printed, however it was typed: case, spaces, dashes, O for 0, I and L for 1.

    Of an address only what follows its last slash is read: a card's QR code holds one.
    """
    return code.upper().rpartition("/")[2].translate(_READ_AS).translate({9: None, 10: None, 32: None, 45: None})


def spaced(code: str) -> str:
    """The code in groups of three for reading aloud."""
    return " ".join(code[at : at + 3] for at in range(0, len(code), 3))


class Codes:
    """The codes of all cards under one key, and back."""

    def __init__(self, key: str, modes: Sequence[Mode]) -> None:
        self._key = normal(key).encode()
        self._by_card: dict[PrintedCard, str] = {}
        self._by_code: dict[str, PrintedCard] = {}
        for mode in modes:
            for card in _all(mode):
                code = self._free(card)
                self._by_card[card] = code
                self._by_code[code] = card

    def _free(self, card: PrintedCard) -> str:
        """The card's code; where another card has it already, the next that the key picks."""
        attempt = 0
        while True:
            said = f"{card.mode}/{card.identity}/{card.copy}/{attempt}".encode()
            number = int.from_bytes(hmac.digest(self._key, said, "sha256")[:4], "big")
            code = _with_check("".join(SIGNS[number >> 5 * place & 31] for place in range(LENGTH - 1)))
            if code not in self._by_code:
                return code
            attempt += 1

    def code(self, card: PrintedCard) -> str:
        """The card's code."""
        return self._by_card[card]

    def card(self, code: str) -> PrintedCard | Fault:
        """The card with this code, or what is wrong with it."""
        typed = normal(code)
        if len(typed) != LENGTH or set(typed) - set(SIGNS) or _with_check(typed[:-1]) != typed:
            return Fault("mistyped")
        return self._by_code.get(typed) or Fault("unknown_card")

    def check(
        self, entered: Mapping[int, str], mode: Mode, wanted: Mapping[str, int], seats: int
    ) -> dict[int, str] | list[Fault]:
        """The wanted identity that every seat's card stands for; or all that is wrong, also while seats are missing.

        `entered`: code by seat, in the order of entering. `wanted`: how often each identity is dealt (`lord:red`
        where colours are told apart, else `lord`, see `dealt_as`).
        """
        found: dict[int, str] = {}
        faults = [*self._faults(entered, mode, wanted, found)]
        if len(entered) < seats:
            faults.append(Fault("missing", params={"n": seats - len(entered)}))
        return faults or found

    def _faults(
        self, entered: Mapping[int, str], mode: Mode, wanted: Mapping[str, int], found: dict[int, str]
    ) -> Iterator[Fault]:
        """What is wrong with single cards; the identities of good ones are put into `found`."""
        left = Counter(dict(wanted))
        first: dict[PrintedCard, int] = {}
        for seat, code in entered.items():
            card = self.card(code)
            if isinstance(card, Fault):
                yield Fault(card.key, seat)
            elif card.mode != mode.id:
                yield Fault("other_mode", seat, {"mode": card.mode})
            elif first.setdefault(card, seat) != seat:
                yield Fault("card_twice", seat, {"seat": first[card]})
                yield Fault("card_twice", first[card], {"seat": seat})
            elif not (identity := dealt_as(card, wanted)) or not left[identity]:
                yield Fault("not_in_play", seat, {"role": card.role, "most": wanted.get(identity or "", 0)})
            else:
                left[identity] -= 1
                found[seat] = identity


def _all(mode: Mode) -> Iterator[PrintedCard]:
    for role in mode.roles:
        for colour in (None, "red", "blue", "green"):
            for copy in range(1, MOST_COPIES + 1):
                yield PrintedCard(mode.id, role, colour, copy)


def _with_check(signs: str) -> str:
    """The signs and one more: one wrong sign, or two neighbours swapped, always give themselves away.

    The sum of the signs as numbers of GF(32), each times one more power of x.
    """
    total = 0
    for sign in signs:
        total = _times_x(total ^ SIGNS.index(sign))
    return signs + SIGNS[total]


def _times_x(number: int) -> int:
    doubled = number << 1
    return doubled ^ 0b100101 if doubled & 32 else doubled

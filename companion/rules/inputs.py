"""What people may enter, as imperatives, and how each is written in a record.

`read` and `write` are the only code that knows the text form: one input is one line of words (see the record's
contract). Whether an input is allowed is for the rules to say; here only its shape is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from companion.rules.facts import NOBODY

MOST = 99
"""No seat, hit point or count that people type is larger."""


@dataclass
class IllegalInput(Exception):
    """An input that the rules refuse. Nothing of it was applied.

    `reason` is a key of the refusal texts and `params` what stands in them (seats as numbers under names that begin
    with `seat`); `clause` the clause that forbids it; `step` the input's place in its game, from 1 (0: not known yet).
    """

    reason: str
    clause: str | None = None
    params: Mapping[str, object] | None = None
    step: int = 0

    def __str__(self) -> str:
        return f"{self.reason} {dict(self.params or {})} [{self.clause}]"


def refuse(reason: str, clause: str | None = None, **params: object) -> NoReturn:
    """Raise the refusal of the input that is being looked at."""
    raise IllegalInput(reason, clause, params)


class Card(NamedTuple):
    """One seat's card in a deal: role, colour where the mode has colours, and the seat that it points at (`>SEAT`)."""

    role: str
    colour: str | None = None
    target: int | None = None

    def __str__(self) -> str:
        return self.role + (f":{self.colour}" if self.colour else "") + (f">{self.target}" if self.target else "")


class Blow(NamedTuple):
    """One death of several: who, and by whom."""

    seat: int
    by: int


@dataclass(frozen=True, slots=True)
class Deal:
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Hp:
    seat: int
    n: int


@dataclass(frozen=True, slots=True)
class Turn:
    seat: int


@dataclass(frozen=True, slots=True)
class Damage:
    seat: int
    n: int
    by: int


@dataclass(frozen=True, slots=True)
class Heal:
    seat: int
    n: int
    by: int


@dataclass(frozen=True, slots=True)
class Lose:
    seat: int
    n: int


@dataclass(frozen=True, slots=True)
class Dying:
    seat: int
    by: int


@dataclass(frozen=True, slots=True)
class Save:
    seat: int
    n: int = 1
    by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Death:
    """`by` is None where it was left out after 濒死."""

    seat: int
    by: int | None = None


@dataclass(frozen=True, slots=True)
class Deaths:
    blows: tuple[Blow, ...]


@dataclass(frozen=True, slots=True)
class Use:
    seat: int
    skill: str
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Touch:
    seat: int
    by: int


@dataclass(frozen=True, slots=True)
class Answer:
    seat: int
    choice: str


@dataclass(frozen=True, slots=True)
class Provinces:
    """Sets the count, or changes it where `relative`."""

    seat: int
    n: int
    relative: bool


@dataclass(frozen=True, slots=True)
class Limit:
    seat: int
    change: int


@dataclass(frozen=True, slots=True)
class Leave:
    seat: int


@dataclass(frozen=True, slots=True)
class Correct:
    seat: int
    what: str
    value: int


@dataclass(frozen=True, slots=True)
class End:
    pass


Input = (
    Deal
    | Hp
    | Turn
    | Damage
    | Heal
    | Lose
    | Dying
    | Save
    | Death
    | Deaths
    | Use
    | Touch
    | Answer
    | Provinces
    | Limit
    | Leave
    | Correct
    | End
)


class _Words:
    """The words of one line, taken one after the other."""

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._at = 0

    @property
    def more(self) -> bool:
        return self._at < len(self._words)

    def word(self) -> str:
        if not self.more:
            refuse("too_short")
        self._at += 1
        return self._words[self._at - 1]

    def number(self, least: int = 1) -> int:
        return _number(self.word(), least)

    def killer(self) -> int:
        word = self.word()
        return NOBODY if word == "-" else _number(word)

    def by(self) -> int:
        self.expect("by")
        return self.killer()

    def expect(self, word: str) -> None:
        found = self.word()
        if found != word:
            refuse("unexpected", found=_shown(found), wanted=word)

    def seats(self) -> tuple[int, ...]:
        return tuple(self.number() for _ in range(len(self._words) - self._at))

    def finish(self) -> None:
        if self.more:
            refuse("too_long", found=_shown(self.word()))


def _shown(word: str) -> str:
    return word if len(word) <= 40 else word[:39] + "…"


def _number(word: str, least: int = 1) -> int:
    if not (word.isascii() and word.removeprefix("-").isdigit() and len(word) <= 3):
        refuse("not_a_number", found=_shown(word))
    number = int(word)
    if not least <= number <= MOST:
        refuse("not_in_range", found=number, least=least, most=MOST)
    return number


def _signed(word: str) -> int:
    if word[:1] not in ("+", "-"):
        refuse("not_signed", found=_shown(word))
    size = _number(word[1:])
    return size if word[0] == "+" else -size


def _card(word: str, roles: Mapping[str, str]) -> Card:
    body, arrow, target = word.partition(">")
    name, colon, colour = body.partition(":")
    role = roles.get(name)
    if name == "?":
        refuse("hidden_role", "X7", found=name)
    if role is None:
        refuse("unknown_role", found=_shown(name))
    if colon and not colour:
        refuse("too_short")
    return Card(role, colour or None, _number(target) if arrow else None)


def _deal(words: _Words, roles: Mapping[str, str]) -> Deal:
    cards = [_card(words.word(), roles)]
    while words.more:
        cards.append(_card(words.word(), roles))
    return Deal(tuple(cards))


def _save(words: _Words, _: Mapping[str, str]) -> Save:
    seat, n = words.number(), 1
    by: tuple[int, ...] = ()
    if words.more:
        word = words.word()
        if word != "by":
            n = _number(word)
            if words.more:
                words.expect("by")
                word = "by"
        if word == "by":
            by = (words.number(), *words.seats())
    return Save(seat, n, by)


def _deaths(words: _Words, _: Mapping[str, str]) -> Deaths:
    blows = []
    while True:
        seat = words.number()
        words.expect("by")
        killer = words.word()
        last = not killer.endswith(",")
        killer = killer.removesuffix(",")
        blows.append(Blow(seat, NOBODY if killer == "-" else _number(killer)))
        if last:
            return Deaths(tuple(blows))


def _provinces(words: _Words, _: Mapping[str, str]) -> Provinces:
    seat, word = words.number(), words.word()
    relative = word[:1] in ("+", "-")
    return Provinces(seat, _signed(word) if relative else _number(word, 0), relative)


_READERS: dict[str, Callable[[_Words, Mapping[str, str]], Input]] = {
    "deal": _deal,
    "hp": lambda w, _: Hp(w.number(), w.number()),
    "turn": lambda w, _: Turn(w.number()),
    "damage": lambda w, _: Damage(w.number(), w.number(), w.by()),
    "heal": lambda w, _: Heal(w.number(), w.number(), w.by()),
    "lose": lambda w, _: Lose(w.number(), w.number()),
    "dying": lambda w, _: Dying(w.number(), w.by()),
    "saved": _save,
    "death": lambda w, _: Death(w.number(), w.by() if w.more else None),
    "deaths": _deaths,
    "use": lambda w, _: Use(w.number(), w.word(), w.seats()),
    "touch": lambda w, _: Touch(w.number(), w.by()),
    "answer": lambda w, _: Answer(w.number(), w.word()),
    "provinces": _provinces,
    "limit": lambda w, _: Limit(w.number(), _signed(w.word())),
    "leave": lambda w, _: Leave(w.number()),
    "correct": lambda w, _: Correct(w.number(), w.word(), w.number(-MOST)),
    "end": lambda w, _: End(),
}

INPUT_WORDS = frozenset(_READERS)
"""The first words of all lines that people can enter."""


def read(text: str, roles: Mapping[str, str]) -> Input:
    """The input that the line `text` stands for. `roles`: role id by every name under which it may be typed.

    Raises IllegalInput for a line that is not one.
    """
    words = _Words(text.replace(",", ", ").split())
    verb = words.word()
    reader = _READERS.get(verb)
    if reader is None:
        refuse("unknown_input", found=_shown(verb))
    entered = reader(words, roles)
    words.finish()
    return entered


def _by(killer: int) -> str:
    return f"by {killer or '-'}"


def write(entered: Input) -> str:
    """The line that stands for the input; `read` of it gives the same input again."""
    match entered:
        case Deal(cards):
            return " ".join(("deal", *map(str, cards)))
        case Damage(seat, n, by) | Heal(seat, n, by):
            return f"{type(entered).__name__.lower()} {seat} {n} {_by(by)}"
        case Save(seat, n, by):
            return f"saved {seat}" + (f" {n}" if n != 1 else "") + (" by " + " ".join(map(str, by)) if by else "")
        case Death(seat, None):
            return f"death {seat}"
        case Death(seat, by) | Dying(seat, by) | Touch(seat, by):
            return f"{type(entered).__name__.lower()} {seat} {_by(by or NOBODY)}"
        case Deaths(blows):
            return "deaths " + ", ".join(f"{blow.seat} {_by(blow.by)}" for blow in blows)
        case Use(seat, skill, seats):
            return " ".join(map(str, ("use", seat, skill, *seats)))
        case Answer(seat, choice):
            return f"answer {seat} {choice}"
        case Provinces(seat, n, relative):
            return f"provinces {seat} {n:+d}" if relative else f"provinces {seat} {n}"
        case Limit(seat, change):
            return f"limit {seat} {change:+d}"
        case Correct(seat, what, value):
            return f"correct {seat} {what} {value}"
        case Hp(seat, n) | Lose(seat, n):
            return f"{type(entered).__name__.lower()} {seat} {n}"
        case Turn(seat) | Leave(seat):
            return f"{type(entered).__name__.lower()} {seat}"
        case End():
            return "end"

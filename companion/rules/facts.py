"""Everything that can become true in a game, and who may know it.

A fact is a past participle. Its `audience` is the one place where secrecy is decided: a fact is told to nobody but the
host's moderator view unless its class says otherwise. Facts are made by rules and folded into a `State` by
`state.evolve`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from dataclasses import field as dataclass_field
from typing import ClassVar, NamedTuple

NOBODY = 0
"""Stands for nobody where a seat is named (a killer, for instance). Seats count from 1."""

TABLE = 0
"""The viewer who knows only what is public: the table screen, and everybody without a seat."""
HOST = -1
"""The viewer who knows everything: the moderator view of a host without a seat, and the full record."""

Audience = frozenset[int]
"""Viewers who are told: seats, `TABLE` and `HOST`."""
EVERYBODY: Audience = frozenset((-2,))
"""The audience of public facts. Not the empty set: a rule that tells nobody must not publish by accident."""


class Identity(NamedTuple):
    """What an identity card says: role, the camp it fights for, and the colour where a mode has colours."""

    role: str
    camp: str | None
    colour: str | None = None

    def __str__(self) -> str:
        return f"{self.role}:{self.colour}" if self.colour else self.role


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that became true.

    `do` is the word of the announcement that the fact makes when a clause caused it (see `views.announcements`).
    """

    do: ClassVar[str | None] = None

    def audience(self) -> Audience:
        """Who is told. Nobody but the host, unless a class says otherwise."""
        return frozenset((HOST,))

    def as_told_to(self, viewer: int) -> Fact:
        """What a viewer of the audience is told: the fact itself, unless a class keeps a part of it back."""
        return self


@dataclass(frozen=True, slots=True)
class PublicFact(Fact):
    """A fact that everybody at the table may know."""

    def audience(self) -> Audience:
        return EVERYBODY


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivateFact(Fact):
    """News for the seats in `told`, none of which learns who else is told."""

    told: tuple[int, ...] = dataclass_field(default=(), repr=False)

    def audience(self) -> Audience:
        return frozenset((HOST, *self.told))

    def as_told_to(self, viewer: int) -> Fact:
        return replace(self, told=())


@dataclass(frozen=True, slots=True)
class Dealt(Fact):
    """The seat was dealt this identity; only its holder knows. `target`: the seat that its card points at."""

    seat: int
    identity: Identity
    target: int | None = None

    def audience(self) -> Audience:
        return frozenset((HOST, self.seat))


@dataclass(frozen=True, slots=True)
class Learnt(Fact):
    """The rules told seat `to` what the card of `seat` says."""

    to: int
    seat: int
    identity: Identity

    def audience(self) -> Audience:
        return frozenset((HOST, self.to))


@dataclass(frozen=True, slots=True)
class GameBegan(PublicFact):
    """So many people took their seats. `hp` and `max_hp` are each seat's hit points, where they are counted."""

    seats: int
    hp: int | None = None


@dataclass(frozen=True, slots=True)
class Revealed(PublicFact):
    do = "reveal"
    seat: int
    identity: Identity


@dataclass(frozen=True, slots=True)
class Disguised(PublicFact):
    """The seat is shown as this identity. Whoever is not told the truth sees an ordinary reveal."""

    seat: int
    identity: Identity

    def as_told_to(self, viewer: int) -> Fact:
        return self if viewer in (HOST, self.seat) else Revealed(self.seat, self.identity)


@dataclass(frozen=True, slots=True)
class Became(PublicFact):
    """The seat's identity was openly replaced by this one."""

    do = "become"
    seat: int
    identity: Identity


@dataclass(frozen=True, slots=True)
class CampTold(PrivateFact):
    """Those in `told` know which camp the seat fights for now."""

    seat: int
    camp: str


@dataclass(frozen=True, slots=True)
class Touched(PublicFact):
    """`by` damaged or healed the seat, once."""

    seat: int
    by: int


@dataclass(frozen=True, slots=True)
class Marked(PrivateFact):
    """The seat was given a mark by `by` and has so many now."""

    seat: int
    marks: int
    by: int


@dataclass(frozen=True, slots=True)
class MarksCounted(PrivateFact):
    """The seats have so many marks: pairs of seat and count."""

    marks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class MarksHidden(Fact):
    """The seat sees nobody's marks any more."""

    seat: int

    def audience(self) -> Audience:
        return frozenset((HOST, self.seat))


@dataclass(frozen=True, slots=True)
class Converted(Fact):
    """The seat was secretly given this identity by `by`, who has it too. Both learn it of each other, nobody else."""

    seat: int
    identity: Identity
    by: int

    def audience(self) -> Audience:
        return frozenset((HOST, self.seat, self.by))


@dataclass(frozen=True, slots=True)
class Used(PublicFact):
    """The seat chose to use an identity skill, on these seats where it takes any."""

    do = "use"
    seat: int
    skill: str
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Swapped(PublicFact):
    """The seat and the one in `seats` changed places in the order of play."""

    do = "swap"
    seat: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class UprisingBegan(PublicFact):
    do = "uprising"


@dataclass(frozen=True, slots=True)
class TurnBegan(PublicFact):
    seat: int


@dataclass(frozen=True, slots=True)
class HeroSet(PublicFact):
    """The seat's hero gives it so many hit points, the start bonus of its identity included."""

    seat: int
    hp: int


@dataclass(frozen=True, slots=True)
class MaxHpChanged(PublicFact):
    do = "max_hp"
    seat: int
    n: int


@dataclass(frozen=True, slots=True)
class Healed(PublicFact):
    """`up_to`: to full, by no more than `n`; how much that is, only the table knows."""

    do = "heal"
    seat: int
    n: int
    by: int | None = None
    up_to: bool = dataclass_field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class HpSet(PublicFact):
    do = "set_hp"
    seat: int
    n: int


@dataclass(frozen=True, slots=True)
class HpLost(PublicFact):
    do = "lose_hp"
    seat: int
    n: int


@dataclass(frozen=True, slots=True)
class Damaged(PublicFact):
    do = "damage"
    seat: int
    n: int
    by: int = NOBODY


@dataclass(frozen=True, slots=True)
class DamageTakenBack(PublicFact):
    """The seat's last damage counts as never dealt. Should it still be dying, that is the doing of `by`."""

    seat: int
    n: int
    by: int


@dataclass(frozen=True, slots=True)
class DyingBegan(PublicFact):
    """The seat is in 濒死 (or 濒亡). `implied`: by a death recorded directly (X3), which is not written down apart."""

    seat: int
    by: int
    implied: bool = dataclass_field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class Saved(PublicFact):
    """The seat is no longer dying and has `n` hit points (or 州)."""

    seat: int
    n: int
    by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class DeathAverted(PublicFact):
    """A death was recorded, but what 濒死 triggers has lifted the seat above 0 (X3)."""

    do = "survive"
    seat: int


@dataclass(frozen=True, slots=True)
class Died(PublicFact):
    """The seat is dead. `was_public`: an identity of it was shown to all before."""

    seat: int
    by: int
    was_public: bool = dataclass_field(default=False, repr=False)
    left: bool = dataclass_field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class LimitSet(PublicFact):
    """The seat starts with this 州 limit."""

    seat: int
    n: int


@dataclass(frozen=True, slots=True)
class LimitChanged(PublicFact):
    do = "limit"
    seat: int
    n: int


@dataclass(frozen=True, slots=True)
class ProvincesSet(PublicFact):
    """The seat has `n` 基本州 now."""

    seat: int
    n: int


@dataclass(frozen=True, slots=True)
class ProvincesDiscarded(PublicFact):
    """The seat discarded `n` 基本州; where they are not counted (None), down to its limit."""

    do = "discard_provinces"
    seat: int
    n: int | None = None


@dataclass(frozen=True, slots=True)
class TrophyTaken(PublicFact):
    """The seat took the identity card of the dead seat `victim`, face up."""

    do = "take_trophy"
    seat: int
    victim: int


@dataclass(frozen=True, slots=True)
class Departed(PublicFact):
    """The seat is out of the game without having died, and this grade is final."""

    do = "depart"
    seat: int
    grade: str


@dataclass(frozen=True, slots=True)
class Instructed(PublicFact):
    """The table is told to do something with real cards: see the `do` words of the record's contract."""

    seat: int | None
    word: str
    n: int | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModifierBegan(PublicFact):
    """An effect of the clause `skill` stands from now on, or with another `n`.

    It bears on `seat` (None: on whom the clause says).
    """

    do = "modifier_on"
    seat: int | None
    skill: str
    n: int | None = None


@dataclass(frozen=True, slots=True)
class ModifierPassed(PublicFact):
    """The standing effect of the clause `skill` bears on `seat` from now on."""

    seat: int
    skill: str


@dataclass(frozen=True, slots=True)
class ModifierEnded(PublicFact):
    """The effect of the clause `skill`, which bore on `seat`, stands no more."""

    do = "modifier_off"
    seat: int | None
    skill: str


@dataclass(frozen=True, slots=True)
class Asked(PublicFact):
    """A public question: the seat is asked `ask` and may answer one of `choices`."""

    seat: int
    ask: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answered(PublicFact):
    seat: int
    choice: str


@dataclass(frozen=True, slots=True)
class Corrected(PublicFact):
    """The host set a counter of the seat to what is true at the table."""

    seat: int
    what: str
    value: int


@dataclass(frozen=True, slots=True)
class Ended(PublicFact):
    """The game is over. `verdict`: the deciding clause, or None when the host ended it. `grades` by seat."""

    verdict: str | None
    grades: tuple[tuple[int, str], ...]


class Happened(NamedTuple):
    """A fact in its place: the input (from 1) that led to it, the clause that caused it ("" for the input itself)."""

    step: int
    clause: str
    fact: Fact

    def __str__(self) -> str:
        return f"{fact_text(self.fact)} [{self.clause}]" if self.clause else fact_text(self.fact)


def is_told(fact: Fact, viewer: int) -> bool:
    """Whether the viewer (a seat, `TABLE` or `HOST`) is told the fact."""
    audience = fact.audience()
    return audience is EVERYBODY or viewer in audience


def fact_text(fact: Fact) -> str:
    """The fact as a record writes it after `>`: its name and what it says, seats as numbers, `-` for nobody."""
    words = [type(fact).__name__]
    for name in _written_fields(type(fact)):
        value = getattr(fact, name)
        if value is None or value == ():
            continue
        if name == "by":
            words.append("by")
        words.append(_word(value, name))
    return " ".join(words)


_FIELDS: dict[type[Fact], tuple[str, ...]] = {}


def _written_fields(kind: type[Fact]) -> tuple[str, ...]:
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(kind) if field.repr)
    return _FIELDS[kind]


def _word(value: object, name: str) -> str:
    if isinstance(value, int):
        return "-" if value == NOBODY and name == "by" else str(value)
    if isinstance(value, tuple) and not isinstance(value, Identity):
        return ",".join("=".join(map(str, item)) if isinstance(item, tuple) else str(item) for item in value)
    return str(value)

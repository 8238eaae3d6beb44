"""What is true in a game now: seats and what stands at them, folded from facts and from nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from companion.rules import facts as f


class Seat(NamedTuple):
    """One seat (from 1). `identity` is None where the viewer whose facts were folded does not know it.

    `public`: the present identity is openly known; `shown`: the last one that the table was shown, true or not.
    `hp` and `max_hp` are None where they are not counted.
    `dying_by`: whose damage made it dying (0 = nobody's), None while it is not; `killer` likewise, None while alive.
    `departed`: out with a fixed grade without having died. `marks`, `provinces`, `limit` and `target` are None where
    the mode has none, or the viewer may not know. `trophies`: the dead seats whose identity cards it took.
    """

    number: int
    identity: f.Identity | None = None
    public: bool = False
    shown: f.Identity | None = None
    alive: bool = True
    departed: bool = False
    hp: int | None = None
    max_hp: int | None = None
    dying_by: int | None = None
    killer: int | None = None
    marks: int | None = None
    provinces: int | None = None
    limit: int | None = None
    target: int | None = None
    trophies: tuple[int, ...] = ()
    grade: str | None = None

    @property
    def role(self) -> str | None:
        return self.identity.role if self.identity else None

    @property
    def camp(self) -> str | None:
        return self.identity.camp if self.identity else None

    @property
    def is_dying(self) -> bool:
        return self.dying_by is not None


class Modifier(NamedTuple):
    """An effect that stands: its clause, the seat that it bears on (None: whom the clause says), how much."""

    skill: str
    seat: int | None
    n: int | None = None


class State(NamedTuple):
    """A game at one moment. `order` holds the seat numbers in the present direction of play.

    `turn`: whose turn it is, None before the first. `extra_turns`: seats to whom one is still owed (X15).
    `modifiers`: what stands, the latest last. `last_dead`: who died last. `has_risen`: the uprising has been.
    """

    seats: tuple[Seat, ...] = ()
    order: tuple[int, ...] = ()
    turn: int | None = None
    extra_turns: tuple[int, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    last_dead: int | None = None
    has_risen: bool = False
    ended: bool = False
    verdict: str | None = None

    def seat(self, number: int) -> Seat:
        return self.seats[number - 1]

    @property
    def living(self) -> list[Seat]:
        return [seat for seat in self.seats if seat.alive]

    def modifier(self, skill: str) -> Modifier | None:
        """The standing effect of the clause `skill`, if any."""
        return next((modifier for modifier in self.modifiers if modifier.skill == skill), None)

    def in_order(self) -> tuple[Seat, ...]:
        """All seats in the order of play, from the turn's seat (before any turn: seat 1)."""
        return tuple(self.seat(number) for number in self.numbers_in_order())

    def numbers_in_order(self) -> tuple[int, ...]:
        """The numbers of `in_order`."""
        start = self.order.index(self.turn or 1)
        return self.order[start:] + self.order[:start]


def evolve(state: State, fact: f.Fact) -> State:
    """The state after the fact. Facts that change nothing at the table (news, instructions) leave it as it is."""
    change = _CHANGES.get(type(fact))
    return change(state, fact) if change else state


def _with(state: State, number: int, **changes: Any) -> State:
    seats = list(state.seats)
    seats[number - 1] = seats[number - 1]._replace(**changes)
    return state._replace(seats=tuple(seats))


def _began(state: State, fact: f.GameBegan) -> State:
    numbers = tuple(range(1, fact.seats + 1))
    return State(seats=tuple(Seat(n, hp=fact.hp, max_hp=fact.hp) for n in numbers), order=numbers)


def _dealt(state: State, fact: f.Dealt) -> State:
    return _with(state, fact.seat, identity=fact.identity, target=fact.target)


def _revealed(state: State, fact: f.Revealed) -> State:
    return _with(state, fact.seat, identity=fact.identity, public=True, shown=fact.identity)


def _disguised(state: State, fact: f.Disguised) -> State:
    return _with(state, fact.seat, shown=fact.identity)


def _became(state: State, fact: f.Became) -> State:
    return _with(state, fact.seat, identity=fact.identity, public=True, shown=fact.identity, target=None)


def known_as(state: State, number: int, identity: f.Identity) -> State:
    """With this identity, which is openly known only if it is what the table was shown."""
    return _with(state, number, identity=identity, public=state.seat(number).shown == identity)


def _converted(state: State, fact: f.Converted) -> State:
    told = known_as(known_as(state, fact.seat, fact.identity), fact.by, fact.identity)
    return _with(told, fact.seat, target=None)


def _camp(state: State, fact: f.CampTold) -> State:
    identity = state.seat(fact.seat).identity
    return _with(state, fact.seat, identity=identity and identity._replace(camp=fact.camp))


def _marked(state: State, fact: f.Marked) -> State:
    return _with(state, fact.seat, marks=fact.marks)


def _marks(state: State, fact: f.MarksCounted) -> State:
    for number, marks in fact.marks:
        state = _with(state, number, marks=marks)
    return state


def _swapped(state: State, fact: f.Swapped) -> State:
    (other,) = fact.seats
    swap = {fact.seat: other, other: fact.seat}
    return state._replace(order=tuple(swap.get(number, number) for number in state.order))


def _uprising(state: State, _: f.UprisingBegan) -> State:
    return state._replace(has_risen=True)


def _turn(state: State, fact: f.TurnBegan) -> State:
    return state._replace(turn=fact.seat, extra_turns=())


def _hero(state: State, fact: f.HeroSet) -> State:
    return _with(state, fact.seat, hp=fact.hp, max_hp=fact.hp, dying_by=None)


def _max_hp(state: State, fact: f.MaxHpChanged) -> State:
    seat = state.seat(fact.seat)
    if seat.max_hp is None or seat.hp is None:
        return state
    most = seat.max_hp + fact.n
    return _with(state, fact.seat, max_hp=most, hp=min(seat.hp, most))


def _healed(state: State, fact: f.Healed) -> State:
    seat = state.seat(fact.seat)
    if seat.hp is None or seat.max_hp is None:
        return state
    return _hp(state, seat, min(seat.max_hp, seat.hp + fact.n))


def _hp(state: State, seat: Seat, hp: int) -> State:
    """With so many hit points; at 1 or more the seat is no longer dying."""
    counted = None if seat.hp is None else hp
    return _with(state, seat.number, hp=counted, dying_by=None if hp > 0 else seat.dying_by)


def _hp_set(state: State, fact: f.HpSet) -> State:
    return _hp(state, state.seat(fact.seat), fact.n)


def _saved(state: State, fact: f.Saved) -> State:
    seat = state.seat(fact.seat)
    after = _hp(state, seat, fact.n)
    return after if seat.provinces is None else _provinces(after, fact.seat, fact.n)


def _hp_lost(state: State, fact: f.HpLost) -> State:
    seat = state.seat(fact.seat)
    return state if seat.hp is None else _with(state, fact.seat, hp=seat.hp - fact.n)


def _damaged(state: State, fact: f.Damaged) -> State:
    seat = state.seat(fact.seat)
    if seat.hp is None:
        return state
    return _with(state, fact.seat, hp=seat.hp - fact.n, dying_by=fact.by if seat.is_dying else None)


def _damage_taken_back(state: State, fact: f.DamageTakenBack) -> State:
    seat = state.seat(fact.seat)
    if seat.hp is None or seat.max_hp is None:
        return state
    return _hp(state, seat._replace(dying_by=fact.by), min(seat.max_hp, seat.hp + fact.n))


def _dying(state: State, fact: f.DyingBegan) -> State:
    seat = state.seat(fact.seat)
    hp = None if seat.hp is None else min(seat.hp, 0)
    return _with(state, fact.seat, dying_by=fact.by, hp=hp, provinces=_none_left(seat.provinces))


def _died(state: State, fact: f.Died) -> State:
    seat = state.seat(fact.seat)
    left = {"hp": _none_left(seat.hp), "provinces": _none_left(seat.provinces)}
    after = _with(state, fact.seat, alive=False, killer=fact.by, dying_by=None, **left)
    return _without_turns(after, fact.seat)._replace(last_dead=fact.seat)


def _departed(state: State, fact: f.Departed) -> State:
    hp = _none_left(state.seat(fact.seat).hp)
    after = _with(state, fact.seat, alive=False, departed=True, grade=fact.grade, dying_by=None, hp=hp)
    return _without_turns(after, fact.seat)


def _without_turns(state: State, number: int) -> State:
    """Without the extra turns of a seat that is out (X15)."""
    return state._replace(extra_turns=tuple(n for n in state.extra_turns if n != number))


def _none_left(count: int | None) -> int | None:
    """0, where it is counted."""
    return None if count is None else 0


def _limit_set(state: State, fact: f.LimitSet) -> State:
    return _with(state, fact.seat, limit=fact.n)


def _limit(state: State, fact: f.LimitChanged) -> State:
    return _with(state, fact.seat, limit=(state.seat(fact.seat).limit or 0) + fact.n)


def _provinces(state: State, number: int, n: int) -> State:
    """With so many 基本州; with 1 or more the seat is no longer dying."""
    return _with(state, number, provinces=n, dying_by=None if n > 0 else state.seat(number).dying_by)


def _provinces_set(state: State, fact: f.ProvincesSet) -> State:
    return _provinces(state, fact.seat, fact.n)


def _provinces_discarded(state: State, fact: f.ProvincesDiscarded) -> State:
    count = state.seat(fact.seat).provinces
    return state if count is None or fact.n is None else _with(state, fact.seat, provinces=count - fact.n)


def _trophy(state: State, fact: f.TrophyTaken) -> State:
    return _with(state, fact.seat, trophies=(*state.seat(fact.seat).trophies, fact.victim))


def _instructed(state: State, fact: f.Instructed) -> State:
    if fact.word != "extra_turn" or fact.seat is None:
        return state
    return state._replace(extra_turns=(*state.extra_turns, fact.seat))


def _without(state: State, skill: str) -> tuple[Modifier, ...]:
    return tuple(modifier for modifier in state.modifiers if modifier.skill != skill)


def _modifier_began(state: State, fact: f.ModifierBegan) -> State:
    return state._replace(modifiers=(*_without(state, fact.skill), Modifier(fact.skill, fact.seat, fact.n)))


def _modifier_passed(state: State, fact: f.ModifierPassed) -> State:
    passed = (m._replace(seat=fact.seat) if m.skill == fact.skill else m for m in state.modifiers)
    return state._replace(modifiers=tuple(passed))


def _modifier_ended(state: State, fact: f.ModifierEnded) -> State:
    return state._replace(modifiers=_without(state, fact.skill))


def _corrected(state: State, fact: f.Corrected) -> State:
    seat = state.seat(fact.seat)
    if fact.what == "hp":
        return _hp(state, seat, fact.value)
    if fact.what == "provinces":
        return _provinces(state, fact.seat, fact.value)
    changes: dict[str, int] = {fact.what: fact.value}
    if fact.what == "max_hp" and seat.hp is not None:
        changes["hp"] = min(seat.hp, fact.value)
    return _with(state, fact.seat, **changes)


def _ended(state: State, fact: f.Ended) -> State:
    grades = dict(fact.grades)
    seats = tuple(s._replace(public=True, grade=grades.get(s.number, s.grade)) for s in state.seats)
    return state._replace(seats=seats, ended=True, verdict=fact.verdict)


_CHANGES: dict[type[f.Fact], Callable[[State, Any], State]] = {
    f.GameBegan: _began,
    f.Dealt: _dealt,
    f.Revealed: _revealed,
    f.Disguised: _disguised,
    f.Became: _became,
    f.CampTold: _camp,
    f.Marked: _marked,
    f.MarksCounted: _marks,
    f.Converted: _converted,
    f.Swapped: _swapped,
    f.UprisingBegan: _uprising,
    f.TurnBegan: _turn,
    f.HeroSet: _hero,
    f.MaxHpChanged: _max_hp,
    f.Healed: _healed,
    f.HpSet: _hp_set,
    f.Saved: _saved,
    f.HpLost: _hp_lost,
    f.Damaged: _damaged,
    f.DamageTakenBack: _damage_taken_back,
    f.DyingBegan: _dying,
    f.Died: _died,
    f.LimitSet: _limit_set,
    f.LimitChanged: _limit,
    f.ProvincesSet: _provinces_set,
    f.ProvincesDiscarded: _provinces_discarded,
    f.TrophyTaken: _trophy,
    f.Departed: _departed,
    f.Instructed: _instructed,
    f.ModifierBegan: _modifier_began,
    f.ModifierPassed: _modifier_passed,
    f.ModifierEnded: _modifier_ended,
    f.Corrected: _corrected,
    f.Ended: _ended,
}

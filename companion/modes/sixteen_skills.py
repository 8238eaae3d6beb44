"""`sixteen`: the skills that an identity's holder chooses to use (clause SX-5, and one clause a skill)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.modes.loader import Skill
from companion.modes.sixteen_roles import card, is_lord, turbans
from companion.rules.common import fallen, is_living, living, reveal, source
from companion.rules.facts import (
    NOBODY,
    Damaged,
    DamageTakenBack,
    DyingBegan,
    Happened,
    HpLost,
    Instructed,
    Learnt,
    Marked,
    MarksCounted,
    MaxHpChanged,
    Saved,
    Swapped,
    TurnBegan,
    Used,
)
from companion.rules.inputs import Use, refuse
from companion.rules.ruleset import Cited, Rule, Steps, rule
from companion.rules.state import Seat
from companion.rules.table import Table

SKILLS = {
    "inspect": Skill("SX-WISE.1", "wise_lord", 1, 1, each_turn=True),
    "emerge": Skill("SX-DRAGON.1", "hidden_dragon"),
    "quell": Skill("SX-CHAMP.1", "champion"),
    "guard": Skill("SX-GUARD.1", "royal_guard", 0, 1),
    "charge": Skill("SX-VAN.1", "vanguard", 1, 1),
    "stratagem": Skill("SX-STRAT.1", "strategist"),
    "alliance": Skill("SX-LEAD.1", "alliance_leader", 0, 8),
    "dagger": Skill("SX-ASSN.1", "assassin"),
    "seal": Skill("SX-FALSE.1", "false_emperor"),
}
"""The skills by the word that uses them."""


def use(table: Table, entered: Use) -> Steps:
    """An identity skill is used (SX-5). What everybody knows is looked at before what only its owner knows."""
    skill = SKILLS.get(entered.skill) or refuse("unknown_skill", "SX-5", found=entered.skill[:40])
    seats = _named(table, entered, skill)
    if has_used(table, entered):
        refuse("skill_used", skill.clause, seat=entered.seat, skill=entered.skill)
    if table.seat(entered.seat).role != skill.role:
        refuse("not_holder", "SX-5", seat=entered.seat, skill=entered.skill)
    if is_spent(table, entered):
        refuse("skill_used", skill.clause, seat=entered.seat, skill=entered.skill)
    if skill.each_turn and table.state.turn != entered.seat:
        refuse("not_own_turn", skill.clause, seat=entered.seat)
    if entered.skill == "guard":
        seats = (_guarded(table, entered),)
    yield Cited(skill.clause, Used(entered.seat, entered.skill, seats))


def _named(table: Table, entered: Use, skill: Skill) -> tuple[int, ...]:
    """The seats that were named, in the order of play, after all that anybody may know was looked at."""
    if not skill.least <= len(entered.seats) <= skill.most:
        refuse("skill_seats", skill.clause, skill=entered.skill, least=skill.least, most=skill.most)
    for number in entered.seats:
        if entered.seats.count(number) > 1:
            refuse("named_twice", skill.clause, seat=number)
    if not table.seat(entered.seat).alive:
        refuse("dead", "SX-5", seat=entered.seat)
    for number in entered.seats:
        living(table, number)
    if entered.seat in entered.seats and entered.skill != "alliance":
        refuse("not_oneself", skill.clause, seat=entered.seat)
    return tuple(seat.number for seat in table.state.in_order() if seat.number in entered.seats)


def has_used(table: Table, entered: Use) -> bool:
    """Whether this seat has used the skill: in this turn (`inspect`), or at all."""
    for happened in reversed(table.facts):
        match happened.fact:
            case TurnBegan() if SKILLS[entered.skill].each_turn:
                return False
            case Used(entered.seat, entered.skill):
                return True
    return False


def is_spent(table: Table, entered: Use) -> bool:
    """Whether a predecessor has used the limited skill of a lord identity that was inherited (SX-6.4)."""
    mine = table.seat(entered.seat).identity
    if SKILLS[entered.skill].each_turn or not is_lord(mine):
        return False
    return any(
        isinstance(happened.fact, Used)
        and happened.fact.skill == entered.skill
        and table.state.seat(happened.fact.seat).identity == mine
        for happened in table.facts
    )


def effect(word: str) -> Callable[[Callable[[Table, Used], Steps]], Rule]:
    """Make the decorated generator the rule of the skill's clause."""
    return rule(SKILLS[word].clause, when=lambda table, used: used.skill == word)


@effect("inspect")
def discern(table: Table, used: Used) -> Steps:
    (number,) = used.seats
    if seen := card(table.state.seat(number)):
        yield Learnt(used.seat, number, seen)


@effect("emerge")
def emerge(table: Table, used: Used) -> Steps:
    yield from reveal(table, used.seat)
    yield Instructed(used.seat, "take_random", 1)


@effect("quell")
def quell(table: Table, used: Used) -> Steps:
    yield from reveal(table, used.seat)
    yield Instructed(used.seat, "gain_skill")


@effect("charge")
def charge(table: Table, used: Used) -> Steps:
    yield from reveal(table, used.seat)
    yield Swapped(used.seat, used.seats)


@effect("stratagem")
def scheme(table: Table, used: Used) -> Steps:
    yield from reveal(table, used.seat)
    yield Instructed(used.seat, "draw_tactics", 3)


@effect("alliance")
def ally(table: Table, used: Used) -> Steps:
    yield from reveal(table, used.seat)
    yield MaxHpChanged(used.seat, 1)
    for number in used.seats:
        yield Instructed(number, "draw", 2)


@effect("dagger")
def bare_dagger(table: Table, used: Used) -> Steps:
    yield from reveal(table, used.seat)
    yield Instructed(used.seat, "gain_skill")


@effect("seal")
def seal(table: Table, used: Used) -> Steps:
    copied = table.state.seat(used.seat).shown
    yield from reveal(table, used.seat)
    for seat in table.state.in_order():
        if seat.alive and seat.number != used.seat:
            yield Damaged(seat.number, 1, used.seat)
    if copied and copied.role == "lord":
        yield MaxHpChanged(used.seat, -1)
    yield from fallen(table, used.seat)


def _guarded(table: Table, entered: Use) -> int:
    """The lord whose damage the guard takes: a dying one that the table takes for a lord of its colour."""
    mine = table.seat(entered.seat).identity
    lords = [seat.number for seat in table.state.in_order() if mine and _is_dying_lord(seat, mine.colour)]
    named = [number for number in lords if number in (entered.seats or lords)]
    if not named:
        refuse("no_lord_dying", "SX-GUARD.1", seat=entered.seat)
    guarded = next((number for number in named if is_dying_from_damage(table.facts, number)), None)
    return guarded or refuse("not_from_damage", "SX-GUARD.1", seat=named[0])


def _is_dying_lord(seat: Seat, colour: str | None) -> bool:
    return seat.is_dying and is_lord(seat.shown) and seat.shown is not None and seat.shown.colour == colour


def is_dying_from_damage(facts: Sequence[Happened], number: int) -> bool:
    """Whether what brought the dying seat low last was not a loss of hit points (SX-GUARD.1). All know it."""
    blow = last_blow(facts, number)
    return blow is None or not isinstance(blow.fact, HpLost)


def blows(facts: Sequence[Happened], number: int) -> list[Happened]:
    """What brought the seat's hit points down, the latest last; 濒死 only where it was recorded by itself."""
    found: list[Happened] = []
    for happened in facts:
        fact = happened.fact
        if not isinstance(fact, Damaged | HpLost | DyingBegan | DamageTakenBack) or fact.seat != number:
            continue
        if isinstance(fact, DamageTakenBack):
            found.pop()
        elif not (isinstance(fact, DyingBegan) and found and found[-1].step == happened.step):
            found.append(happened)
    return found


def last_blow(facts: Sequence[Happened], number: int) -> Happened | None:
    return next(reversed(blows(facts, number)), None)


@effect("guard")
def guard(table: Table, used: Used) -> Steps:
    me, (lord,) = used.seat, used.seats
    yield from reveal(table, me)
    by = source(table, table.state.seat(lord).dying_by or NOBODY, me)
    blow = last_blow(table.facts, lord)
    if table.has("hp") and blow and isinstance(blow.fact, Damaged):
        yield from _take_back(table, lord, blow, blow.fact)
        yield Damaged(me, blow.fact.n, by)
        yield from fallen(table, by)
    else:
        yield Saved(lord, 1)
    if is_living(table, by) and is_living(table, me):
        yield Instructed(me, "play_slashes", choices=(str(by),))


def _take_back(table: Table, lord: int, blow: Happened, damage: Damaged) -> Steps:
    earlier = [h.fact for h in blows(table.facts, lord) if h is not blow]
    by = earlier[-1].by if earlier and isinstance(earlier[-1], Damaged | DyingBegan) else NOBODY
    yield DamageTakenBack(lord, damage.n, by)
    if any(h.step == blow.step and isinstance(h.fact, Marked) and h.fact.seat == lord for h in table.facts):
        marks = (table.state.seat(lord).marks or 1) - 1
        yield MarksCounted(((lord, marks),), told=turbans(table.state))


SKILL_RULES = (discern, emerge, quell, guard, charge, scheme, ally, bare_dagger, seal)

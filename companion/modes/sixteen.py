"""`sixteen`: 身份模式 with sixteen identities, 2 to 8 players (clauses SX-…)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.modes.common import always, died, has_killer
from companion.modes.loader import Behaviour, Shield
from companion.modes.sixteen_deal import COMPOSER, arrange, check, coloured
from companion.modes.sixteen_roles import ASSASSIN, FALSE_EMPEROR, LATTER_LORD, LORDS, LOYAL, PUBLIC, REBELS, turbans
from companion.modes.sixteen_skills import SKILL_RULES, SKILLS, is_dying_from_damage, use
from companion.modes.sixteen_turbans import begin_marks, convert, mark, rise_up, touch
from companion.modes.sixteen_verdicts import ENDINGS
from companion.rules import common
from companion.rules.common import reveal
from companion.rules.facts import (
    Became,
    CampTold,
    Converted,
    Damaged,
    Departed,
    Died,
    Disguised,
    Ended,
    Healed,
    Identity,
    Instructed,
    Marked,
    MarksCounted,
    MarksHidden,
    MaxHpChanged,
    Revealed,
    Saved,
    Touched,
    Used,
)
from companion.rules.goals import LOSE, WIN, camp_wins
from companion.rules.inputs import Deal, Touch, Use
from companion.rules.ruleset import VERDICT, Ask, Begun, Settled, Steps, rule, tier
from companion.rules.state import Seat
from companion.rules.table import Table


def deal(table: Table, entered: Deal) -> Steps:
    """As everywhere, with the one lord's colour on the cards that leave theirs out."""
    for reason in table.ruleset.check(table.options, entered.cards, True):
        raise reason
    yield from common.deal(table, Deal(coloured(entered.cards)))


@rule("SX-3", when=always)
def show_lords(table: Table, _: None) -> Steps:
    """主公, 明主 and 先主 are known to all, and 伪帝 is taken for the one that it copies."""
    for seat in table.state.seats:
        if seat.role in PUBLIC:
            yield from reveal(table, seat.number)
        elif seat.role == FALSE_EMPEROR and seat.target:
            copied = table.state.seat(seat.target).identity
            if copied:
                yield Disguised(seat.number, copied)


@rule("SX-2.2", when=lambda table, _: all(seat.shown is None for seat in table.state.seats))
def show_first(table: Table, _: None) -> Steps:
    yield from reveal(table, 1)


@rule("SX-2.3", when=always)
def enthrone(table: Table, _: None) -> Steps:
    """主公, and whoever is taken for one, begins with one hit point more."""
    for seat in table.state.seats:
        if seat.shown and seat.shown.role == "lord":
            yield MaxHpChanged(seat.number, 1)
            yield Healed(seat.number, 1)


def depart(table: Table, numbers: Iterable[int], grade: str = LOSE) -> Steps:
    """They leave the game, known to all and with a final grade."""
    for number in numbers:
        yield from reveal(table, number)
        yield Departed(number, grade)


def identity_of(table: Table, number: int) -> Identity:
    """The seat's identity. Everybody was dealt one."""
    identity = table.state.seat(number).identity
    assert identity
    return identity


@rule("SX-6.1", when=always)
def unmask(table: Table, death: Died) -> Steps:
    """The victim's true identity is shown to all; of 后主 also whom he fought for."""
    seat = table.state.seat(death.seat)
    if not seat.public or seat.role == LATTER_LORD:
        yield Revealed(death.seat, identity_of(table, death.seat))


def assassins(table: Table) -> list[Seat]:
    return [seat for seat in table.state.in_order() if seat.alive and seat.role == ASSASSIN]


@rule("SX-6.2", when=always)
def settle_contracts(table: Table, death: Died) -> Steps:
    for assassin in assassins(table):
        if assassin.target == death.seat:
            yield from depart(table, (assassin.number,), WIN if death.by == assassin.number else LOSE)


@rule("SX-6.3", when=died("former_lord"))
def entrust(table: Table, death: Died) -> Steps:
    while heirs := [seat.number for seat in table.state.living]:
        answer = yield Ask(death.seat, "successor", tuple(map(str, heirs)))
        if answer:
            yield from enthrone_latter_lord(table, int(answer), identity_of(table, death.seat).colour)
            return


def enthrone_latter_lord(table: Table, number: int, colour: str | None) -> Steps:
    """The seat is 后主, openly; which camp he fights for, only he, loyal kinds and rebels are told."""
    before = identity_of(table, number)
    yield Became(number, Identity(LATTER_LORD, None, colour))
    involved = (seat.number for seat in table.state.living if seat.role in (*LOYAL, *REBELS))
    yield CampTold(number, "rebel" if before.camp == "rebel" else "royal", told=(number, *involved))
    if before.role == "yellow_turban":
        yield MarksHidden(number)
    yield MarksCounted(((number, 0),), told=turbans(table.state))
    yield Healed(number, 3)
    yield Instructed(number, "draw", 3)


def living_of_colour(table: Table, colour: str | None) -> list[Seat]:
    return [
        seat
        for seat in table.state.in_order()
        if seat.alive and seat.camp == "royal" and identity_of(table, seat.number).colour == colour
    ]


@rule("SX-6.4", when=died("lord", "wise_lord", "hidden_dragon"))
def inherit(table: Table, death: Died) -> Steps:
    fallen = identity_of(table, death.seat)
    members = living_of_colour(table, fallen.colour)
    heir = next((seat.number for seat in members if seat.role == "crown_prince"), None)
    if heir:
        yield Became(heir, fallen)
    else:
        yield from depart(table, [seat.number for seat in members])


@rule("SX-6.5", when=died(LATTER_LORD))
def fall_with_latter_lord(table: Table, death: Died) -> Steps:
    loyal = [seat.number for seat in table.state.in_order() if seat.alive and seat.role in LOYAL]
    if identity_of(table, death.seat).camp != "rebel":
        yield from depart(table, loyal)
    elif loyal:
        fixed = {seat.number: seat.grade for seat in table.state.seats if seat.grade}
        yield Ended("SX-6.5", tuple((camp_wins("royal")(table.state) | fixed).items()))


@rule("SX-6.6", when=lambda table, death: death.was_public and died("alliance_leader")(table, death))
def collapse(table: Table, death: Died) -> Steps:
    yield from depart(table, [seat.number for seat in table.state.in_order() if seat.alive and seat.role in REBELS])


@rule("SX-6.7", when=always)
def fail_contracts(table: Table, death: Died) -> Steps:
    """刺客 whose target is out by another's hand, until there is none: each departure can fail another contract."""
    while failed := [a.number for a in assassins(table) if a.target and not table.state.seat(a.target).alive]:
        yield from depart(table, failed[:1])


def is_lord_over(table: Table, number: int, colour: str | None) -> bool:
    """Whether the seat is the lord kind of this colour: hidden 潜龙 and who is taken for one too, 后主 of 反贼 not."""
    seat = table.state.seat(number)
    if seat.camp == "rebel":
        return False
    ruling = identity_of(table, number) if seat.role in LORDS else seat.shown
    return ruling is not None and ruling.role in LORDS and ruling.colour == colour


@rule("SX-6.9", when=has_killer)
def reward_or_penalty(table: Table, death: Died) -> Steps:
    victim = identity_of(table, death.seat)
    if victim.role in REBELS:
        yield Instructed(death.by, "draw", 3)
    elif victim.role in LOYAL and is_lord_over(table, death.by, victim.colour):
        yield Instructed(death.by, "discard_all")


@rule("SX-6.10", when=died("lord", "wise_lord", "hidden_dragon"))
def act_at_once(table: Table, death: Died) -> Steps:
    fallen = identity_of(table, death.seat)
    for heir in table.state.living:
        if heir.identity == fallen:
            yield Instructed(heir.number, "extra_turn")


@rule("SX-6.11", when=always)
def clear_seats(table: Table, death: Died) -> Steps:
    """Who departed lays down all cards."""
    cleared = {h.fact.seat for h in table.facts if h.clause == "SX-6.11" and isinstance(h.fact, Instructed)}
    for seat in table.state.in_order():
        if seat.departed and seat.number not in cleared:
            yield Instructed(seat.number, "discard_zones")


ORDER = {
    Begun: (tier("SX-3"), tier("SX-2.2"), tier("SX-2.3"), tier("SX-4.5")),
    Used: (tier(*(skill.clause for skill in SKILLS.values())),),
    Damaged: (tier("SX-4.1"),),
    Healed: (tier("SX-4.1"),),
    Saved: (tier("SX-4.1"),),
    Touched: (tier("SX-4.1"),),
    Marked: (tier("SX-4.2"),),
    Converted: (tier("SX-4.4"), tier(VERDICT)),
    Died: (
        tier("SX-6.1"),
        tier("SX-6.2"),
        tier("SX-6.3"),
        tier("SX-6.4"),
        tier("SX-6.5"),
        tier("SX-6.6"),
        tier("SX-6.7"),
        tier(VERDICT),
        tier("SX-6.9"),
        tier("SX-6.10"),
        tier("SX-6.11"),
    ),
    Settled: (tier(VERDICT),),
}

RULES = (
    show_lords,
    show_first,
    enthrone,
    begin_marks,
    mark,
    convert,
    rise_up,
    unmask,
    settle_contracts,
    entrust,
    inherit,
    fall_with_latter_lord,
    collapse,
    fail_contracts,
    reward_or_penalty,
    act_at_once,
    clear_seats,
    *SKILL_RULES,
)

BEHAVIOURS = {
    "sixteen": Behaviour(
        ORDER,
        RULES,
        ENDINGS,
        composition="SX-1.1",
        check=check,
        inputs={Deal: deal, Touch: touch, Use: use},
        arrange=arrange,
        composer=COMPOSER,
        skills=SKILLS,
        shield=Shield("guard", LORDS, is_dying_from_damage),
    ),
}

"""`court12`: 进阶版 for 12 players (clauses C12-…)."""

from __future__ import annotations

from collections.abc import Callable

from companion.modes.common import alive, all_of, always, died, has_killer, reveal_dead, rise
from companion.modes.court import (
    acting_lord,
    have_lords_fallen,
    hidden,
    is_lord_or_last_rebel,
    is_lord_or_rebel,
    majesty,
    self_reproach,
)
from companion.modes.loader import Behaviour
from companion.rules.common import fallen, reveal
from companion.rules.facts import (
    Became,
    Died,
    DyingBegan,
    Fact,
    Healed,
    HpLost,
    HpSet,
    Identity,
    Instructed,
    Learnt,
    ModifierBegan,
    ModifierEnded,
    ModifierPassed,
    Revealed,
    TurnBegan,
)
from companion.rules.goals import DRAW, Ending, camp_wins, everyone, is_alive, living_camps
from companion.rules.ruleset import VERDICT, Ask, Begun, Moment, Rule, Settled, Steps, rule, tier
from companion.rules.state import State
from companion.rules.table import Table

TURNCOAT = Identity("turncoat", "renegade")


class Rallied(Moment):
    """贼首 has done 统义."""


class Ascended(Moment):
    """内奸 has done the first part of 策立."""


def risen_chief(state: State) -> int | None:
    """The seat of the living 贼首 who has done 统义."""
    for seat in state.seats:
        if seat.public and seat.alive and seat.role == "rebel_chief":
            return seat.number
    return None


def living_rebels(state: State) -> int:
    """X of 聚义 and 势颓."""
    return sum(seat.camp == "rebel" for seat in state.living)


def are_routed(state: State) -> bool:
    """军溃: rebels have 赏令 in place of their own skills."""
    return state.modifier("C12-CHIEF.4") is not None


def has_not_routed(table: Table, death: Died) -> bool:
    return not are_routed(table.state)


# Who knows what


@rule("C12-LORD.2", when=always, holder=alive("lord"))
def name_heir(table: Table, me: int, _: None) -> Steps:
    for seat in table.state.seats:
        if seat.role == "crown_prince" and seat.identity:
            yield Learnt(me, seat.number, seat.identity)


@rule("C-VIEW", when=always, holder=alive("eunuch", "partisan"))
def conspire(table: Table, me: int, _: None) -> Steps:
    for seat in table.state.seats:
        if seat.camp == "sycophant" and seat.number != me and seat.identity:
            yield Learnt(me, seat.number, seat.identity)


# Skills that last while their holder lives


def passive(clause: str, holder: str, bears_on: Callable[[State], int | None], cards: int = 0) -> Rule:
    """The rule of a skill that bears on another seat while its `holder` has it: said once, and when it is over.

    It is first said at a turn of the seat that it bears on, who draws `cards` at every such turn.
    """

    def is_in_force(state: State) -> bool:
        return is_alive(state, holder) and not (are_routed(state) and clause in LOST_IN_ROUT)

    def is_due(table: Table, fact: Fact) -> bool:
        if isinstance(fact, TurnBegan):
            return bears_on(table.state) == fact.seat and is_in_force(table.state)
        return table.state.modifier(clause) is not None and not is_in_force(table.state)

    @rule(clause, when=is_due)
    def stand(table: Table, fact: Fact) -> Steps:
        standing = table.state.modifier(clause)
        if standing and not isinstance(fact, TurnBegan):
            yield ModifierEnded(standing.seat, clause)
            return
        who = bears_on(table.state)
        if not standing:
            yield ModifierBegan(who, clause)
        if cards:
            yield Instructed(who, "draw", cards)

    return stand


LOST_IN_ROUT = ("C12-RIOT.1", "C12-LOOT.1")

PASSIVES = (
    passive("C12-CHAN.1", "chancellor", acting_lord, cards=1),
    passive("C12-GEN.1", "general", acting_lord),
    passive("C12-EUN.1", "eunuch", acting_lord),
    passive("C12-PART.1", "partisan", acting_lord),
    passive("C12-RIOT.1", "rioter", risen_chief),
    passive("C12-LOOT.1", "looter", risen_chief, cards=1),
)


# The throne


def is_killed_by_prince(table: Table, death: Died) -> bool:
    return has_killer(table, death) and table.state.seat(death.by).role == "crown_prince"


@rule("C12-PRINCE.1", when=all_of(died("lord"), is_killed_by_prince))
def pay_for_throne(table: Table, death: Died) -> Steps:
    yield Instructed(death.by, "discard_all")


@rule("C12-PRINCE.2", when=died("lord"), holder=alive("crown_prince"))
def succeed(table: Table, me: int, death: Died) -> Steps:
    yield from rise(table, me)
    yield Instructed(me, "draw", 3)
    yield Instructed(me, "lord_skill")
    for modifier in table.state.modifiers:
        if modifier.seat == death.seat:
            yield ModifierPassed(me, modifier.skill)


# The rebels


def calls_for_rally(table: Table, fact: Died | Revealed) -> bool:
    if isinstance(fact, Revealed):
        return fact.identity.role == "renegade" and table.state.seat(fact.seat).is_dying
    return is_lord_or_rebel(table, fact)


@rule("C12-CHIEF.1", when=calls_for_rally, holder=hidden("rebel_chief"))
def rally(table: Table, me: int, cause: Died | Revealed) -> Steps:
    yield from rise(table, me)
    yield Instructed(me, "draw", 3)
    yield Instructed(me, "lord_skill")
    yield Rallied()


def has_muster_changed(table: Table, fact: Fact | None) -> bool:
    chief, standing = risen_chief(table.state), table.state.modifier("C12-CHIEF.2")
    if chief is None or standing is None:
        return bool(chief or standing)
    return standing.n != living_rebels(table.state)


@rule("C12-CHIEF.2", when=has_muster_changed)
def muster(table: Table, fact: Fact | None) -> Steps:
    chief, standing = risen_chief(table.state), table.state.modifier("C12-CHIEF.2")
    if chief:
        yield ModifierBegan(chief, "C12-CHIEF.2", living_rebels(table.state))
    elif standing:
        yield ModifierEnded(standing.seat, "C12-CHIEF.2")


@rule("C12-CHIEF.3", when=died("rebel_chief"))
def lose_heart(table: Table, death: Died) -> Steps:
    if has_killer(table, death):
        yield Instructed(death.by, "draw", 3 + living_rebels(table.state))
    lord = acting_lord(table.state)
    if lord:
        yield Instructed(lord, "choose", choices=("heal 1", "draw 2"))


def routs_or_is_routed(table: Table, death: Died) -> bool:
    victim = table.state.seat(death.seat)
    if victim.role == "rebel_chief":
        return True
    return victim.camp == "rebel" and are_routed(table.state) and has_killer(table, death)


@rule("C12-CHIEF.4", when=routs_or_is_routed)
def rout(table: Table, death: Died) -> Steps:
    if table.state.seat(death.seat).role == "rebel_chief":
        yield ModifierBegan(None, "C12-CHIEF.4")
    else:
        yield Instructed(death.by, "draw", 3)


@rule("C12-DESP.1", when=all_of(died("desperado"), has_killer, has_not_routed))
def fight_cornered(table: Table, death: Died) -> Steps:
    yield Instructed(death.by, "discard", 3)


@rule("C12-RIGHT.1", when=died("righteous_bandit"), holder=alive("rebel_chief"))
def keep_faith(table: Table, me: int, death: Died) -> Steps:
    yield Instructed(me, "draw", 3)


# The renegade and the turncoat


def calls_for_ascent(table: Table, fact: Died | DyingBegan) -> bool:
    if isinstance(fact, DyingBegan):
        return table.state.seat(fact.seat).role == "renegade"
    return is_lord_or_last_rebel(table, fact)


@rule("C12-REN.1", when=calls_for_ascent, holder=hidden("renegade"))
def ascend(table: Table, me: int, cause: Died | DyingBegan) -> Steps:
    yield from reveal(table, me)
    if isinstance(cause, DyingBegan):
        yield HpSet(me, 1)
    yield from rise(table, me)
    yield Instructed(me, "draw", 3)
    yield Instructed(me, "lord_skill")
    yield Ascended()


def may_turn(state: State, number: int) -> bool:
    """Whether the seat is one whom the poll asks."""
    seat = state.seat(number)
    is_skipped = seat.role in ("lord", "rebel_chief", "renegade") or number == acting_lord(state)
    return seat.alive and not is_skipped


@rule("C12-REN.2", when=always, holder=alive("renegade"))
def seek_turncoat(table: Table, me: int, _: None) -> Steps:
    for number in [seat.number for seat in table.state.in_order()]:
        answer = None
        while answer is None and may_turn(table.state, number) and table.seat(me).alive:
            answer = yield Ask(number, "turncoat", ("yes", "no"))
        if answer == "yes":
            yield Became(number, TURNCOAT)
            return
    yield from scheme(table, me)


def scheme(table: Table, me: int) -> Steps:
    """Nobody has turned: 内奸 chooses, if he is still there."""
    choice = None
    while choice is None and table.seat(me).alive:
        choice = yield Ask(me, "scheme", ("extra_turn", "drain"))
    if choice == "extra_turn":
        yield Instructed(me, "extra_turn")
    elif choice == "drain":
        for seat in table.state.in_order():
            if seat.alive and seat.number != me:
                yield HpLost(seat.number, 1)
        yield from fallen(table)


@rule("C12-TURN.1", when=always)
def take_bribe(table: Table, turning: Became) -> Steps:
    seat = table.seat(turning.seat)
    yield Instructed(seat.number, "discard_zones")
    # Where hit points are not counted, only the table knows how many they are, and how many cards.
    if seat.hp is None or seat.max_hp is None:
        yield Healed(seat.number, 5, up_to=True)
    elif missing := min(5, seat.max_hp - seat.hp):
        yield Healed(seat.number, missing)
    yield Instructed(seat.number, "draw", seat.max_hp and min(5, seat.max_hp))


def is_turned_or_dead(table: Table, fact: Became | Died) -> bool:
    return table.state.seat(fact.seat).role == "turncoat"


@rule("C12-TURN.2", when=is_turned_or_dead)
def be_hated(table: Table, fact: Became | Died) -> Steps:
    if isinstance(fact, Became):
        yield ModifierBegan(fact.seat, "C12-TURN.2")
    else:
        yield ModifierEnded(fact.seat, "C12-TURN.2")


# The lasting skills are not asked by seat: their order must not follow the seats of hidden holders.
ORDER = {
    Begun: (tier("C12-LORD.1"), tier("C12-LORD.2"), tier("C-VIEW")),
    TurnBegan: (tier("C12-CHAN.1", "C12-GEN.1", "C12-EUN.1", "C12-PART.1", "C12-RIOT.1", "C12-LOOT.1"),),
    DyingBegan: (tier("C12-REN.1"),),
    Revealed: (tier("C12-CHIEF.1"),),
    Died: (
        tier("X4"),
        tier(VERDICT),
        tier("C12-LORD.3"),
        tier("C12-PRINCE.1"),
        tier("C12-PRINCE.2"),
        tier("C12-CHIEF.3"),
        tier("C12-CHIEF.4"),
        tier("C12-DESP.1", "C12-RIGHT.1"),
        tier("C12-CHAN.1", "C12-GEN.1", "C12-EUN.1", "C12-PART.1", "C12-RIOT.1", "C12-LOOT.1", "C12-TURN.2"),
        tier("C12-CHIEF.1"),
        tier("C12-CHIEF.2"),
        tier("C12-REN.1"),
    ),
    Rallied: (tier("C12-CHIEF.2"),),
    Ascended: (tier("C12-REN.2"),),
    Became: (
        tier("C12-TURN.1"),
        tier("C12-TURN.2"),
        tier("C12-CHAN.1", "C12-GEN.1", "C12-EUN.1", "C12-PART.1", "C12-RIOT.1", "C12-LOOT.1"),
        tier("C12-CHIEF.2"),
    ),
    Settled: (tier(VERDICT),),
}

RULES = (
    reveal_dead,
    majesty("C12-LORD.1"),
    name_heir,
    conspire,
    self_reproach("C12-LORD.3", "crown_prince", "chancellor", "general"),
    pay_for_throne,
    succeed,
    *PASSIVES,
    rally,
    muster,
    lose_heart,
    rout,
    fight_cornered,
    keep_faith,
    ascend,
    seek_turncoat,
    take_bribe,
    be_hated,
)


def are_lords_parted(state: State) -> bool:
    """One of 主公 and 储君 lives, the other does not."""
    return is_alive(state, "lord") != is_alive(state, "crown_prince")


def have_sycophants_prevailed(state: State) -> bool:
    if living_camps(state) != {"royal", "sycophant"} or not are_lords_parted(state):
        return False
    return not is_alive(state, "chancellor") and not is_alive(state, "general")


ENDINGS = (
    Ending("C12-V1", lambda state: have_lords_fallen(state) and "rebel" in living_camps(state), camp_wins("rebel")),
    Ending(
        "C12-V2", lambda state: have_lords_fallen(state) and "renegade" in living_camps(state), camp_wins("renegade")
    ),
    Ending("C12-V3", have_lords_fallen, everyone(DRAW)),
    Ending("C12-V4", lambda state: living_camps(state) == {"royal"}, camp_wins("royal")),
    Ending("C12-V5", have_sycophants_prevailed, camp_wins("sycophant")),
)

BEHAVIOURS = {
    "court12": Behaviour(
        ORDER, RULES, ENDINGS, composition="X7", seat_1=("lord", "C12-LORD.1"), acting_lord=acting_lord
    ),
}

"""`court8`: 初级版 for 8 players (clauses C8-…)."""

from __future__ import annotations

from companion.modes.common import alive, bounty, died, reveal_dead, rise
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
from companion.rules.facts import Died, Instructed
from companion.rules.goals import DRAW, Ending, camp_wins, everyone, is_alone, living_camps
from companion.rules.ruleset import VERDICT, Begun, Settled, Steps, rule, tier
from companion.rules.table import Table


@rule("C8-PRINCE.1", when=died("lord"), holder=alive("crown_prince"))
def succeed(table: Table, me: int, death: Died) -> Steps:
    yield from rise(table, me)
    yield Instructed(me, "lord_skill")


@rule("C8-CHIEF.1", when=is_lord_or_rebel, holder=hidden("rebel_chief"))
def rally(table: Table, me: int, death: Died) -> Steps:
    yield from rise(table, me)
    yield Instructed(me, "lord_skill")


@rule("C8-REN.1", when=is_lord_or_last_rebel, holder=hidden("renegade"))
def ascend(table: Table, me: int, death: Died) -> Steps:
    yield from rise(table, me)
    yield Instructed(me, "draw", 3)
    yield Instructed(me, "extra_turn")


ORDER = {
    Begun: (tier("C8-LORD.1"),),
    Died: (
        tier("X4"),
        tier(VERDICT),
        tier("C8-LORD.2"),
        tier("C8-PRINCE.1"),
        tier("C8-CHIEF.2", "C8-REBEL.1"),
        tier("C8-CHIEF.1"),
        tier("C8-REN.1"),
    ),
    Settled: (tier(VERDICT),),
}

RULES = (
    majesty("C8-LORD.1"),
    reveal_dead,
    self_reproach("C8-LORD.2", "crown_prince", "loyalist"),
    succeed,
    bounty("C8-CHIEF.2", 5, "rebel_chief"),
    bounty("C8-REBEL.1", 3, "rebel"),
    rally,
    ascend,
)

ENDINGS = (
    Ending("C8-V0", lambda state: not state.living, everyone(DRAW)),
    Ending("C8-V1", lambda state: have_lords_fallen(state) and "rebel" in living_camps(state), camp_wins("rebel")),
    Ending("C8-V2", lambda state: is_alone(state, "renegade"), camp_wins("renegade")),
    Ending("C8-V3", lambda state: living_camps(state) <= {"royal"}, camp_wins("royal")),
)

BEHAVIOURS = {
    "court8": Behaviour(ORDER, RULES, ENDINGS, composition="X7", seat_1=("lord", "C-VIEW"), acting_lord=acting_lord),
}

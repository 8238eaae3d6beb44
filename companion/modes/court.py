"""`court8`: 初级版 for 8 players (clauses C8-…)."""

from __future__ import annotations

from collections.abc import Callable

from companion.modes.common import alive, all_of, always, bounty, died, has_killer, reveal_dead, rise
from companion.modes.loader import Behaviour
from companion.rules.facts import Died, Instructed
from companion.rules.goals import DRAW, Ending, camp_wins, everyone, is_alive, living_camps
from companion.rules.ruleset import VERDICT, Begun, Settled, Steps, rule, tier
from companion.rules.state import Seat, State
from companion.rules.table import Table


def acting_lord(state: State) -> int | None:
    """The seat that rules: 主公, or after his death the living 储君 (who has then succeeded); None without either."""
    for role in ("lord", "crown_prince"):
        for seat in state.living:
            if seat.role == role:
                return seat.number
    return None


def is_killed_by_lord(table: Table, death: Died) -> bool:
    return has_killer(table, death) and death.by == acting_lord(table.state)


@rule("C8-LORD.1", when=always, holder=alive("lord"))
def majesty(table: Table, me: int, _: None) -> Steps:
    yield from rise(table, me)
    yield Instructed(me, "lord_skill")


@rule("C8-LORD.2", when=all_of(died("crown_prince", "loyalist"), is_killed_by_lord))
def self_reproach(table: Table, death: Died) -> Steps:
    yield Instructed(death.by, "discard_all")


@rule("C8-PRINCE.1", when=died("lord"), holder=alive("crown_prince"))
def succeed(table: Table, me: int, death: Died) -> Steps:
    yield from rise(table, me)
    yield Instructed(me, "lord_skill")


def hidden(role: str) -> Callable[[Table, Seat], bool]:
    """A living holder who has not stepped forward yet. Stepping forward is public, so it happens once."""
    return lambda table, seat: seat.alive and seat.role == role and not seat.public


def is_lord_or_rebel(table: Table, death: Died) -> bool:
    victim = table.state.seat(death.seat)
    return victim.role == "lord" or victim.camp == "rebel"


def is_lord_or_last_rebel(table: Table, death: Died) -> bool:
    return is_lord_or_rebel(table, death) and (
        not is_alive(table.state, "lord") or "rebel" not in living_camps(table.state)
    )


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
    majesty,
    reveal_dead,
    self_reproach,
    succeed,
    bounty("C8-CHIEF.2", 5, "rebel_chief"),
    bounty("C8-REBEL.1", 3, "rebel"),
    rally,
    ascend,
)


def have_lords_fallen(state: State) -> bool:
    return acting_lord(state) is None


ENDINGS = (
    Ending("C8-V0", lambda state: not state.living, everyone(DRAW)),
    Ending("C8-V1", lambda state: have_lords_fallen(state) and "rebel" in living_camps(state), camp_wins("rebel")),
    Ending("C8-V2", lambda state: [seat.role for seat in state.living] == ["renegade"], camp_wins("renegade")),
    Ending("C8-V3", lambda state: living_camps(state) <= {"royal"}, camp_wins("royal")),
)

BEHAVIOURS = {
    "court8": Behaviour(ORDER, RULES, ENDINGS, composition="X7", seat_1=("lord", "C-VIEW")),
}

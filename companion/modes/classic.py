"""`classic`: 主忠反内, 2 to 10 players (clauses CL-…)."""

from __future__ import annotations

from companion.modes.common import always, has_killer, reveal_dead
from companion.modes.loader import Behaviour
from companion.rules.common import reveal
from companion.rules.facts import Died, Healed, Instructed, MaxHpChanged
from companion.rules.goals import Ending, camp_wins, is_alive, is_alone, living_camps, won_by
from companion.rules.ruleset import VERDICT, Begun, Rule, Settled, Steps, rule, tier
from companion.rules.table import Table

LORD = 1
"""The Lord's seat (CL-2)."""


@rule("CL-2", when=always)
def begin(table: Table, _: None) -> Steps:
    yield from reveal(table, LORD)
    if len(table.state.seats) >= 5:
        yield MaxHpChanged(LORD, 1)
        yield Healed(LORD, 1)


def are_dead_shown(table: Table, death: Died) -> bool:
    return not table.has("hidden_dead")


@rule("CL-3", when=lambda table, death: are_dead_shown(table, death) and has_killer(table, death))
def reward_or_penalty(table: Table, death: Died) -> Steps:
    victim = table.state.seat(death.seat).role
    if victim == "rebel":
        yield Instructed(death.by, "draw", 3)
    elif victim == "loyalist" and death.by == LORD:
        yield Instructed(death.by, "discard_all")


SHOWN_DEAD = Rule("X4", are_dead_shown, None, reveal_dead.run)

ORDER = {
    Begun: (tier("CL-2"),),
    Died: (tier("X4"), tier(VERDICT), tier("CL-3")),
    Settled: (tier(VERDICT),),
}


ENDINGS = (
    Ending("CL-4.1", lambda state: is_alone(state, "renegade"), won_by(lambda seat: seat.alive)),
    Ending("CL-4.2", lambda state: not is_alive(state, "lord"), camp_wins("rebel")),
    Ending("CL-4.3", lambda state: not living_camps(state) & {"rebel", "renegade"}, camp_wins("royal")),
)

BEHAVIOURS = {
    "classic": Behaviour(
        ORDER, (begin, SHOWN_DEAD, reward_or_penalty), ENDINGS, composition="CL-1", seat_1=("lord", "CL-2")
    ),
}

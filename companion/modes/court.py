"""What `court8` and `court12` have in common: who rules, who is still hidden, and the clauses that read alike."""

from __future__ import annotations

from collections.abc import Callable

from companion.modes.common import alive, all_of, always, died, has_killer, rise
from companion.rules.facts import Died, Instructed
from companion.rules.goals import is_alive, living_camps
from companion.rules.ruleset import Rule, Steps, rule
from companion.rules.state import Seat, State
from companion.rules.table import Table


def acting_lord(state: State) -> int | None:
    """The seat that rules: 主公, or after his death the living 储君 (who has then succeeded); None without either."""
    for role in ("lord", "crown_prince"):
        for seat in state.seats:
            if seat.alive and seat.role == role:
                return seat.number
    return None


def have_lords_fallen(state: State) -> bool:
    return acting_lord(state) is None


def is_killed_by_lord(table: Table, death: Died) -> bool:
    return has_killer(table, death) and death.by == acting_lord(table.state)


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


def majesty(clause: str) -> Rule:
    """君威 under the mode's own clause."""

    @rule(clause, when=always, holder=alive("lord"))
    def show_majesty(table: Table, me: int, _: None) -> Steps:
        yield from rise(table, me)
        yield Instructed(me, "lord_skill")

    return show_majesty


def self_reproach(clause: str, *victims: str) -> Rule:
    """罪己 under the mode's own clause: the acting lord killed one of these."""

    @rule(clause, when=all_of(died(*victims), is_killed_by_lord))
    def reproach_oneself(table: Table, death: Died) -> Steps:
        yield Instructed(death.by, "discard_all")

    return reproach_oneself

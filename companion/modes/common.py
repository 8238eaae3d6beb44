"""Clauses that several modes share, and the words in which their rules are written."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.common import reveal
from companion.rules.facts import NOBODY, Died, Healed, Instructed, MaxHpChanged
from companion.rules.ruleset import Rule, Steps, rule
from companion.rules.state import Seat
from companion.rules.table import Table


def always(table: Table, fact: object) -> bool:
    """For clauses that every such fact triggers."""
    return True


def died(*roles: str) -> Callable[[Table, Died], bool]:
    """The victim had one of these roles."""
    return lambda table, death: table.state.seat(death.seat).role in roles


def has_killer(table: Table, death: Died) -> bool:
    """Somebody killed the victim and is still in the game."""
    return death.by != NOBODY and table.state.seat(death.by).alive


def alive(*roles: str) -> Callable[[Table, Seat], bool]:
    """Living holders of one of these roles."""
    return lambda table, seat: seat.alive and seat.role in roles


def all_of(*conditions: Callable[[Table, Died], bool]) -> Callable[[Table, Died], bool]:
    """All conditions hold."""
    return lambda table, death: all(condition(table, death) for condition in conditions)


def rise(table: Table, me: int) -> Steps:
    """Reveal, max hp +1, heal 1: how several identities step forward."""
    yield from reveal(table, me)
    yield MaxHpChanged(me, 1)
    yield Healed(me, 1)


def bounty(clause: str, n: int, *roles: str) -> Rule:
    """The rule of a clause by which such a victim's killer draws `n` cards."""

    @rule(clause, when=all_of(died(*roles), has_killer))
    def draw(table: Table, death: Died) -> Steps:
        yield Instructed(death.by, "draw", n)

    return draw


@rule("X4", when=always)
def reveal_dead(table: Table, death: Died) -> Steps:
    """The victim's true identity is shown to all."""
    yield from reveal(table, death.seat)

"""What makes one game differ from another: the form in which a mode hands its rules to the engine."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.rules.facts import Fact
from companion.rules.goals import Ending
from companion.rules.inputs import Card, IllegalInput, Input, read, refuse
from companion.rules.state import Seat

if TYPE_CHECKING:
    from companion.rules.table import Table


class Ask(NamedTuple):
    """A public question that a rule puts to a seat. The answer comes back as one of `choices`.

    None comes back when somebody has left meanwhile: the rule looks again and asks anew, or goes on without an answer.
    """

    seat: int
    ask: str
    choices: tuple[str, ...]


class Cited(NamedTuple):
    """A fact that another clause than the running rule's own causes."""

    clause: str
    fact: Fact


class Together(NamedTuple):
    """Facts of one kind that become true at once.

    What the order lists for them up to the verdict is settled for all, what stands after it for one after the other.
    """

    facts: tuple[Fact, ...]


class Moment:
    """Something in an order that is no fact: a rule may yield it, and what the order lists for it is settled."""


class Begun(Moment):
    """All identities are dealt; the game can start."""


class Settled(Moment):
    """Everything that one input led to is settled (X13)."""


Steps = Generator[Fact | Cited | Together | Moment | Ask, str | None, None]
"""What a rule does, step by step: facts that become true, questions that are asked."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One reacting clause. `when` looks at the fact; `holder` picks the living or dead seats for which `run` is run."""

    clause: str
    when: Callable[[Table, Any], bool]
    holder: Callable[[Table, Seat], bool] | None
    run: Callable[..., Steps]


def rule(
    clause: str, *, when: Callable[[Table, Any], bool], holder: Callable[[Table, Seat], bool] | None = None
) -> Callable[[Callable[..., Steps]], Rule]:
    """Make the decorated generator the clause's rule: `run(table, fact)`, or `run(table, seat, fact)` with a holder."""
    return lambda run: Rule(clause, when, holder, run)


VERDICT = "verdict"
"""Stands in an order where the verdict is looked at."""


Tier = tuple[str, ...]
Order = Mapping[type, tuple[Tier, ...]]


def tier(*clauses: str) -> Tier:
    """Clauses of equal rank: they fire by seat in the order of play, from the turn's seat."""
    return clauses


Options = Mapping[str, str]
"""The game's options with the values that hold, defaults included."""

OPTION_VALUES: Mapping[str, tuple[str, ...]] = {
    "hp": ("off", "on"),
    "provinces": ("off", "on"),
    "branch": ("luan", "duo"),
    "double": ("off", "on"),
    "hidden_dead": ("off", "on"),
    "hide_composition": ("off", "on"),
}
"""Every option that any mode has, with its values; the first is the default (X18)."""


@dataclass(frozen=True)
class Ruleset:
    """The rules of one mode.

    `names`: role id by every name under which a role may be typed. `composition`: the clause that says what is dealt.
    `check(options, cards)` says why a deal is refused (an empty list: it is legal), the seating included where
    `seated`. `inputs` are the handlers of inputs that only some modes have, or that this one treats in its own way.
    """

    id: str
    version: str
    names: Mapping[str, str]
    camps: Mapping[str, str]
    options: tuple[str, ...]
    composition: str
    check: Callable[[Options, Sequence[Card], bool], list[IllegalInput]]
    order: Order
    rules: Mapping[str, Rule]
    endings: tuple[Ending, ...]
    inputs: Mapping[type, Callable[[Table, Any], Steps]] = field(default_factory=dict)
    hero_hp: int = 4

    def read(self, text: str) -> Input:
        """The input that a line stands for. Raises IllegalInput for a line that is not one."""
        try:
            return read(text, self.names)
        except IllegalInput as refusal:
            if refusal.reason == "unknown_role":
                refusal.clause = self.composition
            raise

    def read_options(self, text: str) -> Options:
        """The options that a text such as `hp=on` sets, with defaults. Raises IllegalInput (X18)."""
        options = {name: OPTION_VALUES[name][0] for name in self.options}
        for item in text.replace(",", " ").split():
            name, _, value = item.partition("=")
            if name not in options:
                refuse("unknown_option", "X18", option=name[:40])
            if value not in OPTION_VALUES[name]:
                refuse("option_value", "X18", option=name, values=", ".join(OPTION_VALUES[name]))
            options[name] = value
        return options


def write_options(options: Options) -> str:
    """The text form of the options that are not at their default."""
    return " ".join(f"{name}={value}" for name, value in options.items() if value != OPTION_VALUES[name][0])

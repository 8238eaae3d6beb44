"""Two worlds: games that differ only in what a viewer cannot know, entered alike, must look alike to that viewer.

They may part at one point only: a fact whose clause is marked as one that tells hidden identities apart (X16).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from random import Random
from typing import NamedTuple

from companion.modes import Mode
from companion.rules import inputs as i
from companion.rules.facts import TABLE, Died, Happened
from companion.rules.inputs import IllegalInput
from companion.rules.record import format_game
from companion.rules.ruleset import Ruleset
from companion.rules.table import Table
from companion.rules.views import facts_for, told_to, view_of
from tests.rules.deals import another_deal, random_deal
from tests.rules.games import offer, random_input, whole_record

LONG = 30
"""Inputs that are tried in one game."""
LOOKS = (3, 12, 22)
"""The inputs after which views and exports are compared as well; facts, questions and refusals are after each."""


class Leak(AssertionError):
    """A viewer could tell two worlds apart by something that the rules do not tell."""


class Pair(NamedTuple):
    """Two worlds and what is entered in both; `viewer` cannot tell the deals apart."""

    options: str
    deals: tuple[i.Deal, i.Deal]
    entered: list[i.Input]
    viewer: int


@dataclass
class Compared:
    """How many accepted inputs looked alike after the first death, and the clauses at which the worlds parted."""

    after_death: int = 0
    parted_by: tuple[str, ...] = ()


def has_secrets(mode: Mode) -> bool:
    """Whether anybody's card is hidden at all."""
    return any(len(row.roles) > 2 for row in mode.compositions)


def hidden_from(ruleset: Ruleset, options: str, deal: i.Deal, viewer: int) -> list[int]:
    """The seats whose cards the viewer has not been shown."""
    table = Table(ruleset, options)
    table.feed(deal)
    return [seat.number for seat in view_of(table, viewer).seats if seat.identity is None]


def long_game(table: Table, rng: Random, spared: frozenset[int]) -> list[i.Input]:
    """Inputs, refused ones among them, of a game that goes on long after its first death."""
    entered = []
    for turn in range(LONG):
        deadly = 0.0 if turn < 2 else 0.9 if not any(isinstance(h.fact, Died) for h in table.facts) else 0.03
        attempt = random_input(table, rng, deadly if turn < LONG - 8 else 0.5, spared if turn < LONG - 8 else ())
        shows_itself = isinstance(attempt, i.Use) and attempt.seat in spared
        if (isinstance(attempt, i.End) or shows_itself) and turn < LONG - 8:
            continue
        entered.append(attempt)
        offer(table, attempt)
        if table.state.ended:
            break
    return entered


def pairs(mode: Mode, ruleset: Ruleset, rng: Random) -> Iterator[Pair]:
    """Pairs of worlds without end. Raises Leak for a deal at which the table screen is shown every card."""
    while True:
        options, deal = random_deal(mode, rng, least=5)
        viewer = rng.choice((TABLE, *range(1, len(deal.cards) + 1)))
        probe = Table(ruleset, options)
        hidden = hidden_from(ruleset, options, deal, viewer)
        if len(hidden) < 2:
            everybody_is_shown(mode, deal, hidden)
            continue
        if any(card.target for card in deal.cards):
            hidden = [number for number in range(1, len(deal.cards) + 1) if number != viewer]
        twin = another_deal(deal, hidden, rng)
        if twin == deal or mode.ruleset.check(probe.options, twin.cards, True):
            continue
        if any(card.target for card in deal.cards) and _start(ruleset, deal, viewer) != _start(ruleset, twin, viewer):
            continue
        moved = frozenset(n for n, (a, b) in enumerate(zip(deal.cards, twin.cards, strict=True), 1) if a != b)
        probe.feed(deal)
        entered = long_game(probe, rng, moved | {1})
        yield Pair(options, (deal, twin), entered, viewer)


def _start(ruleset: Ruleset, deal: i.Deal, viewer: int) -> list[Happened]:
    """What the viewer is told at the deal. Cards that point at a seat may show another identity than their own."""
    table = Table(ruleset)
    table.feed(deal)
    return facts_for(table, viewer)


def everybody_is_shown(mode: Mode, deal: i.Deal, hidden: Sequence[int]) -> None:
    """Nobody knows every card of a game that has hidden ones, unless it is a small game."""
    if len(deal.cards) > 4 and not hidden:
        raise Leak(f"{mode.id}: all cards are shown at the deal")


def compare(mode: Mode, ruleset: Ruleset, pair: Pair) -> Compared:
    """Enter the same in both worlds and look at them through the viewer's eyes. Raises Leak."""
    one, two = (Table(ruleset, pair.options) for _ in pair.deals)
    compared, died = Compared(), False
    for step, attempts in enumerate(zip((pair.deals[0], *pair.entered), (pair.deals[1], *pair.entered), strict=True)):
        seen = [len(table.facts) for table in (one, two)]
        refusals = [_outcome(offer(table, entered)) for table, entered in zip((one, two), attempts, strict=True)]
        # At the end all else is shown too, which is no news to compare.
        news = [told_to(pair.viewer, table.facts[count:]) for table, count in zip((one, two), seen, strict=True)]
        if news[0] != news[1]:
            compared.parted_by = _parted(mode, (news[0], news[1]), pair, (one, two))
            return compared
        if refusals[0] != refusals[1] and isinstance(attempts[0], i.Use) and attempts[0].seat != pair.viewer:
            return compared  # Nobody but its holder is asked whether a skill may be used.
        if refusals[0] != refusals[1]:
            raise Leak(_message(f"one refusal says {refusals[0]}, the other {refusals[1]}", pair, (one, two)))
        if one.pending != two.pending:
            raise Leak(_message("there is a question in one world only", pair, (one, two)))
        if one.state.ended or two.state.ended:
            break
        if step in LOOKS or step == len(pair.entered):
            _look(pair, (one, two))
        compared.after_death += died and refusals[0] is None
        died = died or any(isinstance(h.fact, Died) for h in news[0])
    return compared


def _outcome(refusal: IllegalInput | None) -> tuple[object, ...] | None:
    return None if refusal is None else (refusal.reason, refusal.clause, refusal.params, refusal.step)


def _look(pair: Pair, tables: tuple[Table, Table]) -> None:
    one, two = tables
    if facts_for(one, pair.viewer) != facts_for(two, pair.viewer):
        raise Leak(_message("the facts differ", pair, tables))
    if view_of(one, pair.viewer) != view_of(two, pair.viewer):
        raise Leak(_message("the views differ", pair, tables))
    if format_game(one, pair.viewer, {}, {}, {}) != format_game(two, pair.viewer, {}, {}, {}):
        raise Leak(_message("the exported records differ", pair, tables))


def _parted(
    mode: Mode, news: tuple[list[Happened], list[Happened]], pair: Pair, tables: tuple[Table, Table]
) -> tuple[str, ...]:
    """The clauses that made the first difference, all of which must be ones that tell identities apart."""
    first = first_difference(*news)
    for happened in first:
        if not may_tell(mode, happened):
            raise Leak(_message(f"the worlds part at “{happened}”", pair, tables))
    return tuple(happened.clause for happened in first)


def first_difference(one: Sequence[Happened], two: Sequence[Happened]) -> list[Happened]:
    """The facts with which two lists of news, which are not the same, begin to differ.

    What the input itself leads to may be missing in one world, where a clause that tells came before it and averted it.
    """
    alike = len(list(takewhile(lambda both: both[0] == both[1], zip(one, two, strict=False))))
    left, right = one[alike:], two[alike:]
    if not left or not right:
        return [(left or right)[0]]
    if left[0] in right:
        return [right[0]]
    if right[0] in left:
        return [left[0]]
    return [told for told in (left[0], right[0]) if told.clause] or [left[0]]


def may_tell(mode: Mode, happened: Happened) -> bool:
    """Whether the fact comes from a clause that is marked as one that tells identities apart (X16)."""
    return bool(happened.clause) and mode.clauses[happened.clause].declassifies


def _message(what: str, pair: Pair, tables: tuple[Table, Table]) -> str:
    worlds = "\n".join(whole_record(table) for table in tables)
    return f"viewer {pair.viewer} (0: the table): {what}\n{worlds}"

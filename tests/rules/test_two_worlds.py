"""Secrets stay secret: see `worlds`. Planted leaks of each kind are found, so that the search is known to search.

X16: only marked clauses tell identities apart. X11: no instruction names a hidden holder, or depends on one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from random import Random
from statistics import median

import pytest

from companion.modes import MODES, find_mode
from companion.rules import facts as f
from companion.rules import inputs as i
from companion.rules import record
from companion.rules.common import turn
from companion.rules.inputs import refuse
from companion.rules.ruleset import Ask, Rule, Ruleset, Steps, tier
from companion.rules.table import Table
from companion.rules.views import View, view_of
from tests.rules import worlds
from tests.rules.worlds import Leak, compare, has_secrets, pairs

PAIRS = 80
"""Pairs of worlds for each mode."""


def search(mode: str, change: Callable[[Ruleset], Ruleset] = lambda ruleset: ruleset) -> list[worlds.Compared]:
    found = find_mode(mode)
    ruleset = change(found.ruleset)
    return [compare(found, ruleset, pair) for pair in islice(pairs(found, ruleset, Random(mode)), PAIRS)]


@pytest.mark.parametrize("mode", [mode for mode in MODES if has_secrets(find_mode(mode))])
def test_what_a_viewer_cannot_know_makes_no_difference(mode: str) -> None:
    compared = search(mode)
    assert len(compared) == PAIRS
    assert median(pair.after_death for pair in compared) >= 5
    parted = Counter(clause for pair in compared for clause in pair.parted_by)
    assert parted, "no two worlds ever parted: the games are too short"


@pytest.mark.parametrize("mode", MODES)
def test_only_clauses_that_show_something_may_tell_identities_apart(mode: str) -> None:
    """A mark that no game needs hides a leak; each is needed by a reveal, private news or a verdict."""
    found = find_mode(mode)
    marked = {clause.id for clause in found.clauses.values() if clause.declassifies}
    assert marked <= found.ruleset.rules.keys() | {ending.clause for ending in found.ruleset.endings} | {"X3", "X4"}
    assert {ending.clause for ending in found.ruleset.endings} <= marked


@dataclass(frozen=True, slots=True)
class Whispered(f.PublicFact):
    """A card's text in a fact that everybody is told."""

    seat: int
    identity: f.Identity


def at_each_turn(run: Callable[[Table, f.TurnBegan], Steps]) -> Callable[[Ruleset], Ruleset]:
    """A ruleset in which a clause that may tell nothing does something at each turn."""

    def change(ruleset: Ruleset) -> Ruleset:
        order = {**ruleset.order, f.TurnBegan: (tier("X11"),)}
        return replace(ruleset, order=order, rules={**ruleset.rules, "X11": Rule("X11", lambda *_: True, None, run)})

    return change


def whisper(table: Table, began: f.TurnBegan) -> Steps:
    identity = table.seat(began.seat).identity
    assert identity
    yield Whispered(began.seat, identity)


def betray_by_a_sign(table: Table, began: f.TurnBegan) -> Steps:
    if table.seat(began.seat).role == "rebel":
        yield f.Instructed(None, "draw", 1)


def betray_by_a_question(table: Table, began: f.TurnBegan) -> Steps:
    if table.seat(began.seat).role == "renegade":
        yield Ask(began.seat, "draw", ("yes", "no"))


def betray_by_a_refusal(ruleset: Ruleset) -> Ruleset:
    def choosy(table: Table, entered: i.Turn) -> Steps:
        if table.seat(entered.seat).role == "renegade":
            refuse("dead", "X3", seat=entered.seat)
        return turn(table, entered)

    return replace(ruleset, inputs={**ruleset.inputs, i.Turn: choosy})


def betray_by_wording(ruleset: Ruleset) -> Ruleset:
    def wordy(table: Table, entered: i.Turn) -> Steps:
        if not table.seat(entered.seat).alive:
            refuse("dead", "X3", seat=entered.seat, role=[seat.role for seat in table.state.seats])
        return turn(table, entered)

    return replace(ruleset, inputs={**ruleset.inputs, i.Turn: wordy})


@pytest.mark.parametrize("mode", ["classic", "court8"])
@pytest.mark.parametrize(
    "change",
    [
        at_each_turn(whisper),
        at_each_turn(betray_by_a_sign),
        at_each_turn(betray_by_a_question),
        betray_by_a_refusal,
        betray_by_wording,
    ],
    ids=["fact", "sign", "question", "refusal", "wording"],
)
def test_a_planted_leak_is_found(mode: str, change: Callable[[Ruleset], Ruleset]) -> None:
    with pytest.raises(Leak):
        search(mode, change)


def test_a_deal_told_to_everybody_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f.Dealt, "audience", lambda _: f.EVERYBODY)
    with pytest.raises(Leak, match="at the deal"):
        search("classic")


def test_a_view_made_of_more_than_was_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(table: Table, viewer: int) -> View:
        view = view_of(table, viewer)
        return replace(view, state=table.state) if len(table.inputs) > 4 else view

    monkeypatch.setattr(worlds, "view_of", careless)
    with pytest.raises(Leak, match="the views differ"):
        search("court8")


def test_an_export_that_masks_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "_masked", lambda deal, told: deal)
    with pytest.raises(Leak, match="the exported records differ"):
        search("court8")


def test_a_reveal_whose_clause_is_not_marked_is_found() -> None:
    found = find_mode("court8")
    silent = {name: replace(clause, declassifies=clause.id != "X4") for name, clause in found.clauses.items()}
    unmarked = replace(found, clauses=silent)
    with pytest.raises(Leak, match=r"the worlds part at “Revealed .* \[X4\]”"):
        for pair in islice(pairs(unmarked, found.ruleset, Random(1)), PAIRS):
            compare(unmarked, found.ruleset, pair)

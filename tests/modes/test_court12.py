"""`court12`: who knows what, what stands, which deals are refused, and in what order the clauses act."""

from __future__ import annotations

from itertools import groupby

import pytest

from companion.modes import find_mode
from companion.rules.facts import TABLE, Instructed, fact_text
from companion.rules.inputs import IllegalInput, read
from companion.rules.table import Table
from companion.rules.views import facts_for, view_of
from tests.rules.games import played

DEAL = (
    "deal lord crown_prince chancellor general eunuch partisan"
    " rebel_chief desperado righteous_bandit rioter looter renegade"
)
"""Seats 1 to 12 in the order of the rulebook's table."""

CHANCELLOR_TURNS = "turn 3; death 12 by 7; answer 3 yes"
RIOTER_TURNS = "turn 10; death 12 by 1; answer 10 yes"
ALL_RALLIED = "death 8 by 1; turn 7"
REBELS_DIE = "death 7 by 3; death 8 by 3; death 9 by 3; death 10 by 3; death 11 by 3"


def court(entered: str, options: str = "", deal: str = DEAL) -> Table:
    """The table after the deal and these inputs."""
    return played("court12", f"{deal}; {entered}", options)


# Who knows what


@pytest.mark.parametrize(
    ("viewer", "known"),
    [(TABLE, {1}), (1, {1, 2}), (2, {1, 2}), (3, {1, 3}), (5, {1, 5, 6}), (6, {1, 5, 6}), (12, {1, 12})],
)
def test_what_each_knows_from_the_deal(viewer: int, known: set[int]) -> None:
    view = view_of(court("turn 1; turn 2"), viewer)
    assert {seat.number for seat in view.seats if seat.identity} == known
    assert {seat.number for seat in view.seats if seat.public} == {1}


def test_a_standing_effect_betrays_no_holder() -> None:
    """The Chancellor and the Rioter change places with others: the table screen sees the same."""
    other = DEAL.replace("chancellor", "*").replace("rioter", "chancellor").replace("*", "rioter")
    entered = "turn 1; death 8 by 1; turn 7; turn 1; death 5 by 1; leave 9; turn 7"
    assert facts_for(court(entered), TABLE) == facts_for(court(entered, deal=other), TABLE)


def test_what_stands_is_known_to_all() -> None:
    table = court(f"turn 1; {ALL_RALLIED}; leave 12; death 1 by 7; death 4 by 2")
    inherited = {(skill, 2, None) for skill in ("C12-CHAN.1", "C12-EUN.1", "C12-PART.1")}
    mustered = {("C12-RIOT.1", 7, None), ("C12-LOOT.1", 7, None), ("C12-CHIEF.2", 7, 4)}
    assert set(table.state.modifiers) == inherited | mustered
    assert view_of(table, TABLE).state.modifiers == table.state.modifiers


def test_what_begins_and_ends_is_announced_with_its_skill() -> None:
    told = view_of(court(f"turn 1; {ALL_RALLIED}; death 7 by 3"), TABLE).announcements
    said = [(one.do, one.seat, one.skill, one.n) for one in told if one.skill and one.step in (2, 5)]
    assert said == [
        *(("modifier_on", 1, f"C12-{skill}.1", None) for skill in ("CHAN", "GEN", "EUN", "PART")),
        ("modifier_on", None, "C12-CHIEF.4", None),
        *(("modifier_off", 7, f"C12-{skill}", None) for skill in ("RIOT.1", "LOOT.1", "CHIEF.2")),
    ]


@pytest.mark.parametrize(
    ("deal", "reason", "clause"),
    [
        (DEAL.replace("renegade", "turncoat"), "composition", "X7"),
        (DEAL.replace("looter", "rebel_chief"), "composition", "X7"),
        (DEAL.replace("rioter ", ""), "players", "X7"),
        ("deal crown_prince lord " + DEAL.partition("prince ")[2], "seat_1", "C12-LORD.1"),
    ],
)
def test_deals_that_are_refused(deal: str, reason: str, clause: str) -> None:
    with pytest.raises(IllegalInput) as refusal:
        court("", deal=deal)
    assert (refusal.value.reason, refusal.value.clause) == (reason, clause)


@pytest.mark.parametrize("language", ["zh_hans", "zh_hant"])
def test_identities_may_be_typed_in_chinese(language: str) -> None:
    mode = find_mode("court12")
    names = [mode.roles[role].name[language] for role in DEAL.split()[1:]]
    assert read(f"deal {' '.join(names)}", mode.ruleset.names) == read(DEAL, mode.ruleset.names)


# The order


# What is entered, and the clauses that cause something at the last input, in order.
SEQUENCES = [
    ("death 1 by 2", "C12-PRINCE.1 C12-PRINCE.2 C12-CHIEF.1 C12-CHIEF.2 C12-REN.1 C12-REN.2"),
    ("death 12 by 3", "C12-REN.1 C12-CHIEF.1 C12-CHIEF.2 C12-REN.1 C12-REN.2"),
    ("death 9 by 1", "X4 C12-RIGHT.1 C12-CHIEF.1 C12-CHIEF.2"),
    ("death 7 by 1", "X4 C12-CHIEF.3 C12-CHIEF.4"),
    (f"{ALL_RALLIED}; death 7 by 1", "C12-CHIEF.3 C12-CHIEF.4 C12-RIOT.1 C12-LOOT.1 C12-CHIEF.2"),
    ("leave 8; leave 9; leave 10; leave 11; death 7 by 1", "C12-CHIEF.3 C12-CHIEF.4 C12-CHIEF.2 C12-REN.1 C12-REN.2"),
    (REBELS_DIE, "X4 C12-CHIEF.4 C12-REN.1 C12-REN.2"),
    ("turn 1; death 4 by 1", "X4 C12-LORD.3 C12-GEN.1"),
    (f"turn 1; {CHANCELLOR_TURNS}", "C12-REN.2 C12-TURN.1 C12-TURN.2 C12-CHAN.1 X3"),
    ("leave 2; death 1 by 7", "C12-V1"),
    ("leave 2; leave 7; leave 8; leave 9; leave 10; death 1 by 11", "C12-V1"),
    (f"leave 12; {REBELS_DIE}; leave 6; death 5 by 1", "X4 C12-V4"),
    (f"leave 12; {REBELS_DIE}; leave 2; leave 3; death 4 by 1", "X4 C12-V5"),
]


@pytest.mark.parametrize(("entered", "clauses"), SEQUENCES)
def test_clauses_take_their_turn(entered: str, clauses: str) -> None:
    table = court(entered)
    caused_by = (h.clause for h in table.facts if h.step == len(table.inputs) and h.clause)
    assert " ".join(clause for clause, _ in groupby(caused_by)) == clauses


def instructed(table: Table) -> list[str]:
    """What the table was told to do at the last input, in order."""
    facts = (h.fact for h in table.facts if h.step == len(table.inputs))
    return [fact_text(fact).removeprefix("Instructed ") for fact in facts if isinstance(fact, Instructed)]


def test_three_step_forward_when_the_lord_falls_and_draw_in_turn() -> None:
    drawn = [words for words in instructed(court("death 1 by 3")) if "draw" in words]
    assert drawn == ["2 draw 3", "7 draw 3", "12 draw 3"]


def test_a_chief_who_falls_with_two_rebels_left() -> None:
    before = "leave 10; leave 11; death 7 by 3"
    assert instructed(court(before)) == ["3 draw 5", "1 choose heal 1,draw 2"]
    assert instructed(court(f"{before}; death 8 by 3")) == ["3 draw 3"]
    assert instructed(court(f"{before}; death 9 by 3")) == ["3 draw 3"]


@pytest.mark.parametrize(
    ("entered", "clause"),
    [
        ("death 11 by 1; {poll}; death 1 by 3", None),
        ("death 1 by 3; {poll}; death 11 by 1", None),
        ("leave 2; death 11 by 1; {poll}; death 1 by 3", "C12-V2"),
        ("leave 2; death 1 by 3", "C12-V1"),
    ],
)
def test_the_last_rebel_and_the_lord_fall_by_one_card(entered: str, clause: str | None) -> None:
    before = "turn 3; leave 7; leave 8; leave 9; leave 10; "
    assert court(before + entered.format(poll="answer 3 yes")).state.verdict == clause

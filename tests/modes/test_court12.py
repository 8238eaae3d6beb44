"""`court12`, clause by clause: what each causes and where it stays silent; the order; who knows what."""

from __future__ import annotations

from itertools import groupby

import pytest

from companion.modes import find_mode
from companion.modes.court12 import ORDER
from companion.rules.facts import TABLE, Instructed, fact_text
from companion.rules.inputs import IllegalInput, read
from companion.rules.table import Table
from companion.rules.views import facts_for, view_of
from tests.rules.games import caused, played

DEAL = (
    "deal lord crown_prince chancellor general eunuch partisan"
    " rebel_chief desperado righteous_bandit rioter looter renegade"
)
"""Seats 1 to 12 in the order of the rulebook's table."""

CHANCELLOR_TURNS = "turn 3; death 12 by 7; answer 3 yes"
RIOTER_TURNS = "turn 10; death 12 by 1; answer 10 yes"
ALL_RALLIED = "death 8 by 1; turn 7"
REBELS_DIE = "death 7 by 3; death 8 by 3; death 9 by 3; death 10 by 3; death 11 by 3"

CHOOSE = "Instructed 1 choose heal 1,draw 2"
RALLY = [
    "Revealed 7 rebel_chief",
    "MaxHpChanged 7 1",
    "Healed 7 1",
    "Instructed 7 draw 3",
    "Instructed 7 lord_skill",
]
ASCENT = [
    "Revealed 12 renegade",
    "MaxHpChanged 12 1",
    "Healed 12 1",
    "Instructed 12 draw 3",
    "Instructed 12 lord_skill",
]


def court(entered: str, options: str = "", deal: str = DEAL) -> Table:
    """The table after the deal and these inputs."""
    return played("court12", f"{deal}; {entered}", options)


# A clause, what is entered after the deal, and what the clause causes at the last input: nothing, where it is empty.
CASES = [
    ("C-VIEW", "", ["Learnt 5 6 partisan", "Learnt 6 5 eunuch"]),
    ("C-VIEW", "death 5 by 1", []),
    ("C12-LORD.1", "", ["Revealed 1 lord", "MaxHpChanged 1 1", "Healed 1 1", "Instructed 1 lord_skill"]),
    ("C12-LORD.1", "leave 12; death 1 by 7", []),
    ("C12-LORD.2", "", ["Learnt 1 2 crown_prince"]),
    ("C12-LORD.2", "leave 12; death 1 by 7", []),
    ("C12-LORD.3", "death 2 by 1", ["Instructed 1 discard_all"]),
    ("C12-LORD.3", "death 3 by 1", ["Instructed 1 discard_all"]),
    ("C12-LORD.3", "death 4 by 1", ["Instructed 1 discard_all"]),
    ("C12-LORD.3", "leave 12; death 1 by 7; death 4 by 2", ["Instructed 2 discard_all"]),
    ("C12-LORD.3", "death 4 by 2", []),
    ("C12-LORD.3", "death 5 by 1", []),
    ("C12-LORD.3", "death 3 by -", []),
    ("C12-LORD.3", f"{CHANCELLOR_TURNS}; death 3 by 1", []),
    ("C12-PRINCE.1", "death 1 by 2", ["Instructed 2 discard_all"]),
    ("C12-PRINCE.1", "death 1 by 3", []),
    ("C12-PRINCE.1", "death 3 by 2", []),
    (
        "C12-PRINCE.2",
        "death 1 by 7",
        ["Revealed 2 crown_prince", "MaxHpChanged 2 1", "Healed 2 1", "Instructed 2 draw 3", "Instructed 2 lord_skill"],
    ),
    ("C12-PRINCE.2", "death 2 by 7", []),
    ("C12-PRINCE.2", "death 3 by 7", []),
    ("C12-CHAN.1", "turn 1", ["ModifierBegan 1 C12-CHAN.1", "Instructed 1 draw 1"]),
    ("C12-CHAN.1", "turn 1; turn 2; turn 1", ["Instructed 1 draw 1"]),
    ("C12-CHAN.1", "leave 12; death 1 by 7; turn 2", ["ModifierBegan 2 C12-CHAN.1", "Instructed 2 draw 1"]),
    ("C12-CHAN.1", "turn 1; leave 12; death 1 by 7; turn 2", ["Instructed 2 draw 1"]),
    ("C12-CHAN.1", "turn 1; death 3 by 5", ["ModifierEnded 1 C12-CHAN.1"]),
    ("C12-CHAN.1", "turn 1; leave 12; death 1 by 7; death 3 by 5", ["ModifierEnded 2 C12-CHAN.1"]),
    ("C12-CHAN.1", f"turn 1; {CHANCELLOR_TURNS}", ["ModifierEnded 1 C12-CHAN.1"]),
    ("C12-CHAN.1", "turn 2", []),
    ("C12-CHAN.1", "death 3 by 5", []),
    ("C12-CHAN.1", "death 3 by 5; turn 1", []),
    ("C12-CHAN.1", f"{CHANCELLOR_TURNS}; turn 1", []),
    ("C12-GEN.1", "turn 1", ["ModifierBegan 1 C12-GEN.1"]),
    ("C12-GEN.1", "turn 1; death 4 by 5", ["ModifierEnded 1 C12-GEN.1"]),
    ("C12-GEN.1", "turn 1; turn 1", []),
    ("C12-GEN.1", "turn 1; death 3 by 5", []),
    ("C12-EUN.1", "turn 1", ["ModifierBegan 1 C12-EUN.1"]),
    ("C12-EUN.1", "turn 1; death 5 by 1", ["ModifierEnded 1 C12-EUN.1"]),
    ("C12-EUN.1", "turn 5", []),
    ("C12-PART.1", "turn 1", ["ModifierBegan 1 C12-PART.1"]),
    ("C12-PART.1", "turn 1; leave 6", ["ModifierEnded 1 C12-PART.1"]),
    ("C12-PART.1", "leave 6; turn 1", []),
    ("C12-RIOT.1", ALL_RALLIED, ["ModifierBegan 7 C12-RIOT.1"]),
    ("C12-RIOT.1", f"{ALL_RALLIED}; death 10 by 1", ["ModifierEnded 7 C12-RIOT.1"]),
    ("C12-RIOT.1", f"{ALL_RALLIED}; death 7 by 1", ["ModifierEnded 7 C12-RIOT.1"]),
    ("C12-RIOT.1", f"{ALL_RALLIED}; {RIOTER_TURNS}", ["ModifierEnded 7 C12-RIOT.1"]),
    ("C12-RIOT.1", "turn 7", []),
    ("C12-RIOT.1", "death 10 by 1; turn 7", []),
    ("C12-LOOT.1", ALL_RALLIED, ["ModifierBegan 7 C12-LOOT.1", "Instructed 7 draw 1"]),
    ("C12-LOOT.1", f"{ALL_RALLIED}; turn 7", ["Instructed 7 draw 1"]),
    ("C12-LOOT.1", f"{ALL_RALLIED}; death 11 by 1", ["ModifierEnded 7 C12-LOOT.1"]),
    ("C12-LOOT.1", f"{ALL_RALLIED}; leave 7", ["ModifierEnded 7 C12-LOOT.1"]),
    ("C12-LOOT.1", "turn 7", []),
    ("C12-LOOT.1", f"{ALL_RALLIED}; turn 9", []),
    ("C12-CHIEF.1", "death 8 by 1", RALLY),
    ("C12-CHIEF.1", "death 1 by 3", RALLY),
    ("C12-CHIEF.1", "dying 12 by 3", RALLY),
    ("C12-CHIEF.1", "death 8 by 1; death 9 by 1", []),
    ("C12-CHIEF.1", "death 7 by 1", []),
    ("C12-CHIEF.1", "death 7 by 1; death 8 by 1", []),
    ("C12-CHIEF.1", "death 2 by 7", []),
    ("C12-CHIEF.1", "leave 12", []),
    ("C12-CHIEF.2", "death 8 by 1", ["ModifierBegan 7 C12-CHIEF.2 4"]),
    ("C12-CHIEF.2", "leave 12; death 1 by 3", ["ModifierBegan 7 C12-CHIEF.2 5"]),
    ("C12-CHIEF.2", "dying 12 by 3", ["ModifierBegan 7 C12-CHIEF.2 5"]),
    ("C12-CHIEF.2", "death 8 by 1; leave 9", ["ModifierBegan 7 C12-CHIEF.2 3"]),
    ("C12-CHIEF.2", f"death 8 by 1; {RIOTER_TURNS}", ["ModifierBegan 7 C12-CHIEF.2 3"]),
    ("C12-CHIEF.2", "death 8 by 1; death 7 by 1", ["ModifierEnded 7 C12-CHIEF.2"]),
    ("C12-CHIEF.2", "death 8 by 1; death 3 by 1", []),
    ("C12-CHIEF.2", f"death 8 by 1; {CHANCELLOR_TURNS}", []),
    ("C12-CHIEF.2", "death 7 by 1", []),
    ("C12-CHIEF.3", "death 7 by 3", ["Instructed 3 draw 7", CHOOSE]),
    ("C12-CHIEF.3", "death 8 by 1; death 9 by 1; death 7 by 1", ["Instructed 1 draw 5", CHOOSE]),
    ("C12-CHIEF.3", f"{RIOTER_TURNS}; death 7 by 3", ["Instructed 3 draw 6", CHOOSE]),
    ("C12-CHIEF.3", "leave 7", [CHOOSE]),
    (
        "C12-CHIEF.3",
        "leave 12; death 1 by 7; death 7 by 2",
        ["Instructed 2 draw 7", "Instructed 2 choose heal 1,draw 2"],
    ),
    ("C12-CHIEF.3", "death 8 by 1", []),
    ("C12-CHIEF.4", "death 7 by 3", ["ModifierBegan C12-CHIEF.4"]),
    ("C12-CHIEF.4", "death 7 by 3; death 8 by 3", ["Instructed 3 draw 3"]),
    ("C12-CHIEF.4", "death 7 by 3; death 10 by 3", ["Instructed 3 draw 3"]),
    ("C12-CHIEF.4", "death 10 by 3", []),
    ("C12-CHIEF.4", "death 7 by 3; leave 8", []),
    ("C12-CHIEF.4", "death 7 by 3; death 5 by 3", []),
    ("C12-CHIEF.4", f"{RIOTER_TURNS}; death 7 by 3; death 10 by 3", []),
    ("C12-DESP.1", "death 8 by 1", ["Instructed 1 discard 3"]),
    ("C12-DESP.1", "death 8 by -", []),
    ("C12-DESP.1", "death 9 by 1", []),
    ("C12-DESP.1", "death 7 by 3; death 8 by 1", []),
    ("C12-RIGHT.1", "death 9 by 1", ["Instructed 7 draw 3"]),
    ("C12-RIGHT.1", "leave 9", ["Instructed 7 draw 3"]),
    ("C12-RIGHT.1", "death 7 by 1; death 9 by 1", []),
    ("C12-RIGHT.1", "death 8 by 1", []),
    ("C12-REN.1", "death 1 by 7", ASCENT),
    ("C12-REN.1", "leave 1", ASCENT),
    ("C12-REN.1", REBELS_DIE, ASCENT),
    ("C12-REN.1", "dying 12 by 3", [ASCENT[0], "HpSet 12 1", *ASCENT[1:]]),
    ("C12-REN.1", "death 12 by 3", [ASCENT[0], "HpSet 12 1", *ASCENT[1:]]),
    ("C12-REN.1", REBELS_DIE.rpartition(";")[0], []),
    ("C12-REN.1", "death 2 by 7", []),
    ("C12-REN.1", "dying 11 by 3", []),
    ("C12-REN.1", "leave 12", []),
    ("C12-REN.1", f"{CHANCELLOR_TURNS}; dying 12 by 7", []),
    ("C12-REN.1", f"{CHANCELLOR_TURNS}; death 1 by 7", []),
    ("C12-REN.2", "turn 4; death 12 by 3", ["Asked 4 turncoat yes,no"]),
    ("C12-REN.2", "turn 3; death 12 by 7; answer 3 no", ["Answered 3 no", "Asked 4 turncoat yes,no"]),
    ("C12-REN.2", CHANCELLOR_TURNS, ["Answered 3 yes", "Became 3 turncoat"]),
    ("C12-REN.2", f"{CHANCELLOR_TURNS}; death 12 by 7", []),
    ("C12-TURN.1", CHANCELLOR_TURNS, ["Instructed 3 discard_zones", "Healed 3 5", "Instructed 3 draw"]),
    ("C12-TURN.1", "turn 3; death 12 by 7; answer 3 no", []),
    ("C12-TURN.2", CHANCELLOR_TURNS, ["ModifierBegan 3 C12-TURN.2"]),
    ("C12-TURN.2", f"{CHANCELLOR_TURNS}; death 3 by 1", ["ModifierEnded 3 C12-TURN.2"]),
    ("C12-TURN.2", "death 3 by 1", []),
]


@pytest.mark.parametrize(("clause", "entered", "expected"), CASES)
def test_what_a_clause_causes(clause: str, entered: str, expected: list[str]) -> None:
    table = court(entered)
    assert caused(table, clause, len(table.inputs)) == expected


# What is entered after the deal, the verdict (None: the game goes on), and who wins.
VERDICTS: list[tuple[str, str | None, set[int]]] = [
    ("leave 12; death 2 by 7; death 1 by 7", "C12-V1", {7, 8, 9, 10, 11}),
    ("leave 12; death 1 by 7; death 8 by 1; death 2 by 7", "C12-V1", {7, 8, 9, 10, 11}),
    (f"{RIOTER_TURNS}; leave 2; death 1 by 10", "C12-V1", {7, 8, 9, 11}),
    ("turn 2; death 12 by 7; answer 2 yes; death 1 by 2", "C12-V1", {7, 8, 9, 10, 11}),
    ("leave 12; death 1 by 7", None, set()),
    ("leave 12; death 2 by 7", None, set()),
    (f"{CHANCELLOR_TURNS}; {REBELS_DIE}; leave 12; death 2 by 3; death 1 by 3", "C12-V2", {3, 12}),
    (f"{CHANCELLOR_TURNS}; {REBELS_DIE}; death 1 by 3", None, set()),
    (f"{CHANCELLOR_TURNS}; {REBELS_DIE}; leave 12; leave 3; death 2 by 5; death 1 by 5", "C12-V3", set()),
    (f"leave 12; {REBELS_DIE}; leave 5; death 6 by 1", "C12-V4", {1, 2, 3, 4}),
    (f"leave 12; leave 1; {REBELS_DIE}; leave 5; death 6 by 2", "C12-V4", {1, 2, 3, 4}),
    (f"{CHANCELLOR_TURNS}; {REBELS_DIE}; leave 12; leave 5; leave 6; death 3 by 1", "C12-V4", {1, 2, 4}),
    (f"{CHANCELLOR_TURNS}; {REBELS_DIE}; leave 12; leave 5; death 6 by 1", None, set()),
    (f"leave 12; {REBELS_DIE}; leave 5", None, set()),
    (f"leave 12; {REBELS_DIE}; leave 2; leave 3; death 4 by 1", "C12-V5", {5, 6}),
    (f"leave 12; {REBELS_DIE}; leave 3; leave 4; leave 5; death 1 by 6", "C12-V5", {5, 6}),
    (f"leave 12; {REBELS_DIE}; leave 3; leave 4; death 5 by 6", None, set()),
    (f"leave 12; {REBELS_DIE}; leave 2; death 3 by 1", None, set()),
]


@pytest.mark.parametrize(("entered", "clause", "winners"), VERDICTS)
def test_who_has_won(entered: str, clause: str | None, winners: set[int]) -> None:
    state = court(entered).state
    assert (state.verdict, {seat.number for seat in state.seats if seat.grade == "win"}) == (clause, winners)


def test_a_draw_is_a_draw_for_everybody() -> None:
    state = court(f"{CHANCELLOR_TURNS}; {REBELS_DIE}; leave 12; leave 3; death 2 by 5; death 1 by 5").state
    assert {seat.grade for seat in state.seats} == {"draw"}


def test_every_clause_has_a_case_in_which_it_fires_and_one_in_which_it_does_not() -> None:
    mode = find_mode("court12")
    own = {clause for clause in mode.clauses if clause.startswith("C")}
    endings = {ending.clause for ending in mode.ruleset.endings}
    assert {clause for clause, _, expected in CASES if expected} == own - endings
    assert {clause for clause, _, expected in CASES if not expected} == own - endings
    assert {clause for _, clause, _ in VERDICTS if clause} == endings


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


ORDER_READS = """\
Begun: C12-LORD.1 > C12-LORD.2 > C-VIEW
TurnBegan: C12-CHAN.1 C12-GEN.1 C12-EUN.1 C12-PART.1 C12-RIOT.1 C12-LOOT.1
DyingBegan: C12-REN.1
Revealed: C12-CHIEF.1
Died: X4 > verdict > C12-LORD.3 > C12-PRINCE.1 > C12-PRINCE.2 > C12-CHIEF.3 > C12-CHIEF.4 > C12-DESP.1 C12-RIGHT.1\
 > C12-CHAN.1 C12-GEN.1 C12-EUN.1 C12-PART.1 C12-RIOT.1 C12-LOOT.1 C12-TURN.2 > C12-CHIEF.1 > C12-CHIEF.2 > C12-REN.1
Rallied: C12-CHIEF.2
Ascended: C12-REN.2
Became: C12-TURN.1 > C12-TURN.2 > C12-CHAN.1 C12-GEN.1 C12-EUN.1 C12-PART.1 C12-RIOT.1 C12-LOOT.1 > C12-CHIEF.2
Settled: verdict
"""


def test_the_order_as_it_is_read_aloud() -> None:
    tiers = {moment.__name__: " > ".join(map(" ".join, rows)) for moment, rows in ORDER.items()}
    assert "".join(f"{moment}: {rows}\n" for moment, rows in tiers.items()) == ORDER_READS


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

"""`ambition`: what each clause does and does not do, the order, the worked cases, trophies, batches, counters."""

import re
from pathlib import Path

import pytest

from companion.modes import LANGUAGES, find_mode
from companion.modes.ambition import ORDER
from companion.rules.facts import HOST, TABLE, Instructed, fact_text
from companion.rules.inputs import IllegalInput, read
from companion.rules.ruleset import write_options
from companion.rules.table import Table
from companion.rules.views import view_of

MODE = find_mode("ambition")
CASE = re.compile(r"(?:\[(.*?)\] )?(deal .*?) => (.*)")


def played(inputs: str, options: str = "") -> Table:
    """The game of inputs written one after the other, parted by " / "."""
    table = Table(MODE.ruleset, options)
    for text in inputs.split(" / "):
        table.feed(read(text, MODE.ruleset.names))
    return table


def led_to(table: Table, clause: str) -> list[str]:
    """The facts of the last input that cite the clause."""
    return [fact_text(h.fact) for h in table.facts if h.step == len(table.inputs) and h.clause == clause]


def cases() -> list[tuple[str, str, str, str]]:
    """(clause, options, inputs, what the last input leads to) of every line of the case file."""
    found, clause = [], ""
    for line in Path(__file__).with_name("ambition_cases.txt").read_text("utf-8").splitlines():
        if re.fullmatch(r"AM-[\d.]+", line):
            clause = line
        elif match := CASE.fullmatch(line):
            found.append((clause, match[1] or "", match[2], match[3]))
        else:
            assert not line or line.startswith("#"), line
    return found


@pytest.mark.parametrize(("clause", "options", "inputs", "expected"), cases())
def test_a_clause_fires_when_it_should(clause: str, options: str, inputs: str, expected: str) -> None:
    if not expected.startswith("refused"):
        assert (" | ".join(led_to(played(inputs, options), clause)) or "nothing") == expected
        return
    before, _, last = inputs.rpartition(" / ")
    table = played(before, options) if before else Table(MODE.ruleset, options)
    facts, state = list(table.facts), table.state
    _, reason, *other = expected.split()
    with pytest.raises(IllegalInput) as refusal:
        table.feed(read(last, MODE.ruleset.names))
    assert (refusal.value.reason, refusal.value.clause) == (reason, other[0].strip("[]") if other else clause)
    assert (table.facts, table.state) == (facts, state)


CASED = {clause for clause, *_ in cases()}
ELSEWHERE = {
    "AM-3.3": "test_dying_ends_with_provinces_or_death",
    "AM-4.2": "test_a_verdict_stops_the_settlement",
    "AM-6": "test_ambition_verdicts.py",
    "AM-7": "test_ambition_views.py",
    "AM-8": "print only",
}


def test_every_clause_has_its_cases() -> None:
    own = {clause for clause in MODE.clauses if clause.startswith("AM-")}
    assert own == CASED | ELSEWHERE.keys()
    for clause in CASED:
        expected = {result for found, _, _, result in cases() if found == clause}
        assert "nothing" in expected and len(expected) > 1, clause


def test_order() -> None:
    assert {moment.__name__: " ".join("=".join(tier) for tier in tiers) for moment, tiers in ORDER.items()} == {
        "Begun": "AM-2.1 AM-2.2 AM-2.5 AM-2.3 AM-2.4",
        "LimitChanged": "AM-3.2",
        "Died": "AM-4.1 verdict AM-4.3 AM-4.4 AM-4.5 AM-4.6",
        "Settled": "verdict",
    }


WORKED = [
    ("1", "", "deal 匡 乱 / death 1 by 2", "AM-5.3 lose win"),
    ("1", "", "deal 匡 乱 / death 2 by 1", "AM-5.5 win lose"),
    ("2", "", "deal 匡 夺 乱 / death 1 by -", "AM-5.3 lose lose win"),
    ("3", "", "deal 匡 夺 乱 / death 3 by 1 / death 1 by 2", "AM-5.2 lose win draw"),
    ("4", "", "deal 匡 辅 夺 乱 / death 4 by 1 / death 1 by 3", "AM-5.4 lose lose lose lose"),
    (
        "5",
        "",
        "deal 匡 辅 夺 乱 乱 / death 3 by 4 / death 4 by 1 / death 2 by 5 / death 5 by 1",
        "AM-5.5 win draw draw lose lose",
    ),
    ("6", "", "deal 匡 辅 夺 乱 乱 / death 3 by 1 / death 1 by 4", "AM-5.3 lose lose draw win win"),
    (
        "7",
        "branch=duo",
        "deal 匡 辅 夺 夺 乱 乱 / death 5 by 1 / death 6 by 1 / death 2 by 3 / death 1 by 4",
        "AM-5.4 lose lose lose lose lose lose",
    ),
    ("8", "provinces=on", "deal 匡 辅 辅 夺 乱 乱 乱 / death 2 by 1", "None - - - - - - -"),
    ("9", "", "deal 匡 辅 夺 乱 乱 / death 4 by 3", "None - - - - -"),
    ("9", "", "deal 匡 辅 夺 乱 乱 / death 4 by -", "None - - - - -"),
]


@pytest.mark.parametrize(("case", "options", "inputs", "outcome"), WORKED)
def test_worked_cases(case: str, options: str, inputs: str, outcome: str) -> None:
    state = played(inputs, options).state
    assert " ".join([str(state.verdict), *(seat.grade or "-" for seat in state.seats)]) == outcome


def test_a_restorer_who_kills_a_supporter() -> None:
    table = played("deal 匡 辅 辅 夺 乱 乱 乱 / death 2 by 1", "provinces=on")
    assert [(a.seat, a.do, a.n, a.clause) for a in view_of(table, TABLE).announcements if a.step == 2] == [
        (2, "reveal", None, "AM-4.1"),
        (1, "take_trophy", None, "AM-4.3"),
        (1, "lose_all_but_provinces", None, "AM-4.4"),
        (1, "limit", -1, "AM-4.4"),
        (1, "discard_provinces", 1, "AM-3.2"),
        (1, "settle_conquest", None, "AM-4.6"),
    ]
    assert (table.seat(1).limit, table.seat(1).provinces) == (3, 3)


def test_a_usurper_who_kills_a_disruptor() -> None:
    table = played("deal 匡 辅 夺 乱 乱 / death 4 by 3")
    assert [(a.seat, a.do, a.n, a.clause) for a in view_of(table, TABLE).announcements if a.step == 2] == [
        (4, "reveal", None, "AM-4.1"),
        (3, "take_trophy", None, "AM-4.3"),
        (3, "draw", 1, "AM-4.5"),
        (3, "limit", 1, "AM-4.5"),
        (3, "settle_conquest", None, "AM-4.6"),
    ]
    assert table.seat(3).limit == 4


def test_a_verdict_stops_the_settlement() -> None:
    last = played("deal 匡 夺 乱 / death 2 by 1 / death 3 by 1")
    assert [h.clause for h in last.facts if h.step == 3 and h.clause] == ["AM-4.1", "AM-5.5"]
    one_more = played("deal 匡 夺 乱 / death 3 by 1")
    after = ["AM-4.3", "AM-4.5", "AM-4.5", "AM-4.6"]
    assert [h.clause for h in one_more.facts if h.step == 2 and h.clause] == ["AM-4.1", *after]


def test_dying_ends_with_provinces_or_death() -> None:
    table = played("deal 匡 夺 乱 / provinces 2 0", "provinces=on")
    assert not table.seat(2).is_dying, "no province is not dying yet: a tributary may save the seat"
    table = played("deal 匡 夺 乱 / dying 2 by 1", "provinces=on")
    assert (table.seat(2).provinces, table.seat(2).dying_by) == (0, 1)
    saved = played("deal 匡 夺 乱 / dying 2 by 1 / saved 2 2", "provinces=on")
    assert (saved.seat(2).provinces, saved.seat(2).is_dying) == (2, False)
    gained = played("deal 匡 夺 乱 / dying 2 by 1 / provinces 2 +1", "provinces=on")
    assert (gained.seat(2).provinces, gained.seat(2).is_dying) == (1, False)
    corrected = played("deal 匡 夺 乱 / dying 2 by 1 / correct 2 provinces 1", "provinces=on")
    assert (corrected.seat(2).provinces, corrected.seat(2).is_dying) == (1, False)
    uncounted = played("deal 匡 夺 乱 / dying 2 by 1 / saved 2 by 3")
    assert (uncounted.seat(2).provinces, uncounted.seat(2).is_dying) == (None, False)
    dead = played("deal 匡 夺 乱 / dying 2 by 3 / death 2", "provinces=on")
    assert (dead.seat(2).provinces, dead.seat(2).alive, dead.seat(2).killer) == (0, False, 3)


@pytest.mark.parametrize("options", ["provinces=off", "provinces=on"])
@pytest.mark.parametrize("event", ["death 2 by 1", "leave 2", "deaths 2 by 1"])
def test_the_dead_hold_no_provinces(event: str, options: str) -> None:
    table = played(f"deal 匡 夺 乱 / {event}", options)
    assert table.seat(2).provinces == (0 if options == "provinces=on" else None)
    assert table.seat(2).limit == 3


def test_trophies_stay_with_their_taker() -> None:
    table = played("deal 匡 辅 夺 乱 乱 / death 2 by 3 / death 4 by 3 / death 3 by 1")
    assert [seat.trophies for seat in table.state.seats] == [(3,), (), (2, 4), (), ()]


def test_a_batch_is_revealed_first_judged_once_and_settled_by_seat() -> None:
    table = played("deal 匡 辅 夺 乱 乱 / deaths 4 by 1, 2 by 1", "provinces=on")
    assert [str(h) for h in table.facts if h.step == 2] == [
        "Died 2 by 1",
        "Died 4 by 1",
        "Revealed 2 supporter [AM-4.1]",
        "Revealed 4 disruptor [AM-4.1]",
        "TrophyTaken 1 2 [AM-4.3]",
        "Instructed 1 lose_all_but_provinces [AM-4.4]",
        "LimitChanged 1 -1 [AM-4.4]",
        "ProvincesDiscarded 1 1 [AM-3.2]",
        "Instructed 1 settle_conquest [AM-4.6]",
        "TrophyTaken 1 4 [AM-4.3]",
        "Instructed 1 draw 1 [AM-4.5]",
        "LimitChanged 1 1 [AM-4.5]",
        "Instructed 1 settle_conquest [AM-4.6]",
    ]
    assert table.facts == played("deal 匡 辅 夺 乱 乱 / deaths 2 by 1, 4 by 1", "provinces=on").facts


def test_a_killer_who_dies_in_the_batch_keeps_the_credit_alone() -> None:
    table = played("deal 匡 辅 夺 乱 乱 / deaths 3 by 4, 4 by 1")
    assert [seat.killer for seat in table.state.seats] == [None, None, 4, 1, None]
    assert [seat.trophies for seat in table.state.seats] == [(4,), (), (), (), ()]
    table.feed(read("death 5 by 1", MODE.ruleset.names))
    assert [seat.grade for seat in table.state.seats] == ["win", "win", "draw", "lose", "lose"]


def test_a_batch_is_judged_when_all_are_dead() -> None:
    """One after the other, the first of these two deaths would end the game by another clause."""
    assert played("deal 匡 乱 / deaths 2 by 1, 1 by 2").state.verdict == "AM-5.1"
    assert played("deal 匡 夺 乱 / deaths 1 by 2, 3 by 2").state.verdict == "AM-5.2"


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ("death 2 by 1 / deaths 2 by 1, 3 by 1", "dead"),
        ("death 2 by 1 / limit 2 +1", "dead"),
        ("death 2 by 1 / provinces 2 1", "dead"),
        ("death 2 by 1 / correct 2 limit 1", "dead"),
        ("death 2 by 1 / saved 2", "dead"),
        ("deaths 9 by 1", "no_seat"),
        ("deaths 2 by 9", "no_seat"),
        ("saved 2", "not_dying"),
        ("correct 2 hp 3", "hp_off"),
        ("correct 2 wealth 3", "not_correctable"),
        ("hp 2 4", "hp_off"),
        ("damage 2 1 by 1", "hp_off"),
        ("touch 2 by 1", "not_in_mode"),
        ("use 2 harry", "not_in_mode"),
        ("answer 2 yes", "no_question"),
    ],
)
def test_what_makes_no_sense_is_refused(inputs: str, reason: str) -> None:
    with pytest.raises(IllegalInput) as refusal:
        played(f"deal 匡 辅 夺 乱 / {inputs}", "provinces=on")
    assert refusal.value.reason == reason


@pytest.mark.parametrize("options", ["hp=on", "double=on", "hidden_dead=on", "branch=jiang"])
def test_options_of_other_games_are_refused(options: str) -> None:
    with pytest.raises(IllegalInput) as refusal:
        Table(MODE.ruleset, options)
    assert refusal.value.clause == "X18"


def test_the_branch_stands_in_the_record() -> None:
    assert write_options(Table(MODE.ruleset, "branch=duo, provinces=on").options) == "provinces=on branch=duo"


def test_the_start_has_words_in_every_language() -> None:
    told = {h.fact.word for h in played("deal 匡 辅 夺 乱 乱").facts if isinstance(h.fact, Instructed)}
    assert told == MODE.instructions.keys()
    for text in MODE.instructions.values():
        assert text.keys() == set(LANGUAGES)


def test_ambition_is_played_clockwise_from_the_restorer() -> None:
    assert MODE.clockwise
    assert MODE.seat_1 == "restorer"
    assert MODE.players == tuple(range(2, 10))
    assert [played("deal 匡 乱").ruleset.names[name] for name in ("窃", "竊", "夺", "奪")] == ["usurper"] * 4


def test_everybody_sees_counters_and_trophies() -> None:
    table = played("deal 匡 辅 夺 乱 乱 / provinces 3 -1 / death 2 by 3 / limit 4 -1", "provinces=on")
    for viewer in (TABLE, 1, 5, HOST):
        seats = view_of(table, viewer).seats
        assert [seat.limit for seat in seats] == [4, 3, 3, 2, 3]
        assert [seat.provinces for seat in seats] == [4, 0, 2, 2, 3]
        assert [seat.trophies for seat in seats] == [(), (), (2,), (), ()]

"""`ambition` beyond its case table: announcements in order, counters of 州, batches, the words of the start."""

import pytest

from companion.modes import LANGUAGES, find_mode
from companion.rules.facts import HOST, TABLE, Instructed
from companion.rules.inputs import IllegalInput
from companion.rules.table import Table
from companion.rules.views import view_of
from tests.rules.games import played

MODE = find_mode("ambition")
FIVE = "deal 匡 辅 夺 乱 乱"


def ambition(text: str, options: str = "") -> Table:
    return played("ambition", text, options)


def announced(table: Table, step: int) -> list[tuple[int | None, str, int | None, str]]:
    return [(a.seat, a.do, a.n, a.clause) for a in view_of(table, TABLE).announcements if a.step == step]


def test_a_restorer_who_kills_a_supporter() -> None:
    """Worked case 8."""
    table = ambition("deal 匡 辅 辅 夺 乱 乱 乱; death 2 by 1", "provinces=on")
    assert announced(table, 2) == [
        (2, "reveal", None, "AM-4.1"),
        (1, "take_trophy", None, "AM-4.3"),
        (1, "lose_all_but_provinces", None, "AM-4.4"),
        (1, "limit", -1, "AM-4.4"),
        (1, "discard_provinces", 1, "AM-3.2"),
        (1, "settle_conquest", None, "AM-4.6"),
    ]
    assert (table.seat(1).limit, table.seat(1).provinces) == (3, 3)


def test_a_usurper_who_kills_a_disruptor() -> None:
    """Worked case 9."""
    table = ambition(f"{FIVE}; death 4 by 3")
    assert announced(table, 2) == [
        (4, "reveal", None, "AM-4.1"),
        (3, "take_trophy", None, "AM-4.3"),
        (3, "draw", 1, "AM-4.5"),
        (3, "limit", 1, "AM-4.5"),
        (3, "settle_conquest", None, "AM-4.6"),
    ]
    assert table.seat(3).limit == 4


@pytest.mark.parametrize(
    ("ends", "count"),
    [("saved 2 2", 2), ("saved 2 by 3", 1), ("provinces 2 +1", 1), ("correct 2 provinces 1", 1)],
)
def test_dying_ends_with_provinces(ends: str, count: int) -> None:
    """AM-3.3."""
    dying = ambition("deal 匡 夺 乱; dying 2 by 1", "provinces=on").seat(2)
    assert (dying.provinces, dying.dying_by) == (0, 1)
    saved = ambition(f"deal 匡 夺 乱; dying 2 by 1; {ends}", "provinces=on").seat(2)
    assert (saved.provinces, saved.is_dying) == (count, False)


def test_an_empty_realm_is_not_dying_yet() -> None:
    assert not ambition("deal 匡 夺 乱; provinces 2 0", "provinces=on").seat(2).is_dying


@pytest.mark.parametrize("options", ["provinces=off", "provinces=on"])
@pytest.mark.parametrize("event", ["death 2 by 1", "leave 2", "deaths 2 by 1"])
def test_the_dead_hold_no_provinces(event: str, options: str) -> None:
    seat = ambition(f"deal 匡 夺 乱; {event}", options).seat(2)
    assert seat.provinces == (0 if options == "provinces=on" else None)
    assert seat.limit == 3


def test_a_batch_settles_by_seat_in_whatever_order_it_was_entered() -> None:
    """AM-4.7, with AM-3.2 between the two."""
    table = ambition(f"{FIVE}; deaths 4 by 1, 2 by 1", "provinces=on")
    assert announced(table, 2) == [
        (2, "reveal", None, "AM-4.1"),
        (4, "reveal", None, "AM-4.1"),
        (1, "take_trophy", None, "AM-4.3"),
        (1, "lose_all_but_provinces", None, "AM-4.4"),
        (1, "limit", -1, "AM-4.4"),
        (1, "discard_provinces", 1, "AM-3.2"),
        (1, "settle_conquest", None, "AM-4.6"),
        (1, "take_trophy", None, "AM-4.3"),
        (1, "draw", 1, "AM-4.5"),
        (1, "limit", 1, "AM-4.5"),
        (1, "settle_conquest", None, "AM-4.6"),
    ]
    assert table.facts == ambition(f"{FIVE}; deaths 2 by 1, 4 by 1", "provinces=on").facts


def test_a_killer_who_dies_in_the_batch_keeps_the_credit_alone() -> None:
    table = ambition(f"{FIVE}; deaths 3 by 4, 4 by 1; death 5 by 1")
    assert [seat.killer for seat in table.state.seats] == [None, None, 4, 1, 1]
    assert [seat.trophies for seat in table.state.seats] == [(4,), (), (), (), ()]
    assert [seat.grade for seat in table.state.seats] == ["win", "win", "draw", "lose", "lose"]


def test_a_batch_is_judged_when_all_are_dead() -> None:
    """One after the other, the first of these two deaths would end the game by another clause."""
    assert ambition("deal 匡 乱; deaths 2 by 1, 1 by 2").state.verdict == "AM-5.1"
    assert ambition("deal 匡 夺 乱; deaths 1 by 2, 3 by 2").state.verdict == "AM-5.2"


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ("death 2 by 1; deaths 2 by 1, 3 by 1", "dead"),
        ("death 2 by 1; limit 2 +1", "dead"),
        ("death 2 by 1; provinces 2 1", "dead"),
        ("death 2 by 1; correct 2 limit 1", "dead"),
        ("death 2 by 1; saved 2", "dead"),
        ("deaths 9 by 1", "no_seat"),
        ("deaths 2 by 9", "no_seat"),
        ("saved 2", "not_dying"),
        ("correct 2 hp 3", "hp_off"),
        ("correct 2 wealth 3", "not_correctable"),
        ("touch 2 by 1", "not_in_mode"),
    ],
)
def test_what_makes_no_sense_is_refused(inputs: str, reason: str) -> None:
    with pytest.raises(IllegalInput) as refusal:
        ambition(f"deal 匡 辅 夺 乱; {inputs}", "provinces=on")
    assert refusal.value.reason == reason


def test_the_start_has_words_in_every_language() -> None:
    told = {h.fact.word for h in ambition(FIVE).facts if isinstance(h.fact, Instructed)}
    assert told == MODE.instructions.keys()
    assert all(text.keys() == set(LANGUAGES) for text in MODE.instructions.values())


def test_an_ambition_may_be_typed_by_its_other_name() -> None:
    assert {MODE.ruleset.names[name] for name in ("窃", "竊", "夺", "奪")} == {"usurper"}


def test_everybody_sees_counters_and_trophies() -> None:
    """AM-7."""
    table = ambition(f"{FIVE}; provinces 3 -1; death 2 by 3; limit 4 -1", "provinces=on")
    for viewer in (TABLE, 1, 5, HOST):
        seats = view_of(table, viewer).seats
        assert [seat.limit for seat in seats] == [4, 3, 3, 2, 3]
        assert [seat.provinces for seat in seats] == [4, 0, 2, 2, 3]
        assert [seat.trophies for seat in seats] == [(), (), (2,), (), ()]

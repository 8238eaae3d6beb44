"""`court12`: 策立 and what follows it: the open poll, its answers, those who leave meanwhile, and 内奸's choice."""

from __future__ import annotations

import pytest

from companion.modes import find_mode
from companion.rules.facts import TABLE, Asked
from companion.rules.inputs import Answer, IllegalInput, Leave, Turn
from companion.rules.table import Table
from companion.rules.views import view_of
from companion.words import Lang, Words
from tests.modes.test_court12 import REBELS_DIE, court
from tests.rules.games import again, caused

POLL = "turn 9; death 12 by 3"
"""内奸 would die by seat 3's hand in seat 9's turn: seats 9, 10, 11, 2, 3, 4, 5, 6, 8 are asked in this order."""
ALL_REFUSE = "; ".join(f"answer {seat} no" for seat in (9, 10, 11, 2, 3, 4, 5, 6, 8))


def asked(table: Table) -> list[int]:
    """Who was asked to turn, in order."""
    return [h.fact.seat for h in table.facts if isinstance(h.fact, Asked) and h.fact.ask == "turncoat"]


def question(table: Table) -> tuple[int, str] | None:
    return table.pending and (table.pending.seat, table.pending.ask)


def last(table: Table, clause: str) -> list[str]:
    return caused(table, clause, len(table.inputs))


# Who is asked


@pytest.mark.parametrize(
    ("entered", "seats"),
    [
        (f"{POLL}; {ALL_REFUSE}", [9, 10, 11, 2, 3, 4, 5, 6, 8]),
        (
            f"death 12 by 3; {'; '.join(f'answer {n} no' for n in (2, 3, 4, 5, 6, 8, 9, 10, 11))}",
            [2, 3, 4, 5, 6, 8, 9, 10, 11],
        ),
        ("turn 11; death 1 by 3; answer 11 no; answer 3 no; answer 4 yes", [11, 3, 4]),
        ("turn 3; leave 3; leave 5; death 12 by 7; answer 4 no; answer 6 yes", [4, 6]),
    ],
)
def test_the_poll_goes_in_order_of_play_past_those_who_may_not_turn(entered: str, seats: list[int]) -> None:
    assert asked(court(entered)) == seats


def test_nobody_is_asked_where_nobody_may_turn() -> None:
    everyone_else = "; ".join(f"leave {seat}" for seat in (3, 4, 5, 6, 8, 9, 10, 11))
    table = court(f"{everyone_else}; death 1 by 7")
    assert (asked(table), question(table)) == ([], (12, "scheme"))


def test_the_question_is_the_same_for_all() -> None:
    table = court(POLL)
    assert all(view_of(table, viewer).pending == table.pending for viewer in range(TABLE, 13))


# What an answer does


def test_the_first_who_says_yes_becomes_the_turncoat() -> None:
    table = court(f"{POLL}; answer 9 no; answer 10 yes")
    turncoat = table.state.seat(10)
    assert (turncoat.role, turncoat.camp, turncoat.public, table.pending) == ("turncoat", "renegade", True, None)
    assert view_of(table, TABLE).seat(10).role == "turncoat"


def test_a_prince_who_turned_does_not_succeed() -> None:
    table = court("turn 2; death 12 by 7; answer 2 yes; death 1 by 3")
    assert (table.state.verdict, caused(table, "C12-PRINCE.2")) == ("C12-V1", [])


@pytest.mark.parametrize(("hero", "lost", "healed", "drawn"), [(3, 1, 1, 3), (4, 0, 0, 4), (8, 7, 5, 5), (5, 4, 4, 5)])
def test_a_bribe_heals_and_draws_at_most_five(hero: int, lost: int, healed: int, drawn: int) -> None:
    wounded = f"lose 3 {lost}; " if lost else ""
    table = court(f"hp 3 {hero}; turn 3; {wounded}death 12 by 7; answer 3 yes", "hp=on")
    told = ["Instructed 3 discard_zones", f"Healed 3 {healed}", f"Instructed 3 draw {drawn}"]
    assert last(table, "C12-TURN.1") == (told if healed else [told[0], told[2]])
    assert table.state.seat(3).hp == hero - lost + healed


@pytest.mark.parametrize(
    ("lang", "options", "said"),
    [
        ("zh-Hans", "hp=off", "回复体力至上限，至多 5 点"),
        ("zh-Hant", "hp=off", "回復體力至上限，至多 5 點"),
        ("en", "hp=off", "heal to full, by 5 at most"),
        ("zh-Hans", "hp=on", "回复 2 点体力"),
    ],
)
def test_where_hit_points_are_not_counted_a_bribe_heals_up_to_five(lang: Lang, options: str, said: str) -> None:
    wounded = "lose 3 2; " if options == "hp=on" else ""
    view = view_of(court(f"turn 3; {wounded}death 12 by 7; answer 3 yes", options), TABLE)
    [healing] = [told for told in view.announcements if (told.clause, told.do) == ("C12-TURN.1", "heal")]
    assert Words(lang, find_mode("court12")).does(healing) == said


def test_a_bribe_lifts_a_dying_seat() -> None:
    table = court("turn 3; lose 3 4; death 12 by 7; answer 3 yes", "hp=on")
    assert (table.state.seat(3).hp, table.state.seat(3).is_dying) == (4, False)


@pytest.mark.parametrize(
    ("answer", "reason", "clause"),
    [
        ("answer 10 yes", "other_asked", "X14"),
        ("answer 9 maybe", "not_a_choice", "C12-REN.2"),
        ("turn 1", "question_open", "X14"),
        ("death 3 by 1", "question_open", "X14"),
    ],
)
def test_only_its_answer_goes_on(answer: str, reason: str, clause: str) -> None:
    with pytest.raises(IllegalInput) as refusal:
        court(f"{POLL}; {answer}")
    assert (refusal.value.reason, refusal.value.clause) == (reason, clause)


# 濒死


def test_a_renegade_who_would_die_is_lifted_to_two_hit_points() -> None:
    table = court("hp 12 3; damage 12 5 by 3; answer 2 yes", "hp=on")
    renegade = table.state.seat(12)
    assert (renegade.hp, renegade.max_hp, renegade.is_dying, renegade.alive) == (2, 4, False, True)


def test_a_death_that_策立_averts_is_announced_when_all_is_answered() -> None:
    table = court(f"{POLL}; answer 9 yes")
    assert last(table, "X3") == ["DeathAverted 12"]
    assert table.state.seat(12).alive


def test_no_death_is_averted_where_only_濒死_was_recorded() -> None:
    assert caused(court("turn 9; dying 12 by 3; answer 9 yes"), "X3") == []


def test_the_second_death_is_one() -> None:
    assert not court(f"{POLL}; answer 9 yes; death 12 by 3").state.seat(12).alive


# Nobody turned


def test_an_extra_turn_is_owed_until_the_next_turn() -> None:
    table = court(f"{POLL}; {ALL_REFUSE}; answer 12 extra_turn")
    assert last(table, "C12-REN.2") == ["Answered 12 extra_turn", "Instructed 12 extra_turn"]
    assert table.state.extra_turns == (12,)


def test_everybody_else_loses_a_hit_point_in_order_of_play() -> None:
    table = court(f"leave 4; {POLL}; {ALL_REFUSE.replace('answer 4 no; ', '')}; answer 12 drain")
    drained = [f"HpLost {seat} 1" for seat in (9, 10, 11, 1, 2, 3, 5, 6, 7, 8)]
    assert last(table, "C12-REN.2") == ["Answered 12 drain", *drained]


def test_who_has_none_left_begins_to_die_after_all_have_lost() -> None:
    wounds = "lose 8 3; lose 2 3; lose 5 4"
    table = court(f"{wounds}; {POLL}; {ALL_REFUSE}; answer 12 drain", "hp=on")
    assert last(table, "C12-REN.2")[-3:] == ["HpLost 8 1", "DyingBegan 2 by -", "DyingBegan 8 by -"]
    assert {seat.number: seat.hp for seat in table.state.living if seat.is_dying} == {2: 0, 5: -1, 8: 0}


# Those who leave


def test_who_leaves_while_asked_has_not_agreed() -> None:
    table = court(f"{POLL}; leave 9")
    assert question(table) == (10, "turncoat")


def test_another_who_leaves_is_settled_at_once_and_the_question_stays() -> None:
    table = court(f"{POLL}; leave 10")
    assert question(table) == (9, "turncoat")
    assert asked(table) == [9]
    assert last(table, "C12-CHIEF.2") == ["ModifierBegan 7 C12-CHIEF.2 4"]
    table = court(f"{POLL}; leave 10; answer 9 no")
    assert question(table) == (11, "turncoat")


def test_the_poll_lapses_with_the_renegade() -> None:
    table = court(f"{POLL}; answer 9 no; leave 12")
    assert (table.pending, table.state.seat(12).alive, caused(table, "X3")) == (None, False, [])


def test_a_prince_who_succeeds_while_asked_is_asked_no_more() -> None:
    table = court("turn 2; death 12 by 3; leave 1")
    assert question(table) == (3, "turncoat")
    assert table.state.seat(2).public


def test_the_choice_lapses_with_the_renegade() -> None:
    assert court(f"{POLL}; {ALL_REFUSE}; leave 12").pending is None


def test_the_choice_stays_when_another_leaves() -> None:
    assert question(court(f"{POLL}; {ALL_REFUSE}; leave 3")) == (12, "scheme")


def test_a_verdict_cancels_the_question() -> None:
    table = court(f"leave 2; {POLL}; leave 1")
    assert (table.state.verdict, table.pending) == ("C12-V1", None)


def test_a_correction_leaves_the_question_as_it_was() -> None:
    table = court(f"{POLL}; correct 3 hp 2", "hp=on")
    assert (question(table), asked(table)) == ((9, "turncoat"), [9])


def test_the_host_may_end_the_game_during_a_question() -> None:
    table = court(f"{POLL}; end")
    assert (table.state.ended, table.state.verdict, table.pending) == (True, None, None)


@pytest.mark.parametrize("cause", ["death 12 by 3", "dying 12 by 3", "death 1 by 7", "leave 1", REBELS_DIE])
def test_whoever_leaves_at_whichever_question_the_game_goes_on(cause: str) -> None:
    """Every living seat leaves at every question of the poll; the rest then answer no, and a turn can begin."""
    table = court(cause)
    while table.pending:
        for leaver in table.state.living:
            left = again(table)
            left.feed(Leave(leaver.number))
            goes_on(left)
        table.feed(Answer(table.pending.seat, table.pending.choices[-1]))


def goes_on(table: Table) -> None:
    while table.pending:
        table.feed(Answer(table.pending.seat, table.pending.choices[-1]))
    if not table.state.ended:
        table.feed(Turn(table.state.living[0].number))

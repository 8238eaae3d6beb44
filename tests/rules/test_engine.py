"""The engine with a made-up game: depth first, tiers by seat, questions, averted deaths, and a verdict that stops all.

The game is played by cats (who do things when somebody dies) and mice. It has what no single mode has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.rules import inputs as i
from companion.rules.common import reveal
from companion.rules.facts import Died, DyingBegan, Healed, HpSet, Instructed, Revealed
from companion.rules.goals import Ending, camp_wins
from companion.rules.inputs import IllegalInput, refuse
from companion.rules.ruleset import VERDICT, Ask, Begun, Order, Rule, Ruleset, Settled, Steps, rule, tier
from companion.rules.state import Seat
from companion.rules.table import Table
from tests.rules.games import again, everything, lines

ROLES = {"cat": "cat", "tom": "cat", "mouse": "mouse", "ghost": "mouse"}


def always(table: Table, fact: object) -> bool:
    return True


def living(role: str) -> Callable[[Table, Seat], bool]:
    return lambda table, seat: seat.alive and seat.role == role


@rule("SHOW", when=always)
def show(table: Table, death: Died) -> Steps:
    yield from reveal(table, death.seat)


@rule("MEOW", when=always, holder=living("cat"))
def meow(table: Table, me: int, death: Died) -> Steps:
    yield Instructed(me, "draw", 1)


@rule("PURR", when=lambda table, told: told.word == "draw")
def purr(table: Table, told: Instructed) -> Steps:
    yield Instructed(told.seat, "heal")


@rule("TOM", when=lambda table, death: not death.left, holder=living("tom"))
def offer_milk(table: Table, me: int, death: Died) -> Steps:
    """Asks every other living player for milk; the first yes ends it. Nobody left to ask, or no yes: tom discards."""
    asked: set[int] = set()
    while table.seat(me).alive:
        left = [seat.number for seat in table.state.living if seat.number != me and seat.number not in asked]
        if not left:
            break
        answer = yield Ask(left[0], "milk", ("yes", "no"))
        if answer == "yes":
            yield Instructed(left[0], "draw", 2)
            return
        if answer == "no":
            asked.add(left[0])
    if table.seat(me).alive:
        yield Instructed(me, "discard_all")


@rule("NINE", when=lambda table, dying: table.state.seat(dying.seat).role == "ghost")
def nine_lives(table: Table, dying: DyingBegan) -> Steps:
    if not table.state.seat(dying.seat).public:
        yield from reveal(table, dying.seat)
        yield HpSet(dying.seat, 1)
        yield Healed(dying.seat, 1)


@rule("ONCE", when=lambda table, _: not any(h.clause == "ONCE" for h in table.facts), holder=living("cat"))
def once(table: Table, me: int, death: Died) -> Steps:
    yield Instructed(me, "swap")


def picky(table: Table, entered: i.Use) -> Steps:
    """`use SEAT now` draws; `use SEAT never` is refused."""
    if entered.skill != "now":
        refuse("not_a_skill", "USE")
    yield Instructed(entered.seat, "draw", 3)


ENDINGS = (
    Ending("NO-MICE", lambda state: not any(s.camp == "mouse" for s in state.living), camp_wins("cat")),
    Ending("NO-CATS", lambda state: not any(s.camp == "cat" for s in state.living), camp_wins("mouse")),
)


def game(order: Order, *rules: Rule, inputs: Mapping[type, Callable[[Table, Any], Steps]] | None = None) -> Ruleset:
    return Ruleset(
        id="cats",
        version="1",
        names={role: role for role in ROLES},
        camps=ROLES,
        options=("hp",),
        composition="X7",
        check=lambda options, cards, seated: [],
        order=order,
        rules={rule.clause: rule for rule in rules},
        endings=ENDINGS,
        inputs=inputs or {},
    )


def play(ruleset: Ruleset, text: str, options: str = "") -> Table:
    table = Table(ruleset, options)
    for line in lines(text):
        table.feed(ruleset.read(line))
    return table


def last(table: Table) -> list[str]:
    """What the last input led to, without what only carries it out."""
    facts = [happened for happened in table.facts if happened.step == len(table.inputs)]
    return [str(happened) for happened in facts if not isinstance(happened.fact, DyingBegan)]


def asked(table: Table) -> int | None:
    """The seat whose answer is waited for."""
    return table.pending.seat if table.pending else None


DIED = tier("SHOW"), tier("MEOW")


def test_what_a_fact_triggers_is_settled_before_its_rule_goes_on() -> None:
    table = play(
        game({Died: DIED, Instructed: (tier("PURR"),)}, show, meow, purr), "deal cat mouse cat mouse; death 2 by -"
    )
    assert last(table) == [
        "Died 2 by -",
        "Revealed 2 mouse [SHOW]",
        "Instructed 1 draw 1 [MEOW]",
        "Instructed 1 heal [PURR]",
        "Instructed 3 draw 1 [MEOW]",
        "Instructed 3 heal [PURR]",
    ]


@pytest.mark.parametrize(
    ("turn", "order"), [("", [1, 3, 4]), ("turn 1;", [1, 3, 4]), ("turn 2;", [3, 4, 1]), ("turn 4;", [4, 1, 3])]
)
def test_a_tier_fires_by_seat_from_the_turns_seat(turn: str, order: list[int]) -> None:
    table = play(game({Died: DIED}, show, meow), f"deal cat mouse cat cat mouse; {turn} death 2 by -")
    assert [text for text in last(table) if "MEOW" in text] == [f"Instructed {seat} draw 1 [MEOW]" for seat in order]


def test_clauses_of_one_tier_fire_seat_by_seat_and_tiers_one_after_the_other() -> None:
    together = play(game({Died: (tier("MEOW", "ONCE"),)}, meow, once), "deal cat mouse cat mouse; death 2 by -")
    assert last(together)[1:] == [
        "Instructed 1 draw 1 [MEOW]",
        "Instructed 1 swap [ONCE]",
        "Instructed 3 draw 1 [MEOW]",
    ]
    apart = play(game({Died: (tier("MEOW"), tier("ONCE"))}, meow, once), "deal cat mouse cat mouse; death 2 by -")
    assert last(apart)[1:] == ["Instructed 1 draw 1 [MEOW]", "Instructed 3 draw 1 [MEOW]", "Instructed 1 swap [ONCE]"]


def test_whether_a_clause_fires_is_looked_at_just_before_it_does() -> None:
    """ONCE would fire for both cats had its condition been looked at beforehand."""
    table = play(game({Died: (tier("ONCE"),)}, once), "deal cat mouse cat mouse; death 2 by -")
    assert last(table)[1:] == ["Instructed 1 swap [ONCE]"]


def test_a_verdict_stops_all_that_would_follow() -> None:
    early = game({Died: (tier("SHOW"), tier(VERDICT), tier("MEOW")), Settled: (tier(VERDICT),)}, show, meow)
    late = game({Died: DIED, Settled: (tier(VERDICT),)}, show, meow)
    text = "deal cat mouse; death 2 by 1"
    ended = "Ended NO-MICE 1=win,2=lose [NO-MICE]"
    assert last(play(early, text))[2:] == [ended]
    assert last(play(late, text))[2:] == ["Instructed 1 draw 1 [MEOW]", ended]


def test_a_death_that_dying_averts_is_announced_as_averted() -> None:
    """X3; the second time nothing averts it."""
    ruleset = game({DyingBegan: (tier("NINE"),), Died: DIED}, nine_lives, show, meow)
    table = play(ruleset, "deal cat ghost mouse; death 2 by 1", "hp=on")
    assert last(table) == ["Revealed 2 ghost [NINE]", "HpSet 2 1 [NINE]", "Healed 2 1 [NINE]", "DeathAverted 2 [X3]"]
    assert (table.state.seat(2).alive, table.state.seat(2).hp, table.state.seat(2).is_dying) == (True, 2, False)
    table.feed(i.Death(2, 1))
    assert last(table) == ["Died 2 by 1", "Instructed 1 draw 1 [MEOW]"]


ASKING = game({Died: (tier("SHOW"), tier("TOM"), tier("MEOW")), Settled: (tier(VERDICT),)}, show, offer_milk, meow)
ASKED = "deal cat tom mouse mouse mouse; death 5 by -;"


def test_a_question_waits_for_its_answer_and_then_all_goes_on() -> None:
    table = play(ASKING, ASKED)
    assert table.pending == (1, "milk", ("yes", "no"), "TOM")
    assert last(table)[-1] == "Asked 1 milk yes,no [TOM]"
    table.feed(i.Answer(1, "no"))
    assert last(table) == ["Answered 1 no [TOM]", "Asked 3 milk yes,no [TOM]"]
    table.feed(i.Answer(3, "yes"))
    assert last(table) == ["Answered 3 yes [TOM]", "Instructed 3 draw 2 [TOM]", "Instructed 1 draw 1 [MEOW]"]
    assert asked(table) is None


@pytest.mark.parametrize(
    ("line", "reason", "clause"),
    [
        ("turn 1", "question_open", "X14"),
        ("death 3 by 1", "question_open", "X14"),
        ("use 1 now", "question_open", "X14"),
        ("answer 3 yes", "other_asked", "X14"),
        ("answer 1 maybe", "not_a_choice", "TOM"),
        ("deal cat mouse", "dealt_twice", "X8"),
        ("correct 1 hp 9", "not_in_range", "X18"),
    ],
)
def test_what_is_refused_while_a_question_is_open_changes_nothing(line: str, reason: str, clause: str) -> None:
    table = play(ASKING, ASKED, "hp=on")
    before = everything(table)
    with pytest.raises(IllegalInput) as refusal:
        table.feed(table.ruleset.read(line))
    assert refusal.value.reason == reason
    assert refusal.value.clause == clause or reason == "not_in_range"
    assert everything(table) == before
    table.feed(i.Answer(1, "yes"))
    assert everything(table) == everything(again(table))


def test_a_correction_leaves_the_question_as_it_is() -> None:
    table = play(ASKING, ASKED + "correct 1 hp 2", "hp=on")
    assert last(table) == ["Corrected 1 hp 2"]
    assert asked(table) == 1


@pytest.mark.parametrize("meanwhile", ["correct 1 hp 2", "leave 3", "leave 4"])
def test_the_verdict_that_stands_when_all_is_settled_waits_for_the_question(meanwhile: str) -> None:
    """X13: nothing but what asks stands in the order of a death here, so that only the end of it all is judged."""
    ruleset = game({Died: (tier("TOM"),), Settled: (tier(VERDICT),)}, offer_milk)
    table = play(ruleset, f"deal tom cat cat cat mouse; death 5 by -; {meanwhile}", "hp=on")
    assert (table.state.ended, asked(table)) == (False, 2)
    table.feed(i.Answer(2, "yes"))
    assert last(table) == ["Answered 2 yes [TOM]", "Instructed 2 draw 2 [TOM]", last(table)[-1]]
    assert (table.state.verdict, asked(table)) == ("NO-MICE", None)
    assert everything(table) == everything(again(table))


def test_if_the_asked_seat_leaves_the_next_is_asked() -> None:
    table = play(ASKING, ASKED + "answer 1 no; leave 3")
    assert asked(table) == 4


def test_if_another_seat_leaves_that_is_settled_and_the_same_question_stays() -> None:
    table = play(ASKING, ASKED + "leave 4")
    assert last(table) == ["Died 4 by -", "Revealed 4 mouse [SHOW]", "Instructed 1 draw 1 [MEOW]"]
    assert table.pending == (1, "milk", ("yes", "no"), "TOM")


def test_a_question_within_a_question_is_answered_first() -> None:
    """Here the leaver's own death asks too. Then the earlier question is asked anew."""
    nested = game({Died: (tier("SHOW"), tier("TOM"))}, show, Rule("TOM", always, living("tom"), offer_milk.run))
    table = play(nested, ASKED + "answer 1 no; leave 4")
    assert asked(table) == 1
    table.feed(i.Answer(1, "yes"))
    assert last(table)[-1] == "Asked 3 milk yes,no [TOM]"
    table.feed(i.Answer(3, "no"))
    assert last(table) == ["Answered 3 no [TOM]", "Instructed 2 discard_all [TOM]"]
    assert asked(table) is None
    assert everything(table) == everything(again(table))


def test_if_the_one_who_had_it_asked_leaves_the_question_lapses() -> None:
    table = play(ASKING, ASKED + "leave 2")
    assert asked(table) is None
    assert last(table) == ["Died 2 by -", "Revealed 2 tom [SHOW]", *["Instructed 1 draw 1 [MEOW]"] * 2]


def test_a_verdict_cancels_the_question() -> None:
    ruleset = game({Died: (tier(VERDICT), tier("TOM"))}, offer_milk)
    table = play(ruleset, "deal tom cat mouse mouse; death 4 by -")
    assert asked(table) == 2
    table.feed(i.Leave(3))
    assert (table.state.verdict, asked(table)) == ("NO-MICE", None)
    with pytest.raises(IllegalInput, match="over"):
        table.feed(i.Answer(2, "yes"))
    assert everything(table) == everything(again(table))


def test_the_host_may_end_the_game_while_a_question_is_open() -> None:
    table = play(ASKING, ASKED + "end")
    assert (table.state.ended, table.state.verdict, table.pending) == (True, None, None)
    assert {seat.grade for seat in table.state.seats} == {None}


def test_an_input_of_the_modes_own_and_its_refusal() -> None:
    ruleset = game({Begun: (tier("CALL"),)}, Rule("CALL", always, living("tom"), call), inputs={i.Use: picky})
    table = play(ruleset, "deal cat tom")
    assert last(table)[-1] == "Revealed 2 tom [CALL]"
    before = everything(table)
    with pytest.raises(IllegalInput) as refusal:
        table.feed(i.Use(1, "never"))
    assert (refusal.value.reason, refusal.value.clause, refusal.value.step) == ("not_a_skill", "USE", 2)
    assert everything(table) == before
    table.feed(i.Use(1, "now"))
    assert last(table) == ["Instructed 1 draw 3"]


def call(table: Table, me: int, _: None) -> Steps:
    identity = table.seat(me).identity
    assert identity
    yield Revealed(me, identity)

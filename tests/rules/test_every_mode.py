"""What holds in every game of every mode, whatever people enter."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.modes import MODES, find_mode, find_ruleset
from companion.rules import inputs as i
from companion.rules.facts import TABLE, Asked
from companion.rules.record import format_game, parse, run
from companion.rules.table import Table
from companion.rules.views import view_of
from tests.rules import many
from tests.rules.checks import check_grades, check_question, check_record, check_undo, enter, folded
from tests.rules.deals import random_deal
from tests.rules.games import again, offer, played, random_game, random_input, whole_record

SEEDS = st.integers(0, 2**32)


def accepts(table: Table, entered: i.Input) -> bool:
    """Whether the input would be legal now."""
    return offer(again(table), entered) is None


class AnyGame(RuleBasedStateMachine):
    """One table at which people enter things, legal or not. A failure shows the record."""

    table: Table

    @initialize(mode=st.sampled_from(MODES), seed=SEEDS)
    def deal(self, mode: str, seed: int) -> None:
        options, deal = random_deal(find_mode(mode), Random(seed))
        self.table = Table(find_ruleset(mode), options)
        self.table.feed(deal)

    @rule(seed=SEEDS)
    def enter(self, seed: int) -> None:
        enter(self.table, random_input(self.table, Random(seed), deadly=0.15))

    @precondition(lambda self: not self.table.state.ended)
    @rule(seed=SEEDS)
    def go_on_leave_or_end(self, seed: int) -> None:
        """With any answer, any turn; anybody may leave, before an answer too."""
        rng = Random(seed)
        someone = rng.choice(self.table.state.living).number
        assert accepts(self.table, i.End())
        assert accepts(self.table, i.Leave(someone))
        if self.table.pending:
            seat, _, choices, _ = self.table.pending
            assert accepts(self.table, i.Answer(seat, rng.choice(choices)))
        else:
            assert accepts(self.table, i.Turn(someone))

    @invariant()
    def a_question_that_waits_is_the_last_one_asked(self) -> None:
        if pending := self.table.pending:
            assert not self.table.state.ended
            asked = [h for h in self.table.facts if isinstance(h.fact, Asked)][-1]
            assert pending.choices, "a question that has no answer"
            assert (asked.clause, asked.fact) == (pending.clause, Asked(pending.seat, pending.ask, pending.choices))

    @invariant()
    def a_question_survives_swaps_undo_and_whoever_leaves(self) -> None:
        if self.table.pending:
            check_question(
                self.table, Random(len(self.table.inputs)), [seat.number for seat in self.table.state.living]
            )

    @invariant()
    def a_verdict_grades_every_seat(self) -> None:
        check_grades(self.table)

    @invariant()
    def a_grade_fixed_by_departure_stays(self) -> None:
        """X17."""
        grades = {seat.number: seat.grade for seat in self.table.state.seats if seat.grade}
        before: dict[int, str] = getattr(self, "grades", {})
        assert before.items() <= grades.items()
        self.grades = grades

    @invariant()
    def counters_are_kept_where_they_are_on(self) -> None:
        for seat in self.table.state.seats:
            assert (seat.provinces is None) == (not self.table.has("provinces"))
            assert (seat.limit is None) == (self.table.ruleset.id != "ambition")
            assert 0 <= (seat.provinces or 0) <= (seat.limit or 0)
            assert not (seat.is_dying and seat.provinces)
            assert (seat.hp is None) == (not self.table.has("hp"))
            if seat.hp is not None and seat.max_hp is not None:
                assert seat.hp <= seat.max_hp
                assert seat.alive or seat.hp == 0
                assert not seat.alive or self.table.state.ended or (seat.hp <= 0) == seat.is_dying

    def teardown(self) -> None:
        if hasattr(self, "table"):
            note(whole_record(self.table))
            check_undo(self.table)
            check_record(self.table)
            assert self.table.state == folded(self.table)


AnyGame.TestCase.settings = settings(
    max_examples=50, stateful_step_count=25, suppress_health_check=[HealthCheck.too_slow], deadline=None
)
TestAnyGame = AnyGame.TestCase


@pytest.mark.parametrize("mode", MODES)
def test_no_deal_is_won_before_it_is_played(mode: str) -> None:
    """X9."""
    for seed in range(30):
        options, deal = random_deal(find_mode(mode), Random(seed))
        table = Table(find_ruleset(mode), options)
        table.feed(deal)
        assert not any(ending.when(table.state) for ending in table.ruleset.endings)


@pytest.mark.parametrize("mode", MODES)
def test_games_of_every_mode_reach_a_verdict(mode: str) -> None:
    games = [random_game(find_mode(mode), Random(seed), most=80) for seed in range(30)]
    assert sum(game.state.verdict is not None for game in games) >= 20


@pytest.mark.parametrize("mode", MODES)
def test_a_view_is_folded_from_what_was_told_and_everything_is_told_at_the_end(mode: str) -> None:
    for seed in range(12):
        table = random_game(find_mode(mode), Random(seed), most=seed * 4)
        for viewer in (TABLE, *(seat.number for seat in table.state.seats)):
            view = view_of(table, viewer)
            if table.state.ended:
                assert (view.state, view.facts) == (table.state, table.facts)
            else:
                assert all(seat.identity for seat in view.seats if seat.number == viewer or seat.public)
                assert len(view.facts) < len(table.facts)
                assert view_of(table, viewer, view_of(again(table, table.inputs[: seed * 2]), viewer)) == view
            assert format_game(table, viewer, {}, {}, {})


QUESTIONS = {
    "turncoat": ("court12", "deal 主公 储君 丞相 大将 佞宦 党人 贼首 穷寇 义贼 暴民 盗匪 内奸; death 12 by 1"),
    "turncoat, the second asked": (
        "court12",
        "deal 主公 储君 丞相 大将 佞宦 党人 贼首 穷寇 义贼 暴民 盗匪 内奸; turn 4; death 1 by 2; answer 4 no",
    ),
    "scheme": (
        "court12",
        "deal 主公 储君 丞相 大将 佞宦 党人 贼首 穷寇 义贼 暴民 盗匪 内奸; death 12 by 1;"
        + ";".join(f"answer {seat} no" for seat in (2, 3, 4, 5, 6, 8, 9, 10, 11)),
    ),
    "successor": ("sixteen", "deal 先主 忠臣 反贼 反贼 内奸 黄巾 黄巾; death 1 by 3"),
    "successor, and rebels would have won": ("sixteen", "deal 先主 反贼 内奸 内奸; death 1 by 2"),
    "successor, once seats were swapped": ("sixteen", "deal 先主 先锋 反贼 忠臣 内奸; use 2 charge 5; leave 1"),
}
"""Every question that a mode asks, and how a game comes to it."""


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("options", ["", "hp=on"])
def test_a_question_survives_whatever_happens_meanwhile(question: str, options: str) -> None:
    table = played(*QUESTIONS[question], options)
    assert table.pending
    assert table.pending.ask == question.partition(",")[0]
    living = [seat.number for seat in table.state.living]
    for seed in range(4):
        check_question(table, Random(seed), living)
    for first in living:
        for second in set(living) - {first}:
            left = again(table)
            left.feed(i.Leave(first))
            if left.pending and not left.state.ended:
                check_question(left, Random(first), [second])


def test_every_question_is_among_those() -> None:
    asked = set()
    for mode in MODES:
        for seed in range(60):
            game = random_game(find_mode(mode), Random(seed))
            asked |= {h.fact.ask for h in game.facts if isinstance(h.fact, Asked)}
    assert asked == {question.partition(",")[0] for question in QUESTIONS}


@pytest.mark.parametrize("mode", MODES)
def test_many_games_run_without_fault(mode: str) -> None:
    """The first of those that `python -m tests.rules.many` runs by the thousand."""
    tally = many.run(mode, 40, 1)
    assert not tally.faults
    assert sum(tally.endings.values()) == 40


def test_a_fault_is_told_with_the_record_that_brings_it_about(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(table: Table) -> None:
        assert table.state.verdict != "CL-4.2", "this ending is not liked"

    monkeypatch.setattr(many, "check_grades", fails)
    tally = many.run("classic", 40, 1)
    told = capsys.readouterr().out
    assert tally.faults == many.MOST_FAULTS
    assert "this ending is not liked" in told
    record = told[told.index("[Companion") : told.index("\n\ngame")]
    [game] = parse(record, find_ruleset)
    replayed = run(game)
    assert (replayed.problems, replayed.table and replayed.table.state.verdict) == ([], "CL-4.2")

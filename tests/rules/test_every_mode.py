"""What holds in every game of every mode, whatever people enter."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.modes import MODES, find_mode, find_ruleset
from companion.rules import inputs as i
from companion.rules.facts import TABLE, Asked, Ended
from companion.rules.record import format_game, parse, run
from companion.rules.state import State, evolve
from companion.rules.table import Table
from companion.rules.views import view_of
from tests.rules.deals import random_deal
from tests.rules.games import again, everything, offer, random_game, random_input, whole_record

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
        before, entered = everything(self.table), random_input(self.table, Random(seed), deadly=0.15)
        refusal = offer(self.table, entered)
        if refusal:
            assert everything(self.table) == before, f"a refused {i.write(entered)} changed something"
        assert refusal or not before[0].ended, "something was entered after the end"

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
    def a_verdict_grades_every_seat(self) -> None:
        ended = [h.fact for h in self.table.facts if isinstance(h.fact, Ended)]
        assert len(ended) == self.table.state.ended
        if ended and ended[0].verdict:
            assert [number for number, _ in sorted(ended[0].grades)] == [s.number for s in self.table.state.seats]
            assert {seat.grade for seat in self.table.state.seats} <= {"win", "draw", "lose"}

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


def folded(table: Table) -> State:
    """The state made of nothing but the facts."""
    state = State()
    for happened in table.facts:
        state = evolve(state, happened.fact)
    return state


def check_undo(table: Table) -> None:
    """Taking back inputs leaves what a shorter list of inputs leads to."""
    for length in {1, len(table.inputs) // 2, len(table.inputs) - 1} - {0}:
        shorter = again(table, table.inputs[:length])
        assert shorter.facts == [happened for happened in table.facts if happened.step <= length]
    assert everything(again(table)) == everything(table)


def check_record(table: Table) -> None:
    """The record is read as the same game, and written the same again."""
    text = whole_record(table)
    [game] = parse(text, find_ruleset)
    replayed = run(game)
    assert not replayed.problems
    assert replayed.table is not None
    assert everything(replayed.table) == everything(table)
    assert whole_record(replayed.table) == text


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

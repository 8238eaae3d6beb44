"""What was recorded wrongly: taken back, changed, taken out; and what is made of it on paper, in memory and on disk."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.cli import main
from companion.modes import MODES, find_mode, find_ruleset
from companion.rules import record
from companion.rules.facts import HOST, TABLE
from companion.rules.inputs import Deal, IllegalInput, Input, Use, write
from companion.rules.table import Table, play
from companion.storage import Line, StoreUnavailable
from companion.tables import Evening
from companion.tables.log import Change
from companion.tables.running import told_cards
from tests.rules.deals import random_deal
from tests.rules.games import offer, random_input
from tests.test_tables import Laptop, check_nothing_is_ahead, entered, refusal


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[Laptop]:
    laptop = Laptop(tmp_path)
    yield laptop
    laptop.store.close()


def enter(evening: Evening, lines: str) -> None:
    for line in lines.split("; "):
        assert evening.game is not None
        evening.record(line, f"{line} {evening.row.version}", None, again=True)


def change(evening: Evening, step: int, text: str, key: str = "") -> None:
    assert evening.game is not None
    evening.change(step, text, evening.game.log.last_seq, key or f"change {evening.row.version}", None)


def comments(evening: Evening) -> list[str]:
    return [line[2:] for line in evening.export(HOST).splitlines() if line.startswith("; ")]


def misfits(evening: Evening, step: int, text: str) -> list[tuple[int, str, str]]:
    shown = evening.rehearse_change(step, text).misfits
    return [(one.number, write(one.entered), one.refusal.reason) for one in shown]


def check_the_record_runs(evening: Evening) -> None:
    """The whole record, comments and all, is played again by `companion replay` to the same result."""
    assert evening.game is not None
    [game] = record.parse(evening.export(HOST), find_ruleset)
    played = record.run(game)
    assert not played.problems and played.table
    assert played.table.facts == evening.game.table.facts


# A line is changed


def test_a_wrong_killer_noticed_three_deaths_later(laptop: Laptop) -> None:
    evening = laptop.dealt()  # lord rebel crown_prince rebel_chief rebel loyalist renegade rebel
    enter(evening, "turn 1; death 5 by 1; turn 2; death 6 by 2; turn 3; death 8 by 3")
    before = evening.export(TABLE)
    assert "Instructed 1 draw 3 [C8-REBEL.1]" in before
    change(evening, 3, "death 5 by 7")
    after = evening.export(TABLE)
    assert "3. death 5 by 7\n" in after and "; was: death 5 by 1\n" in after
    assert "Instructed 7 draw 3 [C8-REBEL.1]" in after and "Instructed 1 draw 3" not in after
    assert entered(evening)[2:] == ["turn 2", "death 6 by 2", "turn 3", "death 8 by 3"]
    check_the_record_runs(evening)
    check_nothing_is_ahead(evening, laptop)
    again = laptop.again(evening)
    assert again.export(TABLE) == after
    assert again.game is not None and not again.game.drifted and not again.game.lost


def test_the_record_of_a_changed_game_is_replayed_by_the_command(laptop: Laptop, tmp_path: Path) -> None:
    evening = laptop.dealt()
    enter(evening, "death 5 by 1; turn 6; death 1 by 2; death 3 by 2")
    change(evening, 2, "death 6 by 1")
    assert evening.phase == "end"
    (tmp_path / "record.txt").write_text(evening.export(TABLE), "utf-8")
    told = CliRunner().invoke(main, ["replay", "--json", str(tmp_path / "record.txt")])
    assert told.exit_code == 0
    assert json.loads(told.output)["clause"] == "C8-V1"


def test_lines_that_no_longer_fit_are_listed_and_become_comments(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "death 5 by 1; turn 2; death 6 by 2; turn 7")
    assert misfits(evening, 2, "death 6 by 1") == [(2, "death 6 by 2", "dead")]
    change(evening, 2, "death 6 by 1")
    assert entered(evening) == ["death 6 by 1", "turn 2", "turn 7"]
    assert comments(evening) == ["was: death 5 by 1", "no longer fits: death 6 by 2"]
    check_the_record_runs(evening)
    check_nothing_is_ahead(evening, laptop)


def test_a_change_that_is_changed_back_brings_back_what_did_not_fit(laptop: Laptop) -> None:
    evening = laptop.dealt()
    lines = "death 5 by 1; turn 2; death 6 by 2; turn 7"
    enter(evening, lines)
    change(evening, 2, "death 6 by 1")
    assert entered(evening) == ["death 6 by 1", "turn 2", "turn 7"]
    evening = laptop.again(evening)
    change(evening, 2, "death 5 by 1")
    assert entered(evening) == lines.split("; ")
    assert comments(evening) == ["was: death 5 by 1", "was: death 6 by 1"]
    check_nothing_is_ahead(evening, laptop)


def test_once_something_is_recorded_what_did_not_fit_stays_out(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "death 5 by 1; turn 2; death 6 by 2")
    change(evening, 2, "death 6 by 1")
    enter(evening, "turn 7")
    change(evening, 2, "death 5 by 1")
    assert entered(evening) == ["death 5 by 1", "turn 2", "turn 7"]
    assert "no longer fits: death 6 by 2" in comments(evening)


def test_a_line_is_taken_out(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; turn 3; turn 4")
    change(evening, 3, "")
    assert entered(evening) == ["turn 2", "turn 4"]
    assert "2. turn 2\n   > TurnBegan 2\n; undone: turn 3\n3. turn 4" in evening.export(TABLE)
    check_nothing_is_ahead(evening, laptop)


def test_a_wrong_verdict_is_taken_back_and_a_right_one_reached(laptop: Laptop) -> None:
    evening = laptop.dealt("lord rebel renegade", "classic")
    enter(evening, "turn 2; death 1 by 2")
    assert evening.phase == "end"
    change(evening, 3, "death 2 by 1")
    enter(evening, "death 3 by 1")
    assert evening.game is not None and evening.game.table.state.verdict == "CL-4.3"
    assert evening.rehearse_change(3, "death 3 by 1").has_ended
    assert misfits(evening, 3, "death 1 by 2") == [(1, "death 3 by 1", "over")]
    change(evening, 3, "death 1 by 2")
    assert entered(evening) == ["turn 2", "death 1 by 2"] and evening.phase == "end"
    check_the_record_runs(evening)
    check_nothing_is_ahead(evening, laptop)


def test_new_cards_end_the_time_for_changes(laptop: Laptop) -> None:
    evening = laptop.dealt("lord rebel renegade", "classic")
    enter(evening, "turn 2; death 1 by 2")
    evening.deal()
    assert refusal(lambda: change(evening, 2, "turn 3"))[0] == "no_line"


@pytest.mark.parametrize(
    ("step", "text", "reason"),
    [
        (1, "", "deal_stays"),
        (1, "turn 2", "deal_stays"),
        (0, "turn 2", "no_line"),
        (-2, "turn 2", "no_line"),
        (9, "turn 2", "no_line"),
        (2, "turn 2", "same_line"),
        (2, " turn  2 ", "same_line"),
        (2, "turn 99", "no_seat"),
        (2, "dance 2", "unknown_input"),
        (2, "death 3", "no_killer"),
        (2, "deal lord rebel", "dealt_twice"),
        (2, "use 2 inspect 3", "skill_of_another"),
        (3, "death 2", "no_killer"),
    ],
)
def test_what_cannot_be_changed_changes_nothing(laptop: Laptop, step: int, text: str, reason: str) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; death 5 by 1")
    before = evening.export(HOST), evening.row.version
    assert refusal(lambda: change(evening, step, text))[0] == reason
    assert refusal(lambda: evening.rehearse_change(step, text))[0] == reason
    assert (evening.export(HOST), evening.row.version) == before
    check_nothing_is_ahead(evening, laptop)


def test_while_a_death_waits_nothing_is_changed(laptop: Laptop) -> None:
    evening = laptop.dealt(pause=4)
    enter(evening, "turn 2; death 5 by 1")
    assert refusal(lambda: change(evening, 2, "turn 3"))[0] == "draft_held"
    laptop.clock.move(4)
    change(evening, 2, "turn 3")
    assert entered(evening) == ["turn 3", "death 5 by 1"]


def test_a_change_counts_once_and_only_for_the_log_that_was_seen(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; turn 3")
    assert evening.game is not None
    seen = evening.game.log.last_seq
    for _ in range(2):
        evening.change(2, "turn 4", seen, "one", None)
    assert refusal(lambda: evening.change(3, "turn 5", seen, "two", None))[0] == "log_moved"
    assert refusal(lambda: evening.change(2, "turn 6", seen, "one", None))[0] == "log_moved"
    assert entered(evening) == ["turn 4", "turn 3"]
    evening = laptop.again(evening)
    evening.change(2, "turn 4", seen, "one", None)
    assert entered(evening) == ["turn 4", "turn 3"]


def test_a_change_that_cannot_be_stored_is_none(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; turn 3")
    before = evening.export(HOST)
    laptop.store.failing = {"extend"}
    with pytest.raises(StoreUnavailable):
        change(evening, 2, "turn 4")
    laptop.store.failing = set()
    assert evening.export(HOST) == before
    check_nothing_is_ahead(evening, laptop)


def test_a_game_that_no_longer_fits_the_rules_is_not_changed(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; turn 3")
    with laptop.store._database.write() as db:
        db.execute("DROP TRIGGER log_is_not_changed")
        db.execute("UPDATE log SET text = 'use 3 magic' WHERE seq = 3")
    evening = laptop.again(evening)
    assert refusal(lambda: change(evening, 2, "turn 4"))[0] == "rules_changed"
    assert refusal(lambda: evening.rehearse_change(2, "turn 4"))[0] == "rules_changed"


def test_steps_that_came_out_otherwise_are_as_the_rules_are_now_once_they_are_changed(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; turn 3; turn 4")
    with laptop.store._database.write() as db:
        db.execute("DROP TRIGGER log_is_not_changed")
        db.execute("UPDATE log SET digest = 'of other rules' WHERE seq IN (2, 4)")
    evening = laptop.again(evening)
    assert evening.game is not None and evening.game.drifted == [2, 4]
    change(evening, 3, "turn 5")
    assert evening.game.drifted == [2]
    evening = laptop.again(evening)
    assert evening.game is not None and evening.game.drifted == [2]


def test_the_answer_to_a_question_that_is_asked_no_more_does_not_fit(laptop: Laptop) -> None:
    deal = "lord crown_prince chancellor general eunuch partisan rebel_chief desperado righteous_bandit rioter looter"
    evening = laptop.dealt(f"{deal} renegade", "court12")
    enter(evening, "death 4 by 1; turn 2")
    assert evening.game is not None
    while not evening.game.table.pending and evening.phase == "play":
        living = [seat.number for seat in evening.game.table.state.living if seat.number not in (1, 12)]
        enter(evening, f"death {living[-1]} by 12")
    pending = evening.game.table.pending
    assert pending is not None
    asked_at = len(evening.game.standing)
    enter(evening, f"answer {pending.seat} {pending.choices[0]}; turn 2")
    change(evening, asked_at, "turn 3")
    assert f"no longer fits: answer {pending.seat} {pending.choices[0]}" in comments(evening)
    assert entered(evening)[-2:] == ["turn 3", "turn 2"]
    check_the_record_runs(evening)


# What is shown beforehand


def test_what_the_table_did_since_is_told_beforehand(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "death 2 by 3; turn 3")  # the reward is carried out, and a turn has begun
    shown = evening.rehearse_change(2, "death 2 by 6").taken_back
    assert shown.turned == (2, 4)
    assert {(one.seat, one.do, one.n) for one in shown.done} >= {(3, "draw", 3)}
    assert evening.rehearse_undo(3).taken_back.turned == ()
    assert evening.rehearse_undo(2).taken_back == shown


def test_a_silent_rehearsal_tells_nothing_of_what_the_changed_line_would_turn_up(laptop: Laptop) -> None:
    """Whoever dies in the changed line, and by whom: nothing of it depends on the hidden cards."""
    decks = ("lord rebel crown_prince rebel_chief rebel loyalist renegade rebel",
             "lord loyalist renegade rebel rebel_chief rebel rebel crown_prince")  # fmt: skip
    told = []
    for number, deck in enumerate(decks):
        evening = laptop.dealt(deck)
        enter(evening, "turn 2; turn 3; turn 4")
        told.append(
            [
                evening.rehearse_change(step, text)
                for step in (2, 3, 4)
                for text in ("", *(f"death {seat} by {by}" for seat in range(1, 9) for by in range(1, 9)))
            ]
        )
        assert number or any(one.changed for one in told[0])
    assert told[0] == told[1]


def test_who_is_out_and_who_is_dying_is_known_to_everybody(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; dying 5 by 2; saved 5; dying 6 by 2; death 6; turn 7; leave 8")
    assert misfits(evening, 3, "dying 4 by 2") == [(1, "saved 5", "not_dying")]
    assert misfits(evening, 3, "") == [(1, "saved 5", "not_dying")]
    assert misfits(evening, 5, "") == [(1, "death 6", "no_killer")]
    assert misfits(evening, 2, "death 7 by 2") == [(5, "turn 7", "dead")]
    assert misfits(evening, 2, "leave 8") == [(6, "leave 8", "dead")]


# What is to be made good


def test_what_was_drawn_in_vain_is_said_and_what_is_missing(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "death 2 by 3; turn 3; turn 4")
    assert evening.amends() is None
    change(evening, 2, "death 2 by 6")
    amends = evening.amends()
    assert amends is not None
    assert [(one.seat, one.do, one.n) for one in amends.back] == [(3, "draw", 3)]
    assert [(one.seat, one.do, one.n) for one in amends.more] == [(6, "draw", 3)]
    evening = laptop.again(evening)
    assert evening.amends() == amends
    evening.done(amends.id)
    assert evening.amends() is None
    evening = laptop.again(evening)
    assert evening.amends() is None
    change(evening, 2, "death 2 by 7")
    again = evening.amends()
    assert again is not None and [one.seat for one in again.back] == [6]


def test_two_changes_are_made_good_together_and_one_that_is_changed_back_not_at_all(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "death 2 by 3; turn 3; turn 4")
    change(evening, 2, "death 2 by 6")
    change(evening, 2, "death 2 by 7")
    amends = evening.amends()
    assert amends is not None and [one.seat for one in (*amends.back, *amends.more)] == [3, 7]
    change(evening, 2, "death 2 by 3")
    assert evening.amends() is None


def test_the_next_record_goes_on_from_there(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "death 2 by 3; turn 3")
    change(evening, 2, "death 2 by 6")
    assert evening.amends()
    enter(evening, "turn 4")
    assert evening.amends() is None


def test_what_waited_to_be_carried_out_waits_on(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; death 5 by 1; turn 3; death 2 by 3")
    assert evening.game is not None
    waiting = told_cards(evening.game.table, evening.game.mode)[evening.game.row.pointer :]
    assert waiting
    change(evening, 3, "death 5 by 6")
    assert told_cards(evening.game.table, evening.game.mode)[evening.game.row.pointer :] == waiting
    check_nothing_is_ahead(evening, laptop)


def test_the_newest_line_is_announced_anew(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; death 5 by 1")
    assert evening.game is not None
    for card in evening.game.cards():
        evening.done(card.id)
    change(evening, 3, "death 6 by 2")
    assert evening.game.cards()[evening.game.row.pointer].steps[0].step == 3
    amends = evening.amends()
    assert amends is not None and not amends.more and {one.do for one in amends.back} >= {"reveal", "draw"}


# Several lines are taken back


def test_everything_from_a_line_on_is_taken_back_at_once(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; death 5 by 1; turn 3; turn 4")
    for _ in range(2):
        evening.undo(3, "one", None, last=5)
    assert entered(evening) == ["turn 2"]
    assert comments(evening) == ["undone: death 5 by 1", "undone: turn 3", "undone: turn 4"]
    assert "Revealed 5" not in evening.export(TABLE)
    check_nothing_is_ahead(evening, laptop)
    assert laptop.again(evening).export(HOST) == evening.export(HOST)


def test_what_was_drawn_before_it_was_taken_back_is_put_back(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; death 2 by 3; turn 3; death 5 by 6; turn 4")
    evening.undo(6, "newest", None)
    assert evening.amends() is None
    evening.undo(3, "several", None, last=5)
    for look in (evening, laptop.again(evening)):
        amends = look.amends()
        assert amends is not None and not amends.more
        assert [(one.seat, one.n) for one in amends.back if one.do == "draw"] == [(3, 3), (6, 3)]
        assert [one.seat for one in amends.back if one.do == "reveal"] == [2, 4, 5]
        told = amends.id
    evening.done(told)
    assert evening.amends() is None and laptop.again(evening).amends() is None


def test_what_is_taken_back_before_it_was_carried_out_leaves_nothing_to_put_back(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; death 2 by 3")
    evening.undo(3, "wrong", None)
    assert evening.amends() is None


def test_what_a_change_left_to_make_good_outlives_an_undo(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "death 2 by 3; turn 3; turn 4")
    change(evening, 2, "death 2 by 6")
    evening.undo(4, "newest", None)
    amends = evening.amends()
    assert amends is not None and [one.seat for one in (*amends.back, *amends.more)] == [3, 6]


@pytest.mark.parametrize("text", ["", "3"])
def test_an_older_table_takes_back_without_a_list(laptop: Laptop, text: str) -> None:
    evening = laptop.dealt()
    enter(evening, "death 2 by 3; turn 3")
    assert evening.game is not None
    laptop.store.append(evening.game.row.id, 4, Line("undo", text, "older", None, "", 0), pointer=0)
    again = laptop.again(evening)
    assert entered(again) == ["death 2 by 3"] and again.amends() is None


@pytest.mark.parametrize(("step", "last"), [(1, 4), (0, 4), (3, 3), (3, 5), (5, 4), (-1, 4)])
def test_several_are_taken_back_only_as_they_were_seen(laptop: Laptop, step: int, last: int) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; turn 3; turn 4")
    evening.undo(step, "key", None, last=last)
    assert entered(evening) == ["turn 2", "turn 3", "turn 4"]


def test_comments_stay_with_their_lines(laptop: Laptop) -> None:
    evening = laptop.dealt()
    enter(evening, "turn 2; turn 3; turn 4")
    change(evening, 3, "turn 5")
    enter(evening, "turn 6")
    evening.undo(5, "one", None)
    change(evening, 2, "turn 7")
    assert evening.export(HOST).splitlines()[-9:] == [
        "2. turn 7", "   > TurnBegan 7", "; was: turn 2", "3. turn 5", "   > TurnBegan 5", "; was: turn 3", "4. turn 4",
        "   > TurnBegan 4", "; undone: turn 6",
    ]  # fmt: skip
    evening.undo(2, "two", None, last=4)
    assert comments(evening) == [
        "undone: turn 7", "was: turn 2", "undone: turn 5", "was: turn 3", "undone: turn 4", "undone: turn 6",
    ]  # fmt: skip


# Any game of any mode


class AnyEvening(RuleBasedStateMachine):
    """A table at which people record, take back and change at random: it is always what its lines make from scratch."""

    @initialize(mode=st.sampled_from(MODES), seed=st.integers(0, 2**32))
    def deal(self, mode: str, seed: int) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.laptop = Laptop(self.folder)
        options, deal = random_deal(find_mode(mode), Random(seed), least=3)
        chosen = dict(option.split("=") for option in options.split())
        self.evening = self.laptop.lobby(mode, len(deal.cards), 0, **chosen)
        self.laptop.deck.next.append(deal.cards)
        self.evening.deal()
        assert self.evening.game
        self.lines: list[Input] = list(self.evening.game.table.inputs)

    @property
    def table(self) -> Table:
        assert self.evening.game
        return self.evening.game.table

    def made(self, lines: list[Input]) -> Table:
        assert self.evening.game
        return play(self.evening.game.mode.ruleset, lines, self.evening.game.row.options)

    @rule(seed=st.integers(0, 2**32))
    def enter(self, seed: int) -> None:
        line = random_input(self.table, Random(seed), deadly=0.15)
        by = self.evening.game.row.seats[line.seat - 1] if isinstance(line, Use) and self.evening.game else None
        with suppress(IllegalInput):
            self.evening.record(write(line), f"{seed} {self.evening.row.version}", by, again=True)
            self.lines.append(line)

    @precondition(lambda self: len(self.lines) > 1)
    @rule(seed=st.integers(0, 2**32))
    def take_back(self, seed: int) -> None:
        step = Random(seed).randint(2, len(self.lines))
        self.evening.undo(step, f"undo {self.evening.row.version}", None, last=len(self.lines))
        del self.lines[step - 1 :]
        assert self.table.facts == self.made(self.lines).facts

    @precondition(lambda self: len(self.lines) > 1)
    @rule(seed=st.integers(0, 2**32), strikes=st.booleans())
    def change(self, seed: int, strikes: bool) -> None:
        rng = Random(seed)
        step = rng.randint(2, len(self.lines))
        assert self.evening.game
        after = [self.evening.game.read(entry) for entry in self.evening.game.log.after(step)]
        table, other = self.made(self.lines[: step - 1]), None
        if not strikes:
            other = random_input(table, rng, deadly=0.4)
            if isinstance(other, Use | Deal) or other == self.lines[step - 1] or offer(table, other):
                with pytest.raises(IllegalInput):
                    change(self.evening, step, write(other))
                return
        shown = self.evening.rehearse_change(step, write(other) if other else "")
        left_out = [number for number, line in enumerate(after, 1) if offer(table, line)]
        if shown.has_ended:
            assert [misfit.number for misfit in shown.misfits] == left_out
        change(self.evening, step, write(other) if other else "")
        self.lines = list(table.inputs)

    @rule()
    def carry_out(self) -> None:
        assert self.evening.game
        if cards := self.evening.game.cards()[self.evening.game.row.pointer :]:
            self.evening.done(cards[0].id)

    @invariant()
    def it_is_what_its_lines_make(self) -> None:
        if hasattr(self, "evening"):
            assert self.evening.game
            assert self.table.inputs == self.lines
            assert self.table.facts == self.made(self.lines).facts
            assert self.evening.game.row.pointer <= len(told_cards(self.table, self.evening.game.mode))

    def teardown(self) -> None:
        if hasattr(self, "evening"):
            amends = self.evening.amends()
            check_the_record_runs(self.evening)
            check_nothing_is_ahead(self.evening, self.laptop)
            again = self.laptop.again(self.evening)
            assert again.export(HOST) == self.evening.export(HOST)
            assert again.amends() == amends
            assert again.game and not again.game.drifted and not again.game.lost
            self.laptop.store.close()
            shutil.rmtree(self.folder)


TestAnyEvening = AnyEvening.TestCase
TestAnyEvening.settings = settings(
    max_examples=60, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_what_a_change_says_is_read_as_it_is_written() -> None:
    for change in (Change(3, 0), Change(12, 5, (1, 4))):
        assert Change.read(change.write()) == change

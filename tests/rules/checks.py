"""What must hold of any game at any moment, for the state machine and for many games at once."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from companion.modes import find_ruleset
from companion.rules import inputs as i
from companion.rules.facts import Corrected, Ended
from companion.rules.record import parse, run
from companion.rules.state import State, evolve
from companion.rules.table import Table
from tests.rules.games import again, everything, offer, whole_record


def folded(table: Table) -> State:
    """The state made of nothing but the facts."""
    state = State()
    for happened in table.facts:
        state = evolve(state, happened.fact)
    return state


def enter(table: Table, entered: i.Input) -> bool:
    """Enter it and say whether it was accepted. A refusal changes nothing, and nothing is accepted after the end."""
    before = everything(table)
    refusal = offer(table, entered)
    assert not refusal or everything(table) == before, f"a refused {i.write(entered)} changed something"
    assert refusal or not before[0].ended, "something was entered after the end"
    return refusal is None


def check_grades(table: Table) -> None:
    """A verdict grades every seat, once."""
    ended = [h.fact for h in table.facts if isinstance(h.fact, Ended)]
    assert len(ended) == table.state.ended
    if ended and ended[0].verdict:
        assert [number for number, _ in sorted(ended[0].grades)] == [s.number for s in table.state.seats]
        assert {seat.grade for seat in table.state.seats} <= {"win", "draw", "lose"}


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


def check_question(table: Table, rng: Random, leavers: Iterable[int]) -> None:
    """The open question survives what people may do meanwhile, and nobody who leaves makes it stick."""
    assert table.pending
    seat, _, choices, _ = table.pending
    numbers = [other.number for other in table.state.seats]
    living = [other.number for other in table.state.living]
    for refused in (
        i.Turn(rng.choice(living)),
        i.Death(rng.choice(living), rng.choice(living)),
        i.Use(rng.choice(living), "charge", (rng.choice(living),)),
        i.Answer(rng.choice([number for number in numbers if number != seat]), rng.choice(choices)),
        i.Answer(seat, "perhaps"),
    ):
        assert not enter(table, refused), f"{i.write(refused)} was accepted while a question was open"
    taken_back = again(table, table.inputs[:-1])
    assert taken_back.pending != table.pending or isinstance(table.inputs[-1], i.Leave | i.Correct)
    taken_back.feed(table.inputs[-1])
    assert everything(taken_back) == everything(table), "taken back and entered again, it is another game"
    _check_correcting(table, rng.choice(living))
    for leaver in leavers:
        _check_leaving(table, rng, leaver)


def _check_correcting(table: Table, number: int) -> None:
    """A correction changes its count, where that is kept, and leads to nothing else."""
    corrected = again(table)
    if enter(corrected, i.Correct(number, "max_hp", i.MOST)):
        assert [h.fact for h in corrected.facts[len(table.facts) :]] == [Corrected(number, "max_hp", i.MOST)]
    assert corrected.pending == table.pending, "a correction ended the question"


def _check_leaving(table: Table, rng: Random, leaver: int) -> None:
    """The question is settled, goes on or passes on, and its answers lead on."""
    left = again(table)
    assert enter(left, i.Leave(leaver)), f"seat {leaver} could not leave"
    for _ in range(3 * len(table.state.seats)):
        if not left.pending:
            break
        assert left.seat(left.pending.seat).alive or left.pending.ask == "successor", "somebody who is gone is asked"
        left.feed(i.Answer(left.pending.seat, rng.choice(left.pending.choices)))
    assert not left.pending, "the questions never end"
    assert left.state.ended or enter(left, i.Turn(left.state.living[0].number)), "the game does not go on"

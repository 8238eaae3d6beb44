"""`python -m tests.rules.many`: very many random legal games of each mode, every one run to its end or a legal stop.

Prints for each mode by which clause how many games ended, how many the host stopped, and how much was entered. A fault
is printed with the record that brings it about, and makes the exit status 1.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from random import Random

import click

from companion.modes import MODES, Mode, find_mode
from companion.rules import inputs as i
from companion.rules.record import VERSION
from companion.rules.ruleset import write_options
from companion.rules.table import Table
from tests.rules.checks import check_grades, check_question, check_record, enter, folded
from tests.rules.deals import random_deal
from tests.rules.games import random_input

LONGEST = 250
"""Inputs that are tried in one game before its host ends it."""
MOST_FAULTS = 5
"""After so many the run stops: the rest would be more of the same."""


@dataclass
class Tally:
    """What came of the games of one mode."""

    endings: Counter[str] = field(default_factory=Counter)
    entered: int = 0
    refused: int = 0
    questions: int = 0
    faults: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        games = sum(self.endings.values())
        ended = ", ".join(f"{clause} {count}" for clause, count in sorted(self.endings.items()) if clause)
        return (
            f"{games} games: {ended}; stopped {self.endings['']}; {self.entered} inputs, {self.refused} refused, "
            f"{self.questions} questions; {self.seconds:.0f} s; {self.faults} faults"
        )


class Game:
    """One random game, checked at every step. `inputs`: the accepted ones and the one that is being entered."""

    def __init__(self, mode: Mode, rng: Random, tally: Tally) -> None:
        self.rng, self.tally = rng, tally
        options, self.deal = random_deal(mode, rng)
        self.table = Table(mode.ruleset, options)
        self.inputs: list[i.Input] = []

    def play(self) -> None:
        """To a verdict, or to where the host ends it."""
        self._enter(self.deal)
        deadly = self.rng.choice((0.05, 0.15, 0.3))
        for _ in range(LONGEST):
            if self.table.state.ended:
                break
            if self.table.pending:
                self.tally.questions += 1
                check_question(self.table, self.rng, [self.rng.choice(self.table.state.living).number])
            self._enter(random_input(self.table, self.rng, deadly))
        else:
            self._enter(i.End())
        assert self.table.state.ended, "the host could not end it"
        check_grades(self.table)
        check_record(self.table)
        assert self.table.state == folded(self.table)
        self.tally.endings[self.table.state.verdict or ""] += 1

    def _enter(self, entered: i.Input) -> None:
        self.inputs.append(entered)
        accepted = enter(self.table, entered)
        self.tally.entered += accepted
        self.tally.refused += not accepted
        if not accepted:
            self.inputs.pop()

    @property
    def record(self) -> str:
        """The inputs and no more: what follows from them is not to be trusted."""
        head = {"Companion": VERSION, "Mode": self.table.ruleset.id, "Options": write_options(self.table.options)}
        tags = [f'[{name} "{value}"]' for name, value in head.items() if value]
        return "\n".join([*tags, "", *(f"{n}. {i.write(entered)}" for n, entered in enumerate(self.inputs, 1))])


def run(mode: str, games: int, seed: int) -> Tally:
    """So many games of the mode; each has a number of its own, so that fewer games are the first of more."""
    tally, begun = Tally(), time.perf_counter()
    for number in range(games):
        game = Game(find_mode(mode), Random(f"{mode} {seed} {number}"), tally)
        try:
            game.play()
        except Exception:
            tally.faults += 1
            print(f"game {number} of {mode} with seed {seed}:\n{traceback.format_exc()}\n{game.record}\n", flush=True)
            if tally.faults == MOST_FAULTS:
                break
    tally.seconds = time.perf_counter() - begun
    return tally


@click.command(help=__doc__)
@click.option("--games", default=10_000, show_default=True, help="So many of each mode.")
@click.option("--mode", "modes", multiple=True, type=click.Choice(MODES), help="This mode only; may be given again.")
@click.option("--seed", default=1, show_default=True, help="Other games.")
def main(games: int, modes: tuple[str, ...], seed: int) -> None:
    faults = 0
    for mode in modes or MODES:
        tally = run(mode, games, seed)
        print(f"{mode}: {tally}", flush=True)
        faults += tally.faults
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()

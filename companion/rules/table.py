"""The engine: a list of inputs is played, and what comes of it is what one knows.

Rules are generators. The engine records each fact that a rule yields, evolves the state, settles everything that the
fact triggers (depth first, in the ruleset's order), and only then resumes the rule. A question stops the run until the
answer is entered. Nothing is kept but inputs and what follows from them.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import NamedTuple

from companion.rules.common import INPUTS
from companion.rules.facts import Answered, Asked, Ended, Fact, Happened
from companion.rules.goals import verdict
from companion.rules.inputs import Answer, Correct, Deal, End, IllegalInput, Input, Leave, refuse
from companion.rules.ruleset import VERDICT, Ask, Cited, Moment, Options, Rule, Ruleset, Settled, Steps, Tier, Together
from companion.rules.state import Seat, State, evolve

_Run = Generator["Pending", str | None, None]


class Pending(NamedTuple):
    """The question that waits for its answer, and the clause that asks it. It is the same for every viewer."""

    seat: int
    ask: str
    choices: tuple[str, ...]
    clause: str


class _GameOver(Exception):
    """The verdict is reached: nothing further of the settlement happens (X5)."""


class Table:
    """One running game. Feed it inputs; read `facts`, `state` and `pending`.

    After any exception other than IllegalInput from `feed` the table is no longer to be trusted: play the inputs again.
    """

    def __init__(self, ruleset: Ruleset, options: str = "") -> None:
        self.ruleset = ruleset
        self.options: Options = ruleset.read_options(options)
        self.facts: list[Happened] = []
        self.inputs: list[Input] = []
        self.state = State()
        self.pending: Pending | None = None
        self._step = 0
        self._suspended: list[_Run] = []
        self._judged: tuple[Seat, ...] | None = None

    def has(self, option: str) -> bool:
        """Whether an on/off option is on; off where the mode lacks it."""
        return self.options.get(option) == "on"

    def seat(self, number: int) -> Seat:
        """The seat as it is now. Refuses a number that nobody has."""
        if not 0 < number <= len(self.state.seats):
            refuse("no_seat", seat_number=number, most=len(self.state.seats))
        return self.state.seat(number)

    def feed(self, entered: Input) -> None:
        """Enter one input and settle all that follows. Raises IllegalInput, and then nothing of it was applied."""
        self._step = len(self.inputs) + 1
        try:
            self._admit(entered)
            if isinstance(entered, Answer):
                self._resume(self._checked(entered))
            else:
                handler = self.ruleset.inputs.get(type(entered)) or INPUTS.get(type(entered))
                if handler is None:
                    refuse("not_in_mode", "X18", verb=type(entered).__name__.lower())
                self._start(handler(self, entered))
        except IllegalInput as refusal:
            refusal.step = self._step
            raise
        self.inputs.append(entered)

    def _admit(self, entered: Input) -> None:
        if self.state.ended:
            refuse("over", "X5")
        if bool(self.inputs) == isinstance(entered, Deal):
            refuse("dealt_twice" if self.inputs else "not_dealt", "X8")
        if self.pending and not isinstance(entered, Answer | Correct | Leave | End):
            refuse("question_open", "X14", seat=self.pending.seat)
        if not self.pending and isinstance(entered, Answer):
            refuse("no_question", "X14")

    def _checked(self, answer: Answer) -> str:
        assert self.pending is not None
        if answer.seat != self.pending.seat:
            refuse("other_asked", "X14", seat=self.pending.seat)
        if answer.choice not in self.pending.choices:
            refuse("not_a_choice", self.pending.clause, choices=", ".join(self.pending.choices))
        return answer.choice

    def _start(self, steps: Steps) -> None:
        run = self._settle(steps)
        try:
            self._keep(run, next(run, None))
        except _GameOver:
            self._close()
            return
        if self._suspended and self._suspended[-1] is not run:
            self._resume(None)

    def _resume(self, answer: str | None) -> None:
        """Give the waiting question its answer, or None to make its rule look again; then the ones below it."""
        try:
            while self._suspended:
                run = self._suspended.pop()
                asked, self.pending = self.pending, None
                if answer is not None and asked:
                    self._record(Answered(asked.seat, answer), asked.clause)
                try:
                    again = run.send(answer)
                except StopIteration:
                    answer = None
                    continue
                self._keep(run, again, asked if answer is None else None)
                return
        except _GameOver:
            self._close()

    def _keep(self, run: _Run, question: Pending | None, asked: Pending | None = None) -> None:
        if question is None:
            return
        self._suspended.append(run)
        self.pending = question
        if question != asked:
            self._record(Asked(question.seat, question.ask, question.choices), question.clause)

    def _close(self) -> None:
        self._suspended.clear()
        self.pending = None

    def _settle(self, steps: Steps) -> _Run:
        """The steps and all that they lead to. While a question waits, not everything is settled yet (X13)."""
        yield from self._resolve(steps, "")
        if not self._suspended:
            yield from self._triggers(self.ruleset.order.get(Settled, ()), None)

    def _resolve(self, steps: Steps, clause: str) -> _Run:
        order = self.ruleset.order
        answer: str | None = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration:
                return
            answer = None
            if isinstance(step, Ask):
                answer = yield Pending(*step, clause)
                continue
            if isinstance(step, Moment):
                yield from self._triggers(order.get(type(step), ()), None)
                continue
            if isinstance(step, Together):
                yield from self._settle_together(step.facts, clause)
                continue
            fact, cause = (step.fact, step.clause) if isinstance(step, Cited) else (step, clause)
            self._record(fact, cause)
            if tiers := order.get(type(fact)):
                yield from self._triggers(tiers, fact)

    def _record(self, fact: Fact, clause: str) -> None:
        self.facts.append(Happened(self._step, clause, fact))
        self.state = evolve(self.state, fact)
        if self.state.ended:
            raise _GameOver

    def _settle_together(self, facts: tuple[Fact, ...], clause: str) -> _Run:
        tiers = self.ruleset.order.get(type(facts[0]), ())
        judged = tiers.index((VERDICT,))
        for fact in facts:
            self._record(fact, clause)
        for fact in facts:
            yield from self._triggers(tiers[:judged], fact)
        self._judge()
        for fact in facts:
            yield from self._triggers(tiers[judged + 1 :], fact)

    def _triggers(self, tiers: Iterable[Tier], fact: Fact | None) -> _Run:
        for clauses in tiers:
            if clauses == (VERDICT,):
                self._judge()
                continue
            for fired, me in self._eligible(clauses, fact):
                steps = fired.run(self, fact) if me is None else fired.run(self, me, fact)
                yield from self._resolve(steps, fired.clause)

    def _eligible(self, clauses: Tier, fact: Fact | None) -> Iterator[tuple[Rule, int | None]]:
        """Rules of one tier that fire, with the holder's seat; each is looked at only when its moment has come."""
        held = []
        for clause in clauses:
            candidate = self.ruleset.rules[clause]
            if candidate.holder is not None:
                held.append(candidate)
            elif candidate.when(self, fact):
                yield candidate, None
        for number in self.state.numbers_in_order() if held else ():
            for candidate in held:
                if candidate.holder and candidate.holder(self, self.state.seat(number)) and candidate.when(self, fact):
                    yield candidate, number

    def _judge(self) -> None:
        if self.state.seats is self._judged:
            return
        self._judged = self.state.seats
        if ending := verdict(self.ruleset.endings, self.state):
            fixed = {seat.number: seat.grade for seat in self.state.seats if seat.grade}
            self._record(Ended(ending.clause, tuple((ending.grades(self.state) | fixed).items())), ending.clause)


def play(ruleset: Ruleset, inputs: Iterable[Input], options: str = "") -> Table:
    """The game that these inputs make. Raises IllegalInput (with its step) for the first that the rules refuse."""
    table = Table(ruleset, options)
    for entered in inputs:
        table.feed(entered)
    return table

"""Games to test with, for whatever mode there is, with inputs as people (some of them careless) enter them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from random import Random

from companion.modes import Mode, find_mode
from companion.modes.sixteen_skills import SKILLS
from companion.rules import inputs as i
from companion.rules.common import INPUTS
from companion.rules.facts import HOST, NOBODY, Happened
from companion.rules.inputs import IllegalInput
from companion.rules.record import format_game
from companion.rules.state import State
from companion.rules.table import Pending, Table
from tests.rules.deals import random_deal


def lines(text: str) -> list[str]:
    """The inputs of a text, one a line, or several parted by `;`."""
    return [line.strip() for line in text.replace(";", "\n").splitlines() if line.strip()]


def played(mode: str, text: str, options: str = "") -> Table:
    """The table after these inputs; raises IllegalInput for the first that is refused."""
    ruleset = find_mode(mode).ruleset
    table = Table(ruleset, options)
    for line in lines(text):
        table.feed(ruleset.read(line))
    return table


def again(table: Table, inputs: Iterable[i.Input] | None = None) -> Table:
    """A second table with the same inputs (or with these), played from the beginning."""
    copy = Table(table.ruleset, " ".join(f"{name}={value}" for name, value in table.options.items()))
    for entered in table.inputs if inputs is None else inputs:
        copy.feed(entered)
    return copy


def everything(table: Table) -> tuple[State, list[Happened], list[i.Input], Pending | None]:
    """All that a refused input must leave as it was."""
    return table.state, list(table.facts), list(table.inputs), table.pending


def caused(table: Table, clause: str, step: int | None = None) -> list[str]:
    """What the clause caused, at one step or ever."""
    facts = (h for h in table.facts if h.clause == clause and step in (None, h.step))
    return [str(h).removesuffix(f" [{clause}]") for h in facts]


def whole_record(table: Table) -> str:
    """The full record, for messages."""
    return format_game(table, HOST, {}, {}, {})


class _Hand:
    """Seats and numbers at random, as somebody would pick them who sees only what is public."""

    def __init__(self, table: Table, rng: Random, spared: Collection[int]) -> None:
        self.table, self.rng, self.spared = table, rng, spared

    def living(self) -> int:
        return self.rng.choice([seat.number for seat in self.table.state.living] or [1])

    def victim(self) -> int:
        living = [seat.number for seat in self.table.state.living]
        return self.rng.choice([number for number in living if number not in self.spared] or living or [1])

    def dying(self) -> int:
        return self.rng.choice([seat.number for seat in self.table.state.living if seat.is_dying] or [self.living()])

    def anybody(self) -> int:
        return self.rng.randint(1, len(self.table.state.seats) + 1)

    def killer(self) -> int:
        return self.rng.choice((NOBODY, self.living(), self.living(), self.living(), self.anybody()))

    def several(self) -> tuple[int, ...]:
        return tuple(self.living() for _ in range(self.rng.randint(0, 2)))

    def few(self) -> int:
        return self.rng.randint(1, 3)

    def toucher(self) -> int:
        """Whoever can mark others, mostly."""
        turbans = [seat.number for seat in self.table.state.living if seat.role == "yellow_turban"]
        return self.rng.choice(turbans) if turbans and self.rng.random() < 0.7 else self.killer()

    def touched(self) -> int:
        """One of few, so that marks gather."""
        middle = len(self.table.state.seats) // 2
        return middle if self.table.state.seat(middle).alive and self.rng.random() < 0.5 else self.living()

    def use(self) -> i.Use:
        """Mostly a skill that the seat has, on as many others as it takes."""
        number = self.living()
        own = [word for word, skill in SKILLS.items() if skill.role == self.table.state.seat(number).role]
        word = self.rng.choice(own if own and self.rng.random() < 0.9 else list(SKILLS))
        others = [seat.number for seat in self.table.state.living if seat.number != number]
        return i.Use(number, word, tuple(self.rng.sample(others, min(len(others), SKILLS[word].most, self.few()))))


_Maker = Callable[[_Hand], i.Input]

_QUIET: tuple[tuple[int, type, _Maker], ...] = (
    (8, i.Turn, lambda h: i.Turn(h.living())),
    (4, i.Damage, lambda h: i.Damage(h.touched(), h.few(), h.toucher())),
    (3, i.Heal, lambda h: i.Heal(h.touched(), h.few(), h.toucher())),
    (1, i.Lose, lambda h: i.Lose(h.living(), h.few())),
    (2, i.Dying, lambda h: i.Dying(h.living(), h.killer())),
    (3, i.Save, lambda h: i.Save(h.dying(), 1, h.several())),
    (1, i.Save, lambda h: i.Save(h.dying(), h.few(), h.several())),
    (1, i.Hp, lambda h: i.Hp(h.living(), h.few() + 2)),
    (9, i.Touch, lambda h: i.Touch(h.touched(), h.toucher())),
    (4, i.Use, _Hand.use),
    (2, i.Provinces, lambda h: i.Provinces(h.living(), h.rng.randint(0, 4), False)),
    (2, i.Provinces, lambda h: i.Provinces(h.living(), h.rng.choice((-2, -1, 1)), True)),
    (2, i.Limit, lambda h: i.Limit(h.living(), h.rng.choice((-1, 1)))),
    (1, i.Correct, lambda h: i.Correct(h.living(), h.rng.choice(("hp", "max_hp", "provinces", "limit")), h.few())),
)
_DEADLY: tuple[tuple[int, type, _Maker], ...] = (
    (8, i.Death, lambda h: i.Death(h.victim(), h.killer())),
    (1, i.Death, lambda h: i.Death(h.dying())),
    (3, i.Deaths, lambda h: i.Deaths((i.Blow(h.victim(), h.killer()), i.Blow(h.victim(), h.killer())))),
    (1, i.Leave, lambda h: i.Leave(h.victim())),
)
_ODD: tuple[tuple[int, type, _Maker], ...] = (
    (3, i.Turn, lambda h: i.Turn(h.anybody())),
    (2, i.Death, lambda h: i.Death(h.anybody())),
    (1, i.Save, lambda h: i.Save(h.anybody(), 9)),
    (1, i.Answer, lambda h: i.Answer(h.anybody(), h.rng.choice(("yes", "no", "1", "maybe")))),
    (1, i.Deal, lambda h: i.Deal((i.Card("lord"), i.Card("rebel")))),
    (1, i.Correct, lambda h: i.Correct(h.anybody(), h.rng.choice(("hp", "luck")), h.few())),
    (1, i.Hp, lambda h: i.Hp(h.anybody(), h.few())),
    (1, i.Leave, lambda h: i.Leave(99)),
)


def random_input(table: Table, rng: Random, deadly: float = 0.3, spared: Collection[int] = ()) -> i.Input:
    """An input that people might enter now; mostly a legal one. `deadly`: how often it kills; `spared` live longest."""
    hand = _Hand(table, rng, spared)
    if table.pending and rng.random() < 0.75:
        return i.Answer(table.pending.seat, rng.choice(table.pending.choices))
    chance = rng.random()
    makers = _ODD if chance < 0.08 else _DEADLY if chance < 0.08 + deadly else _QUIET
    known = [row for row in makers if makers is _ODD or row[1] in INPUTS or row[1] in table.ruleset.inputs]
    if not table.has("hp"):
        known = [row for row in known if row[1] not in (i.Damage, i.Heal, i.Lose, i.Hp) or rng.random() < 0.05]
    return rng.choices([maker for _, _, maker in known], [weight for weight, _, _ in known])[0](hand)


def random_game(mode: Mode, rng: Random, least: int = 2, most: int = 60) -> Table:
    """A legal game with at most so many inputs, ended or not."""
    options, deal = random_deal(mode, rng, least)
    table = Table(mode.ruleset, options)
    table.feed(deal)
    for _ in range(most):
        if table.state.ended:
            break
        offer(table, random_input(table, rng))
    return table


def offer(table: Table, entered: i.Input) -> IllegalInput | None:
    """Enter it; gives the refusal where there is one."""
    try:
        table.feed(entered)
    except IllegalInput as refusal:
        return refusal
    return None

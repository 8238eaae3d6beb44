"""A changed line is played through: for real once it is confirmed, and before that as far as everybody can tell.

Whoever is about to change a line may be a player. So what is shown beforehand is made of what is public now and of
nothing else: which cards were turned since, what was carried out and answered, and which later lines cannot stand by
what everybody saw (`expected_misfits`). What the changed line itself would turn up (a card, a trigger, a verdict) is
shown to nobody before it counts: rehearsed in silence it would be an oracle, as one could try every killer and every
victim. Confirmed, it is an ordinary record: all see it at once, and all see that the host has changed a line. The same
holds for refusals: the changed line itself is refused beforehand as the recorder would refuse it, which says nothing
that is hidden; the true refusals of later lines depend on what it turns up, and come with it. Once the game has ended
all cards lie open, and the true list is shown beforehand too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from companion.rules import inputs as i
from companion.rules.facts import Answered, DeathAverted, Departed, Died, DyingBegan, Happened, Revealed, Saved
from companion.rules.inputs import IllegalInput, Input
from companion.rules.ruleset import Ruleset
from companion.rules.table import Table, play
from companion.rules.views import Announcement
from companion.tables.running import CardToDo


@dataclass(frozen=True)
class Misfit:
    """A line that cannot stand any more: which one of the lines after the changed one (from 1), and why."""

    number: int
    entered: Input
    refusal: IllegalInput


def replay(
    ruleset: Ruleset, options: str, before: Iterable[Input], after: Iterable[Input]
) -> tuple[Table, list[Misfit]]:
    """The game of the lines `before`, and of those `after` them that are allowed; the others are left out.

    Raises IllegalInput where one `before` is refused.
    """
    table, misfits = play(ruleset, before, options), []
    for number, entered in enumerate(after, 1):
        try:
            table.feed(entered)
        except IllegalInput as refusal:
            misfits.append(Misfit(number, entered, refusal))
    return table, misfits


# What everybody can tell beforehand


@dataclass(frozen=True)
class TakenBack:
    """What the table has seen and done since a step, and may have to put back.

    `turned`: whose cards were turned. `done`: the announcements that were carried out, turned cards apart. `answers`:
    what was answered.
    """

    turned: tuple[int, ...]
    done: tuple[Announcement, ...]
    answers: tuple[Answered, ...]


def taken_back(told: Sequence[Happened], done: Sequence[CardToDo], step: int) -> TakenBack:
    """What has been done from the step on. `told`: the facts told to everybody; `done`: the cards carried out."""
    since = [happened.fact for happened in told if happened.step >= step]
    steps = (one for card in done for one in card.steps)
    return TakenBack(
        tuple(fact.seat for fact in since if isinstance(fact, Revealed)),
        tuple(one for one in steps if one.step >= step and one.do != "reveal"),
        tuple(fact for fact in since if isinstance(fact, Answered)),
    )


def expected_misfits(
    told: Sequence[Happened],
    step: int,
    changed: Input | None,
    after: Iterable[tuple[int | None, Input]],
    *,
    counts_hp: bool,
) -> list[Misfit]:
    """Which lines cannot stand after the line of `step` is `changed` (None: taken out), as far as everybody can tell.

    `told`: the facts told to everybody. `after`: the lines behind, each with the step at which it stands now (None: it
    does not). A death is taken for one, whatever it may set off; where hit points are counted, nobody's 濒死 is
    foretold.
    """
    seen, misfits = _Seen(), list[Misfit]()
    seen.follow(happened for happened in told if happened.step < step)
    if changed:
        seen.presume(changed)
    for number, (place, entered) in enumerate(after, 1):
        if refusal := seen.refusal(entered, counts_hp):
            misfits.append(Misfit(number, entered, refusal))
        elif place is None:
            seen.presume(entered)
        else:
            seen.follow(happened for happened in told if happened.step == place)
    return misfits


@dataclass
class _Seen:
    """Who is out and who is dying, as everybody sees it."""

    out: set[int] = field(default_factory=set)
    dying: set[int] = field(default_factory=set)

    def follow(self, told: Iterable[Happened]) -> None:
        for _, _, fact in told:
            match fact:
                case Died(seat) | Departed(seat):
                    self.out.add(seat)
                case DyingBegan(seat):
                    self.dying.add(seat)
                case Saved(seat) | DeathAverted(seat):
                    self.dying.discard(seat)

    def presume(self, entered: Input) -> None:
        match entered:
            case i.Death(seat) | i.Leave(seat):
                self.out.add(seat)
            case i.Deaths(blows):
                self.out.update(blow.seat for blow in blows)
            case i.Dying(seat):
                self.dying.add(seat)
            case i.Save(seat):
                self.dying.discard(seat)

    def refusal(self, entered: Input, counts_hp: bool) -> IllegalInput | None:
        for seat in _who_must_live(entered):
            if seat in self.out:
                return IllegalInput("dead", "X3", {"seat": seat})
        if counts_hp:
            return None
        match entered:
            case i.Save(seat) if seat not in self.dying:
                return IllegalInput("not_dying", "X3", {"seat": seat})
            case i.Death(seat, None) if seat not in self.dying:
                return IllegalInput("no_killer", "X2", {"seat": seat})
            case i.Dying(seat) if seat in self.dying:
                return IllegalInput("already_dying", "X3", {"seat": seat})
        return None


def _who_must_live(entered: Input) -> Iterator[int]:
    match entered:
        case i.Deal() | i.End() | i.Answer():
            return
        case i.Deaths(blows):
            yield from (blow.seat for blow in blows)
        case i.Touch(seat, by):
            yield from (seat, by)
        case _:
            yield entered.seat


# What is to be made good afterwards


def carried_out(before: Sequence[CardToDo], done: int, now: Sequence[CardToDo], *, has_last: bool) -> int:
    """How many announcements count as carried out after a change, when `done` of those `before` it were.

    What waited to be carried out waits on, and what the changed line says now is announced where nothing came after
    it. `has_last`: the game's last line is the one that it was.
    """
    if not has_last:
        alike = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(before, now, strict=False)))
        return min(done, alike)
    last = max((card.step for card in now), default=0)
    of_last = sum(card.step == last for card in now)
    return len(now) - min(len(before) - done, of_last)


def difference(before: Sequence[CardToDo], now: Sequence[CardToDo]) -> tuple[Announcement, ...]:
    """What was announced before and is not now."""
    left = Counter(replace(told, step=0) for card in now for told in card.steps)
    missing = []
    for told in (told for card in before for told in card.steps):
        known = replace(told, step=0)
        if left[known]:
            left[known] -= 1
        else:
            missing.append(told)
    return tuple(missing)

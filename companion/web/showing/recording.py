"""What a running game's screens offer to be recorded: of anybody, of whoever is dying, at the end of a turn.

All of it follows from the mode, its options and what everybody may know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.rules import inputs as i
from companion.rules.facts import NOBODY, Instructed, TurnBegan
from companion.rules.state import Seat
from companion.rules.views import View
from companion.tables import Running
from companion.web.markup import PageWords
from companion.web.screens import parts as p

VERBS = {
    verb.id: verb
    for verb in (
        p.Verb("death", by=True),
        p.Verb("dying", by=True, when="alive"),
        p.Verb("saved", when="dying"),
        p.Verb("damage", by=True, amounts=(1, 2, 3, 4, 5)),
        p.Verb("heal", by=True, amounts=(1, 2, 3)),
        p.Verb("lose", amounts=(1, 2, 3)),
        p.Verb("hp", amounts=(2, 3, 4, 5, 6, 7, 8), when="alive"),
        p.Verb("provinces", amounts=(-2, -1, 1, 2), signed=True),
        p.Verb("limit", amounts=(-1, 1), signed=True),
        p.Verb("turn", when="alive"),
        p.Verb("leave"),
    )
}
"""How each event is recorded of a person. Which of them a mode has is said by its data."""
MOST_RESCUERS = 5
"""So many of those who saved one person can be named."""
HP_VERBS = ("damage", "heal", "lose", "saved", "hp")
"""What is recorded besides where hit points are counted."""


class Recording:
    """What can be recorded of one game, as the viewer of `view` may know it, in the language of `words`."""

    def __init__(self, game: Running, view: View, words: PageWords, names: Mapping[int, str]) -> None:
        self._game = game
        self._view = view
        self._words = words
        self._names = names

    def _named(self, seat: int) -> p.Named:
        return p.Named(seat, self._names[seat])

    @property
    def _healing_tells(self) -> bool:
        """Whether this mode's rules read who damaged and healed whom."""
        return i.Touch in self._game.mode.ruleset.inputs

    @property
    def rescuers(self) -> int:
        """How many of those who saved one person can be named: none where nothing comes of it."""
        return MOST_RESCUERS if self._healing_tells and self._game.table.has("hp") else 0

    def touch(self) -> p.Touch | None:
        """Asked at the end of every turn where damage and healing matter and hit points are not counted."""
        state, inputs = self._view.state, self._game.table.inputs
        if not self._healing_tells or self._game.table.has("hp") or not state.turn:
            return None
        begun = max(step for step, entered in enumerate(inputs, 1) if isinstance(entered, i.Turn))
        done = [entered for entered in inputs[begun:] if isinstance(entered, i.Touch)]
        living = [seat.number for seat in state.in_order() if seat.alive]
        by = state.turn if state.turn in living else living[0]
        return p.Touch(
            begun,
            self._named(by),
            tuple(map(self._named, living)),
            tuple((self._named(one.by), self._named(one.seat)) for one in done),
        )

    def recorder(self) -> p.Recorder:
        if self._view.pending:
            return p.Recorder((self._verb("leave"),))
        state, verbs = self._view.state, [*self._game.mode.records]
        if self._game.table.has("hp"):
            verbs[1:1] = [verb for verb in HP_VERBS if verb not in verbs]
        if not self._game.table.has("hp") or state.turn is not None:
            verbs = [verb for verb in verbs if verb != "hp"]
        if not self._game.table.has("provinces"):
            verbs = [verb for verb in verbs if verb != "provinces"]
        several = tuple(self._named(seat.number) for seat in state.living) if "deaths" in verbs else ()
        follows = self._next()
        offered = tuple(self._verb(verb) for verb in verbs if verb in VERBS)
        return p.Recorder(offered, self._named(follows) if follows else None, bool(state.extra_turns), several)

    def _verb(self, verb: str) -> p.Verb:
        label, ask = self._words.verb(verb)
        if verb != "saved":
            return replace(VERBS[verb], label=label, ask=ask)
        living = self._view.state.living
        ask = self._words.rescue(counter(living[0]))[1]
        most = max((seat.limit or 0 for seat in living if seat.is_dying and seat.provinces is not None), default=0)
        return replace(VERBS[verb], amounts=tuple(range(1, most + 1)), rescuers=self.rescuers, label=label, ask=ask)

    def dying(self) -> tuple[p.Dying, ...]:
        """Whoever is dying, and how that ends."""
        return tuple(self._dying(seat) for seat in self._view.state.in_order() if seat.is_dying)

    def _dying(self, seat: Seat) -> p.Dying:
        who, death, saved = seat.number, self._words.verb("death")[0], self._words.verb("saved")[0]
        rescues = [p.Choice(f"saved {who}", saved)]
        if seat.provinces is not None:
            counts = range(1, (seat.limit or 0) + 1)
            rescues = [p.Choice(f"saved {who} {count}", self._words.back_to(count)) for count in counts]
        return p.Dying(
            who=self._named(who),
            title=self._words.entry(i.Dying(who, NOBODY)),
            ask=self._words.rescue(counter(seat))[0],
            rescues=tuple(rescues),
            death=p.Choice(f"death {who}", death),
            rescuers=self.rescuers,
        )

    def _next(self) -> int | None:
        """Whose turn follows: an extra turn that is owed, or the next living seat in the order of play.

        After an extra turn play goes on from where it was (X15).
        """
        state = self._view.state
        if state.extra_turns:
            return state.extra_turns[0]
        last = self._last_turn()
        start = state.order.index(last) + 1 if last else 0
        waiting = state.order[start:] + state.order[:start]
        return next((number for number in waiting if state.seat(number).alive), None)

    def _last_turn(self) -> int | None:
        """The seat that had the last turn which was not an extra one."""
        last, owed = None, set[int]()
        for happened in self._view.facts:
            match happened.fact:
                case Instructed(int(seat), "extra_turn"):
                    owed.add(seat)
                case TurnBegan(seat):
                    last = last if seat in owed else seat
                    owed.clear()
        return last


def counter(seat: Seat) -> str:
    """The counter of the mode's own by which somebody dies and is saved, "" where it has none."""
    return next((what for what in ("provinces", "limit") if getattr(seat, what) is not None), "")

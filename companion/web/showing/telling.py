"""Tells one visitor of one game: the ring, the log, what is announced, asked and recorded, the own card, the end.

The game is read through a view alone, as its viewer may know it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from math import ceil
from typing import Literal, cast

from companion import storage
from companion.modes.loader import SetupStep
from companion.rules import inputs as i
from companion.rules.facts import Died
from companion.rules.goals import DRAW, WIN, won_alone
from companion.rules.state import Modifier, Seat, State, evolve
from companion.rules.views import Announcement, View, announcement
from companion.tables import SHIELD_SECONDS, CardToDo, Evening, Running, SeatEvent, cards_of
from companion.tables.log import Note
from companion.web.access import text_key
from companion.web.markup import words_for
from companion.web.once import kept
from companion.web.screens import parts as p
from companion.web.showing.own import news, skills
from companion.web.showing.recording import Recording

LOG_LINES = 30
"""Lines of the log on a screen of a running game; the end shows all."""

COUNTERS = ("hp", "max_hp", "provinces", "limit")
"""What can be corrected, where it is counted."""


class Teller:
    """Tells one visitor of one game, in the page's language. Made while the evening's lock is held."""

    def __init__(self, evening: Evening, game: Running, viewer: int) -> None:
        self.evening = evening
        self.game = game
        self.mode = game.mode
        self.view: View = game.view(viewer)
        self.names = evening.names()
        self.key = text_key()
        self.words = words_for(self.mode, self.names)
        self.recording = Recording(game, self.view, self.words, self.names)

    def named(self, seat: int) -> p.Named:
        return p.Named(seat, self.names[seat])

    def someone(self, seat: int | None) -> p.Named | None:
        return self.named(seat) if seat else None

    def ring(self, announced: State) -> p.Ring:
        """The people in order of play. Identities and counts are shown as far as they have been `announced`."""
        acting = self.mode.acting_lord(announced)
        spots = [self._spot(announced.seat(number), acting) for number in self.view.state.order]
        return p.Ring(tuple(spots), self.mode.clockwise)

    def announced(self, cards: Sequence[CardToDo]) -> State:
        """The state that these announcements, the first of the game, have led to: what is to come waits its turn."""
        state, left = State(), sum(len(card.steps) for card in cards)
        for happened in self.view.facts:
            if announcement(happened):
                left -= 1
                if left < 0:
                    continue
            state = evolve(state, happened.fact)
        return state

    def fate(self, seat: Seat) -> str:
        """How somebody fares who is not simply alive, in a word."""
        left = any(
            isinstance(one.fact, Died) and one.fact.seat == seat.number and one.fact.left for one in self.view.facts
        )
        return self.words.condition("departed" if left else condition(seat))

    def _spot(self, seat: Seat, acting: int | None) -> p.Spot:
        now = self.view.seat(seat.number)
        return p.Spot(
            name=self.names[seat.number],
            seat=seat.number,
            condition=condition(now),
            state=self.fate(now),
            identity=self.words.shown(seat.identity) if seat.public and seat.identity else None,
            turn=self.view.state.turn == seat.number and not self.view.state.ended,
            hp=seat.hp,
            max_hp=seat.max_hp,
            provinces=seat.provinces,
            limit=seat.limit,
            tags=tuple(self._tags(seat, acting)),
            hero=self.game.notes.heroes.get(seat.number, ""),
        )

    def _tags(self, seat: Seat, acting: int | None) -> Iterator[str]:
        if seat.number == acting and seat.role != self.mode.seat_1:
            yield self.words.acting_lord
        if seat.number in self.view.state.extra_turns:
            yield self.words.choice("extra_turn")
        if seat.departed and seat.grade:
            yield self.words.grade(seat.grade)
        if seat.trophies:
            yield self.words.trophies(self.view.seat(victim).role or "" for victim in seat.trophies)

    def steps(self, told: Iterable[Announcement]) -> tuple[p.Step, ...]:
        """What is told of one person after the other; neighbours of whom the same is told stand together."""
        found: list[p.Step] = []
        for number, all_of_one in groupby(told, lambda one: one.seat):
            texts, who = tuple(map(self.words.does, all_of_one)), self.someone(number)
            if who and found and found[-1].who and found[-1].texts == texts:
                found[-1] = p.Step(texts, (*found[-1].who, who))
            else:
                found.append(p.Step(texts, (who,) if who else ()))
        return tuple(found)

    def announcement(self, card: CardToDo, last: str = "") -> p.Announcement:
        """The card in words. `last`: the id of the last card of setting up, where more of them follow."""
        if card.setup:
            return replace(self._to_set_up(card, card.setup), last=last)
        clause = self.mode.clauses[card.clause]
        steps = self.steps(card.steps)
        return p.Announcement(card.id, card.clause, clause.title[self.key], steps, clause.text[self.key], last=last)

    def _to_set_up(self, card: CardToDo, step: SetupStep) -> p.Announcement:
        left = None
        if step.id == "look" and self.game.notes.look:
            left = self.evening.look_left(self.game)
            step = (step.running if left else step.over) or step
        text = step.hp if step.hp and self.game.table.has("hp") else step.public or step.text or {}
        told = p.Step((text.get(self.key, ""),), tuple(map(self.named, card.seats)))
        return p.Announcement(card.id, "", step.title[self.key], (told,), setup=step.id, left=left)

    def entries(self, most: int | None = None) -> list[p.Entry]:
        """The log, oldest first: each input that stands, and what this viewer saw of what followed.

        Only the newest, if `most` says how many.
        """
        told = {step: list(facts) for step, facts in groupby(self.view.announcements, lambda one: one.step)}
        lines = list(enumerate(zip(self.game.table.inputs, self.game.standing, strict=False), 1))
        newest = lines[-most:] if most else lines
        told_to = (self.view.viewer, self.key, self.view.state.ended)
        known = kept(self.evening, (self.game.table, *told_to, *self.names.values()))
        for step, (entered, entry) in newest:
            if entry.seq not in known:
                known[entry.seq] = self._entry(step, entered, entry, told.get(step, []))
        happened = self.evening.happened()
        return [
            replace(known[entry.seq], seats=seat_news(happened[step])) if step in happened else known[entry.seq]
            for step, (_, entry) in newest
        ]

    def _entry(self, step: int, entered: i.Input, entry: storage.Entry, told: Sequence[Announcement]) -> p.Entry:
        return p.Entry(
            step=step,
            text=self.words.entry(entered),
            then=self.steps(one for one in told if one.do not in self.mode.instructions),
            clauses=tuple(dict.fromkeys(one.clause for one in told)),
            recorder=self.evening.name(entry.by),
            notes=tuple(self._noted(note) for note in self.game.log.comments.get(step, ())),
        )

    def _noted(self, note: Note) -> str:
        try:
            line = self.words.entry(self.game.read(note.entry))
        except i.IllegalInput:  # It was written by other rules.
            line = note.entry.text
        return self.words.note(note.what, line)

    def _so_far(self, entry: p.Entry, cards: Sequence[CardToDo]) -> p.Entry:
        """The newest line of the log, with what has been announced of it."""
        told = [one for card in cards for one in card.steps if one.step == entry.step]
        then = self.steps(one for one in told if one.do not in self.mode.instructions)
        return replace(entry, then=then, clauses=tuple(dict.fromkeys(one.clause for one in told)))

    def play(self) -> p.Play:
        cards = cards_of(self.view, self.mode)
        pointer = self.game.row.pointer
        of_deal = [card.id for card in cards if card.is_of_deal]
        last = of_deal[-1] if pointer + 1 < len(of_deal) else ""
        current = self.announcement(cards[pointer], last) if pointer < len(cards) else None
        # What people do before the deal's own announcements goes with a ring that shows who is public.
        told = cards if current and current.setup else cards[: pointer + 1]
        log = self.entries(LOG_LINES)
        if current and log:
            log[-1] = self._so_far(log[-1], told)
        paused = self.evening.is_paused
        so_far = self.announced(told) if current else self.view.state
        return p.Play(
            mode=self.mode.name[self.key],
            number=self.game.row.number,
            ring=self.ring(so_far),
            hero=p.Hero(*self.words.hero()),
            current=current,
            waiting=max(0, len(cards) - pointer - 1),
            question=self._question(),
            draft=None if paused else self._draft(),
            recorder=None if paused else self.recording.recorder(),
            effects=tuple(self._effect(stands) for stands in so_far.modifiers),
            log=tuple(reversed(log)),
            dying=self.recording.dying(),
            touch=None if paused else self.recording.touch(),
            look=self.mode.looks and self._is_look_moment(),
            saveable=tuple(self.named(seat) for seat in self.evening.awaiting(self.game)),
            pause=SHIELD_SECONDS,
            amends=self._amends(),
            paused=paused,
            moderated=bool(self.game.notes.moderators),
        )

    def _amends(self) -> p.Amends | None:
        amends = self.evening.amends()
        if amends is None:
            return None
        covered = tuple(self.named(told.seat) for told in amends.back if told.do == "reveal" and told.seat)
        back = self.steps(told for told in amends.back if told.do != "reveal")
        return p.Amends(amends.id, covered, back, self.steps(amends.more))

    def _is_look_moment(self) -> bool:
        """After a change too: what people were told in private may be another thing now."""
        return self.game.log.is_changed or is_look_moment(self.game.table.inputs, self.view.state)

    def _effect(self, stands: Modifier) -> p.Effect:
        return p.Effect(self.words.effect(stands), self.words.clause(stands.skill))

    def _question(self) -> p.Question | None:
        asked = self.view.pending
        if not asked:
            return None
        answers = ((f"answer {asked.seat} {choice}", self.words.choice(choice)) for choice in asked.choices)
        choices = tuple(p.Choice(text, label) for text, label in answers)
        return p.Question(self.named(asked.seat), self.words.question(asked.ask), asked.clause, choices)

    def _draft(self) -> p.Draft | None:
        held = self.game.held
        if not held:
            return None
        title, text = (
            self.words.impending(held.entered, not self.game.table.has("hidden_dead")),
            self.words.entry(held.entered),
        )
        return p.Draft(held.draft.key, title, text, self.evening.seconds_left(), ceil(held.total))

    def card(self, seat: int) -> p.Card | None:
        """The viewer's own card."""
        own = self.view.seat(seat)
        if not own.role:
            return None
        assert own.identity
        role = self.mode.roles[own.role]
        return p.Card(
            self.words.shown(own.identity),
            role.goal[self.key],
            tuple(news(self.view, self.words)),
            tuple(skills(self.mode, self.view, self.words, self.named)),
            role.meaning[self.key] if role.meaning else "",
            acts=bool(self.mode.skills),
        )

    def ending(self) -> p.Ending:
        state = self.view.state
        clause = self.mode.clauses[state.verdict] if state.verdict else None
        winner = won_alone(state)[0] or (clause.winner if clause else None)
        grades = {seat.grade for seat in state.seats}
        kind: Literal["win", "draw", "nobody", "stopped"] = "win"
        if not clause:
            kind = "stopped"
        elif winner == "draw" or (winner is None and DRAW in grades):
            kind = "draw"
        elif winner == "nobody" or (winner is None and WIN not in grades):
            kind = "nobody"
        return p.Ending(
            kind=kind,
            mode=self.mode.name[self.key],
            number=self.game.row.number,
            results=tuple(self._result(seat) for seat in state.seats),
            timeline=tuple(self.entries()),
            camp=p.Camp(winner, self.words.camp(winner)) if winner and kind == "win" else None,
            clause=clause.id if clause else "",
            title=self.words.verdict(state) if clause else "",
            text=clause.text[self.key] if clause else "",
        )

    def _result(self, seat: Seat) -> p.Result:
        assert seat.identity is not None
        who = self.named(seat.number)
        how = condition(seat)
        return p.Result(
            who, self.words.shown(seat.identity), how, self.words.condition(how), cast("p.Grade | None", seat.grade)
        )


def seat_news(events: Sequence[SeatEvent]) -> tuple[p.SeatNews, ...]:
    """What became of seats, as everybody reads it."""
    return tuple(p.SeatNews(one.kind, one.who, one.by) for one in events)


def condition(seat: Seat) -> p.Condition:
    if seat.departed:
        return "departed"
    if not seat.alive:
        return "dead"
    return "dying" if seat.is_dying else "alive"


def is_look_moment(inputs: Sequence[i.Input], state: State) -> bool:
    """Whether the last thing that happened, apart from blows, lets all look at their cards: a death, a new round."""
    last = next((entered for entered in reversed(inputs) if not isinstance(entered, i.Touch)), None)
    if isinstance(last, i.Turn):
        return last.seat == next((number for number in state.order if state.seat(number).alive), None)
    return isinstance(last, i.Death | i.Deaths | i.Leave | i.Answer)

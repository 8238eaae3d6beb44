"""Fills the screens: from an evening and what its visitor may know to what the templates receive.

Games are read through `views` alone, as the visitor's viewer; nothing here looks at a game's true state.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from math import ceil
from typing import Literal, cast

from markupsafe import Markup

from companion import storage
from companion.modes import MODES, find_mode
from companion.rules import inputs as i
from companion.rules.facts import TABLE, Died, Instructed, TurnBegan
from companion.rules.goals import DRAW, WIN
from companion.rules.ruleset import OPTION_VALUES
from companion.rules.state import Modifier, Seat, State, evolve
from companion.rules.views import Announcement, View, announcement
from companion.tables import SHIELD_SECONDS, CardToDo, Evening, Running, cards_of
from companion.web import screens as s
from companion.web.access import Visitor, site, text_key
from companion.web.composing import blockers, composer, composition
from companion.web.markup import words_for
from companion.web.once import kept, once_a_version
from companion.web.own import news, skills
from printables import qr

LOG_LINES = 30
"""Lines of the log on a screen of a running game; the end shows all."""

VERBS = {
    verb.id: verb
    for verb in (
        s.Verb("death", by=True),
        s.Verb("dying", by=True, when="alive"),
        s.Verb("saved", when="dying"),
        s.Verb("damage", by=True, amounts=(1, 2, 3, 4, 5)),
        s.Verb("heal", by=True, amounts=(1, 2, 3)),
        s.Verb("lose", amounts=(1, 2, 3)),
        s.Verb("hp", amounts=(2, 3, 4, 5, 6, 7, 8), when="alive"),
        s.Verb("provinces", amounts=(-2, -1, 1, 2), signed=True),
        s.Verb("limit", amounts=(-1, 1), signed=True),
        s.Verb("turn", when="alive"),
        s.Verb("leave"),
    )
}
"""How each event is recorded of a person. Which of them a mode has is said by its data."""
HP_VERBS = ("damage", "heal", "lose", "saved", "hp")
"""What is recorded besides where hit points are counted."""
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

    def named(self, seat: int) -> s.Named:
        return s.Named(seat, self.names[seat])

    def someone(self, seat: int | None) -> s.Named | None:
        return self.named(seat) if seat else None

    def ring(self, announced: State) -> s.Ring:
        """The people in order of play. Identities and counts are shown as far as they have been `announced`."""
        acting = self.mode.acting_lord(announced)
        spots = [self._spot(announced.seat(number), acting) for number in self.view.state.order]
        return s.Ring(tuple(spots), self.mode.clockwise)

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

    def _spot(self, seat: Seat, acting: int | None) -> s.Spot:
        now = self.view.seat(seat.number)
        return s.Spot(
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

    def step(self, told: Announcement) -> s.Step:
        return s.Step(self.words.does(told), self.someone(told.seat))

    def announcement(self, card: CardToDo) -> s.Announcement:
        clause = self.mode.clauses[card.clause]
        steps = tuple(self.step(told) for told in card.steps)
        return s.Announcement(card.id, card.clause, clause.title[self.key], steps, clause.text[self.key])

    def entries(self, most: int | None = None) -> list[s.Entry]:
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
        return [known[entry.seq] for _, (_, entry) in newest]

    def _entry(self, step: int, entered: i.Input, entry: storage.Entry, told: Sequence[Announcement]) -> s.Entry:
        return s.Entry(
            step=step,
            text=self.words.entry(entered),
            then=tuple(self.step(one) for one in told if one.do not in self.mode.instructions),
            clauses=tuple(dict.fromkeys(one.clause for one in told)),
            recorder=self.evening.name(entry.by),
        )

    def _so_far(self, entry: s.Entry, cards: Sequence[CardToDo]) -> s.Entry:
        """The newest line of the log, with what has been announced of it."""
        told = [one for card in cards for one in card.steps if one.step == entry.step]
        then = tuple(self.step(one) for one in told if one.do not in self.mode.instructions)
        return replace(entry, then=then, clauses=tuple(dict.fromkeys(one.clause for one in told)))

    def play(self) -> s.Play:
        cards = cards_of(self.view, self.mode)
        pointer = self.game.row.pointer
        current = self.announcement(cards[pointer]) if pointer < len(cards) else None
        log = self.entries(LOG_LINES)
        if current and log:
            log[-1] = self._so_far(log[-1], cards[: pointer + 1])
        return s.Play(
            mode=self.mode.name[self.key],
            number=self.game.row.number,
            ring=self.ring(self.announced(cards[: pointer + 1]) if current else self.view.state),
            current=current,
            waiting=max(0, len(cards) - pointer - 1),
            question=self._question(),
            draft=self._draft(),
            recorder=self._recorder(),
            effects=tuple(self._effect(stands) for stands in self.view.state.modifiers),
            log=tuple(reversed(log)),
            touch=self._touch(),
            look=len(self.game.table.inputs) == 1
            or (self.mode.looks and is_look_moment(self.game.table.inputs, self.view.state)),
            saveable=tuple(self.named(seat) for seat in self.evening.awaiting(self.game)),
            pause=SHIELD_SECONDS,
        )

    def _touch(self) -> s.Touch | None:
        """Asked at the end of every turn where damage and healing matter and hit points are not counted."""
        state, inputs = self.view.state, self.game.table.inputs
        if i.Touch not in self.mode.ruleset.inputs or self.game.table.has("hp") or not state.turn:
            return None
        begun = max(step for step, entered in enumerate(inputs, 1) if isinstance(entered, i.Turn))
        done = [entered for entered in inputs[begun:] if isinstance(entered, i.Touch)]
        living = [seat.number for seat in state.in_order() if seat.alive]
        by = state.turn if state.turn in living else living[0]
        return s.Touch(
            begun,
            self.named(by),
            tuple(map(self.named, living)),
            tuple((self.named(one.by), self.named(one.seat)) for one in done),
        )

    def _effect(self, stands: Modifier) -> s.Effect:
        return s.Effect(self.words.effect(stands), self.words.clause(stands.skill))

    def _question(self) -> s.Question | None:
        asked = self.view.pending
        if not asked:
            return None
        answers = ((f"answer {asked.seat} {choice}", self.words.choice(choice)) for choice in asked.choices)
        choices = tuple(s.Choice(text, label) for text, label in answers)
        return s.Question(self.named(asked.seat), self.words.question(asked.ask), asked.clause, choices)

    def _draft(self) -> s.Draft | None:
        held = self.game.held
        if not held:
            return None
        title, text = (
            self.words.impending(held.entered, not self.game.table.has("hidden_dead")),
            self.words.entry(held.entered),
        )
        return s.Draft(held.draft.key, title, text, self.evening.seconds_left(), ceil(held.total))

    def _recorder(self) -> s.Recorder:
        if self.view.pending:
            return s.Recorder((self._verb("leave"),))
        state, verbs = self.view.state, [*self.mode.records]
        if self.game.table.has("hp"):
            verbs[1:1] = [verb for verb in HP_VERBS if verb not in verbs]
        if not self.game.table.has("hp") or state.turn is not None:
            verbs = [verb for verb in verbs if verb != "hp"]
        if not self.game.table.has("provinces"):
            verbs = [verb for verb in verbs if verb != "provinces"]
        several = tuple(self.named(seat.number) for seat in state.living) if "deaths" in verbs else ()
        offered = tuple(self._verb(verb) for verb in verbs if verb in VERBS)
        return s.Recorder(offered, self.someone(self._next()), bool(state.extra_turns), several)

    def _verb(self, verb: str) -> s.Verb:
        label, ask = self.words.verb(verb)
        return replace(VERBS[verb], label=label, ask=ask)

    def _next(self) -> int | None:
        """Whose turn follows: an extra turn that is owed, or the next living seat in the order of play.

        After an extra turn play goes on from where it was (X15).
        """
        state = self.view.state
        if state.extra_turns:
            return state.extra_turns[0]
        last = self._last_turn()
        start = state.order.index(last) + 1 if last else 0
        waiting = state.order[start:] + state.order[:start]
        return next((number for number in waiting if state.seat(number).alive), None)

    def _last_turn(self) -> int | None:
        """The seat that had the last turn which was not an extra one."""
        last, owed = None, set[int]()
        for happened in self.view.facts:
            match happened.fact:
                case Instructed(int(seat), "extra_turn"):
                    owed.add(seat)
                case TurnBegan(seat):
                    last = last if seat in owed else seat
                    owed.clear()
        return last

    def card(self, seat: int) -> s.Card | None:
        """The viewer's own card."""
        own = self.view.seat(seat)
        if not own.role:
            return None
        assert own.identity
        role = self.mode.roles[own.role]
        return s.Card(
            self.words.shown(own.identity),
            role.goal[self.key],
            tuple(news(self.view, self.words)),
            tuple(skills(self.mode, self.view, self.words, self.named)),
            role.meaning[self.key] if role.meaning else "",
            acts=bool(self.mode.skills),
        )

    def ending(self) -> s.Ending:
        state = self.view.state
        clause = self.mode.clauses[state.verdict] if state.verdict else None
        winner = clause.winner if clause else None
        grades = {seat.grade for seat in state.seats}
        kind: Literal["win", "draw", "nobody", "stopped"] = "win"
        if not clause:
            kind = "stopped"
        elif winner == "draw" or (winner is None and DRAW in grades):
            kind = "draw"
        elif winner == "nobody" or (winner is None and WIN not in grades):
            kind = "nobody"
        return s.Ending(
            kind=kind,
            mode=self.mode.name[self.key],
            number=self.game.row.number,
            results=tuple(self._result(seat) for seat in state.seats),
            timeline=tuple(self.entries()),
            camp=s.Camp(winner, self.words.camp(winner)) if winner and kind == "win" else None,
            clause=clause.id if clause else "",
            title=self.words.title(clause.id) if clause else "",
            text=clause.text[self.key] if clause else "",
        )

    def _result(self, seat: Seat) -> s.Result:
        assert seat.identity is not None
        who = self.named(seat.number)
        how = condition(seat)
        return s.Result(
            who, self.words.shown(seat.identity), how, self.words.condition(how), cast("s.Grade | None", seat.grade)
        )


def condition(seat: Seat) -> s.Condition:
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


def lobby(asking: Visitor) -> s.Lobby:
    evening, key = asking.evening, text_key()
    mode, count = evening.mode, len(evening.people)
    you = asking.person.id if asking.person else None
    spots = tuple(s.Spot(person.name, you=person.id == you) for person in evening.people)
    missing = 0 if evening.faults() else evening.wanted - count
    words, is_hidden = words_for(mode, {}), evening.options.get("hide_composition") == "on"
    return s.Lobby(
        mode=mode.name[key],
        players=counts(mode.players),
        ring=s.Ring(spots, mode.clockwise),
        missing=missing,
        blockers=() if missing > 0 else blockers(words, evening),
        composition=() if is_hidden else composition(words, evening.cards()),
        drawing=drawing(evening),
    )


def drawing(evening: Evening) -> s.Drawing | None:
    """Who has entered a printed card, where they are dealt: the same for everybody."""
    if not evening.settings.by_cards or evening.phase == "play":
        return None
    names: dict[bool, list[str]] = {True: [], False: []}
    for person in evening.people:
        names[evening.has_card(person.id)].append(person.name)
    return s.Drawing(tuple(names[True]), tuple(names[False]), not evening.why_not() and evening.drawn().is_wrong)


def drawn(asking: Visitor) -> s.Drawn | None:
    """The visitor's own printed card; None where there is nothing to draw."""
    evening, person = asking.evening, asking.person
    if person is None or not evening.settings.by_cards or evening.phase == "play":
        return None
    if not evening.has_card(person.id):
        return "nothing" if not evening.why_not() else None
    place = evening.people.index(person) + 1
    fault = evening.drawn().faults.get(place) if not evening.why_not() else None
    return "entered" if fault is None else "twice" if fault == "card_twice" else "other"


def next_lobby(asking: Visitor) -> s.Lobby | None:
    """After a game: the lobby of the next one, where printed cards are dealt."""
    return lobby(asking) if asking.evening.settings.by_cards else None


def counts(players: Sequence[int]) -> str:
    """Numbers of players in words: "8", "2–10"."""
    return str(players[0]) if len(players) == 1 else f"{players[0]}–{players[-1]}"


def address(evening: Evening) -> str:
    """Where phones reach the table: the address that the host chose, while this machine has it; else the best one."""
    found = site().addresses()
    return next((one.ip for one in found if one.ip == evening.settings.address), found[0].ip)


@lru_cache(maxsize=256)
def _qr(url: str) -> Markup:
    return Markup(qr.svg(url.upper(), label=url))


def invitation(asking: Visitor) -> s.Invitation:
    here, evening = site(), asking.evening
    found, chosen = here.addresses(), address(evening)
    url = f"http://{chosen}:{here.port}/j/{evening.row.code.lower()}"
    picture = _qr(url)
    addresses = tuple(
        s.Address(one.ip, f"http://{one.ip}:{here.port}", one.interface, one.ip == chosen) for one in found
    )
    return s.Invitation(picture, url, evening.row.code, addresses)


def start(frame: s.Frame, evenings: Sequence[Evening]) -> s.StartScreen:
    return s.StartScreen(frame, tuple(_link(evening) for evening in evenings))


def _link(evening: Evening) -> s.TableLink:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(evening.row.created / 1000))
    names = tuple(person.name for person in evening.people)
    url = f"/t/{evening.row.code}/resume"
    return s.TableLink(evening.row.code, url, evening.phase, evening.mode.name[text_key()], names, when)


def board(asking: Visitor, frame: s.Frame) -> tuple[str, s.TableLobby | s.TablePlay | s.TableEnd]:
    """The table screen."""
    if asking.evening.phase == "lobby":
        return "board/lobby.html", s.TableLobby(frame, lobby(asking), invitation(asking), asking.is_host)
    return _dealt(asking, frame)


def _dealt(asking: Visitor, frame: s.Frame) -> tuple[str, s.TablePlay | s.TableEnd]:
    if asking.evening.phase == "play":
        return "board/play.html", s.TablePlay(frame, play(asking), invitation(asking), asking.is_host)
    shown = s.TableEnd(frame, ending(asking), invitation(asking), asking.is_host, next_lobby(asking))
    return "board/end.html", shown


def teller(evening: Evening, viewer: int) -> Teller:
    assert evening.game is not None
    return Teller(evening, evening.game, viewer)


def play(asking: Visitor) -> s.Play:
    """The running game as everybody may see it: what is one's own alone is on one's card."""
    evening = asking.evening
    kind = ("play", text_key(), evening.seconds_left())
    shown = once_a_version(evening, kind, lambda: teller(evening, TABLE).play())
    return shown if asking.may_record else replace(shown, recorder=None, touch=None)


def ending(asking: Visitor) -> s.Ending:
    """How the game ended."""
    evening = asking.evening
    shown = once_a_version(evening, ("end", text_key()), lambda: teller(evening, TABLE).ending())
    words = words_for(evening.mode, {})
    blocked = tuple(words.refusal(one.reason, one.params) for one in evening.why_not()) if asking.is_host else ()
    return replace(shown, again=asking.is_host, blocked=blocked)


def _sees_own_spot(shown: s.Play, seat: int | None) -> s.Play:
    spots = tuple(replace(spot, you=True) if spot.seat == seat else spot for spot in shown.ring.spots)
    return replace(shown, ring=replace(shown.ring, spots=spots))


def _sees_own_result(shown: s.Ending, seat: int | None) -> s.Ending:
    results = tuple(replace(one, you=True) if one.who.seat == seat else one for one in shown.results)
    return replace(shown, results=results)


def card(asking: Visitor) -> s.Card | None:
    """The visitor's own card; None without a seat, and when the game has ended."""
    if asking.seat is None or asking.evening.phase != "play":
        return None
    return teller(asking.evening, asking.seat).card(asking.seat)


def shared(asking: Visitor, frame: s.Frame) -> tuple[str, s.TablePlay | s.TableEnd | s.SeatPlay | s.SeatEnd]:
    """A dealt game's page without what is the visitor's own: the same for all who look at it as the visitor does."""
    if frame.back == "table":
        return _dealt(asking, frame)
    name = None if asking.seat is None else ""
    if asking.evening.phase == "play":
        return "seat/play.html", s.SeatPlay(frame, play(asking), name, None, asking.is_host)
    return "seat/end.html", s.SeatEnd(frame, ending(asking), name, asking.person is None, asking.is_host)


def seat(asking: Visitor, frame: s.Frame, name: str) -> tuple[str, s.JoinScreen | s.SeatLobby | s.SeatPlay | s.SeatEnd]:
    """A phone."""
    phase, person = asking.evening.phase, asking.person
    if phase == "lobby" and person is None:
        return "seat/join.html", s.JoinScreen(frame, name, tuple(one.name for one in asking.evening.people))
    if phase == "lobby" and person is not None:
        return "seat/lobby.html", s.SeatLobby(frame, person.name, lobby(asking), asking.is_host, drawn(asking))
    named = person.name if person and asking.seat else None
    if phase == "play":
        shown = _sees_own_spot(play(asking), asking.seat)
        return "seat/play.html", s.SeatPlay(frame, shown, named, card(asking), asking.is_host)
    result = _sees_own_result(ending(asking), asking.seat)
    more = next_lobby(asking), drawn(asking)
    return "seat/end.html", s.SeatEnd(frame, result, named, person is None, asking.is_host, *more)


def host(asking: Visitor, frame: s.Frame) -> tuple[str, s.HostScreen]:
    """The host's page."""
    evening, key = asking.evening, text_key()
    entries = teller(evening, TABLE).entries(1) if evening.game else []
    modes = tuple(
        s.ModeChoice(mode.id, mode.name[key], counts(mode.players), mode.blurb[key], mode.id == evening.row.mode)
        for mode in map(find_mode, MODES)
    )
    return "host/host.html", s.HostScreen(
        frame=frame,
        phase=evening.phase,
        lobby=lobby(asking),
        modes=modes,
        options=tuple(s.Option(name, value, OPTION_VALUES[name]) for name, value in evening.options.items()),
        people=tuple(s.Person(str(person.id), person.name) for person in evening.people),
        pause=evening.settings.pause,
        invitation=invitation(asking),
        last=entries[0] if entries and entries[0].step > 1 else None,
        counters=_counters(evening) if evening.phase == "play" else (),
        play=play(asking) if evening.phase == "play" else None,
        ending=ending(asking) if evening.phase == "end" else None,
        composer=composer(evening) if evening.phase != "play" else None,
        drifted=tuple(evening.game.drifted) if evening.game else (),
        lost=tuple(evening.game.lost) if evening.game else (),
    )


def _counters(evening: Evening) -> tuple[str, ...]:
    """What is counted in the running game."""
    seat = teller(evening, TABLE).view.seat(1)
    return tuple(what for what in COUNTERS if getattr(seat, what) is not None)

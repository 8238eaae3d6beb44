"""Fills the screens: from an evening and what its visitor may know to what the templates receive.

Games are read through `views` alone, as the visitor's viewer; nothing here looks at a game's true state.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from math import ceil
from typing import Literal, cast

from markupsafe import Markup

from companion import storage
from companion.modes import MODES, find_mode
from companion.rules import inputs as i
from companion.rules.facts import TABLE
from companion.rules.state import Seat, State
from companion.rules.views import Announcement, View
from companion.tables import SHIELD_SECONDS, CardToDo, Evening, Running, cards_of
from companion.web import screens as s
from companion.web.access import Visitor, site, text_key, words_for
from companion.web.cards import camp, composer, composition, identity, shown
from companion.web.once import once_a_version
from companion.web.own import news, skills
from printables import qr

LOG_LINES = 30
"""Lines of the log on a screen of a running game; the end shows all."""


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

    def identity(self, role: str) -> s.Identity:
        return identity(self.mode, role, self.key)

    def ring(self) -> s.Ring:
        spots = [self._spot(self.view.seat(number)) for number in self.view.state.order]
        return s.Ring(tuple(spots), self.mode.clockwise)

    def _spot(self, seat: Seat) -> s.Spot:
        return s.Spot(
            name=self.names[seat.number],
            seat=seat.number,
            condition=condition(seat),
            identity=shown(self.mode, seat.identity, self.key) if seat.public and seat.identity else None,
            turn=self.view.state.turn == seat.number and not self.view.state.ended,
            hp=seat.hp,
            max_hp=seat.max_hp,
        )

    def step(self, told: Announcement) -> s.Step:
        return s.Step(
            told.do,
            self.someone(told.seat),
            told.n,
            self.identity(told.role) if told.role else None,
            tuple(self.words.choice(choice) for choice in told.choices),
        )

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
        return [self._entry(step, entered, entry, told.get(step, [])) for step, (entered, entry) in newest]

    def _entry(self, step: int, entered: i.Input, entry: storage.Entry, told: Sequence[Announcement]) -> s.Entry:
        who, by, n = parts(entered)
        verb = entry.text.split()[0]
        return s.Entry(
            step=step,
            verb=verb,
            who=self.someone(who),
            by=tuple(self.named(seat) for seat in by if seat),
            n=n,
            answer=self.words.choice(entered.choice) if isinstance(entered, i.Answer) else None,
            then=tuple(self.step(one) for one in told),
            clauses=tuple(dict.fromkeys(one.clause for one in told)),
            recorder=self.evening.name(entry.by),
        )

    def play(self, may_record: bool) -> s.Play:
        cards = cards_of(self.view)
        pointer = self.game.row.pointer
        current = self.announcement(cards[pointer]) if pointer < len(cards) else None
        return s.Play(
            mode=self.mode.name[self.key],
            number=self.game.row.number,
            ring=self.ring(),
            current=current,
            waiting=max(0, len(cards) - pointer - 1),
            question=self._question(),
            draft=self._draft(),
            recorder=self._recorder() if may_record and not self.view.pending else None,
            log=tuple(reversed(self.entries(LOG_LINES))),
            touch=self._touch() if may_record else None,
            look=self.mode.looks and is_look_moment(self.game.table.inputs, self.view.state),
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
        who, by, _ = parts(held.entered)
        verb: Literal["leave", "death"] = "leave" if isinstance(held.entered, i.Leave) else "death"
        killer = self.someone(by[0]) if by else None
        left = self.evening.seconds_left()
        return s.Draft(held.draft.key, verb, self.named(who or 1), killer, left, ceil(held.total))

    def _recorder(self) -> s.Recorder:
        state = self.view.state
        counted = self.game.table.has("hp")
        verbs = [s.Verb("death", by=True), s.Verb("turn", when="alive")]
        if counted:
            verbs += [
                s.Verb("damage", by=True, amounts=(1, 2, 3, 4, 5)),
                s.Verb("heal", by=True, amounts=(1, 2, 3)),
                s.Verb("lose", amounts=(1, 2, 3)),
                s.Verb("saved", when="dying"),
            ]
            if state.turn is None:
                verbs.append(s.Verb("hp", amounts=(2, 3, 4, 5, 6, 7, 8), when="alive"))
        verbs.append(s.Verb("leave"))
        return s.Recorder(tuple(verbs), self.someone(self._next()))

    def _next(self) -> int | None:
        """Whose turn follows: an extra turn that is owed, or the next living seat in the order of play."""
        state = self.view.state
        if state.extra_turns:
            return state.extra_turns[0]
        ordered = state.in_order()
        waiting = ordered if state.turn is None else (*ordered[1:], ordered[0])
        return next((seat.number for seat in waiting if seat.alive), None)

    def card(self, seat: int) -> s.Card | None:
        """The viewer's own card."""
        own = self.view.seat(seat)
        if not own.role:
            return None
        assert own.identity
        return s.Card(
            shown(self.mode, own.identity, self.key),
            self.mode.roles[own.role].goal[self.key],
            tuple(news(self.mode, self.view, self.words)),
            tuple(skills(self.mode, self.view, self.words)),
            acts=bool(self.mode.skills),
        )

    def ending(self, may_deal: bool) -> s.Ending:
        state = self.view.state
        clause = self.mode.clauses[state.verdict] if state.verdict else None
        winner = clause.winner if clause else None
        kind: Literal["win", "draw", "stopped"] = "stopped" if not clause else "draw" if winner == "draw" else "win"
        return s.Ending(
            kind=kind,
            mode=self.mode.name[self.key],
            number=self.game.row.number,
            results=tuple(self._result(seat) for seat in state.seats),
            timeline=tuple(self.entries()),
            camp=camp(self.mode, winner, self.key) if winner and winner != "draw" else None,
            clause=clause.id if clause else "",
            text=clause.text[self.key] if clause else "",
            again=may_deal,
        )

    def _result(self, seat: Seat) -> s.Result:
        assert seat.identity is not None
        who = self.named(seat.number)
        return s.Result(
            who, shown(self.mode, seat.identity, self.key), condition(seat), cast("s.Grade | None", seat.grade)
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


def parts(entered: i.Input) -> tuple[int | None, tuple[int, ...], int | None]:
    """Whom an input is about, by whom, and how much."""
    by = getattr(entered, "by", None)
    causes = by if isinstance(by, tuple) else (by,) if by else ()
    return getattr(entered, "seat", None), causes, getattr(entered, "n", None)


def lobby(asking: Visitor) -> s.Lobby:
    evening, key = asking.evening, text_key()
    mode, count = evening.mode, len(evening.people)
    you = asking.person.id if asking.person else None
    spots = tuple(s.Spot(person.name, you=person.id == you) for person in evening.people)
    missing = 0 if evening.faults() else evening.wanted - count
    reasons = [] if missing else evening.why_not()
    is_hidden = evening.options.get("hide_composition") == "on"
    return s.Lobby(
        mode=mode.name[key],
        players=counts(mode.players),
        ring=s.Ring(spots, mode.clockwise),
        missing=missing,
        blockers=tuple(words_for(mode, {}).refusal(reason.reason, reason.params) for reason in reasons),
        composition=() if is_hidden else composition(mode, evening.cards(), key),
    )


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
    return "board/end.html", s.TableEnd(frame, ending(asking), invitation(asking), asking.is_host)


def teller(evening: Evening, viewer: int) -> Teller:
    assert evening.game is not None
    return Teller(evening, evening.game, viewer)


def play(asking: Visitor) -> s.Play:
    """The running game as everybody may see it: what is one's own alone is on one's card."""
    evening, may_record = asking.evening, asking.may_record
    kind = ("play", text_key(), may_record, evening.seconds_left())
    return once_a_version(evening, kind, lambda: teller(evening, TABLE).play(may_record))


def ending(asking: Visitor) -> s.Ending:
    """How the game ended."""
    evening, may_deal = asking.evening, asking.is_host
    return once_a_version(evening, ("end", text_key(), may_deal), lambda: teller(evening, TABLE).ending(may_deal))


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
        return "seat/lobby.html", s.SeatLobby(frame, person.name, lobby(asking), asking.is_host)
    named = person.name if person and asking.seat else None
    if phase == "play":
        shown = _sees_own_spot(play(asking), asking.seat)
        return "seat/play.html", s.SeatPlay(frame, shown, named, card(asking), asking.is_host)
    result = _sees_own_result(ending(asking), asking.seat)
    return "seat/end.html", s.SeatEnd(frame, result, named, person is None, asking.is_host)


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
        options=tuple(s.Option(name, value == "on") for name, value in evening.options.items()),
        people=tuple(s.Person(str(person.id), person.name) for person in evening.people),
        pause=evening.settings.pause,
        invitation=invitation(asking),
        last=entries[0] if entries and entries[0].step > 1 else None,
        play=play(asking) if evening.phase == "play" else None,
        ending=ending(asking) if evening.phase == "end" else None,
        composer=composer(evening) if evening.phase != "play" else None,
    )

"""Fills the screens: from an evening and what its visitor may know to what the templates receive.

Games are read through `views` alone, as the visitor's viewer; nothing here looks at a game's true state.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from markupsafe import Markup, escape

from companion.modes import MODES, find_mode
from companion.rules.facts import TABLE
from companion.rules.ruleset import OPTION_VALUES
from companion.tables import Evening
from companion.web import screens as s
from companion.web.access import Visitor, site, text_key
from companion.web.markup import words_for
from companion.web.once import once_a_version
from companion.web.screens import parts as p
from companion.web.showing.composing import advice, blockers, composer, composition
from companion.web.showing.seating import claims, phoneless
from companion.web.showing.telling import COUNTERS, Teller
from printables import qr


def lobby(asking: Visitor) -> s.Lobby:
    evening, key = asking.evening, text_key()
    mode, count = evening.mode, len(evening.people)
    you = asking.person.id if asking.person else None
    seated = evening.people if evening.seating is None else [evening.everyone[one] for one in evening.seating]
    spots = tuple(p.Spot(person.name, you=person.id == you) for person in seated)
    missing = 0 if evening.faults() else evening.wanted - count
    words, is_hidden = words_for(mode, {}), evening.options.get("hide_composition") == "on"
    return s.Lobby(
        mode=mode.name[key],
        players=counts(mode.players),
        ring=p.Ring(spots, mode.clockwise),
        missing=missing,
        blockers=advice(words) if missing > 0 else blockers(words, evening),
        composition=() if is_hidden else composition(words, evening.cards()),
        drawing=drawing(evening),
        seating=seating(asking),
    )


def seating(asking: Visitor) -> s.Seating | None:
    """How far people have tapped their places, where they are asked to."""
    evening, taken, person = asking.evening, asking.evening.seating, asking.person
    if taken is None or evening.phase == "play":
        return None
    yours = None if person is None else taken.index(person.id) + 1 if person.id in taken else 0
    waiting = tuple(s.Person(str(one.id), one.name) for one in evening.people if one.id not in taken)
    return s.Seating(tuple(evening.everyone[one].name for one in taken), waiting, evening.mode.clockwise, yours)


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
        s.Address(one.ip, f"http://{one.ip}:{here.port}", one.interface, one.ip == chosen)
        for one in found
        if one.kind != "loopback"
    )
    return s.Invitation(picture, url, evening.row.code, addresses)


def wifi(evening: Evening) -> s.Wifi | None:
    """The network that phones join first, with its password: for the table screen alone."""
    shown = evening.settings.wifi
    if shown is None:
        return None
    picture = qr.svg(qr.wifi(shown.name, shown.password), label=f"Wi-Fi {shown.name}")
    return s.Wifi(_unmarked(Markup(picture)), _unmarked(shown.name), _unmarked(shown.password))


def _unmarked(text: str) -> Markup:
    """Pages mark with "~" where they differ from visitor to visitor; a password may hold one."""
    return Markup(str(escape(text)).replace("~", "&#126;"))


def start(frame: s.Frame, evenings: Sequence[Evening]) -> s.StartScreen:
    return s.StartScreen(frame, tuple(_link(evening) for evening in evenings))


def _link(evening: Evening) -> s.TableLink:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(evening.row.created / 1000))
    names = tuple(person.name for person in evening.people)
    return s.TableLink(evening.row.code, evening.phase, evening.mode.name[text_key()], names, when)


def board(asking: Visitor, frame: s.Frame) -> tuple[str, s.TableLobby | s.TablePlay | s.TableEnd]:
    """The table screen."""
    if asking.evening.phase == "lobby":
        evening = asking.evening
        more = wifi(evening), evening.nobody_comes
        return "board/lobby.html", s.TableLobby(frame, lobby(asking), invitation(asking), asking.is_host, *more)
    return _dealt(asking, frame)


def _dealt(asking: Visitor, frame: s.Frame) -> tuple[str, s.TablePlay | s.TableEnd]:
    if asking.evening.phase == "play":
        return "board/play.html", s.TablePlay(frame, play(asking), invitation(asking), asking.is_host)
    more = next_lobby(asking), seating(asking)
    shown = s.TableEnd(frame, ending(asking), invitation(asking), asking.is_host, *more)
    return "board/end.html", shown


def teller(evening: Evening, viewer: int) -> Teller:
    assert evening.game is not None
    return Teller(evening, evening.game, viewer)


def play(asking: Visitor) -> p.Play:
    """The running game as everybody may see it: what is one's own alone is on one's card."""
    evening = asking.evening
    kind = ("play", text_key(), evening.seconds_left())
    shown = once_a_version(evening, kind, lambda: teller(evening, TABLE).play())
    return shown if asking.may_record else replace(shown, recorder=None, touch=None)


def ending(asking: Visitor) -> p.Ending:
    """How the game ended."""
    evening = asking.evening
    shown = once_a_version(evening, ("end", text_key()), lambda: teller(evening, TABLE).ending())
    words = words_for(evening.mode, {})
    blocked = tuple(words.refusal(one.reason, one.params) for one in evening.why_not()) if asking.is_host else ()
    return replace(shown, again=asking.is_host, blocked=blocked)


def _sees_own_spot(shown: p.Play, seat: int | None) -> p.Play:
    spots = tuple(replace(spot, you=True) if spot.seat == seat else spot for spot in shown.ring.spots)
    return replace(shown, ring=replace(shown.ring, spots=spots))


def _sees_own_result(shown: p.Ending, seat: int | None) -> p.Ending:
    results = tuple(replace(one, you=True) if one.who.seat == seat else one for one in shown.results)
    return replace(shown, results=results)


def card(asking: Visitor) -> p.Card | None:
    """The visitor's own card; None without a seat, and when the game has ended."""
    return card_of(asking.evening, asking.seat)


def card_of(evening: Evening, seat: int | None) -> p.Card | None:
    """The card of whoever has the seat, for these eyes alone."""
    return teller(evening, seat).card(seat) if seat is not None and evening.phase == "play" else None


def shared(asking: Visitor, frame: s.Frame) -> tuple[str, s.TablePlay | s.TableEnd | s.SeatPlay | s.SeatEnd]:
    """A dealt game's page without what is the visitor's own: the same for all who look at it as the visitor does."""
    if frame.back == "table":
        return _dealt(asking, frame)
    name = None if asking.seat is None else ""
    if asking.evening.phase == "play":
        return "seat/play.html", s.SeatPlay(frame, play(asking), name, None, asking.is_host, phoneless(asking.evening))
    return "seat/end.html", s.SeatEnd(frame, ending(asking), name, asking.person is None, asking.is_host)


def seat(asking: Visitor, frame: s.Frame, name: str) -> tuple[str, s.JoinScreen | s.SeatLobby | s.SeatPlay | s.SeatEnd]:
    """A phone."""
    phase, person, others = asking.evening.phase, asking.person, phoneless(asking.evening)
    if phase == "lobby" and person is None:
        return "seat/join.html", s.JoinScreen(frame, name, tuple(one.name for one in asking.evening.people))
    if phase == "lobby" and person is not None:
        waiting = s.SeatLobby(frame, person.name, lobby(asking), asking.is_host, drawn(asking), others)
        return "seat/lobby.html", waiting
    named = person.name if person and asking.seat else None
    if phase == "play":
        shown = _sees_own_spot(play(asking), asking.seat)
        return "seat/play.html", s.SeatPlay(frame, shown, named, card(asking), asking.is_host, others)
    result = _sees_own_result(ending(asking), asking.seat)
    more = next_lobby(asking), drawn(asking), others, seating(asking)
    return "seat/end.html", s.SeatEnd(frame, result, named, person is None, asking.is_host, *more)


def host(asking: Visitor, frame: s.Frame) -> tuple[str, s.HostScreen]:
    """The host's page."""
    evening, key = asking.evening, text_key()
    entries = teller(evening, TABLE).entries() if evening.game else []
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
        people=tuple(s.Person(str(person.id), person.name, bool(person.token_hash)) for person in evening.people),
        pause=evening.settings.pause,
        invitation=invitation(asking),
        wifi=_unmarked(evening.settings.wifi.name) if evening.settings.wifi else "",
        last=entries[-1] if len(entries) > 1 else None,
        counters=_counters(evening) if evening.phase == "play" else (),
        play=play(asking) if evening.phase == "play" else None,
        ending=ending(asking) if evening.phase == "end" else None,
        composer=composer(evening) if evening.phase != "play" else None,
        drifted=tuple(evening.game.drifted) if evening.game else (),
        lost=tuple(evening.game.lost) if evening.game else (),
        log=tuple(reversed(entries[1:])) if evening.game and not evening.game.lost else (),
        everything=_everything(asking),
        claims=claims(evening),
    )


def _everything(asking: Visitor) -> Literal["", "offered", "open"]:
    if asking.evening.phase != "play" or asking.seat is not None:
        return ""
    return "open" if asking.may_see_everything else "offered"


def _counters(evening: Evening) -> tuple[str, ...]:
    """What is counted in the running game."""
    seat = teller(evening, TABLE).view.seat(1)
    return tuple(what for what in COUNTERS if getattr(seat, what) is not None)

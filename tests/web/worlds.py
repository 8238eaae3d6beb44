"""Two worlds over HTTP: two tables at which everybody sees the same, though hidden cards lie elsewhere.

Both get the same requests: every route, from every kind of visitor, at every moment. What a visitor receives (status,
headers, bytes, stream) must be the same in both until a fact was told to that visitor which differs, and which a clause
that tells identities apart has caused (X16).
"""

from __future__ import annotations

import gzip
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest.mock import patch
from urllib.parse import urlencode

from companion.modes import Mode, find_mode
from companion.rules import inputs as i
from companion.rules.facts import HOST, TABLE, Died, Happened
from companion.rules.record import format_game
from companion.rules.table import Table
from companion.rules.views import told_to
from companion.tables import Evening, hash_token
from companion.web import stream
from tests.rules.deals import another_deal, random_deal
from tests.rules.games import random_input
from tests.rules.worlds import first_difference, hidden_from, may_tell
from tests.web.calls import ASTRAY, CALLS, WATCHED, Asked, Moment, Variant, Visitor, visitors
from tests.web.evening import NAMES, Chance, House

LANGUAGES = ("zh-CN", "zh-TW", "en")


class Leak(AssertionError):
    """Somebody who sees the game as `viewer` could tell two worlds apart by something that the rules do not tell."""

    def __init__(self, viewer: int, what: str) -> None:
        super().__init__(what)
        self.viewer = viewer


# A world


class Answer(NamedTuple):
    status: str
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def text(self) -> str:
        is_packed = ("Content-Encoding", "gzip") in self.headers
        return (gzip.decompress(self.body) if is_packed else self.body).decode()


class Lobby(NamedTuple):
    """A database in which everybody is seated (and one was removed), the table's code, and that of another table."""

    database: Path
    code: str
    other: str


def seat_everybody(database: Path, mode: str, options: str, players: int, pause: int) -> Lobby:
    house, chance = House(database), Chance()
    with chance.instead_of_secrets():
        evening, other = house.tables.open(mode)[0], house.tables.open(mode)[0]
    settings = replace(evening.settings, screen=hash_token("the-screen")).write()
    house.store.change_table(evening.row.id, host_hash=hash_token("the-host"), settings=settings)
    house.store.change_table(other.row.id, host_hash=hash_token("the-other-host"))
    other.join("某", "elsewhere")
    removed = evening.join("丑", "removed")
    evening.remove(removed.id)
    with chance.instead_of_secrets():
        for place in range(players):
            person = evening.join(NAMES[place], "signed-out" if place == 0 else f"seat-{place + 1}")
            if place == 0:
                evening.ask(person.id, "seat-1")
                evening.approve([claim.id for claim in evening.claims])
        evening.ask(person.id, "asking")
    evening.choose(mode, dict(option.split("=") for option in options.split()), pause)
    house.store.close()
    return Lobby(database, evening.row.code, other.row.code)


class World:
    """One of two worlds: a house of its own, and the streams that are open to it."""

    def __init__(self, folder: Path, lobby: Lobby) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.code = lobby.code
        self.house = House(Path(shutil.copy(lobby.database, folder)))
        self.house.site.is_local = True
        self.streams: dict[str, Iterator[bytes]] = {}

    @property
    def evening(self) -> Evening:
        return self.house.tables.evening(self.code)

    @property
    def table(self) -> Table:
        """The game as it truly is."""
        assert self.evening.game is not None
        return self.evening.game.table

    def ask(self, visitor: Visitor, asked: Asked, headers: Mapping[str, str], seed: int, chance: Chance) -> Answer:
        chance.seed(seed)
        status, received, chunks, close = self._open(visitor, asked, headers)
        is_stream = ("Content-Type", "text/event-stream; charset=utf-8") in received and asked.method == "GET"
        body = read_stream(chunks) if is_stream else b"".join(chunks)
        close()
        # What the wall clock says differs from one second to the next. (Of a cookie's two ages one remains.)
        told = [(name, re.sub("Expires=[^;]+; ", "", value)) for name, value in received if name != "Date"]
        return Answer(status, told, body)

    def listen(self, visitor: Visitor) -> None:
        """Open a stream and keep it open."""
        _, _, self.streams[visitor.name], _ = self._open(visitor, Asked("GET", f"/t/{self.code}/stream?of=table"), {})

    def _open(
        self, visitor: Visitor, asked: Asked, headers: Mapping[str, str]
    ) -> tuple[str, list[tuple[str, str]], Iterator[bytes], Callable[[], None]]:
        """Call the application as a server does: Flask's test client takes longer than most of our answers."""
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, received: list[tuple[str, str]], _: object = None) -> Callable[[bytes], object]:
            started.append((status, received))
            return lambda _: None

        chunks = self.house.app.wsgi_app(environ(visitor, asked, headers), start)
        (status, received), *_ = started
        return status, received, iter(chunks), getattr(chunks, "close", lambda: None)


def environ(visitor: Visitor, asked: Asked, headers: Mapping[str, str]) -> dict[str, object]:
    """The request as WSGI has it."""
    path, _, query = asked.path.partition("?")
    body = urlencode(asked.form or {}).encode()
    sent = {"Host": "localhost", **headers, **asked.headers}
    if visitor.cookies:
        sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    return {
        "REQUEST_METHOD": asked.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REMOTE_ADDR": visitor.address,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_TYPE": "application/x-www-form-urlencoded",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in sent.items()},
    }


def read_stream(chunks: Iterator[bytes]) -> bytes:
    """What a stream says now (with `BEAT_SECONDS` 0 it beats when it has no more to say)."""
    said = b""
    for chunk in chunks:
        if chunk == b": \n\n":
            break
        said += chunk
    return said


# A pair of worlds


class Plan(NamedTuple):
    """Everything that two worlds share, and the two deals. `seed` decides what is done and asked."""

    mode: str
    options: str
    deals: tuple[i.Deal, i.Deal]
    pause: int
    seed: int

    @property
    def players(self) -> int:
        return len(self.deals[0].cards)

    @property
    def moved(self) -> frozenset[int]:
        """The seats whose cards differ."""
        both = enumerate(zip(self.deals[0].cards, self.deals[1].cards, strict=True), 1)
        return frozenset(seat for seat, (one, two) in both if one != two)


def plan(mode: Mode, seed: int, pauses: Sequence[int] = (0, 0, 0, 4)) -> Plan:
    """A pair of deals that the table screen, and every seat whose card stays, cannot tell apart."""
    rng = Random(f"{mode.id} {seed}")
    while True:
        options, deal = random_deal(mode, rng, least=6 if mode.composer else 3)
        hidden = hidden_from(mode.ruleset, options, deal, TABLE)
        if len(hidden) < 2:
            continue
        # Where few cards lie elsewhere, somebody else can die first, and the worlds look alike for longer.
        twin = another_deal(deal, sorted(rng.sample(hidden, rng.randint(2, len(hidden)))), rng)
        if rng.random() < 0.5 and _taken_for_each_other(deal) != deal:
            twin = _taken_for_each_other(deal)
        if twin != deal and not mode.ruleset.check(mode.ruleset.read_options(options), twin.cards, True):
            return Plan(mode.id, options, (deal, twin), rng.choice(pauses), seed)


def _taken_for_each_other(deal: i.Deal) -> i.Deal:
    """The deal with 伪帝 and the lord whom it copies in each other's seats; the same one without a 伪帝."""
    cards = list(deal.cards)
    for seat, card in enumerate(deal.cards, 1):
        if card.role == "false_emperor" and card.target:
            cards[seat - 1] = deal.cards[card.target - 1]
            cards[card.target - 1] = card._replace(target=seat)
    return i.Deal(tuple(cards))


class Pair:
    """Two worlds in step: whatever is asked is asked in both, and compared for those who have not been told."""

    def __init__(self, folder: Path, lobby: Lobby, plan: Plan, chance: Chance) -> None:
        self.plan, self.chance = plan, chance
        self.rng = Random(plan.seed)
        self.mode = find_mode(plan.mode)
        self.worlds = (World(folder / "one", lobby), World(folder / "two", lobby))
        self.code = lobby.code
        self.visitors = visitors(lobby.code, lobby.other, plan.players)
        self.told: set[int] = set()
        self.compared: Counter[str] = Counter()
        self.parted_by: Counter[str] = Counter()
        self.etags: dict[tuple[str, str], str] = {}
        self.after_death = 0
        self._asked = 0
        self._facts = (0, 0)

    def close(self) -> None:
        for world in self.worlds:
            world.house.store.close()

    # Asking

    def visitor(self, name: str) -> Visitor:
        """The visitor of this name."""
        return next(visitor for visitor in self.visitors if visitor.name == name)

    def ask(self, visitor: Visitor, asked: Asked, headers: Mapping[str, str] | None = None) -> Answer:
        """The answer of the first world, which is that of the second for a visitor who has not been told."""
        self._asked += 1
        one, two = (world.ask(visitor, asked, headers or {}, self._asked, self.chance) for world in self.worlds)
        if one.status.startswith("500"):
            raise AssertionError(f"a fault at {asked}: two faults may look alike, and compare nothing")
        if visitor.viewer not in self.told:
            self.compared[visitor.name] += 1
            self.compared["dead seat"] += self._is_dead(visitor.viewer)
            if one != two:
                what = f"{visitor.name} can tell by {asked.method} {asked.path} {asked.form} {headers}"
                raise Leak(visitor.viewer, f"{what}\n{self._difference(one, two)}")
        return one

    def _is_dead(self, viewer: int) -> bool:
        game = self.worlds[0].evening.game
        return game is not None and viewer != TABLE and not game.table.seat(viewer).alive

    def posted(self, path: str, **form: str) -> Asked:
        """A form of the table's own pages."""
        return Asked("POST", f"/t/{self.code}{path}", {"back": "seat", "key": "posted", **form})

    def look(self, visitor: Visitor, variant: Variant, language: str, *, as_fragment: bool = False) -> Answer | None:
        """Call a route as the visitor's browser does: whole, or as the page asks for itself again."""
        back = self.rng.choice(("seat", "table", "host"))
        evening, rng = self.worlds[0].evening, self.rng
        step = rng.randint(1, len(evening.game.standing)) if evening.game else 1
        moment = Moment(self.code, evening.phase, self.plan.mode, back, rng.randint(1, self.plan.players), step)
        asked = variant(moment, visitor)
        if asked is None:
            return None
        headers = {"Accept-Language": language}
        if rng.random() < 0.5:
            headers["Accept-Encoding"] = "gzip"
        if as_fragment:
            headers["HX-Request"] = "true"
            if asked.method == "GET" and (known := self.etags.get((visitor.name, asked.path + language))):
                headers["If-None-Match"] = known
        answer = self.ask(visitor, asked, headers)
        if etag := dict(answer.headers).get("ETag"):
            self.etags[visitor.name, asked.path + language] = etag
        return answer

    def look_about(self, times: int) -> None:
        """A few looks at random, most of them at what is looked at most, by those who are still to be fooled."""
        watching = [visitor for visitor in self.visitors if visitor.viewer not in self.told]
        everything = [variant for variants in CALLS.values() for variant in variants]
        for _ in range(times if watching else 0):
            chance = self.rng.random()
            pool = WATCHED if chance < 0.6 else everything if chance < 0.95 else ASTRAY
            self.look(
                self.rng.choice(watching),
                self.rng.choice(pool),
                self.rng.choice(LANGUAGES),
                as_fragment=self.rng.random() < 0.7,
            )

    # Playing

    def deal(self) -> None:
        """Deal, as the host. All but those whose cards differ are to be fooled from now on."""
        path = "/host/deal" if self.worlds[0].evening.phase == "lobby" else "/again"
        asked = Asked("POST", f"/t/{self.code}{path}", {"back": "host"})
        host = self.visitor("host")
        for world, deal in zip(self.worlds, self.plan.deals, strict=True):
            world.house.stack(deal)
            world.ask(host, asked, {}, self._asked, self.chance)
        self.told, self._facts = set(self.plan.moved), (0, 0)
        fooled = {visitor.viewer for visitor in self.visitors} - self.told
        self.told |= {viewer for viewer in sorted(fooled) if self._was_told(viewer)}
        self._facts = (len(self.worlds[0].table.facts), len(self.worlds[1].table.facts))

    def moderate(self) -> None:
        """The moderator opens the view of everything, and is compared on all pages but that one from now on."""
        opened = self.ask(self.visitor("moderator"), self.posted("/host/everything", back="host"))
        assert opened.status.startswith("303"), opened.status

    def listen(self) -> None:
        """Some keep a stream open."""
        for visitor in self.rng.sample(self.visitors, 3):
            for world in self.worlds:
                world.listen(visitor)

    def record(self, entered: i.Input) -> None:
        """Somebody records: whole, or as the recorder's form sends it; now and then the form is sent twice."""
        visitor = self.rng.choice([one for one in self.visitors if one.may_record])
        if isinstance(entered, i.Use) and self.rng.random() < 0.8:
            visitor = next((one for one in self.visitors if one.viewer == entered.seat), visitor)
        form = {"input": i.write(entered)}
        if self.rng.random() < 0.5:
            form = as_form(entered) or form
        if self.rng.random() < 0.5:
            form["again"] = "1"
        self.act(visitor, "/record", form)
        if self.rng.random() < 0.1:
            self.act(visitor, "/record", form, repeated=True)

    def act(self, visitor: Visitor, path: str, form: Mapping[str, str], *, repeated: bool = False) -> None:
        """Send a form that is meant, and see who was told what by it."""
        number = self._asked - 1 if repeated else self._asked
        if path == "/host/change":
            self._facts = (0, 0)  # the whole game is played again
        back = self.rng.choice(("seat", "table", "host"))
        asked = Asked("POST", f"/t/{self.code}{path}", {**form, "back": back, "key": f"act {number}"})
        self._settle(lambda: self.ask(visitor, asked, {"HX-Request": "true"} if self.rng.random() < 0.5 else {}))

    def move_clock(self, seconds: float) -> None:
        """Let time pass in both worlds: what was held may count then."""

        def move() -> None:
            for world in self.worlds:
                world.house.clock.move(seconds)

        self._settle(move)

    def _settle(self, action: Callable[[], object]) -> None:
        """Do it; whoever was told something that differs need not be fooled any longer."""
        steps = len(self.worlds[0].table.inputs)
        fooled = {visitor.viewer for visitor in self.visitors} - self.told
        leak: Leak | None = None
        try:
            action()
        except Leak as found:
            leak = found
        ended = any(world.table.state.ended for world in self.worlds)  # then all cards lie open
        self.told |= {viewer for viewer in sorted(fooled) if self._was_told(viewer) or ended}
        self._facts = (len(self.worlds[0].table.facts), len(self.worlds[1].table.facts))
        if leak and leak.viewer not in self.told:
            raise leak
        was_entered = len(self.worlds[0].table.inputs) > steps
        has_died = any(isinstance(h.fact, Died) for h in self.worlds[0].table.facts)
        self.after_death += was_entered and has_died and TABLE not in self.told

    def _was_told(self, viewer: int) -> bool:
        """Whether the last facts told the viewer the worlds apart; Leak if it was no clause's to tell."""
        one, two = (_told(world.table, viewer, count) for world, count in zip(self.worlds, self._facts, strict=True))
        if one == two:
            return False
        first = first_difference(one, two)
        if not all(may_tell(self.mode, happened) for happened in first):
            raise Leak(viewer, f"viewer {viewer} can tell by “{first[0]}”: {self.plan}")
        self.parted_by.update(happened.clause for happened in first)
        return True

    def hear(self) -> None:
        """What the streams have said since."""
        for visitor in self.visitors:
            heard = [read_stream(world.streams[visitor.name]) for world in self.worlds if visitor.name in world.streams]
            if heard and visitor.viewer not in self.told and heard[0] != heard[1]:
                raise Leak(visitor.viewer, f"the stream of {visitor.name} says {heard}: {self.plan}")

    def _difference(self, one: Answer, two: Answer) -> str:
        headers = [pair for pair in zip_longest(one.headers, two.headers) if pair[0] != pair[1]]
        bodies = zip_longest(*(answer.text.split("\n") for answer in (one, two)))
        lines = [pair for pair in bodies if pair[0] != pair[1]]
        games = "\n".join(format_game(world.table, HOST, {}, {}, {}) for world in self.worlds)
        sizes = f"{len(one.body)} / {len(two.body)} bytes"
        return f"{one.status} / {two.status}, {sizes}\n{headers}\n{lines[:3]}\n{self.plan}\n{games}"


def as_form(entered: i.Input) -> dict[str, str]:
    """The fields in which the recorder sends it; none where it sends the line."""
    match entered:
        case i.Death(seat, int(by)) | i.Dying(seat, by):
            return {"verb": type(entered).__name__.lower(), "who": str(seat), "by": str(by or "-")}
        case i.Deaths(blows):
            return {"verb": "deaths", **{f"by-{blow.seat}": str(blow.by or "-") for blow in blows}}
        case i.Limit(seat, n) | i.Provinces(seat, n, True):
            return {"verb": type(entered).__name__.lower(), "who": str(seat), "n": f"{n:+d}"}
        case i.Correct(seat, what, n):
            return {"verb": "correct", "who": str(seat), "what": what, "n": str(n)}
    return {}


def _told(table: Table, viewer: int, since: int) -> list[Happened]:
    return told_to(viewer, table.facts[since:])


# A game in two worlds


def play(pair: Pair, acts: int, looks: int) -> None:
    """A game at random, entered over HTTP in both worlds, with `looks` looks after each act, until all is told."""
    rng, spared = pair.rng, pair.plan.moved | {1}
    if rng.random() < 0.2:
        pair.deal()
        pair.act(pair.visitor("host"), "/host/end", {})
    pair.deal()
    if rng.random() < 0.3:
        pair.moderate()
    pair.listen()
    for number in range(acts):
        if pair.worlds[0].evening.phase == "end" or pair.worlds[1].evening.phase == "end":
            break
        is_compared = pair.after_death >= 7  # long enough: now the worlds may part
        deaths = 0.1 if number < 1 else 0.9 if not pair.after_death else 0.3 if is_compared else 0.02
        _act(pair, deaths, frozenset() if is_compared else spared)
        pair.hear()
        pair.look_about(looks)


def _act(pair: Pair, deadly: float, spared: frozenset[int]) -> None:
    """Something that people do. It is chosen by what happened in the first world, and by public things only."""
    rng, game = pair.rng, pair.worlds[0].evening.game
    assert game is not None
    pair.move_clock(rng.choice((1, 1, 5, 12)))
    host, cards = rng.choice([one for one in pair.visitors if one.is_host]), game.cards()
    chance = rng.random()
    if game.held:
        if chance < 0.15:
            pair.act(rng.choice([host, pair.visitor("seat 1")]), "/withdraw", {"draft": game.held.draft.key})
        elif chance < 0.6:
            pair.move_clock(4)
    elif chance < 0.04:
        pair.act(host, "/host/undo", {"step": str(len(game.standing))})
    elif chance < (0.06 if pair.after_death < 5 else 0.2) and len(game.standing) > 2:
        _mend(pair, host)
    elif chance > 0.94 and game.row.pointer < len(cards):
        pair.act(host, "/done", {"announcement": cards[game.row.pointer].id})
    else:
        entered = random_input(pair.worlds[0].table, rng, deadly, spared)
        while isinstance(entered, i.Use) and entered.seat in spared and pair.after_death < 5:  # it would show the card
            entered = random_input(pair.worlds[0].table, rng, deadly, spared)
        if not isinstance(entered, i.End):
            pair.record(entered)


def _mend(pair: Pair, host: Visitor) -> None:
    """The host changes a line or takes it out, having seen what that would mean; takes several back; lets it rest."""
    rng, game = pair.rng, pair.worlds[0].evening.game
    assert game is not None
    last = len(game.standing)
    step = rng.randint(2, last)
    if rng.random() < 0.2:
        pair.act(host, "/host/undo", {"step": str(step), "last": str(last)})
        return
    if rng.random() < 0.2:
        pair.act(host, "/host/pause", {"on": "1"})
        pair.look_about(2)
        pair.act(host, "/host/pause", {"on": "0"})
        return
    line = "" if rng.random() < 0.3 else i.write(random_input(pair.worlds[0].table, rng, 0.3, pair.plan.moved | {1}))
    how = {"how": "change", "input": line} if line else {"how": "strike"}
    pair.ask(host, Asked("GET", f"/t/{pair.code}/host/line?{urlencode({'step': step, **how})}"))
    pair.act(host, "/host/change", {"step": str(step), "line": line, "seen": str(game.log.last_seq)})
    if amends := pair.worlds[0].evening.amends():
        pair.look_about(2)
        pair.act(rng.choice(pair.visitors), "/done", {"announcement": amends.id})


def rehearse_everything(pair: Pair) -> None:
    """The host looks in silence at what every change of every line would mean, in the midst of a game."""
    pair.deal()
    host = pair.visitor("host")
    for number in range(8):
        _act(pair, 0.1 if number < 2 else 0.5, pair.plan.moved | {1})
        if host.viewer in pair.told or pair.worlds[0].evening.phase == "end":
            return
    game = pair.worlds[0].evening.game
    assert game is not None
    for step in range(2, len(game.standing) + 1):
        ways: list[dict[str, object]] = [{"how": "strike"}, {"how": "undo"}]
        for seat in range(1, pair.plan.players + 1):
            killers = pair.rng.sample(range(1, pair.plan.players + 1), 2)
            ways += ({"how": "change", "verb": "death", "who": seat, "by": by} for by in killers)
        for way in ways:
            pair.ask(host, Asked("GET", f"/t/{pair.code}/host/line?{urlencode({'step': step, **way})}"))


def visit_everything(pair: Pair) -> None:
    """A short game; at each of its moments everybody calls every route, each time in the next language."""
    host, by = pair.visitor("host"), pair.visitor("seat 1")
    victim = next(n for n in range(pair.plan.players, 2, -1) if n not in pair.plan.moved)
    pair.visitors = [one for one in pair.visitors if one.viewer in (TABLE, 1, 2, victim)]
    _everybody_calls_everything(pair)
    pair.deal()
    pair.listen()
    moments: tuple[Callable[[], object], ...] = (
        pair.moderate,
        lambda: pair.act(by, "/record", {"input": "turn 2"}),
        lambda: pair.act(by, "/record", {"verb": "death", "who": str(victim), "by": "-"}),  # held
        lambda: pair.move_clock(4),  # and committed
        lambda: pair.act(host, "/host/undo", {"step": str(len(pair.worlds[0].table.inputs))}),
        lambda: pair.act(host, "/host/end", {}),
    )
    for change in moments:
        change()
        pair.hear()
        _everybody_calls_everything(pair)


def _everybody_calls_everything(pair: Pair) -> None:
    calls = [*CALLS.values(), *((variant,) for variant in ASTRAY)]
    watching = [visitor for visitor in pair.visitors if visitor.viewer not in pair.plan.moved]
    for number, visitor in enumerate(watching):
        for place, variants in enumerate(calls):
            for variant in variants:
                pair.look(visitor, variant, LANGUAGES[(number + place) % 3], as_fragment=(number + place) % 2 == 0)


@dataclass
class Worlds:
    """Makes pairs in a folder, with chance and the streams' beat held still. `compared` counts by visitor, `parted_by`
    by the clauses that told somebody the worlds apart.
    """

    folder: Path
    chance: Chance = field(default_factory=Chance)
    compared: Counter[str] = field(default_factory=Counter)
    parted_by: Counter[str] = field(default_factory=Counter)
    after_death: list[int] = field(default_factory=list)
    lobbies: dict[tuple[str, str, int, int], Lobby] = field(default_factory=dict)

    def lobby(self, plan: Plan) -> Lobby:
        """The lobby in which both worlds of the pair begin."""
        kind = (plan.mode, plan.options, plan.players, plan.pause)
        if kind not in self.lobbies:
            self.lobbies[kind] = seat_everybody(self.folder / f"lobby {len(self.lobbies)}.sqlite3", *kind)
        return self.lobbies[kind]

    def pair(self, plan: Plan, run: Callable[[Pair], None]) -> None:
        """Run something with a pair of worlds."""
        with self.chance.instead_of_secrets(), patch.object(stream, "BEAT_SECONDS", 0):
            pair = Pair(self.folder, self.lobby(plan), plan, self.chance)
            try:
                run(pair)
            finally:
                pair.close()
        self.compared += pair.compared
        self.parted_by += pair.parted_by
        self.after_death.append(pair.after_death)

    def many(self, mode: str, seeds: range, acts: int = 13, looks: int = 1) -> None:
        """A pair of one mode for each seed, each with a game. Raises Leak."""
        for seed in seeds:
            self.pair(plan(find_mode(mode), seed), lambda pair: play(pair, acts, looks))

    def rehearsals(self, mode: str, count: int) -> None:
        """So many pairs, in which every change of a line is rehearsed. Raises Leak."""
        for seed in range(count):
            self.pair(plan(find_mode(mode), seed, pauses=(0,)), rehearse_everything)

    def all_of_it(self, mode: str, seed: int) -> None:
        """Every route and method, from every kind of visitor, at every moment of one game. Raises Leak."""
        self.pair(plan(find_mode(mode), seed, pauses=(4,)), visit_everything)

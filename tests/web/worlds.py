"""Two worlds over HTTP: two tables at which everybody sees the same, though hidden cards lie elsewhere.

Both get the same requests: every route, from every kind of visitor, at every moment. What a visitor receives (status,
headers, bytes, stream) must be the same in both until a fact was told to that visitor which differs, and which a clause
that tells identities apart has caused (X16). The tables keep in step, and the console of the laptop says the same.
"""

from __future__ import annotations

import gzip
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO, StringIO
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar
from urllib.parse import urlencode

from companion.modes import Mode, find_mode
from companion.rules import inputs as i
from companion.rules.facts import HOST, TABLE, Died, Happened
from companion.rules.record import format_game
from companion.rules.table import Table
from companion.rules.views import told_to
from companion.tables import Evening, Running, hash_token
from tests.rules.deals import another_deal, random_deal
from tests.rules.worlds import first_difference, hidden_from, may_tell
from tests.web.calls import ASTRAY, CALLS, WATCHED, Asked, Moment, Variant, Visitor, token, visitors
from tests.web.evening import NAMES, Chance, House

LANGUAGES = ("zh-CN", "zh-TW", "en")
EVERYTHING: tuple[Variant, ...] = tuple(variant for variants in CALLS.values() for variant in variants)
FORMS: tuple[Variant, ...] = tuple(it for (_, method), variants in CALLS.items() if method == "POST" for it in variants)

Done = TypeVar("Done")


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
    """A database in which everybody is seated (and one was removed), the table's code, and that of another table.

    `last` is whoever sits last.
    """

    database: Path
    code: str
    other: str
    last: int


def seat_everybody(
    database: Path, mode: str, options: str, players: int, pause: int, *, is_last_phoneless: bool = False
) -> Lobby:
    house, chance = House(database), Chance()
    with chance.instead_of_secrets():
        evening, other = house.tables.open(mode)[0], house.tables.open(mode)[0]
    settings = replace(evening.settings, screen=hash_token("the-screen")).write()
    house.store.change_table(evening.row.id, host_hash=hash_token("the-host"), settings=settings)
    house.store.change_table(other.row.id, host_hash=hash_token("the-other-host"))
    other.join("某", token("elsewhere"))
    removed = evening.join("丑", token("removed"))
    evening.remove(removed.id)
    with chance.instead_of_secrets():
        for place in range(players):
            if is_last_phoneless and place == players - 1:
                evening.add(NAMES[place], "last")
                person = evening.people[-1]
                continue
            person = evening.join(NAMES[place], token("signed-out" if place == 0 else f"seat-{place + 1}"))
            if place == 0:
                evening.ask(person.id, token("seat-1"))
                evening.approve([claim.id for claim in evening.claims])
        evening.ask(person.id, token("asking"))
    evening.choose(mode, dict(option.split("=") for option in options.split()), pause)
    house.store.close()
    return Lobby(database, evening.row.code, other.row.code, person.id)


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
    def game(self) -> Running:
        assert self.evening.game is not None
        return self.evening.game

    @property
    def table(self) -> Table:
        """The game as it truly is."""
        return self.game.table

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
    is_last_phoneless: bool = False

    @property
    def players(self) -> int:
        return len(self.deals[0].cards)

    @property
    def moved(self) -> frozenset[int]:
        """The seats whose cards differ."""
        both = enumerate(zip(self.deals[0].cards, self.deals[1].cards, strict=True), 1)
        return frozenset(seat for seat, (one, two) in both if one != two)

    @property
    def phoneless(self) -> int | None:
        """The seat of whoever has no phone."""
        return self.players if self.is_last_phoneless else None


def plan(mode: Mode, seed: int, pauses: Sequence[int] = (0, 4)) -> Plan:
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
            return Plan(mode.id, options, (deal, twin), rng.choice(pauses), seed, rng.random() < 0.5)


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

    def __init__(self, folder: Path, lobby: Lobby, plan: Plan, chance: Chance, console: StringIO) -> None:
        self.plan, self.chance, self.console = plan, chance, console
        self.rng = Random(plan.seed)
        self.mode = find_mode(plan.mode)
        self.worlds = (World(folder / "one", lobby), World(folder / "two", lobby))
        self.code, self.last = lobby.code, lobby.last
        everybody = visitors(lobby.code, lobby.other, plan.players)
        self.visitors = [visitor for visitor in everybody if visitor.viewer != plan.phoneless]
        self.told: set[int] = set()
        self.compared: Counter[str] = Counter()
        self.parted_by: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
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
        one, two = self._both(lambda world: world.ask(visitor, asked, headers or {}, self._asked, self.chance))
        if one.status.startswith("500"):
            raise AssertionError(f"a fault at {asked}: two faults may look alike, and compare nothing")
        if visitor.viewer not in self.told:
            self.compared[visitor.name] += 1
            self.compared["dead seat"] += self._is_dead(visitor.viewer)
            if one != two:
                what = f"{visitor.name} can tell by {asked.method} {asked.path} {asked.form} {headers}"
                raise Leak(visitor.viewer, f"{what}\n{self._difference(one, two)}")
        return one

    def _both(self, action: Callable[[World], Done]) -> tuple[Done, Done]:
        """Do it in both worlds. What the server prints meanwhile can be read by whoever stands at the laptop."""
        done, printed = [], []
        for world in self.worlds:
            self.console.seek(0)
            self.console.truncate()
            done.append(action(world))
            printed.append(self.console.getvalue())
        if TABLE not in self.told and printed[0] != printed[1]:
            raise Leak(TABLE, f"the console says {printed}: {self.plan}")
        return done[0], done[1]

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
        """A few looks at random, most of them at what is looked at most, by those who are still to be fooled.

        Now and then a form is sent by one of the others, whose card differs: nobody else may tell by what comes of it.
        """
        watching = [visitor for visitor in self.visitors if visitor.viewer not in self.told]
        knowing = [visitor for visitor in self.visitors if visitor.viewer in self.told]
        for _ in range(times if watching else 0):
            if knowing and self.worlds[0].evening.game and self.rng.random() < 0.15:
                self._settle(lambda: self._look_at_random(knowing, FORMS))
            chance = self.rng.random()
            pool = WATCHED if chance < 0.6 else EVERYTHING if chance < 0.95 else ASTRAY
            self._look_at_random(watching, pool)

    def _look_at_random(self, visitors: Sequence[Visitor], pool: Sequence[Variant]) -> None:
        rng = self.rng
        self.look(rng.choice(visitors), rng.choice(pool), rng.choice(LANGUAGES), as_fragment=rng.random() < 0.7)

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
        fooled = self._viewers() - self.told
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
        if isinstance(entered, i.Use) and self.rng.random() < 0.8:
            self.use(entered)
            return
        visitor = self.anybody()
        form = {"input": i.write(entered)}
        if self.rng.random() < 0.5:
            form = as_form(entered) or form
        if self.rng.random() < 0.5:
            form["again"] = "1"
        self.act(visitor, "/record", form)
        if self.rng.random() < 0.1:
            self.act(visitor, "/record", form, repeated=True)

    def anybody(self) -> Visitor:
        """Somebody who may record."""
        return self.rng.choice([one for one in self.visitors if one.may_record])

    def use(self, entered: i.Use) -> None:
        """The owner uses a skill; without a phone, from the card that is opened on another one."""
        if entered.seat == self.plan.phoneless:
            self.act(self.open_card(), "/pass/use", {"person": str(self.last), "input": i.write(entered)})
        elif owner := [one for one in self.visitors if one.viewer == entered.seat]:
            self.act(owner[0], "/record", {"input": i.write(entered)})

    def open_card(self, opener: Visitor | None = None) -> Visitor:
        """The card of whoever has no phone is opened on another one. Who opens it is told what it shows."""
        opener = opener or self.rng.choice([one for one in self.visitors if one.viewer != TABLE])
        if self.plan.phoneless in self.told:
            self.told.add(opener.viewer)
        self.act(opener, "/pass", {"person": str(self.last)})
        return opener

    def act(self, visitor: Visitor, path: str, form: Mapping[str, str], *, repeated: bool = False) -> None:
        """Send a form that is meant, and see who was told what by it.

        In `done` it is counted if it changed anything; what is recorded while a death is held, in any case.
        """
        game, version = self.worlds[0].game, self.worlds[0].evening.row.version
        held = "while held: " if game.held else ""
        number = self._asked - 1 if repeated else self._asked
        if path == "/host/change":
            self._facts = (0, 0)  # the whole game is played again, and other lines may no longer fit
        back = self.rng.choice(("seat", "table", "host"))
        asked = Asked("POST", f"/t/{self.code}{path}", {**form, "back": back, "key": f"act {number}"})
        # Whoever is not compared is led to the page by a redirect, which costs less than the page.
        is_alive = visitor.viewer not in self.told and self.rng.random() < 0.5
        headers = {"HX-Request": "true"} if is_alive else {}
        self._settle(lambda: self.ask(visitor, asked, headers), is_replayed=path == "/host/change")
        if held or self.worlds[0].evening.row.version != version:
            self.done[f"{held}{form.get('input', path).split()[0]}"] += 1

    def move_clock(self, seconds: float) -> None:
        """Let time pass in both worlds: what was held may count then."""
        self._settle(lambda: self._both(lambda world: world.house.clock.move(seconds)))

    def _settle(self, action: Callable[[], object], *, is_replayed: bool = False) -> None:
        """Do it; whoever was told something that differs need not be fooled any longer."""
        steps = len(self.worlds[0].table.inputs)
        fooled, was_fooled = self._viewers() - self.told, TABLE not in self.told
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
        if was_fooled and not (is_replayed and TABLE in self.told):
            self._check_in_step()
        was_entered = len(self.worlds[0].table.inputs) > steps
        has_died = any(isinstance(h.fact, Died) for h in self.worlds[0].table.facts)
        self.after_death += was_entered and has_died and TABLE not in self.told

    def _viewers(self) -> set[int]:
        """As whom the game is seen, also by whoever has no phone."""
        return {TABLE, *range(1, self.plan.players + 1)}

    def _check_in_step(self) -> None:
        """Whether both tables have recorded the same, at the same time, and told as often that something is new.

        A skill is its owner's, whose card may differ: what comes of it is a matter of facts.
        """
        lines = [[entry.text for entry in world.game.standing[1:]] for world in self.worlds]
        public: list[object] = [[line for line in each if not line.startswith("use ")] for each in lines]
        if lines[0] == lines[1]:
            public = [
                (world.game.held and world.game.held.draft.text, world.evening.row.version) for world in self.worlds
            ]
        if public[0] != public[1]:
            raise Leak(TABLE, f"one table is ahead of the other: {lines} {public}: {self.plan}")

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

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to be compared."""
        return self._viewers() == self.told or any(world.evening.phase == "end" for world in self.worlds)

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

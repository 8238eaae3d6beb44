"""Every form and every address of every table at every moment, sent by everybody, with anything in it."""

from __future__ import annotations

import re
import sqlite3
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple
from urllib.parse import urlencode

from hypothesis import given
from hypothesis import strategies as st

from companion.modes import MODES, find_mode
from companion.rules.inputs import IllegalInput, write
from companion.web.access import LANGUAGES
from tests.fuzz.words import lines, numbers, words
from tests.rules.games import random_input
from tests.web.calls import CALLS, Asked, Moment, Visitor, visitors
from tests.web.evening import Chance, House, the_app
from tests.web.worlds import Lobby, World, environ, seat_everybody

When = Literal["lobby", "cards", "play", "held", "end"]

RULES = sorted(rule.rule for rule in the_app().url_map.iter_rules() if "POST" in (rule.methods or ()))
PAGES = sorted(
    rule.rule
    for rule in the_app().url_map.iter_rules()
    if "GET" in (rule.methods or ()) and not rule.rule.endswith("/stream")  # which never ends
)
ASKED = ["of", "what", "card", "step", "how", "verb", "who", "by", "n", "input", "back"]
GUEST = Visitor("guest")
FIELDS = sorted(
    {
        name
        for (_, method), variants in CALLS.items()
        if method == "POST"
        for variant in variants
        for name in (variant(Moment("CODE", "play", "court8", "seat", 1), GUEST) or Asked("", "")).form or {}
    }
    | {"again", "option-hp", "option-branch", "by-1", "by-2", "shown", "preset", "count", "draft", "points", "on", "in"}
    | {
        "players",
        "variant",
        "paper",
        "size",
        "dpi",
        "backs",
        "marks",
        "bleed",
        "margin",
        "x",
        "y",
        "network",
        "password",
    }
    | {"names", "width", "height", "single", "address"}
)
HOST = 4
"""The host's place among all visitors; the seats are behind."""
TYPES = ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json", "text/plain", ""]


class Sent(NamedTuple):
    """One request: the route, who sends it (by number), the form or the raw body, and what else it says of itself.

    `usual`: the form is one that a test or a page sends, with `form` in the place of its own fields.
    """

    rule: str
    who: int
    usual: int | None
    form: list[tuple[str, str]]
    raw: tuple[str, bytes] | None
    headers: Mapping[str, str]
    seconds: int


headers = st.dictionaries(
    st.sampled_from(["HX-Request", "Accept-Language", "If-None-Match", "Accept-Encoding", "User-Agent"]),
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12),
    max_size=2,
)
VALUES = {"mode": st.sampled_from(MODES) | words, "person": numbers, "pause": numbers, "input": lines}
fields = st.sampled_from(FIELDS).flatmap(lambda field: st.tuples(st.just(field), VALUES.get(field, words | lines)))
forms = st.lists(fields | st.tuples(st.text(max_size=6), words), max_size=6)
records = lines.map(lambda line: [("input", line), ("key", line), ("again", "1")])
requests = st.builds(
    Sent,
    rule=st.sampled_from(RULES) | st.just("/t/<code>/record"),
    who=st.sampled_from([HOST, HOST, HOST + 1, HOST + 2, -1]) | st.integers(0, 20),
    usual=st.none() | st.integers(0, 20),
    form=forms | records,
    raw=st.none() | st.none() | st.tuples(st.sampled_from(TYPES), st.binary(max_size=60)),
    headers=headers,
    seconds=st.sampled_from([0, 0, 0, 1, 5]),
)

chosen = st.tuples(st.just("lang"), st.sampled_from(LANGUAGES))
queries = st.lists(chosen, max_size=1) | st.lists(st.tuples(st.sampled_from(ASKED), words | lines), max_size=3)
parts = st.sampled_from(["\r\nX-Evil: 1", "\\evil.example", "/evil.example"]) | words.map(str)
addresses = st.tuples(st.sampled_from(PAGES), st.none() | parts) | st.tuples(parts.map("/{}".format), st.none())
"""A page's rule, and what stands in the place of its parts (None: the table's code)."""


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@cache
def begun(mode: str, when: When) -> tuple[Lobby, int]:
    """A table at which everybody sits, at this moment, and the number of its players."""
    rng, players = Random(f"{mode} {when}"), find_mode(mode).players[-1]
    database = Path(folder().name) / f"{mode} {when}.sqlite3"
    lobby = seat_everybody(database, mode, "", players, pause=4 if when == "held" else 0)
    house = House(database)
    evening = house.tables.evening(lobby.code)
    if when == "cards":
        evening.choose_dealing(True)
    if when in ("play", "held", "end"):
        evening.deal()
    for number in range(12 if when == "play" else 0):
        with suppress(IllegalInput):
            assert evening.game is not None
            evening.record(write(random_input(evening.game.table, rng, deadly=0.1)), str(number), None, again=True)
    if when == "held":
        evening.record(f"leave {players}", "held", None)
    if when == "end":
        evening.end("end", None)
    house.store.close()
    return lobby, players


def changes(watching: sqlite3.Connection) -> int:
    """A number that rises with everything that somebody else writes to the database."""
    return int(watching.execute("PRAGMA data_version").fetchone()[0])


def filled(sent: Sent, code: str) -> list[tuple[str, str]]:
    """The form that is sent."""
    variants = CALLS[sent.rule, "POST"]
    if sent.usual is None:
        return sent.form
    usual = variants[sent.usual % len(variants)](Moment(code, "play", "court8", "seat", sent.usual), GUEST)
    assert usual is not None
    own = dict(sent.form)
    return [(name, str(value)) for name, value in (usual.form or {}).items() if name not in own] + sent.form


def ask(world: World, who: Visitor, path: str, sent: Sent | None = None) -> tuple[int, str]:
    """Status and text of the answer: to the form that is sent, or the page."""
    form = {} if sent is None else sent.headers
    request = environ(who, Asked("POST" if sent else "GET", path), form)
    if sent:
        kind, body = sent.raw or (TYPES[0], urlencode(filled(sent, world.code)).encode())
        request |= {"CONTENT_TYPE": kind, "CONTENT_LENGTH": str(len(body)), "wsgi.input": BytesIO(body)}
    statuses: list[str] = []
    chunks = world.house.app.wsgi_app(request, lambda status, *_: statuses.append(status))  # type: ignore[arg-type]
    text = b"".join(chunks).decode("utf-8", "replace")
    return int(statuses[0][:3]), text


def records_of(world: World, everybody: Sequence[Visitor]) -> list[tuple[int, str]]:
    return [ask(world, who, f"/t/{world.code}/record.txt") for who in everybody]


@given(
    st.sampled_from(MODES),
    st.sampled_from(["lobby", "cards", "play", "held", "end"]),
    st.lists(requests, min_size=1, max_size=6),
)
def test_no_form_breaks_a_table(mode: str, when: When, sent: list[Sent]) -> None:
    lobby, players = begun(mode, when)
    world = World(Path(folder().name) / "world", lobby)
    everybody = visitors(lobby.code, lobby.other, players)
    some = (GUEST, everybody[HOST], everybody[HOST + 1])
    with closing(sqlite3.connect(world.house.database)) as watching:
        for one in sent:
            world.house.clock.move(one.seconds)
            before = changes(watching)
            status, text = ask(world, everybody[one.who % len(everybody)], one.rule.replace("<code>", lobby.code), one)
            assert status < 500 and "Traceback" not in text
            assert status < 400 or changes(watching) == before, "refused, and yet something was changed"
    for who in some:
        for page in ("", "/seat", "/host", "/print"):
            assert ask(world, who, f"/t/{lobby.code}{page}")[0] < 500
    known = records_of(world, some)
    world.house.store.close()
    world.house.start()
    assert records_of(world, some) == known, "what was shown is not what is kept"
    world.house.store.close()


@given(
    st.sampled_from(MODES),
    st.sampled_from(["lobby", "cards", "play", "held", "end"]),
    st.lists(st.tuples(addresses, queries, headers, st.integers(0, 20)), min_size=1, max_size=6),
)
def test_no_address_breaks_a_table(
    mode: str, when: When, asked: list[tuple[tuple[str, str | None], list[tuple[str, str]], Mapping[str, str], int]]
) -> None:
    lobby, players = begun(mode, when)
    world = World(Path(folder().name) / "world", lobby)
    everybody = visitors(lobby.code, lobby.other, players)
    with closing(sqlite3.connect(world.house.database)) as watching:
        before = changes(watching)
        for (rule, part), query, told, who in asked:
            path = re.sub("<[^>]+>", "~", rule).replace("~", part or lobby.code).replace("?", "")
            address = f"{path}?{urlencode(query)}".encode("utf-8", "surrogatepass").decode("latin-1")
            answer = world.ask(everybody[who % len(everybody)], Asked("GET", address), told, 0, Chance())
            assert int(answer.status[:3]) < 500 and "Traceback" not in answer.text
            leads = dict(answer.headers).get("Location", "/").removeprefix("http://localhost")
            assert leads[0] == "/" and leads[1:2] not in ("/", "\\"), "it leads away"
        assert changes(watching) == before, "to look changes nothing"
    world.house.store.close()


fuzz = test_no_form_breaks_a_table.hypothesis.fuzz_one_input  # type: ignore[attr-defined]

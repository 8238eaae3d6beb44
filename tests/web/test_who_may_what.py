"""Every route for every kind of visitor, before, during and after a game, against the table in `who_may_what.txt`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, get_args
from unittest.mock import patch
from urllib.parse import parse_qsl

import pytest

from companion.tables import Phase
from companion.web import stream
from companion.web.headers import HEADERS, KEPT, NOT_KEPT
from tests.web.calls import Asked, Visitor, routes, visitors
from tests.web.evening import COURT8, HTMX, ORIGIN, Chance
from tests.web.worlds import Answer, Lobby, World, seat_everybody

TABLE = Path(__file__).with_name("who_may_what.txt")
PHASES: tuple[Phase, ...] = get_args(Phase)
COLUMNS = ("outside", "screen", "seat", "host", "both", "sees")
DEAD = "seat 6"


def column(visitor: Visitor) -> str:
    """Where the table says what this visitor is answered."""
    known = {"table screen": "screen", "host": "host", "host in seat 2": "both", "moderator": "sees"}
    return known.get(visitor.name, "seat" if visitor.viewer else "outside")


class Row(NamedTuple):
    """What is sent to a route, and what each column of visitors is answered in each phase."""

    method: str
    rule: str
    sent: str
    answers: Mapping[tuple[str, Phase], str]


def read_table() -> list[Row]:
    rows = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            (method, rule, *cells), sent = line.partition("|")[0].split(), line.partition("|")[2]
            answers: dict[tuple[str, Phase], str] = {}
            for name, cell in zip(COLUMNS, cells, strict=True):
                parts = cell.split("/")
                answers.update({(name, phase): parts[place % len(parts)] for place, phase in enumerate(PHASES)})
            rows.append(Row(method, rule, "&".join(sent.split()), answers))
    return rows


ROWS = read_table()


def test_every_route_has_its_row() -> None:
    listed = [(row.rule, row.method) for row in ROWS]
    assert len(listed) == len(set(listed))
    missing, gone = routes() - set(listed), set(listed) - routes()
    assert not missing, f"Who may ask {sorted(missing)}, and who may not? Add a row for each to {TABLE.name}."
    assert not gone, f"There is no {sorted(gone)} any more: take the rows out of {TABLE.name}."


class Doors:
    """A table in each of its phases, as it is before anybody asks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.chance = Chance()
        lobby = seat_everybody(folder / "lobby.sqlite3", "court8", "", 8, 0)
        self.lobbies: dict[Phase, Lobby] = {"lobby": lobby}
        self.visitors = visitors(lobby.code, lobby.other, 8)
        self._go_on("lobby", "play", ("host", "/host/deal", ""), ("moderator", "/host/everything", ""))
        self._go_on("play", "play", ("seat 1", "/record", "input=death+6+by+2&key=before"))
        self._go_on("play", "end", ("host", "/host/end", "key=before"))

    def _go_on(self, phase: Phase, next_: Phase, *acts: tuple[str, str, str]) -> None:
        world, lobby = self.world(phase), self.lobbies[phase]
        world.house.stack(COURT8)
        for name, path, form in acts:
            visitor = next(one for one in self.visitors if one.name == name)
            done = self.ask(world, visitor, Asked("POST", f"/t/{lobby.code}{path}", dict(parse_qsl(form))))
            assert done.status.startswith("303"), done
        assert world.evening.phase == next_
        world.house.store.close()
        database = self.folder / f"{next_}.sqlite3"
        shutil.copy(world.house.database, database)
        self.lobbies[next_] = lobby._replace(database=database)

    def world(self, phase: Phase) -> World:
        return World(self.folder / "asked", self.lobbies[phase])

    def ask(self, world: World, visitor: Visitor, asked: Asked, headers: Mapping[str, str] | None = None) -> Answer:
        with self.chance.instead_of_secrets(), patch.object(stream, "BEAT_SECONDS", 0):
            return world.ask(visitor, asked, headers or {}, 1, self.chance)


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    with patch.object(stream, "BEAT_SECONDS", 0):
        yield Doors(tmp_path_factory.mktemp("doors"))


def asked(row: Row, world: World) -> Asked:
    """The row's request to the world as it is."""
    names = {"<code>": world.code, "<path:filename>": "companion.css", "<job>": "none", "<name>": "cards.pdf"}
    path = row.rule
    for name, value in {**names, "<token>": "none", "<card>": "0AB1CX"}.items():
        path = path.replace(name, value)
    evening = world.evening
    claim = evening.claims[0].id if evening.claims else 0
    sent = row.sent.format(code=world.code, other=evening.people[3].id, claim=claim)
    if row.method == "GET":
        return Asked("GET", f"{path}?{sent}" if sent else path)
    return Asked(row.method, path, dict(parse_qsl(sent, keep_blank_values=True)))


def protects(answer: Answer) -> bool:
    """Whether the answer carries every header that protects, and is kept only if it is a file."""
    headers = dict(answer.headers)
    is_file = headers.get("Cache-Control") == KEPT["Cache-Control"] and headers["Content-Type"].startswith("text/css")
    kept = KEPT if is_file else NOT_KEPT
    return {**HEADERS, **kept}.items() <= headers.items() and "Server" not in headers


@pytest.mark.parametrize("phase", PHASES)
def test_each_visitor_is_answered_as_the_table_says(doors: Doors, phase: Phase) -> None:
    world, wrong = doors.world(phase), []
    for row in ROWS:
        for visitor in doors.visitors:
            wanted = row.answers[column(visitor), phase]
            answer = doors.ask(world, visitor, asked(row, world))
            if not answer.status.startswith(wanted):
                wrong.append(f"{row.method} {row.rule} {visitor.name}: {answer.status[:3]}, not {wanted}")
            assert protects(answer), (row.rule, visitor.name)
            if row.method == "POST" and answer.status < "4":
                world.house.store.close()
                world = doors.world(phase)
            elif row.method == "GET":
                again = doors.ask(world, visitor, asked(row, world), HTMX)
                is_led = wanted == "303" and "HX-Redirect" in dict(again.headers)
                assert protects(again) and (is_led or again.status.startswith(wanted)), (row.rule, visitor.name)
    world.house.store.close()
    assert not wrong, "\n".join(wrong)


def test_a_dead_seat_is_among_the_visitors(doors: Doors) -> None:
    for phase in ("play", "end"):
        world = doors.world(phase)
        seat = next(visitor.viewer for visitor in doors.visitors if visitor.name == DEAD)
        assert not world.table.seat(seat).alive
        world.house.store.close()


def test_no_route_answers_a_foreign_name_or_takes_a_form_from_elsewhere(doors: Doors) -> None:
    world = doors.world("play")
    before = world.evening.row.version
    etag = dict(doors.ask(world, doors.visitors[0], Asked("GET", f"/t/{world.code}"), HTMX).headers)["ETag"]
    origins = ("http://evil.example", "null", "https://localhost", "http://localhost:81")
    elsewhere: list[dict[str, str]] = [{}, *({"Origin": origin} for origin in origins)]
    for row in ROWS:
        for name in ("host", "host in seat 2", "moderator", "guest"):
            visitor = next(one for one in doors.visitors if one.name == name)
            request = asked(row, world)
            for more in ({}, HTMX, {**HTMX, "If-None-Match": etag}):
                named = doors.ask(world, visitor, request._replace(headers={**ORIGIN, "Host": "evil.example"}), more)
                assert named.status.startswith("400") and protects(named), row.rule
            for headers in elsewhere if row.method == "POST" else []:
                sent = doors.ask(world, visitor, request._replace(headers=headers))
                assert sent.status.startswith("403") and protects(sent), row.rule
    assert world.evening.row.version == before
    world.house.store.close()

"""Power cuts: the server is killed at random moments while phones record, and started again.

Everything that was acknowledged is there once, in its order; whoever got no answer sends the same again until there is
one, and that is there once, too. `COMPANION_KILLS=300 pytest tests/test_killed.py` kills as often as you like.
"""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from threading import Event, Thread
from urllib.parse import urlencode

from companion.storage import FILE_NAME, SqliteStore
from tests.running import PATIENCE, Server

KILLS = int(os.environ.get("COMPANION_KILLS", "30"))
KILLS_A_GAME = 15
NAMES = "甲乙丙丁戊"
LAPTOPS = 2
"""So many at once: starting keeps one processor busy."""


class Phone:
    """A phone with its cookies, which records one turn after the other. `sent`: all that it recorded, in order.

    What is not answered is sent again under the same key; `unanswered` counts how often that was so.
    """

    def __init__(self, server: Server, name: str) -> None:
        self.server = server
        self.name = name
        self.base = ""
        self.sent: list[str] = []
        self.unanswered = 0
        self._cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, form: Mapping[str, object] | None = None) -> tuple[int, str, str]:
        """Status, location and text of the answer. Raises OSError and HTTPException where there is none."""
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items()),
            "Origin": self.server.url,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        with closing(HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)) as line:
            line.request(method, self.base + path, urlencode(form or {}) if method == "POST" else None, headers)
            answer = line.getresponse()
            text = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        return answer.status, answer.headers.get("Location", ""), text

    def post(self, path: str, **form: object) -> str:
        """Send a form that must be accepted; where it leads to."""
        status, place, text = self.ask("POST", path, {"back": "seat", **form})
        assert status == 303, f"{self.name}: {path} {form} was answered {status}: {text[:2000]}"
        return place

    def sit_down(self, base: str) -> None:
        """Scan, and write a name."""
        self.base = base
        self.ask("GET", "/seat")
        self.post("/join", name=self.name)

    def card(self) -> tuple[str, str]:
        """Whose card the phone's page shows, and the identity on it."""
        _, _, page = self.ask("GET", "/seat")
        role = re.search(r'<p class="role">(.*?)</p>', page)
        owner = re.search(r'<p class="owner"><bdi>(.*?)</bdi></p>', page)
        assert role and owner, f"{self.name} has no card: {page[:2000]}"
        return owner[1], role[1]

    def deal(self) -> str:
        """The deal as this phone may know it: its own identity, and what is public."""
        status, _, record = self.ask("GET", "/record.txt")
        dealt = re.search(r"^1\. deal .*$", record, re.M)
        assert status == 200 and dealt, f"{self.name} gets no record: {status} {record[:2000]}"
        return dealt[0]

    def record_until(self, over: Event, rng: Random) -> None:
        """Record turns; now and then with a double tap."""
        while not over.is_set():
            self.sent.append(f"turn {rng.randint(1, len(NAMES))}")
            self._send_until_answered()
            if rng.random() < 0.2:
                self._send_until_answered()

    def _send_until_answered(self) -> None:
        while True:
            try:
                self.post("/record", input=self.sent[-1], key=len(self.sent), again=1)
            except ConnectionRefusedError:
                time.sleep(0.05)
            except (OSError, HTTPException):
                self.unanswered += 1
            else:
                return


def begun(server: Server) -> list[Phone]:
    """Everybody who plays a game that has just begun."""
    host = Phone(server, "host")
    base = host.base = host.post("/")
    phones = [Phone(server, name) for name in NAMES]
    for phone in phones:
        phone.sit_down(base)
    host.post("/host/settings", mode="classic", pause=0)
    host.post("/host/deal")
    return phones


@contextmanager
def recording(phones: list[Phone], rng: Random) -> Iterator[None]:
    """All record at once; at the end, each until its last record is acknowledged."""
    over, faults = Event(), []

    def record(phone: Phone, own: Random) -> None:
        try:
            phone.record_until(over, own)
        except BaseException as fault:
            faults.append(fault)

    threads = [Thread(target=record, args=(phone, Random(rng.random())), daemon=True) for phone in phones]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert not faults, faults


def an_evening(data: Path, kills: int, rng: Random) -> int:
    """One game with so many power cuts. Gives how many requests were not answered."""
    server = Server(data)
    try:
        server.start()
        phones = begun(server)
        cards, deals = [phone.card() for phone in phones], [phone.deal() for phone in phones]
        assert [owner for owner, _ in cards] == list(NAMES) and len(set(deals)) > 1
        with recording(phones, rng):
            for _ in range(kills):
                time.sleep(rng.uniform(0, 0.15))
                server.kill()
                if rng.random() < 0.2:
                    server.launch()
                    time.sleep(rng.uniform(0, 1))
                    server.kill()
                server.start()
                assert [phone.deal() for phone in phones] == deals, "a cookie opens another seat"
        assert [phone.card() for phone in phones] == cards
    finally:
        server.kill()
    assert "Traceback" not in server.said() and "rror" not in server.said()
    check(data / FILE_NAME, phones)
    return sum(phone.unanswered for phone in phones)


def check(database: Path, phones: list[Phone]) -> None:
    """What is kept is what was recorded: each person's records once and in their order."""
    with closing(sqlite3.connect(database)) as file:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with closing(SqliteStore(database)) as store:
        [table] = store.tables()
        [game] = store.games(table.id)
        people, log = store.people(table.id), store.read(game.id)
    assert [person.name for person in people] == list(NAMES)
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    assert len(log) == 1 + sum(len(phone.sent) for phone in phones)
    for person, phone in zip(people, phones, strict=True):
        assert [entry.text for entry in log if entry.by == person.id] == phone.sent


def test_a_killed_server_loses_and_doubles_nothing(tmp_path: Path) -> None:
    rng = Random()
    games = [min(KILLS_A_GAME, KILLS - done) for done in range(0, KILLS, KILLS_A_GAME)]
    folders = [tmp_path / str(number) for number in range(len(games))]
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor(LAPTOPS) as pool:
        unanswered = list(pool.map(an_evening, folders, games, (Random(rng.random()) for _ in games)))
    assert sum(unanswered) >= KILLS / 3, "hardly anybody was waiting for an answer: nothing was tried"

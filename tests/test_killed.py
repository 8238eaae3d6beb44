"""Power cuts: the server is killed at random moments while phones record, and started again.

Everything that was acknowledged is there once, in its order; whoever got no answer sends the same again until there is
one, and that is there once, too. `COMPANION_KILLS=300 pytest tests/test_killed.py` kills as often as you like.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread

from companion.storage import FILE_NAME, SqliteStore
from tests.phones import NAMES, Phone, begun
from tests.running import PATIENCE, Server

KILLS = int(os.environ.get("COMPANION_KILLS", "30"))
KILLS_A_GAME = 15
LAPTOPS = 2
"""So many at once: starting keeps one processor busy."""


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

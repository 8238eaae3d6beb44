"""The store in one SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from companion.storage import seats
from companion.storage.contract import (
    CardTaken,
    Claim,
    CodeTaken,
    Draft,
    DraftDropped,
    DraftHeld,
    Entry,
    Event,
    Game,
    Line,
    NotFound,
    Person,
    SeqTaken,
    Table,
    TokenTaken,
)
from companion.storage.database import Database

_TABLE = "SELECT id, code, host_hash, mode, options, settings, created, version FROM tables"
_PERSON = 'SELECT id, table_id AS "table", name, token_hash, place, removed, joined FROM people'
_GAME = 'SELECT id, table_id AS "table", number, mode, options, rules_version, pointer, notes, started FROM games'
_ENTRY = 'SELECT game, seq, kind, text, key, by_person AS "by", digest, at FROM log'
_DRAFT = 'SELECT game, key, text, by_person AS "by", at, due, state FROM drafts'


class SqliteStore:
    """Keeps the ``Store`` contract in the file at ``path``, which is made if it is missing.

    ``wait`` is the longest time in seconds that a write waits for others. Raises ``DatabaseTooNew`` (the file is
    left untouched) and ``StoreUnavailable``.
    """

    def __init__(self, path: Path | str, *, wait: float = 5.0) -> None:
        self._database = Database(Path(path), wait)

    def open_table(self, code: str, host_hash: str, mode: str, options: str, settings: str, at: int) -> Table:
        with self._database.write() as db:
            if db.execute("SELECT 1 FROM tables WHERE code = ?", (code.upper(),)).fetchone():
                raise CodeTaken(code.upper())
            made = db.execute(
                "INSERT INTO tables (code, host_hash, mode, options, settings, created) VALUES (?, ?, ?, ?, ?, ?)",
                (code.upper(), host_hash, mode, options, settings, at),
            )
            return _table(db, made.lastrowid)

    def table(self, table: int) -> Table:
        with self._database.read() as db:
            return _table(db, table)

    def table_by_code(self, code: str) -> Table | None:
        with self._database.read() as db:
            row = db.execute(f"{_TABLE} WHERE code = ?", (code.upper(),)).fetchone()
            return Table(**row) if row else None

    def tables(self) -> list[Table]:
        with self._database.read() as db:
            return [Table(**row) for row in db.execute(f"{_TABLE} ORDER BY id DESC")]

    def change_table(
        self,
        table: int,
        *,
        host_hash: str | None = None,
        mode: str | None = None,
        options: str | None = None,
        settings: str | None = None,
        drop_cards: bool = False,
    ) -> Table:
        with self._database.write() as db:
            if drop_cards:
                _drop_cards(db, table)
            db.execute(
                "UPDATE tables SET host_hash = coalesce(?, host_hash), mode = coalesce(?, mode),"
                " options = coalesce(?, options), settings = coalesce(?, settings) WHERE id = ?",
                (host_hash, mode, options, settings, table),
            )
            _touch(db, table)
            return _table(db, table)

    def add_person(
        self, table: int, name: str, token_hash: str, key: str, at: int, *, instead_of: int | None = None
    ) -> Person:
        with self._database.write() as db:
            earlier = db.execute(f"{_PERSON} WHERE table_id = ? AND key = ?", (table, key)).fetchone()
            if earlier:
                return _to_person(earlier)
            if instead_of is not None:
                _touch(db, _person(db, instead_of).table)
                db.execute("UPDATE people SET token_hash = '' WHERE id = ?", (instead_of,))
            _refuse_taken_token(db, token_hash)
            made = db.execute(
                "INSERT INTO people (table_id, key, name, token_hash, joined, place) VALUES (?, ?, ?, ?, ?,"
                " (SELECT coalesce(max(place), 0) + 1 FROM people WHERE table_id = ?))",
                (table, key, name, token_hash, at, table),
            )
            _touch(db, table)
            return _person(db, made.lastrowid)

    def people(self, table: int) -> list[Person]:
        with self._database.read() as db:
            return _people(db, table)

    def person_by_token(self, token_hash: str) -> Person | None:
        with self._database.read() as db:
            row = db.execute(f"{_PERSON} WHERE token_hash = ? AND token_hash <> ''", (token_hash,)).fetchone()
            return _to_person(row) if row else None

    def change_person(
        self, person: int, *, name: str | None = None, token_hash: str | None = None, removed: bool | None = None
    ) -> Person:
        with self._database.write() as db:
            present = _person(db, person)
            if token_hash is not None and token_hash != present.token_hash:
                _refuse_taken_token(db, token_hash)
            db.execute(
                "UPDATE people SET name = coalesce(?, name), token_hash = coalesce(?, token_hash),"
                " removed = coalesce(?, removed) WHERE id = ?",
                (name, token_hash, removed, person),
            )
            _touch(db, present.table)
            return _person(db, person)

    def set_ring(self, table: int, people: Sequence[int]) -> list[Person]:
        if len(set(people)) != len(people):
            raise ValueError("a person is named twice")
        with self._database.write() as db:
            present = [person.id for person in _people(db, table)]
            strangers = sorted(set(people) - set(present))
            if strangers:
                raise NotFound(f"people {strangers} at table {table}")
            order = [*people, *(person for person in present if person not in people)]
            db.executemany("UPDATE people SET place = ? WHERE id = ?", enumerate(order, start=1))
            _touch(db, table)
            return _people(db, table)

    def ask_for_seat(self, person: int, token_hash: str, symbol: str, name: str, at: int) -> Claim:
        with self._database.write() as db:
            _touch(db, _person(db, person).table)
            return seats.ask(db, person, token_hash, symbol, name, at)

    def claims(self, table: int) -> list[Claim]:
        with self._database.read() as db:
            return seats.claims(db, table)

    def drop_claims(self, table: int, claims: Sequence[int]) -> None:
        with self._database.write() as db:
            _table(db, table)
            if seats.drop(db, table, claims):
                _touch(db, table)

    def give_seat(self, claim: int, name: str, event: str, at: int) -> Person:
        with self._database.write() as db:
            granted = replace(seats.claim(db, claim), name=name)
            seats.grant(db, granted)
            table = _person(db, granted.person).table
            seats.tell(db, table, event, at)
            _touch(db, table)
            return _person(db, granted.person)

    def signed_out(self, table: int) -> dict[str, int]:
        with self._database.read() as db:
            return seats.signed_out(db, table)

    def tell(self, table: int, text: str, at: int) -> None:
        with self._database.write() as db:
            _table(db, table)
            seats.tell(db, table, text, at)
            _touch(db, table)

    def events(self, table: int) -> list[Event]:
        with self._database.read() as db:
            return seats.events(db, table)

    def enter_card(self, person: int, code: str) -> None:
        with self._database.write() as db:
            table = _person(db, person).table
            kept = db.execute("SELECT code FROM cards WHERE person = ?", (person,)).fetchone()
            if kept and kept["code"] != code:
                raise CardTaken
            if not kept:
                db.execute("INSERT INTO cards (person, code) VALUES (?, ?)", (person, code))
                _touch(db, table)

    def take_back_card(self, person: int) -> None:
        with self._database.write() as db:
            table = _person(db, person).table
            if db.execute("DELETE FROM cards WHERE person = ?", (person,)).rowcount:
                _touch(db, table)

    def drop_cards(self, table: int) -> None:
        with self._database.write() as db:
            _table(db, table)
            if _drop_cards(db, table):
                _touch(db, table)

    def cards(self, table: int) -> dict[int, str]:
        with self._database.read() as db:
            rows = db.execute(
                "SELECT person, code FROM cards JOIN people ON people.id = person WHERE table_id = ?"
                " ORDER BY removed, place, id",
                (table,),
            )
            return {row["person"]: row["code"] for row in rows}

    def start_game(
        self,
        table: int,
        mode: str,
        options: str,
        rules_version: str,
        seats: Sequence[int],
        lines: Sequence[Line],
        key: str,
        at: int,
    ) -> Game:
        with self._database.write() as db:
            earlier = db.execute("SELECT id FROM games WHERE table_id = ? AND key = ?", (table, key)).fetchone()
            if earlier:
                return _game(db, earlier["id"])
            made = db.execute(
                "INSERT INTO games (table_id, key, mode, options, rules_version, started, number) VALUES"
                " (?, ?, ?, ?, ?, ?, (SELECT coalesce(max(number), 0) + 1 FROM games WHERE table_id = ?))",
                (table, key, mode, options, rules_version, at, table),
            ).lastrowid
            assert made is not None
            db.executemany(
                "INSERT INTO seats (game, seat, person) VALUES (?, ?, ?)",
                [(made, seat, person) for seat, person in enumerate(seats, start=1)],
            )
            for seq, line in enumerate(lines, start=1):
                _add(db, made, seq, line)
            _drop_cards(db, table)
            _touch(db, table)
            return _game(db, made)

    def game(self, game: int) -> Game:
        with self._database.read() as db:
            return _game(db, game)

    def latest_game(self, table: int) -> Game | None:
        with self._database.read() as db:
            last = "SELECT id FROM games WHERE table_id = ? ORDER BY number DESC LIMIT 1"
            row = db.execute(last, (table,)).fetchone()
            return _game(db, row["id"]) if row else None

    def games(self, table: int) -> list[Game]:
        with self._database.read() as db:
            rows = db.execute("SELECT id FROM games WHERE table_id = ? ORDER BY number", (table,)).fetchall()
            return [_game(db, row["id"]) for row in rows]

    def set_pointer(self, game: int, pointer: int, *, reset: bool = False) -> Game:
        with self._database.write() as db:
            present = _game(db, game)
            if pointer == present.pointer or (pointer < present.pointer and not reset):
                return present
            _point(db, game, pointer)
            _touch(db, present.table)
            return _game(db, game)

    def set_notes(self, game: int, notes: str) -> Game:
        with self._database.write() as db:
            db.execute("UPDATE games SET notes = ? WHERE id = ?", (notes, game))
            _touch_of(db, game)
            return _game(db, game)

    def append(
        self, game: int, seq: int, line: Line, *, pointer: int | None = None, instead_of: str | None = None
    ) -> Entry:
        with self._database.write() as db:
            earlier = _entry(db, game, line.key)
            if earlier:
                return earlier
            if instead_of is not None and _known_draft(db, game, instead_of).state == "held":
                _end_draft(db, game, instead_of, "dropped")
            return _record(db, game, seq, [line], pointer)[0]

    def extend(self, game: int, seq: int, lines: Sequence[Line], *, pointer: int | None = None) -> list[Entry]:
        with self._database.write() as db:
            made = [_entry(db, game, line.key) for line in lines]
            return [entry for entry in made if entry] or _record(db, game, seq, lines, pointer)

    def read(self, game: int, after: int = 0) -> list[Entry]:
        with self._database.read() as db:
            return [
                Entry(**row) for row in db.execute(f"{_ENTRY} WHERE game = ? AND seq > ? ORDER BY seq", (game, after))
            ]

    def hold(self, game: int, text: str, key: str, by: int | None, at: int, due: int) -> Draft:
        with self._database.write() as db:
            earlier = _draft(db, game, key)
            if earlier:
                return earlier
            entry = _entry(db, game, key)
            if entry:
                return Draft(game, key, entry.text, entry.by, entry.at, entry.at, "committed")
            held = _held(db, game)
            if held:
                raise DraftHeld(held)
            db.execute("INSERT INTO drafts VALUES (?, ?, ?, ?, ?, ?, 'held')", (game, key, text, by, at, due))
            _touch_of(db, game)
            return Draft(game, key, text, by, at, due, "held")

    def current_draft(self, game: int) -> Draft | None:
        with self._database.read() as db:
            return _held(db, game)

    def drop_draft(self, game: int, key: str) -> Draft:
        with self._database.write() as db:
            draft = _known_draft(db, game, key)
            if draft.state != "held":
                return draft
            _end_draft(db, game, key, "dropped")
            _touch_of(db, game)
            return _known_draft(db, game, key)

    def commit_draft(self, game: int, key: str, seq: int, digest: str, at: int, *, pointer: int | None = None) -> Entry:
        with self._database.write() as db:
            earlier = _entry(db, game, key)
            if earlier:
                return earlier
            draft = _known_draft(db, game, key)
            if draft.state == "dropped":
                raise DraftDropped(key)
            _end_draft(db, game, key, "committed")
            return _record(db, game, seq, [Line("input", draft.text, key, draft.by, digest, at)], pointer)[0]

    def try_writing(self) -> None:
        self._database.try_writing()

    def close(self) -> None:
        self._database.close()


def _drop_cards(db: sqlite3.Connection, table: int) -> int:
    return db.execute("DELETE FROM cards WHERE person IN (SELECT id FROM people WHERE table_id = ?)", (table,)).rowcount


def _touch(db: sqlite3.Connection, table: int) -> None:
    db.execute("UPDATE tables SET version = version + 1 WHERE id = ?", (table,))


def _touch_of(db: sqlite3.Connection, game: int) -> None:
    db.execute("UPDATE tables SET version = version + 1 WHERE id = (SELECT table_id FROM games WHERE id = ?)", (game,))


def _table(db: sqlite3.Connection, table: int | None) -> Table:
    row = db.execute(f"{_TABLE} WHERE id = ?", (table,)).fetchone()
    if not row:
        raise NotFound(f"table {table}")
    return Table(**row)


def _to_person(row: sqlite3.Row) -> Person:
    return Person(**{**row, "removed": bool(row["removed"])})


def _person(db: sqlite3.Connection, person: int | None) -> Person:
    row = db.execute(f"{_PERSON} WHERE id = ?", (person,)).fetchone()
    if not row:
        raise NotFound(f"person {person}")
    return _to_person(row)


def _people(db: sqlite3.Connection, table: int) -> list[Person]:
    rows = db.execute(f"{_PERSON} WHERE table_id = ? ORDER BY removed, place, id", (table,))
    return [_to_person(row) for row in rows]


def _refuse_taken_token(db: sqlite3.Connection, token_hash: str) -> None:
    if token_hash and db.execute("SELECT 1 FROM people WHERE token_hash = ?", (token_hash,)).fetchone():
        raise TokenTaken


def _game(db: sqlite3.Connection, game: int) -> Game:
    row = db.execute(f"{_GAME} WHERE id = ?", (game,)).fetchone()
    if not row:
        raise NotFound(f"game {game}")
    seats = db.execute("SELECT person FROM seats WHERE game = ? ORDER BY seat", (game,))
    return Game(**row, seats=tuple(seat["person"] for seat in seats))


def _point(db: sqlite3.Connection, game: int, pointer: int) -> None:
    db.execute("UPDATE games SET pointer = ? WHERE id = ?", (pointer, game))


def _entry(db: sqlite3.Connection, game: int, key: str) -> Entry | None:
    row = db.execute(f"{_ENTRY} WHERE game = ? AND key = ?", (game, key)).fetchone()
    return Entry(**row) if row else None


def _record(db: sqlite3.Connection, game: int, seq: int, lines: Sequence[Line], pointer: int | None) -> list[Entry]:
    entries = [_add(db, game, number, line) for number, line in enumerate(lines, seq)]
    if pointer is not None:
        _point(db, game, pointer)
    _touch_of(db, game)
    return entries


def _add(db: sqlite3.Connection, game: int, seq: int, line: Line) -> Entry:
    next_seq: int = db.execute("SELECT coalesce(max(seq), 0) + 1 FROM log WHERE game = ?", (game,)).fetchone()[0]
    if seq != next_seq:
        raise SeqTaken(game, seq, next_seq)
    entry = Entry(game, seq, line.kind, line.text, line.key, line.by, line.digest, line.at)
    db.execute(
        "INSERT INTO log (game, seq, kind, text, key, by_person, digest, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (game, seq, line.kind, line.text, line.key, line.by, line.digest, line.at),
    )
    return entry


def _draft(db: sqlite3.Connection, game: int, key: str) -> Draft | None:
    row = db.execute(f"{_DRAFT} WHERE game = ? AND key = ?", (game, key)).fetchone()
    return Draft(**row) if row else None


def _known_draft(db: sqlite3.Connection, game: int, key: str) -> Draft:
    draft = _draft(db, game, key)
    if not draft:
        raise NotFound(f"draft {key} of game {game}")
    return draft


def _held(db: sqlite3.Connection, game: int) -> Draft | None:
    row = db.execute(f"{_DRAFT} WHERE game = ? AND state = 'held'", (game,)).fetchone()
    return Draft(**row) if row else None


def _end_draft(db: sqlite3.Connection, game: int, key: str, state: str) -> None:
    db.execute("UPDATE drafts SET state = ? WHERE game = ? AND key = ?", (state, game, key))

"""The SQL of seats lost and found: inside a transaction that the store has begun, and whose version it raises."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from companion.storage.contract import Claim, Event, NotFound, TokenTaken

_CLAIM = "SELECT claims.id, person, claims.token_hash, symbol, claims.name, at FROM claims"


def ask(db: sqlite3.Connection, person: int, token_hash: str, symbol: str, name: str, at: int) -> Claim:
    """Keep the claim in the place of the phone's earlier one."""
    db.execute("DELETE FROM claims WHERE token_hash = ?", (token_hash,))
    made = db.execute(
        "INSERT INTO claims (person, token_hash, symbol, name, at) VALUES (?, ?, ?, ?, ?)",
        (person, token_hash, symbol, name, at),
    )
    return claim(db, made.lastrowid)


def claim(db: sqlite3.Connection, number: int | None) -> Claim:
    row = db.execute(f"{_CLAIM} WHERE id = ?", (number,)).fetchone()
    if not row:
        raise NotFound(f"claim {number}")
    return Claim(**row)


def claims(db: sqlite3.Connection, table: int) -> list[Claim]:
    rows = db.execute(f"{_CLAIM} JOIN people ON people.id = person WHERE table_id = ? ORDER BY claims.id", (table,))
    return [Claim(**row) for row in rows]


def drop(db: sqlite3.Connection, table: int, numbers: Iterable[int]) -> bool:
    """Forget the table's claims with these numbers; whether there was one."""
    mine = "DELETE FROM claims WHERE id = ? AND person IN (SELECT id FROM people WHERE table_id = ?)"
    return bool(sum(db.execute(mine, (number, table)).rowcount for number in numbers))


def grant(db: sqlite3.Connection, granted: Claim) -> None:
    """Exchange the person's token for the claim's, and forget every claim that is settled by it. Raises TokenTaken."""
    theirs = "SELECT 1 FROM people WHERE token_hash = ? AND removed = 0"
    if db.execute(theirs, (granted.token_hash,)).fetchone():
        raise TokenTaken
    db.execute(
        "INSERT OR REPLACE INTO signed_out (token_hash, person)"
        " SELECT token_hash, id FROM people WHERE id = ? AND token_hash <> ''",
        (granted.person,),
    )
    db.execute("UPDATE people SET token_hash = '' WHERE token_hash = ? AND removed = 1", (granted.token_hash,))
    db.execute(
        "UPDATE people SET token_hash = ?, name = coalesce(nullif(?, ''), name) WHERE id = ?",
        (granted.token_hash, granted.name, granted.person),
    )
    db.execute("DELETE FROM claims WHERE person = ? OR token_hash = ?", (granted.person, granted.token_hash))


def signed_out(db: sqlite3.Connection, table: int) -> dict[str, int]:
    rows = db.execute(
        "SELECT signed_out.token_hash, person FROM signed_out JOIN people AS had ON had.id = person"
        " WHERE had.table_id = ? AND NOT EXISTS"
        " (SELECT 1 FROM people WHERE people.token_hash = signed_out.token_hash AND people.token_hash <> '')",
        (table,),
    )
    return {row["token_hash"]: row["person"] for row in rows}


def tell(db: sqlite3.Connection, table: int, text: str, at: int) -> None:
    db.execute("INSERT INTO events (table_id, text, at) VALUES (?, ?, ?)", (table, text, at))


def events(db: sqlite3.Connection, table: int) -> list[Event]:
    rows = db.execute("SELECT id, text, at FROM events WHERE table_id = ? ORDER BY id", (table,))
    return [Event(**row) for row in rows]

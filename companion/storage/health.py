"""Whether tables can be kept in a place, tried out beforehand. Nothing of the trial stays."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from companion.storage.contract import DatabaseTooNew, Reason, StoreUnavailable
from companion.storage.database import in_our_words, migrations, refuse_newer

Fault = Literal["too_new", "no_wal"] | Reason


@dataclass(frozen=True)
class Health:
    """What is wrong with a place for tables, if anything, and how many bytes are `free` there (None: not known).

    `no_wal`: files can be written there, but SQLite's write-ahead log does not work, as on many network drives.
    """

    fault: Fault | None
    free: int | None


def examine(path: Path) -> Health:
    """Try to write where the database at ``path`` lies or would lie. The database itself is only read."""
    path = path.absolute()
    folder = next(parent for parent in path.parents if parent.exists())
    free = None
    with suppress(OSError):
        free = shutil.disk_usage(folder).free
    try:
        with in_our_words(path):
            refuse_newer(path, len(migrations()))
            if path.exists():
                path.open("ab").close()
            with TemporaryDirectory(prefix="companion-", dir=folder) as trial:
                return Health(_write_in(Path(trial)), free)
    except DatabaseTooNew:
        return Health("too_new", free)
    except StoreUnavailable as error:
        return Health(error.reason, free)


def _write_in(folder: Path) -> Fault | None:
    """Raises what SQLite raises where it cannot write at all."""
    file = folder / "trial.sqlite3"
    with closing(connect(file)) as one:
        one.execute("CREATE TABLE trial (n)")
        try:
            kept = one.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            one.execute("INSERT INTO trial VALUES (1)")
            with closing(connect(file)) as other:
                seen = other.execute("SELECT n FROM trial").fetchall()
        except sqlite3.OperationalError:
            return "no_wal"
    return None if kept == "wal" and seen == [(1,)] else "no_wal"


def connect(file: Path) -> sqlite3.Connection:
    """A connection that commits each statement."""
    return sqlite3.connect(file, isolation_level=None)

"""A SQLite file: opened with care, migrated, one connection a thread, its errors put into the contract's words."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import Literal

from platformdirs import user_data_dir

from companion.storage.contract import DatabaseTooNew, NotFound, Reason, StoreUnavailable

FILE_NAME = "companion.sqlite3"

_LEAST_ROOM = 64 * 1024  # bytes: with less left on the disk, SQLite cannot even set up its shared memory
_MUCH = 512 * 1024  # bytes: twice what a connection's cache holds, so that half of it goes to the disk at once
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_PLAIN_REASONS: dict[int, Reason] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "readonly",
    sqlite3.SQLITE_PERM: "readonly",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
}


def default_path() -> Path:
    """The database in the user's data directory."""
    return Path(user_data_dir("companion", appauthor=False)) / FILE_NAME


def migrations() -> list[str]:
    """The SQL texts in order; the first one leads from an empty file to version 1."""
    folder = resources.files("companion.storage") / "migrations"
    files = sorted((item for item in folder.iterdir() if item.name.endswith(".sql")), key=lambda item: item.name)
    return [item.read_text(encoding="utf-8") for item in files]


class Database:
    """The file at ``path``, made and migrated if need be. ``wait`` is the longest wait for a writer, in seconds.

    Raises ``DatabaseTooNew`` before anything is written, and ``StoreUnavailable``.
    """

    def __init__(self, path: Path, wait: float) -> None:
        self.path = path.absolute()
        self._wait = wait
        self._mine = threading.local()
        self._links: weakref.WeakSet[_Link] = weakref.WeakSet()
        self._links_lock = threading.Lock()
        self._writing = threading.Lock()
        self._closed = False
        steps = migrations()
        with in_our_words(self.path):
            refuse_newer(self.path, len(steps))
            _make_private(self.path)
            connection = _connect(self.path, wait)
            try:
                _use_wal(connection, wait)
                _migrate(connection, steps, self.path)
            finally:
                connection.close()

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """This thread's connection, for queries."""
        with in_our_words(self.path):
            link = self._link()
            with link.lock:
                self._refuse_closed()
                yield link.connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """This thread's connection in a write transaction: committed at the end, rolled back on any exception."""
        with self._turn(), self.read() as connection, _transaction(connection):
            yield connection

    def try_writing(self) -> None:
        """Writes more than any record needs, and takes it back. Raises StoreUnavailable.

        A few bytes would say nothing: on a full disk they still fit where a larger write failed half-way.
        """
        with self._turn(), self.read() as connection, _transaction(connection, "ROLLBACK"):
            connection.execute("CREATE TABLE trial AS SELECT zeroblob(?) AS room", (_MUCH,))

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Writers of one process queue here: SQLite's own waiting is a sleep of up to 100 ms, in no order."""
        if not self._writing.acquire(timeout=self._wait):
            raise StoreUnavailable("busy")
        try:
            yield
        finally:
            self._writing.release()

    def close(self) -> None:
        """Closes the connections of all threads, each as soon as its running call is over."""
        with self._links_lock:
            self._closed = True
            links = list(self._links)
        for link in links:
            with link.lock:
                link.close()

    def _link(self) -> _Link:
        link: _Link | None = getattr(self._mine, "link", None)
        if link is None:
            self._refuse_closed()
            link = _Link(_connect(self.path, self._wait))
            link.connection.execute("PRAGMA foreign_keys = ON")
            with self._links_lock:
                self._links.add(link)
            self._mine.link = link
        return link

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StoreUnavailable("closed")


class _Link:
    """A thread's connection; closed when the thread has ended, or by ``Database.close`` from another one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.lock = threading.Lock()
        self.close = weakref.finalize(self, connection.close)


def _connect(path: Path, wait: float) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=wait, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA cache_size = -256")  # KiB: there may be a hundred threads
    return connection


def _use_wal(connection: sqlite3.Connection, wait: float) -> None:
    """Where several open a new file at once, SQLite does not wait by itself."""
    end = time.monotonic() + wait
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
        time.sleep(0.01)


@contextmanager
def _transaction(connection: sqlite3.Connection, end: Literal["COMMIT", "ROLLBACK"] = "COMMIT") -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute(end)
    except BaseException:
        # A full disk may have rolled back already, and its error is the one to be told.
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def refuse_newer(path: Path, known: int) -> None:
    """Reads the version without so much as making a side file."""
    if not path.exists():
        return
    log = path.with_name(path.name + "-wal")
    has_log = log.exists() and log.stat().st_size > 0
    connection = sqlite3.connect(f"{path.as_uri()}?{'mode=ro' if has_log else 'immutable=1'}", uri=True)
    try:
        found = _version(connection)
    finally:
        connection.close()
    if found > known:
        raise DatabaseTooNew(str(path), found, known)


def _make_private(path: Path) -> None:
    """Identities stand in the file in plain text: other users of the machine need not read it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600, exist_ok=True)


def _migrate(connection: sqlite3.Connection, steps: list[str], path: Path) -> None:
    if _version(connection) == len(steps):
        return
    with _transaction(connection):
        found = _version(connection)
        if found > len(steps):
            raise DatabaseTooNew(str(path), found, len(steps))
        for step in steps[found:]:
            for statement in _statements(step):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(steps)}")


def _statements(script: str) -> Iterator[str]:
    """The script's statements one by one: ``executescript`` would commit the transaction first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


@contextmanager
def in_our_words(path: Path) -> Iterator[None]:
    """What SQLite and the disk raise becomes NotFound and StoreUnavailable."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
            raise
        raise NotFound("a row that the call names") from error
    except (sqlite3.ProgrammingError, sqlite3.InterfaceError):
        raise
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        raise StoreUnavailable(_PLAIN_REASONS.get(code & 0xFF) or _reason(path)) from error
    except OSError as error:
        raise StoreUnavailable("full" if error.errno in _NO_ROOM else _reason(path)) from error


def _reason(path: Path) -> Reason:
    """Why the disk failed, where SQLite itself only knows that it did."""
    folder = next(parent for parent in path.parents if parent.exists())
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        return "readonly"
    with suppress(OSError):
        if shutil.disk_usage(folder).free < _LEAST_ROOM:
            return "full"
    return "broken"

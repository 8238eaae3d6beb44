"""Whether tables could be kept in a place: tried out, and nothing of the trial left behind."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.storage import FILE_NAME, SqliteStore, examine, health


def test_a_good_place_is_good_and_stays_as_it_was(tmp_path: Path) -> None:
    found = examine(tmp_path / "evenings" / "new" / FILE_NAME)
    assert found.fault is None
    assert found.free is not None and found.free > 0
    assert not list(tmp_path.iterdir())


def test_a_database_in_use_is_only_read(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    store = SqliteStore(path)
    before = path.read_bytes()
    assert examine(path).fault is None
    assert path.read_bytes() == before
    store.close()
    assert [file.name for file in tmp_path.iterdir()] == [FILE_NAME]


@pytest.mark.skipif(os.name == "nt", reason="this engine without shared memory is of Unix")
def test_a_network_drive_without_shared_memory_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(file: Path) -> sqlite3.Connection:
        return sqlite3.connect(f"{file.as_uri()}?vfs=unix-dotfile", uri=True, isolation_level=None)

    monkeypatch.setattr(health, "connect", connect)
    assert examine(tmp_path / FILE_NAME).fault == "no_wal"
    assert not list(tmp_path.iterdir())


def test_a_log_that_fails_only_when_it_is_used_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(sqlite3.Connection):
        def execute(self, sql: str, *_: object) -> sqlite3.Cursor:
            if sql.startswith("INSERT"):
                raise sqlite3.OperationalError("locking protocol")
            return super().execute(sql)

    monkeypatch.setattr(health, "connect", lambda file: sqlite3.connect(file, isolation_level=None, factory=Failing))
    assert examine(tmp_path / FILE_NAME).fault == "no_wal"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user whom file modes bind")
def test_a_folder_that_may_not_be_written_is_noticed(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        assert examine(tmp_path / FILE_NAME).fault == "readonly"
    finally:
        tmp_path.chmod(0o700)


def test_a_refused_trial_is_told_by_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(health, "TemporaryDirectory", refuse)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert examine(tmp_path / FILE_NAME).fault == "readonly"
    monkeypatch.setattr(os, "access", lambda *_: True)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5000))
    assert examine(tmp_path / FILE_NAME) == health.Health("full", 5000)


def test_a_newer_database_and_a_damaged_one_are_told_apart(tmp_path: Path) -> None:
    newer, damaged = tmp_path / "newer.sqlite3", tmp_path / "damaged.sqlite3"
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 999")
    damaged.write_bytes(b"not a database, but long enough to be read as one" * 40)
    assert examine(newer).fault == "too_new"
    assert examine(damaged).fault == "broken"

"""What the SQLite engine promises beyond the contract: its file, its migrations, its failures."""

from __future__ import annotations

import errno
import os
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.storage import FILE_NAME, DatabaseTooNew, SqliteStore, StoreUnavailable, default_path
from companion.storage import database as database_module
from companion.storage.key import KEY_FILE, deck_key

from .conftest import line, new_game

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / FILE_NAME


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(path)
    yield store
    store.close()


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Bytes and time of change of each file; of SQLite's shared memory, which readers use, only that it is there."""
    return {
        file.name: (b"", 0) if file.name.endswith("-shm") else (file.read_bytes(), file.stat().st_mtime_ns)
        for file in folder.iterdir()
    }


def pragma(store: SqliteStore, name: str) -> object:
    with store._database.read() as connection:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]


class TestFile:
    def test_stands_in_the_users_data_directory(self) -> None:
        assert default_path().name == FILE_NAME
        assert "companion" in default_path().parent.parts

    @pytest.mark.skipif(os.name == "nt", reason="Windows has no file modes")
    def test_is_for_its_owner_alone(self, path: Path, store: SqliteStore) -> None:
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}

    def test_every_threads_connection_is_safe(self, store: SqliteStore) -> None:
        def settings() -> list[object]:
            return [pragma(store, name) for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")]

        with ThreadPoolExecutor(1) as pool:
            assert settings() == pool.submit(settings).result() == ["wal", 2, 1, 5000]

    def test_an_ended_threads_connection_is_let_go(self, store: SqliteStore) -> None:
        store.tables()
        for _ in range(5):
            thread = threading.Thread(target=store.tables)
            thread.start()
            thread.join()
        assert len(store._database._links) == 1

    def test_closing_leaves_one_file(self, path: Path, store: SqliteStore) -> None:
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(lambda _: store.tables(), range(9)))
            store.close()
            assert [file.name for file in path.parent.iterdir()] == [FILE_NAME]


class TestMigrations:
    def test_the_version_is_their_number(self, store: SqliteStore) -> None:
        assert pragma(store, "user_version") == len(database_module.migrations())

    def test_opened_by_many_at_once(self, path: Path) -> None:
        with ThreadPoolExecutor(8) as pool:
            stores = list(pool.map(SqliteStore, [path] * 8))
        assert {pragma(store, "user_version") for store in stores} == {len(database_module.migrations())}
        for store in stores:
            store.close()

    def test_an_older_file_is_brought_forward(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        store = SqliteStore(path)
        game = new_game(store)
        store.close()
        known = database_module.migrations()
        more = ["ALTER TABLE games ADD COLUMN mood TEXT;", "UPDATE games SET mood = 'a;b'; -- both\n"]
        monkeypatch.setattr(database_module, "migrations", lambda: known + more)
        store = SqliteStore(path)
        assert store.game(game.id) == game
        with store._database.read() as connection:
            assert connection.execute("SELECT mood FROM games").fetchone()[0] == "a;b"
        assert pragma(store, "user_version") == len(known) + 2
        store.close()

    def test_one_that_fails_changes_nothing(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        SqliteStore(path).close()
        known = database_module.migrations()
        before = path.read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(database_module, "migrations", lambda: [*known, "CREATE TABLE a (b);", "CREATE TABLE a (b);"])
            with pytest.raises(StoreUnavailable):
                SqliteStore(path)
        assert path.read_bytes() == before
        SqliteStore(path).close()

    @pytest.mark.parametrize("crashed", [False, True], ids=["closed", "crashed"])
    def test_a_newer_file_is_refused_and_untouched(self, path: Path, crashed: bool) -> None:
        path.parent.mkdir()
        program = (
            "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None);"
            "c.execute('PRAGMA journal_mode = WAL'); c.execute('PRAGMA user_version = 99');"
        )
        end = "os._exit(0)" if crashed else "c.close()"
        subprocess.run([sys.executable, "-c", program + end, path], check=True)
        before = contents(path.parent)
        with pytest.raises(DatabaseTooNew) as refused:
            SqliteStore(path)
        assert (refused.value.found, refused.value.known) == (99, len(database_module.migrations()))
        assert contents(path.parent) == before


class TestAppendOnly:
    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE log SET text = 'turn 2'",
            "DELETE FROM log",
            "INSERT OR REPLACE INTO log SELECT game, seq, kind, 'turn 2', key, by_person, digest, at FROM log",
            "INSERT OR REPLACE INTO log SELECT game, seq + 1, kind, text, key, by_person, digest, at FROM log",
            "INSERT INTO log SELECT game, seq + 2, kind, text, 'other', by_person, digest, at FROM log",
        ],
    )
    def test_the_file_itself_refuses(self, path: Path, store: SqliteStore, statement: str) -> None:
        game = new_game(store)
        entry = store.append(game.id, 1, line("k1"))
        connection = sqlite3.connect(path)
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
        connection.close()
        assert store.read(game.id) == [entry]


class TestFailures:
    def test_a_full_disk_half_writes_nothing_and_passes(self, store: SqliteStore) -> None:
        game = new_game(store)
        store.hold(game.id, "death 2 " + "x" * 9000, "k2", None, 9, 13)
        before = store.table(game.table), store.game(game.id), store.current_draft(game.id)
        with store._database.read() as connection:
            connection.execute("PRAGMA max_page_count = 1")  # SQLite then allows what there is, and no page more
        for call in (
            lambda: store.append(game.id, 1, line("k1", "x" * 9000), pointer=3),
            lambda: store.extend(game.id, 1, [line("c"), line("c 1", "x" * 9000)], pointer=3),
            lambda: store.commit_draft(game.id, "k2", 1, "", 13, pointer=3),
            lambda: store.start_game(game.table, "classic", "", "1", game.seats, [line("d", "x" * 9000)], "again", 9),
        ):
            with pytest.raises(StoreUnavailable) as refused:
                call()
            assert refused.value.reason == "full"
            assert (store.table(game.table), store.game(game.id), store.current_draft(game.id)) == before
        assert store.read(game.id) == []
        assert store.games(game.table) == [game]
        with store._database.read() as connection:
            connection.execute("PRAGMA max_page_count = 1000000")
        assert store.commit_draft(game.id, "k2", 1, "", 13).seq == 1
        assert store.append(game.id, 2, line("k1", "x" * 9000)).seq == 2

    def test_trying_says_what_a_record_would_meet_and_leaves_nothing(self, path: Path, store: SqliteStore) -> None:
        before = new_game(store), store.table(1)
        for begin, end, reason in (
            ("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000", "full"),
            ("PRAGMA query_only = ON", "PRAGMA query_only = OFF", "readonly"),
        ):
            with store._database.read() as connection:
                connection.execute(begin)
            for _ in range(2):
                with pytest.raises(StoreUnavailable) as refused:
                    store.try_writing()
                assert refused.value.reason == reason
            with store._database.read() as connection:
                connection.execute(end)
            store.try_writing()
        assert (store.game(1), store.table(1)) == before
        store.close()
        assert path.stat().st_size < 512 * 1024

    def test_a_busy_file_is_told_after_the_wait(self, path: Path) -> None:
        store = SqliteStore(path, wait=0.05)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable) as refused:
            new_game(store)
        assert refused.value.reason == "busy"
        assert store.tables() == []
        other.execute("ROLLBACK")
        other.close()
        new_game(store)
        store.close()

    def test_a_writer_that_hangs_is_not_waited_for_forever(self, path: Path) -> None:
        store = SqliteStore(path, wait=0.05)
        with ThreadPoolExecutor(1) as pool, store._database.write(), pytest.raises(StoreUnavailable) as refused:
            pool.submit(new_game, store).result()
        assert refused.value.reason == "busy"
        store.close()

    def test_what_is_not_a_database_is_broken(self, path: Path) -> None:
        path.parent.mkdir()
        path.write_bytes(b"a letter to a friend" * 300)
        with pytest.raises(StoreUnavailable) as refused:
            SqliteStore(path)
        assert refused.value.reason == "broken"
        assert path.read_bytes() == b"a letter to a friend" * 300

    def test_a_file_where_the_folder_should_be(self, path: Path) -> None:
        path.parent.write_text("")
        with pytest.raises(StoreUnavailable) as refused:
            SqliteStore(path)
        assert refused.value.reason == "broken"

    def test_an_empty_file_is_a_new_one(self, path: Path) -> None:
        path.parent.mkdir()
        path.touch()
        SqliteStore(path).close()

    @pytest.mark.skipif(os.name == "nt", reason="Windows has no file modes")
    @pytest.mark.parametrize("present", ["no folder", "no file", "a file"])
    def test_a_read_only_folder_is_told(self, present: str) -> None:
        # Outside tmp_path, which only its owner may enter: root, whom no file mode stops, becomes nobody.
        outer = Path(tempfile.mkdtemp())
        try:
            outer.chmod(0o755)
            folder = outer / "data"
            if present != "no folder":
                folder.mkdir()
            if present == "a file":
                SqliteStore(folder / FILE_NAME).close()
                (folder / FILE_NAME).chmod(0o444)
                folder.chmod(0o555)
            elif present == "no file":
                folder.chmod(0o555)
            else:
                outer.chmod(0o555)
            command = [sys.executable, "-m", "tests.storage.nobody", str(folder / FILE_NAME)]
            told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
            assert told.stdout == "readonly\n"
        finally:
            for folder in (outer, outer / "data"):
                if folder.exists():
                    folder.chmod(0o755)
            shutil.rmtree(outer)

    def test_a_file_that_becomes_read_only_is_told(self, store: SqliteStore) -> None:
        game = new_game(store)
        with store._database.read() as connection:
            connection.execute("PRAGMA query_only = ON")
        with pytest.raises(StoreUnavailable) as refused:
            store.append(game.id, 1, line("k1"))
        assert refused.value.reason == "readonly"
        assert store.read(game.id) == []


class TestKey:
    def test_is_made_once_for_its_owner_alone(self, tmp_path: Path) -> None:
        keys = iter("ABC")
        with ThreadPoolExecutor(3) as pool:
            found = set(pool.map(lambda _: deck_key(tmp_path / "data", lambda: next(keys)), range(3)))
        assert len(found) == 1 and {deck_key(tmp_path / "data", lambda: "Z")} == found
        assert [file.name for file in (tmp_path / "data").iterdir()] == [KEY_FILE]
        if os.name != "nt":
            assert stat.S_IMODE((tmp_path / "data" / KEY_FILE).stat().st_mode) == 0o600

    def test_half_of_one_is_none(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(_: int) -> None:
            raise OSError(errno.ENOSPC, "no space left on device")

        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            with pytest.raises(StoreUnavailable):
                deck_key(tmp_path, lambda: "A")
        assert list(tmp_path.iterdir()) == []
        assert deck_key(tmp_path, lambda: "B") == "B"

    def test_is_kept_also_where_there_are_no_links(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def no_links(*_: object) -> None:
            raise PermissionError

        monkeypatch.setattr(os, "link", no_links)
        assert deck_key(tmp_path, lambda: "A") == deck_key(tmp_path, lambda: "B") == "A"
        assert [file.name for file in tmp_path.iterdir()] == [KEY_FILE]


def test_killed_servers_lose_nothing_that_they_acknowledged(path: Path) -> None:
    store = SqliteStore(path)
    game = new_game(store).id
    store.close()
    acknowledged: list[str] = []
    for kill in range(3):
        command = [sys.executable, "-m", "tests.storage.writer", str(path)]
        writers = [
            subprocess.Popen([*command, f"{kill}{name}"], cwd=ROOT, stdout=subprocess.PIPE, text=True) for name in "ab"
        ]
        first = [writer.stdout.readline() for writer in writers if writer.stdout]
        time.sleep(random.uniform(0.02, 0.2))
        for writer in writers:
            writer.kill()
        acknowledged += "".join(first + [writer.communicate()[0] for writer in writers]).split()
    store = SqliteStore(path)
    log = store.read(game)
    store.close()
    keys = [entry.key for entry in log]
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    assert len(set(keys)) == len(keys)
    assert set(acknowledged) <= set(keys)
    assert len(keys) - len(acknowledged) <= 6  # at most the one that each killed writer was about to tell

"""The engines that are held to the contract: another one is another row of ``ENGINES``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.storage import FILE_NAME, Game, Line, SqliteStore, Store

OpenStore = Callable[[], Store]
ENGINES: dict[str, Callable[[Path], Store]] = {"sqlite": lambda folder: SqliteStore(folder / FILE_NAME)}


@pytest.fixture(params=sorted(ENGINES))
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    """Opens one more store on the test's own data each time."""
    opened: list[Store] = []

    def open_one() -> Store:
        opened.append(ENGINES[request.param](tmp_path))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: OpenStore) -> Store:
    return open_store()


@pytest.fixture
def game(store: Store) -> Game:
    """The first game of two people, without a line yet."""
    return new_game(store)


def new_game(store: Store) -> Game:
    table = store.open_table("K7QX", "host", "court8", "hp=off", "", at=1000)
    people = [store.add_person(table.id, name, f"token {name}", name, at=1001).id for name in ("甲", "乙")]
    return store.start_game(table.id, "court8", "hp=off", "1", people, [], key="deal", at=1002)


def line(key: str, text: str = "turn 1", kind: str = "input") -> Line:
    return Line(kind, text, key, None, "d1ce", at=2000)

"""A house for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.evening import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "evening.sqlite3")
    yield house
    house.tables.signals.close()
    house.store.close()

"""The evening of twelve on which the time of a record is measured is one that goes on, questions included."""

from __future__ import annotations

from pathlib import Path

from tests.bench.fanout import Evening, measure
from tests.running import Server


def test_twelve_phones_play_on_through_every_question(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        assert len(measure(Evening(server.port, "court12"), records=60).times) == 60
    finally:
        server.stop()

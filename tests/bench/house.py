"""`python -m tests.bench.house`: a hundred tables on one server, each with twelve phones and a table screen.

Every table records something every two seconds. Measured is the time from a record until all thirteen pages of its
table hold what came of it.
"""

from __future__ import annotations

import argparse
import selectors
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from pathlib import Path
from random import Random

import psutil

from tests.bench.fanout import Evening
from tests.bench.figures import Figure, memory, report
from tests.running import Server

TABLES = 100
EVERY_SECONDS = 2.0
WARM_UP_SECONDS = 6.0


@dataclass
class Table:
    """A table's evening, and the record that not everybody holds yet."""

    evening: Evening
    rng: Random
    wanted: int | None = None
    begun: float = 0.0
    times: list[float] = field(default_factory=list)
    """Milliseconds of each record."""

    def record(self) -> bool:
        """Record something; False while somebody still waits for the record before."""
        if self.wanted is not None and not self.is_told():
            return False
        if self.evening.is_over:
            phone, path, form = self.evening.host, "/again", dict[str, str]()
        else:
            phone, form = self.evening.event(self.rng)
            path = "/record"
        self.begun = time.perf_counter()
        self.wanted = self.evening.send(phone, path, form)
        return True

    def is_told(self) -> bool:
        """Whether everybody holds what was recorded; its time is kept then."""
        assert self.wanted is not None
        if any(one.shown is None or one.shown.version < self.wanted for one in self.evening.everyone):
            return False
        self.times.append((max(one.shown_at for one in self.evening.everyone) - self.begun) * 1000)
        self.wanted = None
        return True


class House:
    """All tables of a server."""

    def __init__(self, port: int, tables: int) -> None:
        self.selector = selectors.DefaultSelector()
        self.tables = [Table(Evening(port, "court8", self.selector), Random(number)) for number in range(tables)]

    def play(self, seconds: float, every: float) -> int:
        """Let each table record something so often; how many records came too late to be made."""
        begun, missed = time.perf_counter(), 0
        due = [(begun + every * place / len(self.tables), place) for place in range(len(self.tables))]
        heapify(due)
        while due[0][0] < begun + seconds:
            self._wait(due[0][0] - time.perf_counter())
            if due[0][0] <= time.perf_counter():
                at, place = heappop(due)
                missed += not self.tables[place].record()
                heappush(due, (at + every, place))
        while any(table.wanted is not None and not table.is_told() for table in self.tables):
            self._wait(0.05)
        return missed

    def _wait(self, seconds: float) -> None:
        for key, _ in self.selector.select(max(0.0, seconds)):
            key.data()


def measure(server: Server, tables: int, seconds: float, every: float) -> Iterator[Figure]:
    """What a house full of tables sees, and what it costs."""
    assert server.process
    process, me = psutil.Process(server.process.pid), psutil.Process()
    house = House(server.port, tables)
    house.play(WARM_UP_SECONDS, every)
    for table in house.tables:
        table.times.clear()
    used, mine, begun = _cpu(process), _cpu(me), time.perf_counter()
    missed = house.play(seconds, every)
    used, mine, took = _cpu(process) - used, _cpu(me) - mine, time.perf_counter() - begun
    times = sorted(one for table in house.tables for one in table.times)
    yield Figure(f"{tables} tables, record -> all 13 pages, p50 of {len(times)}", _share(times, 0.5), 100, "ms")
    yield Figure(f"{tables} tables, record -> all 13 pages, p99", _share(times, 0.99), 250, "ms")
    yield Figure("  records that were due while the one before was on its way", missed, 0, "")
    yield Figure("  server: processor time for each record", used / len(times) * 1000, 20, "ms")
    yield Figure("  server: share of one processor", used / took * 100, 100, "%")
    yield Figure("  measuring client: share of one processor", mine / took * 100, 50, "%")
    yield Figure("  server: memory", memory(process.pid), 250, "MB")
    yield Figure("  server: threads", process.num_threads(), 40, "")


def _share(times: list[float], share: float) -> float:
    return times[min(len(times) - 1, int(len(times) * share))]


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--every", type=float, default=EVERY_SECONDS, help="seconds between two records of a table")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        server.start()
        try:
            report(measure(server, asked.tables, asked.seconds, asked.every))
        finally:
            server.stop()


if __name__ == "__main__":
    main()

"""`python -m tests.bench`: how fast and how small it is, target beside figure. Some two minutes; not part of the tests.

Everything is measured on the default server (`companion serve`) and the installed command, in one run. Where the figure
is a time of a whole process it is the median of several.
"""

from __future__ import annotations

import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.bench import corpus
from tests.bench.fanout import Evening, measure
from tests.bench.phones import Phone
from tests.running import Server, command

RUNS = 5
MB = 1024 * 1024


@dataclass(frozen=True)
class Figure:
    """One line of the table; less is better."""

    what: str
    found: float
    target: float
    unit: str

    def __str__(self) -> str:
        verdict = "ok" if self.found <= self.target else "MISSED"
        return f"{self.what:<62} {self.found:>8.4g} {'<= ' + format(self.target, 'g'):>8} {self.unit:<8} {verdict}"


def replays() -> Iterator[Figure]:
    """All games of the corpus, by the command as a whole."""
    with tempfile.TemporaryDirectory() as folder:
        games = corpus.unpacked(Path(folder))
        times = []
        for _ in range(RUNS):
            begun = time.perf_counter()
            subprocess.run([command(), "replay", "--json", str(games)], stdout=subprocess.DEVNULL, check=True)
            times.append(time.perf_counter() - begun)
    yield Figure(f"{corpus.GAMES} court8 games by `companion replay --json`", statistics.median(times), 2.5, "s")


def starts() -> Iterator[Figure]:
    """From the command to the first page, each time with a data folder of its own."""
    times = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as data:
            server = Server(Path(data))
            times.append(server.start())
            server.stop()
    yield Figure("command to first page", statistics.median(times), 1.0, "s")


def evening() -> Iterator[Figure]:
    """Twelve phones and a table screen on one server."""
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        server.start()
        try:
            table = Evening(server.port)
            yield from first_load(table.phones[0])
            found = measure(table)
            count = len(found.times)
            yield Figure(f"record -> 12 phones and a table screen, p50 of {count}", found.percentile(0.5), 25, "ms")
            yield Figure(f"record -> 12 phones and a table screen, p99 of {count}", found.percentile(0.99), 60, "ms")
            yield Figure("  of which the measuring client's own processor time", found.client, 5, "ms")
            print(
                f"  of which one write that this disk has surely kept (fsync): {durable_write(Path(data)):.1f} ms, p50"
            )
            assert server.process
            yield Figure("memory with 12 phones and a table screen", memory(server.process.pid), 80, "MB")
        finally:
            server.stop()


def first_load(phone: Phone) -> Iterator[Figure]:
    """What a phone fetches that opens its page for the first time in a running game."""
    page = phone.request("GET", phone.path)
    linked = re.findall(r'<(?:script|link)[^>]+(?:src|href)="(/[^"]+)"', page.text)
    answers = [page, *(phone.request("GET", path.replace("&amp;", "&")) for path in linked)]
    assert all(answer.status == 200 for answer in answers)
    yield Figure("phone page, first load: requests", len(answers), 4, "")
    yield Figure("phone page, first load: compressed, with headers", sum(one.size for one in answers) / 1024, 50, "KB")


def durable_write(folder: Path) -> float:
    """The median time in milliseconds for a small write to reach the disk: no record is acknowledged sooner."""
    times = []
    with (folder / "probe").open("wb", buffering=0) as probe:
        for _ in range(60):
            begun = time.perf_counter()
            probe.write(bytes(8192))
            os.fsync(probe)
            times.append((time.perf_counter() - begun) * 1000)
            time.sleep(0.02)
    return statistics.median(times)


def memory(process: int) -> float:
    """The server's share of the machine's memory in MB: PSS where the system tells it, else RSS."""
    told = psutil.Process(process).memory_full_info()
    return float(getattr(told, "pss", told.rss)) / MB


def main() -> None:
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors, {platform.system()} {platform.machine()}")
    print(
        f"load of the machine by others at the beginning: {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    )
    figures = []
    for measured in (starts, replays, evening):
        for figure in measured():
            figures.append(figure)
            print(figure, flush=True)
    sys.exit(any(figure.found > figure.target for figure in figures))


if __name__ == "__main__":
    main()

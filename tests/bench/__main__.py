"""`python -m tests.bench`: how fast and how small it is, target beside figure. Some four minutes, outside the tests.

Everything is measured on the default server (`companion serve`) and the installed command, in one run. Where the figure
is a time of a whole process it is the median of several.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from companion.modes import MODES, deck, find_mode
from printables import decks, sheets
from printables.cards import POKER, Printing
from printables.fonts import fonts
from tests.bench import corpus
from tests.bench.fanout import Evening, measure
from tests.bench.figures import MB, Figure, memory, report
from tests.bench.phones import Phone
from tests.running import Server, command

RUNS = 5


def replays() -> Iterator[Figure]:
    """All games of each mode's corpus, by the command as a whole."""
    for mode in MODES:
        with tempfile.TemporaryDirectory() as folder:
            seconds = whole_process("replay", "--json", str(corpus.unpacked(mode, Path(folder))))
        target = 2.5 if mode == "court8" else 5.0
        yield Figure(f"{corpus.GAMES} {mode} games by `companion replay --json`", seconds, target, "s")


def whole_process(*arguments: str) -> float:
    """The median time of the command with these arguments, in seconds."""
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        subprocess.run([command(), *arguments], stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


def prints() -> Iterator[Figure]:
    """The cards of `court12`, thirteen fronts and their backs on A4: the whole command, and one face alone."""
    with tempfile.TemporaryDirectory() as folder:
        cards = ("cards", "court12", "--data", folder, "--out", f"{folder}/cards.pdf")
        yield Figure("`companion cards court12`: 13 fronts and backs, A4, 300 dpi", whole_process(*cards), 2.0, "s")
        peak = peak_memory(*cards, "--dpi", "600")
        yield Figure("  the most memory that it takes at 600 dpi", peak, 400, "MB")
    yield Figure("  one card of them painted, without PDF, p50", one_card(), 30, "ms")


def peak_memory(*arguments: str) -> float:
    """The most memory in MB that the command with these arguments held at once."""
    process = psutil.Popen([command(), *arguments], stdout=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        with contextlib.suppress(psutil.Error):
            peak = max(peak, process.memory_info().rss)
        time.sleep(0.005)
    return peak / MB


def one_card() -> float:
    """The median time in milliseconds for a front of the deck at 300 dpi, of all fronts once."""
    found = find_mode("court12")
    printed = deck.cards(found)
    codes = deck.Codes("0" * 16, [found])
    printing = Printing(found, "zh_hans", POKER, fonts(), {card: codes.code(card) for card in printed})
    job = decks.Deck(printed, printing, 300)
    times = []
    for card in printed:
        begun = time.perf_counter()
        job.face(card, sheets.SPILL)
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def starts() -> Iterator[Figure]:
    """From the command to the first page, each time with a data folder of its own."""
    times = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as data:
            server = Server(Path(data))
            times.append(server.start())
            server.stop()
    yield Figure("command to first page", statistics.median(times), 1.0, "s")


def evening_of_eight() -> Iterator[Figure]:
    """`court8`: eight play, four watch."""
    return evening("court8", p50=25, p99=60)


def evening_of_twelve() -> Iterator[Figure]:
    """`court12`: all twelve play."""
    return evening("court12", p50=50, p99=100)


def evening(mode: str, p50: float, p99: float) -> Iterator[Figure]:
    """Twelve phones and a table screen on one server, with the milliseconds that are aimed at."""
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        server.start()
        try:
            table = Evening(server.port, mode)
            yield from first_load(table.phones[0])
            found = measure(table)
            count = len(found.times)
            what = f"{mode}: record -> 12 phones and a table screen"
            yield Figure(f"{what}, p50 of {count}", found.percentile(0.5), p50, "ms")
            yield Figure(f"{what}, p99 of {count}", found.percentile(0.99), p99, "ms")
            yield Figure("  of which the measuring client's own processor time", found.client, 5, "ms")
            print(
                f"  of which one write that this disk has surely kept (fsync): {durable_write(Path(data)):.1f} ms, p50"
            )
            assert server.process
            yield Figure(f"{mode}: memory with 12 phones and a table screen", memory(server.process.pid), 80, "MB")
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


def main() -> None:
    print(f"Python {platform.python_version()}, {os.cpu_count()} processors, {platform.system()} {platform.machine()}")
    print(
        f"load of the machine by others at the beginning: {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    )
    parts = (starts, replays, prints, evening_of_eight, evening_of_twelve)
    report(figure for measured in parts for figure in measured())


if __name__ == "__main__":
    main()

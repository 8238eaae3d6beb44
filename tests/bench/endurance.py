"""`python -m tests.bench.endurance`: an hour of game on one server, with all that phones do, twenty times as fast.

Pages are reloaded, phones sleep and wake, walk from one Wi-Fi into another without a word to the server, and forget
their streams. Nobody may have to wait, and the server must not grow.
"""

from __future__ import annotations

import argparse
import selectors
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import psutil

from tests.bench.air import Air
from tests.bench.fanout import Evening
from tests.bench.figures import Figure, memory, report
from tests.bench.phones import Phone
from tests.running import Server

# All in seconds of the game.
RECORD_EVERY = 15.0
LOOK_EVERY = 15.0
LOOK_WITHOUT_STREAM = 1.0
LISTEN_AGAIN = 5.0
TROUBLE_EVERY = 240.0
"""How often something happens to each phone."""
SLEEP = 20.0, 240.0

LONGEST_WAIT = 5.0
"""Real seconds after which somebody who is awake counts as hung."""


@dataclass
class Restless(Phone):
    """A phone that is put through everything. Its own connections pass through the air."""

    air: Air | None = None
    speed: float = 1.0
    is_asleep: bool = False
    looks_at: float = 0.0
    listens_at: float = 0.0
    forgotten: list[socket.socket] = field(default_factory=list)

    def ended(self) -> None:
        self.deafen()
        self.listens_at = time.perf_counter() + LISTEN_AGAIN / self.speed

    def live(self, now: float) -> None:
        """What its page does by itself: look now and then, and open its stream again."""
        if self.stream is None and now >= self.listens_at:
            self.listen()
            self.look()
        if now >= self.looks_at:
            self.looks_at = now + (LOOK_EVERY if self.stream else LOOK_WITHOUT_STREAM) / self.speed
            self.look()

    def reload(self) -> None:
        """Forget everything and load the page."""
        self.hang_up()
        self.open()

    def walk(self) -> None:
        """Come from another address; the server never hears that the old connections are gone."""
        assert self.air
        self.air.fall_silent(self.port)
        self.hang_up()
        self.ended()

    def forget_the_stream(self) -> None:
        """Leave the stream open and never read it again, as a page does that froze."""
        if self.stream:
            self.selector.unregister(self.stream)
            self.forgotten.append(self.stream)
            self.stream = None
            self.ended()

    def sleep(self) -> None:
        """Read nothing and say nothing."""
        self.is_asleep = True
        self.deafen()

    def wake(self) -> None:
        """As the page's script does: listen and look."""
        self.is_asleep = False
        self.listen()
        self.look()


@dataclass(frozen=True)
class State:
    """What the server takes at one time. `files`: 0 where the system does not tell; `memory` in MB."""

    threads: int
    files: int
    memory: float


class Endurance:
    """One table, twelve restless phones, and a table screen that is as restless as they are."""

    def __init__(self, server: Server, speed: float, seed: int = 1) -> None:
        assert server.process
        self.process = psutil.Process(server.process.pid)
        self.air = Air(server.port)
        self.speed = speed
        self.rng = Random(seed)
        self.records = self.troubles = self.hangs = 0
        self.longest = 0.0
        """The longest that somebody who was awake had to wait for what was recorded, in real seconds."""
        self.evening = Evening(server.port, "court8", come=self._phone)
        self._wanted, self._since = 0, dict[str, float]()

    def _phone(self, selector: selectors.BaseSelector, path: str, name: str) -> Phone:
        return Restless(self.air.door(), selector, path, name, air=self.air, speed=self.speed)

    @property
    def phones(self) -> Sequence[Restless]:
        return [one for one in self.evening.everyone if isinstance(one, Restless)]

    def state(self) -> State:
        """What the server takes now."""
        files = self.process.num_fds() if hasattr(self.process, "num_fds") else 0
        return State(self.process.num_threads(), files, memory(self.process.pid))

    def play(self, seconds: float) -> None:
        """Let so many real seconds pass."""
        now = time.perf_counter()
        end, record = now + seconds, now
        troubles = {one.name: now + self._soon(TROUBLE_EVERY) for one in self.phones}
        while (now := time.perf_counter()) < end:
            for key, _ in self.evening.selector.select(0.01):
                key.data()
            for phone in self.phones:
                if now >= troubles[phone.name]:
                    troubles[phone.name] = now + self._happens(phone)
                if not phone.is_asleep:
                    phone.live(now)
            if now >= record and self._record():
                record = now + RECORD_EVERY / self.speed
            self._watch(time.perf_counter())

    def _soon(self, seconds: float) -> float:
        return self.rng.uniform(0.2, 1.8) * seconds / self.speed

    def _happens(self, phone: Restless) -> float:
        """Something happens to the phone; the real seconds until something happens again."""
        self.troubles += 1
        if phone.is_asleep:
            phone.wake()
            return self._soon(TROUBLE_EVERY)
        if not phone.is_quiet:
            return 0.1
        troubles: Sequence[Callable[[], None]] = (phone.reload, phone.walk, phone.forget_the_stream, phone.sleep)
        self.rng.choice(troubles)()
        return self.rng.uniform(*SLEEP) / self.speed if phone.is_asleep else self._soon(TROUBLE_EVERY)

    def _record(self) -> bool:
        """Record something, if everybody who is awake holds what was recorded before."""
        host = self.phones[0]
        if host.is_asleep or not all(one.is_quiet and self._holds(one) for one in self.phones if not one.is_asleep):
            return False
        if self.evening.is_over:
            phone, path, form = self.evening.host, "/again", dict[str, str]()
        else:
            (phone, form), path = self.evening.event(self.rng), "/record"
        assert isinstance(phone, Restless)
        if phone.is_asleep:
            return False
        self._wanted = self.evening.send(phone, path, form)
        self.records += 1
        return True

    def _holds(self, phone: Phone) -> bool:
        return phone.shown is not None and phone.shown.version >= self._wanted

    def _watch(self, now: float) -> None:
        for phone in self.phones:
            if phone.is_asleep or (self._holds(phone) and phone.is_quiet):
                self._since.pop(phone.name, None)
                continue
            waited = now - self._since.setdefault(phone.name, now)
            self.longest = max(self.longest, waited)
            if waited > LONGEST_WAIT:
                self.hangs += 1
                self._since.pop(phone.name)
                phone.reload()

    def end(self) -> None:
        """Everybody leaves."""
        for phone in self.phones:
            phone.hang_up()
            for stream in phone.forgotten:
                stream.close()
        self.air.close()


def measure(server: Server, minutes: float, speed: float) -> Iterator[Figure]:
    """An evening of so many minutes at this speed: hangs, and what the server takes in its course."""
    endurance = Endurance(server, speed)
    half = minutes * 60 / speed / 2
    endurance.play(half / 4)
    states = [endurance.state()]
    for part in (half * 3 / 4, half):
        endurance.play(part)
        states.append(endurance.state())
    for when, state in zip(("after an eighth", "in the middle", "at the end"), states, strict=True):
        print(f"  {when}: {state.memory:.1f} MB, {state.threads} threads, {state.files} files")
    print(f"  {endurance.records} records, {endurance.troubles} reloads, sleeps, walks and forgotten streams")
    yield Figure(f"hangs (more than {LONGEST_WAIT:g} s)", endurance.hangs, 0, "")
    yield Figure("longest wait for a new page", endurance.longest, LONGEST_WAIT, "s")
    middle, last = states[1:]
    yield Figure("memory, from the middle to the end", last.memory - middle.memory, 3, "MB")
    yield Figure("threads, from the middle to the end", last.threads - middle.threads, 2, "")
    yield Figure("memory at the end", last.memory, 80, "MB")
    endurance.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="of the game")
    parser.add_argument("--speed", type=float, default=20.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        server.start()
        try:
            report(measure(server, asked.minutes, asked.speed))
        finally:
            server.stop()


if __name__ == "__main__":
    main()

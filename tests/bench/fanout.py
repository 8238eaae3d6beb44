"""How long it takes from a record until twelve phones and a table screen hold the new fragment."""

from __future__ import annotations

import re
import selectors
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from companion.modes import find_mode
from tests.bench.phones import PATIENCE, Phone

PHONES = 12
RECORDS = 240
WARM_UP = 20
PAUSE = 0.03
"""Seconds of calm between two records."""


@dataclass(frozen=True)
class Fanout:
    """Milliseconds of each record, sorted, and the client's own processor time for each in milliseconds."""

    times: Sequence[float]
    client: float

    def percentile(self, share: float) -> float:
        return self.times[min(len(self.times) - 1, int(len(self.times) * share))]


class Evening:
    """A table of a court mode with hit points counted, played by careless people; deaths count at once.

    So many people as the mode takes sit down, the other phones watch. `come` makes a phone of a path and
    a name.
    """

    def __init__(
        self,
        port: int,
        mode: str,
        selector: selectors.BaseSelector | None = None,
        come: Callable[[selectors.BaseSelector, str, str], Phone] | None = None,
    ) -> None:
        self.selector = selector or selectors.DefaultSelector()
        come = come or (lambda selector, path, name: Phone(port, selector, path, name))
        self.host = come(self.selector, "", "table")
        opened = self.host.request("POST", "/", {"key": "open"})
        found = re.search(r'data-stream="/t/(\w+)/stream', opened.text)
        assert found, "no table was opened"
        self.base = f"/t/{found[1]}"
        self.host.path = self.base
        self.phones = [come(self.selector, f"{self.base}/seat", f"P{n}") for n in range(1, PHONES + 1)]
        self.seated = self.phones[: find_mode(mode).players[-1]]
        for phone in self.seated:
            phone.request("GET", phone.path)
            phone.request("POST", f"{self.base}/join", {"name": phone.name, "back": "seat"})
        chosen = {"mode": mode, "pause": "0", "back": "host"}
        self.host.request("POST", f"{self.base}/host/settings", chosen)
        self.host.request("POST", f"{self.base}/host/settings", chosen | {"shown": "hp", "option-hp": "on"})
        self.host.request("POST", f"{self.base}/host/deal", {"back": "host"})
        self.everyone = [self.host, *self.phones]
        for phone in self.everyone:
            phone.open()
        self.rest()

    def rest(self) -> None:
        """Handle what still comes, until nothing is awaited any more."""
        quiet = time.perf_counter() + PAUSE
        while time.perf_counter() < quiet or not all(phone.is_quiet for phone in self.everyone):
            self._wait(PAUSE / 4)

    def _wait(self, seconds: float) -> None:
        for key, _ in self.selector.select(seconds):
            key.data()

    def send(self, phone: Phone, path: str, form: dict[str, str]) -> int:
        """Post a form; the public version that comes of it."""
        assert phone.shown
        key = re.search(r'name="key" value="([^"]*)"', phone.shown.text)
        back = "table" if phone is self.host else "seat"
        phone.post(self.base + path, form | {"key": key[1] if key else "", "back": back})
        return phone.shown.version + 1

    def tell(self, phone: Phone, path: str, form: dict[str, str]) -> float:
        """Post a form and return the seconds until everybody holds the page that came of it."""
        begun = time.perf_counter()
        wanted = self.send(phone, path, form)
        waiting = self.everyone
        while waiting := [one for one in waiting if one.shown is None or one.shown.version < wanted]:
            if time.perf_counter() - begun > PATIENCE:
                raise TimeoutError("somebody never got the new page")
            self._wait(PATIENCE)
        return max(one.shown_at for one in self.everyone) - begun

    def carry_out(self) -> None:
        """Do what is announced, if a question waits for it."""
        while self.host.shown and 'class="asks"' in self.host.shown.text:
            (card,) = set(re.findall(r'name="announcement" value="([^"]+)"', self.host.shown.text))
            self.tell(self.host, "/done", {"announcement": card})
            self.rest()

    def event(self, rng: Random) -> tuple[Phone, dict[str, str]]:
        """Somebody records something, an answer if one is waited for; the table screen does every third time."""
        assert self.host.shown
        recorder = rng.choice([self.host, *rng.sample(self.seated, 2)])
        if answers := re.findall(r'name="input" value="(answer [^"]+)"', self.host.shown.text):
            return recorder, {"input": rng.choice(answers)}
        living = re.findall(r'name="who" value="(\d+)"', self.host.shown.text)
        who, by = rng.choice(living), rng.choice(living)
        verb = rng.choices(("turn", "damage", "death"), (50, 38, 12))[0]
        return recorder, {"verb": verb, "who": who, "points": "1", "by": by, "again": "1"}

    @property
    def is_over(self) -> bool:
        return bool(self.host.shown and f'action="{self.base}/again"' in self.host.shown.text)


def measure(evening: Evening, records: int = RECORDS) -> Fanout:
    """Play on until so many records were timed; new cards are dealt whenever a game has ended."""
    rng = Random(8)
    times = []
    cpu = 0.0
    for number in range(-WARM_UP, records):
        if evening.is_over:
            evening.tell(evening.host, "/again", {})
            evening.rest()
        evening.carry_out()
        phone, form = evening.event(rng)
        used = time.process_time()
        seconds = evening.tell(phone, "/record", form)
        if number >= 0:
            cpu += time.process_time() - used
            times.append(seconds * 1000)
        evening.rest()
    return Fanout(sorted(times), cpu * 1000 / records)

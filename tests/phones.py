"""People with phones at a real server, over real connections."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from random import Random
from threading import Event
from urllib.parse import urlencode

from tests.running import PATIENCE, Server

NAMES = "甲乙丙丁戊"


class Phone:
    """A phone with its cookies, which records one turn after the other. `sent`: all that it recorded, in order.

    What is not answered is sent again under the same key; `unanswered` counts how often that was so.
    """

    def __init__(self, server: Server, name: str) -> None:
        self.server = server
        self.name = name
        self.base = ""
        self.sent: list[str] = []
        self.unanswered = 0
        self._cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, form: Mapping[str, object] | None = None) -> tuple[int, str, str]:
        """Status, location and text of the answer. Raises OSError and HTTPException where there is none."""
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items()),
            "Origin": self.server.url,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        with closing(HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)) as line:
            line.request(method, self.base + path, urlencode(form or {}) if method == "POST" else None, headers)
            answer = line.getresponse()
            text = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        return answer.status, answer.headers.get("Location", ""), text

    def post(self, path: str, **form: object) -> str:
        """Send a form that must be accepted; where it leads to."""
        status, place, text = self.ask("POST", path, {"back": "seat", **form})
        assert status == 303, f"{self.name}: {path} {form} was answered {status}: {text[:2000]}"
        return place

    def sit_down(self, base: str) -> None:
        """Scan, and write a name."""
        self.base = base
        self.ask("GET", "/seat")
        self.post("/join", name=self.name)

    def card(self) -> tuple[str, str]:
        """Whose card the phone's page shows, and the identity on it."""
        _, _, page = self.ask("GET", "/seat")
        role = re.search(r'<p class="role">(.*?)</p>', page)
        owner = re.search(r'<p class="owner"><bdi>(.*?)</bdi></p>', page)
        assert role and owner, f"{self.name} has no card: {page[:2000]}"
        return owner[1], role[1]

    def deal(self) -> str:
        """The deal as this phone may know it: its own identity, and what is public."""
        status, _, record = self.ask("GET", "/record.txt")
        dealt = re.search(r"^1\. deal .*$", record, re.M)
        assert status == 200 and dealt, f"{self.name} gets no record: {status} {record[:2000]}"
        return dealt[0]

    def record_until(self, over: Event, rng: Random) -> None:
        """Record turns; now and then with a double tap."""
        while not over.is_set():
            self.sent.append(f"turn {rng.randint(1, len(NAMES))}")
            self._send_until_answered()
            if rng.random() < 0.2:
                self._send_until_answered()

    def _send_until_answered(self) -> None:
        while True:
            try:
                self.post("/record", input=self.sent[-1], key=len(self.sent), again=1)
            except ConnectionRefusedError:
                time.sleep(0.05)
            except (OSError, HTTPException):
                self.unanswered += 1
            else:
                return


def begun(server: Server) -> list[Phone]:
    """Everybody who plays a game that has just begun."""
    host = Phone(server, "host")
    base = host.base = host.post("/")
    phones = [Phone(server, name) for name in NAMES]
    for phone in phones:
        phone.sit_down(base)
    host.post("/host/settings", mode="classic", pause=0)
    host.post("/host/deal")
    return phones

"""A page that asks for itself is sent what the whole page holds, however much of it was made before for others."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.evening import HTMX, Browser, House, dealt


def _words(html: str) -> str:
    return " ".join(html.split())


def _agrees(browser: Browser, path: str) -> None:
    whole = re.search(r'<main id="live"[^>]*>(.*)</main>', browser.page(path), re.S)
    assert whole
    assert _words(browser.page(path, **HTMX)) == _words(whole[1])


def test_the_inside_is_that_of_the_whole_page(tmp_path: Path) -> None:
    house = House(tmp_path / "evening.sqlite3")
    host, phones = dealt(house, pause=4)
    guest = house.browser("en")
    guest.base = host.base

    def everybody_agrees() -> None:
        for browser in (*phones, guest):
            _agrees(browser, "seat")
        _agrees(host, "")
        _agrees(guest, "")

    everybody_agrees()
    phones[0].record("turn 1")
    phones[2].record("death 2 by 3")
    everybody_agrees()
    house.clock.move(2)
    everybody_agrees()
    house.clock.move(2)
    everybody_agrees()
    phones[0].record("leave 1")
    house.clock.move(4)
    host.post("host/end", {"back": "host", "key": "enough"})
    everybody_agrees()

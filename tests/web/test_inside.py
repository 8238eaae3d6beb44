"""A page that asks for itself is sent what the whole page holds, however much of it was made before for others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NoReturn
from unittest.mock import patch

import pytest

from companion.web.again import Again
from tests.web.evening import HTMX, Browser, House, dealt, seated


def _words(html: str) -> str:
    return " ".join(html.split())


def _agrees(browser: Browser, path: str) -> None:
    whole = re.search(r'<main id="live"[^>]*>(.*)</main>', browser.page(path), re.S)
    assert whole
    assert _words(browser.page(path, **HTMX)) == _words(whole[1])


def _both_ways_agree(browser: Browser, path: str) -> None:
    """What is answered without Flask is what Flask answers, to the last header."""
    app = browser.house.app
    short = app.wsgi_app
    assert isinstance(short, Again)
    etag = browser.get(path, HTMX).headers["ETag"]
    for more in ({}, {"Accept-Encoding": "gzip"}, {"If-None-Match": etag}, {"If-None-Match": '"other"'}):
        answers = []
        for way in (short, short.otherwise):
            with patch.object(app, "wsgi_app", way):
                answer = browser.get(path, {**HTMX, **more})
                answers.append((answer.status, list(answer.headers), answer.get_data()))
        assert answers[0] == answers[1], (path, more)
        assert answers[0][0][:3] == ("304" if more.get("If-None-Match") == etag else "200")


def _refuses(*_: object) -> NoReturn:
    raise AssertionError("Flask was asked")


def test_in_a_game_pages_that_ask_again_do_without_flask(house: House) -> None:
    host, phones = dealt(house)
    spectator = house.browser()
    spectator.base = host.base
    spectator.get("seat")
    short = house.app.wsgi_app
    assert isinstance(short, Again)
    with patch.object(short, "otherwise", _refuses):
        assert {browser.get("seat", HTMX).status_code for browser in (*phones, spectator)} == {200}
        assert host.get("", HTMX).status_code == 200
        with pytest.raises(AssertionError, match="Flask was asked"):
            host.get("", {**HTMX, "Host": "elsewhere.example"})


def test_browsers_that_tell_a_lot_are_not_kept_in_mind(house: House) -> None:
    host, _ = dealt(house)
    short = house.app.wsgi_app
    assert isinstance(short, Again)
    with patch.object(short, "_browsers", {}):
        for number in range(5):
            assert host.get("", {**HTMX, "Accept-Language": f"en;{number}" + "x" * 10_000}).status_code == 200
        assert not short._browsers
        assert host.get("", HTMX).status_code == 200
        assert len(short._browsers) == 1


def test_before_the_deal_both_ways_agree(house: House) -> None:
    host, phones = seated(house)
    _both_ways_agree(phones[0], "seat")
    _both_ways_agree(host, "")


def test_in_trouble_both_ways_say_so(house: House) -> None:
    host, phones = dealt(house)
    phones[0].get("seat", HTMX)
    house.tables.trouble.reason = "full"
    _both_ways_agree(phones[0], "seat")
    _both_ways_agree(host, "")
    assert 'id="notice"' in phones[0].page("seat", **HTMX)


def test_a_seat_that_was_taken_away_is_not_remembered(house: House) -> None:
    host, phones = dealt(house, "lord rebel", "classic")
    host.post("host/end", {"back": "host", "key": "enough"})
    gone = phones[1].evening.people[1].id
    seen = phones[1].get("seat", HTMX).headers["ETag"]
    host.post("host/remove", {"person": gone, "back": "host"})
    assert f"-p{gone}-" in seen
    assert f"-p{gone}-" not in phones[1].get("seat", HTMX).headers["ETag"]


def test_the_inside_is_that_of_the_whole_page(tmp_path: Path) -> None:
    house = House(tmp_path / "evening.sqlite3")
    host, phones = dealt(house, pause=4)
    guest = house.browser("en")
    guest.base = host.base

    def everybody_agrees() -> None:
        for browser in (*phones, guest):
            _agrees(browser, "seat")
            _both_ways_agree(browser, "seat")
        for browser in (host, guest):
            _agrees(browser, "")
            _both_ways_agree(browser, "")

    everybody_agrees()
    guest.language = "zh-TW"
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

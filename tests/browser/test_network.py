"""A poor network: a server that freezes, one that refuses, and phones that come back again and again."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import People, Person
from tests.running import Server

AWAY = "#away"


def _look(person: Person) -> None:
    person.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


@contextmanager
def frozen(server: Server) -> Iterator[None]:
    """The laptop naps: connections stay open, and nothing answers."""
    assert server.process
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.process.pid, signal.SIGCONT)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that freezes a process")
def test_a_laptop_that_naps_is_noticed_and_its_phones_catch_up(browser: Browser, own_server: Server) -> None:
    people = People(browser, own_server.url)
    screen, code = people.open_table(pause=0)
    (phone,) = people.seat(code, ["甲"])
    with frozen(own_server):
        _look(phone)
        expect(phone.page.locator(AWAY)).to_have_text("重新连接…", timeout=12_000)
    expect(phone.page.locator(AWAY)).to_be_empty(timeout=12_000)
    people.seat(code, ["乙"])
    for person in (phone, screen):
        person.see(".ring", "乙")
    people.leave()


def test_a_phone_whose_first_connection_is_refused_recovers_by_itself(browser: Browser, own_server: Server) -> None:
    people = People(browser, own_server.url)
    _, code = people.open_table(pause=0)
    (phone,) = people.seat(code, ["甲"])
    own_server.kill()
    _look(phone)
    expect(phone.page.locator(AWAY)).to_have_text("重新连接…")
    own_server.start()
    expect(phone.page.locator(AWAY)).to_be_empty()
    people.seat(code, ["乙"])
    phone.see(".ring", "乙")
    people.leave()

"""What people see when the laptop's disk is full, and when there is room again."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.people import NAMES, People
from tests.disks import fill, make_room, small_disk
from tests.running import Server


def test_a_full_disk_is_said_on_every_screen_and_the_game_goes_on(browser: Browser, tmp_path: Path) -> None:
    with small_disk(tmp_path / "data") as disk:
        server = Server(disk)
        server.start()
        people = People(browser, server.url)
        try:
            screen, code = people.open_table("classic", 0)
            phones = people.seat(code, NAMES[:4])
            small, english = people.phone((360, 640), "zh-TW"), people.phone(locale="en-GB")
            screen.tap(screen.page.locator("form[action$='/deal'] button").first)
            for watching in (small, english):
                watching.page.goto(f"{server.url}/t/{code}/seat")
            phones[0].see(".ring")
            before = list(screen.log)
            fill(disk)
            phones[0].record("回合", 2)
            words = {"zh-CN": "电脑的磁盘满了", "zh-TW": "電腦的磁碟滿了", "en-GB": "The laptop's disk is full"}
            for number, person in enumerate(people.here):
                person.see("#notice", words[person.page.evaluate("navigator.language")])
                expect(person.page.locator("#away")).to_be_empty()
                expect(person.page.locator("#unsent")).to_be_hidden()
                person.shot(f"full-disk-{number}")
            assert screen.log == before
            make_room(disk)
            for person in people.here:
                expect(person.page.locator("#notice")).to_be_empty()
            phones[0].record("回合", 2)
            expect(screen.page.locator(".log .what")).to_have_count(len(before) + 1)
        finally:
            troubles = people.leave()
            server.stop()
        assert all("status of 507" in trouble for trouble in troubles), troubles

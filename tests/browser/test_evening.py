"""What goes wrong on a real evening: late friends, double taps, two recorders, no network, no scripts."""

from __future__ import annotations

import re
import time

from playwright.sync_api import Browser, expect

from tests.browser.people import People, Person, Phone
from tests.running import Server


def _playing(people: People, pause: int | None = None) -> tuple[Person, str, list[Phone]]:
    screen, code = people.open_table(pause=pause)
    phones = people.seat(code, ["甲", "乙", "丙"])
    screen.tap(screen.page.locator(".deal button:enabled"))
    for phone in phones:
        phone.see("#hold")
    return screen, code, phones


def test_whoever_scans_after_the_deal_looks_on(people: People) -> None:
    screen, code, _ = _playing(people)
    late = people.phone()
    late.page.goto(f"{people.url}/j/{code}")
    late.see(".spectator")
    for gone in ("#hold", "#face", "#rec", "button.next"):
        expect(late.page.locator(gone)).to_have_count(0)
    expect(screen.page.locator(".ring li")).to_have_count(3)
    _go_on(screen)
    screen.tap(screen.see("button.next"))
    late.see(".seat.turn")
    assert late.log == screen.log


def _go_on(screen: Person) -> None:
    """Carry out whatever the deal announces."""
    screen.see(".ring .s1")
    screen.carry_out()


def test_a_double_tap_makes_one_record(people: People) -> None:
    screen, _, phones = _playing(people)
    _go_on(screen)
    phones[0].see("button.next")
    phones[0].page.evaluate("(() => { const b = document.querySelector('.next'); b.click(); b.click(); })()")
    screen.see(".seat.turn")
    screen.page.wait_for_timeout(300)
    assert len([line for line in screen.log if "回合" in line]) == 1
    assert phones[0].page.locator("#notice .slip").count() == 0


def test_two_people_record_the_same(people: People) -> None:
    """The same death from two phones at once is one death. It is announced for four seconds."""
    screen, _, phones = _playing(people)
    _go_on(screen)
    phones[1].see("button.next")
    for phone in phones[:2]:
        phone.tap(phone.page.locator(".ring .s3 label"))
        phone.tap(phone.page.locator(".sheet .verbs label", has_text="阵亡"))
    begun = time.monotonic()
    for phone in phones[:2]:
        phone.page.locator(".sheet .ask:visible button.b2").evaluate("button => button.click()")
    for person in (screen, *phones):
        person.see(".draft", "即将阵亡")
        person.see(".fuse.of-4")
    for person in (screen, *phones):
        expect(person.page.locator(".draft")).to_have_count(0)
        person.see(".s3 .dead, #verdict")
    assert 3.9 < time.monotonic() - begun < 20
    assert len([line for line in screen.log if "阵亡" in line and "凶手" in line]) == 1


def test_the_same_turn_again_is_asked_about(people: People) -> None:
    screen, _, phones = _playing(people)
    _go_on(screen)
    phones[0].tap(phones[0].see("button.next"))
    phones[1].see(".seat.turn")
    name = phones[0].name
    phones[1].record("回合", 1)
    phones[1].see(".slip", f"{name} 刚刚记过同样的一条。再记一次？")
    phones[1].shot("phone-repeat")
    phones[1].tap(phones[1].page.locator(".slip button", has_text="再记一次"))
    expect(phones[1].page.locator(".slip")).to_have_count(0)
    expect(screen.page.locator(".log .what")).to_have_count(3)


def test_a_refusal_says_why_and_shows_the_present_state(people: People) -> None:
    screen, _, phones = _playing(people, pause=0)
    _go_on(screen)
    living = phones[0].see("button.next")
    phones[0].page.route(
        "**/record", lambda route: route.continue_(post_data=_said_of_a_dead_one(route.request.post_data))
    )
    phones[0].tap(living)
    phones[0].see(".slip", re.compile("没有"))
    phones[0].shot("phone-refused")
    screen.tap(screen.see("button.next"))
    phones[0].see(".seat.turn")
    phones[0].see(".slip", re.compile("没有"))  # it stays to be read, though the page went on
    phones[0].tap(phones[0].page.locator(".slip .close"))
    expect(phones[0].page.locator(".slip")).to_have_count(0)


def _said_of_a_dead_one(form: str | None) -> str:
    return re.sub("turn[+ ]?(%20)?1", "turn+9", form or "")


def test_a_phone_without_network_says_so_and_catches_up(browser: Browser, server: Server) -> None:
    people = People(browser, server.url)
    screen, _, phones = _playing(people)
    _go_on(screen)
    phones[0].see("button.next")
    phones[0].context.set_offline(True)
    phones[0].page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phones[0].page.locator("#away")).to_have_text("重新连接…")
    screen.tap(screen.see("button.next"))
    screen.see(".seat.turn")
    phones[0].hold()
    expect(phones[0].face).to_be_visible()
    phones[0].let_go()
    expect(phones[0].page.locator(".seat.turn")).to_have_count(0)
    phones[0].context.set_offline(False)
    phones[0].see(".seat.turn")
    expect(phones[0].page.locator("#away")).to_be_empty()
    assert not [trouble for trouble in people.leave() if not re.search("ERR_|Failed to fetch", trouble)]


def test_without_scripts_everything_is_a_plain_form(people: People) -> None:
    screen, code = people.open_table(pause=0)
    plain = people.phone(scripts=False)
    plain.come(code, "甲")
    people.seat(code, ["乙", "丙"])
    screen.tap(screen.page.locator(".deal button:enabled"))
    _go_on(screen)
    plain.tap(plain.see(".refresh a"))
    plain.tap(plain.see("button.next"))
    screen.see(".seat.turn")
    plain.see(".seat.turn")
    plain.record("阵亡", 3, 2)
    plain.see(".s3 .dead, #verdict")
    screen.see(".s3 .dead, #verdict")

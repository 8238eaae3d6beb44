"""Seats are lost and found in real browsers: other addresses, other phones, people without one, another host."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import expect

from tests.browser.people import People, Person, Phone
from tests.browser.test_layout import LANGUAGES, SMALL, fits, sits_down

NAMED = ".join form:not(:has(#name)) button"
"""The names of those who sit at the table, on a phone that looks for its seat."""


def _playing(people: People, names: Sequence[str] = ("甲", "乙", "丙")) -> tuple[Person, str, list[Phone]]:
    screen, code = people.open_table(pause=0)
    phones = people.seat(code, names)
    _deal(screen, phones)
    return screen, code, phones


def _deal(screen: Person, phones: Sequence[Phone]) -> None:
    screen.tap(screen.page.locator(".deal button:enabled"))
    for phone in phones:
        phone.see("#hold")


def _asks(people: People, code: str, name: str, url: str | None = None, **phone: bool) -> Phone:
    """Somebody scans with another phone, and taps the own name."""
    new = people.phone(**phone)  # type: ignore[arg-type]
    new.name = f"new {name}"
    new.page.goto(f"{url or people.url}/j/{code}")
    new.tap(new.see(f"a[href='/t/{code}/claim']"))
    new.tap(new.see(NAMED, name))
    new.see("#asked-for")
    return new


def _sign(person: Person, place: str) -> tuple[str, str | None]:
    """The symbol that somebody sees: its word and its shape."""
    sign = person.see(f"{place} .sign")
    return sign.inner_text().strip(), sign.locator("path").get_attribute("d")


def test_a_seat_is_found_with_another_phone_and_the_old_one_is_signed_out(people: People) -> None:
    screen, code, phones = _playing(people)
    old = phones[1]
    role = old.looks()
    new = _asks(people, code, "乙")
    new.shot("claim-waiting")
    for person in (screen, *phones):
        person.see(".strip", "有手机要打开这些座位：乙")
    screen.shot("board-asked")
    screen.tap(screen.see(".strip a"))
    assert _sign(screen, "#claims") == _sign(new, "#asked-for")
    screen.shot("host-claims")
    old.hold()
    expect(old.face).to_be_visible()
    screen.tap(screen.page.locator("#claims button", has_text="批准"))
    old.see("#lost", "乙 的座位在另一台手机上打开了")
    expect(old.page.locator("#hold, #face, #rec")).to_have_count(0)
    old.let_go()
    old.shot("phone-lost")
    new.see("#hold")
    assert new.page.url == f"{people.url}/t/{code}/seat"
    assert new.looks() == role
    for person in (screen, new, old, phones[0]):
        person.see(".seat-news", "乙 的座位换到了新手机")
    phones[0].shot("phone-told")
    old.page.go_back()
    expect(old.page.locator("#face")).to_have_count(0)


def test_the_laptop_has_another_address_and_all_are_approved_in_one_tap(people: People) -> None:
    """Cookies belong to an address: by another one nobody has a seat any more, the host too."""
    screen, code, phones = _playing(people)
    elsewhere = people.url.replace("127.0.0.1", "localhost")
    assert elsewhere != people.url
    roles = [phone.looks() for phone in phones]
    for phone, name in zip(phones, "甲乙丙", strict=True):
        phone.page.goto(f"{elsewhere}/j/{code}")
        phone.see(".spectator")
        phone.tap(phone.see(f"a[href='/t/{code}/claim']"))
        phone.tap(phone.see(NAMED, name))
        phone.see("#asked-for")
    screen.page.goto(f"{elsewhere}/")
    screen.tap(screen.page.locator(f"form[action='/t/{code}/resume'] button"))
    screen.see(".ring")
    screen.page.goto(f"{elsewhere}/t/{code}/host")
    expect(screen.page.locator("#claims li")).to_have_count(3)
    assert len({_sign(phone, "#asked-for") for phone in phones}) == 3
    screen.shot("host-claims-3")
    screen.tap(screen.page.locator("#claims button.main", has_text="全部批准"))
    expect(screen.page.locator("#claims")).to_have_count(0)
    for phone, role in zip(phones, roles, strict=True):
        phone.see("#hold")
        assert phone.looks() == role


def test_a_late_friend_takes_over(people: People) -> None:
    screen, code, phones = _playing(people)
    role = phones[2].looks()
    friend = people.phone()
    friend.page.goto(f"{people.url}/j/{code}")
    friend.tap(friend.see(f"a[href='/t/{code}/claim']"))
    friend.see(NAMED)
    friend.shot("claim")
    friend.tap(friend.page.locator("#take-over summary"))
    friend.page.fill("#name", "友")
    friend.tap(friend.page.locator("#take-over button", has_text="丙"))
    friend.see("#asked-for", "友 要接手 丙 的座位")
    screen.page.goto(f"{people.url}/t/{code}/host")
    screen.see("#claims li", "友 接手 丙")
    screen.tap(screen.page.locator("#claims button", has_text="批准"))
    friend.see("#hold")
    assert friend.looks() == role
    phones[2].see("#lost")
    for person in (screen, phones[0], friend):
        person.see(".seat-news", "友 接手了 丙 的座位")
    expect(phones[0].page.locator(".ring .name", has_text="友")).to_have_count(1)


def test_the_phone_is_passed_on_and_nothing_stays(people: People) -> None:
    screen, code = people.open_table(pause=0)
    phones = people.seat(code, ["甲", "乙"])
    phones[0].tap(phones[0].page.locator("#add summary"))
    phones[0].page.fill("#other", "老")
    phones[0].tap(phones[0].page.locator("#add button"))
    expect(phones[0].page.locator(".ring .name", has_text="老")).to_have_count(1)
    phones[0].shot("phone-lobby")
    expect(screen.page.locator(".ring .name", has_text="老")).to_have_count(1)
    _deal(screen, phones)
    own = phones[0].looks()
    phones[0].tap(phones[0].see(f"a[href='/t/{code}/pass']"))
    phones[0].shot("pass")
    phones[0].tap(phones[0].see("main form button", "传给 老"))
    phones[0].see("#passed", "请把手机交给 老")
    phones[0].shot("passed")
    role = phones[0].looks()
    assert {own, role} < {"主公", "内奸", "反贼", "忠臣"} and role != own
    for person in (screen, phones[1]):
        person.see(".seat-news", "老 的牌在 甲 的手机上打开了")
    screen.shot("board-opened")
    phones[0].tap(phones[0].page.locator("#passed a"))
    phones[0].see(".ring")
    assert phones[0].looks() == own
    phones[0].page.go_back()
    phones[0].see("h1", "把手机传给谁看牌？")
    expect(phones[0].page.locator("#face")).to_have_count(0)


def test_a_card_that_was_passed_on_leaves_a_phone_that_is_put_away(people: People) -> None:
    screen, code = people.open_table(pause=0)
    phones = people.seat(code, ["甲", "乙"])
    _sits_without(people, code, phones[0])
    _deal(screen, phones)
    phones[0].page.goto(f"{people.url}/t/{code}/pass")
    phones[0].tap(phones[0].see("main form button", "传给 老"))
    phones[0].see("#passed")
    phones[0].page.evaluate("Object.defineProperty(document, 'hidden', {value: true})")
    phones[0].page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phones[0].page.wait_for_url(f"**/t/{code}/seat")
    phones[0].see("#hold")


def _sits_without(people: People, code: str, phone: Phone) -> None:
    phone.tap(phone.page.locator("#add summary"))
    phone.page.fill("#other", "老")
    phone.tap(phone.page.locator("#add button"))
    expect(phone.page.locator(".ring .name", has_text="老")).to_have_count(1)


def test_hosting_moves_to_a_phone_by_a_code_that_works_once(people: People) -> None:
    screen, code, phones = _playing(people)
    screen.page.goto(f"{people.url}/t/{code}/host")
    screen.tap(screen.page.locator("#offer summary"))
    screen.shot("host-offer")
    screen.tap(screen.page.locator("#offer button"))
    label = screen.see("#offered svg").get_attribute("aria-label")
    assert label
    screen.shot("offer")
    path = label[label.index("/t/") :]
    for phone in phones[1:]:
        phone.page.goto(people.url + path)
        phone.see("#hosting button")
    phones[1].shot("hosting")
    phones[1].tap(phones[1].page.locator("#hosting button"))
    phones[1].see("#offer")
    assert phones[1].page.url == f"{people.url}/t/{code}/host"
    phones[2].tap(phones[2].page.locator("#hosting button"))
    phones[2].see("#hosting", "这个码不能用了")
    phones[2].shot("hosting-gone")
    assert [trouble for trouble in phones[2].troubles if "410" in trouble] == phones[2].troubles
    phones[2].troubles.clear()
    screen.tap(screen.page.locator("#offered a.main"))
    screen.see(".seat-news", "房主换了一台设备")
    expect(screen.page.locator(f"a[href='/t/{code}/host']")).to_have_count(0)
    screen.skip_setup()
    screen.tap(screen.see("button.next"))
    phones[0].see(".seat.turn")
    phones[1].page.goto(f"{people.url}/t/{code}/seat")
    phones[1].see("#hold")
    phones[1].tap(phones[1].page.locator(".ways button", has_text="撤销上一条"))
    expect(screen.page.locator(".seat.turn")).to_have_count(0)


def test_without_scripts_a_seat_is_found_and_passed_on_by_plain_forms(people: People) -> None:
    screen, code = people.open_table(pause=0)
    phones = people.seat(code, ["甲", "乙"])
    _sits_without(people, code, phones[0])
    _deal(screen, phones)
    plain = _asks(people, code, "乙", scripts=False)
    plain.see("#asked-for", re.compile("等房主批准"))
    screen.page.goto(f"{people.url}/t/{code}/host")
    screen.tap(screen.page.locator("#claims button", has_text="批准"))
    expect(screen.page.locator("#claims")).to_have_count(0)
    plain.tap(plain.see(".refresh a"))
    plain.see("#hold")
    plain.tap(plain.see(f"a[href='/t/{code}/pass']"))
    plain.tap(plain.see("main form button", "传给 老"))
    plain.see("#passed", "请把手机交给 老")
    assert plain.is_covered()
    plain.tap(plain.page.locator("#passed a"))
    plain.see(".ring")


@pytest.mark.parametrize("locale", LANGUAGES)
def test_everything_fits_and_can_be_tapped(people: People, locale: str) -> None:
    faults: list[str] = []
    host = people.phone(SMALL, locale)

    def look(person: Person, what: str) -> None:
        person.shot(f"{locale}-{what}")
        faults.extend(fits(person.page, what))

    host.page.goto(people.url)
    host.tap(host.page.locator("form[action='/'] button"))
    code = host.see(".short b").inner_text()
    first = people.seat(code, ["诸葛村夫卧龙岗散淡的人啊"], size=SMALL, locale=locale)[0]
    for name in ("Bartholomew", "丙"):
        sits_down(people.url, code, name)
    for place in ("#add", "#leave"):
        first.tap(first.page.locator(f"{place} summary"))
    look(first, "phone-lobby")
    first.page.fill("#other", "Maximiliana von Habsburg")
    first.tap(first.page.locator("#add button"))
    guest = people.phone(SMALL, locale)
    guest.page.goto(f"{people.url}/j/{code}")
    look(guest, "join")
    host.page.goto(f"{people.url}/t/{code}/host")
    host.tap(host.page.locator("#offer summary"))
    look(host, "host")
    host.tap(host.page.locator(".go .deal button:enabled"))
    first.see("#hold")
    guest.see(".spectator")
    look(guest, "spectator")
    guest.page.goto(f"{people.url}/t/{code}/claim")
    guest.tap(guest.page.locator("#take-over summary"))
    look(guest, "claim")
    guest.page.fill("#name", "Wilhelmina the Younger")
    guest.tap(guest.page.locator("#take-over button").first)
    guest.see("#asked-for")
    look(guest, "claim-waiting")
    others = [people.phone(SMALL, locale) for _ in range(3)]
    for other, nth in zip(others, (1, 1, 2), strict=True):
        other.page.goto(f"{people.url}/t/{code}/claim")
        other.tap(other.page.locator(NAMED).nth(nth))
        other.see("#asked-for")
    expect(host.page.locator("#claims li")).to_have_count(4)
    look(host, "host-claims")
    first.see(".strip")
    look(first, "phone-asked")
    first.tap(first.see(f"a[href='/t/{code}/pass']"))
    first.see("main form button")
    look(first, "pass")
    first.tap(first.page.locator("main form button"))
    first.see("#passed")
    look(first, "passed")
    first.hold()
    look(first, "passed-held")
    first.let_go()
    first.page.goto(f"{people.url}/t/{code}/seat")
    host.tap(host.page.locator("#claims > form button"))
    first.see("#lost")
    look(first, "phone-lost")
    host.tap(host.page.locator("#offer button"))
    host.see("#offered")
    look(host, "offer")
    assert not faults

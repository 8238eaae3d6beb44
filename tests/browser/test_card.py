"""One's own card: seen while it is held, and never otherwise."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.people import People, Phone


def _dealt(people: People, names: tuple[str, ...] = ("甲", "乙"), **phone: object) -> list[Phone]:
    screen, code = people.open_table()
    phones = people.seat(code, names, **phone)
    expect(screen.page.locator(".deal button")).to_be_enabled()
    screen.tap(screen.page.locator(".deal button"))
    for holder in phones:
        holder.see("#hold")
    return phones


def _press(phone: Phone, key: str) -> None:
    phone.page.locator("#hold").focus()
    phone.page.keyboard.down(key)


WAYS: dict[str, tuple[Callable[[Phone], None], Callable[[Phone], None]]] = {
    "finger": (Phone.hold, Phone.let_go),
    "space": (lambda it: _press(it, " "), lambda it: it.page.keyboard.up(" ")),
    "enter": (lambda it: _press(it, "Enter"), lambda it: it.page.keyboard.up("Enter")),
    "focus lost": (lambda it: _press(it, " "), lambda it: it.page.locator("#hold").blur()),
    "window left": (Phone.hold, lambda it: it.page.evaluate("window.dispatchEvent(new Event('blur'))")),
    "scrolled": (Phone.hold, lambda it: it.page.evaluate("window.dispatchEvent(new Event('scroll'))")),
    "touch taken by the system": (Phone.hold, lambda it: it.page.evaluate("dispatchEvent(new Event('pointercancel'))")),
    "page hidden": (Phone.hold, lambda it: it.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")),
}


def test_the_card_is_seen_while_it_is_held_in_every_way(people: People) -> None:
    phone = _dealt(people)[0]
    for way, (open_it, cover_it) in WAYS.items():
        assert phone.is_covered(), way
        open_it(phone)
        expect(phone.face).to_be_visible()
        cover_it(phone)
        expect(phone.face).to_be_hidden()
        assert phone.is_covered(), way
        phone.let_go() if cover_it is not Phone.let_go and open_it is Phone.hold else None


def test_a_screen_readers_click_opens_and_covers_it(people: People) -> None:
    phone = _dealt(people)[0]
    phone.page.evaluate("document.getElementById('hold').click()")
    expect(phone.face).to_be_visible()
    expect(phone.page.locator("#hold")).to_have_attribute("aria-pressed", "true")
    phone.page.evaluate("document.getElementById('hold').click()")
    expect(phone.face).to_be_hidden()


def test_a_long_card_is_read_without_scrolling_while_it_is_held(people: People) -> None:
    phone = _dealt(people, size=(360, 640), locale="en-GB")[0]
    size = "parseFloat(getComputedStyle(face).fontSize)"
    usual = phone.page.evaluate(size)
    phone.page.evaluate(
        "face.append(Object.assign(document.createElement('p'), {textContent: 'Draw two cards. '.repeat(35)}))"
    )
    assert phone.page.evaluate("face.scrollHeight > face.clientHeight")
    phone.hold()
    expect(phone.face).to_be_visible()
    assert phone.page.evaluate("face.scrollHeight <= face.clientHeight")
    assert usual > phone.page.evaluate(size) >= 10
    phone.let_go()
    phone.page.evaluate("face.lastElementChild.remove()")
    phone.hold()
    assert phone.page.evaluate(size) == usual
    phone.let_go()


def test_not_one_pixel_of_a_covered_page_depends_on_the_card(people: People) -> None:
    phone = _dealt(people)[0]
    expect(phone.page.locator("html.htmx-request, .htmx-request")).to_have_count(0)
    covered = phone.page.screenshot()
    phone.hold()
    expect(phone.face).to_be_visible()
    assert phone.page.screenshot() != covered
    phone.let_go()
    assert phone.page.screenshot() == covered
    phone.page.evaluate("document.querySelectorAll('#face *').forEach(part => part.textContent = '内奸内奸内奸')")
    assert phone.page.screenshot() == covered


def test_leaving_empties_the_card_and_back_shows_it_covered(people: People) -> None:
    phone = _dealt(people)[0]
    role = phone.looks()
    phone.page.evaluate("window.dispatchEvent(new Event('pagehide'))")
    expect(phone.face).to_be_empty()
    phone.page.goto(people.url)
    phone.page.go_back()
    phone.see("#hold")
    assert phone.is_covered()
    assert phone.looks() == role
    with phone.page.expect_navigation():
        phone.page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    assert phone.looks() == role


@pytest.mark.parametrize("how", ["pressed", "focused"])
def test_without_scripts_it_is_held_or_focused(people: People, how: str) -> None:
    screen, code = people.open_table()
    plain = people.phone(scripts=False)
    plain.come(code, "甲")
    people.seat(code, ["乙"])
    screen.tap(screen.page.locator(".deal button:enabled"))
    screen.see(".ring .s1")
    plain.tap(plain.see(".refresh a"))
    expect(plain.face).to_be_hidden()
    if how == "pressed":
        box = plain.page.locator("#hold").bounding_box()
        assert box
        plain.page.mouse.move(box["x"] + 30, box["y"] + 30)
        plain.page.mouse.down()
        expect(plain.face).to_be_visible()
        plain.page.mouse.up()
        plain.page.mouse.move(200, 100)
    else:
        for _ in range(40):
            plain.page.keyboard.press("Tab")
            if plain.face.is_visible():
                break
        expect(plain.face).to_be_visible()
        plain.page.keyboard.press("Shift+Tab")
    expect(plain.face).to_be_hidden()

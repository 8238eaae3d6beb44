"""No page is wider than a small phone, and nothing that is tapped is smaller than a finger, in any language."""

from __future__ import annotations

from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import People, Person
from tests.browser.stills import Stills
from tests.web.screen_samples import Samples
from tests.web.test_screens import render

SMALL = (360, 640)
FINGER = 48
LANGUAGES = ("zh-CN", "zh-TW", "en-GB")

TOO_SMALL = """least => [...document.querySelectorAll('a, button, summary, label, select, input:not([type=hidden])')]
  .filter(e => e.checkVisibility({visibilityProperty: true}) && !e.matches('.vh, .choice *, [for]'))
  .map(e => [e, e.getBoundingClientRect()])
  .filter(([, box]) => box.width < least - .5 || box.height < least - .5)
  .map(([e, box]) => `${e.outerHTML.slice(0, 80)} ${Math.round(box.width)}x${Math.round(box.height)}`)"""

CUT = """() => [...document.querySelectorAll('select')].map(select => {
  const has = select.offsetWidth;
  select.style.cssText = 'flex: none; width: max-content; max-width: none; min-width: 0';
  return [select.name, has, select.offsetWidth];
}).filter(([, has, needs]) => has < needs)"""
"""The lists that are narrower than their longest line."""


def fits(page: Page, what: str) -> list[str]:
    """What is wrong with the page's size and the sizes of its targets."""
    width = page.evaluate("document.documentElement.scrollWidth")
    found = [f"{what}: {width} px wide"] if width > SMALL[0] else []
    return found + [f"{what}: {one}" for one in page.evaluate(TOO_SMALL, FINGER)]


@pytest.mark.parametrize("locale", LANGUAGES)
def test_everything_fits_and_can_be_tapped(people: People, locale: str) -> None:
    small: dict[str, object] = {"size": SMALL, "locale": locale}
    faults: list[str] = []
    host = people.phone(SMALL, locale)

    def look(person: Person, what: str) -> None:
        person.shot(f"{locale}-{what}")
        faults.extend(fits(person.page, what))

    host.page.goto(people.url)
    look(host, "start")
    host.tap(host.page.locator("form[action='/'] button"))
    code = host.see(".short b").inner_text()
    look(host, "table-lobby")
    host.page.goto(f"{people.url}/t/{code}/host")
    look(host, "host-lobby")
    host.page.locator("#wifi summary").tap()
    host.page.fill("#wifi [name=network]:visible", "Pfirsichgarten der drei Brüder")
    host.page.fill("#wifi [name=password]", "X" * 63)
    host.page.locator("#wifi button.main").tap()
    host.see("#wifi form + form")
    look(host, "host-wifi")
    host.page.goto(f"{people.url}/t/{code}")
    look(host, "table-wifi")
    host.page.goto(f"{people.url}/t/{code}/host")
    guest = people.phone(SMALL, locale)
    guest.page.goto(f"{people.url}/j/{code}")
    look(guest, "join")
    guest.page.goto(f"{people.url}/t/{code}/elsewhere")
    look(guest, "error")
    assert [trouble for trouble in guest.troubles if "404" in trouble] == guest.troubles
    guest.troubles.clear()
    host.page.locator("label.choice", has=host.page.locator("[value=court8]")).tap()
    expect(host.page.locator("[name=option-hide_composition]")).to_have_count(1)
    host.page.locator("label.choice", has=host.page.locator("[name=option-hp]")).tap()
    host.page.wait_for_load_state("networkidle")
    names = ("欧阳娜娜", "Alexandria", "丙", "丁", "戊", "己", "Bartholomew", "辛")
    first = people.seat(code, names[:1], **small)[0]
    look(first, "phone-lobby")
    for name in names[1:]:
        sits_down(people.url, code, name)
    host.page.locator(".go .deal button:enabled").tap()
    first.see("#hold")
    look(first, "phone-announcement")
    host.page.goto(f"{people.url}/t/{code}")
    look(host, "table-announcement")
    first.skip_setup()
    first.see("button.next")
    look(first, "phone-play")
    first.tap(first.page.locator(".ring .s2 label"))
    look(first, "phone-recorder")
    first.tap(first.page.locator(".sheet .verbs label").nth(2))
    look(first, "phone-damage")
    first.tap(first.page.locator(".sheet button[type=reset]"))
    first.tap(first.page.locator(".ring .s2 label"))
    first.tap(first.page.locator(".sheet .verbs label").first)
    first.tap(first.page.locator(".sheet .ask:visible button.b1"))
    first.see(".draft")
    look(first, "phone-draft")
    first.hold()
    look(first, "phone-card")
    first.let_go()
    host.page.goto(f"{people.url}/t/{code}/host")
    look(host, "host-play")
    host.page.locator("#stop summary").tap()
    host.page.locator("#stop button").tap()
    first.see("#verdict")
    look(first, "phone-end")
    host.page.goto(f"{people.url}/t/{code}")
    look(host, "table-end")
    assert not faults


@pytest.mark.parametrize("locale", LANGUAGES)
def test_every_choice_of_what_is_printed_can_be_read_to_its_end(people: People, locale: str) -> None:
    phone = people.phone(SMALL, locale)
    phone.page.goto(f"{people.url}/print")
    phone.page.locator("#of-cards summary").tap()
    phone.shot(f"{locale}-print")
    assert not fits(phone.page, "print") + phone.page.evaluate(CUT)


def sits_down(url: str, code: str, name: str) -> None:
    """Somebody joins with a phone that nobody looks at."""
    opener = build_opener(HTTPCookieProcessor(CookieJar()))
    opener.open(f"{url}/t/{code}/seat", timeout=10).close()
    form = urlencode({"name": name, "back": "seat"}).encode()
    opener.open(Request(f"{url}/t/{code}/join", form, {"Origin": url}), timeout=10).close()


BROKEN = """all => all.map(label => [label.textContent.trim(), label]).filter(([text, label]) => {
  const range = document.createRange();
  range.selectNodeContents(label.lastChild);
  return !text.includes(' ') && new Set([...range.getClientRects()].map(box => box.top)).size > 1;
}).map(([text]) => text)"""


def test_no_word_of_the_record_sheet_is_broken(browser: Browser) -> None:
    """On a narrow screen with a mouse, where the other events stay in sight beside the bold one that is chosen."""
    context = browser.new_context(viewport={"width": 360, "height": 800})
    page = Stills(context.new_page()).show(render(Samples("en").all()["seat-provinces"]))
    page.locator(".ring .s3 label").click()
    for label in page.locator(".sheet .verbs label:visible").all():
        label.click()
        assert not page.locator(".sheet .verbs label").evaluate_all(BROKEN)
    context.close()

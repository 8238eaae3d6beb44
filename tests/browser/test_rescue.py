"""Who saved somebody is named, one after the other, by finger, by keyboard, and on a phone that runs no scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.people import NAMES, People, Person, Phone
from tests.web.screen_samples import LANGS

OF_LANGUAGE = {"zh-Hans": "zh-CN", "zh-Hant": "zh-TW", "en": "en-GB"}


def dying(people: People, mode: str, option: str, count: int) -> tuple[Person, list[Phone]]:
    """A game in which seat 3 is dying: the table screen, and the phones by seat."""
    screen, code = people.open_table(mode, pause=0)
    page = screen.page
    page.goto(f"{screen.url}/t/{code}/host")
    screen.tap(page.locator("label.choice", has=page.locator(f"[name='option-{option}']")))
    page.wait_for_load_state("networkidle")
    screen.tap(page.locator(".ways a").first)
    phones = people.seat(code, NAMES[:count])
    screen.tap(page.locator(".deal button:enabled"))
    phones[0].see("#hold")
    names = page.locator(".ring .name").all_inner_texts()
    screen.skip_setup()
    screen.tap(screen.see("button.next"))
    screen.record("濒", 3, 1)
    phones.sort(key=lambda phone: names.index(phone.name))
    for phone in phones:
        phone.see("#dying-3")
    return screen, phones


def row(who: Person, number: int) -> Locator:
    return who.page.locator("#dying-3 fieldset").nth(number - 1)


def named(phone: Person, *seats: int) -> None:
    """The newest line of the log names them in this order."""
    line = phone.page.locator(".log li").first
    expect(line.locator(".name").first).to_be_visible()
    expect(line.locator(".what > .no")).to_have_text(["3", *map(str, seats)])


def test_whoever_saved_somebody_is_tapped_in_order(people: People) -> None:
    screen, phones = dying(people, "sixteen", "hp", 5)
    phone, other = phones[3], phones[0]
    expect(row(phone, 2)).to_be_hidden()
    phone.tap(row(phone, 1).get_by_text("5"))
    expect(phone.page.locator("#dying-3 button.main")).to_be_hidden()
    phone.tap(row(phone, 2).get_by_text("1"))
    phone.page.wait_for_timeout(1200)  # The page asks for itself meanwhile: what is chosen stays.
    phone.tap(phone.page.locator("#dying-3 [type=reset]"))
    expect(row(phone, 2)).to_be_hidden()
    phone.tap(row(phone, 1).get_by_text("5"))
    phone.tap(row(phone, 2).get_by_text("2"))
    phone.shot("rescue")
    phone.tap(phone.page.locator("#dying-3 button.back"))
    expect(other.page.locator("#dying-3")).to_have_count(0)
    named(other, 5, 2)
    screen.record("濒死", 3, 2)
    other.see("#dying-3")
    other.taps = 0
    other.tap(other.page.locator("#dying-3 button.back"))
    assert other.taps == 1
    expect(phone.page.locator("#dying-3")).to_have_count(0)
    named(phone)
    screen.record("濒死", 3, 4)
    other.see("#dying-3")
    other.tap(other.page.locator(".ring .s3 label"))
    other.tap(other.page.locator(".sheet .verbs label:visible", has_text="救回"))
    asked = other.page.locator(".sheet .ask:visible")
    other.tap(asked.locator("fieldset").nth(0).get_by_text("4"))
    other.tap(asked.locator("fieldset").nth(1).get_by_text("1"))
    other.tap(asked.locator("button.main"))
    expect(phone.page.locator("#dying-3")).to_have_count(0)
    named(phone, 4, 1)


def test_whoever_saved_somebody_is_named_by_keyboard(people: People) -> None:
    screen, phones = dying(people, "sixteen", "hp", 5)
    keys = screen.page.keyboard
    row(screen, 1).locator("input").first.focus()
    keys.press("Space")
    for _ in range(3):
        keys.press("ArrowDown")
    expect(row(screen, 1).locator("input").nth(3)).to_be_checked()
    keys.press("Tab")
    keys.press("Space")
    expect(row(screen, 2).locator("input").first).to_be_checked()
    expect(row(screen, 1).locator("label").nth(3)).to_be_in_viewport()
    screen.shot("rescue-keyboard")
    screen.page.locator("#dying-3 button.back").focus()
    keys.press("Enter")
    expect(phones[0].page.locator("#dying-3")).to_have_count(0)
    named(phones[0], 4, 1)


def test_whoever_saved_somebody_is_named_without_scripts(people: People) -> None:
    _, phones = dying(people, "sixteen", "hp", 5)
    plain = people.phone(scripts=False)
    plain.context.add_cookies(phones[1].context.cookies())  # type: ignore[arg-type]
    plain.page.goto(phones[1].page.url)
    plain.tap(row(plain, 1).get_by_text("5"))
    plain.tap(row(plain, 2).get_by_text("2"))
    plain.tap(plain.page.locator("#dying-3 button.back"))
    named(plain, 5, 2)


def test_in_ambition_the_screen_asks_for_provinces(people: People) -> None:
    _, phones = dying(people, "ambition", "provinces", 6)
    phone = phones[4]
    expect(phone.page.locator("#dying-3 h2")).to_contain_text("濒亡")
    expect(phone.page.locator("#dying-3 button")).to_have_text([*(f"恢复到 {n} 州" for n in (1, 2, 3)), "灭亡"])
    phone.tap(phone.page.locator("#dying-3 button", has_text="2"))
    expect(phones[0].page.locator(".ring .s3 .lands")).to_contain_text("2/3")


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_wrong_with_the_cards_stays_in_sight(people: People, lang: str) -> None:
    """On a phone that puts a game together, while a card far down the list is added."""
    host = people.phone(locale=OF_LANGUAGE[lang])
    host.page.goto(people.url)
    host.tap(host.page.locator("form[action='/'] button"))
    host.see(".short b")
    host.page.goto(f"{host.page.url}/host")
    host.tap(host.page.locator("label.choice", has=host.page.locator("[value='sixteen']")))
    host.see("#composition")
    count, more = host.page.locator(".composer .sum"), host.page.locator("button[name=count][value^='false_emperor ']")
    others = host.page.locator("#composition details", has=more.first)
    if others.get_attribute("open") is None:
        host.tap(others.locator("summary"))
    for wanted in (1, 2):
        host.tap(more.nth(1))
        expect(others.locator("output", has_text=str(wanted))).to_be_visible()
        expect(count).to_be_in_viewport(ratio=1)
    expect(host.page.locator(".composer .reasons .clause", has_text="SX-1.3").first).to_be_in_viewport(ratio=1)
    host.shot(f"composer-{lang}")
    labels = host.page.locator("button[name=count]").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert len(labels) == len(set(labels))

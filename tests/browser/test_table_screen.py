"""The table screen: read from afar, aloud, and from the other side; and how a table is led to its first turn."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import People, Person, Phone
from tests.browser.test_layout import sits_down

VOICES = """window.heard = [];
const voices = %s;
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(window, 'speechSynthesis', { value: {
  getVoices: () => voices.map(lang => ({ lang })), cancel() {}, addEventListener() {},
  speak: words => heard.push(['voice', words.lang, words.text, performance.now()]) } });
window.AudioContext = class {
  constructor() { this.currentTime = 0; this.destination = {}; }
  resume() {}
  createOscillator() { return { frequency: {}, connect: next => next, start: () => window.ring(), stop() {} }; }
  createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: next => next }; }
};
window.ring = () => {
  if (!window.rung) heard.push(['gong', performance.now()]);
  window.rung ||= setTimeout(() => { window.rung = 0; }, 50);
};"""
ALL_VOICES = "['en-GB', 'zh-TW', 'zh_CN']"


def _listens(screen: Person, voices: str = ALL_VOICES) -> None:
    """Sounds and words of the page are noted from now on; it is read aloud."""
    screen.page.add_init_script(VOICES % voices)
    screen.page.reload()
    if voices != "[]":
        screen.tap(screen.see("[data-switch=voice]"))


def _heard(screen: Person) -> list[Any]:
    heard: list[Any] = screen.page.evaluate("heard.splice(0)")
    return heard


def _wait_for_words(screen: Person) -> None:
    until = time.monotonic() + 10
    while not screen.page.evaluate("heard.some(one => one[0] == 'voice')"):
        assert time.monotonic() < until
        screen.page.wait_for_timeout(50)


def _said(screen: Person) -> list[str]:
    return [one[2] for one in _heard(screen) if one[0] == "voice"]


def _dealt(people: People, mode: str = "court8", names: str = "甲乙丙丁戊己庚辛") -> tuple[Person, list[Phone]]:
    screen, code = people.open_table(mode, 0)
    phones = people.seat(code, names)
    expect(screen.page.locator(".deal button")).to_be_enabled()
    return screen, phones


# Aloud


def test_what_is_to_be_done_is_read_once_after_a_gong_and_a_breath(people: People) -> None:
    screen, phones = _dealt(people)
    _listens(screen)
    assert _said(screen) == ["朗读"]
    screen.tap(screen.page.locator(".deal button"))
    screen.see("#say-setup-look")
    expect(screen.page.locator(".ring .s1")).to_be_visible()
    _wait_for_words(screen)
    heard = _heard(screen)
    gong, voice = next(one for one in heard if one[0] == "gong"), next(one for one in heard if one[0] == "voice")
    assert voice[1] == "zh_CN" and voice[2].startswith("看牌时刻。各自按住自己的牌")
    assert 800 < voice[3] - gong[-1] < 3000
    screen.skip_setup()
    screen.tap(screen.see("button.next"))
    screen.page.wait_for_timeout(1200)
    assert _heard(screen) == []
    victim = screen.page.locator(".ring .s4 .name").inner_text()
    phones[0].see(".seat.turn")
    phones[0].record("阵亡", 4, 2)
    screen.see(".card.now")
    _wait_for_words(screen)
    [said] = _said(screen)
    assert said.startswith(f"亮明身份。4号 {victim}") and "X4" not in said
    screen.page.evaluate("for (let n = 0; n < 3; n++) document.dispatchEvent(new Event('visibilitychange'))")
    screen.page.wait_for_timeout(1300)
    assert _heard(screen) == []
    screen.page.reload()
    screen.see(".card.now")
    screen.page.wait_for_timeout(1300)
    assert _said(screen) == []
    assert not any(phone.page.evaluate("window.heard ?? false") for phone in phones)


@pytest.mark.parametrize(("tongue", "begins"), [("en-GB", "Look at"), ("zh-TW", "看牌時刻")])
def test_it_speaks_the_pages_language(people: People, tongue: str, begins: str) -> None:
    screen, code = people.open_table("classic", 0, tongue)
    people.seat(code, "甲乙")
    _listens(screen)
    _heard(screen)
    screen.tap(screen.page.locator(".deal button:enabled"))
    _wait_for_words(screen)
    [(_, lang, text, _)] = [one for one in _heard(screen) if one[0] == "voice"]
    assert lang == tongue and text.startswith(begins)


def test_without_a_voice_it_is_silent_and_offers_none(people: People) -> None:
    screen, _ = _dealt(people, "classic", "甲乙")
    _listens(screen, "[]")
    expect(screen.page.locator("[data-switch=voice]")).to_be_hidden()
    screen.page.add_init_script("Object.defineProperty(window, 'speechSynthesis', { value: undefined })")
    screen.page.reload()
    expect(screen.page.locator("[data-switch=voice]")).to_be_hidden()
    screen.tap(screen.page.locator("[data-switch=gong]"))
    screen.tap(screen.page.locator(".deal button"))
    screen.see("#say-setup-look")
    screen.page.wait_for_timeout(1200)
    assert _heard(screen) == []


# From the other side


def test_one_tap_turns_the_text_and_the_browser_remembers(people: People) -> None:
    screen, _ = _dealt(people, "classic", "甲乙")
    nearest = screen.page.locator(".ring .at-0").bounding_box()
    screen.tap(screen.page.locator("[data-switch=turned]"))
    turned = screen.page.locator(".ring .at-0").bounding_box()
    assert nearest and turned and turned["y"] < nearest["y"]
    screen.page.reload()
    expect(screen.page.locator("html.turned")).to_have_count(1)
    screen.tap(screen.page.locator(".deal button"))
    screen.see("#say-setup-look")
    screen.skip_setup()
    expect(screen.page.locator("html.turned")).to_have_count(1)
    screen.shot("table-turned")
    screen.tap(screen.page.locator("[data-switch=turned]"))
    expect(screen.page.locator("html.turned")).to_have_count(0)


# From afar


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (800, 1280)], ids=str)
def test_names_are_large_nothing_overlaps_and_the_code_is_in_sight(people: People, size: tuple[int, int]) -> None:
    screen, _ = _dealt(people)
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    screen.tap(screen.page.locator(".deal button"))
    screen.see("#say-setup-look")
    name = float(screen.page.locator(".ring .s1 .line").evaluate("e => parseFloat(getComputedStyle(e).fontSize)"))
    assert name >= {1280: 36, 1920: 50, 800: 32}[size[0]]
    boxes = [one.bounding_box() for one in screen.page.locator(".ring .seat, .card.now").all()]
    for number, one in enumerate(boxes):
        for other in boxes[number + 1 :]:
            assert one and other
            apart = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
            assert apart or one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
    screen.tap(screen.page.locator("#more summary"))
    for part in ("#more .qr svg", "#more .address", "#more .short"):
        box = screen.page.locator(part).bounding_box()
        assert box and box["y"] >= 0 and box["y"] + box["height"] <= size[1], part
    assert screen.page.evaluate("document.documentElement.scrollHeight") <= size[1]


@pytest.mark.parametrize("size", [(1280, 800), (1366, 768), (1920, 1080), (800, 1280)], ids=str)
def test_all_twelve_can_be_tapped_round_the_table_at_once(people: People, size: tuple[int, int]) -> None:
    screen, code = people.open_table("court12", 0, "en-GB")
    screen.page.set_viewport_size({"width": size[0], "height": size[1]})
    for name in ("诸葛村夫卧龙岗散淡的人", "Bartholomew", "Maximiliana", *"甲乙丙丁戊己庚辛壬"):
        sits_down(people.url, code, name)
    screen.tap(screen.see("[action$='/host/places'] button"))
    screen.see("#places")
    assert screen.page.locator("#places button").count() == 15
    assert _is_whole(screen, "#places")


def _is_whole(screen: Person, what: str) -> bool:
    """Whether nothing of it is to be scrolled for."""
    return bool(
        screen.page.locator(what).evaluate(
            "e => [e, e.parentElement].every(it => it.scrollHeight <= it.clientHeight + 1)"
            " && innerHeight >= e.getBoundingClientRect().bottom"
        )
    )


def test_what_is_to_be_made_good_comes_first_and_can_be_ended(people: People) -> None:
    screen, phones = _dealt(people)
    screen.tap(screen.page.locator(".deal button"))
    screen.skip_setup()
    phones[0].see("#hold")
    victim = next(seat for seat in range(2, 9) if not screen.page.locator(f".ring .s{seat} .identity").count())
    screen.record("阵亡", victim, 1)
    screen.see(".card.now")
    screen.carry_out()
    screen.tap(screen.see(".under button", "撤销上一条"))
    for person in (screen, phones[0]):
        person.see(".amends", "身份牌盖回去")
    expect(screen.page.locator("#turn")).to_be_hidden()
    card, button = screen.see(".amends").bounding_box(), screen.see(".amends button").bounding_box()
    assert card and button and button["y"] + button["height"] <= card["y"] + card["height"] <= 800
    phones[0].tap(phones[0].see(".amends button"))
    screen.see("#turn")


def test_a_long_step_of_setting_up_is_seen_whole(people: People) -> None:
    screen, code = people.open_table("ambition", 0, "en-GB")
    people.seat(code, "甲乙丙丁戊", locale="en-GB")
    screen.tap(screen.page.locator(".deal button:enabled"))
    while screen.page.locator(".card.now").count():
        card = screen.see(".card.now")
        shown = card.get_attribute("id")
        assert _is_whole(screen, ".card.now"), shown
        screen.tap(card.locator("form[action$='/done'] button"))
        expect(screen.page.locator(f"#{shown}")).to_have_count(0)


# Led to the first turn


def test_all_tap_their_places_look_together_and_write_their_heroes(people: People) -> None:
    screen, code = people.open_table("classic", 0)
    screen.page.add_init_script(VOICES % ALL_VOICES)
    screen.page.reload()
    phones = people.seat(code, "甲乙丙")
    screen.tap(screen.page.locator("[action$='/host/places'] button"))
    screen.page.locator(".ring .seat.free").nth(2).wait_for()
    for place in (1, 2):
        phones[place].tap(phones[place].see("#seating button"))
        phones[place].see("#seating", f"第 {place} 位")
    screen.tap(screen.page.locator("#places .people button", has_text="甲"))
    expect(screen.page.locator(".ring .name")).to_have_text(["乙", "丙", "甲"])
    screen.tap(screen.page.locator(".deal button:enabled"))
    _all_look(screen, phones)
    for step in ("lord", "heroes", "flip"):
        screen.tap(screen.see(f"#say-setup-{step} button"))
    for person in (screen, *phones):
        person.see("#say-setup-names")
    phones[1].page.fill("#hero-now [name=name]", "界徐盛")
    phones[1].tap(phones[1].page.locator("#hero-now button"))
    for person in (screen, *phones):
        person.see(".hero-name", "界徐盛")
    phones[2].tap(phones[2].page.locator(".card.now button"))
    expect(phones[0].page.locator("#say-setup-names")).to_have_count(0)
    phones[0].carry_out()
    phones[2].tap(phones[2].see("button.next"))
    screen.see(".seat.turn")


def _all_look(screen: Person, phones: list[Phone]) -> None:
    """Ten seconds on every screen alike; the gong is struck at the beginning and at the end."""
    screen.see("#say-setup-look")
    _heard(screen)
    begun = time.monotonic()
    phones[2].tap(phones[2].see("#say-setup-look [action$='/look'] button"))
    for person in (screen, *phones):
        person.see(".countdown .digits")
    phones[0].looks()
    for person in (screen, *phones):
        expect(person.page.locator(".card.now h2")).to_have_text("时间到，都盖上", timeout=15_000)
    assert 9.5 < time.monotonic() - begun < 20
    gongs = [one[-1] for one in _heard(screen) if one[0] == "gong"]
    assert 9000 < gongs[-1] - gongs[0] < 14_000
    screen.tap(screen.page.locator(".card.now button"))


def test_the_host_drags_somebody_to_another_place(people: People) -> None:
    screen, code = people.open_table("classic", 0)
    people.seat(code, "甲乙丙丁")
    screen.page.goto(f"{people.url}/t/{code}/host")
    rows = screen.page.locator("#order > li .name")
    expect(rows).to_have_text(["甲", "乙", "丙", "丁"])
    _drag(screen, 0, 2)
    expect(rows).to_have_text(["乙", "丙", "甲", "丁"])
    _drag(screen, 3, 0)
    expect(rows).to_have_text(["丁", "乙", "丙", "甲"])
    screen.tap(screen.page.locator("#order [value=down]").first)
    expect(rows).to_have_text(["乙", "丁", "丙", "甲"])


def _drag(screen: Person, row: int, to: int) -> None:
    grips = screen.page.locator("#order .grip")
    grips.nth(row).scroll_into_view_if_needed()
    start, end = grips.nth(row).bounding_box(), grips.nth(to).bounding_box()
    assert start and end
    mouse = screen.page.mouse
    mouse.move(start["x"] + 20, start["y"] + 20)
    mouse.down()
    mouse.move(end["x"] + 20, end["y"] + 22 + (2 if to > row else -2), steps=5)
    mouse.up()

"""Phones give nothing away: not by Back, not by their light, not by sound, and all are nudged alike."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Playwright, Route, expect

from tests.browser.conftest import SWITCHES, missing
from tests.browser.people import PHONE, People
from tests.browser.stills import Stills
from tests.running import Server
from tests.web.evening import House, dealt
from tests.web.test_setting_up import DEALS

SIXTEEN = (
    "lord:red loyalist:red crown_prince:red champion:red royal_guard:red rebel vanguard strategist",
    "wise_lord:red loyalist:red alliance_leader renegade yellow_turban assassin>2 rebel false_emperor>1",
    "former_lord loyalist rebel rebel renegade",
    "hidden_dragon:red loyalist:red rebel rebel renegade",
)
"""Deals in which every identity of the mode is held by somebody."""
ALIKE = 0.02
SENSES = """for (const [where, what] of [[Navigator.prototype, 'vibrate'], [HTMLMediaElement.prototype, 'play']])
  where[what] = () => { window.sensed = true; };
for (const what of ['AudioContext', 'SpeechSynthesisUtterance', 'Notification'])
  window[what] = function () { window.sensed = true; };"""


# Back


@pytest.fixture
def remembering(playwright: Playwright) -> Iterator[Browser]:
    """A browser that keeps a page alive for Back. The headless shell never does."""
    path = shutil.which("chromium") or missing("chromium")
    kept = ["--disable-back-forward-cache"]
    switches = [*SWITCHES, "--headless=new"]
    launched = playwright.chromium.launch(executable_path=path, args=switches, ignore_default_args=kept)
    yield launched
    launched.close()


def _storable(route: Route) -> None:
    """The page without `no-store`, which some browsers heed with Back and others do not."""
    answer = route.fetch(max_redirects=0)
    dropped = ("cache-control", "content-encoding", "content-length")
    headers = {name: value for name, value in answer.headers.items() if name.lower() not in dropped}
    route.fulfill(status=answer.status, headers=headers, body=answer.body())


def test_back_to_a_page_that_the_browser_kept_alive_shows_it_covered(remembering: Browser, server: Server) -> None:
    people = People(remembering, server.url)
    screen, code = people.open_table()
    phone = people.seat(code, ["甲", "乙"])[0]
    screen.tap(screen.page.locator(".deal button:enabled"))
    role = phone.looks()
    phone.page.add_init_script(
        "addEventListener('pageshow', e => { if (e.persisted) sessionStorage.back = '>' + face.textContent; }, true)"
    )
    phone.page.route(lambda url: url.endswith("/seat"), _storable)
    phone.page.reload()
    phone.see("#hold")
    phone.page.goto(people.url)
    with phone.page.expect_event("load"):
        phone.page.go_back(wait_until="commit")
    phone.see("#hold")
    assert phone.page.evaluate("sessionStorage.back") == ">"
    assert phone.is_covered()
    assert phone.looks() == role
    people.leave()


# Light


class Cards(Stills):
    """Shows one phone after the other, with the card held open."""

    def light(self, html: str) -> float:
        """The mean luminance of the whole screen while the card is held."""
        self.show(html)
        self.page.evaluate("peek(true)")
        expect(self.page.locator("#face")).to_be_visible()
        return luminance(self.page.screenshot())


def luminance(png: bytes) -> float:
    """The mean relative luminance (WCAG) of a picture: what its light adds up to."""
    counts = Image.open(io.BytesIO(png)).convert("RGB").histogram()
    pixels = sum(counts[:256])
    light = [((level / 255 + 0.055) / 1.055) ** 2.4 if level > 10 else level / 255 / 12.92 for level in range(256)]
    channels = (counts[at : at + 256] for at in (0, 256, 512))
    means = (sum(n * value for n, value in zip(channel, light, strict=True)) / pixels for channel in channels)
    return sum(weight * mean for weight, mean in zip((0.2126, 0.7152, 0.0722), means, strict=True))


@pytest.mark.parametrize("size", [PHONE, (360, 640)], ids=["large", "small"])
@pytest.mark.parametrize("mode", DEALS)
def test_every_identity_shines_alike(browser: Browser, tmp_path: Path, mode: str, size: tuple[int, int]) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    cards = Cards(context.new_page())
    lights: dict[str, dict[str, float]] = {"zh-CN": {}, "zh-TW": {}, "en": {}}
    for number, deal in enumerate(SIXTEEN if mode == "sixteen" else [DEALS[mode]]):
        _, phones = dealt(House(tmp_path / str(number)), deal, mode)
        for lang, found in lights.items():
            for card, phone in zip(deal.split(), phones, strict=True):
                phone.language = lang
                found[card] = cards.light(phone.page())
    context.close()
    for lang, found in lights.items():
        darkest, brightest = (pick(found, key=found.__getitem__) for pick in (min, max))
        spread = 1 - found[darkest] / found[brightest]
        assert spread <= ALIKE, f"{lang}: {darkest} and {brightest} differ by {spread:.2%}"


# Sound and nudges


def test_phones_neither_sound_nor_buzz_and_all_are_nudged_alike(people: People) -> None:
    screen, code = people.open_table("sixteen", 0)
    phones = people.seat(code, "甲乙丙丁戊")
    for phone in phones:
        phone.page.add_init_script(SENSES)
        phone.page.reload()
    screen.tap(screen.page.locator(".deal button:enabled"))
    for person in (screen, *phones):
        person.see("#say-setup-look")
    screen.skip_setup()
    screen.tap(screen.see("button.next"))
    nudges = {person.see("#look").inner_text() for person in (screen, *phones)}
    assert len(nudges) == 1
    phones[0].hold()
    phones[0].let_go()
    screen.record("阵亡", 3, 1)
    for person in (screen, *phones):
        person.see(".s3 .dead, #verdict")
    assert not any(phone.page.evaluate("window.sensed ?? false") for phone in phones)

"""People with phones, and a table screen: what each sees and taps in a browser of their own."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from playwright.sync_api import Browser, BrowserContext, CDPSession, ConsoleMessage, Locator, Page, expect

from tests.running import Server

SHOTS = os.environ.get("COMPANION_SCREENSHOTS")
"""A folder for pictures of every screen on the way; none are taken without it."""

PHONE = (390, 844)
TABLE = (1280, 800)
NAMES = ("甲", "乙", "丙", "丁", "戊", "己", "庚", "辛")
EXPECTED = re.compile(r"the server responded with a status of (409|422)")
"""What the browser's console says of a refusal that the page words."""
AWAY = re.compile("ERR_|Failed to fetch|htmx:error: timeout")
"""What it says while there is no server."""

expect.set_options(timeout=10_000)


@dataclass
class Person:
    """One browser with nobody else's cookies. `troubles` are console errors, failed scripts and broken promises."""

    context: BrowserContext
    page: Page
    url: str
    name: str = ""
    taps: int = 0
    troubles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.troubles.append(f"{self.name}: {error}"))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not EXPECTED.search(message.text):
            self.troubles.append(f"{self.name}: {message.text}")

    def tap(self, where: Locator) -> None:
        """One tap of a finger, or one click."""
        self.taps += 1
        if self.page.evaluate("navigator.maxTouchPoints"):
            where.tap()
        else:
            where.click()

    def shot(self, title: str) -> None:
        """A picture, where pictures are wanted."""
        if SHOTS:
            Path(SHOTS).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=Path(SHOTS) / f"{title}.png")

    def see(self, selector: str, text: str | re.Pattern[str] | None = None) -> Locator:
        """Waits until this is there to be seen."""
        place = self.page.locator(selector, has_text=text) if text else self.page.locator(selector)
        expect(place.first).to_be_visible()
        return place.first

    def record(self, verb: str, who: int, by: int | None = None) -> None:
        """Record an event: the person, what happened, and by whom."""
        self.tap(self.page.locator(f".ring .s{who} label"))
        self.tap(self.page.locator(".sheet .verbs label", has_text=verb))
        shown = self.page.locator(".sheet .ask:visible")
        self.tap(shown.locator(f"button.b{by}") if by else shown.locator("button.main"))

    def carry_out(self) -> list[str]:
        """Do what is to be done now, one card after the other, until nothing is left; the clauses of what is announced.

        The look that all take together is passed over, and nothing else.
        """
        clauses = []
        while (card := self.page.locator(".card.now")).count():
            shown = card.get_attribute("id")
            clauses += card.locator(".clause").all_inner_texts()
            self.tap(self.page.locator(f"#{shown} form[action$='/done'] button"))
            expect(self.page.locator(f"#{shown}")).to_have_count(0)
        return clauses

    def skip_setup(self) -> None:
        """Leave out whatever is to be done before the first turn."""
        self.tap(self.see(".skip button"))
        expect(self.page.locator(".card.now")).to_have_count(0)

    @property
    def log(self) -> Sequence[str]:
        """The lines of the log, newest first, without what followed from them."""
        return self.page.locator(".log .what").all_inner_texts()


class Phone(Person):
    """A phone in somebody's hand."""

    def come(self, code: str, name: str) -> None:
        """Scan the code, type a name, sit down."""
        self.name = name
        self.page.goto(f"{self.url}/j/{code}")
        self.page.fill("#name", name)
        self.tap(self.page.locator("button.main"))
        expect(self.page.locator(".waiting h1")).to_contain_text(name)

    def hold(self) -> None:
        """Put a finger on the card."""
        box = self.page.locator("#hold").bounding_box()
        assert box
        self._touch("touchStart", [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}])

    def let_go(self) -> None:
        """Take the finger away."""
        self._touch("touchEnd", [])

    def _touch(self, kind: str, points: list[dict[str, float]]) -> None:
        self.fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    @cached_property
    def fingers(self) -> CDPSession:
        """Where touches are sent: one that is begun here must end here."""
        return self.context.new_cdp_session(self.page)

    @property
    def face(self) -> Locator:
        """The open side of one's card."""
        return self.page.locator("#face")

    def is_covered(self) -> bool:
        """Whether nothing of the card can be seen, by the style that holds for it."""
        seen = (
            "[...document.querySelectorAll('#face, #face *')].filter(e => getComputedStyle(e).visibility != 'hidden')"
        )
        return not self.page.evaluate(f"{seen}.length")

    def looks(self) -> str:
        """The identity that the held card says; covered before and afterwards."""
        assert self.is_covered()
        self.hold()
        expect(self.face).to_be_visible()
        role = self.page.locator("#face .role").inner_text()
        self.let_go()
        expect(self.face).to_be_hidden()
        return role


Someone = TypeVar("Someone", bound=Person)


class People:
    """Everybody at one table."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.url = url
        self.here: list[Person] = []
        self._browser = browser
        self._has_seen_a_power_cut = False

    def phone(self, size: tuple[int, int] = PHONE, locale: str = "zh-CN", scripts: bool = True) -> Phone:
        """Somebody's phone."""
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=locale,
            has_touch=True,
            is_mobile=True,
            device_scale_factor=2 if SHOTS else 1,
            java_script_enabled=scripts,
        )
        return self._met(Phone(context, context.new_page(), self.url))

    def screen(self, locale: str = "zh-CN") -> Person:
        """A laptop at the table."""
        context = self._browser.new_context(viewport={"width": TABLE[0], "height": TABLE[1]}, locale=locale)
        return self._met(Person(context, context.new_page(), self.url, "table"))

    def _met(self, someone: Someone) -> Someone:
        self.here.append(someone)
        return someone

    def leave(self) -> list[str]:
        """Everybody goes; the troubles that they had, apart from those of a power cut."""
        for person in self.here:
            person.context.close()
        troubles = [trouble for person in self.here for trouble in person.troubles]
        return [trouble for trouble in troubles if not (self._has_seen_a_power_cut and AWAY.search(trouble))]

    def lose_power(self, server: Server, meanwhile: Callable[[], None] = lambda: None) -> None:
        """The server is killed and started again; every page notices both by itself."""
        self._has_seen_a_power_cut = True
        server.kill()
        for person in self.here:
            expect(person.page.locator("#away")).not_to_be_empty(timeout=20_000)
        meanwhile()
        server.start()
        for person in self.here:
            expect(person.page.locator("#away")).to_be_empty(timeout=20_000)

    def open_table(
        self, mode: str | None = None, pause: int | None = None, locale: str = "zh-CN"
    ) -> tuple[Person, str]:
        """A table opened from the start page, with what its host sets; the table screen and the code."""
        screen = self.screen(locale)
        screen.page.goto(self.url)
        screen.tap(screen.page.locator("form[action='/'] button"))
        code = screen.see(".short b").inner_text()
        if mode or pause is not None:
            screen.tap(screen.page.locator(f"a[href='/t/{code}/host']"))
            if mode:
                screen.tap(screen.page.locator("label.choice", has=screen.page.locator(f"[value='{mode}']")))
                expect(screen.page.locator(".go .composition, .go .state")).not_to_have_count(0)
            if pause is not None:
                screen.page.select_option("[name=pause]", str(pause))
            screen.page.wait_for_load_state("networkidle")
            screen.tap(screen.page.locator(".ways a").first)
        return screen, code

    def seat(self, code: str, names: Sequence[str], **phone: object) -> list[Phone]:
        """So many people sit down, one after the other."""
        phones = []
        for name in names:
            phones.append(self.phone(**phone))  # type: ignore[arg-type]
            phones[-1].come(code, name)
        return phones

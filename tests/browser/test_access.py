"""Every page in every state and language, judged by axe-core; every page at twice its size on a small phone."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import cast

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.web.screens import Lang, TableLobby
from tests.browser.stills import Stills
from tests.web.screen_samples import LANGS, Samples
from tests.web.test_screens import render

PHONE = {"width": 390, "height": 844}
SMALL = {"width": 360, "height": 640}
TWICE = {"width": SMALL["width"] // 2, "height": SMALL["height"] // 2}
"""What is left of a small phone's page at 200 %."""

UNFOLD = "for (const folded of document.querySelectorAll('details')) folded.open = true"
JUDGE = """() => axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.flatMap(rule =>
  rule.nodes.map(node => `${rule.id}: ${node.target} ${node.failureSummary}`)))"""
TOO_WIDE = """most => document.documentElement.scrollWidth <= most ? [] : [...document.querySelectorAll('body *')]
  .filter(e => e.getBoundingClientRect().right > most + .5).map(e => e.outerHTML.slice(0, 100))"""


class Pages(Stills):
    """Shows the samples, with everything unfolded."""

    def sample(self, lang: Lang, name: str) -> Page:
        page = self.show(render(Samples(lang).all()[name]), name)
        page.evaluate(UNFOLD)
        return page


@pytest.fixture(scope="module")
def pages(browser: Browser) -> Iterator[Pages]:
    context = browser.new_context(viewport=PHONE, reduced_motion="reduce")  # type: ignore[arg-type]
    yield Pages(context.new_page())
    context.close()


@pytest.fixture(scope="module")
def axe() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", list(Samples("en").all()))
def test_a_page_is_for_everybody(pages: Pages, axe: str, lang: Lang, name: str) -> None:
    """axe-core finds nothing; with less motion only the fuse moves; nothing is cut off at twice the size."""
    page = pages.sample(lang, name)
    page.evaluate(axe)
    assert not cast("list[str]", page.evaluate(JUDGE))
    moving = page.evaluate("document.getAnimations().map(one => one.effect.target.classList[0])")
    assert set(moving) <= {"fuse"}
    page.set_viewport_size(TWICE)  # type: ignore[arg-type]
    too_wide = page.evaluate(TOO_WIDE, TWICE["width"])
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert not too_wide


def test_the_fuse_burns_in_steps_for_whoever_wants_less_motion(pages: Pages) -> None:
    expect(pages.sample("en", "seat-draft").locator(".fuse")).to_have_css("animation-timing-function", "steps(4)")


@pytest.mark.parametrize("lang", LANGS)
def test_before_the_deal_nothing_in_the_middle_of_the_table_screen_is_to_be_scrolled_for(
    browser: Browser, lang: Lang
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    pages, cut = Pages(context.new_page()), list[str]()
    for name, screen in Samples(lang).all().items():
        if isinstance(screen, TableLobby) and not screen.stuck:
            middle = pages.show(render(screen), name).locator(".middle")
            cut += [name] * bool(middle.evaluate("e => e.scrollHeight > e.clientHeight + 1"))
    context.close()
    assert not cut


@pytest.mark.parametrize("size", [(1280, 800), (1366, 768), (1920, 1080), (800, 1280)], ids=str)
def test_what_is_to_be_done_and_answered_stands_there_whole(browser: Browser, size: tuple[int, int]) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    pages = Pages(context.new_page())
    for lang in LANGS:
        for name in ("board-before-question", "board-question", "board-rescue", "board-dying-provinces"):
            card = pages.show(render(Samples(lang).all()[name]), name).locator(".middle > .card")
            expect(card).to_have_count(1)
            assert card.evaluate("e => e.scrollHeight <= e.clientHeight + 1"), (lang, name)
    context.close()

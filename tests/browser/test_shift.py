"""An update moves nothing away under a finger: little moves at all, and what has moved is not tapped by mistake."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.people import People, Person

WATCH = """window.shifts = [];
new PerformanceObserver(seen => window.shifts.push(...seen.getEntries().map(shift => shift.value)))
  .observe({type: 'layout-shift'});
window.guarded = 0;
new MutationObserver(() => { window.guarded += document.documentElement.classList.contains('moved') ? 1 : 0; })
  .observe(document.documentElement, {attributeFilter: ['class']})"""
STEADY = 0.1
"""What Web Vitals call a good layout shift."""


def _shift(who: Person) -> float:
    """How much has moved since the last question."""
    return float(sum(who.page.evaluate("window.shifts.splice(0)")))


def test_what_others_record_moves_little_and_is_guarded_where_it_does(people: People) -> None:
    screen, code = people.open_table("court8", 0)
    phones = people.seat(code, "甲乙丙丁戊己庚辛")
    phones[0].page.evaluate("scrollTo(0, 200)")
    assert phones[0].page.evaluate("scrollY") > 0
    screen.tap(screen.page.locator(".deal button"))
    for phone in phones:
        phone.see("#hold")
    assert phones[0].page.evaluate("scrollY") == 0
    recorder, watcher = phones[1], phones[0]
    recorder.skip_setup()
    watcher.see("button.next")
    recorder.tap(recorder.page.locator("button.next"))
    expect(watcher.page.locator(".log .what")).to_have_count(2)
    for who in (screen, watcher):
        who.page.evaluate(WATCH)
    recorder.tap(recorder.page.locator("button.next"))
    expect(watcher.page.locator(".log .what")).to_have_count(3)
    expect(screen.page.locator(".log .what")).to_have_count(3)
    assert _shift(watcher) < STEADY
    assert _shift(screen) < STEADY
    recorder.record("阵亡", 4, 2)
    watcher.see(".card.now")
    screen.see(".card.now")
    assert _shift(screen) < STEADY
    assert watcher.page.evaluate("window.guarded") == 1
    expect(watcher.page.locator("html.moved")).to_have_count(0)
    watcher.page.evaluate("document.documentElement.classList.add('moved')")
    expect(watcher.page.locator(".people-now")).to_have_css("pointer-events", "none")

"""Wrong records are set right in a real browser: from the host's page, and seen on every screen."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.people import NAMES, People, Person


def test_a_wrong_killer_is_noticed_three_deaths_later(people: People) -> None:
    screen, code = people.open_table("court8", pause=0)
    phones = people.seat(code, NAMES)
    screen.tap(screen.page.locator(".deal button"))
    for phone in phones:
        phone.see("#hold")
    roles = [phone.looks() for phone in phones]
    names = screen.page.locator(".ring .name").all_inner_texts()
    seats = {NAMES[place]: names.index(NAMES[place]) + 1 for place in range(8)}
    held = {seats[NAMES[place]]: role for place, role in enumerate(roles)}
    rebels = sorted(seat for seat, role in held.items() if role == "反贼")
    prince, loyalist = (next(s for s, r in held.items() if r == role) for role in ("储君", "忠臣"))
    for seat in rebels:
        screen.record("阵亡", seat, prince)
        expect(screen.page.locator(f".s{seat} .dead")).to_be_visible()
    while screen.page.locator(".card.now").count():
        shown = screen.page.locator(".card.now").get_attribute("id")
        screen.tap(screen.page.locator(".card.now button", has_text="做完了"))
        expect(screen.page.locator(f"#{shown}")).to_have_count(0)
    _change_the_killer(screen, code, rebels[0], loyalist)
    _make_good(screen, phones[2], prince, loyalist)
    _pause(screen, phones[0], code)
    _take_back_two(screen, code, rebels)


def _change_the_killer(screen: Person, code: str, victim: int, killer: int) -> None:
    screen.page.goto(f"{screen.url}/t/{code}/host")
    screen.tap(screen.see("#mend summary"))
    screen.shot("host-mend")
    screen.tap(screen.page.locator("#mend li", has_text=f"{victim} 阵亡").locator("a"))
    screen.see("h1", "第 2 条记录")
    screen.shot("host-line")
    screen.page.select_option("[name=by]", str(killer))
    screen.tap(screen.page.locator("button", has_text="先看看改了会怎样"))
    screen.see("h2", "这之后亮过的身份牌")
    screen.shot("host-rehearsal")
    screen.tap(screen.page.locator("button", has_text="确定改"))


def _make_good(screen: Person, phone: Person, wrong: int, right: int) -> None:
    """Both the host's page and a phone say what is put back and what is done instead, until it is."""
    for person in (screen, phone):
        person.see(".amends", "补上")
        steps = person.page.locator(".amends .steps")
        expect(steps.first).to_contain_text("摸 3 张牌")
        expect(steps.first.locator(".no")).to_have_text(str(wrong))
        expect(steps.last.locator(".no")).to_have_text(str(right))
    expect(phone.page.locator(".log .notes")).to_contain_text("原来记的是")
    phone.shot("phone-amends")
    screen.shot("host-amends")
    phone.tap(phone.page.locator(".amends button"))
    for person in (screen, phone):
        expect(person.page.locator(".amends")).to_have_count(0)


def _pause(screen: Person, phone: Person, code: str) -> None:
    screen.page.goto(f"{screen.url}/t/{code}/host")
    screen.tap(screen.page.locator("button", has_text="暂停牌局"))
    phone.see("#paused", "牌局暂停")
    expect(phone.page.locator("#rec")).to_have_count(0)
    phone.shot("phone-paused")
    screen.see("#paused")
    screen.shot("host-paused")
    screen.tap(screen.page.locator("button", has_text="继续牌局"))
    expect(phone.page.locator("#paused")).to_have_count(0)


def _take_back_two(screen: Person, code: str, dead: list[int]) -> None:
    screen.page.goto(f"{screen.url}/t/{code}/host/line?step=3")
    screen.tap(screen.page.locator("button", has_text="从这里起全部撤销（2 条）"))
    screen.see("h1", "撤销第 3 至 4 条")
    screen.shot("host-undo-two")
    screen.tap(screen.page.locator("button", has_text="确定撤销"))
    screen.see("h2", "最后一条记录")
    screen.page.goto(f"{screen.url}/t/{code}")
    expect(screen.page.locator(".ring .dead")).to_have_count(1)
    screen.see(f".s{dead[0]} .dead")
    screen.shot("table-mended")


def test_a_host_who_does_not_play_holds_to_see_everything(people: People) -> None:
    screen, code = people.open_table("classic", pause=0)
    phones = people.seat(code, NAMES[:5])
    screen.tap(screen.page.locator(".deal button"))
    for phone in phones:
        phone.see("#hold")
    screen.page.goto(f"{screen.url}/t/{code}/host")
    screen.tap(screen.see("#everything summary"))
    screen.shot("host-everything-offered")
    screen.tap(screen.page.locator("#everything button"))
    screen.see("#hold", "按住看全部身份")
    expect(screen.page.locator("#face")).to_be_hidden()
    screen.shot("host-everything-covered")
    screen.page.locator("#hold").hover()
    screen.page.mouse.down()
    expect(screen.page.locator("#face")).to_be_visible()
    expect(screen.page.locator("#face li .identity")).to_have_count(5)
    screen.shot("host-everything")
    screen.page.mouse.up()
    expect(screen.page.locator("#face")).to_be_hidden()
    phones[0].see(".moderated", "做法官")
    screen.page.goto(f"{screen.url}/t/{code}/seat")
    screen.see(".spectator")
    screen.page.go_back()
    expect(screen.page.locator("#face")).to_be_hidden()

"""Whole games of `ambition` (six phones), `court12` (twelve, with a turncoat) and `chuhan`, through power cuts."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Browser, Locator, expect

from tests.browser.people import People, Person, Phone
from tests.running import Server

AMBITIONS = ["匡", "辅", "夺", "乱", "乱", "乱"]
FOUR = ["楚军", "汉军", "汉军", "楚军"]
TWELVE = ["主公", "储君", "丞相", "大将", "佞宦", "党人", "贼首", "穷寇", "义贼", "暴民", "盗匪", "内奸"]
NAMES = "甲乙丙丁戊己庚辛壬癸子丑"


class Game:
    """Everybody's browser, and which seat holds which identity, as the cards say. Deaths count at once."""

    def __init__(self, people: People, mode: str, roles: Sequence[str], *ticked: str) -> None:
        self.people = people
        self.screen, code = people.open_table(mode, pause=0)
        for option in ticked:
            self._tick(code, option)
        self.phones = people.seat(code, NAMES[: len(roles)])
        self.everybody: list[Person] = [self.screen, *self.phones]
        self.screen.tap(self.screen.page.locator(".deal button:enabled"))
        for phone in self.phones:
            phone.see("#hold")
        names = self.screen.page.locator(".ring .name").all_inner_texts()
        self.seats = {phone.name: names.index(phone.name) + 1 for phone in self.phones}
        self.roles = {self.seats[phone.name]: phone.looks() for phone in self.phones}
        assert sorted(self.roles.values()) == sorted(roles)

    def _tick(self, code: str, option: str) -> None:
        page = self.screen.page
        page.goto(f"{self.screen.url}/t/{code}/host")
        self.screen.tap(page.locator("label.choice", has=page.locator(f"[name='option-{option}']")))
        page.wait_for_load_state("networkidle")
        self.screen.tap(page.locator(".ways a").first)

    def seat(self, role: str, nth: int = 0) -> int:
        return [seat for seat, held in sorted(self.roles.items()) if held == role][nth]

    def phone(self, seat: int) -> Phone:
        return next(phone for phone in self.phones if self.seats[phone.name] == seat)

    def everybody_sees(self, selector: str, text: str) -> None:
        for person in self.everybody:
            person.see(selector, text)

    def dies(self, who: int, by: int, recorder: Person, word: str) -> None:
        recorder.record(word, who, by)
        self.everybody_sees(f".s{who} .dead", self.phone(who).name)

    def carry_out(self, recorder: Person) -> list[str]:
        """Do what is announced, card by card; the clauses."""
        return recorder.carry_out()

    def grades(self, person: Person) -> dict[int, str]:
        """Everybody's grade by seat, as this screen shows it."""
        lines = person.page.locator(".results li")
        expect(lines).to_have_count(len(self.roles))
        return {seat: self._grade(lines, seat) for seat in self.roles}

    def _grade(self, lines: Locator, seat: int) -> str:
        line = lines.filter(has=lines.page.get_by_text(self.phone(seat).name, exact=True))
        expect(line.locator(".identity b")).to_have_text(self.roles[seat])
        return line.locator(".grade").inner_text()


def test_six_people_play_ambition(browser: Browser, own_server: Server) -> None:
    people = People(browser, own_server.url)
    game = Game(people, "ambition", AMBITIONS, "provinces")
    screen, lord = game.screen, game.phone(1)
    assert game.roles[1] == "匡"
    expect(screen.page.locator(".ring.cw .s1 .lands")).to_contain_text("4/4")
    steps = game.carry_out(lord)
    assert steps == ["AM-2.1", *["AM-2.3"] * 7, *["AM-2.4"] * 2]
    lord.tap(lord.see("button.next"))
    _counts_provinces(game)
    _dies_after_being_saved(game, own_server)
    _several_fall_at_once(game)
    game.dies(game.seat("乱", 2), 1, screen, "灭亡")
    screen.record("灭亡", game.seat("夺"), 1)
    game.everybody_sees("#verdict", "匡获胜")
    for person in game.everybody:
        grades = game.grades(person)
        assert grades == {seat: {"匡": "胜", "辅": "平"}.get(role, "负") for seat, role in game.roles.items()}
    assert not people.leave()


def _counts_provinces(game: Game) -> None:
    """Large buttons change a count; more than the limit is refused with the clause, and the host may correct it."""
    screen, phone, usurper = game.screen, game.phone(2), game.seat("夺")
    _change(phone, usurper, "州", "−2")
    for person in game.everybody:
        expect(person.page.locator(f".s{usurper} .lands")).to_contain_text("1/3")
    _change(phone, 1, "州", "+1")
    phone.see(".slip", "AM-3.1")
    _change(screen, 1, "州的上限", "+1")
    expect(phone.page.locator(".s1 .lands")).to_contain_text("4/5")
    page = screen.page
    screen.tap(page.locator("summary", has_text="第"))
    screen.tap(page.locator(".ways a", has_text="房主"))
    screen.tap(page.locator("summary", has_text="更正计数"))
    page.select_option("[name=who]", str(usurper))
    page.select_option("[name=what]", "provinces")
    page.select_option("#correct [name=n]", "3")
    screen.tap(page.locator("#correct button"))
    expect(phone.page.locator(f".s{usurper} .lands")).to_contain_text("3/3")
    screen.tap(page.locator(".ways a").first)
    screen.see(".s1 label")


def _change(recorder: Person, who: int, what: str, by: str) -> None:
    recorder.tap(recorder.page.locator(f".ring .s{who} label"))
    recorder.tap(recorder.page.locator(".sheet .verbs").get_by_text(what, exact=True))
    recorder.tap(recorder.page.locator(".sheet .ask:visible").get_by_text(by, exact=True))


def _dies_after_being_saved(game: Game, server: Server) -> None:
    """The power fails while the table is asked whether somebody is saved: 濒亡 is what this mode waits for."""
    recorder, victim, killer = game.phone(2), game.seat("乱"), game.seat("夺")
    recorder.record("濒亡", victim, 1)
    game.everybody_sees(f".s{victim} .dying", "濒亡")
    game.people.lose_power(server)
    game.everybody_sees(f".s{victim} .dying", "濒亡")
    recorder.tap(recorder.see(f"#dying-{victim} button.back", "恢复到 1 州"))
    expect(game.screen.page.locator(".seat.dying")).to_have_count(0)
    game.dies(victim, killer, game.screen, "灭亡")
    assert game.carry_out(recorder) == ["AM-4.1", "AM-4.3", "AM-4.5", "AM-4.6"]
    game.everybody_sees(f".s{killer} .tags", "收乱")


def _several_fall_at_once(game: Game) -> None:
    """匡 kills 辅 in the same stroke in which 夺 kills another 乱."""
    recorder, page = game.phone(3), game.phone(3).page
    supporter, disruptor, usurper = game.seat("辅"), game.seat("乱", 1), game.seat("夺")
    recorder.tap(page.locator("#several summary"))
    page.select_option(f"[name=by-{supporter}]", "1")
    page.select_option(f"[name=by-{disruptor}]", str(usurper))
    recorder.tap(page.locator("#several button.main"))
    for seat in (supporter, disruptor):
        game.everybody_sees(f".s{seat} .dead", game.phone(seat).name)
    clauses = game.carry_out(game.screen)
    game.everybody_sees(".s1 .lands", "/4")
    assert clauses[0] == "AM-4.1" and {"AM-4.3", "AM-4.4", "AM-4.5", "AM-4.6"} < set(clauses)


def test_twelve_people_play_court_with_a_turncoat(browser: Browser, own_server: Server) -> None:
    people = People(browser, own_server.url)
    game = Game(people, "court12", TWELVE)
    screen, chief, prince = game.screen, game.seat("贼首"), game.seat("储君")
    assert game.roles[1] == "主公"
    _what_people_know(game)
    game.carry_out(screen)
    screen.tap(screen.see("button.next"))
    screen.see(".card.now")
    game.carry_out(screen)
    for skill in ("辅政", "护威", "惑主", "弄权"):
        game.everybody_sees(".effect", skill)
    game.dies(1, chief, game.phone(2), "阵亡")
    game.everybody_sees(f".s{prince} .tags", "代行主公")
    asked = _no_one_turns_before(game, own_server)
    game.dies(game.seat("内奸"), prince, screen, "阵亡")
    game.dies(asked, prince, screen, "阵亡")
    game.dies(chief, prince, screen, "阵亡")
    assert "C12-CHIEF.4" in game.carry_out(screen)
    game.everybody_sees(".effect", "军溃")
    _everybody_else_dies(game, {1, chief, prince, asked, game.seat("内奸")})
    game.everybody_sees("#verdict", "主忠获胜")
    game.roles[asked] = "叛徒"
    royal = ("主公", "储君", "丞相", "大将")
    for person in (screen, game.phone(1), game.phone(12)):
        assert game.grades(person) == {seat: "胜" if role in royal else "负" for seat, role in game.roles.items()}
    assert not people.leave()


def _what_people_know(game: Game) -> None:
    """主公 knows 储君, 佞臣 know each other, and nobody else knows anything."""
    known = {"主公": "储君", "佞宦": "党人", "党人": "佞宦"}
    for seat, role in game.roles.items():
        phone = game.phone(seat)
        phone.hold()
        told = phone.face.locator("ul").first.inner_text()
        phone.let_go()
        assert known.get(role, "只知道自己的身份") in told
        assert role not in known or game.phone(game.seat(known[role])).name in told


def _no_one_turns_before(game: Game, server: Server) -> int:
    """策立: the first who is asked says no, the server dies and comes back, and the second one turns."""
    screen = game.screen
    screen.see(".card.now .asks", "回答")
    game.carry_out(screen)
    game.everybody_sees("#question", "愿意成为叛徒")
    first = screen.page.locator("#question .name").inner_text()
    expect(screen.page.locator("button.next")).to_have_count(0)
    screen.tap(screen.page.locator("#question button", has_text="不愿意"))
    for person in game.everybody:
        expect(person.page.locator("#question .name")).not_to_have_text(first)
    name = screen.page.locator("#question .name").inner_text()
    game.people.lose_power(server)
    game.everybody_sees("#question .name", name)
    asked = game.seats[name]
    recorder = game.phone(asked)
    recorder.tap(recorder.page.locator("#question button").first)
    game.everybody_sees(f".s{asked} .identity", "叛徒")
    assert recorder.looks() == "叛徒"
    assert "C12-TURN.1" in game.carry_out(screen)
    return asked


def _everybody_else_dies(game: Game, spared: set[int]) -> None:
    """反贼 and 佞臣 that still live fall; the last one ends it."""
    fates = [seat for seat, role in game.roles.items() if role in TWELVE[4:] and seat not in spared]
    for number, seat in enumerate(fates, 1):
        if number < len(fates):
            game.dies(seat, game.seat("储君"), game.screen, "阵亡")
        else:
            game.screen.record("阵亡", seat, game.seat("储君"))


def test_four_people_play_chu_against_han(browser: Browser, own_server: Server) -> None:
    people = People(browser, own_server.url)
    game = Game(people, "chuhan", FOUR, "hp")
    screen = game.screen
    assert [game.roles[seat] for seat in (1, 2, 3, 4)] == FOUR
    for seat, side in game.roles.items():
        game.everybody_sees(f".ring .s{seat} .identity b", side)
    game.carry_out(screen)
    game.phone(1).tap(game.phone(1).see("button.next"))
    _is_hit(game, 2, by=1, times=2)
    game.everybody_sees(".ring .s2 .dying", "濒死")
    people.lose_power(own_server)
    game.everybody_sees(".ring .s2 .dying", "濒死")
    game.dies(2, 1, game.phone(4), "阵亡")
    game.everybody_sees(".card.now", "孤注一掷")
    game.everybody_sees(".card.now", game.phone(3).name)
    assert game.carry_out(game.phone(3)) == ["CH-2"]
    game.dies(4, 3, screen, "阵亡")
    game.everybody_sees(".card.now", game.phone(1).name)
    assert game.carry_out(screen) == ["CH-2"]
    screen.record("阵亡", 3, 1)
    game.everybody_sees("#verdict", "楚军获胜")
    for person in game.everybody:
        assert game.grades(person) == {1: "胜", 2: "负", 3: "负", 4: "胜"}
    assert not people.leave()


def _is_hit(game: Game, who: int, by: int, times: int) -> None:
    """Two points each time, as the recorder offers them."""
    screen = game.screen
    for count in range(1, times + 1):
        screen.tap(screen.page.locator(f".ring .s{who} label"))
        screen.tap(screen.page.locator(".sheet .verbs label", has_text="伤害"))
        shown = screen.page.locator(".sheet .ask:visible")
        screen.tap(shown.locator("label", has_text="2"))
        screen.tap(shown.locator(f"button.b{by}"))
        if count > 1:
            screen.tap(screen.see("#repeat button"))
        game.everybody_sees(f".ring .s{who}", f"{4 - 2 * count}/4")

"""Eight phones and a table screen play `sixteen`: 伪帝, a conversion, 刺客, a rescue; then the heir of 先主."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Locator, expect

from tests.browser.people import NAMES, People, Person, Phone
from tests.running import Server

WANTED = ("主公", "伪帝", "忠臣", "禁军", "反贼", "先锋", "黄巾", "刺客")
TAPS = (
    "loyalist:red 1",
    "royal_guard:red 1",
    *(f"rebel {n}" for n in (3, 2, 1)),
    "vanguard 1",
    "renegade 0",
    *(f"{role} 1" for role in ("yellow_turban", "assassin", "false_emperor")),
)
"""From the classical row for eight to what is wanted, one card a tap."""
RISING = (*(f"rebel {n}" for n in (3, 2, 1)), *(f"yellow_turban {n}" for n in (1, 2, 3)))
"""From the classical row to one with three 黄巾: a fourth makes them rise."""


class Evening:
    """The eight, their screen, and who holds which identity."""

    def __init__(self, people: People) -> None:
        self.people = people
        self.screen, self.code = people.open_table("sixteen", pause=0)
        self.phones = people.seat(self.code, NAMES)
        self.everybody: list[Person] = [self.screen, *self.phones]

    def host(self) -> None:
        self.screen.page.goto(f"{self.screen.url}/t/{self.code}/host")

    def table(self) -> None:
        self.screen.page.goto(f"{self.screen.url}/t/{self.code}")

    def compose(self, *taps: str) -> None:
        """Tap + and − on the host's page until the cards are those that are wanted."""
        for tap in taps:
            card, _, count = tap.partition(" ")
            more = self.screen.page.locator(f"button[name=count][value='{card} {int(count) + 1}']")
            self.screen.tap(self.screen.page.locator(f"button[name=count][value='{tap}']"))
            expect(more).to_be_visible()

    def deal(self) -> None:
        for phone in self.phones:
            phone.see("#hold")
        names = self.screen.page.locator(".ring .name").all_inner_texts()
        self.seats = {phone.name: names.index(phone.name) + 1 for phone in self.phones}
        self.by_role = {phone.looks(): phone for phone in self.phones}

    def seat(self, role: str) -> int:
        return self.seats[self.by_role[role].name]

    def everybody_sees(self, selector: str, text: str | None = None) -> None:
        for person in self.everybody:
            person.see(selector, text)

    def carry_out(self) -> None:
        """Do what is announced, one card after the other."""
        self.screen.carry_out()

    def touch(self, who: int, by: int) -> None:
        """Asked at the end of a turn: who damaged or healed whom."""
        done = self.screen.page.locator(".touch .done li")
        before = done.count()
        self.enter_touch(who, by)
        expect(done).to_have_count(before + 1)

    def enter_touch(self, who: int, by: int) -> None:
        screen = self.screen
        if not screen.page.locator(".touch[open]").count():
            screen.tap(screen.page.locator(".touch summary"))
        before = screen.page.locator(".touch .done li").count()
        screen.tap(screen.page.locator(f".touch label:has([value='{by}'])"))
        screen.tap(screen.page.locator(f".touch button.t{who}"))
        if before:
            screen.tap(screen.see("#repeat button"))


def says(phone: Phone) -> str:
    """Everything that the held card says, without the seats' numbers."""
    phone.hold()
    expect(phone.face).to_be_visible()
    text = phone.face.inner_text()
    phone.let_go()
    return re.sub(f"(?<=[{''.join(NAMES)}])[1-8]", "", text)


def skills(phone: Phone) -> Locator:
    """The open place for skills of a phone."""
    phone.tap(phone.page.locator(".hold-acts"))
    expect(phone.page.locator("#acts .face")).to_be_visible()
    return phone.page.locator("#acts .face")


def test_eight_people_play_the_sixteen_identities(browser: Browser, own_server: Server) -> None:
    people = People(browser, own_server.url)
    evening = Evening(people)
    _put_together(evening)
    evening.deal()
    _two_lords_are_seen(evening)
    _somebody_is_won_over(evening)
    _the_vanguard_charges(evening)
    _the_guard_saves_the_lord(evening, own_server)
    _the_assassin_succeeds(evening)
    _the_yellow_turbans_win(evening)
    _a_successor_is_asked_for(evening, own_server)
    assert not people.leave()


def _put_together(evening: Evening) -> None:
    screen = evening.screen
    evening.host()
    evening.compose(*TAPS[:-1])
    evening.compose("lord:red 0")
    screen.see(".composer .reasons", "至少要有一位主公")
    screen.shot("sixteen-host")
    evening.compose("lord:red 1", TAPS[-1])
    expect(screen.page.locator(".composer .reasons")).to_have_count(0)
    evening.table()
    screen.shot("sixteen-lobby")
    screen.tap(screen.page.locator(".deal button"))


def _two_lords_are_seen(evening: Evening) -> None:
    assert sorted(evening.by_role) == sorted(WANTED)
    lords = [evening.seat("主公"), evening.seat("伪帝")]
    for person in evening.everybody:
        for seat in range(1, 9):
            expect(person.page.locator(f".ring .s{seat} .identity b")).to_have_text(["主公"] if seat in lords else [])
    assert f"你冒充 {evening.by_role['主公'].name}" in says(evening.by_role["伪帝"])
    evening.carry_out()
    evening.screen.tap(evening.screen.see("button.next"))
    evening.everybody_sees("#look", "看牌时刻")


def _somebody_is_won_over(evening: Evening) -> None:
    victim, turban = evening.by_role["忠臣"], evening.by_role["黄巾"]
    for _ in range(2):
        evening.touch(evening.seat("忠臣"), evening.seat("黄巾"))
    assert f"黄巾标记：{victim.name}" in says(turban)
    assert victim.looks() == "忠臣"
    evening.screen.shot("sixteen-touch")
    evening.touch(evening.seat("忠臣"), evening.seat("黄巾"))
    expect(victim.page.locator("#face .role")).to_have_text("黄巾")
    assert f"是 {turban.name} 拉你入伙的" in says(victim)
    assert victim.name in says(turban)
    for person in evening.everybody:
        expect(person.page.locator(f".ring .s{evening.seat('忠臣')} .identity")).to_have_count(0)
        expect(person.page.locator(".card.now")).to_have_count(0)
    evening.screen.tap(evening.screen.page.locator(".touch button.main"))
    evening.everybody_sees(".s2 .tag.now")


def _the_vanguard_charges(evening: Evening) -> None:
    vanguard = evening.by_role["先锋"]
    other = evening.by_role["反贼"]
    before = evening.screen.page.locator(".ring .name").all_inner_texts()
    shown = skills(vanguard)
    vanguard.shot("sixteen-skills")
    vanguard.tap(shown.locator("button", has_text=other.name))
    evening.everybody_sees(".card.now", "冲锋陷阵")
    expect(vanguard.page.locator("#acts .face")).to_be_hidden()
    after = evening.screen.page.locator(".ring .name").all_inner_texts()
    assert after.index(vanguard.name) == before.index(other.name)
    assert after.index(other.name) == before.index(vanguard.name)
    evening.carry_out()


def _the_guard_saves_the_lord(evening: Evening, server: Server) -> None:
    lord, guard = evening.seat("主公"), evening.by_role["禁军"]
    idle = skills(guard)
    expect(idle.locator("form")).to_have_count(0)
    guard.tap(guard.page.locator(".hold-acts"))
    evening.screen.record("濒死", lord, evening.seat("反贼"))
    evening.everybody_sees(".pause", evening.by_role["主公"].name)
    guard.shot("sixteen-pause")
    evening.people.lose_power(server)
    evening.everybody_sees(".pause", evening.by_role["主公"].name)
    assert not evening.by_role["反贼"].page.locator("#acts form").count()
    guard.tap(skills(guard).locator("button", has_text="发动"))
    evening.everybody_sees(f".ring .s{evening.seat('禁军')} .identity", "禁军")
    for person in evening.everybody:
        expect(person.page.locator(".pause")).to_have_count(0)
    evening.carry_out()


def _the_assassin_succeeds(evening: Evening) -> None:
    assassin = evening.by_role["刺客"]
    found = re.search("你的目标是 (.)", says(assassin))
    assert found
    evening.screen.record("阵亡", evening.seats[found[1]], evening.seat("刺客"))
    evening.screen.see(".card.now")
    evening.carry_out()
    evening.everybody_sees(f".ring .s{evening.seat('刺客')} .departed", "刺客")


def _the_yellow_turbans_win(evening: Evening) -> None:
    screen = evening.screen
    for role in ("反贼", "先锋", "伪帝", "禁军", "主公"):
        seat = evening.seat(role)
        if screen.page.locator(f".ring .s{seat} .pick").count():
            by = next(r for r in ("黄巾", "忠臣") if screen.page.locator(f".ring .s{evening.seat(r)} .pick").count())
            screen.record("阵亡", seat, evening.seat(by))
            screen.see(f"#verdict, .ring .s{seat} .dead")
            evening.carry_out()
    evening.everybody_sees("#verdict", "黄巾获胜")
    results = screen.page.locator(".results li")
    for role, grade in (("黄巾", "胜"), ("忠臣", "胜"), ("刺客", "胜"), ("伪帝", "负"), ("主公", "负")):
        line = results.filter(has_text=evening.by_role[role].name)
        expect(line.locator(".grade")).to_have_text(grade)
    expect(results.filter(has_text=evening.by_role["忠臣"].name).locator(".identity b")).to_have_text("黄巾")
    screen.shot("sixteen-end")


def _a_successor_is_asked_for(evening: Evening, server: Server) -> None:
    screen = evening.screen
    evening.host()
    screen.tap(screen.page.locator("button[name=preset][value=basic]"))
    expect(screen.page.locator("button[name=count][value='rebel 5']")).to_be_visible()
    evening.compose("lord:red 0", "former_lord:red 1")
    screen.tap(screen.page.locator("button", has_text="再来一局"))
    screen.see(".ways")
    evening.table()
    evening.deal()
    lord, heir = evening.by_role["先主"], evening.by_role["内奸"]
    evening.carry_out()
    screen.record("阵亡", evening.seats[lord.name], evening.seats[heir.name])
    evening.everybody_sees("#question", "立谁为后主")
    heir.shot("sixteen-question")
    evening.people.lose_power(server)
    evening.everybody_sees("#question", lord.name)
    heir.tap(heir.page.locator("#question button", has_text=heir.name))
    screen.see(".card.now")
    evening.carry_out()
    evening.everybody_sees(f".ring .s{evening.seats[heir.name]} .identity", "后主")
    assert "你为主忠而战" in says(heir)


def test_eight_people_see_an_uprising(browser: Browser, own_server: Server) -> None:
    """Marks stay hidden until the fourth 黄巾 of eight; then one card that fits every screen shows all four."""
    people = People(browser, own_server.url)
    evening = Evening(people)
    screen = evening.screen
    evening.host()
    evening.compose(*RISING)
    evening.table()
    screen.tap(screen.page.locator(".deal button"))
    evening.deal()
    evening.carry_out()
    screen.tap(screen.see("button.next"))
    victim, turban = evening.by_role["内奸"], evening.by_role["黄巾"]
    for _ in range(2):
        evening.touch(evening.seats[victim.name], evening.seats[turban.name])
    expect(screen.page.locator(".ring .identity", has_text="黄巾")).to_have_count(0)
    evening.enter_touch(evening.seats[victim.name], evening.seats[turban.name])
    evening.everybody_sees(".card.now", "黄巾起义")
    risen = screen.page.locator(".ring .identity", has_text="黄巾")
    expect(risen).to_have_count(4)
    for person in evening.everybody:
        reveals = person.page.locator(".card.now .steps li", has_text="亮明身份：")
        expect(reveals).to_have_count(1)
        expect(reveals.locator(".name")).to_have_count(4)
        expect(person.page.locator(".card.now button.main")).to_be_in_viewport(ratio=1)
    screen.shot("sixteen-uprising-table")
    victim.shot("sixteen-uprising-phone")
    assert victim.looks() == "黄巾"
    evening.carry_out()
    screen.shot("sixteen-after-uprising")
    assert not people.leave()

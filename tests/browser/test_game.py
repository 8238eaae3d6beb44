"""Eight phones and a table screen play a whole game of `court8`, through a reload and a power cut."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.people import NAMES, People, Person, Phone
from tests.running import Server, command

AWAY = re.compile("ERR_|Failed to fetch")
"""What the browser's console says while there is no server."""
COMPOSITION = ["主公", "储君", "忠臣", "贼首", "反贼", "反贼", "反贼", "内奸"]


class Evening:
    """The eight, their screen, and which seat holds which identity."""

    def __init__(self, people: People) -> None:
        self.screen, self.code = people.open_table("court8", pause=2)
        self.screen.shot("table-lobby")
        self.phones = people.seat(self.code, NAMES)
        self.everybody: list[Person] = [self.screen, *self.phones]

    def deal(self) -> None:
        """Cards for everybody; what each one's card says is remembered, as nobody else may."""
        roles = [phone.looks() for phone in self.phones]
        assert sorted(roles) == sorted(COMPOSITION)
        names = self.screen.page.locator(".ring .name").all_inner_texts()
        self.seats = {phone.name: names.index(phone.name) + 1 for phone in self.phones}
        self.roles = {self.seats[phone.name]: role for phone, role in zip(self.phones, roles, strict=True)}

    def seat(self, role: str, nth: int = 0) -> int:
        return [seat for seat, held in sorted(self.roles.items()) if held == role][nth]

    def phone(self, seat: int) -> Phone:
        return next(phone for phone in self.phones if self.seats[phone.name] == seat)

    def everybody_sees(self, selector: str, text: str) -> None:
        for person in self.everybody:
            person.see(selector, text)

    def nobody_sees(self, selector: str) -> None:
        for person in self.everybody:
            expect(person.page.locator(selector)).to_have_count(0)

    def dies(self, who: int, by: int, recorder: Person) -> None:
        """A death is recorded with three taps; every screen announces it, and then it counts."""
        before = recorder.taps
        recorder.record("阵亡", who, by)
        assert recorder.taps - before == 3
        self.everybody_sees(".draft", self.phone(who).name)
        self.nobody_sees(".draft")
        self.everybody_sees(f".s{who} .dead", self.phone(who).name)

    def carry_out(self, recorder: Person) -> list[str]:
        """Do what is announced, one card after the other, until nothing is left to do; the clauses of the mode."""
        clauses = []
        while recorder.page.locator(".card.now").count():
            shown = recorder.page.locator(".card.now").get_attribute("id")
            clauses += recorder.page.locator(".card.now .clause").all_inner_texts()
            self.everybody_sees(f"#{shown}", recorder.page.locator(".card.now h2").inner_text())
            recorder.tap(recorder.page.locator(".card.now form[action$='/done'] button"))
            self.nobody_sees(f"#{shown}")
        return [clause for clause in clauses if clause.startswith("C8")]


def test_eight_people_play_a_whole_game(browser: Browser, own_server: Server, tmp_path: Path) -> None:
    people = People(browser, own_server.url)
    evening = Evening(people)
    screen, phones = evening.screen, evening.phones
    expect(screen.page.locator(".ring .seat.free")).to_have_count(0)
    screen.shot("table-full")
    phones[0].shot("phone-waiting")
    screen.tap(screen.page.locator(".deal button"))
    for phone in phones:
        phone.see("#hold")
    evening.deal()
    screen.shot("table-dealt")
    _begin(evening)
    _a_rebel_dies(evening)
    _the_lord_dies(evening)
    _the_power_fails(evening, own_server)
    _a_wrong_record_is_taken_back(evening)
    _the_rest_of_the_rebels_die(evening)
    _the_end(evening, tmp_path)
    _again(evening)
    assert not [trouble for trouble in people.leave() if not AWAY.search(trouble)]


def _begin(evening: Evening) -> None:
    first = evening.phone(1)
    assert evening.roles[1] == "主公"
    assert evening.carry_out(first) == ["C8-LORD.1"]
    first.tap(first.see("button.next"))
    evening.everybody_sees(".seat.turn", first.name)
    first.shot("phone-turn")
    other = evening.phone(2)
    other.hold()
    other.shot("phone-card")
    other.let_go()


def _a_rebel_dies(evening: Evening) -> None:
    """The first attempt is taken back while it is announced; the second one counts."""
    screen, rebel, loyalist = evening.screen, evening.seat("反贼"), evening.seat("忠臣")
    screen.tap(screen.page.locator(f".ring .s{rebel} label"))
    screen.shot("table-recorder")
    screen.tap(screen.page.locator(".sheet .verbs label", has_text="阵亡"))
    screen.shot("table-killer")
    screen.tap(screen.page.locator(f".sheet .ask:visible button.b{loyalist}"))
    evening.everybody_sees(".draft", "撤销")
    screen.shot("table-draft")
    other = evening.phone(loyalist)
    other.shot("phone-draft")
    other.tap(other.page.locator(".draft button"))
    evening.nobody_sees(".draft")
    assert screen.page.locator(".ring .dead").count() == 0
    evening.dies(rebel, loyalist, screen)
    screen.shot("table-announcement")
    other.shot("phone-announcement")
    assert evening.carry_out(other) == ["C8-REBEL.1", "C8-CHIEF.1"]


def _the_lord_dies(evening: Evening) -> None:
    """Recorded from a phone; another phone is reloaded in the middle of it."""
    rebel, reloaded = evening.seat("反贼", 1), evening.phone(evening.seat("忠臣"))
    recorder = evening.phone(rebel)
    recorder.tap(recorder.page.locator(".ring .s1 label"))
    recorder.shot("phone-recorder")
    recorder.tap(recorder.page.locator(".sheet .verbs label", has_text="阵亡"))
    recorder.shot("phone-killer")
    recorder.tap(recorder.page.locator(".sheet button", has_text="取消"))
    before = recorder.taps
    recorder.record("阵亡", 1, rebel)
    assert recorder.taps - before == 3
    reloaded.page.reload()
    evening.everybody_sees(".draft", evening.phone(1).name)
    evening.nobody_sees(".draft")
    assert evening.carry_out(evening.screen) == ["C8-PRINCE.1", "C8-REN.1"]
    assert reloaded.looks() == "忠臣"


def _the_power_fails(evening: Evening, server: Server) -> None:
    server.kill()
    for person in evening.everybody:
        expect(person.page.locator("#away")).not_to_be_empty(timeout=20_000)
    evening.phones[0].shot("phone-away")
    assert evening.phones[2].looks() == evening.roles[evening.seats[evening.phones[2].name]]
    server.start()
    for person in evening.everybody:
        expect(person.page.locator("#away")).to_be_empty(timeout=20_000)
    for phone in evening.phones:
        assert phone.looks() == evening.roles[evening.seats[phone.name]]


def _a_wrong_record_is_taken_back(evening: Evening) -> None:
    screen, loyalist = evening.screen, evening.seat("忠臣")
    evening.dies(loyalist, evening.seat("反贼", 1), screen)
    screen.tap(screen.page.locator("summary", has_text="第"))
    screen.tap(screen.page.locator(".ways a", has_text="房主"))
    screen.see(".panel", "最后一条记录")
    screen.shot("host-undo")
    screen.tap(screen.page.locator("button", has_text="撤销这一条"))
    evening.nobody_sees(f".s{loyalist} .dead")
    screen.tap(screen.page.locator(".ways a").first)
    screen.see(f".s{loyalist} label")


def _the_rest_of_the_rebels_die(evening: Evening) -> None:
    screen, prince = evening.screen, evening.seat("储君")
    evening.dies(evening.seat("贼首"), prince, screen)
    assert evening.carry_out(screen) == ["C8-CHIEF.2"]
    evening.dies(evening.seat("反贼", 1), prince, evening.phone(prince))
    evening.dies(evening.seat("反贼", 2), prince, screen)
    screen.record("阵亡", evening.seat("内奸"), prince)


def _the_end(evening: Evening, folder: Path) -> None:
    screen = evening.screen
    evening.everybody_sees("#verdict", "C8-V3")
    screen.shot("table-end")
    royal = {evening.seat(role) for role in ("主公", "储君", "忠臣")}
    for person in evening.everybody:
        results = person.page.locator(".results li")
        expect(results).to_have_count(8)
        for seat, role in evening.roles.items():
            line = results.filter(has_text=evening.phone(seat).name)
            expect(line.locator(".identity b")).to_have_text(role)
            expect(line.locator(".grade")).to_have_text("胜" if seat in royal else "负")
    evening.phones[0].shot("phone-end")
    with screen.page.expect_download() as download:
        screen.tap(screen.page.locator("a[download]"))
    record = folder / "record.txt"
    download.value.save_as(record)
    replayed = subprocess.run([command(), "replay", "--json", str(record)], capture_output=True, text=True, check=True)
    told = json.loads(replayed.stdout)
    assert told["clause"] == "C8-V3"
    assert told["grades"] == {str(seat): "win" if seat in royal else "lose" for seat in evening.roles}


def _again(evening: Evening) -> None:
    """One tap of the host, and everybody holds a new card."""
    screen = evening.screen
    before = screen.taps
    screen.tap(screen.page.locator("button", has_text="再来一局"))
    for phone in evening.phones:
        phone.see("#hold")
    assert screen.taps - before == 1
    evening.deal()
    assert screen.page.locator(".ring .dead").count() == 0

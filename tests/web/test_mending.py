"""What the host sets right on the screens: a line of the log, a pause, and the view of everything."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.modes import find_ruleset
from companion.rules import record
from tests.web.evening import COURT8, ORIGIN, Browser, House, dealt, said
from tests.web.test_playing import log


def rehearsed(host: Browser, step: int, how: str = "change", **fields: str | int) -> str:
    """The page that says what a change would mean."""
    asked = "&".join(f"{name}={value}" for name, value in {"step": step, "how": how, **fields}.items())
    return host.page(f"host/line?{asked}")


def confirm(host: Browser, page: str) -> int:
    """Press the button of that page; the status of the answer."""
    form = re.search(r'<form method="post" action="([^"]+)".*?</form>', page, re.S)
    assert form
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[0]))
    return host.post(form[1], fields).status_code


def words(page: str) -> str:
    """The page's text, without a gap anywhere."""
    return "".join(re.sub(r"<[^>]+>|&#8288;", "", page).split())


def reads(text: str, page: str) -> bool:
    """Whether the text stands there, whatever its gaps."""
    return words(text) in words(page)


def amends(page: str) -> str:
    found = re.search(r'<section class="paper card amends".*?</section>', page, re.S)
    return found[0] if found else ""


# A line is changed


def test_a_wrong_killer_is_changed_three_deaths_later(house: House) -> None:
    host, phones = dealt(house)
    for line in ("turn 1", "death 5 by 3", "turn 2", "death 6 by 2", "turn 3", "death 8 by 3"):
        assert phones[0].record(line).status_code == 303
    assert f'href="{host.base}/host/line?step=3"' in host.page("host")
    page = host.page("host/line?step=3")
    assert '<option value="3" selected translate="no">丙 3</option>' in page
    page = rehearsed(host, 3, verb="death", who=5, by=7)
    assert reads("戊 5 阵亡，凶手是 丙 3", page) and reads("戊 5 阵亡，凶手是 庚 7", page)
    assert "这之后亮过的身份牌" in page and "摸 3 张牌" in page
    assert log(host)[1] == "death 5 by 3"
    assert confirm(host, page) == 303
    assert log(host)[1] == "death 5 by 7"
    for screen in (host.page(""), phones[4].page()):
        assert reads("原来记的是：戊 5 阵亡，凶手是 丙 3", screen)
        assert reads("退回去 丙 3：摸 3 张牌 补上 庚 7：摸 3 张牌", amends(screen))
    done = re.search(r'name="announcement" value="(change-\d+)"', phones[4].page())
    assert done
    assert phones[4].post("done", {"announcement": done[1], "back": "seat"}).status_code == 303
    assert not amends(host.page("")) and not amends(phones[4].page())
    assert "; was: death 5 by 3" in phones[4].page("record.txt")


def test_lines_that_will_not_fit_are_listed_with_the_reason_and_the_clause(house: House) -> None:
    host, phones = dealt(house)
    for line in ("turn 1", "death 5 by 3", "turn 6", "death 6 by 2"):
        host.record(line)
    page = rehearsed(host, 3, verb="death", who=6, by=3)
    listed = page.partition("这几条会对不上")[2]
    assert reads("己 6 的回合 己 6 已经阵亡或离场", listed) and "X3" in listed
    assert confirm(host, page) == 303
    assert log(host) == ["turn 1", "death 6 by 3"]
    assert reads("对不上了，没有计入：己 6 的回合", phones[1].page())


def test_every_kind_of_line_offers_what_can_be_put_in_its_place(house: House) -> None:
    host, _ = dealt(house, options="hp")
    lines = ("hp 3 5", "turn 1", "damage 3 2 by 2", "heal 3 1 by 4", "lose 3 1", "dying 6 by 2", "saved 6 by 4",
             "dying 6 by 3", "death 6", "correct 3 hp 1", "leave 8")  # fmt: skip
    for number, line in enumerate(lines):
        assert host.record(line, key=number, again="1").status_code == 303, line
    for step, line in enumerate(lines, 2):
        page = host.page(f"host/line?step={step}")
        form = re.search(r'<form method="get" action="[^"]+" class="stack">\s*<h2>.*?</form>', page, re.S)
        assert form, line
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[0]))
        for name, options in re.findall(r'<select name="([\w-]+)">(.*?)</select>', form[0], re.S):
            [fields[name]] = re.findall(r'<option value="([^"]*)" selected', options)
        same = host.get("host/line?" + "&".join(f"{name}={value}" for name, value in fields.items()))
        assert same.status_code == 422 and "和原来一样" in said(same), line


def test_the_killers_of_several_are_changed(house: House) -> None:
    host, _ = dealt(house, "restorer supporter usurper disruptor disruptor", "ambition")
    for line in ("turn 1", "deaths 2 by 1, 3 by -"):
        assert host.record(line).status_code == 303, line
    page = host.page("host/line?step=3")
    chosen = re.findall(r'<select name="(by-\d)">.*?<option value="([^"]*)" selected', page, re.S)
    assert chosen == [("by-1", ""), ("by-2", "1"), ("by-3", "-"), ("by-4", ""), ("by-5", "")]
    page = rehearsed(host, 3, verb="deaths", **{"by-2": "4", "by-3": "-"})
    assert confirm(host, page) == 303
    assert log(host)[-1] == "deaths 2 by 4, 3 by -"


def test_those_who_saved_somebody_are_changed_in_order(house: House) -> None:
    host, phones = dealt(house, "lord loyalist rebel rebel yellow_turban", "sixteen", options="hp")
    for line in ("turn 1", "damage 3 4 by 1", "saved 3 by 5 2"):
        assert host.record(line).status_code == 303, line
    page = host.page("host/line?step=4")
    chosen = re.findall(r'<select name="(rescuer-\d)">.*?<option value="([^"]*)" selected', page, re.S)
    assert chosen[:3] == [("rescuer-1", "5"), ("rescuer-2", "2"), ("rescuer-3", "")]
    page = rehearsed(host, 4, verb="saved", who=3, n=1, **{"rescuer-1": "4", "rescuer-2": "5", "rescuer-3": ""})
    assert confirm(host, page) == 303
    assert log(host)[-1] == "saved 3 by 4 5"
    assert reads("丙 3 被 丁 4 、 戊 5 救回", phones[1].page())


def test_a_line_is_taken_out_or_all_from_it_on(house: House) -> None:
    host, phones = dealt(house)
    for line in ("turn 1", "turn 2", "turn 3", "death 5 by 3", "turn 4"):
        host.record(line)
    page = rehearsed(host, 3, "strike")
    assert confirm(host, page) == confirm(host, page) == 303
    assert log(host) == ["turn 1", "turn 3", "death 5 by 3", "turn 4"]
    page = rehearsed(host, 3, "undo")
    assert "撤销第 3 至 5 条" in page and reads("戊 5", page)
    assert confirm(host, page) == confirm(host, page) == 303
    assert log(host) == ["turn 1"]
    assert reads("撤销了：戊 5 阵亡，凶手是 丙 3", phones[2].page())
    for screen in (host.page("host"), host.page(""), phones[2].page()):
        assert reads("身份牌盖回去：戊 5、丁 4 退回去 丙 3：摸 3 张牌", amends(screen)) and "补上" not in amends(screen)


def test_of_two_who_change_at_once_the_second_sees_the_present_state(house: House) -> None:
    host, _ = dealt(house)
    host.record("turn 1")
    host.record("turn 2")
    pages = [rehearsed(host, 2, verb="turn", who=3), rehearsed(host, 3, verb="turn", who=4)]
    assert confirm(host, pages[0]) == 303
    form = {"step": 3, "line": "turn 4", "seen": 3, "back": "host", "key": "late"}
    refused = host.post("host/change", form)
    assert refused.status_code == 422 and "这期间又有人记了别的" in said(refused)
    assert log(host) == ["turn 3", "turn 2"]
    assert confirm(host, pages[1]) == 422


def test_after_a_change_everybody_looks_at_the_own_card(house: House) -> None:
    """Where there is private news; whether there is any makes no difference."""
    deal = "wise_lord:blue loyalist:blue rebel renegade"
    host, phones = dealt(house, deal, "sixteen")
    for line in ("turn 1", "turn 2", "turn 3"):
        assert host.record(line).status_code == 303
    assert 'id="look"' not in phones[3].page()
    assert confirm(host, rehearsed(host, 3, verb="turn", who=4)) == 303
    assert 'id="look"' in phones[3].page() and 'id="look"' in host.page("")
    host.record("turn 2", again="1")
    assert 'id="look"' not in phones[3].page()


@pytest.mark.parametrize(
    "path", ["host/line?step=2", "host/line?step=2&how=undo", "host/everything", "host/record.txt"]
)
def test_only_the_host_asks_what_a_change_would_mean(house: House, path: str) -> None:
    host, phones = dealt(house)
    host.record("turn 1")
    assert phones[0].get(path).status_code == 403
    forms: dict[str, dict[str, object]] = {
        "change": {"step": 2, "line": "turn 2", "seen": 2},
        "pause": {"on": 1},
        "everything": {},
    }
    for name, form in forms.items():
        assert phones[0].post(f"host/{name}", {**form, "back": "seat"}).status_code == 403
    assert log(host) == ["turn 1"]


@pytest.mark.parametrize("step", ["", "x", "0", "1", "99", "-1"])
def test_a_line_that_is_not_there_leads_back(house: House, step: str) -> None:
    host, _ = dealt(house)
    host.record("turn 1")
    for how in ("", "&how=undo", "&how=strike", "&how=change&verb=turn&who=2", "&how=dance"):
        response = host.get(f"host/line?step={step}{how}")
        assert (response.status_code, response.headers["Location"]) == (303, f"{host.base}/host")


def test_a_refused_change_says_why_on_the_lines_own_page(house: House) -> None:
    host, _ = dealt(house)
    host.record("turn 1")
    host.record("death 5 by 1")
    for fields, says in {
        "verb=death&who=5": "凶手是谁",
        "verb=turn&who=99": "没有 99号位",
        "input=use 2 inspect 3": "本人",
        "input=<b>": "&lt;b&gt;",
    }.items():
        response = host.get(f"host/line?step=2&how=change&{fields}")
        assert response.status_code == 422
        assert says in said(response)


def test_after_the_end_a_wrong_verdict_is_set_right(house: House) -> None:
    host, phones = dealt(house)
    for line in ("death 1 by 2", "death 3 by 2"):
        host.record(line)
    assert "反贼获胜" in phones[0].page()
    assert "改记录" in host.page("host")
    page = rehearsed(host, 3, verb="death", who=4, by=1)
    assert "这一局已经结束，身份都亮过了" in page
    assert confirm(host, page) == 303
    assert "反贼获胜" not in phones[0].page() and reads("原来记的是：丙 3 阵亡", phones[0].page())
    host.post("host/end", {"key": "e", "back": "host"})
    text = phones[3].page("record.txt")
    [game] = record.parse(text, find_ruleset)
    assert not record.run(game).problems and "; was: death 3 by 2" in text


def test_a_counter_is_corrected_and_every_screen_shows_it(house: House) -> None:
    host, phones = dealt(house, options="hp")
    host.record("turn 1")
    assert "更正计数" in host.page("host")
    form = {"verb": "correct", "who": 3, "what": "hp", "n": 2, "key": "c", "back": "host"}
    assert host.post("record", form).status_code == 303
    for page in (host.page(""), phones[5].page()):
        assert reads("更正：丙 3 的体力：2", page)
        assert re.search(
            r'class="seat alive[^>]*>\s*(?:<input[^>]*>\s*)?<span class="line"><bdi class="name">丙.*?2/', page, re.S
        )


def test_two_who_record_the_same_at_once_make_one_record(house: House) -> None:
    host, phones = dealt(house)
    app = house.app

    def tap(seat: int) -> tuple[int, str]:
        cookie = f"seat-{host.base[3:]}-8000={phones[seat].cookie('seat')}"
        client = app.test_client(use_cookies=False)
        form = {"input": "turn 2", "key": "7", "back": "seat"}
        answer = client.post(f"{host.base}/record", data=form, headers={**ORIGIN, "Cookie": cookie})
        return answer.status_code, answer.get_data(as_text=True)

    with ThreadPoolExecutor(4) as taps:
        answers = list(taps.map(tap, range(4)))
    assert sorted(status for status, _ in answers) == [303, 409, 409, 409]
    assert all('id="e2"' in page for status, page in answers if status == 409)
    assert log(host) == ["turn 2"]


# A pause


def test_in_a_pause_every_screen_says_so_and_nothing_is_recorded(house: House) -> None:
    host, phones = dealt(house)
    host.record("turn 1")
    for _ in range(2):
        assert host.post("host/pause", {"on": 1, "back": "host", "key": "p"}).status_code == 303
    house.start()
    shown = [host.page(""), host.page("host"), *(phone.page() for phone in phones)]
    assert all("牌局暂停" in page and 'id="rec"' not in page for page in shown)
    assert "只看不记" not in host.page("")
    for browser in (host, phones[1]):
        refused = browser.record("turn 2")
        assert refused.status_code == 422 and "暂停" in said(refused)
    assert phones[0].post("record", {"verb": "use", "who": 1, "skill": "guard", "key": "u"}).status_code == 422
    assert host.post("host/pause", {"on": 0, "back": "host", "key": "q"}).status_code == 303
    assert all("牌局暂停" not in page for page in (host.page(""), phones[3].page()))
    assert phones[1].record("turn 2", key="later").status_code == 303
    assert log(host) == ["turn 1", "turn 2"]


def test_a_death_that_waits_waits_through_a_pause(house: House) -> None:
    host, phones = dealt(house, pause=4)
    phones[0].record("death 6 by 2")
    house.clock.move(2)
    host.post("host/pause", {"on": 1, "back": "host"})
    assert "即将阵亡" not in phones[0].page()
    house.clock.move(60)
    house.start()
    house.clock.move(60)
    assert log(host) == []
    host.post("host/pause", {"on": 0, "back": "host"})
    assert "即将阵亡亮牌" in phones[0].page() and "left-4" in phones[0].page()
    house.clock.move(3)
    assert log(host) == []
    house.clock.move(1)
    assert log(host) == ["death 6 by 2"]


def test_the_host_sets_right_and_ends_in_a_pause_and_the_next_game_runs(house: House) -> None:
    host, _ = dealt(house)
    host.record("turn 1")
    host.record("turn 2")
    host.post("host/pause", {"on": 1, "back": "host"})
    assert confirm(host, rehearsed(host, 2, verb="turn", who=3)) == 303
    assert host.post("host/undo", {"step": 3, "key": "u", "back": "host"}).status_code == 303
    assert log(host) == ["turn 3"]
    assert host.post("host/end", {"key": "e", "back": "host"}).status_code == 303
    assert "牌局暂停" not in host.page("")
    host.post("again", {"back": "table"})
    assert "牌局暂停" not in host.page("") and host.record("turn 2").status_code == 303


# Everything is seen


def open_everything(host: Browser) -> str:
    response = host.post("host/everything", {"back": "host", "key": "o"})
    assert (response.status_code, response.headers["Location"]) == (303, f"{host.base}/host/everything")
    return host.page("host/everything")


def test_a_host_without_a_seat_sees_everything_and_every_screen_says_so(house: House) -> None:
    host, phones = dealt(house)
    assert "做法官，看全部身份" in host.page("host")
    assert host.get("host/everything").status_code == host.get("host/record.txt").status_code == 403
    page = open_everything(host)
    face = page.partition('id="face"')[2]
    assert re.findall(r"<b>(.*?)</b>", face) == ["主公", "反贼", "储君", "贼首", "反贼", "忠臣", "内奸", "反贼"]
    assert 'id="hold"' in page and "贼首" not in page.partition('class="mine"')[0]
    assert f"1. deal {COURT8}\n" in host.page("host/record.txt")
    assert "1. deal lord ? ? ?" in host.page("record.txt")
    for screen in (host.page(""), phones[3].page()):
        assert "房主看过所有身份，做法官，不入座。" in screen
    house.start()
    assert host.get("host/everything").status_code == 200
    assert "房主看过所有身份" in phones[3].page()


def test_a_host_with_a_seat_is_shown_nothing(house: House) -> None:
    host, phones = dealt(house)
    phones[1].borrow("host", host)
    assert phones[1].get("host").status_code == 200
    assert "看全部身份" not in phones[1].page("host")
    assert phones[1].post("host/everything", {"back": "host"}).status_code == 403
    assert phones[1].get("host/everything").status_code == phones[1].get("host/record.txt").status_code == 403
    assert "房主看过所有身份" not in phones[3].page()


def test_who_has_seen_everything_has_no_seat_in_that_game_whatever_it_holds(house: House) -> None:
    """Neither with somebody's token, nor after a restart, nor with another host's cookie on the same browser."""
    host, phones = dealt(house)
    open_everything(host)
    host.borrow("seat", phones[1])
    house.is_local = True
    house.start()
    for _ in range(2):
        page = host.page("seat")
        assert "你在旁观" in page and 'id="hold"' not in page and "反贼" not in page.partition("</main>")[0]
        assert "1. deal lord ? ? ?" in host.page("record.txt")
        host.evening.new_host()
        assert host.get("host").status_code == 403
        assert host.post("resume").status_code == 303 and host.get("host").status_code == 200
    assert 'id="hold"' in phones[1].page()


def test_another_browser_of_the_host_has_seen_nothing(house: House) -> None:
    host, phones = dealt(house)
    open_everything(host)
    other = house.browser()
    other.base = host.base
    other.borrow("host", host)
    assert other.get("host").status_code == 200
    assert other.get("host/everything").status_code == 403
    assert open_everything(other)
    assert phones[0].post("host/everything", {"back": "seat"}).status_code == 403


def test_in_the_next_game_it_may_play(house: House) -> None:
    host, phones = dealt(house)
    open_everything(host)
    host.post("host/end", {"key": "e", "back": "host"})
    assert host.get("host/everything").headers["Location"] == f"{host.base}/host"
    host.borrow("seat", phones[1])
    host.post("again", {"back": "table"})
    assert 'id="hold"' in host.page("seat")
    assert host.get("host/everything").status_code == 403
    assert "房主看过所有身份" not in host.page("")


def test_before_the_deal_there_is_nothing_to_see(house: House) -> None:
    host, _ = dealt(house)
    host.post("host/end", {"key": "e", "back": "host"})
    assert host.post("host/everything", {"back": "host"}).status_code == 422

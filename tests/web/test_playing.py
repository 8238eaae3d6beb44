"""While a game runs: recording, a death that waits, announcements, taking back, the end, playing again, a restart."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.modes import find_ruleset
from companion.rules import record
from tests.web.evening import COURT8, COURT12, HTMX, NAMES, ORIGIN, Browser, House, carry_out, dealt, said, seated


def log(browser: Browser) -> list[str]:
    """The record's lines as the visitor may download them, the deal left out."""
    text = browser.page("record.txt")
    return [line.partition(". ")[2] for line in text.splitlines() if re.match(r"\d+\. ", line)][1:]


# Recording


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ({"input": "turn 2"}, "turn 2"),
        ({"verb": "turn", "who": "2", "by": "", "points": "1"}, "turn 2"),
        ({"verb": "death", "who": "6", "by": "2", "points": "3"}, "death 6 by 2"),
        ({"verb": "death", "who": "6", "by": "-"}, "death 6 by -"),
        ({"verb": "damage", "who": "3", "by": "2", "points": "2"}, "damage 3 2 by 2"),
        ({"verb": "damage", "who": "3", "by": "-", "points": "2"}, "damage 3 2 by -"),
        ({"verb": "lose", "who": "3", "n": "2", "points": "1"}, "lose 3 2"),
        ({"verb": "hp", "who": "3", "n": "5"}, "hp 3 5"),
        ({"verb": "dying", "who": "3", "by": "2"}, "dying 3 by 2"),
        ({"verb": "leave", "who": "3", "by": "2"}, "leave 3"),
    ],
)
def test_anybody_records_for_anybody_in_whole_lines_or_in_parts(house: House, form: dict[str, str], line: str) -> None:
    host, phones = dealt(house, options="hp")
    response = phones[4].post("record", {**form, "key": "1", "back": "seat"})
    assert (response.status_code, response.headers["Location"]) == (303, f"{host.base}/seat")
    assert log(phones[7]) == [line]


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ({}, "saved 3"),
        ({"rescuer-1": "", "rescuer-2": ""}, "saved 3"),
        ({"rescuer-1": "6", "rescuer-2": "2"}, "saved 3 by 6 2"),
        ({"rescuer-1": "", "rescuer-2": "2", "by": "5", "points": "3"}, "saved 3 by 2"),
        ({"n": "2", "rescuer-1": "2"}, "saved 3 2 by 2"),
    ],
)
def test_saved_by_nobody_and_by_several_in_order(house: House, form: dict[str, str], line: str) -> None:
    host, phones = dealt(house, options="hp")
    host.record("dying 3 by 2")
    response = phones[4].post("record", {"verb": "saved", "who": "3", **form, "key": "1", "back": "seat"})
    assert response.status_code == 303
    assert log(host)[1:] == [line]


def test_three_taps_from_the_table_screen(house: House) -> None:
    host, phones = dealt(house)
    response = host.post("record", {"verb": "death", "who": "6", "by": "1", "key": "1", "back": "table"})
    assert (response.status_code, response.headers["Location"]) == (303, host.base)
    for page in (host.page(""), phones[0].page(), phones[5].page()):
        assert "罪己" in page or "亮明身份" in page
    assert log(phones[5]) == ["death 6 by 1"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("turn 2 3", "多余"),
        ("turn 9", "没有 9号位"),
        ("death 3", "凶手是谁"),
        ("turn", "没有写完"),
        ("", "没有写完"),
        ("dance", "dance"),
        ("<script>alert(1)</script>", "&lt;script&gt;"),
        ("damage 2 1 by 3", "不记体力"),
        (f"deal {COURT8}", "已经发过"),
        ("answer 2 yes", "没有提问"),
    ],
)
def test_a_refusal_says_why_and_shows_the_present_state(house: House, line: str, says: str) -> None:
    host, phones = dealt(house)
    response = phones[2].record(line)
    page = response.get_data(as_text=True)
    assert response.status_code == 422
    assert says in said(response)
    assert 'id="face"' in page and '<p class="role">储君</p>' in page
    assert "<script>alert" not in page
    assert log(host) == []


def test_what_came_too_late_is_refused_with_its_clause(house: House) -> None:
    _, phones = dealt(house)
    phones[0].record("death 6 by 2")
    response = phones[3].record("death 6 by 3")
    assert response.status_code == 422
    assert said(response).startswith("己 6 已经阵亡") and said(response).endswith("X3")
    assert log(phones[0]) == ["death 6 by 2"]


def test_the_same_request_twice_is_one_record(house: House) -> None:
    host, phones = dealt(house)
    for _ in range(3):
        assert phones[0].record("turn 2", key="same").status_code == 303
    assert log(host) == ["turn 2"]


def test_a_double_tap_at_once_is_one_record(house: House) -> None:
    host, phones = dealt(house, options="hp")
    cookie = f"seat-{host.base[3:]}-8000={phones[0].cookie('seat')}"
    app = house.app

    def tap(_: int) -> int:
        client = app.test_client(use_cookies=False)
        form = {"input": "damage 3 1 by 2", "key": "same", "back": "seat"}
        return client.post(f"{host.base}/record", data=form, headers={**ORIGIN, "Cookie": cookie}).status_code

    with ThreadPoolExecutor(8) as taps:
        assert set(taps.map(tap, range(16))) == {303}
    assert log(host) == ["damage 3 1 by 2"]


def test_the_same_event_again_within_ten_seconds_is_asked_about(house: House) -> None:
    host, phones = dealt(house, options="hp")
    phones[1].record("damage 3 1 by 2")
    response = phones[4].record("damage 3 1 by 2", key="other")
    page = response.get_data(as_text=True)
    assert response.status_code == 409
    assert said(response).startswith("乙 刚刚记过同样的一条。再记一次？")
    assert '<input type="hidden" name="input" value="damage 3 1 by 2">' in page
    assert '<input type="hidden" name="again" value="1">' in page
    assert log(host) == ["damage 3 1 by 2"]
    assert phones[4].record("damage 3 1 by 2", key="other", again="1").status_code == 303
    assert log(host) == ["damage 3 1 by 2"] * 2
    assert said(host.post("record", {"input": "damage 3 1 by 2", "key": "x"})).startswith("戊 刚刚记过")
    house.clock.move(11)
    assert phones[5].record("damage 3 1 by 2", key="later").status_code == 303


def test_an_event_that_the_table_screen_recorded_is_the_tables(house: House) -> None:
    host, phones = dealt(house)
    host.record("turn 2")
    assert said(phones[0].record("turn 2", key="mine")).startswith("牌桌 刚刚记过")


def test_whoever_looks_on_is_offered_nothing_to_tap(house: House) -> None:
    host, phones = dealt(house, COURT12, "court12", pause=4)
    guest = house.browser()
    guest.base = host.base

    def shows(what: str) -> None:
        page = guest.page("seat")
        assert what in page and "<form" not in page

    shows('class="paper card now')
    phones[0].record("death 1 by 8")
    shows('class="draft"')
    house.clock.move(4)
    shows('class="paper card now')
    carry_out(host)
    shows('id="question"')
    refused = guest.post("record", {"input": "answer 3 yes", "back": "seat"})
    assert refused.status_code == 403 and "要有座位才能用" in refused.get_data(as_text=True)


def test_spectators_and_strangers_record_nothing(house: House) -> None:
    host, _ = dealt(house)
    for visitor in (house.browser(), house.browser("en")):
        visitor.base = host.base
        visitor.get("seat")
        forms = {"record": {"input": "turn 2"}, "withdraw": {"draft": ""}, "done": {"announcement": "1-0"}}
        for path, form in forms.items():
            assert visitor.post(path, {**form, "back": "seat"}).status_code == 403
    assert log(host) == []
    assert host.evening.game is not None and host.evening.game.row.pointer == 0


@pytest.mark.parametrize("line", ["end", " end ", "correct 3 hp 2"])
def test_only_the_host_ends_a_game_or_corrects(house: House, line: str) -> None:
    host, phones = dealt(house, options="hp")
    assert phones[1].record(line).status_code == 403
    assert log(host) == []
    assert host.record(line).status_code == 303
    assert log(host) == [line.strip()]


# A death waits


def test_every_screen_shows_the_death_that_waits(house: House) -> None:
    host, phones = dealt(house, pause=4)
    phones[1].record("death 6 by 2")
    for page in (host.page(""), host.page("host"), *(phone.page() for phone in phones)):
        assert re.search(r'<section class="draft"[^>]*>.*即将阵亡亮牌', page, re.S)
        assert "left-4" in page and "of-4" in page
    assert log(host) == []
    house.clock.move(1)
    assert "left-3" in phones[0].page()
    house.clock.move(3)
    for page in (host.page(""), phones[0].page()):
        assert "即将阵亡" not in page
    assert log(host) == ["death 6 by 2"]


def test_the_death_that_waits_is_withdrawn_from_any_screen(house: House) -> None:
    host, phones = dealt(house, pause=4)
    phones[1].record("death 6 by 2")
    found = re.search(r'name="draft" value="([^"]+)"', phones[7].page())
    assert found
    for _ in range(2):
        assert phones[7].post("withdraw", {"draft": found[1], "back": "seat"}).status_code == 303
    house.clock.move(9)
    assert log(host) == []
    assert "即将阵亡" not in host.page("")


def test_a_withdrawal_that_comes_too_late_changes_nothing(house: House) -> None:
    host, phones = dealt(house, pause=4)
    phones[1].record("death 6 by 2")
    found = re.search(r'name="draft" value="([^"]+)"', host.page(""))
    assert found
    house.clock.move(4)
    assert host.post("withdraw", {"draft": found[1]}).status_code == 303
    assert log(host) == ["death 6 by 2"]


def test_while_a_death_waits_another_record_is_refused(house: House) -> None:
    host, phones = dealt(house, pause=4)
    phones[1].record("death 6 by 2")
    response = phones[2].record("turn 3")
    assert response.status_code == 422 and "还没生效" in said(response)
    assert phones[2].record("death 6 by 2").status_code == 303
    assert host.post("host/undo", {"step": 1, "key": "u"}).status_code == 422
    house.clock.move(4)
    assert log(host) == ["death 6 by 2"]


def test_a_leave_waits_as_a_death_does(house: House) -> None:
    _, phones = dealt(house, pause=10)
    phones[1].record("leave 6")
    assert "即将离开并亮牌" in phones[0].page()
    house.clock.move(10)
    assert log(phones[0]) == ["leave 6"]


def test_without_a_pause_nothing_waits(house: House) -> None:
    host, phones = dealt(house, pause=0)
    phones[1].record("death 6 by 2")
    assert log(host) == ["death 6 by 2"]


# Announcements


def test_done_is_anybodys_and_counts_once(house: House) -> None:
    host, phones = dealt(house)
    phones[0].record("death 2 by 3")
    card = re.search(r'name="announcement" value="([^"]+)"', phones[5].page())
    assert card
    for phone in (phones[5], phones[6], host):
        assert phone.post("done", {"announcement": card[1], "back": "seat"}).status_code == 303
    assert "赏令" in host.page("")
    after = re.search(r'name="announcement" value="([^"]+)"', host.page(""))
    assert after and after[1] != card[1]
    assert host.evening.game is not None
    assert host.evening.game.row.pointer == [card.id for card in host.evening.game.cards()].index(after[1])


def test_a_new_record_completes_the_rest(house: House) -> None:
    host, _ = dealt(house)
    host.record("death 2 by 3")
    assert 'name="announcement"' in host.page("")
    host.record("turn 3")
    assert 'name="announcement"' not in host.page("")


def test_announcements_come_one_card_a_clause_in_order(house: House) -> None:
    host, _ = dealt(house)
    host.record("death 2 by 3")
    titles = []
    while card := re.search(r'<section class="paper card now" id="say-([^"]+)".*?<h2>(.*?)</h2>', host.page(""), re.S):
        titles.append(card[2])
        host.post("done", {"announcement": card[1]})
    assert titles == ["亮明身份", "赏令", "统义"]


# Taking back, ending, playing again


def test_two_taps_on_undo_take_back_one_record(house: House) -> None:
    host, _ = dealt(house)
    host.record("turn 2")
    host.record("turn 3")
    step = re.search(r'name="step" value="(\d+)"', host.page("host"))
    assert step and step[1] == "3"
    for number in range(2):
        form = {"step": step[1], "key": f"tap {number}", "back": "host"}
        assert host.post("host/undo", form).status_code == 303
    assert log(host) == ["turn 2"]
    assert "; undone: turn 3" in host.page("record.txt")


@pytest.mark.parametrize("step", ["1", "0", "-1", "x", "", "99"])
def test_the_deal_is_not_taken_back_nor_is_what_nobody_saw(house: House, step: str) -> None:
    host, _ = dealt(house)
    host.record("turn 2")
    assert host.post("host/undo", {"step": step, "key": "k", "back": "host"}).status_code == 303
    assert log(host) == ["turn 2"]


def test_only_the_host_takes_back_and_ends(house: House) -> None:
    host, phones = dealt(house)
    host.record("turn 2")
    assert phones[0].post("host/undo", {"step": 2, "back": "seat"}).status_code == 403
    assert phones[0].post("host/end", {"back": "seat"}).status_code == 403
    assert log(host) == ["turn 2"]


def test_the_end_shows_every_identity_and_grade_and_why(house: House) -> None:
    host, phones = dealt(house)
    for line in ("death 1 by 2", "death 3 by 2"):
        host.record(line)
    for page in (host.page(""), phones[7].page()):
        assert "反贼获胜" in page and "C8-V1" in page
        results = re.search(r'<section class="results[^>]*>.*?</section>', page, re.S)
        assert results
        assert re.findall(r"<b>(.*?)</b>", results[0]) == [
            "主公", "反贼", "储君", "贼首", "反贼", "忠臣", "内奸", "反贼"
        ]  # fmt: skip
        assert results[0].count("grade win") == 4 and results[0].count("grade lose") == 4
    assert "提前结束" not in host.page("host") and "再来一局" in host.page("host")


def test_the_host_ends_a_game_without_a_verdict(house: House) -> None:
    host, phones = dealt(house)
    for _ in range(2):
        assert host.post("host/end", {"key": "same", "back": "host"}).status_code == 303
    page = phones[0].page()
    assert "牌局提前结束" in page and "grade" not in page
    assert said(host.post("host/end", {"key": "later", "back": "host"})).startswith("这一局已经结束")
    assert log(host) == ["end"]


def test_two_taps_on_again_are_one_game_with_the_same_places(house: House) -> None:
    host, phones = dealt(house)
    host.post("host/end", {"key": "e"})
    for _ in range(2):
        response = host.post("again", {"back": "table"})
        assert (response.status_code, response.headers["Location"]) == (303, host.base)
    games = house.store.games(host.evening.row.id)
    assert [game.number for game in games] == [1, 2]
    assert set(games[0].seats) == set(games[1].seats)
    for phone, name in zip(phones, NAMES, strict=False):
        assert f'<p class="owner"><bdi>{name}</bdi></p>' in phone.page()


def test_the_second_game_knows_nothing_of_the_first(house: House) -> None:
    host, phones = dealt(house)
    host.record("death 1 by 2")
    host.post("host/end", {"key": "e"})
    host.post("again", {"back": "table"})
    assert log(phones[0]) == []
    for phone in phones:
        deal = re.search(r"^1\. deal (.*)$", phone.page("record.txt"), re.M)
        assert deal and deal[1].split().count("?") in (6, 7)


# The record


def test_a_record_holds_what_its_reader_may_know(house: House) -> None:
    host, phones = dealt(house)
    guest = house.browser()
    guest.base = host.base
    for visitor in (host, guest):
        assert "1. deal lord ? ? ? ? ? ? ?\n" in visitor.page("record.txt")
    assert "1. deal lord ? crown_prince ? ? ? ? ?\n" in phones[2].page("record.txt")
    response = phones[2].get("record.txt")
    assert response.mimetype == "text/plain"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{host.base[3:]}-1.txt"'


def test_there_is_no_record_before_the_deal(house: House) -> None:
    host, _ = seated(house)
    assert host.get("record.txt").status_code == 404


def test_after_the_end_everybody_has_the_whole_record_and_it_replays_to_the_same(house: House) -> None:
    host, phones = dealt(house, options="hp")
    for line in ("damage 2 4 by 3", "death 2", "turn 3", "death 1 by 8", "death 3 by 8"):
        assert host.record(line).status_code == 303
    guest = house.browser()
    guest.base = host.base
    [text] = {visitor.page("record.txt") for visitor in (host, guest, *phones)}
    assert f"1. deal {COURT8}\n" in text and '[Result "C8-V1"]' in text
    [game] = record.parse(text, find_ruleset)
    replayed = record.run(game)
    assert not replayed.problems and replayed.table and host.evening.game
    assert replayed.table.state == host.evening.game.table.state
    assert game.tags["Date"].startswith("2026-11-")


def test_the_next_games_record_is_the_readers_again(house: House) -> None:
    host, phones = dealt(house)
    host.post("host/end", {"key": "e"})
    house.stack("lord renegade rebel crown_prince rebel_chief rebel loyalist rebel")
    host.post("again", {"back": "table"})
    assert "1. deal lord renegade ? ? ? ? ? ?\n" in phones[1].page("record.txt")
    assert phones[1].get("record.txt").headers["Content-Disposition"].endswith('-2.txt"')


# Another server on the same database


def test_after_a_restart_everybody_goes_on_where_they_were(house: House) -> None:
    host, phones = dealt(house, options="hp")
    phones[0].record("turn 1")
    phones[1].record("damage 3 1 by 2")
    browsers = (host, *phones)
    before = [browser.page(path) for browser in browsers for path in ("", "seat", "record.txt")]
    house.start()
    assert [browser.page(path) for browser in browsers for path in ("", "seat", "record.txt")] == before
    assert host.get("host").status_code == 200
    phones[2].record("turn 2")
    assert log(host) == ["turn 1", "damage 3 1 by 2", "turn 2"]


def test_a_request_that_was_answered_before_the_restart_is_not_done_again(house: House) -> None:
    host, phones = dealt(house)
    phones[0].record("turn 1", key="same")
    house.start()
    phones[0].record("turn 1", key="same")
    assert log(host) == ["turn 1"]


def test_a_death_that_waited_during_a_restart_counts_afterwards(house: House) -> None:
    host, phones = dealt(house, pause=4)
    phones[0].record("death 6 by 2")
    house.start()
    assert "即将阵亡亮牌" in phones[3].page()
    house.clock.move(4)
    assert log(host) == ["death 6 by 2"]


def test_a_restart_in_the_lobby_keeps_places_and_settings(house: House) -> None:
    host, phones = seated(house, "classic", 4, options="hidden_dead", pause=7)
    before = host.page("host"), phones[2].page()
    house.start()
    assert (host.page("host"), phones[2].page()) == before


def test_a_page_can_be_used_without_javascript(house: House) -> None:
    """Every form is a plain one: what the recorder needs stands in the page, and answers lead to whole pages."""
    host, phones = dealt(house)
    page = phones[0].page()
    assert re.search(r'<form method="post" action="[^"]+/record"[^>]* id="rec"', page)
    assert {f'name="who" value="{seat}"' in page for seat in range(1, 9)} == {True}
    assert {f'name="by" value="{by}"' in page for by in (*range(1, 9), "-")} == {True}
    key = re.search(r'name="key" value="([^"]+)"', page)
    assert key
    response = phones[0].post("record", {"key": key[1], "back": "seat", "verb": "death", "who": 6, "by": "-"})
    assert response.status_code == 303
    assert "<!doctype html>" in phones[0].get(response.headers["Location"]).get_data(as_text=True)
    assert log(host) == ["death 6 by -"]


def test_a_live_page_is_answered_with_its_new_inside(house: House) -> None:
    _, phones = dealt(house)
    response = phones[0].post("record", {"input": "turn 2", "key": "1", "back": "seat"}, HTMX)
    page = response.get_data(as_text=True)
    assert response.status_code == 200
    assert "<html" not in page and 'id="face"' in page and "轮到" in page
    refused = phones[0].post("record", {"input": "turn 99", "key": "2", "back": "seat"}, HTMX)
    assert refused.status_code == 422
    assert "<html" not in refused.get_data(as_text=True) and "没有 99号位" in said(refused)

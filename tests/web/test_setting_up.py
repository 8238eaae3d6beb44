"""From the lobby to the first turn: places tapped round the ring, the steps of each mode, the look together, heroes."""

from __future__ import annotations

import re

import pytest

from companion.modes import MODES, find_mode
from companion.rules.facts import HOST
from tests.web.evening import HTMX, Browser, House, carry_out, dealt, said, seated

AMBITION = "restorer supporter usurper disruptor disruptor"
DEALS = {
    "classic": "lord loyalist rebel rebel renegade",
    "court8": "lord rebel crown_prince rebel_chief rebel loyalist renegade rebel",
    "court12": "lord crown_prince chancellor general eunuch partisan rebel_chief desperado righteous_bandit rioter"
    " looter renegade",
    "ambition": AMBITION,
    "sixteen": "lord:red loyalist:red rebel rebel renegade",
    "chuhan": "chu han han chu",
}
STEPS = {
    "classic": "look lord heroes flip names CL-2 cards",
    "court8": "look lord heroes flip names C8-LORD.1 cards",
    "court12": "look lord heroes flip names C12-LORD.1 cards",
    "ambition": "look AM-2.1 AM-2.3 AM-2.3 AM-2.3 AM-2.3 AM-2.3 AM-2.3 AM-2.3 AM-2.4 AM-2.4 role_cards",
    "sixteen": "look SX-3 SX-2.3 lord heroes flip names cards",
    "chuhan": "all_heroes flip names CH-1 cards",
}


def ring(browser: Browser, path: str = "") -> list[str]:
    """The names round the ring, as the page draws it."""
    found = re.search(r'<ol class="ring.*?</ol>', browser.page(path), re.S)
    assert found
    return re.findall(r'<bdi class="name">(.*?)</bdi>', found[0])


def now(page: str) -> str:
    """The id of the card that says what to do now."""
    found = re.search(r'<section class="paper card now[^"]*" id="say-([^"]+)"', page)
    return found[1] if found else ""


# Places


def test_the_order_of_taps_is_the_ring(house: House) -> None:
    host, phones = seated(house, "classic", 4)
    assert 'id="seating"' not in phones[0].page()
    host.post("host/places", {"do": "ask", "back": "table"})
    assert all('id="seating"' in phone.page() for phone in phones)
    for place in (2, 0, 0, 3):
        phones[place].post("place", {"back": "seat"})
    assert ring(host) == ["丙", "甲", "丁"] == ring(phones[1], "seat")
    assert "刚才是" in phones[1].page() and "你排在第 2 位" in phones[0].page()
    phones[1].post("place", {"back": "seat"})
    assert ring(host) == ["丙", "甲", "丁", "乙"]
    assert 'id="seating"' not in phones[0].page()
    host.post("host/deal", {"back": "table"})
    assert {house.tables.evening(host.base[3:]).names()[seat] for seat in (1, 2, 3, 4)} == set("甲乙丙丁")


def test_whoever_has_not_tapped_stays_at_the_end_and_stopping_changes_nothing(house: House) -> None:
    host, phones = seated(house, "classic", 4)
    host.post("host/places", {"do": "ask", "back": "host"})
    phones[3].post("place", {"back": "seat"})
    host.post("host/places", {"do": "stop", "back": "host"})
    assert ring(host) == ["甲", "乙", "丙", "丁"]
    host.post("host/places", {"do": "ask", "back": "host"})
    phones[3].post("place", {"back": "seat"})
    house.start()
    host.post("host/places", {"do": "set", "back": "host"})
    assert ring(host) == ["丁", "甲", "乙", "丙"]


def test_the_host_taps_for_whoever_has_no_phone_and_nobody_else_does(house: House) -> None:
    host, phones = seated(house, "classic", 3)
    host.post("host/places", {"do": "ask", "back": "table"})
    third = str(host.evening.people[2].id)
    phones[0].post("place", {"person": third, "back": "seat"})
    assert ring(host) == ["甲"]
    host.post("place", {"person": third, "back": "table"})
    assert ring(host) == ["甲", "丙"]
    assert phones[0].post("host/places", {"do": "set", "back": "seat"}).status_code == 403
    stranger = house.browser()
    stranger.base = host.base
    assert stranger.post("place", {"back": "seat"}).status_code == 403
    assert host.post("place", {"person": 999, "back": "table"}).status_code == 422


def test_dealing_takes_the_ring_as_tapped_so_far_and_places_are_tapped_between_games(house: House) -> None:
    host, phones = seated(house, "classic", 3)
    host.post("host/places", {"do": "ask", "back": "table"})
    phones[2].post("place", {"back": "seat"})
    house.stack("rebel renegade lord", "classic")
    host.post("host/deal", {"back": "table"})
    assert list(host.evening.names().values()) == ["乙", "丙", "甲"]
    assert host.post("host/places", {"do": "ask", "back": "table"}).status_code == 422
    host.record("end")
    host.post("host/places", {"do": "ask", "back": "host"})
    assert all('id="seating"' in phone.page(**HTMX) for phone in phones)
    assert 'id="places"' in host.page("", **HTMX) and 'id="places"' in host.page("host")


def test_somebody_is_dragged_to_a_place(house: House) -> None:
    host, _ = seated(house, "classic", 4)
    first = host.evening.people[0].id
    host.post("host/move", {"person": first, "to": "3", "back": "host"})
    assert ring(host) == ["乙", "丙", "甲", "丁"]
    host.post("host/move", {"person": first, "to": "99", "back": "host"})
    assert ring(host) == ["乙", "丙", "丁", "甲"]


# Step by step


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_has_its_steps(house: House, mode: str) -> None:
    host, phones = dealt(house, DEALS[mode], mode)
    told = []
    while shown := now(host.page("")):
        assert now(phones[1].page()) == shown
        clause = re.search(r'id="say-.*?<span class="clause" translate="no">(.*?)</span>', host.page(""), re.S)
        told.append(shown.removeprefix("setup-") if "setup" in shown else clause and clause[1])
        phones[2].post("done", {"announcement": shown, "back": "seat"})
    assert " ".join(map(str, told)) == STEPS[mode]
    assert "turn 1" in host.page("")


@pytest.mark.parametrize("mode", MODES)
def test_one_tap_skips_them_all_and_the_first_turn_ends_them(house: House, mode: str) -> None:
    host, phones = dealt(house, DEALS[mode], mode)
    last = re.search(r'class="skip">.*?name="announcement" value="([^"]+)"', phones[0].page(), re.S)
    assert last
    phones[1].post("done", {"announcement": last[1], "back": "seat"})
    assert not now(host.page("")) and 'class="skip"' not in host.page("")
    host, phones = dealt(house, DEALS[mode], mode)
    phones[1].record("turn 1")
    assert not re.match("setup|1-", now(host.page("")))


def test_the_record_knows_nothing_of_it(house: House) -> None:
    host, phones = dealt(house)
    phones[0].post("look", {"back": "seat"})
    phones[0].post("hero", {"name": "曹操", "back": "seat"})
    text = host.evening.export(HOST)
    assert "1. deal lord" in text and "曹操" not in text and "look" not in text


def test_without_a_public_identity_nobody_picks_first() -> None:
    before, after = find_mode("sixteen").setup
    assert [step.id for step in (*before, *after) if step.public] == ["lord"]
    assert not any(step.public for part in find_mode("chuhan").setup for step in part)


# The look together


def test_everybody_looks_for_ten_seconds_and_covers_together(house: House) -> None:
    host, phones = dealt(house)
    assert "开始，看十秒" in phones[3].page()
    phones[3].post("look", {"back": "seat"})
    house.clock.move(2.5)
    phones[4].post("look", {"back": "seat"})
    for browser in (host, *phones):
        page = browser.page("" if browser is host else "seat")
        assert 'id="count-8"' in page and "现在看牌" in page and "开始，看十秒" not in page
    before = phones[0].get("seat", HTMX).headers["ETag"]
    house.clock.move(7.5)
    assert phones[0].get("seat", HTMX).headers["ETag"] != before
    for browser in (host, *phones):
        page = browser.page("" if browser is host else "seat", **HTMX)
        assert "时间到，都盖上" in page and "都盖好了" in page and "count-" not in page


def test_a_restart_in_the_middle_of_the_look_ends_it_in_time(house: House) -> None:
    host, phones = dealt(house)
    phones[3].post("look", {"back": "seat"})
    house.clock.move(4)
    house.start()
    assert 'id="count-6"' in host.page("")
    version = host.evening.row.version
    house.clock.move(6)
    assert host.evening.row.version > version
    assert "时间到，都盖上" in host.page("")


def test_a_look_is_begun_where_it_is_the_step_and_nowhere_else(house: House) -> None:
    host, phones = dealt(house)
    carry_out(host)
    version = host.evening.row.version
    assert phones[0].post("look", {"back": "seat"}).status_code == 303
    assert host.evening.row.version == version
    stranger = house.browser()
    stranger.base = host.base
    assert stranger.post("look", {"back": "seat"}).status_code == 403


# Heroes


def test_everybody_reads_who_plays_whom(house: House) -> None:
    host, phones = dealt(house)
    phones[2].post("hero", {"name": " 界徐盛<b> ", "back": "seat"})
    for browser in (host, *phones):
        page = browser.page("" if browser is host else "seat", **HTMX)
        assert '<bdi class="hero-name">界徐盛&lt;b&gt;</bdi>' in page and "界徐盛<" not in page
    phones[2].post("hero", {"name": "  ", "back": "seat"})
    phones[2].post("hero", {"name": "字" * 99, "back": "seat"})
    house.start()
    assert "字" * 24 + "</bdi>" in host.page("") and "字" * 25 not in host.page("")
    assert host.post("hero", {"name": "host", "back": "table"}).status_code == 403


def test_hit_points_are_tapped_without_ending_the_setting_up(house: House) -> None:
    host, phones = dealt(house, options="hp")
    for step in ("look", "lord", "heroes", "flip"):
        host.post("done", {"announcement": f"setup-{step}"})
    assert 'id="hero-now"' in phones[4].page() and 'name="hp" value="3"' in phones[4].page()
    phones[4].post("hero", {"name": "甄姬", "hp": "3", "key": "k", "back": "seat"})
    phones[4].post("hero", {"name": "甄姬", "hp": "3", "key": "k", "back": "seat"})
    assert now(host.page("")) == "setup-names"
    assert "3/3" in host.page("") and "甄姬" in host.page("")
    assert len(host.evening.game.standing) == 2 if host.evening.game else False
    phones[0].post("done", {"announcement": "setup-cards", "back": "seat"})
    phones[0].record("turn 1")
    assert 'name="hp" value="3"' not in phones[4].page()
    assert "体力" in said(phones[4].post("hero", {"hp": "5", "back": "seat", "key": "late"}))

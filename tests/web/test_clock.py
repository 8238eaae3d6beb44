"""Somebody sets the laptop's clock in the middle of an evening, by hours, forward or back: nothing is any different."""

from __future__ import annotations

import re

import pytest

from companion.tables import OFFER_SECONDS, OPEN_SECONDS
from tests.web.evening import HTMX, House, dealt, log, said
from tests.web.test_passing import opened, phoneless, with_phoneless
from tests.web.test_seats import offered, take

HOUR = 3600.0
JUMPS = pytest.mark.parametrize("jump", [-5 * HOUR, -20.0, 20.0, 5 * HOUR])


@JUMPS
def test_a_death_waits_as_long_as_it_was_to_wait(house: House, jump: float) -> None:
    host, phones = dealt(house, pause=4)
    phones[0].record("death 6 by 2")
    house.clock.move(1)
    house.clock.set_wall(jump)
    house.clock.move(2.9)
    assert log(host) == [] and "即将阵亡亮牌" in phones[3].page()
    house.clock.move(0.1)
    assert log(host) == ["death 6 by 2"]


@JUMPS
def test_a_death_that_waited_during_a_restart_waits_its_time_anew(house: House, jump: float) -> None:
    host, phones = dealt(house, pause=4)
    phones[0].record("death 6 by 2")
    house.clock.set_wall(jump)
    house.start()
    assert "即将阵亡亮牌" in phones[3].page()
    house.clock.move(3.9)
    assert log(host) == []
    house.clock.move(0.1)
    assert log(host) == ["death 6 by 2"]


@JUMPS
def test_the_same_event_is_asked_about_for_ten_seconds_and_no_longer(house: House, jump: float) -> None:
    host, phones = dealt(house, options="hp")
    phones[0].record("damage 3 1 by 2")
    house.clock.set_wall(jump)
    house.clock.move(9)
    asked = phones[1].record("damage 3 1 by 2")
    assert asked.status_code == 409 and "刚刚记过同样的一条" in said(asked)
    house.clock.move(2)
    assert phones[1].record("damage 3 1 by 2", key="later").status_code == 303
    assert log(host) == ["damage 3 1 by 2"] * 2


@JUMPS
def test_what_was_recorded_before_a_restart_is_soon_long_ago(house: House, jump: float) -> None:
    host, phones = dealt(house, options="hp")
    phones[0].record("damage 3 1 by 2")
    house.start()
    house.clock.set_wall(jump)
    house.clock.move(40)
    assert phones[1].record("damage 3 1 by 2").status_code == 303
    assert len(log(host)) == 2


@JUMPS
def test_the_same_event_is_asked_about_also_after_a_line_before_it_was_changed(house: House, jump: float) -> None:
    host, phones = dealt(house, options="hp")
    phones[0].record("damage 2 1 by 3")
    phones[0].record("damage 3 1 by 2")
    seen = host.evening.game.log.last_seq if host.evening.game else 0
    host.post("host/change", {"step": 2, "line": "damage 4 1 by 3", "seen": seen, "back": "host"})
    house.clock.set_wall(jump)
    house.clock.move(9)
    assert phones[1].record("damage 3 1 by 2").status_code == 409
    house.clock.move(2)
    assert phones[1].record("damage 3 1 by 2", key="later").status_code == 303


@JUMPS
def test_all_look_for_ten_seconds_and_no_longer(house: House, jump: float) -> None:
    host, phones = dealt(house)
    phones[3].post("look", {"back": "seat"})
    house.clock.set_wall(jump)
    house.clock.move(4)
    assert 'id="count-6"' in host.page("")
    version = host.evening.row.version
    house.clock.set_wall(jump)
    house.clock.move(6)
    assert host.evening.row.version > version and host.evening.seconds_left() == 0
    assert "时间到，都盖上" in host.page("") and "count-" not in phones[0].page()


@JUMPS
def test_a_look_that_was_going_on_at_a_restart_ends_for_all(house: House, jump: float) -> None:
    host, phones = dealt(house)
    phones[3].post("look", {"back": "seat"})
    house.clock.set_wall(jump)
    house.start()
    etag = phones[3].get("seat", HTMX).headers["ETag"]
    house.clock.set_wall(-jump)
    house.clock.move(10)
    assert "时间到，都盖上" in host.page("") and "count-" not in host.page("")
    assert phones[3].get("seat", {**HTMX, "If-None-Match": etag}).status_code == 200


@JUMPS
def test_a_card_that_is_open_on_another_phone_is_closed_in_time(house: House, jump: float) -> None:
    host, first, *_ = with_phoneless(house)
    person, opener = phoneless(host), host.evening.people[0].id
    opened(first)
    house.clock.set_wall(jump)
    house.clock.move(OPEN_SECONDS - 1)
    assert host.evening.has_open(person, opener)
    house.clock.set_wall(jump)
    house.clock.move(1)
    assert not host.evening.has_open(person, opener)


@JUMPS
def test_whenever_a_card_is_opened_again_everybody_is_told(house: House, jump: float) -> None:
    host, first, *_ = with_phoneless(house)
    for count in range(1, 5):
        for _ in range(2):  # a double tap is one opening
            opened(first)
            assert len(host.evening.events) == count
        house.clock.set_wall(jump)
        house.clock.move(300)


@JUMPS
def test_a_card_that_was_open_at_a_restart_does_not_stay_open(house: House, jump: float) -> None:
    host, first, *_ = with_phoneless(house)
    person, opener = phoneless(host), host.evening.people[0].id
    opened(first)
    house.clock.set_wall(jump)
    house.start()
    host.page("")
    house.clock.set_wall(-jump)
    house.clock.move(OPEN_SECONDS)
    assert not host.evening.has_open(person, opener)


@JUMPS
def test_a_phone_asks_for_its_seat_for_ten_minutes(house: House, jump: float) -> None:
    host, _ = dealt(house)
    for person in host.evening.people[:2]:
        phone = house.browser()
        phone.base = host.base
        phone.get("claim")
        phone.post("claim", {"person": person.id, "back": "claim"})
        house.clock.set_wall(jump)
        house.clock.move(299)
    assert [claim.person for claim in host.evening.claims] == [one.id for one in host.evening.people[:2]]
    house.clock.move(2)
    assert [claim.person for claim in host.evening.claims] == [host.evening.people[1].id]
    host.post("host/approve", {"claim": host.evening.claims[0].id, "back": "host"})
    assert host.evening.person_by_token(str(phone.cookie("seat"))) == host.evening.people[1]


@JUMPS
def test_a_claim_that_stood_at_a_restart_is_dropped_in_time(house: House, jump: float) -> None:
    host, _ = dealt(house)
    phone = house.browser()
    phone.base = host.base
    phone.get("claim")
    phone.post("claim", {"person": host.evening.people[1].id, "back": "claim"})
    house.clock.set_wall(jump)
    house.start()
    host.page("")
    house.clock.set_wall(-jump)
    house.clock.move(600)
    assert host.evening.claims == []


@JUMPS
def test_the_code_that_moves_hosting_is_good_for_three_minutes(house: House, jump: float) -> None:
    host, phones = dealt(house)
    path = offered(host)
    house.clock.set_wall(jump)
    house.clock.move(OFFER_SECONDS - 1)
    assert "hosting" in phones[2].page(path)
    house.clock.set_wall(jump)
    house.clock.move(1)
    assert take(phones[2], path)[0] != 303


@JUMPS
def test_that_nobody_comes_is_noticed_after_a_minute(house: House, jump: float) -> None:
    host = house.browser(address="127.0.0.1")
    host.open_table()
    assert not host.evening.nobody_comes
    house.clock.set_wall(jump)
    house.clock.move(59)
    assert not host.evening.nobody_comes
    house.clock.set_wall(jump)
    house.clock.move(1)
    assert host.evening.nobody_comes


def test_things_keep_the_order_in_which_they_happened(house: House) -> None:
    host, phones = dealt(house)
    lines = [f"turn {seat}" for seat in (1, 2, 3, 4)]
    for line, jump in zip(lines, (5 * HOUR, -50 * HOUR, 3 * HOUR, -HOUR), strict=True):
        phones[0].record(line)
        house.clock.set_wall(jump)
    host.post("host/undo", {"step": 5})
    assert log(host) == lines[:-1]
    kept = host.page("record.txt")
    assert re.findall(r"^\d+\. (turn .*)$", kept, re.M) == lines[:-1] and "; undone: turn 4" in kept
    house.start()
    assert (log(host), host.page("record.txt")) == (lines[:-1], kept)
    house.clock.set_wall(-100 * HOUR)
    newer = house.browser(address="127.0.0.1").open_table()
    assert [f"/t/{evening.row.code}" for evening in house.tables.evenings(2)] == [newer, host.base]


@JUMPS
def test_seats_and_requests_are_known_again(house: House, jump: float) -> None:
    host, phones = dealt(house)
    phones[0].record("turn 2", key="same")
    before = phones[2].page()
    house.clock.set_wall(jump)
    assert phones[0].record("turn 2", key="same").status_code == 303
    house.start()
    assert phones[0].record("turn 2", key="same").status_code == 303
    assert log(host) == ["turn 2"] and phones[2].page() == before

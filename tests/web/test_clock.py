"""Somebody sets the laptop's clock in the middle of an evening, by hours, forward or back: nothing is any different."""

from __future__ import annotations

import re

import pytest

from tests.web.evening import House, dealt, log, said

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

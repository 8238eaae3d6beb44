"""People without a phone: they sit down, and look at their cards on the phones of others, for all to know."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from companion.tables import OPEN_SECONDS
from tests.web.evening import COURT8, HTMX, Browser, Chance, House, said, seated
from tests.web.test_drawing import codes

EIGHT = "lord:red false_emperor>1 loyalist:red royal_guard:red rebel yellow_turban assassin>5 vanguard"


def with_phoneless(house: House, deal: str = COURT8, mode: str = "court8", **settings: object) -> list[Browser]:
    """A table of which the last person has no phone, dealt; the host's browser, and the phones of the others."""
    host, phones = seated(house, mode, len(deal.split()) - 1, **settings)
    assert phones[0].post("add", {"name": "老", "back": "seat", "key": "1"}).status_code == 303
    house.stack(deal, mode)
    assert host.post("host/deal", {"back": "host"}).status_code == 303
    assert host.evening.phase == "play"
    return [host, *phones]


def phoneless(browser: Browser) -> int:
    return browser.evening.phoneless[0].id


def opens(phone: Browser) -> TestResponse:
    return phone.post("pass", {"person": phoneless(phone), "back": "pass", "key": "1"})


def opened(phone: Browser) -> str:
    """The page with the card of the person without a phone."""
    response = opens(phone)
    assert response.status_code == 200
    return response.get_data(as_text=True)


# Sitting down


def test_somebody_without_a_phone_is_seated_by_whoever_sits_there_or_by_the_host(house: House) -> None:
    host, phones = seated(house, "classic", 3)
    for _ in range(2):
        phones[1].post("add", {"name": "老", "back": "seat", "key": "1"})
    host.post("add", {"name": " 老 ", "back": "host", "key": "2"})
    assert [person.name for person in host.evening.people] == ["甲", "乙", "丙", "老", "老 (2)"]
    assert [person.name for person in host.evening.phoneless] == ["老", "老 (2)"]
    assert host.page("host").count("没有手机</span>") == 2
    guest = house.browser()
    guest.base = host.base
    assert guest.post("add", {"name": "客", "back": "seat"}).status_code == 403


def test_nobody_is_seated_without_a_name_or_while_a_game_runs(house: House) -> None:
    host, phones = seated(house, "classic", 3)
    assert said(phones[1].post("add", {"name": " ", "back": "seat"})) == "请写下名字。"
    host.post("host/deal", {"back": "host"})
    assert phones[1].post("add", {"name": "老", "back": "seat"}).status_code == 422
    assert len(host.evening.people) == 3


# Looking


def test_the_card_is_opened_on_another_phone_and_every_screen_says_so(house: House) -> None:
    host, first, *others = with_phoneless(house)
    assert f'href="{host.base}/pass"' in first.page() and "老</bdi> 看牌" in first.page()
    assert "传给 <bdi" in first.page("pass") and 'id="face"' not in first.page("pass")
    page = opened(first)
    assert '<p class="role">反贼</p>' in page and '<p class="owner"><bdi>老</bdi></p>' in page
    for browser in (host, first, *others):
        assert '老</bdi> 的牌在 <bdi class="name">甲</bdi> 的手机上打开了' in browser.page("seat")
    assert '<p class="role">主公</p>' in first.page()


def test_the_card_does_not_stay(house: House) -> None:
    host, first, *_ = with_phoneless(house)
    response = opens(first)
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Refresh"] == f"{OPEN_SECONDS}; url={host.base}/seat"
    page = response.get_data(as_text=True)
    assert "data-stream" not in page and f'data-leave="{host.base}/seat"' in page
    for path in ("seat", "pass", ""):
        for headers in ({}, HTMX):
            shown = first.page(path, **headers)
            assert "反贼</p>" not in shown and shown.count('id="face"') == (path == "seat")


def test_each_opening_is_told_but_a_double_tap_is_one(house: House) -> None:
    host, first, second, *_ = with_phoneless(house)
    opened(first), opened(first)
    assert len(host.evening.events) == 1
    opened(second)
    house.clock.move(30)
    opened(second)
    assert [(event.who, event.by) for event in host.evening.events] == [("老", "甲"), ("老", "乙"), ("老", "乙")]


def test_the_card_of_somebody_with_a_phone_is_never_opened(house: House) -> None:
    host, first, *_ = with_phoneless(house)
    for person in (*(one.id for one in host.evening.people[:-1]), 999, 0):
        response = first.post("pass", {"person": person, "back": "pass"})
        assert response.status_code == 422 and 'id="face"' not in response.get_data(as_text=True)
    assert host.evening.events == []


def test_only_a_phone_with_a_seat_is_passed_on(house: House) -> None:
    host, first, *_ = with_phoneless(house)
    guest = house.browser()
    guest.base = host.base
    for browser in (host, guest):
        assert opens(browser).status_code == 403
        assert browser.get("pass").headers["Location"] == f"{host.base}/seat"
    assert guest.get("pass", HTMX).headers["HX-Redirect"] == f"{host.base}/seat"
    assert host.evening.events == [] and "传给" in first.page("pass")


def test_nothing_is_opened_before_the_deal_or_after_the_end(house: House) -> None:
    host, phones = seated(house, "classic", 3)
    phones[0].post("add", {"name": "老", "back": "seat"})
    assert opens(phones[0]).status_code == 422
    assert "现在不用传手机" in phones[0].page("pass")
    host.post("host/deal", {"back": "host"})
    host.post("host/end", {"back": "host", "key": "end"})
    assert opens(phones[0]).status_code == 422
    assert host.evening.events == []


def test_whoever_gets_a_phone_after_all_asks_for_the_seat(house: House) -> None:
    host, first, *_ = with_phoneless(house)
    new = house.browser()
    new.base = host.base
    new.get("claim")
    new.post("claim", {"person": phoneless(host), "back": "claim"})
    host.post("host/approve", {"claim": host.evening.claims[0].id, "back": "host"})
    assert '<p class="role">反贼</p>' in new.page()
    assert host.evening.phoneless == [] and "/pass" not in first.page()
    assert "现在不用传手机" in first.page("pass")


# Skills


def use(phone: Browser, skill: str = "charge", **form: object) -> TestResponse:
    seat = len(phone.evening.people)
    sent = {"person": phoneless(phone), "verb": "use", "who": seat, "skill": skill, "on": 3, "back": "seat", "key": "u"}
    return phone.post("pass/use", {**sent, **form})


def test_a_skill_is_used_from_the_card_that_is_open(house: House) -> None:
    host, first, *_ = with_phoneless(house, EIGHT, "sixteen")
    form = re.search(r'<form [^>]*action="[^"]*/pass/use".*?</form>', opened(first), re.S)
    assert form and f'name="person" value="{phoneless(host)}"' in form[0] and 'value="charge"' in form[0]
    assert first.record("use 8 charge 3").status_code == 422
    response = use(first)
    assert (response.status_code, response.headers["Location"]) == (303, f"{host.base}/seat")
    assert '（<bdi class="name">老</bdi> 记）' in first.page()
    assert host.evening.game and host.evening.game.standing[-1].text == "use 8 charge 3"


@pytest.mark.parametrize("moment", ["never opened", "opened elsewhere since", "opened too long ago", "another game"])
def test_without_an_open_card_no_skill_is_tried(house: House, moment: str) -> None:
    """A refusal would tell who holds which card."""
    host, first, second, *_ = with_phoneless(house, EIGHT, "sixteen")
    if moment != "never opened":
        opened(first)
    if moment == "opened elsewhere since":
        opened(second)
    if moment == "opened too long ago":
        house.clock.move(OPEN_SECONDS)
    if moment == "another game":
        host.post("host/end", {"back": "host", "key": "end"})
        host.post("again", {"back": "host"})
    for skill in ("charge", "inspect", "nonsense"):
        response = use(first, skill)
        assert (response.status_code, said(response)) == (422, "牌已经盖上了。请再点一次名字，把牌打开。")


def test_nothing_but_a_skill_is_recorded_in_the_name_of_somebody_else(house: House) -> None:
    host, first, *_ = with_phoneless(house)
    opened(first)
    for form in ({"verb": "turn", "who": 2}, {"input": "turn 2"}, {"input": "use 2 guard"}, {"verb": ""}):
        assert use(first, **form).status_code == 422
    assert len(host.evening.game.standing) == 1  # type: ignore[union-attr]


# Printed cards


def test_printed_cards_of_people_without_a_phone_are_entered_on_other_phones(house: House) -> None:
    host, phones = seated(house, "classic", 2)
    phones[0].post("add", {"name": "老", "back": "seat"})
    host.post("host/dealing", {"by": "cards", "back": "host"})
    lord, rebel, renegade = codes("lord rebel renegade", "classic")
    for phone, card in zip(phones, (lord, rebel), strict=True):
        phone.post("card", {"card": card, "back": "seat"})
    assert "替 <bdi" in phones[0].page()
    form = {"person": phoneless(host), "card": "ABCDEF", "back": "pass"}
    response = phones[0].post("pass/card", form)
    assert response.status_code == 422 and "编码抄错了" in said(response)
    assert phones[0].post("pass/card", {**form, "card": rebel}).status_code == 303
    assert phones[1].post("pass/card/back", form).status_code == 303
    assert phones[1].post("pass/card", {**form, "card": renegade}).status_code == 303
    assert renegade not in phones[1].page("pass") and "牌已录好" in phones[1].page("pass")
    assert host.post("host/deal", {"back": "host"}).status_code == 303
    assert '<p class="role">内奸</p>' in opened(phones[0])


def test_the_printed_card_of_somebody_with_a_phone_is_entered_there_alone(house: House) -> None:
    host, phones = seated(house, "classic", 3)
    host.post("host/dealing", {"by": "cards", "back": "host"})
    form = {"person": host.evening.people[1].id, "card": codes("lord", "classic")[0], "back": "pass"}
    for path in ("pass/card", "pass/card/back"):
        assert phones[0].post(path, form).status_code == 422
        assert host.post(path, form).status_code == 403
    assert not host.evening.has_card(host.evening.people[1].id)


# Two worlds


def test_what_is_passed_on_tells_nobody_else_anything(tmp_path: Path) -> None:
    """Seats 3 and 4 have each other's cards in another world; seat 8, without a phone, has the same in both."""
    there = COURT8.split()
    there[2:4] = there[3:1:-1]
    worlds, chance = [], Chance()
    for name, deal in (("here", COURT8), ("there", " ".join(there))):
        (tmp_path / name).mkdir()
        chance.seed(1)
        with chance.instead_of_secrets():
            worlds.append(with_phoneless(House(tmp_path / name / "evening.sqlite3"), deal))
    asked: tuple[Callable[[list[Browser]], TestResponse], ...] = (
        lambda one: one[1].get("pass"),
        lambda one: use(one[1]),
        lambda one: opens(one[1]),
        lambda one: use(one[1]),
        lambda one: use(one[1], "inspect", on=3),
        lambda one: opens(one[2]),
        lambda one: one[0].get(""),
        lambda one: one[0].get("host"),
        *(lambda one, n=n: one[n].get("seat", HTMX) for n in (1, 2, 5, 6, 7)),
    )
    for act in asked:
        here, apart = (act(one) for one in worlds)
        assert (here.status, here.headers, here.data) == (apart.status, apart.headers, apart.data)
    assert worlds[0][3].page() != worlds[1][3].page()

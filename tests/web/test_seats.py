"""Seats lost and found: asked for by another phone, given by the host, taken over, left; and who is host."""

from __future__ import annotations

import re
from itertools import takewhile

import pytest

from companion.rules.table import Pending
from companion.tables import OFFER_SECONDS, SYMBOLS
from companion.tables.seats import CLAIM_SECONDS
from companion.web.screens import Lang
from tests.web.evening import COURT12, HTMX, NAMES, PORT, Browser, House, dealt, said, seated
from tests.web.screen_samples import LANGS

LOST = "这台手机已经退出"


def asks(house: House, host: Browser, whose: str, **form: object) -> Browser:
    """Another browser that asks for the seat of whoever has this name."""
    phone = house.browser(address="192.168.1.77")
    phone.base = host.base
    person = next(one.id for one in host.evening.people if one.name == whose)
    assert f'value="{person}"' in phone.page("claim")
    response = phone.post("claim", {"person": person, "back": "claim", **form})
    assert (response.status_code, response.headers["Location"]) == (303, f"{host.base}/claim")
    return phone


def symbol(page: str) -> str:
    """The word of the one symbol on the page."""
    found = re.findall(r'<span class="sign">.*?<b>(.*?)</b>', page)
    assert len(found) == 1, found
    return str(found[0])


def shown_claims(host: Browser) -> list[str]:
    """What the button for all would approve."""
    forms = re.findall(r'<form [^>]*action="[^"]*/host/approve".*?</form>', host.page("host"), re.S)
    return re.findall(r'name="claim" value="(\d+)"', forms[-1]) if forms else []


def approve_all(host: Browser) -> None:
    assert host.post("host/approve", {"claim": shown_claims(host), "back": "host"}).status_code == 303


def role(page: str) -> str | None:
    found = re.search(r'<p class="role">(.*?)</p>', page)
    return found[1] if found else None


# Found again


def test_a_seat_is_found_by_its_name_a_symbol_and_the_hosts_tap(house: House) -> None:
    host, phones = dealt(house)
    old, role_of_2 = phones[1], role(phones[1].page())
    new = asks(house, host, "乙")
    waiting = new.page("claim")
    assert "等房主批准" in waiting and role(waiting) is None and role(new.page()) is None
    assert symbol(waiting) == symbol(host.page("host"))
    assert role(old.page()) == role_of_2
    approve_all(host)
    response = new.get("claim")
    assert (response.status_code, response.headers["Location"]) == (303, f"{host.base}/seat")
    assert role(new.page()) == role_of_2 == "反贼"
    for page in (old.page(), old.page("seat", **HTMX)):
        assert LOST in page and role(page) is None and 'id="face"' not in page
    assert LOST not in house.browser().get(f"{host.base}/seat").get_data(as_text=True)
    assert old.record("turn 1").status_code == 403
    assert new.record("turn 1").status_code == 303
    assert len(host.evening.people) == 8


def test_the_waiting_page_leads_to_the_seat_by_itself(house: House) -> None:
    host, _ = dealt(house)
    new = asks(house, host, "乙")
    etag = new.get("claim", HTMX).headers["ETag"]
    assert new.get("claim", {**HTMX, "If-None-Match": etag}).status_code == 304
    approve_all(host)
    response = new.get("claim", {**HTMX, "If-None-Match": etag})
    assert (response.status_code, response.headers["HX-Redirect"], response.data) == (200, f"{host.base}/seat", b"")


def test_every_screen_says_alike_that_somebody_asks_and_that_a_seat_has_moved(house: House) -> None:
    host, phones = dealt(house)
    new, guest = asks(house, host, "乙"), house.browser()
    guest.base = host.base
    screens = [(host, ""), (host, "host"), *((phone, "seat") for phone in phones), (guest, "seat"), (guest, "")]
    for browser, path in screens:
        page = browser.page(path)
        assert re.search("有手机要打开座位.*乙" if path == "host" else "有手机要打开这些座位：.*乙", page, re.S)
        assert ('class="sign"' in page) == (path == "host")
    approve_all(host)
    for browser, path in (*screens, (new, "seat")):
        page = browser.page(path)
        # Above, and under the newest record: the host's page has no log.
        assert len(re.findall("乙</bdi> 的座位换到了新手机", page)) == (1 if path == "host" else 2)
        assert "有手机要打开" not in page
    host.record("turn 1")
    for browser, path in ((host, ""), (guest, "seat"), (phones[0], "seat")):
        assert len(re.findall("乙</bdi> 的座位换到了新手机", browser.page(path))) == 1
    host.post("host/undo", {"step": 2, "back": "host"})
    host.post("host/end", {"back": "host", "key": "end"})
    assert "乙</bdi> 的座位换到了新手机" in host.page("")


ASKED = {
    "turncoat": (COURT12, "court12", ["death 12 by 1"], "yes"),
    "scheme": (
        COURT12,
        "court12",
        ["death 12 by 1", *(f"answer {n} no" for n in (2, 3, 4, 5, 6, 8, 9, 10, 11))],
        "drain",
    ),
    "successor": ("former_lord loyalist rebel rebel renegade", "sixteen", ["death 1 by 3"], "2"),
}
"""How each question comes to be asked, and an answer."""


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize("name", ["", "新"], ids=["found", "taken over"])
def test_whoever_is_asked_may_lose_the_phone_and_answers_from_another(house: House, question: str, name: str) -> None:
    deal, mode, lines, answer = ASKED[question]
    host, phones = dealt(house, deal, mode)
    for line in lines:
        assert host.record(line).status_code == 303

    def pending() -> Pending | None:
        assert host.evening.game is not None
        return host.evening.game.table.pending

    asked = pending()
    assert asked and asked.ask == question
    new = asks(house, host, NAMES[asked.seat - 1], **({"name": name} if name else {}))
    house.start()
    approve_all(host)
    house.start()
    assert pending() == asked
    old, known = phones[asked.seat - 1], new.page()
    assert LOST in old.page() and 'id="hold"' in known
    line = f"answer {asked.seat} {answer}"
    assert old.record(line).status_code == 403 and pending() == asked
    assert new.record(line).status_code == 303 and pending() != asked
    host.post("host/undo", {"step": len(lines) + 2, "key": "u", "back": "host"})
    assert pending() == asked
    assert phones[asked.seat - 2].record(line).status_code == 303, "anybody at the table taps what is said aloud"


def test_the_old_phone_may_ask_back(house: House) -> None:
    host, phones = dealt(house)
    asks(house, host, "乙")
    approve_all(host)
    old = phones[1]
    person = host.evening.people[1].id
    assert old.post("claim", {"person": person, "back": "claim"}).status_code == 303
    approve_all(host)
    assert role(old.page()) == "反贼" and LOST not in old.page()


def test_all_are_approved_in_one_tap_each_with_a_symbol_of_its_own(house: House) -> None:
    """The laptop has a new address: no cookie is sent to it."""
    host, phones = dealt(house)
    roles = [role(phone.page()) for phone in phones]
    fresh = [asks(house, host, person.name) for person in host.evening.people]
    assert len({symbol(phone.page("claim")) for phone in fresh}) == 8
    approve_all(host)
    assert [role(phone.page()) for phone in fresh] == roles
    assert all(LOST in phone.page() for phone in phones)


def test_an_open_page_is_called_when_a_seat_is_asked_for_given_or_forgotten(house: House) -> None:
    host, phones = dealt(house)
    followed = house.tables.signals.follow(host.evening.row.id, "somebody", 0, 0)
    heard = iter(followed)
    next(heard)

    def is_called() -> bool:
        return list(takewhile(lambda version: version is not None, heard))[-1:] == [host.evening.row.version]

    assert not is_called()
    asks(house, host, "乙")
    assert is_called()
    approve_all(host)
    assert is_called()
    asks(house, host, "丙")
    assert is_called()
    house.clock.move(CLAIM_SECONDS)
    assert is_called()
    take(phones[3], offered(host))
    assert is_called()


def test_a_claim_that_came_in_between_is_not_approved_unseen(house: House) -> None:
    host, phones = dealt(house)
    asks(house, host, "乙")
    shown = shown_claims(host)
    late = asks(house, host, "丙")
    host.post("host/approve", {"claim": shown, "back": "host"})
    assert role(late.page()) is None and role(phones[2].page()) == "储君"
    assert "等房主批准" in late.page("claim")


def test_another_claim_of_the_same_phone_is_another_claim(house: House) -> None:
    """The host's tap meant the seat that the page showed, not the one that the phone has asked for since."""
    host, phones = dealt(house)
    new = asks(house, host, "乙")
    shown = shown_claims(host)
    new.post("claim", {"person": host.evening.people[2].id, "back": "claim"})
    host.post("host/approve", {"claim": shown, "back": "host"})
    assert role(new.page()) is None
    assert [role(phones[n].page()) for n in (1, 2)] == ["反贼", "储君"]
    assert len(host.evening.claims) == 1


def test_the_same_tap_twice_is_one_claim_and_one_approval(house: House) -> None:
    host, _ = dealt(house)
    new = asks(house, host, "乙")
    before = symbol(new.page("claim")), shown_claims(host)
    new.post("claim", {"person": host.evening.people[1].id, "back": "claim"})
    assert (symbol(new.page("claim")), shown_claims(host)) == before
    for _ in range(2):
        assert host.post("host/approve", {"claim": before[1], "back": "host"}).status_code == 303
    assert len(host.evening.events) == 1


def test_two_phones_that_ask_for_one_seat_are_shown_as_such(house: House) -> None:
    host, phones = dealt(house)
    right, wrong, other = asks(house, host, "乙"), asks(house, host, "乙"), asks(house, host, "丙")
    page = host.page("host")
    assert page.count("不止一台手机要") == 2
    both = [claim.id for claim in host.evening.claims]
    response = host.post("host/approve", {"claim": both, "back": "host"})
    assert response.status_code == 422 and "同一个座位" in said(response)
    assert role(phones[1].page()) == "反贼"
    assert [claim.id for claim in host.evening.claims] == both
    host.post("host/approve", {"claim": both[0], "back": "host"})
    assert role(right.page()) == "反贼" and role(wrong.page()) is None
    assert "哪个座位是你的" in wrong.page("claim")
    approve_all(host)
    assert role(other.page()) == "储君"


def test_a_claim_is_refused_alone(house: House) -> None:
    host, phones = dealt(house)
    refused, other = asks(house, host, "乙"), asks(house, host, "丙")
    claim = host.evening.claims[0].id
    for _ in range(2):
        assert host.post("host/refuse", {"claim": claim, "back": "host"}).status_code == 303
    assert "哪个座位是你的" in refused.page("claim") and role(phones[1].page()) == "反贼"
    host.post("host/approve", {"claim": claim, "back": "host"})
    assert role(refused.page()) is None and "等房主批准" in other.page("claim")


def test_a_phone_stops_looking(house: House) -> None:
    host, _ = dealt(house)
    new = asks(house, host, "乙")
    for _ in range(2):
        assert new.post("claim/drop", {"back": "claim"}).status_code == 303
    assert host.evening.claims == [] and 'id="claims"' not in host.page("host")


def test_only_the_host_decides(house: House) -> None:
    host, phones = dealt(house)
    new = asks(house, host, "乙")
    claim = host.evening.claims[0].id
    for browser in (phones[0], phones[1], new):
        for path in ("host/approve", "host/refuse"):
            assert browser.post(path, {"claim": claim, "back": "seat"}).status_code == 403
    assert role(new.page()) is None and len(host.evening.claims) == 1


def test_claims_of_another_table_are_not_given(house: House) -> None:
    host, _ = dealt(house)
    new = asks(house, host, "乙")
    other = house.browser()
    other.open_table()
    other.post("host/approve", {"claim": host.evening.claims[0].id, "back": "host"})
    other.post("host/refuse", {"claim": host.evening.claims[0].id, "back": "host"})
    assert role(new.page()) is None and len(host.evening.claims) == 1


def test_a_claim_is_forgotten_after_ten_minutes(house: House) -> None:
    host, _ = dealt(house)
    new, etag = asks(house, host, "乙"), host.get("host", HTMX).headers["ETag"]
    house.clock.move(CLAIM_SECONDS / 2)
    later, shown = asks(house, host, "丙"), [claim.id for claim in host.evening.claims]
    house.clock.move(CLAIM_SECONDS / 2)
    assert "哪个座位是你的" in new.page("claim") and "等房主批准" in later.page("claim")
    assert host.get("host", {**HTMX, "If-None-Match": etag}).status_code == 200
    host.post("host/approve", {"claim": shown[0], "back": "host"})
    assert role(new.page()) is None
    house.clock.move(CLAIM_SECONDS / 2)
    assert host.evening.claims == []


def test_a_restart_gives_no_seat_and_loses_no_claim(house: House) -> None:
    host, phones = dealt(house)
    new = asks(house, host, "乙")
    before = symbol(new.page("claim")), shown_claims(host)
    house.start()
    assert (symbol(new.page("claim")), shown_claims(host)) == before
    assert role(new.page()) is None and role(phones[1].page()) == "反贼"
    approve_all(host)
    house.start()
    assert role(new.page()) == "反贼" and LOST in phones[1].page()
    house.start()
    assert "乙</bdi> 的座位换到了新手机" in host.page("")


def test_an_old_claim_is_forgotten_though_the_server_was_down(house: House) -> None:
    host, _ = dealt(house)
    asks(house, host, "乙")
    house.clock.passed += CLAIM_SECONDS + 1
    house.start()
    shown = shown_claims(host)
    host.post("host/approve", {"claim": shown, "back": "host"})
    assert host.evening.claims == [] and host.evening.events == []
    house.clock.move(2)
    assert host.evening.claims == []


def test_there_are_as_many_claims_as_symbols(house: House) -> None:
    host, _ = dealt(house)
    for _ in SYMBOLS:
        asks(house, host, "乙")
    late = house.browser()
    late.base = host.base
    late.get("claim")
    response = late.post("claim", {"person": host.evening.people[2].id, "back": "claim"})
    assert response.status_code == 422 and "太多" in said(response)
    assert len({claim.symbol for claim in host.evening.claims}) == len(SYMBOLS)


@pytest.mark.parametrize("lang", LANGS)
def test_every_symbol_is_drawn_and_has_a_word(house: House, lang: Lang) -> None:
    host, _ = dealt(house)
    host.get(f"host?lang={lang}")
    for _ in SYMBOLS:
        asks(house, host, "乙")
    page = host.page("host")
    words = re.findall(r'<span class="sign">.*?<b>(.+?)</b>', page)
    shapes = re.findall(r'<svg class="symbol"[^>]*><path fill-rule="evenodd" d="(M[^"]+z)"', page)
    assert len(set(words)) == len(set(shapes)) == len(SYMBOLS)


@pytest.mark.parametrize("person", ["999", "", "x", "-1", "9" * 400])
def test_nobodys_seat_cannot_be_asked_for(house: House, person: str) -> None:
    host, _ = dealt(house)
    new = house.browser()
    new.base = host.base
    response = new.post("claim", {"person": person, "back": "claim"})
    assert response.status_code == 422 and host.evening.claims == []


def test_who_has_a_seat_asks_for_no_other(house: House) -> None:
    host, phones = dealt(house)
    response = phones[0].post("claim", {"person": host.evening.people[1].id, "back": "claim"})
    assert response.status_code == 422 and said(response) == "这台手机已经有座位了。"
    assert phones[0].get("claim").headers["Location"] == f"{host.base}/seat"
    assert host.evening.claims == []


def test_who_has_seen_everything_asks_for_no_seat(house: House) -> None:
    host, phones = dealt(house)
    assert host.post("host/everything", {"back": "host"}).status_code < 400
    for form in ({}, {"name": "友"}):
        person = host.evening.people[1].id
        response = host.post("claim", {"person": person, "back": "claim", **form})
        assert response.status_code == 422 and "看过这一局的所有身份" in said(response)
    assert host.evening.claims == [] and role(phones[1].page()) == "反贼"


def test_whoever_sits_down_instead_asks_no_longer(house: House) -> None:
    host, _ = seated(house, "classic", 4)
    new = asks(house, host, "乙")
    shown = shown_claims(host)
    new.sit_down(host.base, "乙")
    assert [person.name for person in host.evening.people] == [*"甲乙丙丁", "乙 (2)"]
    assert host.evening.claims == []
    new.post("leave", {"back": "seat"})
    assert host.evening.claims == []
    host.post("host/approve", {"claim": shown, "back": "host"})
    assert host.evening.events == []


def test_the_seat_of_somebody_removed_is_not_given(house: House) -> None:
    host, _ = seated(house, "classic", 4)
    new, shown = asks(house, host, "乙"), shown_claims(host)
    host.post("host/remove", {"person": host.evening.people[1].id, "back": "host"})
    host.post("host/approve", {"claim": shown, "back": "host"})
    assert new.evening.events == [] and "乙" not in [person.name for person in host.evening.people]


def test_a_removed_phone_gets_the_seat_of_another_person(house: House) -> None:
    host, phones = seated(house, "classic", 4)
    host.post("host/remove", {"person": host.evening.people[3].id, "back": "host"})
    phones[3].post("claim", {"person": host.evening.people[1].id, "back": "claim"})
    approve_all(host)
    assert "乙</bdi>，你已入座" in phones[3].page()


def test_a_found_seat_sends_its_card_when_it_scans_one(house: House) -> None:
    host, phones = seated(house, "classic", 4)
    host.post("host/dealing", {"by": "cards", "back": "host"})
    new = asks(house, host, "乙")
    approve_all(host)
    new.get("claim")
    assert f'value="{host.base[3:]}"' in new.page("/C/nothing")
    response = new.post("/C", {"table": host.base[3:], "card": "nothing"})
    assert (response.status_code, response.headers["Location"]) == (303, f"{host.base}/seat?card=card_mistyped")
    assert f'value="{host.base[3:]}"' not in phones[1].page("/C/nothing")


def test_the_host_finds_the_way_from_every_page(house: House) -> None:
    host, _ = seated(house, "classic", 4)
    host.sit_down(host.base, "戊")
    asks(house, host, "乙")
    for path in ("", "seat"):
        assert re.search(rf'<a class="button" href="{host.base}/host">去核对</a>', host.page(path))
    assert "去核对" not in host.page("host")


# Taken over


def test_a_late_friend_takes_over_a_seat(house: House) -> None:
    host, phones = dealt(house)
    friend = asks(house, host, "丙", name="友")
    assert "友" in friend.page("claim") and role(friend.page()) is None
    assert "友</bdi> 接手" in host.page("host")
    approve_all(host)
    page = friend.page()
    assert role(page) == "储君" and '<p class="owner"><bdi>友</bdi></p>' in page
    assert [person.name for person in host.evening.people] == [*"甲乙友丁戊己庚辛"]
    left = phones[2].page()
    assert LOST in left and "丙</bdi> 的座位在另一台手机上" in left and role(left) is None
    for browser in (host, phones[0], friend, phones[2]):
        assert '友</bdi> 接手了 <bdi class="name">丙</bdi> 的座位' in browser.page("seat")


def test_whoever_takes_over_is_told_apart_from_the_others(house: House) -> None:
    host, _ = dealt(house)
    asks(house, host, "丙", name="乙")
    asks(house, host, "丁", name="丁")
    approve_all(host)
    assert [person.name for person in host.evening.people][1:4] == ["乙", "乙 (2)", "丁"]


def test_without_a_name_nobody_takes_over(house: House) -> None:
    host, _ = dealt(house)
    friend = house.browser()
    friend.base = host.base
    response = friend.post("claim", {"person": host.evening.people[1].id, "name": " ", "back": "claim"})
    assert response.status_code == 422 and said(response) == "请写下名字。"
    assert host.evening.claims == []


# Left


def test_who_leaves_before_the_deal_is_gone_and_may_come_back(house: House) -> None:
    host, phones = seated(house, "classic", 4)
    for _ in range(2):
        assert phones[1].post("leave", {"back": "seat"}).status_code == 303
    assert "".join(person.name for person in host.evening.people) == "甲丙丁"
    assert 'name="name"' in phones[1].page()
    phones[1].sit_down(host.base, "乙")
    assert "".join(person.name for person in host.evening.people) == "甲丙丁乙"


def test_nobody_leaves_the_ring_while_a_game_runs(house: House) -> None:
    host, phones = dealt(house)
    response = phones[1].post("leave", {"back": "seat"})
    assert response.status_code == 422 and "牌局正在进行" in said(response)
    assert len(host.evening.people) == 8


# The next host


def offered(host: Browser) -> str:
    """The address in the host's code."""
    page = host.post("host/offer", {"back": "host"}).get_data(as_text=True)
    found = re.search(rf'aria-label="http://192.168.1.20:{PORT}(/t/[^"]+)"', page)
    assert found
    return found[1]


def take(phone: Browser, path: str) -> tuple[int, str]:
    """Scan the code and tap the button."""
    page = phone.get(path).get_data(as_text=True)
    token = re.search(r'name="token" value="([^"]+)"', page)
    response = phone.post("hosting", {"token": token[1] if token else "", "back": "host"})
    return response.status_code, response.headers.get("Location", "")


def test_hosting_moves_to_a_phone(house: House) -> None:
    host, phones = dealt(house)
    path = offered(host)
    assert "/hosting/" in path and len(path.rpartition("/")[2]) >= 32
    assert host.get("host").status_code == 200
    assert take(phones[3], path) == (303, f"{host.base}/host")
    assert phones[3].get("host").status_code == 200 and role(phones[3].page()) == "贼首"
    assert host.get("host").status_code == 403
    assert host.post("host/undo", {"step": 1, "back": "host"}).status_code == 403
    for browser in (host, phones[0]):
        assert "房主换了一台设备" in browser.page("")


def test_the_table_screen_records_on_after_hosting_has_moved(house: House) -> None:
    host, phones = dealt(house)
    take(phones[3], offered(host))
    assert 'id="rec"' in host.page("") and 'id="rec"' in host.page("", **HTMX)
    assert host.record("turn 1").status_code == 303
    take(phones[4], offered(phones[3]))
    assert host.record("turn 2").status_code == 303
    assert host.record("end").status_code == 403
    guest = house.browser()
    guest.base = host.base
    assert 'id="rec"' not in guest.page("", **HTMX) and guest.record("turn 3").status_code == 403
    assert phones[3].get("host").status_code == 403


def test_looking_at_the_address_makes_nobody_host(house: House) -> None:
    host, phones = dealt(house)
    path = offered(host)
    for _ in range(3):
        assert "我来当房主" in phones[1].page(path)
    assert host.get("host").status_code == 200


def test_the_code_works_once(house: House) -> None:
    host, phones = dealt(house)
    path = offered(host)
    take(phones[1], path)
    assert take(phones[1], path) == (303, f"{host.base}/host")
    response = phones[2].get(path)
    assert response.status_code == 410 and "这个码不能用了" in response.get_data(as_text=True)
    response = phones[2].post("hosting", {"token": path.rpartition("/")[2], "back": "host"})
    assert response.status_code == 410
    assert phones[1].get("host").status_code == 200 and phones[2].get("host").status_code == 403


def test_the_code_expires_and_a_newer_one_replaces_it(house: House) -> None:
    host, phones = dealt(house)
    first, second = offered(host), offered(host)
    assert take(phones[1], first)[0] == 410
    house.clock.move(OFFER_SECONDS)
    assert take(phones[1], second)[0] == 410
    third = offered(host)
    house.start()
    assert take(phones[1], third)[0] == 410
    assert host.get("host").status_code == 200


def test_the_code_is_shown_to_the_host_alone(house: House) -> None:
    host, phones = dealt(house)
    for browser in (phones[0], house.browser()):
        browser.base = host.base
        assert browser.post("host/offer", {"back": "host"}).status_code == 403
    for browser in (host, phones[0]):
        for path in ("", "seat"):
            assert "/hosting/" not in browser.page(path)
    assert "/hosting/" not in host.page("host")


def test_whoever_resumes_on_the_laptop_is_host_again_and_the_code_is_void(house: House) -> None:
    house.is_local = True
    house.start()
    host, phones = dealt(house)
    path = offered(host)
    laptop = house.browser(address="127.0.0.1")
    laptop.base = host.base
    assert laptop.post("resume").status_code == 303 and laptop.get("host").status_code == 200
    assert take(phones[1], path)[0] == 410
    assert "房主换了一台设备" in phones[0].page()

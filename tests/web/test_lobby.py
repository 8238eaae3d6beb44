"""Before the deal: a table is opened, people sit down, the host arranges it all and deals."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.tables import MOST_PEOPLE
from tests.web.evening import COURT8, HTMX, NAMES, ORIGIN, PORT, House, dealt, said, seated


def test_whoever_opens_a_table_is_its_host(house: House) -> None:
    host, guest = house.browser(), house.browser()
    base = host.open_table()
    guest.base = base
    assert base.startswith("/t/") and len(base) == 7
    assert host.get("host").status_code == 200
    assert guest.get("host").status_code == 403
    assert "host/deal" in host.page("")
    assert "host/deal" not in guest.page("")


def test_the_table_screen_shows_how_to_join(house: House) -> None:
    host = house.browser()
    base = host.open_table()
    page = host.page("")
    code = base.removeprefix("/t/")
    assert f'aria-label="http://192.168.1.20:{PORT}/j/{code.lower()}"' in page
    assert f"http://192.168.1.20:{PORT}/j/{code.lower()}</p>" in page.replace("<wbr>", "")
    assert f'<b translate="no">{code}</b>' in page


def test_the_qr_code_leads_to_the_phones_page_in_either_case(house: House) -> None:
    host, phone = house.browser(), house.browser()
    base = host.open_table()
    code = base.removeprefix("/t/")
    for path in (f"/j/{code.lower()}", f"/J/{code}", f"/j/{code}"):
        response = phone.get(path)
        assert (response.status_code, response.headers["Location"]) == (303, f"{base}/seat")
    assert phone.get("/j/zzzz").status_code == 404


def test_scan_name_done(house: House) -> None:
    host, phone = house.browser(), house.browser()
    base = host.open_table()
    phone.base = base
    assert 'name="name"' in phone.page()
    response = phone.sit_down(base, "张三")
    assert (response.status_code, response.headers["Location"]) == (303, f"{base}/seat")
    assert "张三" in phone.page()
    assert 'action="' + base + '/join"' not in phone.page()
    assert "张三" in host.page("")


def test_a_name_is_remembered_for_the_next_table(house: House) -> None:
    phone, host = house.browser(), house.browser()
    phone.sit_down(host.open_table(), "张三")
    phone.base = house.browser().open_table()
    assert 'value="张三"' in phone.page()


def test_a_name_is_cleaned_and_escaped(house: House) -> None:
    host, phone = house.browser(), house.browser()
    phone.sit_down(host.open_table(), "\u202e <b>\u200b恶&\"'")
    for page in (host.page(""), phone.page(), host.page("host")):
        assert "&lt;b&gt;恶&amp;&#34;&#39;" in page
        assert "<b>恶" not in page and "\u202e" not in page and "\u200b" not in page


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u2060"])
def test_without_a_name_nobody_sits_down(house: House, name: str) -> None:
    host, phone = house.browser(), house.browser()
    response = phone.sit_down(host.open_table(), name)
    assert response.status_code == 422
    assert said(response) == "请写下名字。"
    assert host.evening.people == []


def test_the_same_name_makes_two_people_who_are_told_apart(house: House) -> None:
    host = house.browser()
    base = host.open_table()
    for typed in ("Anna", "Ａｎｎａ ", "ANNA"):
        house.browser().sit_down(base, typed)
    assert [person.name for person in host.evening.people] == ["Anna", "Anna (2)", "ANNA (3)"]


def test_a_double_tap_and_a_second_tab_make_one_person(house: House) -> None:
    host, phone = house.browser(), house.browser()
    phone.sit_down(host.open_table(), "张三")
    for name in ("张三", "李四"):
        assert phone.post("join", {"name": name, "back": "seat"}).status_code == 303
    assert [person.name for person in host.evening.people] == ["张三"]


def test_identical_joins_at_once_make_one_person(house: House) -> None:
    host, phone = house.browser(), house.browser()
    phone.base = host.open_table()
    phone.get("seat")
    cookie = f"seat-{phone.base[3:]}-{PORT}={phone.cookie('seat')}"
    app = house.app

    def join(_: int) -> int:
        client = app.test_client(use_cookies=False)
        headers = {**ORIGIN, "Cookie": cookie}
        return client.post(f"{phone.base}/join", data={"name": "张三", "back": "seat"}, headers=headers).status_code

    with ThreadPoolExecutor(8) as taps:
        assert set(taps.map(join, range(16))) == {303}
    assert [person.name for person in host.evening.people] == ["张三"]
    assert "张三" in phone.page()


def test_a_full_table_says_so(house: House) -> None:
    host = house.browser()
    base = host.open_table()
    for place in range(MOST_PEOPLE):
        assert house.browser().sit_down(base, f"人{place}").status_code == 303
    response = house.browser().sit_down(base, "晚")
    assert response.status_code == 422
    assert said(response) == "一桌最多坐 16 人。"


def test_whoever_scans_after_the_deal_is_a_spectator(house: House) -> None:
    host, _ = dealt(house)
    late = house.browser()
    response = late.sit_down(host.base, "晚")
    assert response.status_code == 422
    assert "牌局正在进行" in said(response)
    page = late.page()
    assert "你在旁观" in page and 'id="face"' not in page
    assert late.record("turn 2").status_code == 403
    assert len(host.evening.people) == 8


def test_a_spectator_sits_down_between_games(house: House) -> None:
    host, _ = dealt(house, "lord rebel renegade", "classic")
    late = house.browser()
    late.base = host.base
    late.get("seat")
    host.post("host/end", {"back": "host", "key": "end"})
    assert 'name="name"' in late.page()
    assert late.sit_down(host.base, "晚").status_code == 303
    assert host.post("again", {"back": "table"}).status_code == 303
    assert host.evening.game is not None and len(host.evening.game.row.seats) == 4
    assert 'id="face"' in late.page()


def test_the_host_may_also_sit_down(house: House) -> None:
    host, phones = seated(house, "classic", 4)
    assert host.sit_down(host.base, "戊").status_code == 303
    assert host.post("host/deal", {"back": "host"}).status_code == 303
    assert 'id="face"' in host.page()
    assert 'id="face"' not in host.page("") and 'id="face"' not in host.page("host")
    assert host.get("host").status_code == 200
    assert "/host" in host.page() and f'href="{host.base}/host"' not in phones[0].page()


# The host's page


def test_mode_options_and_pause_are_set(house: House) -> None:
    host, _ = seated(house, "classic", 6)
    form = {"mode": "classic", "pause": "7", "shown": "hp double hidden_dead", "option-double": "on", "back": "host"}
    response = host.post("host/settings", form)
    assert (response.status_code, response.headers["Location"]) == (303, f"{host.base}/host")
    page = host.page("host")
    assert 'name="option-double" value="on" checked' in page
    assert 'name="option-hp" value="on">' in page
    assert '<option value="7" selected>' in page
    assert host.evening.row.options == "double=on"


@pytest.mark.parametrize("form", [{"mode": "chess"}, {"mode": "classic", "pause": "11"}, {}])
def test_settings_that_make_no_sense_are_refused(house: House, form: dict[str, str]) -> None:
    host, _ = seated(house)
    before = host.evening.row
    response = host.post("host/settings", {**form, "back": "host"})
    assert response.status_code == 422
    assert said(response)
    assert host.evening.row == before


def test_the_ring_is_arranged(house: House) -> None:
    host, _ = seated(house, "classic", 4)
    first = host.evening.people[0].id
    host.post("host/move", {"person": first, "to": "down", "back": "host"})
    host.post("host/move", {"person": first, "to": "down", "back": "host"})
    assert "".join(person.name for person in host.evening.people) == "乙丙甲丁"
    host.post("host/move", {"person": first, "to": "up", "back": "host"})
    assert "".join(person.name for person in host.evening.people) == "乙甲丙丁"
    for person in ("999", "", "-1", "x", "9" * 400):
        assert host.post("host/move", {"person": person, "to": "up", "back": "host"}).status_code == 422


def test_who_is_removed_is_a_visitor_and_may_come_back(house: House) -> None:
    host, phones = seated(house, "classic", 4)
    person = host.evening.people[1].id
    for _ in range(2):
        assert host.post("host/remove", {"person": person, "back": "host"}).status_code == 303
    assert "".join(person.name for person in host.evening.people) == "甲丙丁"
    assert 'name="name"' in phones[1].page()
    assert phones[1].sit_down(host.base, "乙").status_code == 303
    assert "".join(person.name for person in host.evening.people) == "甲丙丁乙"


def test_the_address_is_chosen_and_follows_the_network(house: House) -> None:
    host, _ = seated(house)
    etag = host.get("", HTMX).headers["ETag"]
    house.addresses.append(type(house.addresses[0])("10.0.0.5", "eth0", "ethernet"))
    host.post("host/address", {"address": "10.0.0.5", "back": "table"})
    assert "10.0.0.5:8000/" in host.page("").replace("<wbr>", "")
    del house.addresses[1]
    response = host.get("", {**HTMX, "If-None-Match": etag})
    assert response.status_code == 200
    assert "192.168.1.20:8000/" in response.get_data(as_text=True).replace("<wbr>", "")


def test_the_table_screen_notices_a_new_network_though_nobody_did_anything(house: House) -> None:
    host, _ = seated(house)
    etag = host.get("", HTMX).headers["ETag"]
    assert host.get("", {**HTMX, "If-None-Match": etag}).status_code == 304
    house.addresses[0] = type(house.addresses[0])("192.168.7.7", "wlan0", "wifi")
    response = host.get("", {**HTMX, "If-None-Match": etag})
    assert response.status_code == 200
    assert "192.168.7.7:8000/" in response.get_data(as_text=True).replace("<wbr>", "")


# The deal


@pytest.mark.parametrize(
    ("mode", "players", "options", "reason"),
    [
        ("court8", 7, "", "现在是 7 人"),
        ("court8", 9, "", "9 至 11 人没有规则"),
        ("classic", 1, "", "2–10"),
        ("classic", 7, "double", "7 人局不能用这个选项"),
    ],
)
def test_a_deal_to_a_wrong_number_is_refused_with_its_reason(
    house: House, mode: str, players: int, options: str, reason: str
) -> None:
    host, phones = seated(house, mode, players, options=options)
    response = host.post("host/deal", {"back": "host"})
    assert response.status_code == 422
    assert reason in said(response)
    assert host.evening.phase == "lobby"
    assert 'id="face"' not in phones[0].page()
    assert " disabled" in host.page("")


def test_one_tap_deals_to_all_phones(house: House) -> None:
    host, phones = seated(house)
    house.stack(COURT8)
    for _ in range(2):
        response = host.post("host/deal", {"back": "table"})
        assert (response.status_code, response.headers["Location"]) == (303, host.base)
    roles = ("主公", "反贼", "储君", "贼首", "反贼", "忠臣", "内奸", "反贼")
    for phone, role, name in zip(phones, roles, NAMES, strict=False):
        page = phone.page()
        assert f'<p class="role">{role}</p>' in page
        assert f'<p class="owner"><bdi>{name}</bdi></p>' in page
    assert len(house.store.games(host.evening.row.id)) == 1


def test_only_the_host_deals(house: House) -> None:
    host, phones = seated(house)
    for path in ("host/deal", "again"):
        assert phones[0].post(path, {"back": "seat"}).status_code == 403
    assert host.evening.phase == "lobby"


def test_settings_and_places_are_refused_while_a_game_runs(house: House) -> None:
    host, _ = dealt(house)
    person = host.evening.people[0].id
    forms: dict[str, dict[str, object]] = {
        "host/settings": {"mode": "classic", "pause": "0"},
        "host/move": {"person": person, "to": "down"},
        "host/remove": {"person": person},
    }
    for path, form in forms.items():
        response = host.post(path, {**form, "back": "host"})
        assert response.status_code == 422
        assert "牌局正在进行" in said(response)
    assert host.post("host/deal", {"back": "host"}).status_code == 303
    assert len(house.store.games(host.evening.row.id)) == 1


@pytest.mark.parametrize(
    ("mode", "players", "told"),
    [
        ("court12", 9, "8 人玩初级版，12 人玩进阶版，9 至 11 人没有规则。"),
        ("court12", 11, "8 人玩初级版，12 人玩进阶版，9 至 11 人没有规则。"),
        ("court8", 9, "初级版（八人）要 8 人，现在是 9 人。8 人玩初级版，12 人玩进阶版，9 至 11 人没有规则。"),
        ("ambition", 1, "志向局 2 至 9 人，推荐 5 至 7 人"),
    ],
)
def test_for_how_many_a_mode_is_stands_beside_who_is_missing(house: House, mode: str, players: int, told: str) -> None:
    host, _ = seated(house, mode, players)
    for page in (host.page(""), host.page("host")):
        assert told in page
    host, _ = seated(house, "classic", 1)
    assert "还差 1 人" in host.page("")
    assert 'class="reasons"' not in host.page("")

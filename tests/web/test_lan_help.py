"""Nobody gets in: what the table screen says then, the addresses that it offers, the Wi-Fi that phones join first."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.lan import Address, rank
from companion.tables import Settings, Wifi
from printables import table as papers
from printables.ops import Page
from tests.qrcodes import codes_on, drawn, painted
from tests.web.evening import HTMX, Browser, House, said, seated

PASSWORD = 'shu;han:"wu"\\,~key~'
NETWORK = "桃园; 5G"
WIFI = {"network": NETWORK, "password": PASSWORD, "kind": "wpa", "back": "host"}
IN_CODE = 'WIFI:T:WPA;S:桃园\\; 5G;P:shu\\;han\\:\\"wu\\"\\\\\\,~key~;;'


def opened(house: House) -> Browser:
    host = house.browser(address="127.0.0.1")
    host.open_table()
    return host


def codes(page: str) -> list[str]:
    """What a reader finds in each of the page's QR codes."""
    drawings = re.findall(r"<svg [^>]*crispEdges.*?</svg>", page, re.S)
    return [text for svg in drawings for text in codes_on(painted(drawn(svg)))]


# Nobody comes


def test_after_a_minute_without_anybody_the_table_screen_says_what_to_try(house: House) -> None:
    host = opened(house)
    before = host.get("", HTMX)
    version = host.evening.row.version
    asks = {**HTMX, "If-None-Match": before.headers["ETag"]}
    house.clock.move(59.9)
    assert host.get("", asks).status_code == 304
    house.clock.move(0.2)
    after = host.get("", asks)
    assert after.status_code == 200 and 'id="stuck"' in after.get_data(as_text=True)
    assert host.evening.row.version == version
    again = {**HTMX, "If-None-Match": after.headers["ETag"]}
    assert host.get("", again).status_code == 304
    for other in ("seat", "host"):
        assert 'id="stuck"' not in host.page(other)


def test_another_table_screen_and_a_restarted_server_say_it_too(house: House) -> None:
    host = opened(house)
    house.clock.move(61)
    house.start()
    guest = house.browser()
    guest.base = host.base
    for screen in (host, guest):
        assert 'id="stuck"' in screen.page("")


def test_the_first_who_sits_down_ends_it_for_good(house: House) -> None:
    host = opened(house)
    house.clock.move(61)
    phone = house.browser()
    phone.sit_down(host.base, "甲")
    assert 'id="stuck"' not in host.page("")
    host.post("host/remove", {"person": host.evening.people[0].id, "back": "host"})
    house.clock.move(600)
    assert not host.evening.people
    assert 'id="stuck"' not in host.page("")


def test_a_full_table_never_says_it(house: House) -> None:
    host, _ = seated(house, "classic", 4)
    etag = host.get("", HTMX).headers["ETag"]
    house.clock.move(3600)
    assert host.get("", {**HTMX, "If-None-Match": etag}).status_code == 304


# Addresses


def test_the_code_holds_the_wifi_and_the_rest_can_be_chosen(house: House) -> None:
    house.addresses = rank(
        [
            ("docker0", "172.17.0.1"),
            ("lo", "127.0.0.1"),
            ("tun0", "10.8.0.6"),
            ("wlan0", "192.168.1.20"),
            ("eth0", "192.168.7.7"),
        ],
        "10.8.0.6",
    )
    host = opened(house)
    for wait in (0, 61):
        house.clock.move(wait)
        page = host.page("")
        assert codes(page) == [f"HTTP://192.168.1.20:8000/J/{host.base[3:]}"]
        assert f"192.168.1.20:8000/j/{host.base[3:].lower()}" in page.replace("<wbr>", "")
        offered = re.findall(r'name="address" value="([^"]+)"', page)
        assert offered == ["192.168.1.20", "192.168.7.7", "172.17.0.1", "10.8.0.6"]
    guest = house.browser()
    guest.base = host.base
    assert 'name="address"' not in guest.page("") and "请房主换一个地址" in guest.page("")


def test_an_address_that_comes_up_is_offered_at_once(house: House) -> None:
    host = opened(house)
    house.clock.move(61)
    etag = host.get("", HTMX).headers["ETag"]
    house.addresses.append(Address("192.168.137.1", "ap0", "hotspot"))
    answer = host.get("", {**HTMX, "If-None-Match": etag})
    assert answer.status_code == 200 and 'value="192.168.137.1"' in answer.get_data(as_text=True)


# Wi-Fi


def test_the_table_screen_shows_the_wifi_to_be_scanned_and_read(house: House) -> None:
    host = opened(house)
    assert host.post("host/wifi", WIFI).status_code == 303
    house.start()
    page = host.page("")
    assert codes(page) == [f"HTTP://192.168.1.20:8000/J/{host.base[3:]}", IN_CODE]
    assert "桃园; 5G</b>" in page and "shu;han:&#34;wu&#34;\\,&#126;key&#126;</b>" in page


def test_an_open_network_has_no_password(house: House) -> None:
    host = opened(house)
    assert host.post("host/wifi", {**WIFI, "kind": "open"}).status_code == 303
    assert codes(host.page(""))[1] == "WIFI:T:nopass;S:桃园\\; 5G;;"
    assert host.evening.settings.wifi == Wifi(NETWORK)


def test_the_wifi_is_taken_off_the_screen_again(house: House) -> None:
    host = opened(house)
    host.post("host/wifi", WIFI)
    assert host.post("host/wifi", {"network": "", "back": "host"}).status_code == 303
    assert len(codes(host.page(""))) == 1
    assert host.evening.settings.wifi is None and "shu;han" not in host.evening.row.settings


def test_other_settings_leave_the_wifi_as_it_is(house: House) -> None:
    host = opened(house)
    host.post("host/wifi", WIFI)
    host.post("host/settings", {"mode": "court8", "pause": 2, "back": "host"})
    host.post("host/address", {"address": "192.168.1.20", "back": "host"})
    assert host.evening.settings.wifi == Wifi(NETWORK, PASSWORD)
    assert Settings.read(host.evening.settings.write()) == host.evening.settings


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ({"password": "short12"}, "8 到 63 位"),
        ({"password": ""}, "8 到 63 位"),
        ({"password": "x" * 64}, "8 到 63 位"),
        ({"network": "桃" * 11}, "32 个字节"),
    ],
)
def test_what_no_wifi_can_be_is_refused(house: House, form: dict[str, str], reason: str) -> None:
    host = opened(house)
    answer = host.post("host/wifi", {**WIFI, **form})
    assert answer.status_code == 422 and reason in said(answer)
    assert host.evening.settings.wifi is None
    assert PASSWORD not in answer.get_data(as_text=True)


def test_signs_that_nobody_can_type_are_left_out(house: House) -> None:
    host = opened(house)
    host.post("host/wifi", {**WIFI, "network": " Peach\u202e\n ", "password": "12345678\r\n"})
    assert host.evening.settings.wifi == Wifi("Peach", "12345678")


def test_only_the_host_sets_it(house: House) -> None:
    host, phones = seated(house, "classic", 2)
    assert phones[0].post("host/wifi", WIFI).status_code == 403
    assert host.evening.settings.wifi is None


def test_the_password_is_on_the_table_screen_and_nowhere_else(house: House) -> None:
    host, phones = seated(house, "classic", 2)
    host.post("host/wifi", {**WIFI, "password": "brotherhood"})
    guest = house.browser()
    guest.base = host.base
    assert "brotherhood" in host.page("")
    assert "brotherhood" not in repr(host.evening.settings)
    for phase in ("lobby", "play", "end"):
        for who in (host, phones[0], guest):
            paths = ["/", "seat", "print", "host"] + [""] * (phase != "lobby") + ["record.txt"] * (phase != "lobby")
            for path in paths:
                answer = who.get(path)
                told = answer.get_data(as_text=True) + str(answer.headers)
                assert "brotherhood" not in told, (phase, path)
                assert not [code for code in codes(told) if code.startswith("WIFI:")]
        host.post({"lobby": "host/deal"}.get(phase, "host/end"), {"back": "host", "key": phase})


def test_the_hosts_poster_takes_the_password_from_the_table(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    host, phones = seated(house, "classic", 2)
    host.post("host/wifi", WIFI)
    made: list[tuple[object, ...]] = []
    poster = papers.poster

    def watched(*given: Any) -> Page:
        made.append(given[4:])
        return poster(*given)

    monkeypatch.setattr(papers, "poster", watched)
    form = {"what": "poster", "mode": "classic", "dpi": "150"}
    host_page = host.page("print")
    assert f'name="network" value="{NETWORK}"' in host_page and NETWORK not in phones[0].page("print")
    for who, more in ((host, {}), (phones[0], {}), (host, {"password": "typed-here"}), (host, {"network": "other"})):
        assert who.post("print", {**form, "network": NETWORK, **more}).status_code == 303
        house.press()
    assert made == [(NETWORK, PASSWORD), (NETWORK, ""), (NETWORK, "typed-here"), ("other", "")]

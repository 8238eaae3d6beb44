"""What every answer is like: language, headers, size, and how it says that nothing changed or that all is wrong."""

from __future__ import annotations

import gzip
import logging
import re
import socket
from collections.abc import Callable

import pytest
from werkzeug.test import TestResponse

from companion.lan import Address
from companion.live import Signals
from companion.storage import StoreUnavailable
from companion.tables import Evening
from companion.web import stream
from companion.web.guessing import MOST_WRONG
from companion.web.showing import present
from tests.web.evening import HTMX, PORT, Browser, House, dealt, said, seated

# Languages


@pytest.mark.parametrize(
    ("wished", "spoken"),
    [
        ("zh-CN,zh;q=0.9", "zh-Hans"),
        ("zh", "zh-Hans"),
        ("zh-SG", "zh-Hans"),
        ("zh-TW,zh;q=0.8,en;q=0.5", "zh-Hant"),
        ("zh-Hant-HK", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("en-GB,en;q=0.5", "en"),
        ("fr-FR,en;q=0.7,zh;q=0.3", "en"),
        ("fr-FR", "en"),
        ("", "zh-Hans"),
    ],
)
def test_the_browsers_wish_chooses_the_language(house: House, wished: str, spoken: str) -> None:
    assert f'<html lang="{spoken}"' in house.browser(wished).page("/")


def test_one_tap_changes_the_language_for_good(house: House) -> None:
    host, phones = dealt(house)
    phone = phones[2]
    for language, role in (("zh-Hant", "儲君"), ("en", "Crown Prince"), ("zh-Hans", "储君")):
        response = phone.get(f"seat?lang={language}")
        assert (response.status_code, response.headers["Location"]) == (303, f"{host.base}/seat")
        page = phone.page()
        assert f'<html lang="{language}"' in page and f'<p class="role">{role}</p>' in page
        assert f'<html lang="{language}"' in phone.page("/")
        assert f'<p class="role">{role}</p>' in phone.page("seat", **HTMX)


def test_an_unknown_language_is_no_language(house: House) -> None:
    phone = house.browser("en")
    assert '<html lang="en"' in phone.page("/?lang=tlh")
    assert '<html lang="en"' in phone.page("/", Cookie="lang=tlh")


def test_a_refusal_and_an_error_speak_the_pages_language(house: House) -> None:
    host, phones = dealt(house)
    phones[0].get("seat?lang=en")
    assert said(phones[0].record("turn 99")) == "There is no seat 99; this game has 8 seats."
    assert '<html lang="en"' in phones[0].get("host").get_data(as_text=True)
    assert '<html lang="zh-Hant"' in house.browser("zh-TW").get(f"{host.base}/nowhere").get_data(as_text=True)


# Nothing changed


@pytest.mark.parametrize("path", ["", "seat", "host"])
def test_a_page_that_asks_for_itself_hears_when_nothing_changed(house: House, path: str) -> None:
    host, _ = dealt(house)
    whole = host.get(path)
    etag = whole.headers["ETag"]
    assert f'data-etag="{etag}"'.replace('"', "") in whole.get_data(as_text=True).replace("&#34;", '"').replace('"', "")
    response = host.get(path, {**HTMX, "If-None-Match": etag})
    assert (response.status_code, response.get_data(), response.headers["ETag"]) == (304, b"", etag)
    host.record("turn 2")
    response = host.get(path, {**HTMX, "If-None-Match": etag})
    assert response.status_code == 200
    assert response.headers["ETag"] != etag


def test_a_reload_shows_the_page_though_nothing_changed(house: House) -> None:
    host, _ = dealt(house)
    etag = host.get("").headers["ETag"]
    assert host.get("", {"If-None-Match": etag}).status_code == 200


def test_an_etag_belongs_to_one_viewer_one_page_and_one_language(house: House) -> None:
    host, phones = dealt(house)
    etags = [browser.get(path, HTMX).headers["ETag"] for browser in (host, *phones) for path in ("", "seat")]
    phones[0].get("seat?lang=en")
    etags += [phones[0].get("seat", HTMX).headers["ETag"], host.get("host", HTMX).headers["ETag"]]
    assert len(set(etags)) == len(etags)


def test_refusals_change_no_version(house: House) -> None:
    host, phones = dealt(house)
    etag = host.get("", HTMX).headers["ETag"]
    phones[0].record("turn 99")
    phones[0].post("host/end", {})
    phones[0].post("done", {"announcement": "9-9"})
    assert host.get("", {**HTMX, "If-None-Match": etag}).status_code == 304


@pytest.mark.parametrize("path", ["", "seat", "host"])
def test_a_fragment_is_the_inside_of_the_page(house: House, path: str) -> None:
    for host, _ in (seated(house), dealt(house)):
        host.record("turn 2")
        whole, inside = host.page(path), host.page(path, **HTMX)
        main = re.search(r"<main[^>]*>(.*)</main>", whole, re.S)
        assert main and "<main" not in inside and "<html" not in inside
        assert squeezed(main[1]) == squeezed(inside)


def squeezed(page: str) -> str:
    return re.sub(r">\s+<", "><", " ".join(page.split()))


def test_every_phones_fragment_is_the_inside_of_its_page(house: House) -> None:
    host, phones = dealt(house)
    host.record("death 2 by 3")
    for phone in phones:
        main = re.search(r"<main[^>]*>(.*)</main>", phone.page(), re.S)
        assert main and squeezed(main[1]) == squeezed(phone.page("seat", **HTMX))


def test_a_name_cannot_pass_for_a_place_in_a_page(house: House) -> None:
    names = ('me-nobody"', '"me-1"')
    host = house.browser()
    base = host.open_table()
    phones = [house.browser() for _ in names]
    for phone, name in zip(phones, names, strict=True):
        phone.sit_down(base, name)
    host.post("host/settings", {"mode": "classic", "pause": 0})
    host.post("host/deal", {})
    for page in (host.page(""), host.page("", **HTMX), phones[0].page(), phones[0].page("seat", **HTMX)):
        for name in ("me-nobody&#34;", "&#34;me-1&#34;"):
            assert f'<bdi class="name">{name}</bdi>' in page
        assert set(re.findall(r'name="back" value="(.*?)"', page)) <= {"table", "seat"}


# Headers


CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def too_many_tries(house: House) -> TestResponse:
    guesser = house.browser(address="192.168.1.66")
    for number in range(MOST_WRONG):
        guesser.get(f"/t/NO{number}")
    return guesser.get("/t/NONE")


def answers(house: House) -> list[TestResponse]:
    """One answer of each kind."""
    host, phones = dealt(house)
    printed = phones[0].post("/print", {"what": "tents", "names": "甲"}).headers["Location"]
    house.press()
    file = re.search(r"/static/companion\.css\?v=\w+", host.page(""))
    assert file
    etag = host.get("", HTMX).headers["ETag"]
    return [
        host.get("/"),
        host.get(""),
        host.get("host"),
        phones[0].get("seat"),
        phones[0].get("record.txt"),
        host.get("", {**HTMX, "If-None-Match": etag}),
        phones[0].get("seat?lang=en"),
        host.record("turn 2"),
        phones[0].record("turn 99"),
        phones[1].record("turn 2", key="other"),
        phones[0].get("host"),
        phones[0].get("nowhere"),
        phones[0].get("/nowhere"),
        phones[0].get("/t/ZZZZ"),
        phones[0].get("record"),
        phones[0].post("record", {"input": "x" * 20_000}),
        phones[0].post("record", {"input": "turn 1"}, {"Origin": "http://evil.example"}),
        phones[0].get("", {"Host": "evil.example"}),
        host.get("/static/companion.css"),
        host.get(file[0], {"If-None-Match": host.get(file[0]).headers["ETag"]}),
        host.get(f"{printed}/tents.pdf"),
        host.get("stream?of=table"),
        host._send("HEAD", "seat", None, {}),
        host._send("OPTIONS", "record", None, {}),
        host._send("TRACE", "", None, {}),
        too_many_tries(house),
        host.get("/C/0AB1CX"),
        host.get("\0"),
        host.get("/static/none.css"),
        phones[0].post("resume"),
    ]


def test_every_answer_carries_the_headers_that_protect(house: House) -> None:
    for response in answers(house):
        about = (response.request.path, response.status)
        assert response.headers["Content-Security-Policy"] == CSP, about
        assert response.headers["X-Content-Type-Options"] == "nosniff", about
        assert response.headers["Referrer-Policy"] == "same-origin", about
        assert response.headers["Cross-Origin-Opener-Policy"] == "same-origin", about
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin", about
        assert "Server" not in response.headers and "X-Powered-By" not in response.headers, about
        is_file = response.request.path == "/static/companion.css"
        wanted = "public, max-age=31536000, immutable" if is_file else "no-store"
        assert response.headers["Cache-Control"] == wanted, about
        assert response.status_code < 500, about


def test_no_page_needs_what_the_policy_forbids(house: House) -> None:
    for response in answers(house):
        if response.mimetype == "text/html":
            page = response.get_data(as_text=True)
            assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=|javascript:", page)
            assert not re.search(r'(?:src|href)="(?:https?:)?//', page)


def test_cookies_are_kept_from_scripts_and_other_sites_and_stay_at_their_table(house: House) -> None:
    host, phone = house.browser(), house.browser()
    opened = host.post("/")
    host.base = phone.base = opened.headers["Location"]
    code = host.base[3:]
    for response, name in (
        (opened, f"host-{code}-{PORT}"),
        (phone.get("seat"), f"seat-{code}-{PORT}"),
        (phone.post("join", {"name": "甲"}), f"seat-{code}-{PORT}"),
    ):
        cookie, *scanning = [one for one in response.headers.getlist("Set-Cookie") if one.startswith(name)]
        assert [one.replace("Path=/C", f"Path=/t/{code}") for one in scanning] in ([], [cookie])
        assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and f"Path=/t/{code}" in cookie
        value = cookie.split("=")[1].split(";")[0]
        assert len(value) == 32
        assert value not in house.database.read_bytes().decode("latin-1")


def test_no_secret_stands_in_an_address(house: House) -> None:
    host, phones = dealt(house)
    tokens = {browser.cookie(kind) for browser in (host, *phones) for kind in ("seat", "host")} - {None}
    for browser in (host, *phones):
        for path in ("", "seat", "record.txt"):
            page = browser.page(path)
            assert not any(token in page for token in tokens if token)


# Who may send what


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "https://localhost", "http://localhost:81"])
def test_a_form_from_elsewhere_is_refused(house: House, origin: str) -> None:
    host, _ = dealt(house)
    response = host.post("record", {"input": "turn 2"}, {"Origin": origin})
    assert response.status_code == 403
    assert "请求来自别的网址" in response.get_data(as_text=True)
    assert host.get("/", {"Origin": origin}).status_code == 200


def test_a_form_without_an_origin_is_refused(house: House) -> None:
    host, _ = dealt(house)
    app = house.app
    for path in ("/", f"{host.base}/join", f"{host.base}/record", f"{host.base}/host/end"):
        assert app.test_client().post(path, data={"name": "x", "input": "turn 1"}).status_code == 403
    assert host.evening.game is not None and len(host.evening.game.standing) == 1


def test_only_the_names_of_this_machine_are_answered(house: House) -> None:
    visitor = house.browser()
    for name in ("localhost", "127.0.0.1", "192.168.1.20", f"192.168.1.20:{PORT}", socket.gethostname(), "LOCALHOST"):
        assert visitor.get("/", {"Host": name}).status_code == 200, name
    for name in ("evil.example", "192.168.1.21", "localhost.evil.example", "192.168.1.20.evil.example", "", "[::1]"):
        assert visitor.get("/", {"Host": name}).status_code == 400, name


def test_the_names_follow_the_network(house: House) -> None:
    visitor = house.browser()
    house.addresses.append(Address("10.0.0.5", "eth0", "ethernet"))
    assert visitor.get("/", {"Host": "10.0.0.5"}).status_code == 200
    house.addresses.pop()
    assert visitor.get("/", {"Host": "10.0.0.5"}).status_code == 400


def test_the_laptop_resumes_its_tables_and_nobody_else_does(house: House) -> None:
    house.site.is_local = True
    host, phones = dealt(house, "lord rebel renegade", "classic")
    laptop = house.browser(address="127.0.0.1")
    assert f'action="{host.base}/resume"' in laptop.page("/")
    assert "/resume" not in phones[0].page("/")
    assert phones[0].post("resume").status_code == 404
    laptop.base = host.base
    assert laptop.post("resume").headers["Location"] == host.base
    assert laptop.get("host").status_code == 200
    assert host.get("host").status_code == 403
    token = laptop.cookie("host")
    laptop.post("resume")
    assert laptop.cookie("host") == token
    house.site.is_local = False
    assert "/resume" not in laptop.page("/")


def test_nobody_sits_down_with_a_token_that_can_be_guessed(house: House) -> None:
    host, guest = house.browser(), house.browser(address="192.168.1.9")
    guest.base = host.open_table()
    cookie = f"seat-{guest.base[3:]}-{PORT}"
    for chosen in ("1", "x" * 31, "x" * 33, "=" * 32):
        response = guest.post("join", {"name": "甲"}, {"Cookie": f"{cookie}={chosen}"})
        kept = re.findall(rf"{cookie}=([^;]*);", ";".join(response.headers.getlist("Set-Cookie")))
        assert kept and chosen not in kept and all(len(token) == 32 for token in kept)
        assert "你叫什么" in house.browser().page(f"{guest.base}/seat", Cookie=f"{cookie}={chosen}")


def test_one_browser_at_two_tables_sits_where_its_page_is(house: House) -> None:
    phone = house.browser()
    bases = [house.browser().open_table() for _ in range(2)]
    for base, name in zip(bases, ("一", "二"), strict=True):
        phone.sit_down(base, name)
    for _ in range(2):
        for base, name in zip(bases, ("一", "二"), strict=True):
            assert f"{name}</bdi>，你已入座" in phone.page(f"{base}/seat")
    phone.forget()
    assert 'name="name"' in phone.page(f"{bases[0]}/seat")


def test_a_seat_of_another_table_or_a_made_up_one_is_no_seat(house: House) -> None:
    host, phones = dealt(house)
    other = house.browser()
    base = other.open_table()
    stolen = phones[0].cookie("seat")
    for value in (stolen, "x", "", "é", "a" * 3000):
        page = other.page(f"{base}/seat", Cookie=f"seat-{base[3:]}-{PORT}={value}")
        assert 'name="name"' in page
    for value in ("x", "", host.cookie("host")):
        headers = {"Cookie": f"host-{base[3:]}-{PORT}={value}"}
        assert house.browser().get(f"{base}/host", headers).status_code == 403


# Files and sizes


def test_a_files_address_changes_with_its_content_and_is_kept(house: House) -> None:
    page = house.browser().page("/")
    paths = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert len(paths) >= 2
    for path in paths:
        assert re.search(r"\?v=[0-9a-f]{10}$", path)
        response = house.browser().get(path)
        assert response.status_code == 200 and "immutable" in response.headers["Cache-Control"]


def test_texts_travel_packed_to_those_who_unpack(house: House) -> None:
    host, _ = dealt(house)
    for path in ("", "seat", "host", "/static/companion.js"):
        plain, packed = host.get(path), host.get(path, {"Accept-Encoding": "gzip, br"})
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert int(packed.headers["Content-Length"]) == len(packed.get_data()) < len(plain.get_data()) / 2
        assert gzip.decompress(packed.get_data()) == plain.get_data()


def test_a_phones_first_load_is_small(house: House) -> None:
    _, phones = dealt(house)
    headers = {"Accept-Encoding": "gzip"}
    page = phones[0].get("seat", headers)
    paths = re.findall(r'(?:src|href)="(/static/[^"]+)"', gzip.decompress(page.get_data()).decode())
    loaded = [page, *(phones[0].get(path, headers) for path in paths)]
    assert len(loaded) <= 4
    assert sum(len(response.get_data()) for response in loaded) <= 50 * 1024


# When something is wrong


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/nowhere", 404, "没有这一页"),
        ("nowhere", 404, "没有这一页"),
        ("/t/ZZZZ", 404, "没有这一桌"),
        ("/t/ZZZZ/seat", 404, "没有这一桌"),
        ("/t/ZZZZ/record.txt", 404, "没有这一桌"),
        ("/t/ZZZZ/stream", 404, "没有这一桌"),
        (f"/t/{'A' * 300}", 404, "没有这一桌"),
        ("/j/ZZZZ", 404, "没有这一桌"),
        ("host", 403, "这一页是房主的"),
        ("record", 405, "没有这一页"),
    ],
)
def test_an_error_says_what_to_do(house: House, path: str, status: int, says: str) -> None:
    host, _ = dealt(house)
    visitor = house.browser()
    visitor.base = host.base
    for headers in ({}, HTMX):
        response = visitor.get(path, headers)
        assert (response.status_code, response.mimetype) == (status, "text/html")
        assert says in response.get_data(as_text=True)


def test_a_fault_shows_no_traceback_and_logs_no_value(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    host, phones = dealt(house)

    def fail(*_: object) -> None:
        crown_prince = 3
        raise RuntimeError(f"seat {crown_prince} is the crown_prince")

    monkeypatch.setattr(present, "lobby", fail)
    monkeypatch.setattr(Evening, "undo", fail)
    with caplog.at_level(logging.DEBUG):
        responses = [host.get("host"), host.post("host/undo", {"step": 2})]
    for response in responses:
        page = response.get_data(as_text=True)
        assert response.status_code == 500
        assert "程序出错了" in page and "已经记下的都还在" in page
        assert "crown_prince" not in page and "Traceback" not in page and ".py" not in page
    printed = caplog.text + "".join(capfd.readouterr())
    assert "crown_prince" not in printed and "RuntimeError" in printed
    assert '<p class="role">储君</p>' in phones[2].page()


@pytest.mark.parametrize(
    ("reason", "status", "says"),
    [
        ("full", 507, "磁盘满了"),
        ("readonly", 507, "不让写入"),
        ("broken", 507, "磁盘出了错"),
        ("busy", 503, "请稍候"),
    ],
)
def test_when_nothing_can_be_stored_it_is_said_and_nothing_is_lost(
    house: House, reason: str, status: int, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, phones = dealt(house)

    def fail(*_: object, **__: object) -> None:
        raise StoreUnavailable(reason)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(house.store, "append", fail)
        response = phones[0].record("death 2 by 3", key="same")
        assert response.status_code == status
        assert says in response.get_data(as_text=True)
        assert "2. " not in host.page("record.txt") and "赏令" not in host.page("")
    assert phones[0].record("death 2 by 3", key="same").status_code == 303
    assert "2. death 2 by 3" in host.page("record.txt")


def test_when_nothing_can_be_read_either_no_page_shows_what_was_not_stored(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, phones = dealt(house)

    def fail(*_: object, **__: object) -> None:
        raise StoreUnavailable("broken")

    guest = house.browser()
    guest.base = host.base
    with monkeypatch.context() as patched:
        for method in ("append", "table", "people"):
            patched.setattr(house.store, method, fail)
        assert phones[0].record("death 2 by 3").status_code == 507
        for path in ("", "seat", "record.txt"):
            assert guest.get(path).status_code == 507
    assert "2. " not in guest.page("record.txt")


@pytest.mark.parametrize(
    "form",
    [
        {"input": "\x00" * 50},
        {"input": "turn " + "9" * 190},
        {"input": "death 2 by " + "9" * 50},
        {"verb": "death\n", "who": "１", "by": "²"},
        {"verb": "turn", "who": "-1"},
        {"verb": "x" * 5000, "who": "y" * 5000},
        {"input": "deaths " + "2 by 3, " * 20},
        {"input": "turn 2", "key": "k" * 10_000},
        {},
    ],
)
def test_odd_forms_are_refused_in_words(house: House, form: dict[str, str]) -> None:
    host, _ = dealt(house)
    response = host.post("record", {"back": "nowhere", **form})
    if form.get("input") == "turn 2":
        assert response.status_code == 303
    else:
        assert response.status_code == 422 and said(response)


def test_a_body_without_end_is_refused(house: House) -> None:
    host, _ = dealt(house)
    assert host.post("record", {"input": "x" * 100_000}).status_code == 413
    assert host.post("record", {f"field {n}": n for n in range(500)}).status_code in (413, 422)


# The stream


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "BEAT_SECONDS", 0)


Chunks = Callable[[int], list[bytes]]


def listen(browser: Browser, of: str = "seat") -> Chunks:
    response = browser.get(f"stream?of={of}")
    assert (response.status_code, response.mimetype) == (200, "text/event-stream")
    assert response.headers["X-Accel-Buffering"] == "no"
    assert response.headers["Cache-Control"] == "no-store"
    chunks = iter(response.response)
    return lambda count: [next(chunks) for _ in range(count)]  # type: ignore[misc]


@pytest.mark.usefixtures("no_waiting")
def test_a_stream_says_the_version_and_one_message_a_change(house: House) -> None:
    host, phones = dealt(house)
    version = host.evening.row.version
    hear = listen(phones[0])
    assert hear(3) == [b"retry: 5000\n\n", f"data: {version}\n\n".encode(), b": \n\n"]
    host.record("turn 2")
    phones[1].record("turn 99")
    host.record("turn 3")
    assert hear(3) == [f"data: {version + 1}\n\n".encode(), f"data: {version + 2}\n\n".encode(), b": \n\n"]


@pytest.mark.usefixtures("no_waiting")
def test_a_reopened_stream_ends_the_one_before(house: House) -> None:
    _, phones = dealt(house)
    first = listen(phones[0])
    first(2)
    second = listen(phones[0])
    with pytest.raises(StopIteration):
        first(2)
    assert second(2)[1].startswith(b"data: ")
    assert listen(phones[0], "table")(2) and second(1) == [b": \n\n"]


@pytest.mark.usefixtures("no_waiting")
def test_phones_of_one_house_that_have_no_seat_do_not_end_each_others_streams(house: House) -> None:
    host, _ = seated(house)
    guests = [house.browser(address=f"192.168.1.{n}") for n in (50, 51)]
    hears = []
    for guest in guests:
        guest.base = host.base
        hears.append(listen(guest))
    assert [len(hear(3)) for hear in hears] == [3, 3]


@pytest.mark.usefixtures("no_waiting")
def test_too_many_streams_are_told_to_come_back(house: House) -> None:
    _, phones = dealt(house)
    house.tables.signals = Signals(limit=2)
    hears = [listen(phone) for phone in phones[:2]]
    response = phones[2].get("stream?of=seat")
    assert response.status_code == 503
    assert phones[2].get("seat").status_code == 200
    assert listen(phones[0])(1) and hears[1](1)


@pytest.mark.usefixtures("no_waiting")
def test_one_visitor_cannot_take_every_place(house: House) -> None:
    _, phones = dealt(house)
    house.tables.signals = Signals(limit=6)
    for number in range(20):
        assert phones[0].get(f"stream?of={number}").status_code == 200
    assert phones[1].get("stream?of=seat").status_code == 200


@pytest.mark.usefixtures("no_waiting")
def test_a_stream_that_was_closed_unheard_gives_its_place_back(house: House) -> None:
    host, _ = dealt(house)
    house.tables.signals = Signals(limit=1)
    for number in range(5):
        guest = house.browser(address=f"192.168.1.{50 + number}")
        guest.base = host.base
        guest.get("stream").close()
    house.app.test_client().head(f"{host.base}/stream").close()
    assert house.browser().get(f"{host.base}/stream").status_code == 200

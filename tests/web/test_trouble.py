"""A disk that takes nothing more: every screen says so, nothing is half-written, and it goes on by itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import NamedTuple, cast

import pytest

from companion.storage import StoreUnavailable
from companion.tables.trouble import TRY_SECONDS
from companion.web import stream
from tests.web.calls import CALLS, Moment, Visitor
from tests.web.evening import HTMX, Browser, House, dealt, said, seated

People = tuple[Browser, list[Browser]]
LANGUAGES = ("zh-CN", "zh-TW", "en")


class Trouble(NamedTuple):
    """What SQLite is told so that it meets the trouble by itself, and is told again afterwards; what screens say."""

    begin: str
    end: str
    words: tuple[str, str, str]


TROUBLES = {
    "full": Trouble(
        "PRAGMA max_page_count = 1",  # SQLite then allows what there is, and no page more
        "PRAGMA max_page_count = 1000000",
        ("电脑的磁盘满了，新的存不下来", "電腦的磁碟滿了，新的存不下來", "disk is full: nothing new is saved"),
    ),
    "readonly": Trouble(
        "PRAGMA query_only = ON",
        "PRAGMA query_only = OFF",
        ("电脑不让写入数据文件夹", "電腦不讓寫入資料夾", "data folder may not be written: nothing new is saved"),
    ),
}


def tell(house: House, pragma: str) -> None:
    with house.store._database.read() as connection:
        connection.execute(pragma)


@contextmanager
def meeting(house: House, trouble: Trouble) -> Iterator[None]:
    tell(house, trouble.begin)
    yield
    tell(house, trouble.end)


def stored(house: House) -> list[str]:
    """Everything that the database holds."""
    with closing(sqlite3.connect(house.database)) as file:
        return list(file.iterdump())


def log(house: House, host: Browser) -> list[str]:
    game = host.evening.game
    assert game is not None
    return [entry.text for entry in house.store.read(game.row.id)]


def first_refused(phone: Browser) -> str:
    """Record until nothing more can be kept; the record that was not."""
    for number in range(300):
        line = f"turn {number % 3 + 1}"
        response = phone.record(line, key=number, again=1)
        if response.status_code != 303:
            assert response.status_code == 507
            return f"{number} {line}"
    raise AssertionError("everything was kept")


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_every_screen_says_what_is_wrong_until_it_is_over(
    house: House, trouble: Trouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "BEAT_SECONDS", 0)
    host, phones = dealt(house, "lord rebel renegade", "classic")
    guest = house.browser()
    guest.base = host.base
    screens = [
        *((host, path) for path in ("", "host", "/", "print", "/print")),
        *((phone, "seat") for phone in (*phones, guest)),
    ]
    with meeting(house, trouble):
        number, _, line = first_refused(phones[0]).partition(" ")
        kept, records = stored(house), log(house, host)
        hear = cast(Iterator[bytes], iter(guest.get("stream").response))
        assert [next(hear) for _ in range(3)][2] == b": \n\n"
        for language, words in zip(LANGUAGES, trouble.words, strict=True):
            answer = phones[1].post("record", {"input": "x" * 3, "back": "seat"}, {"Accept-Language": language})
            assert answer.status_code == 422, "what is wrong by itself is refused as ever"
            for browser, path in screens:
                assert words in browser.page(path, **{"Accept-Language": language})
        etag = phones[1].get("seat", HTMX).headers["ETag"]
        house.clock.move(3 * TRY_SECONDS)
        assert phones[1].get("seat", {**HTMX, "If-None-Match": etag}).status_code == 304
        for path in ("done", "withdraw", "host/end", "host/undo"):
            assert host.post(path, {"announcement": "1-0", "step": len(records)}).status_code in (303, 507)
        assert next(hear) == b": \n\n", "as long as nothing changes, nobody is told to look"
        if trouble.begin == TROUBLES["readonly"].begin:
            assert (stored(house), log(house, host)) == (kept, records)
    house.clock.move(TRY_SECONDS)
    assert next(hear).startswith(b"data: ")
    for browser, path in screens:
        assert 'class="paper slip' not in browser.page(path)
    assert phones[1].get("seat", {**HTMX, "If-None-Match": etag}).status_code == 200
    if host.evening.phase == "play":
        before = len(log(house, host))
        for _ in range(2):
            assert phones[0].record(line, key=number, again=1).status_code == 303
        assert log(house, host)[before:] == [line]


def test_a_live_page_is_answered_with_what_is_wrong(house: House) -> None:
    _, phones = dealt(house, "lord rebel renegade", "classic")
    with meeting(house, TROUBLES["readonly"]):
        response = phones[0].post("record", {"input": "turn 2", "back": "seat"}, HTMX)
    assert response.status_code == 507 and response.headers["ETag"]
    page = response.get_data(as_text=True)
    assert "<html" not in page and 'id="face"' in page and "不让写入" in said(response)


@pytest.mark.parametrize("begin", [seated, dealt])
def test_whatever_is_asked_meanwhile_nothing_is_half_written(house: House, begin: Callable[[House], People]) -> None:
    host, phones = begin(house)
    moment = Moment(host.base[3:], "play", "court8", "seat", 1)
    forms = [variant for (_, method), variants in CALLS.items() if method == "POST" for variant in variants]
    before, answers = stored(house), set()
    with meeting(house, TROUBLES["readonly"]):
        for form in forms:
            asked = form(moment, Visitor("guest"))
            assert asked is not None
            answers |= {browser.post(asked.path, asked.form).status_code for browser in (host, phones[1])}
        assert stored(house) == before
    # 200 and 410: hosting is offered and taken up by word of mouth, kept nowhere. 404: what the laptop alone has.
    assert 507 in answers and answers <= {200, 303, 403, 404, 410, 422, 507}


def test_a_death_that_waited_counts_as_soon_as_it_can_be_kept(house: House) -> None:
    host, phones = dealt(house, pause=4)
    phones[0].record("death 6 by 2")
    with meeting(house, TROUBLES["readonly"]):
        house.clock.move(4)
        page = host.page("")
        assert "不让写入" in page and "即将阵亡亮牌" in page
        house.clock.move(20)
        assert "即将阵亡亮牌" in phones[3].page()
    house.clock.move(4)
    assert log(house, host)[1:] == ["death 6 by 2"]
    assert "不让写入" not in phones[3].page()


def test_a_table_that_cannot_be_opened_is_no_table(house: House) -> None:
    laptop = house.browser()
    with meeting(house, TROUBLES["readonly"]):
        response = laptop.post("/")
        assert response.status_code == 507 and "存不下来" in response.get_data(as_text=True)
        assert "不让写入" in laptop.page("/")
    assert house.store.tables() == []
    house.clock.move(TRY_SECONDS)
    assert "不让写入" not in laptop.page("/")
    laptop.open_table()


def test_where_nothing_can_be_read_either_pages_say_so_and_come_back(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, phones = dealt(house)

    def fail(*_: object, **__: object) -> None:
        raise StoreUnavailable("broken")

    with monkeypatch.context() as patched:
        for method in ("append", "table", "try_writing"):
            patched.setattr(house.store, method, fail)
        assert phones[0].record("turn 2").status_code == 507
        answer = phones[1].get("seat", HTMX)
        assert answer.status_code == 507 and "ETag" not in answer.headers
        assert "存不下来" in answer.get_data(as_text=True) and 'id="face"' not in answer.get_data(as_text=True)
    assert "磁盘出了错" in phones[1].page()
    house.clock.move(TRY_SECONDS)
    assert "磁盘出了错" not in phones[1].page()


def test_a_busy_moment_is_not_trouble(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    host, phones = dealt(house)

    def busy(*_: object, **__: object) -> None:
        raise StoreUnavailable("busy")

    with monkeypatch.context() as patched:
        patched.setattr(house.store, "append", busy)
        assert phones[0].record("turn 2").status_code == 503
    assert 'class="paper slip' not in host.page("")

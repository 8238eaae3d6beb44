"""Codes cannot be found by trying them all: whoever tries many has to wait, and nobody else does."""

from __future__ import annotations

from itertools import islice, product

import pytest

from companion.tables import CODE_LETTERS
from companion.web.guessing import KEPT_GUESSERS, MOST_WRONG, SECONDS, Guesses
from tests.web.evening import HTMX, Browser, House, dealt, seated
from tests.web.test_drawing import FIVE, codes, drawing, enter

WRONG = 422


def try_tables(browser: Browser, real: str, count: int = MOST_WRONG) -> list[int]:
    """Ask for so many tables that do not exist."""
    made_up = ("".join(letters) for letters in product(CODE_LETTERS[::-1], repeat=4))
    return [browser.get(f"/t/{code}/seat").status_code for code in islice(made_up, count) if code != real]


@pytest.mark.parametrize(
    ("language", "words"),
    [("zh-CN", "试得太多了"), ("zh-TW", "試得太多了"), ("en", "Too many tries")],
)
def test_whoever_tries_many_tables_has_to_wait_a_minute(house: House, language: str, words: str) -> None:
    host, _ = seated(house, players=2)
    guesser = house.browser(language, address="192.168.1.66")
    assert try_tables(guesser, host.base[3:]) == [404] * MOST_WRONG
    house.clock.move(SECONDS - 1)
    for path in ("/t/ZZZZ", "/j/ZZZZ", "/J/ZZZZ", "/t/ZZZZ/record.txt", "/t/ZZZZ/stream", host.base, "/t/A"):
        response = guesser.get(path)
        assert response.status_code == 429 and words in response.get_data(as_text=True), path
    assert guesser.post("/C", {"table": "ZZZZ", "card": "x"}).status_code == 429
    house.clock.move(2)
    assert guesser.get(host.base).status_code == 200
    assert guesser.get("/t/ZZZZ").status_code == 404


@pytest.mark.parametrize("path", ["", "/seat", "/host", "/record.txt", "/stream", "/claim", "/hosting/x"])
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_who_has_to_wait_is_not_told_whether_there_is_a_table(house: House, path: str, headers: dict[str, str]) -> None:
    host, _ = dealt(house)
    etag = host.get("", HTMX).headers["ETag"]
    guesser = house.browser(address="192.168.1.66")
    try_tables(guesser, host.base[3:])
    real, made_up = (guesser.get(base + path, {**headers, "If-None-Match": etag}) for base in (host.base, "/t/ZZZZ"))
    assert real.status_code == made_up.status_code == 429
    assert list(real.headers) == list(made_up.headers)
    assert real.get_data(as_text=True).replace(host.base, "/t/ZZZZ") == made_up.get_data(as_text=True)


def test_nobody_else_has_to_wait_and_who_sits_at_the_table_never(house: House) -> None:
    host, phones = dealt(house)
    guesser = house.browser(address="192.168.1.100")  # the address of the first phone
    try_tables(guesser, host.base[3:])
    assert guesser.get(host.base).status_code == 429
    for browser in (host, *phones):
        for headers in ({}, HTMX):
            assert browser.get("seat", headers).status_code == 200
    assert phones[0].record("turn 2").status_code == 303
    newcomer = house.browser(address="192.168.1.67")
    assert newcomer.get(f"{host.base}/seat").status_code == 200


def test_a_page_that_asks_for_a_forgotten_table_is_no_guesser(house: House) -> None:
    host, _ = seated(house, players=2)
    phone = house.browser()
    for _ in range(3 * MOST_WRONG):
        assert phone.get("/t/ZZZZ/seat", HTMX).status_code == 404
    assert phone.get(f"{host.base}/seat").status_code == 200


def wrong_cards(count: int) -> list[str]:
    return [f"WRONG{number}" for number in range(count)]


def test_whoever_tries_many_cards_has_to_wait_and_the_others_go_on(house: House) -> None:
    host, phones = drawing(house)
    good = codes(FIVE, "classic")
    for card in wrong_cards(MOST_WRONG):
        assert phones[0].post("card", {"card": card, "back": "seat"}).status_code == WRONG
    for card in (good[0], "WRONG"):
        response = phones[0].post("card", {"card": card, "back": "seat"})
        assert response.status_code == 429 and "试得太多了" in response.get_data(as_text=True)
        assert phones[0].post("/C", {"table": host.base[3:], "card": card}).status_code == 429
    assert phones[0].get("seat").status_code == 200
    enter(phones[1:], good[1:])
    house.clock.move(SECONDS)
    enter(phones[:1], good[:1])
    assert host.post("host/deal", {"back": "host"}).status_code == 303


def test_another_name_or_another_address_does_not_help(house: House) -> None:
    host, phones = drawing(house)
    for card in wrong_cards(MOST_WRONG):
        phones[0].post("card", {"card": card, "back": "seat"})
    moved, neighbour = house.browser(address="192.168.1.66"), house.browser(address="192.168.1.100")
    for browser, lender in ((moved, phones[0]), (neighbour, phones[1])):
        browser.base = host.base
        browser.borrow("seat", lender)
        assert browser.post("card", {"card": "WRONG"}).status_code == 429
    host.post("add", {"name": "没手机", "back": "host"})
    person = host.evening.phoneless[0].id
    assert moved.post("pass/card", {"card": "WRONG", "person": person}).status_code == 429
    assert phones[2].post("pass/card", {"card": "WRONG", "person": person, "back": "seat"}).status_code == WRONG


def test_the_same_wrong_card_again_and_a_refusal_of_another_kind_are_no_guesses(house: House) -> None:
    _, phones = drawing(house)
    good = codes(FIVE, "classic")
    enter(phones, good)
    for _ in range(2 * MOST_WRONG):
        assert phones[0].post("card", {"card": good[1], "back": "seat"}).status_code == WRONG
    phones[0].post("card/back", {"back": "seat"})
    for _ in range(2 * MOST_WRONG):
        assert phones[0].post("card", {"card": "WRONG", "back": "seat"}).status_code == WRONG
    enter(phones[:1], good[:1])


def test_only_the_latest_guessers_are_remembered() -> None:
    guesses = Guesses()
    for number in range(3 * KEPT_GUESSERS):
        for guess in range(3):
            guesses.add(number, "x" * 10_000 + str(guess), number / 1000)
    assert len(guesses._wrong) == KEPT_GUESSERS
    assert all(len(guess) <= 40 for wrong in guesses._wrong.values() for guess in wrong)
    for guess in range(3 * MOST_WRONG):
        guesses.add("one", str(guess), 10.0)
    assert guesses.are_too_many("one", 10.0 + SECONDS - 1) and len(guesses._wrong["one"]) == MOST_WRONG
    assert not guesses.are_too_many("one", 10.0 + SECONDS)
    assert "one" not in guesses._wrong

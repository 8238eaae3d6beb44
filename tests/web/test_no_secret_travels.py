"""What one phone receives in a whole game, byte for byte, and who is shown a card."""

from __future__ import annotations

import re
import sqlite3
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from markupsafe import escape

from companion.modes import LANGUAGES, Mode, find_mode, find_ruleset
from companion.names import clean
from companion.rules.record import parse, run
from companion.tables import hash_token
from companion.web import stream
from tests.web.evening import COURT8, HTMX, Browser, House, carry_out, dealt, seated

# Every byte of a phone's game


def marked(mode: Mode) -> Mode:
    """The mode with identities whose names stand in no other text: `⟦rebel_chief⟧`, in all languages."""
    roles = mode.roles.items()
    return replace(mode, roles={role: replace(it, name=dict.fromkeys(LANGUAGES, f"⟦{role}⟧")) for role, it in roles})


def received(browser: Browser) -> str:
    """All that the visitor's pages hold now: whole in three languages, as fragments, the record, refusals."""
    plain: dict[str, str] = {}
    asked = [(path, language, plain) for language in ("zh-CN", "zh-TW", "en") for path in ("", "seat", "host")]
    asked += [(path, "en", HTMX) for path in ("", "seat", "host", "record.txt")]
    answers = [browser.get(path, {"Accept-Language": language, **headers}) for path, language, headers in asked]
    answers += [browser.record(line, key=line) for line in ("turn 99", "death 3 by 99")]
    return "\n".join(f"{one.headers}\n{one.get_data(as_text=True)}" for one in answers)


def identities(text: str) -> set[str]:
    """The identities that a text names: by the marked names, and by ids wherever they do not stand for camps."""
    names = set(re.findall(r"⟦(\w+)⟧", text))
    ids = set(re.findall(r"\b(lord|crown_prince|loyalist|rebel_chief)\b(?!_skill)", text))
    dealt_cards = re.findall(r"^1\. deal (.*)$", text, re.M)
    return names | ids | {card for cards in dealt_cards for card in cards.split() if card != "?"}


def glyphs(text: str) -> set[str]:
    """The camps whose sign is drawn beside somebody, outside the viewer's own card."""
    shown = re.sub(r'<section class="mine".*?</section>', "", text, flags=re.S)
    return set(re.findall(r'<span class="identity">.*?href="#g-(\w+)"', shown))


MOMENTS: tuple[tuple[str, frozenset[str]], ...] = (
    ("turn 1", frozenset()),
    ("damage 6 1 by 2", frozenset()),
    ("death 6 by 2", frozenset({"loyalist"})),
    ("turn 2", frozenset()),
    ("death 1 by 4", frozenset({"crown_prince", "rebel_chief", "renegade"})),
    ("turn 7", frozenset()),
    ("death 5 by 3", frozenset({"rebel"})),
)
"""A game, and the identities that each record makes public. Seats are as in `COURT8`."""


@pytest.fixture
def watched(house: House, monkeypatch: pytest.MonkeyPatch) -> House:
    plain = find_mode("court8")
    mode = marked(plain)
    for module in ("companion.tables.gathering", "companion.tables.running", "companion.web.showing.present"):
        monkeypatch.setattr(f"{module}.find_mode", lambda found: mode if found == "court8" else find_mode(found))
    monkeypatch.setattr(stream, "BEAT_SECONDS", 0)
    return house


@pytest.mark.parametrize(
    ("seat", "own"),
    [(0, set()), (1, {"lord"}), (2, {"rebel"}), (3, {"crown_prince"}), (4, {"rebel_chief"}), (6, {"loyalist"})],
)
def test_a_phone_receives_no_identity_before_it_is_public(watched: House, seat: int, own: set[str]) -> None:
    """Seat 0 is the table screen, whose browser is the host's."""
    host, phones = dealt(watched, options="hp hide_composition")
    browser = (host, *phones)[seat]
    listening = iter(browser.get("stream").response)
    public = {"lord"}
    assert identities(received(browser)) == public | own
    for line, shown in MOMENTS:
        assert host.record(line, key=line).status_code == 303
        public |= shown
        assert identities(received(browser)) <= public | own, line
        carry_out(host)
        text = received(browser)
        assert identities(text) == public | own, line
        camps = {find_mode("court8").roles[role].camp for role in public}
        assert glyphs(text) <= camps, line
    heard = b"".join(next(listening) for _ in range(len(MOMENTS) + 2))  # type: ignore[misc]
    assert re.fullmatch(rb"retry: \d+\n\n(data: \d+\n\n)+", heard)
    assert host.record("death 3 by 2").status_code == 303
    assert watched.tables.evening(host.base[3:]).phase == "end"
    assert identities(received(browser)) >= {"lord", "crown_prince", "loyalist", "rebel_chief", "rebel", "renegade"}


def test_just_before_the_end_the_unknown_is_unknown(watched: House) -> None:
    host, phones = dealt(watched, options="hp hide_composition")
    for line, _ in MOMENTS:
        host.record(line, key=line)
    assert "1. deal lord ? ? ? ? ? ? ?\n" in phones[0].page("record.txt")
    ring = re.search(r'<ol class="ring.*?</ol>', phones[0].page(), re.S)
    assert ring
    spots = re.findall(r"<li .*?</li>", ring[0], re.S)
    assert len(spots) == 8
    assert [number for number, spot in enumerate(spots, 1) if "identity" not in spot] == [2, 8]


def test_the_composition_is_hidden_where_the_host_hides_it(watched: House) -> None:
    host, phones = seated(watched, options="hide_composition")
    for browser in (host, *phones):
        assert not identities(received(browser))
    open_host, _ = seated(watched)
    assert identities(open_host.page("")) >= {"rebel_chief", "renegade"}


def test_all_phones_receive_the_same_but_for_their_own_card(watched: House) -> None:
    host, phones = dealt(watched)
    host.record("turn 2")
    pages = [phone.page("seat", **HTMX) for phone in phones]
    shared = [re.sub(r'<section class="mine".*?</section>', "", page, flags=re.S) for page in pages]
    assert len({re.sub(r"me-\d|\d+-p\d+", "", page) for page in shared}) == 1
    headers = [[name for name, _ in phone.get("seat").headers] for phone in phones]
    assert all(one == headers[0] for one in headers)


def test_tokens_and_names_of_identities_stand_in_no_log(
    watched: House, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    host, phones = dealt(watched)
    for browser in (host, *phones):
        received(browser)
    printed = caplog.text + "".join(capfd.readouterr())
    assert not identities(printed)
    assert not any(str(browser.cookie("seat")) in printed for browser in phones)


def test_no_title_and_no_address_names_an_identity(watched: House) -> None:
    host, phones = dealt(watched)
    for browser in (host, *phones):
        for path in ("", "seat"):
            page = browser.page(path)
            told = re.findall(r"<title>.*?</title>", page, re.S) + re.findall(r'(?:href|action|src)="[^"]*"', page)
            assert len(told) > 3 and not identities("\n".join(told))


def kept(house: House) -> tuple[bytes, str]:
    """All that the database's files hold, as bytes, and every value of every table."""
    files = b"".join(path.read_bytes() for path in house.database.parent.glob(f"{house.database.name}*"))
    with closing(sqlite3.connect(house.database)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = [row for name in names for row in database.execute(f"SELECT * FROM {name}")]
    return files, "\n".join(str(value) for row in rows for value in row)


def test_nothing_that_is_stored_or_logged_holds_what_a_browser_shows(
    house: House, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Seats, a seat that moved, the host, the table screen, the moderator, and the code that made a phone the host."""
    host, phones = dealt(house)
    assert host.post("host/everything", {"back": "host"}).status_code == 303
    asking, next_host = house.browser(), house.browser()
    asking.base = next_host.base = host.base
    asking.post("claim", {"person": host.evening.people[1].id})
    offered = re.search(r"/hosting/([\w-]+)", host.post("host/offer").get_data(as_text=True))
    assert offered
    tokens = {str(browser.cookie(kind)) for browser in (host, *phones, asking) for kind in ("seat", "host", "browser")}
    assert next_host.get(f"hosting/{offered[1]}").status_code == 200
    assert next_host.post("hosting", {"token": offered[1]}).status_code == 303
    assert phones[3].post("hosting", {"token": offered[1]}).status_code == 410
    tokens = (tokens | {str(next_host.cookie("host")), offered[1]}) - {"None"}
    assert len(tokens) == len(phones) + 5
    assert all(len(token) == 32 for token in tokens), "24 bytes: 192 bits"
    files, values = kept(house)
    printed = caplog.text + "".join(capfd.readouterr())
    hashes = {hash_token(token) for token in tokens}
    assert sum(hash_ in values and hash_.encode() in files for hash_ in hashes) == len(phones) + 4  # all but the code
    for token in tokens:
        assert token not in values and token.encode() not in files and token not in printed
        assert b64decode(token, b"-_") not in files


ODD_NAMES = (
    '"]',
    "\\",
    "甲 \n[Seat 2]",
    "</title><script>",
    "'onload='x",
    "{{ 7*7 }}",
    "\u202e乙\u2066",
    "%(who)s",
)


def test_odd_names_are_shown_as_they_are_and_come_back_from_the_record(house: House) -> None:
    host = house.browser()
    phones = [house.browser() for _ in ODD_NAMES]
    base = host.open_table()
    for phone, name in zip(phones, ODD_NAMES, strict=True):
        assert phone.sit_down(base, name).status_code == 303
    host.post("host/settings", {"mode": "court8", "pause": 0})
    house.stack(COURT8)
    names = [clean(name) for name in ODD_NAMES]
    for _ in range(2):
        for page in (
            host.page(""),
            host.page("host"),
            *(phone.page() for phone in phones),
            host.page("print?what=tents"),
        ):
            assert "<script>" not in page and "49" not in re.sub(r"[^<>]*=\S*", "", page)
            assert not re.search("[\u202a-\u202e\u2066-\u2069]", page)
            assert not re.search(r"<[^>]*\sonload=", page)
        for name in names:
            assert str(escape(name)) in host.page("")
        host.post("host/deal", {"back": "host"})
    assert host.record("death 6 by 2").status_code == 303
    assert host.post("host/end", {"back": "host"}).status_code == 303
    [game] = parse(host.page("record.txt"), find_ruleset)
    assert not run(game).problems
    assert game.names == dict(enumerate(names, 1))


def test_odd_names_are_printed(house: House) -> None:
    printer = house.browser()
    job = printer.post("/print", {"what": "tents", "names": "\n".join(ODD_NAMES)}).headers["Location"]
    house.press()
    assert printer.get(f"{job}/tents.pdf").data.startswith(b"%PDF")


# Whose card is shown


VISITORS = ("nobody", "spectator", "seat", "dead seat", "removed", "host", "host with a seat", "another table's host")


@pytest.fixture
def visiting(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Browser]]:
    monkeypatch.setattr(stream, "BEAT_SECONDS", 0)
    host, phones = seated(house)
    removed = house.browser()
    removed.sit_down(host.base, "丑")
    host.post("host/remove", {"person": host.evening.people[-1].id})
    with_seat = house.browser()
    with_seat.base = host.base
    house.stack(COURT8)
    host.post("host/deal", {})
    host.record("death 6 by 2")
    with_seat.borrow("seat", phones[2])
    with_seat.borrow("host", host)
    stranger = house.browser()
    stranger.open_table()
    spectator, nobody = house.browser(), house.browser()
    for browser in (stranger, spectator, nobody):
        browser.base = host.base
    spectator.get("seat")
    browsers = (nobody, spectator, phones[1], phones[5], removed, host, with_seat, stranger)
    yield dict(zip(VISITORS, browsers, strict=True))


def test_only_owners_see_a_card(visiting: dict[str, Browser]) -> None:
    cards = {visitor: re.findall(r'<p class="role">(.*?)</p>', browser.page()) for visitor, browser in visiting.items()}
    assert {visitor: shown for visitor, shown in cards.items() if shown} == {
        "seat": ["反贼"],
        "dead seat": ["忠臣"],
        "host with a seat": ["储君"],
    }
    for browser in visiting.values():
        assert 'class="role"' not in browser.page("")

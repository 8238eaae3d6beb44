"""What one phone receives in a whole game, byte for byte, and what each kind of visitor may ask for at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from companion.modes import LANGUAGES, Mode, find_mode
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
    for module in ("companion.tables.gathering", "companion.tables.running", "companion.web.present"):
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


# Who may ask what


VISITORS = ("nobody", "spectator", "seat", "dead seat", "removed", "host", "host with a seat", "another table's host")
ALL = dict.fromkeys(VISITORS, 200)
HOSTS = {visitor: 200 if visitor.startswith("host") else 403 for visitor in VISITORS}
RECORDERS = {**HOSTS, "seat": 200, "dead seat": 200}

ALLOWED: Mapping[tuple[str, str], Mapping[str, int]] = {
    ("GET", "/"): ALL,
    ("GET", ""): ALL,
    ("GET", "seat"): ALL,
    ("GET", "record.txt"): ALL,
    ("GET", "stream"): ALL,
    ("GET", "host"): HOSTS,
    ("GET", "resume"): dict.fromkeys(VISITORS, 404),
    ("POST", "record"): RECORDERS,
    ("POST", "withdraw"): RECORDERS,
    ("POST", "done"): RECORDERS,
    ("POST", "again"): HOSTS,
    ("POST", "host/settings"): HOSTS,
    ("POST", "host/address"): HOSTS,
    ("POST", "host/move"): HOSTS,
    ("POST", "host/remove"): HOSTS,
    ("POST", "host/deal"): HOSTS,
    ("POST", "host/undo"): HOSTS,
    ("POST", "host/end"): HOSTS,
}
"""What each kind of visitor is answered while a game runs; 200 stands for anything but a refusal of the visitor."""


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


@pytest.mark.parametrize("visitor", VISITORS)
def test_each_kind_of_visitor_is_answered_as_the_table_says(visiting: dict[str, Browser], visitor: str) -> None:
    browser = visiting[visitor]
    for (method, path), allowed in ALLOWED.items():
        response = browser.get(path) if method == "GET" else browser.post(path, {"input": "turn 99", "step": 99})
        refused = response.status_code if response.status_code in (403, 404) else 200
        assert refused == allowed[visitor], (method, path, response.status)
        response.close()


def test_only_owners_see_a_card(visiting: dict[str, Browser]) -> None:
    cards = {visitor: re.findall(r'<p class="role">(.*?)</p>', browser.page()) for visitor, browser in visiting.items()}
    assert {visitor: shown for visitor, shown in cards.items() if shown} == {
        "seat": ["反贼"],
        "dead seat": ["忠臣"],
        "host with a seat": ["储君"],
    }
    for browser in visiting.values():
        assert 'class="role"' not in browser.page("")

"""Dealing with printed cards: everybody draws one and enters its code; what is told of it, and to whom."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from companion.modes import find_mode
from companion.modes.deck import Codes, PrintedCard
from companion.rules.inputs import Deal, read
from tests.web.calls import Asked, Visitor
from tests.web.evening import COURT8, DECK_KEY, NAMES, Browser, House, said, seated
from tests.web.pairs import Worlds
from tests.web.worlds import Pair, plan

FIVE = "lord loyalist rebel rebel renegade"


def code(card: PrintedCard, key: str = DECK_KEY) -> str:
    return Codes(key, [find_mode(card.mode)]).code(card)


def codes(deal: str, mode: str) -> list[str]:
    """The codes of real cards for the deal (`lord rebel …`)."""
    entered = read(f"deal {deal}", find_mode(mode).ruleset.names)
    assert isinstance(entered, Deal)
    counted: Counter[str] = Counter()
    found = []
    for card in entered.cards:
        counted[card.role] += 1
        found.append(code(PrintedCard(mode, card.role, card.colour, counted[card.role])))
    return found


def drawing(house: House, mode: str = "classic", players: int = 5) -> tuple[Browser, list[Browser]]:
    host, phones = seated(house, mode, players)
    assert host.post("host/dealing", {"by": "cards", "back": "host"}).status_code == 303
    return host, phones


def enter(phones: Sequence[Browser], typed: Sequence[str]) -> None:
    for phone, card in zip(phones, typed, strict=True):
        assert phone.post("card", {"card": card, "back": "seat"}).status_code == 303


def test_a_game_goes_on_as_if_a_phone_had_dealt(house: House) -> None:
    host, phones = drawing(house, "court8", 8)
    dealt = "rebel crown_prince lord rebel_chief rebel loyalist renegade rebel"
    enter(phones, codes(dealt, "court8"))
    assert host.post("host/deal", {"back": "host"}).status_code == 303
    game = host.evening.game
    assert game is not None
    assert host.evening.names()[1] == NAMES[2]
    assert game.standing[0].text == "deal lord rebel_chief rebel loyalist renegade rebel rebel crown_prince"
    assert '<p class="role">贼首</p>' in phones[3].page()
    assert phones[2].record("turn 1").status_code == 303
    assert not house.store.cards(host.evening.row.id)


def test_everybody_sees_who_has_entered_and_nobody_sees_what(house: House) -> None:
    host, phones = drawing(house)
    typed = codes(FIVE, "classic")
    enter(phones[1:3], typed[1:3])
    for browser in (host, *phones, house.browser()):
        browser.base = host.base
        for path in ("", "seat"):
            page = browser.page(path)
            assert not any(card in page for card in typed)
        page = browser.page("")
        entered, _, waiting = page.partition("还没录：")
        assert NAMES[1] in entered.partition("已录牌：")[2] and NAMES[0] not in entered.partition("已录牌：")[2]
        assert NAMES[0] in waiting.partition("</p>")[0]
    assert "收回这张" in phones[1].page() and "录下你的牌" in phones[0].page()
    assert "disabled" in host.page("host").partition('class="deal"')[2].partition("</form>")[0]
    assert said(host.post("host/deal", {"back": "host"})) == "还有 3 人没有录牌。"


def test_once_all_cards_are_in_no_empty_box_is_left(house: House) -> None:
    host, phones = drawing(house)
    typed = codes(FIVE, "classic")
    enter(phones[:4], typed[:4])
    assert 'class="drawing' in phones[0].page()
    enter(phones[4:], typed[4:])
    for browser, path in ((phones[0], "seat"), (host, ""), (host, "host")):
        page = browser.page(path)
        assert 'class="drawing' not in page and not re.search(r'<(section|div) class="panel">\s*</', page)


def test_entered_cards_survive_a_restart(house: House) -> None:
    host, phones = drawing(house)
    typed = codes(FIVE, "classic")
    enter(phones[:4], typed[:4])
    house.start()
    enter(phones[4:], typed[4:])
    assert host.post("host/deal", {"back": "host"}).status_code == 303
    assert host.evening.phase == "play"


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "编码抄错了"),
        ("ABCDEF", "编码抄错了"),
        (code(PrintedCard("classic", "lord"), "F" * 16), "没有这个编码的牌"),
        (code(PrintedCard("court8", "lord")), "别的模式"),
    ],
)
def test_a_card_that_cannot_be_right_is_refused_at_once_and_changes_nothing(
    house: House, typed: str, words: str
) -> None:
    host, phones = drawing(house)
    version = host.evening.row.version
    response = phones[0].post("card", {"card": typed, "back": "seat"})
    assert response.status_code == 422 and words in said(response)
    if typed:
        assert typed not in response.get_data(as_text=True)
    assert host.evening.row.version == version
    enter(phones[:1], codes(FIVE, "classic")[:1])


def test_what_is_said_of_a_card_does_not_depend_on_what_others_have_drawn(house: House) -> None:
    _, phones = drawing(house)
    rebels = [code(PrintedCard("classic", "rebel", None, copy)) for copy in (1, 1, 2, 3)]
    enter(phones[:4], rebels)


def test_a_wrong_set_is_told_to_all_alike_and_only_its_holder_learns_whose_card_it_is(house: House) -> None:
    host, phones = drawing(house)
    good = codes(FIVE, "classic")
    third = code(PrintedCard("classic", "rebel", None, 3))
    enter(phones, [*good[:4], third])
    for browser in (host, *phones):
        assert "牌和身份配置对不上" in browser.page("")
        assert "要换" not in browser.page("")
    assert ["你的牌要换" in phone.page() for phone in phones] == [False] * 4 + [True]
    assert "多了一张" in phones[4].page()
    assert said(host.post("host/deal", {"back": "host"})).startswith("这些牌和身份配置对不上")
    assert phones[4].post("card/back", {"back": "seat"}).status_code == 303
    enter(phones[4:], good[4:])
    assert "牌都录好了，可以开局" in phones[0].page("")
    assert host.post("host/deal", {"back": "host"}).status_code == 303


def own(phone: Browser) -> str:
    """What a phone says of the card that was entered on it."""
    return phone.page().partition('id="drawn"')[2].partition("</section>")[0]


@pytest.mark.parametrize("mistaken", [2, 3])
def test_the_same_card_twice_is_told_to_both_who_entered_it_and_either_can_mend_it(house: House, mistaken: int) -> None:
    host, phones = drawing(house)
    good = codes(FIVE, "classic")
    enter(phones, [*good[:mistaken], good[5 - mistaken], *good[mistaken + 1 :]])
    assert ["这个编码有两个人录了" in own(phone) for phone in phones] == [False, False, True, True, False]
    for phone in phones[2:4]:
        assert (
            not any(name in own(phone) for name in NAMES[:5]) and "收回这张" in own(phone) and "全部收回" in own(phone)
        )
    for browser in (host, house.browser()):
        browser.base = host.base
        assert "两个人录了" not in browser.page("")
    phones[mistaken].post("card/back", {"back": "seat"})
    enter([phones[mistaken]], [good[mistaken]])
    assert host.post("host/deal", {"back": "host"}).status_code == 303


def test_the_same_card_twice_is_said_even_where_it_is_one_too_many(house: House) -> None:
    _, phones = drawing(house)
    good = codes(FIVE, "classic")
    third = code(PrintedCard("classic", "rebel", None, 3))
    enter(phones, [third, third, *good[2:]])
    assert ["这个编码有两个人录了" in own(phone) for phone in phones] == [True, True, False, False, False]


@pytest.mark.parametrize("printed", ["{}", "{}:red", "{}:blue"])
@pytest.mark.parametrize("count", [None, "lord:red 1", "lord:green 1"])
def test_in_a_game_of_one_colour_the_colour_on_a_card_makes_no_difference(
    house: House, printed: str, count: str | None
) -> None:
    host, phones = seated(house, "sixteen", 5)
    if count:
        colour = count[5:-2]
        for one in ("lord:red 0", "loyalist:red 0", count, f"loyalist:{colour} 1"):
            host.post("host/composition", {"count": one, "back": "host"})
    for one in ("rebel 1", "assassin 1"):
        host.post("host/composition", {"count": one, "back": "host"})
    host.post("host/dealing", {"by": "cards", "back": "host"})
    enter(phones, codes(f"{printed.format('lord')} {printed.format('loyalist')} rebel assassin renegade", "sixteen"))
    assert host.post("host/deal", {"back": "host"}).status_code == 303
    game = host.evening.game
    assert game is not None
    colours = {seat.identity.colour for seat in game.table.state.seats if seat.identity}
    assert colours == {None, colour if count else "red"}


def test_in_a_game_of_several_colours_a_card_needs_its_own(house: House) -> None:
    host, phones = seated(house, "sixteen", 5)
    for one in ("lord:blue 1", "loyalist:red 0", "loyalist:blue 1", "rebel 1"):
        host.post("host/composition", {"count": one, "back": "host"})
    host.post("host/dealing", {"by": "cards", "back": "host"})
    for typed in codes("lord loyalist lord:green loyalist:red assassin", "sixteen"):
        response = phones[0].post("card", {"card": typed, "back": "seat"})
        assert response.status_code == 422 and "不在这一局的身份配置里" in said(response)
        assert typed not in response.get_data(as_text=True)
    enter(phones, codes("lord:red lord:blue loyalist:blue rebel renegade", "sixteen"))


def test_a_second_tap_is_one_entry_and_another_card_has_to_wait(house: House) -> None:
    host, phones = drawing(house)
    good = codes(FIVE, "classic")
    enter(phones[:1], good[:1])
    version = host.evening.row.version
    enter(phones[:1], [good[0].lower()])
    response = phones[0].post("card", {"card": good[1], "back": "seat"})
    assert response.status_code == 422 and "收回" in said(response)
    assert host.evening.row.version == version


def test_who_has_no_place_enters_nothing(house: House) -> None:
    host, _ = drawing(house)
    guest = house.browser()
    guest.base = host.base
    for path in ("card", "card/back"):
        assert guest.post(path, {"card": codes(FIVE, "classic")[0]}).status_code == 403
    assert guest.post("host/dealing", {"by": "phones"}).status_code == 403
    assert guest.post("host/collect").status_code == 403


def test_all_cards_are_collected(house: House) -> None:
    host, phones = drawing(house)
    enter(phones, codes(FIVE, "classic"))
    assert host.post("host/collect", {"back": "host"}).status_code == 303
    assert all("录下你的牌" in phone.page() for phone in phones)
    enter(phones[:1], codes(FIVE, "classic")[:1])
    host.post("host/settings", {"mode": "court8", "pause": 4, "back": "host"})
    assert not house.store.cards(host.evening.row.id)


def test_where_phones_deal_no_card_is_entered(house: House) -> None:
    host, phones = drawing(house)
    host.post("host/dealing", {"by": "phones", "back": "host"})
    response = phones[0].post("card", {"card": codes(FIVE, "classic")[0], "back": "seat"})
    assert response.status_code == 422 and "手机发牌" in said(response)
    assert host.post("host/deal", {"back": "host"}).status_code == 303


def test_the_next_game_is_drawn_at_the_end(house: House) -> None:
    host, phones = drawing(house)
    enter(phones, codes(FIVE, "classic"))
    host.post("host/deal", {"back": "host"})
    assert "录下你的牌" not in phones[0].page()
    host.post("host/end", {"back": "host"})
    for headers in ({}, {"HX-Request": "true"}):
        assert "录下你的牌" in phones[0].page("seat", **headers)
        assert "录下你的牌" not in host.page("", **headers)
    enter(phones, codes("rebel rebel renegade lord loyalist", "classic"))
    assert "收回这张" in phones[0].page("seat", **{"HX-Request": "true"})
    assert host.post("again", {"back": "table"}).status_code == 303
    assert host.evening.names()[1] == NAMES[3]


# Scanning


def _scan(phone: Browser, host: Browser, card: str) -> TestResponse:
    """Scan it, and tap the table."""
    assert phone.get(f"/C/{card}").status_code == 200
    return phone.post("/C", {"table": host.base[3:], "card": card})


def test_a_scanned_card_is_entered_where_the_phone_waits(house: House) -> None:
    host, phones = drawing(house)
    card = codes(FIVE, "classic")[0]
    assert f'value="{host.base[3:]}"' in phones[0].page(f"/C/{card}")
    assert "收回这张" not in phones[0].page(), "any page can lead there: nothing is entered yet"
    response = _scan(phones[0], host, card)
    assert (response.status_code, response.headers["Location"]) == (303, f"{host.base}/seat")
    assert "收回这张" in phones[0].page()


def test_a_scanned_card_that_is_refused_leaves_its_code_behind(house: House) -> None:
    host, phones = drawing(house)
    card = code(PrintedCard("court8", "lord"))
    response = _scan(phones[0], host, card)
    assert response.headers["Location"] == f"{host.base}/seat?card=card_other_mode"
    assert "别的模式" in said(phones[0].get("seat?card=card_other_mode"))
    assert not said(phones[0].get("seat?card=anything"))


def test_a_card_is_asked_for_its_table_where_several_wait_or_none(house: House) -> None:
    host, phones = drawing(house)
    card = codes(FIVE, "classic")[0]
    stranger = house.browser()
    page = stranger.page(f"/C/{card}")
    assert 'name="table"' in page
    response = stranger.post("/C", {"table": host.base[3:].lower(), "card": card})
    assert response.headers["Location"] == f"{host.base}/seat"
    assert stranger.post("/C", {"table": "none", "card": card}).status_code == 404
    phone = phones[0]
    second = house.browser()
    phone.sit_down(second.open_table(), "甲")
    second.evening.choose_dealing(True)
    page = phone.page(f"/C/{card}")
    assert f'value="{host.base[3:]}"' in page and f'value="{second.base[3:]}"' in page
    response = phone.post("/C", {"table": host.base[3:], "card": card})
    assert response.headers["Location"] == f"{host.base}/seat"
    assert host.evening.has_card(host.evening.people[0].id)


# Two worlds


def draw_in_both(pair: Pair) -> None:
    """Cards are drawn in both worlds, and some of them lie elsewhere; everybody else looks at everything meanwhile."""
    host = next(visitor for visitor in pair.visitors if visitor.is_host)
    pair.ask(host, pair.posted("/host/dealing", by="cards"))
    typed = [codes(" ".join(card.role for card in deal.cards), pair.plan.mode) for deal in pair.plan.deals]
    pair.told = set(pair.plan.moved)

    def by(seat: int, path: str, **card: str) -> tuple[Visitor, Asked]:
        if seat == pair.plan.phoneless:
            return pair.visitor("seat 1"), pair.posted(f"/pass{path}", person=str(pair.last), **card)
        return pair.visitor(f"seat {seat}"), pair.posted(path, **card)

    for seat in pair.rng.sample(range(1, pair.plan.players + 1), pair.plan.players):
        pair.look_about(3)
        if seat in pair.plan.moved and pair.rng.random() < 0.5:
            pair.ask(*by(seat, "/card", card="nonsense"))
        for world, cards in zip(pair.worlds, typed, strict=True):
            entered = world.ask(*by(seat, "/card", card=cards[seat - 1]), {}, 0, pair.chance)
            assert entered.status.startswith("303")
        if pair.rng.random() < 0.2:
            pair.ask(*by(seat, "/card/back"))
            for world, cards in zip(pair.worlds, typed, strict=True):
                world.ask(*by(seat, "/card", card=cards[seat - 1]), {}, 0, pair.chance)
    pair.look_about(8)
    pair.ask(host, pair.posted("/host/deal"))
    assert [world.table.inputs[0] for world in pair.worlds] == list(pair.plan.deals)
    pair.look_about(8)


@pytest.mark.parametrize("mode", ["classic", "court8"])
def test_cards_that_others_have_entered_make_no_difference(mode: str, tmp_path: Path) -> None:
    worlds = Worlds(tmp_path)
    for seed in range(25):
        worlds.pair(plan(find_mode(mode), seed, pauses=(0,)), draw_in_both)
    assert worlds.compared["guest"] > 20 and worlds.compared["seat 1"] > 20


def test_a_deal_is_as_long_as_its_codes() -> None:
    assert len(set(codes(COURT8, "court8"))) == 8

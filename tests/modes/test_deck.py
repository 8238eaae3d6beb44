"""The printed cards of a mode and their codes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.modes import MODES, find_mode
from companion.modes.deck import LENGTH, SIGNS, Codes, Fault, PrintedCard, cards, check, new_key, normal, of, spaced
from companion.rules.inputs import Card, IllegalInput

KEY = "ABCDEFGH12345678"
COURT8, CLASSIC = find_mode("court8"), find_mode("classic")
CODES = Codes(KEY, [CLASSIC, COURT8])
DECK = cards(COURT8)
CODE = st.sampled_from([CODES.code(card) for card in DECK])


def test_the_deck_has_every_identity_as_often_as_any_game_needs_it() -> None:
    for mode in map(find_mode, MODES):
        deck = cards(mode)
        assert len(set(deck)) == len(deck)
        assert {card.role for card in deck} == set(mode.roles)
        for row in mode.compositions:
            for role, n in row.roles.items():
                assert sum(card.role == role for card in deck) >= n


def test_a_deck_for_so_many_players_is_the_composition() -> None:
    assert [card.role for card in cards(CLASSIC, 5)] == ["lord", "loyalist", "rebel", "rebel", "renegade"]
    double = cards(CLASSIC, 6, {"double": "on"})
    assert [card.copy for card in double if card.role == "renegade"] == [1, 2]
    with pytest.raises(IllegalInput, match=r"players.*11"):
        cards(CLASSIC, 11)


def test_a_deck_of_ones_own_counts_copies_by_colour() -> None:
    deck = of([("rebel", None), ("lord", "red"), ("rebel", None), ("lord", "blue")], CLASSIC)
    assert [(card.identity, card.copy) for card in deck] == [
        ("lord:blue", 1),
        ("lord:red", 1),
        ("rebel", 1),
        ("rebel", 2),
    ]


@pytest.mark.parametrize(
    ("mode", "card", "reason"),
    [
        ("sixteen", Card("lord", "purple"), "unknown_colour"),
        ("sixteen", Card("rebel", "red"), "colourless"),
        ("sixteen", Card("assassin", None, 2), "printed_target"),
        ("classic", Card("lord", "red"), "colourless"),
        ("chuhan", Card("chu", "blue"), "colourless"),
    ],
)
def test_what_no_printed_card_can_be_is_refused(mode: str, card: Card, reason: str) -> None:
    with pytest.raises(IllegalInput, match=reason):
        check([Card(card.role), card], find_mode(mode))


def test_as_many_copies_may_be_printed_as_have_codes_and_every_card_that_a_host_can_compose() -> None:
    check([Card("rebel")] * 12, CLASSIC)
    with pytest.raises(IllegalInput, match="printed_copies"):
        check([Card("rebel")] * 13, CLASSIC)
    sixteen = find_mode("sixteen")
    assert sixteen.composer
    check(sixteen.composer.offers, sixteen)


def test_every_card_has_a_code_of_its_own_and_the_code_leads_back() -> None:
    for mode in (CLASSIC, COURT8):
        for card in cards(mode):
            code = CODES.code(card)
            assert len(code) == LENGTH and set(code) <= set(SIGNS)
            assert CODES.card(code) == card
    assert len({CODES.code(card) for mode in (CLASSIC, COURT8) for card in cards(mode)}) == len(DECK) + len(
        cards(CLASSIC)
    )


def test_codes_hold_for_this_key_alone_whatever_modes_are_known() -> None:
    assert [Codes(KEY, [COURT8]).code(card) for card in DECK] == [CODES.code(card) for card in DECK]
    others = Codes(new_key(bytes(range(10))), [CLASSIC, COURT8])
    assert not {others.code(card) for card in DECK} & {CODES.code(card) for card in DECK}
    assert all(isinstance(others.card(CODES.code(card)), Fault) for card in DECK)


def test_alike_cards_have_codes_that_are_not_alike() -> None:
    """Copies of one identity share no more signs than chance has it."""
    codes = [CODES.code(PrintedCard("court8", "rebel", None, copy)) for copy in range(1, 13)]
    alike = [sum(a == b for a, b in zip(one, two, strict=True)) for one in codes for two in codes if one < two]
    assert max(alike) <= 2
    assert sum(alike) / len(alike) < 0.5


@pytest.mark.parametrize("shape", ["{}", " {} ", "http://10.0.0.7:8765/c/{}", "HTTP://10.0.0.7:8765/C/{}"])
def test_codes_are_read_however_they_are_typed(shape: str) -> None:
    for card in DECK:
        code = CODES.code(card)
        for typed in (
            code,
            code.lower(),
            spaced(code),
            f"{code[:3]}-{code[3:]}",
            code.replace("0", "o"),
            code.replace("1", "l"),
        ):
            assert CODES.card(shape.format(typed)) == card


@given(CODE, st.integers(0, LENGTH - 1), st.sampled_from(SIGNS))
def test_one_wrong_sign_is_noticed(code: str, place: int, sign: str) -> None:
    wrong = code[:place] + sign + code[place + 1 :]
    assert wrong == code or CODES.card(wrong) == Fault("mistyped")


@given(CODE, st.integers(0, LENGTH - 2))
def test_two_swapped_signs_are_noticed(code: str, place: int) -> None:
    wrong = code[:place] + code[place + 1] + code[place] + code[place + 2 :]
    assert wrong == code or CODES.card(wrong) == Fault("mistyped")


@given(st.text(max_size=20))
def test_anything_can_be_typed(text: str) -> None:
    found = CODES.card(text)
    assert isinstance(found, PrintedCard) or found.key in ("mistyped", "unknown_card")
    assert normal(normal(text)) == normal(text)


# A set of codes against the composition

WANTED = {"lord": 1, "loyalist": 1, "rebel": 2, "renegade": 1}
FIVE = [CODES.code(card) for card in cards(CLASSIC, 5)]


def test_a_full_set_gives_every_seat_its_card() -> None:
    entered = dict(zip((3, 1, 2, 5, 4), FIVE, strict=True))
    found = CODES.check(entered, CLASSIC, WANTED, 5)
    assert found == {3: "lord", 1: "loyalist", 2: "rebel", 5: "rebel", 4: "renegade"}


def test_a_seat_that_has_entered_nothing_is_missing() -> None:
    assert CODES.check({1: FIVE[0], 2: FIVE[1]}, CLASSIC, WANTED, 5) == [Fault("missing", None, {"n": 3})]
    assert CODES.check({}, CLASSIC, WANTED, 5) == [Fault("missing", None, {"n": 5})]


def test_a_code_twice_is_a_fault_of_both() -> None:
    entered = {2: FIVE[2], 1: FIVE[0], 4: FIVE[2].lower(), 3: FIVE[3], 5: FIVE[4]}
    assert CODES.check(entered, CLASSIC, WANTED, 5) == [
        Fault("card_twice", 4, {"seat": 2}),
        Fault("card_twice", 2, {"seat": 4}),
    ]


def test_cards_of_other_modes_and_unknown_ones_are_told_apart() -> None:
    strange = Codes("0000000000000001", [CLASSIC]).code(cards(CLASSIC)[0])
    entered = {1: CODES.code(DECK[0]), 2: strange, 3: "ABC", 4: FIVE[3], 5: FIVE[4]}
    assert CODES.check(entered, CLASSIC, WANTED, 5) == [
        Fault("other_mode", 1, {"mode": "court8"}),
        Fault("unknown_card", 2),
        Fault("mistyped", 3),
    ]


def test_more_of_an_identity_than_are_dealt_is_refused_without_losing_the_rest() -> None:
    second_lord = CODES.code(PrintedCard("classic", "lord", None, 2))
    entered = {1: FIVE[0], 2: second_lord, 3: FIVE[2], 4: FIVE[3], 5: FIVE[4]}
    assert CODES.check(entered, CLASSIC, WANTED, 5) == [Fault("not_in_play", 2, {"role": "lord", "most": 1})]
    entered |= {2: FIVE[1]}
    assert isinstance(CODES.check(entered, CLASSIC, WANTED, 5), dict)


def test_a_wanted_identity_without_colour_takes_a_card_of_any_and_one_with_colour_only_its_own() -> None:
    sixteen = find_mode("sixteen")
    codes = Codes("0123456789ABCDEF", [sixteen])
    red, plain = (codes.code(PrintedCard("sixteen", "lord", colour)) for colour in ("red", None))
    assert codes.check({1: red}, sixteen, {"lord": 1}, 1) == {1: "lord"}
    assert codes.check({1: red}, sixteen, {"lord:red": 1}, 1) == {1: "lord:red"}
    assert codes.check({1: red}, sixteen, {"lord:blue": 1}, 1) == [Fault("not_in_play", 1, {"role": "lord", "most": 0})]
    assert codes.check({1: plain}, sixteen, {"lord:blue": 1}, 1) == [
        Fault("not_in_play", 1, {"role": "lord", "most": 0})
    ]

"""What each viewer of `sixteen` sees at a seat, as the record's contract says, and how questions are settled."""

from random import Random

import pytest

from companion.modes import find_mode
from companion.modes.sixteen_deal import aimed, cards_of, check, randomised, seat_1, targets
from companion.modes.sixteen_roles import LOYAL, PUBLIC, REBELS, turbans
from companion.rules.facts import (
    HOST,
    TABLE,
    CampTold,
    Converted,
    Dealt,
    Identity,
    Learnt,
    Marked,
    MarksCounted,
    MarksHidden,
    is_told,
)
from companion.rules.inputs import Card, read
from companion.rules.record import format_game
from companion.rules.state import Seat, State, evolve
from companion.rules.table import Table
from companion.rules.views import view_of
from tests.rules.games import offer, played, random_game

TURBANS = "deal lord rebel champion rebel rebel yellow_turban"
CONVERTED = [TURBANS, "use 3 quell", "touch 3 by 6", "touch 3 by 6", "touch 2 by 6", "touch 3 by 6"]


def play(lines: list[str], options: str = "") -> Table:
    return played("sixteen", "; ".join(lines), options)


def enter(table: Table, *lines: str) -> None:
    for line in lines:
        table.feed(read(line, table.ruleset.names))


def at(table: Table, viewer: int, number: int) -> Seat:
    return view_of(table, viewer).seat(number)


def known(seat: Seat) -> tuple[str | None, str | None, str | None, bool]:
    """Role, camp, colour and whether it is openly known."""
    role, camp, colour = seat.identity or (None, None, None)
    return role, camp, colour, seat.public


def marks(table: Table, viewer: int) -> list[int | None]:
    return [seat.marks for seat in view_of(table, viewer).seats]


def test_a_disguised_false_emperor() -> None:
    table = play(["deal lord false_emperor>1 rebel loyalist"])
    lord = ("lord", "royal", "red", True)
    for viewer in (TABLE, 1, 3, 4):
        assert known(at(table, viewer, 1)) == known(at(table, viewer, 2)) == lord
        assert at(table, viewer, 2).target is None
    for viewer in (2, HOST):
        assert known(at(table, viewer, 2)) == ("false_emperor", "false_emperor", None, False)
        assert at(table, viewer, 2).target == 1
    enter(table, "use 2 seal")
    assert all(known(at(table, viewer, 2)) == ("false_emperor", "false_emperor", None, True) for viewer in range(-1, 5))


def test_the_export_shows_a_disguise_as_a_reveal() -> None:
    one, two = play(["deal lord false_emperor>1 rebel"]), play(["deal false_emperor>2 lord rebel"])
    assert format_game(one, 3, {}, {}, {}) == format_game(two, 3, {}, {}, {})
    assert "deal lord:red lord:red rebel" in format_game(one, 3, {}, {}, {})
    assert "deal lord:red false_emperor>1 ?" in format_game(one, 2, {}, {}, {})
    assert "Disguised" not in format_game(one, 1, {}, {}, {})


def test_a_death_does_not_tell_a_disguise_before_the_card_is_turned() -> None:
    """A public lord and who passes for one were both known to all before."""
    table = play(
        ["deal lord:blue false_emperor>1 rebel loyalist:blue crown_prince:blue", "death 2 by 3", "death 1 by 3"]
    )
    died = [h.fact for h in table.facts if type(h.fact).__name__ == "Died"]
    assert [fact.was_public for fact in died] == [True, True]  # type: ignore[attr-defined]


def test_a_target_is_seen_by_its_assassin_and_the_host() -> None:
    table = play(["deal former_lord rebel rebel assassin>2"])
    assert [at(table, viewer, 4).target for viewer in (TABLE, 1, 2, 4, HOST)] == [None, None, None, 2, 2]
    enter(table, "use 4 dagger")
    assert [at(table, viewer, 4).target for viewer in (TABLE, 1, 2, 4, HOST)] == [None, None, None, 2, 2]
    enter(table, "death 1 by 2", "answer 1 4")
    assert at(table, HOST, 4).target is at(table, 4, 4).target is None


def test_marks_are_seen_by_yellow_turbans_only() -> None:
    table = play(CONVERTED)
    assert marks(table, HOST) == marks(table, 6) == marks(table, 3) == [0, 1, 0, 0, 0, 0]
    for viewer in (TABLE, 1, 2, 4, 5):
        assert marks(table, viewer) == [None] * 6


def test_a_yellow_turban_who_becomes_the_latter_lord_sees_no_marks() -> None:
    table = play(["deal former_lord rebel rebel rebel yellow_turban", "touch 2 by 5", "death 1 by 2"])
    assert marks(table, 5) == [0, 1, 0, 0, 0]
    enter(table, "answer 1 5", "touch 2 by 3")
    assert marks(table, 5) == [None] * 5
    assert marks(table, HOST) == [0, 1, 0, 0, 0]


def test_a_secret_conversion() -> None:
    """Those who are told see the truth, all others what they were shown; `public` is about the present identity."""
    table = play(CONVERTED)
    for viewer in (3, 6, HOST):
        assert known(at(table, viewer, 3)) == ("yellow_turban", "yellow_turban", None, False)
    for viewer in (TABLE, 1, 2, 4, 5):
        assert known(at(table, viewer, 3)) == ("champion", "royal", "red", True)
    assert known(at(table, 3, 6)) == ("yellow_turban", "yellow_turban", None, False)
    assert at(table, 1, 6).identity is None


def test_a_convert_learns_nothing_of_other_yellow_turbans() -> None:
    """SX-4.2, SX-4.5."""
    deal = "deal lord rebel champion rebel rebel yellow_turban yellow_turban rebel"
    table = play([deal, "touch 3 by 7", "touch 3 by 7", "touch 3 by 6"])
    assert at(table, 3, 6).role == "yellow_turban"
    assert at(table, 3, 7).identity is None
    assert at(table, 7, 3).identity is None
    assert marks(table, 7)[2] == 0


@pytest.mark.parametrize(("named", "camp"), [(3, "rebel"), (2, "royal"), (5, "royal")])
def test_whom_the_latter_lord_fights_for(named: int, camp: str) -> None:
    """He, loyal kinds and rebels know; to all others every Latter Lord looks alike, until his death or the end."""
    table = play(["deal former_lord loyalist rebel rebel renegade renegade", "death 1 by 3", f"answer 1 {named}"])
    for viewer in {2, 3, 4, named, HOST}:
        assert known(at(table, viewer, named)) == ("latter_lord", camp, "red", True)
    for viewer in {TABLE, 1, 5, 6} - {named}:
        assert known(at(table, viewer, named)) == ("latter_lord", None, "red", True)
    enter(table, "end")
    assert known(at(table, TABLE, named))[1] == camp


def test_death_shows_whom_the_latter_lord_fought_for() -> None:
    table = play(["deal former_lord rebel rebel renegade yellow_turban", "death 1 by 2", "answer 1 2"])
    assert known(at(table, 4, 2))[1] is None
    enter(table, "death 2 by 4")
    assert all(known(at(table, viewer, 2)) == ("latter_lord", "rebel", "red", True) for viewer in range(-1, 6))


def test_what_he_inspected_stays() -> None:
    table = play([TURBANS.replace("lord", "wise_lord"), "turn 1", "use 1 inspect 3", "touch 3 by 6", "touch 3 by 6"])
    enter(table, "touch 3 by 6")
    assert known(at(table, 1, 3)) == ("champion", "royal", "red", False)


def test_the_uprising_and_the_end_show_the_truth() -> None:
    table = play([*CONVERTED, "touch 2 by 3", "touch 2 by 3"])
    for viewer in range(-1, 7):
        assert [known(at(table, viewer, number))[0] for number in (2, 3, 6)] == ["yellow_turban"] * 3
        assert all(at(table, viewer, number).public for number in (2, 3, 6))
    enter(table, "end")
    assert table.state.verdict is None
    assert all(view_of(table, viewer).state == table.state for viewer in range(-1, 7))


def test_a_departure_shows_its_card_and_clears_its_hit_points() -> None:
    table = play(["deal lord:red loyalist:red rebel lord:blue", "death 1 by 3"], "hp=on")
    gone = at(table, TABLE, 2)
    assert (gone.alive, gone.departed, gone.public, gone.hp, gone.grade) == (False, True, True, 0, "lose")
    assert gone.identity == Identity("loyalist", "royal", "red")
    enter(table, "end")
    assert [seat.grade for seat in table.state.seats] == [None, "lose", None, None]


def test_announcements_name_the_skill() -> None:
    table = play(["deal wise_lord vanguard rebel", "turn 1", "use 1 inspect 3", "use 2 charge 3"])
    told = [(a.do, a.seat, a.skill, a.seats, a.role) for a in view_of(table, TABLE).announcements if a.step > 2]
    assert told == [
        ("use", 1, "inspect", (3,), None),
        ("use", 2, "charge", (3,), None),
        ("reveal", 2, None, (), "vanguard"),
        ("swap", 2, None, (3,), None),
    ]


def test_a_charge_changes_the_order_of_play_and_no_number() -> None:
    table = play(["deal lord vanguard rebel loyalist", "use 2 charge 4", "turn 4"])
    assert [seat.number for seat in table.state.in_order()] == [4, 3, 2, 1]


@pytest.mark.parametrize("seed", range(20))
def test_private_news_reaches_nobody_else(seed: int) -> None:
    """Clauses that tell somebody in private may tell identities apart, so their audiences are looked at one by one."""
    state = State()
    for happened in random_game(find_mode("sixteen"), Random(seed), least=5).facts:
        fact, state = happened.fact, evolve(state, happened.fact)
        told = {seat.number for seat in state.seats if is_told(fact, seat.number)}
        assert is_told(fact, TABLE) == (told == {seat.number for seat in state.seats})
        match fact:
            case Marked():
                assert told == set(turbans(state))
            case MarksCounted():
                assert told <= set(turbans(state))
            case Converted(seat, _, by):
                assert told == {seat, by}
            case Learnt(seat) | Dealt(seat) | MarksHidden(seat):
                assert told == {seat}
            case CampTold(seat):
                assert told == {s.number for s in state.living if s.role in (*LOYAL, *REBELS)} | {seat}


# The question of 先主


ASKED = ["deal former_lord loyalist rebel rebel renegade", "death 1 by 3"]


def test_the_question_is_the_same_for_all_and_lets_little_else_through() -> None:
    table = play(ASKED, "hp=on")
    assert table.pending
    assert (table.pending.seat, table.pending.ask, table.pending.choices) == (1, "successor", ("2", "3", "4", "5"))
    assert all(view_of(table, viewer).pending == table.pending for viewer in range(-1, 6))
    expected = dict.fromkeys(("turn 2", "use 2 guard", "damage 2 1 by 3", "death 2 by 3"), ("question_open", "X14"))
    expected |= {"answer 2 3": ("other_asked", "X14"), "answer 1 yes": ("not_a_choice", "SX-6.3")}
    for line, reason in expected.items():
        refused = offer(table, read(line, table.ruleset.names))
        assert refused
        assert (refused.reason, refused.clause) == reason
    enter(table, "correct 2 hp 1", "answer 1 2")
    assert at(table, HOST, 2).hp == 4


def test_a_leaver_cannot_be_named_and_the_question_goes_on() -> None:
    table = play([*ASKED, "leave 5", "leave 2"])
    assert table.state.verdict == "SX-7.2", "nobody but rebels is left: a verdict cancels the question"
    table = play([*ASKED, "leave 5"])
    assert table.pending
    assert table.pending.choices == ("2", "3", "4")


def test_the_question_lapses_when_nobody_is_left() -> None:
    table = play(["deal former_lord rebel renegade renegade", "death 1 by 2", "leave 2", "leave 3"])
    assert table.pending
    assert table.pending.choices == ("4",)
    enter(table, "leave 4")
    assert not table.pending
    assert table.state.verdict == "SX-7.5"


def test_a_contract_that_fails_while_the_question_waits() -> None:
    table = play(["deal former_lord loyalist rebel renegade assassin>4", "death 1 by 3", "leave 4"])
    assert at(table, TABLE, 5).departed
    assert table.pending
    assert table.pending.choices == ("2", "3")


# What may be dealt, and who draws


def test_both_presets_are_legal_for_every_number_of_players() -> None:
    mode = find_mode("sixteen")
    assert mode.players == (2, 3, 4, 5, 6, 7, 8)
    chance = Random(1)
    drawn = set()
    for players in mode.players:
        row = mode.composition(players, {})
        assert row
        assert row == find_mode("classic").composition(players, {"double": "off"})
        assert check({}, cards_of(row), False) == []
        for _ in range(15):
            cards = randomised(row, chance.choice)
            assert check({}, cards, False) == []
            drawn |= {card.role for card in cards}
    assert len(drawn) == 16


def test_the_numbering_turns_to_the_lone_lord() -> None:
    chance = Random(2)
    ring = [Card("rebel"), Card("lord"), Card("loyalist")]
    assert {seat_1(ring, chance.choice) for _ in range(20)} == {1}
    hidden = [Card("rebel"), Card("hidden_dragon"), Card("loyalist")]
    assert {seat_1(hidden, chance.choice) for _ in range(60)} == {0, 1, 2}
    two = [Card("rebel"), Card("lord", "red"), Card("lord", "blue")]
    assert {seat_1(two, chance.choice) for _ in range(60)} == {0, 1, 2}


def test_targets_are_drawn_among_all_that_are_allowed() -> None:
    chance = Random(3)
    cards = [Card("lord", "red"), Card("false_emperor"), Card("wise_lord", "blue"), Card("assassin")]
    pointed = {tuple(card.target for card in aimed(cards, chance.choice)) for _ in range(200)}
    assert {targets[1] for targets in pointed} == {1, 3}
    assert {targets[3] for targets in pointed} == {1, 2, 3}
    assert all(role in PUBLIC for role in ("lord", "wise_lord"))
    assert targets(cards, 4) == (1, 2, 3)


def test_a_check_without_seats_needs_no_targets() -> None:
    cards = [Card("rebel"), Card("assassin"), Card("lord")]
    assert check({}, cards, False) == []
    assert [reason.reason for reason in check({}, cards, True)] == ["target_missing"]


@pytest.mark.parametrize(
    ("roles", "clauses"),
    [
        ("former_lord crown_prince rebel", {"SX-1.2"}),
        ("false_emperor hidden_dragon rebel", {"SX-1.3"}),
        ("former_lord alliance_leader rebel", {"SX-1.2"}),
        ("lord loyalist assassin", {"SX-1.7"}),
        ("lord rebel yellow_turban", {"SX-1.6"}),
        ("lord loyalist:blue rebel", {"SX-1.4"}),
        ("former_lord false_emperor crown_prince alliance_leader yellow_turban yellow_turban", {"SX-1.2", "SX-1.3"}),
    ],
)
def test_refused_compositions(roles: str, clauses: set[str]) -> None:
    """Worked case 16: each reason names its clause."""
    cards = [Card(role, colour or None) for role, _, colour in (word.partition(":") for word in roles.split())]
    assert {reason.clause for reason in check({}, cards, False)} == clauses

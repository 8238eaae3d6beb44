"""Hit points, dying and corrections, as the record's contract has them; alike in every mode, tried in `classic`."""

from __future__ import annotations

import pytest

from companion.rules.inputs import IllegalInput
from companion.rules.table import Table
from tests.rules.games import lines, played

DEAL = "deal lord loyalist rebel rebel renegade"


def after(text: str) -> Table:
    return played("classic", f"{DEAL}; {text}", "hp=on")


def counted(text: str, seat: int = 3) -> str:
    """The seat's hit points, their maximum, and by whom it is dying (`-` nobody, nothing: it is not)."""
    found = after(text).state.seat(seat)
    dying = "" if found.dying_by is None else f" dying by {found.dying_by or '-'}"
    return f"{found.hp}/{found.max_hp}{dying}"


@pytest.mark.parametrize(
    ("text", "hit_points"),
    [
        ("", "4/4"),
        ("hp 3 3", "3/3"),
        ("damage 3 1 by 1; hp 3 5", "5/5"),
        ("dying 3 by 1; hp 3 5", "5/5"),
        ("damage 3 3 by 1", "1/4"),
        ("damage 3 3 by 3", "1/4"),
        ("damage 3 4 by 1", "0/4 dying by 1"),
        ("damage 3 6 by 1", "-2/4 dying by 1"),
        ("damage 3 4 by 3", "0/4 dying by -"),
        ("damage 3 4 by -", "0/4 dying by -"),
        ("lose 3 5", "-1/4 dying by -"),
        ("damage 3 4 by 1; damage 3 1 by 2", "-1/4 dying by 2"),
        ("damage 3 4 by 1; lose 3 1", "-1/4 dying by 1"),
        ("lose 3 3; heal 3 2 by 1", "3/4"),
        ("lose 3 1; heal 3 3 by 1", "4/4"),
        ("damage 3 6 by 1; heal 3 2 by 2", "0/4 dying by 1"),
        ("damage 3 6 by 1; heal 3 3 by 2", "1/4"),
        ("damage 3 6 by 1; saved 3", "1/4"),
        ("damage 3 6 by 1; saved 3 4 by 1 2", "4/4"),
        ("dying 3 by 1", "0/4 dying by 1"),
        ("damage 3 5 by 1; saved 3; dying 3 by 2", "0/4 dying by 2"),
        ("damage 3 6 by 1; correct 3 hp -1", "-1/4 dying by 1"),
        ("damage 3 6 by 1; correct 3 hp 2", "2/4"),
        ("correct 3 hp 1", "1/4"),
        ("correct 3 max_hp 3", "3/3"),
        ("correct 3 max_hp 9", "4/9"),
        ("correct 3 max_hp 9; heal 3 1 by 3", "5/9"),
        ("damage 3 6 by 1; death 3", "0/4"),
        ("leave 3", "0/4"),
        ("lose 3 6; lose 4 6; death 4; saved 3", "1/4"),
    ],
)
def test_hit_points(text: str, hit_points: str) -> None:
    assert counted(text) == hit_points


def test_the_start_bonus_comes_on_top_of_the_hero() -> None:
    assert counted("hp 1 3", seat=1) == "4/4"
    assert counted("hp 1 3; hp 1 4", seat=1) == "5/5"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("turn 1; hp 3 3", "begun"),
        ("heal 3 1 by 1", "full"),
        ("death 4 by -; hp 4 3", "dead"),
        ("death 4 by -; damage 4 1 by 1", "dead"),
        ("death 4 by -; heal 4 1 by 1", "dead"),
        ("death 4 by -; lose 4 1", "dead"),
        ("death 4 by -; dying 4 by 1", "dead"),
        ("death 4 by -; saved 4", "dead"),
        ("death 4 by -; death 4 by 1", "dead"),
        ("death 4 by -; leave 4", "dead"),
        ("death 4 by -; correct 4 hp 3", "dead"),
        ("damage 3 4 by 1; saved 3 5", "not_in_range"),
        ("damage 3 4 by 1; dying 3 by 1", "already_dying"),
        ("correct 3 hp 5", "not_in_range"),
        ("correct 3 hp 0", "not_in_range"),
        ("correct 3 hp -1", "not_in_range"),
        ("correct 3 max_hp 0", "not_in_range"),
        ("correct 3 limit 3", "not_correctable"),
        ("damage 3 1 by 6", "no_seat"),
        ("damage 6 1 by 3", "no_seat"),
        ("damage 3 5 by 1; saved 3 by 6", "no_seat"),
    ],
)
def test_refused(text: str, reason: str) -> None:
    with pytest.raises(IllegalInput) as refusal:
        after(text)
    assert refusal.value.reason == reason
    assert refusal.value.step == 1 + len(lines(text))


@pytest.mark.parametrize("verb", ["hp 3 3", "damage 3 1 by 1", "heal 3 1 by 1", "lose 3 1", "correct 3 hp 3"])
def test_nothing_is_counted_unless_the_option_is_on(verb: str) -> None:
    with pytest.raises(IllegalInput) as refusal:
        played("classic", f"{DEAL}; {verb}")
    assert (refusal.value.reason, refusal.value.clause) == ("hp_off", "X18")


def test_dying_is_recorded_without_hit_points_too() -> None:
    table = played("classic", f"{DEAL}; dying 3 by 1; saved 3 2; dying 3 by 2")
    assert table.state.seat(3).dying_by == 2
    assert table.state.seat(3).hp is None


def test_several_may_be_dying_and_everything_else_goes_on() -> None:
    table = after("damage 3 4 by 1; lose 4 4; turn 2; death 4; saved 3 by 2")
    assert [seat.number for seat in table.state.living] == [1, 2, 3, 5]


def test_whoever_is_lifted_by_nobody_living_was_healed_by_nobody() -> None:
    table = after("death 4 by -; damage 3 4 by 1; saved 3 1 by 4 2 2 3")
    assert str(table.facts[-1]) == "Saved 3 1 by 2"

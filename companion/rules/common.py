"""What every mode does alike with what people enter: deal, turns, hit points, dying, death, leaving, corrections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.rules import facts as f
from companion.rules import inputs as i
from companion.rules.inputs import refuse
from companion.rules.ruleset import Begun, Cited, Steps
from companion.rules.state import Seat

if TYPE_CHECKING:
    from companion.rules.table import Table


def living(table: Table, number: int) -> Seat:
    """The seat, which must be alive."""
    seat = table.seat(number)
    if not seat.alive:
        refuse("dead", "X3", seat=number)
    return seat


def source(table: Table, number: int, victim: int) -> int:
    """Whose deed it counts as: nobody's where the one named is out already, or is the victim (X2)."""
    if number == f.NOBODY or number == victim:
        return f.NOBODY
    return number if table.seat(number).alive else f.NOBODY


def is_living(table: Table, number: int) -> bool:
    """Whether `number` is a seat (not nobody) that lives."""
    return number != f.NOBODY and table.state.seat(number).alive


def counted(table: Table, number: int) -> tuple[Seat, int, int]:
    """The living seat with its hit points and their maximum, which must be counted (X18)."""
    seat = living(table, number)
    if seat.hp is None or seat.max_hp is None:
        refuse("hp_off", "X18")
    return seat, seat.hp, seat.max_hp


def fallen(table: Table, by: int = f.NOBODY) -> Steps:
    """Everybody at 0 hit points or below begins to die, in the order of play."""
    for seat in table.state.in_order():
        now = table.state.seat(seat.number)
        if now.alive and now.hp is not None and now.hp <= 0 and not now.is_dying:
            yield f.DyingBegan(seat.number, by)


def deal(table: Table, entered: i.Deal) -> Steps:
    """Seats are taken, identities dealt (X8), and the mode's own start follows."""
    rules = table.ruleset
    for reason in rules.check(table.options, entered.cards, True):
        raise reason
    yield f.GameBegan(len(entered.cards), rules.hero_hp if table.has("hp") else None)
    for number, card in enumerate(entered.cards, 1):
        yield f.Dealt(number, f.Identity(card.role, rules.camps[card.role], card.colour), card.target)
    yield Begun()


def hp(table: Table, entered: i.Hp) -> Steps:
    """The hero's hit points, with the start bonus of the seat's identity on top."""
    counted(table, entered.seat)
    if table.state.turn is not None:
        refuse("begun")
    changes = (h.fact for h in table.facts if isinstance(h.fact, f.MaxHpChanged))
    yield f.HeroSet(entered.seat, entered.n + sum(change.n for change in changes if change.seat == entered.seat))


def turn(table: Table, entered: i.Turn) -> Steps:
    living(table, entered.seat)
    yield f.TurnBegan(entered.seat)


def damage(table: Table, entered: i.Damage) -> Steps:
    counted(table, entered.seat)
    by = source(table, entered.by, entered.seat)
    yield f.Damaged(entered.seat, entered.n, by)
    yield from fallen(table, by)


def heal(table: Table, entered: i.Heal) -> Steps:
    _, hit_points, most = counted(table, entered.seat)
    by = source(table, entered.by, entered.seat)
    if hit_points >= most:
        refuse("full", seat=entered.seat)
    yield f.Healed(entered.seat, entered.n, by)


def lose(table: Table, entered: i.Lose) -> Steps:
    counted(table, entered.seat)
    yield f.HpLost(entered.seat, entered.n)
    yield from fallen(table)


def dying(table: Table, entered: i.Dying) -> Steps:
    if living(table, entered.seat).is_dying:
        refuse("already_dying", "X3", seat=entered.seat)
    yield f.DyingBegan(entered.seat, source(table, entered.by, entered.seat))


def save(table: Table, entered: i.Save) -> Steps:
    seat = living(table, entered.seat)
    if not seat.is_dying:
        refuse("not_dying", "X3", seat=entered.seat)
    if seat.max_hp is not None and entered.n > seat.max_hp:
        refuse("not_in_range", found=entered.n, least=1, most=seat.max_hp)
    healers = dict.fromkeys(source(table, number, entered.seat) for number in entered.by)
    yield f.Saved(entered.seat, entered.n, tuple(number for number in healers if number))


def death(table: Table, entered: i.Death) -> Steps:
    """A death, 濒死 first where it was not recorded apart (X3)."""
    seat = living(table, entered.seat)
    if entered.by is not None:
        by = source(table, entered.by, entered.seat)
    elif seat.dying_by is not None:
        by = source(table, seat.dying_by, entered.seat)
    else:
        refuse("no_killer", "X2", seat=entered.seat)
    if not seat.is_dying:
        yield f.DyingBegan(entered.seat, by, implied=True)
        seat = table.seat(entered.seat)
        if not seat.alive:
            return
        if not seat.is_dying:
            yield Cited("X3", f.DeathAverted(entered.seat))
            return
    yield f.Died(entered.seat, by, table.seat(entered.seat).shown is not None)


def leave(table: Table, entered: i.Leave) -> Steps:
    """A death without killer and without 濒死 (X10)."""
    seat = living(table, entered.seat)
    yield f.Died(entered.seat, f.NOBODY, seat.shown is not None, left=True)


def correct(table: Table, entered: i.Correct) -> Steps:
    """What the host says is true at the table. It triggers nothing."""
    if entered.what not in ("hp", "max_hp"):
        refuse("not_correctable", "X18", found=entered.what[:40])
    seat, _, most = counted(table, entered.seat)
    least = -i.MOST if entered.what == "hp" and seat.is_dying else 1
    largest = most if entered.what == "hp" else i.MOST
    if not least <= entered.value <= largest:
        refuse("not_in_range", found=entered.value, least=least, most=largest)
    yield f.Corrected(entered.seat, entered.what, entered.value)


def end(table: Table, _: i.End) -> Steps:
    """The host ends the game without a verdict: only grades fixed before stand."""
    yield f.Ended(None, tuple((s.number, s.grade) for s in table.state.seats if s.grade))


INPUTS: Mapping[type, Callable[[Table, Any], Steps]] = {
    i.Deal: deal,
    i.Hp: hp,
    i.Turn: turn,
    i.Damage: damage,
    i.Heal: heal,
    i.Lose: lose,
    i.Dying: dying,
    i.Save: save,
    i.Death: death,
    i.Leave: leave,
    i.Correct: correct,
    i.End: end,
}


def reveal(table: Table, number: int) -> Steps:
    """The identity is shown to all, unless it is known already."""
    seat = table.state.seat(number)
    if not seat.public and seat.identity:
        yield f.Revealed(number, seat.identity)

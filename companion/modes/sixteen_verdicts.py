"""`sixteen`: how it ends (clauses SX-7…). A living 刺客 never counts: it blocks nobody, and loses with the game."""

from __future__ import annotations

from collections.abc import Callable

from companion.modes.sixteen_roles import ASSASSIN, LATTER_LORD, is_lord
from companion.rules.goals import LOSE, Ending, Grades, camp_wins, everyone, won_by
from companion.rules.state import Seat, State


def contenders(state: State) -> list[Seat]:
    """The living, without 刺客."""
    return [seat for seat in state.living if seat.role != ASSASSIN]


def contending_camps(state: State) -> set[str | None]:
    return {seat.camp for seat in contenders(state)}


def colour(seat: Seat) -> str | None:
    return seat.identity.colour if seat.identity else None


def is_one_colour_left(state: State) -> bool:
    return contending_camps(state) == {"royal"} and len({colour(seat) for seat in contenders(state)}) == 1


def grade_colour(state: State) -> Grades:
    """主忠 of the colour that is left win, dead or alive."""
    left = colour(contenders(state)[0])
    return won_by(lambda seat: seat.camp == "royal" and colour(seat) == left)(state)


def are_rulers_gone(state: State) -> bool:
    camps = contending_camps(state)
    return "rebel" in camps and not camps & {"royal", "yellow_turban", "false_emperor"}


def is_last_after_lord(state: State) -> bool:
    """内奸 or 伪帝 is the only one left, and the last who was killed was a lord kind."""
    left = contenders(state)
    if len(left) != 1 or left[0].camp not in ("renegade", "false_emperor") or state.last_dead is None:
        return False
    return is_lord(state.seat(state.last_dead).identity)


def is_succession_open(state: State) -> bool:
    """先主 is dead and has not named 后主 yet, though somebody is left to be named."""
    fallen = any(seat.role == "former_lord" and not seat.alive for seat in state.seats)
    return fallen and any(state.living) and all(seat.role != LATTER_LORD for seat in state.seats)


def may_successor_change_it(state: State) -> bool:
    """后主 is still to be named (SX-6.3), and with him the verdict could be another: not all living are of one side.

    Whoever is of 主忠 or 反贼 stays so as 后主; everybody else joins 主忠, 刺客 too.
    """
    return is_succession_open(state) and {seat.camp for seat in state.living} not in ({"royal"}, {"rebel"})


def is_any_contract_open(state: State) -> bool:
    return any(
        seat.role == ASSASSIN and seat.target is not None and state.seat(seat.target).alive for seat in state.living
    )


def can_nobody_win(state: State) -> bool:
    if contending_camps(state) & {"royal", "rebel", "yellow_turban"}:
        return False
    return not is_any_contract_open(state)


def ending(clause: str, when: Callable[[State], bool], grades: Callable[[State], Grades]) -> Ending:
    """The ending by this clause, which waits as long as the naming of 后主 may still change it."""
    return Ending(clause, lambda state: when(state) and not may_successor_change_it(state), grades)


ENDINGS = (
    ending("SX-7.1", is_one_colour_left, grade_colour),
    ending("SX-7.2", are_rulers_gone, camp_wins("rebel")),
    ending("SX-7.3", lambda state: contending_camps(state) == {"yellow_turban"}, camp_wins("yellow_turban")),
    ending("SX-7.4", is_last_after_lord, won_by(lambda seat: seat.alive and seat.role != ASSASSIN)),
    ending("SX-7.5", can_nobody_win, everyone(LOSE)),
)

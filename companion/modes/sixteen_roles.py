"""The sixteen identities by kind, and who a seat is taken for."""

from __future__ import annotations

from companion.rules.facts import Identity
from companion.rules.state import Seat, State

LATTER_LORD = "latter_lord"
LORDS = ("lord", "wise_lord", "former_lord", "hidden_dragon", LATTER_LORD)
LOYAL = ("loyalist", "crown_prince", "champion", "royal_guard")
REBELS = ("rebel", "vanguard", "strategist", "alliance_leader")
PUBLIC = ("lord", "wise_lord", "former_lord")
"""Lord kinds that everybody knows from the start."""
COPIED = ("lord", "wise_lord")
"""Lord kinds that 伪帝 can copy (SX-1.3)."""
COLOURED = (*PUBLIC, "hidden_dragon", *LOYAL)
COLOURS = ("red", "blue", "green")
TURBAN = "yellow_turban"
ASSASSIN = "assassin"
FALSE_EMPEROR = "false_emperor"


def is_lord(identity: Identity | None) -> bool:
    """Whether it is a lord kind, 后主 included."""
    return identity is not None and identity.role in LORDS


def is_disguised(seat: Seat) -> bool:
    """伪帝 whom the others still take for the lord that it copies."""
    return seat.role == FALSE_EMPEROR and is_lord(seat.shown)


def card(seat: Seat) -> Identity | None:
    """What somebody reads who looks at the seat's identity card: of a disguised 伪帝 the disguise."""
    return seat.shown if is_disguised(seat) else seat.identity


def turbans(state: State) -> tuple[int, ...]:
    """The seats that are 黄巾, living or dead."""
    return tuple(seat.number for seat in state.seats if seat.role == TURBAN)

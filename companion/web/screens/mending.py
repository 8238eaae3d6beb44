"""What the templates of the host's further pages receive; see `screens` for the rest.

====================  =====================  ==============================================
screen                template               address
====================  =====================  ==============================================
`LineScreen`          host/line.html         GET ``/t/CODE/host/line``
`RehearsalScreen`     host/rehearsal.html    GET ``/t/CODE/host/line`` with ``how``
`EverythingScreen`    host/everything.html   GET ``/t/CODE/host/everything``
====================  =====================  ==============================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion.web.screens import Frame
from companion.web.screens.parts import Entry, Known, Named, Step


@dataclass(frozen=True, slots=True)
class Choices:
    """One field of a form: a list of values and their words, of which one stands there now."""

    name: str
    label: str
    options: Sequence[tuple[str, str]]
    value: str


@dataclass(frozen=True, slots=True)
class LineScreen:
    """One line of the log, and what can be chosen in its place: its `verb` and the other fields of ``/record``.

    Without `choices` it can only be taken out. `since` counts the lines from this one on.
    """

    frame: Frame
    entry: Entry
    verb: str
    choices: tuple[Choices, ...]
    since: int


@dataclass(frozen=True, slots=True)
class Misfit:
    """A line that cannot stand any more, and why."""

    text: str
    why: str
    clause: str = ""


@dataclass(frozen=True, slots=True)
class RehearsalScreen:
    """What a change would mean, before it counts: made of what is public alone (see `tables.rehearsal`).

    `was` words the line (all lines, where several are taken back), `becomes` what stands there then (empty: nothing),
    `line` is the record's. `misfits`: what cannot stand then, as far as everybody can tell (all of it once the game has
    `ended`). `turned`: whose cards were turned since; `done` and `answers`: what was carried out and answered since.
    """

    frame: Frame
    how: Literal["change", "strike", "undo"]
    step: int
    last: int
    seen: int
    line: str
    was: tuple[str, ...]
    becomes: str
    misfits: tuple[Misfit, ...] = ()
    turned: tuple[Named, ...] = ()
    done: tuple[Step, ...] = ()
    answers: tuple[str, ...] = ()
    ended: bool = False


@dataclass(frozen=True, slots=True)
class EverythingScreen:
    """All that is hidden, for a host who has no seat in the game."""

    frame: Frame
    seats: tuple[Known, ...]

"""Strips and marks to cut out: the order of play, provinces and their limit, the marks of the Yellow Turbans."""

from __future__ import annotations

from companion.modes import Mode
from printables.fonts import Fonts
from printables.labels import Lang, label
from printables.ops import FADED, INK, Fill, Op, Page, Shape, frame, line, seal
from printables.sheets import Paper

MARGIN = 12.0
_CUT = "#999999"
MOST_PROVINCES = 9
_STRIP = 44.0
"""A province strip and the gap below it."""


def pages(mode: Mode, lang: Lang, paper: Paper, fonts: Fonts) -> list[Page]:
    """The strips that the mode has a use for, each kind on pages of its own. Raises MissingCharacter."""
    found = [order(mode, lang, paper, fonts)]
    if "provinces" in mode.ruleset.options:
        found += provinces(mode, lang, paper, fonts)
    if "yellow_turban" in mode.roles:
        found.append(marks(mode, lang, paper, fonts))
    return found


def order(mode: Mode, lang: Lang, paper: Paper, fonts: Fonts) -> Page:
    """Strips with a field a seat in the direction of play, to write names into and to cross out the dead."""
    width, height = paper.height, paper.width
    seats = mode.players[-1]
    room = width - 2 * MARGIN
    field = (room - 18) / seats
    strip = 56.0
    latin = lang == "en"
    turn = "clockwise" if mode.clockwise else "counter_clockwise"
    ops: list[Op] = []
    for number in range(int((height - 2 * MARGIN) // (strip + 4))):
        top = MARGIN + number * (strip + 4)
        ops += frame(MARGIN, top, room, strip, 0.2, _CUT)
        ops += seal(MARGIN + 4, top + 4, 10, "#ffffff")
        title = f"{mode.name[lang]}{' – ' if latin else ' · '}{label('strip', lang)}"
        ops.append(line(title, fonts.title, (MARGIN + 17, top + 11), 6, width=room / 2, bold=True, latin=latin))
        ops.append(Shape(turn, width - MARGIN - 12, top + 4.5, 7, INK))
        words = (width - MARGIN - 15, top + 9.6)
        ops.append(line(label(turn, lang), fonts.sans, words, 4, align="right", colour=FADED, latin=latin))
        for seat in range(seats):
            ops += _field(MARGIN + 9 + seat * field, top + 19, field, seat + 1, seat < seats - 1, fonts)
    return Page(width, height, tuple(ops))


def _field(x: float, y: float, width: float, seat: int, has_next: bool, fonts: Fonts) -> list[Op]:
    gap = min(4.0, width / 5)
    box = width - gap
    ops = [*frame(x, y, box, 30, 0.35, INK), line(str(seat), fonts.title, (x + 2, y + 6), 4.6, bold=True)]
    ops.append(Fill(x + 2, y + 19, box - 4, 0.2, FADED))
    ops.append(Fill(x + 2, y + 26, box - 4, 0.2, FADED))
    return [*ops, Shape("arrow", x + box + gap * 0.1, y + 13, gap * 0.8, FADED)] if has_next else ops


def provinces(mode: Mode, lang: Lang, paper: Paper, fonts: Fonts) -> list[Page]:
    """A strip a player: provinces and their limit from 0 upwards, for two counters each."""
    each, players = int((paper.height - 2 * MARGIN) // _STRIP), mode.players[-1]
    return [_strips(min(each, players - done), lang, paper, fonts) for done in range(0, players, each)]


def _strips(count: int, lang: Lang, paper: Paper, fonts: Fonts) -> Page:
    width, strip = paper.width, _STRIP - 3
    room = width - 2 * MARGIN
    latin = lang == "en"
    ops: list[Op] = []
    for number in range(count):
        top = MARGIN + number * _STRIP
        ops += frame(MARGIN, top, room, strip, 0.2, _CUT)
        ops.append(line(label("name", lang), fonts.sans, (MARGIN + 4, top + 7), 3.4, colour=FADED, latin=latin))
        ops.append(Fill(MARGIN + 17, top + 7.6, 56, 0.2, FADED))
        ops += seal(width - MARGIN - 10, top + 2.6, 6, "#ffffff")
        ops += _track(label("provinces", lang), MARGIN + 4, top + 11, room - 8, fonts, latin)
        ops += _track(label("limit", lang), MARGIN + 4, top + 26, room - 8, fonts, latin)
    return Page(width, paper.height, tuple(ops))


def _track(title: str, x: float, y: float, width: float, fonts: Fonts, latin: bool) -> list[Op]:
    """The numbers from 0 to the most in rings."""
    ops: list[Op] = [line(title, fonts.title, (x, y + 8), 4.6, width=22, bold=True, latin=latin)]
    step = (width - 24) / (MOST_PROVINCES + 1)
    for number in range(MOST_PROVINCES + 1):
        left = x + 24 + number * step + (step - 12) / 2
        ops.append(Shape("ring", left, y, 12, INK))
        ops.append(line(str(number), fonts.title, (left + 6, y + 8), 5.4, align="centre", bold=True))
    return ops


def marks(mode: Mode, lang: Lang, paper: Paper, fonts: Fonts) -> Page:
    """Secret tallies for Yellow Turbans, three rings a seat, and marks to lay down."""
    width, latin = paper.width, lang == "en"
    seats = mode.players[-1]
    room = width - 2 * MARGIN
    tally = 22.0 + 9.0 * ((seats + 1) // 2)
    ops: list[Op] = []
    for number in range(2):
        top = MARGIN + number * (tally + 4)
        ops += frame(MARGIN, top, room, tally, 0.2, _CUT)
        ops.append(Shape("yellow_turban", MARGIN + 4, top + 4, 9, INK))
        ops.append(line(label("marks", lang), fonts.title, (MARGIN + 16, top + 10.6), 6, bold=True, latin=latin))
        note = (MARGIN + 4, top + 18)
        ops.append(line(label("marks_note", lang), fonts.sans, note, 3.4, width=room - 8, colour=FADED, latin=latin))
        for seat in range(seats):
            ops += _tally(MARGIN + 4 + seat % 2 * room / 2, top + 21 + seat // 2 * 9, room / 2 - 8, seat + 1, fonts)
    ops += _tokens(2 * (tally + 4) + MARGIN + 4, paper)
    return Page(width, paper.height, tuple(ops))


def _tally(x: float, y: float, width: float, seat: int, fonts: Fonts) -> list[Op]:
    rings = [Shape("ring", x + width - 24 + 8 * n, y + 0.5, 6.5, INK) for n in range(3)]
    number = line(str(seat), fonts.title, (x + 1, y + 6), 4.6, bold=True)
    return [number, Fill(x + 8, y + 6.6, width - 36, 0.2, FADED), *rings]


def _tokens(top: float, paper: Paper) -> list[Op]:
    """Round marks of 21 mm, as many as fit."""
    side = 21.0
    across = int((paper.width - 2 * MARGIN) // side)
    down = int((paper.height - MARGIN - top) // side)
    left = (paper.width - across * side) / 2
    ops: list[Op] = []
    for n in range(across * down):
        x, y = left + n % across * side, top + n // across * side
        ops += [Shape("ring", x + 0.5, y + 0.5, 20, INK), Shape("yellow_turban", x + 5, y + 4.6, 11, INK)]
    return ops

"""What stands and lies on the table: the poster with the QR codes, seat tents, the calibration page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from printables import qr
from printables.cards import border
from printables.fonts import Fonts
from printables.labels import Lang, label
from printables.ops import FADED, INK, WAX, Code, Fill, Op, Page, Shape, Upside, line, runs, seal
from printables.sheets import Paper
from printables.text import Span, fit

MARGIN = 14.0


def poster(
    address: str, lang: Lang, paper: Paper, fonts: Fonts, network: str | None = None, password: str = ""
) -> Page:
    """A page to hang up: scan to join; with a network, above that a smaller code that joins the Wi-Fi first.

    Raises MissingCharacter, DoesNotFit, and ValueError where no QR code can hold the address.
    """
    width, height, latin = paper.width, paper.height, lang == "en"
    middle = width / 2
    ops: list[Op] = [
        *border(width, height, 2.2, inset=3.6),
        *seal(middle - 9, 17, 18, "#ffffff"),
        line(
            label("poster_title", lang),
            fonts.title,
            (middle, 58),
            21,
            width=width - 50,
            align="centre",
            bold=True,
            latin=latin,
        ),
    ]
    if network is None:
        ops += _join(address, 70, 124, fonts, width, latin)
        ops.append(_step(label("poster_only", lang), fonts, middle, 221, width, latin))
    else:
        ops += _wifi(network, password, lang, fonts, width, 68)
        ops.append(_step(label("poster_join", lang), fonts, middle, 125, width, latin))
        ops += _join(address, 131, 94, fonts, width, latin)
    note = fit(
        [[Span(label("poster_peek", lang), fonts.sans, latin=latin)]],
        width - 56,
        14,
        (4.4, 3.0),
        leading=1.4,
        space=0,
        justify=False,
    )
    ops += runs(note, 28, height - 22 - note.height, FADED)
    return Page(width, height, tuple(ops))


def _framed(text: str, x: float, y: float, side: float) -> list[Op]:
    """A QR code with its quiet zone in a frame of lines."""
    quiet = side * 4 / (len(qr.matrix(text, "Q")) + 8)
    lines: list[Op] = [
        Fill(x, y, side, 0.5, INK),
        Fill(x, y + side - 0.5, side, 0.5, INK),
        Fill(x, y, 0.5, side, INK),
        Fill(x + side - 0.5, y, 0.5, side, INK),
    ]
    return [*lines, Code(x + quiet, y + quiet, side - 2 * quiet, text)]


def _join(address: str, top: float, side: float, fonts: Fonts, width: float, latin: bool) -> list[Op]:
    """The code that joins the table, and its address below."""
    middle, below = width / 2, top + side + 10.5
    code = _framed(address, middle - side / 2, top, side)
    return [*code, line(address, fonts.sans, (middle, below), 7.4, width=width - 48, align="centre", latin=latin)]


def _step(text: str, fonts: Fonts, middle: float, y: float, width: float, latin: bool) -> Op:
    return line(text, fonts.title, (middle, y), 8, width=width - 48, align="centre", bold=True, latin=latin)


def _wifi(network: str, password: str, lang: Lang, fonts: Fonts, width: float, top: float) -> list[Op]:
    """The network's code, and beside it its step and what it holds."""
    latin, side = lang == "en", 44.0
    left = 26.0
    x, room = left + side + 7, width - 2 * left - side - 7
    ops = _framed(qr.wifi(network, password), left, top, side)
    ops.append(line(label("poster_wifi", lang), fonts.title, (x, top + 9), 8, width=room, bold=True, latin=latin))
    y = top + 19
    for key, value in (("network", network), ("password", password)):
        if value:
            said = f"{label(key, lang)}{': ' if latin else '：'}{value}"
            made = _folded(said, fonts, (x, y), room, latin)
            ops += made
            y += 7.5 * len(made)
    return ops


def _folded(text: str, fonts: Fonts, place: tuple[float, float], width: float, latin: bool) -> list[Op]:
    """The text in one line or, where that would be too small, in two halves, for a password has no place to break."""
    size, least = 5.0, 3.2
    if fonts.sans.measure(text, latin) * least <= width:
        return [line(text, fonts.sans, place, size, width=width, latin=latin)]
    half = (len(text) + 1) // 2
    halves = (text[:half], text[half:])
    size = min(size, *(width / fonts.sans.measure(one, latin) for one in halves))
    return [line(one, fonts.sans, (place[0], place[1] + 7 * row), size, latin=latin) for row, one in enumerate(halves)]


def tents(names: Sequence[str], paper: Paper, fonts: Fonts) -> list[Page]:
    """Two folded name cards a page, each to be read from both sides. Raises MissingCharacter, DoesNotFit."""
    width, height = paper.width, paper.height
    half = height / 2
    found = []
    for start in range(0, len(names), 2):
        ops: list[Op] = []
        for number, name in enumerate(names[start : start + 2]):
            top = number * half
            ops.append(Upside(0, top, width, half / 2, tuple(_tent(name, width, half / 2, 0, fonts))))
            ops += _tent(name, width, half / 2, top + half / 2, fonts)
            ops += _dashes(width, top + half / 2)
        ops.append(Fill(0, half - 0.1, width, 0.2, "#999999"))
        found.append(Page(width, height, tuple(ops)))
    return found


def _tent(name: str, width: float, height: float, top: float, fonts: Fonts) -> list[Op]:
    """One side, upright."""
    written = line(name, fonts.title, (width / 2, 0), 34, width=width - 60, least=5, align="centre", bold=True)
    base = top + height / 2 + 0.36 * written.size + 1
    return [
        Fill(16, top + 8, width - 32, 0.5, INK),
        Fill(16, top + height - 9, width - 32, 0.5, INK),
        Fill(16, top + height - 7.8, width - 32, 0.2, INK),
        replace(written, y=base),
        *seal(width - 30, top + height - 24, 11, "#ffffff"),
    ]


def _dashes(width: float, y: float) -> list[Op]:
    return [Fill(x, y - 0.1, 3, 0.2, "#999999") for x in range(4, int(width) - 4, 6)]


Flip = Literal["long", "short"]


def calibration(lang: Lang, paper: Paper, fonts: Fonts, flip: Flip = "long", is_landscape: bool = False) -> list[Page]:
    """Two sides of one sheet: a ruler and a cross in front; on the back a scale that shows where that cross falls.

    `flip`, `is_landscape`: as the sheet of cards is turned over and lies, for what is measured holds only there.
    """
    width, height = (paper.height, paper.width) if is_landscape else (paper.width, paper.height)
    middle, centre, latin = width / 2, height / 2, lang == "en"
    way = label("way_landscape" if is_landscape else "way_upright", lang)
    holds = label("calibration_for", lang, paper=paper.name, way=way, flip=label(f"flip_{flip}", lang))

    def side(title: str, text: str) -> list[Op]:
        note = fit(
            [[Span(said, fonts.sans, latin=latin)] for said in (label(text, lang), holds)],
            width - 40,
            30,
            (4.2, 3.0),
            leading=1.4,
            space=0.3,
            justify=False,
        )
        words = f"{label('calibration', lang)} {label(title, lang)}"
        return [
            *seal(20, 16, 12, "#ffffff"),
            line(words, fonts.title, (36, 25), 8, width=width - 60, bold=True, latin=latin),
            *runs(note, 20, 34, INK),
        ]

    front = [*side("front", "calibration_scale"), *_ruler(middle - 75, height - 40, 150, fonts)]
    front += [*_square(middle - 25, centre - 25, 50), *_cross(middle, centre, 12, 0.3)]
    back = [*side("back", "calibration_back"), *_scale(middle, centre, fonts)]
    return [Page(width, height, tuple(front)), Page(width, height, tuple(back))]


def _ruler(x: float, y: float, length: int, fonts: Fonts) -> list[Op]:
    """A ruler in mm whose first and last strokes are `length` apart, middle to middle."""
    ops: list[Op] = [Fill(x, y - 0.1, length, 0.2, INK)]
    for at in range(length + 1):
        tall = 7 if at % 10 == 0 else 5 if at % 5 == 0 else 3
        ops.append(Fill(x + at - 0.06, y - tall, 0.12, tall, INK))
        if at % 10 == 0:
            ops.append(line(str(at), fonts.sans, (x + at, y + 4.4), 3.2, align="centre"))
    return ops


def _square(x: float, y: float, side: float) -> list[Op]:
    """A square whose lines are `side` apart, middle to middle."""
    thin = 0.2
    return [
        Fill(x - thin / 2, y - thin / 2, side + thin, thin, INK),
        Fill(x - thin / 2, y + side - thin / 2, side + thin, thin, INK),
        Fill(x - thin / 2, y - thin / 2, thin, side + thin, INK),
        Fill(x + side - thin / 2, y - thin / 2, thin, side + thin, INK),
    ]


def _cross(x: float, y: float, arm: float, thin: float) -> list[Op]:
    return [Fill(x - arm, y - thin / 2, 2 * arm, thin, INK), Fill(x - thin / 2, y - arm, thin, 2 * arm, INK)]


def _scale(x: float, y: float, fonts: Fonts) -> list[Op]:
    """A cross with strokes at every half millimetre, numbered from the middle; each quarter has one arm's."""
    ops: list[Op] = _cross(x, y, 22, 0.15)
    for step in range(-40, 41):
        at = step / 2
        long = 2.4 if step % 10 == 0 else 1.6 if step % 2 == 0 else 0.8
        ops.append(Fill(x + at - 0.05, y - long, 0.1, 2 * long, INK))
        ops.append(Fill(x - long, y + at - 0.05, 2 * long, 0.1, INK))
        if step % 10 == 0 and step:
            number = f"{at:+g}".replace("-", "−")
            across = (x + at, y + (6.2 if at > 0 else -4.0))
            down = (x - 3.4 if at > 0 else x + 3.4, y + at + 0.9)
            ops.append(line(number, fonts.sans, across, 2.6, align="centre"))
            ops.append(line(number, fonts.sans, down, 2.6, align="right" if at > 0 else "left"))
    ops.append(Shape("arrow", x + 23, y - 2, 4, WAX))
    ops.append(Shape("arrow", x - 2, y + 23, 4, WAX, 1))
    ops.append(line("X", fonts.title, (x + 28, y + 1.3), 3.6, bold=True))
    ops.append(line("Y", fonts.title, (x - 1.3, y + 31), 3.6, bold=True))
    return ops

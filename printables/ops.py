"""What a page or card is drawn with. Lengths are millimetres from the upper left corner of the trimmed card or page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from printables.fonts import Face, FaceName
from printables.text import BOLD_GAP, Block, DoesNotFit, Piece, Span

PAPER = "#f7f1e3"
TINT = "#e9dfc9"
INK = "#221b14"
FADED = "#5a4c3c"
WAX = "#a8281d"
FELT = "#16241d"
FELT_LINE = "#35503f"

LEAST = 2.0
"""No line becomes smaller, in mm."""


@dataclass(frozen=True)
class Fill:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True)
class Shape:
    """A drawn shape (see `glyphs`) of `size` × `size`, turned by so many quarter turns to the right."""

    name: str
    x: float
    y: float
    size: float
    colour: str
    turns: int = 0


@dataclass(frozen=True)
class Run:
    """A line of text that begins at x on the baseline y; `gap` more em behind each character.

    `vertical`: the column's middle is x and its top y; one em a character, and the gap.
    """

    x: float
    y: float
    size: float
    text: str
    face: FaceName
    colour: str
    bold: bool = False
    gap: float = 0.0
    latin: bool = False
    vertical: bool = False


@dataclass(frozen=True)
class Code:
    """A QR code of `size` × `size` without its quiet zone."""

    x: float
    y: float
    size: float
    text: str


@dataclass(frozen=True)
class Upside:
    """Operations in a box of their own, upside down."""

    x: float
    y: float
    width: float
    height: float
    ops: tuple[Op, ...]


Op = Fill | Shape | Run | Code | Upside


@dataclass(frozen=True)
class Page:
    """A page of paper."""

    width: float
    height: float
    ops: tuple[Op, ...]


def frame(x: float, y: float, width: float, height: float, line: float, colour: str) -> list[Op]:
    """The four sides of a rectangle, as lines inside it."""
    return [
        Fill(x, y, width, line, colour),
        Fill(x, y + height - line, width, line, colour),
        Fill(x, y + line, line, height - 2 * line, colour),
        Fill(x + width - line, y + line, line, height - 2 * line, colour),
    ]


def seal(x: float, y: float, size: float, ground: str = PAPER) -> list[Op]:
    """The red seal; what is cut into it shows the ground."""
    return [Shape("wax", x, y, size, WAX), Shape("cut", x, y, size, ground)]


def runs(block: Block, x: float, y: float, colour: str) -> Iterator[Op]:
    """The text of a block whose upper left corner stands at (x, y)."""
    for below, line in block.lines:
        for piece in line:
            yield run(x + piece.x * block.size, y + below, block.size, piece, colour)


def run(x: float, y: float, size: float, piece: Piece, colour: str) -> Run:
    """A piece of a line, which begins at x."""
    span = piece.span
    gap = piece.gap + (BOLD_GAP if span.bold else 0)
    return Run(x, y, size, piece.text, span.face.name, colour, span.bold, gap, span.latin)


def line(
    text: str,
    face: Face,
    place: tuple[float, float],
    size: float,
    *,
    width: float = 0.0,
    least: float = LEAST,
    align: Literal["left", "centre", "right"] = "left",
    bold: bool = False,
    colour: str = INK,
    latin: bool = False,
) -> Run:
    """One line of text on the baseline at `place`; smaller than `size` where `width` asks for it, but not than `least`.

    `align`: whether it begins, has its middle, or ends at the place. Raises MissingCharacter, DoesNotFit.
    """
    face.require(text)
    span = Span(text, face, bold, latin)
    em = span.width(text)
    size = min(size, width / em) if width and em else size
    if size < least:
        raise DoesNotFit(text)
    x = place[0] - em * size * {"left": 0.0, "centre": 0.5, "right": 1.0}[align]
    return run(x, place[1], size, Piece(0, text, span), colour)


def log(ops: Iterable[Op]) -> str:
    """One line an operation, for people to compare: its name, then its values as they stand."""
    return "".join(_line(op) + "\n" for op in ops)


def _line(op: Op) -> str:
    if isinstance(op, Upside):
        return f"upside {op.x:.2f} {op.y:.2f} {op.width:.2f} {op.height:.2f}\n" + log(op.ops).rstrip()
    words = [type(op).__name__.lower()]
    for name, value in vars(op).items():
        if isinstance(value, bool):
            words += [name] if value else []
        elif isinstance(value, float | int):
            words += [f"{value:.2f}"] if name in ("x", "y", "size", "width", "height") or value else []
        else:
            words.append(repr(value) if name == "text" else value)
    return " ".join(words)

"""Where cards lie on paper, where they are cut, and which back lies behind which front. Pure geometry in mm.

The origin is the upper left corner of the page; y runs downwards. Rows and columns count from 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from printables.cards import Format

Backs = Literal["long", "short", "fold", "none"]
Marks = Literal["off", "outside", "full"]

Sides = tuple[float, float, float, float]
"""Left, top, right, bottom."""

SPILL = 1.5
"""With shared cuts: how far the outermost cards run on beyond their cut."""


@dataclass(frozen=True)
class Paper:
    """A sheet of paper, upright."""

    name: str
    width: float
    height: float


A4, LETTER = Paper("A4", 210, 297), Paper("Letter", 215.9, 279.4)


class DoesNotFitOnPaper(ValueError):
    """Not even one card fits between the margins of this layout."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(f"not even one card fits: {layout}")
        self.layout = layout


@dataclass(frozen=True)
class Layout:
    """How cards are laid on sheets. `bleed` 0: neighbours share their cuts; else each has its own bleed around it.

    `margin`: the least distance between a cut and the edge of the paper. `offset`: moves backs, in mm right and down,
    as seen on the page of backs, for printers whose two sides do not meet.
    """

    format: Format
    paper: Paper
    bleed: float = 0.0
    backs: Backs = "long"
    marks: Marks = "outside"
    offset: tuple[float, float] = (0.0, 0.0)
    margin: float = 4.0


@dataclass(frozen=True)
class Slot:
    """A place for a card: its row and column, and its upper left corner once cut."""

    row: int
    column: int
    x: float
    y: float


@dataclass(frozen=True)
class Grid:
    """The places of one sheet. `width`, `height`: the page, which may lie on its side; `fold`: fronts beside backs."""

    layout: Layout
    width: float
    height: float
    columns: int
    rows: int
    fold: bool

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def is_landscape(self) -> bool:
        return self.width > self.height

    @property
    def cell(self) -> tuple[float, float]:
        """What is cut out: a card, or front and back side by side."""
        form = self.layout.format
        return (form.width * (2 if self.fold else 1), form.height)

    @property
    def origin(self) -> tuple[float, float]:
        """The first cut: the block of cards lies in the middle of the page."""
        bleed = self.layout.bleed
        step_x, step_y = self._steps
        return (
            (self.width - self.columns * step_x) / 2 + bleed,
            (self.height - self.rows * step_y) / 2 + bleed,
        )

    @property
    def _steps(self) -> tuple[float, float]:
        bleed = self.layout.bleed
        return self.cell[0] + 2 * bleed, self.cell[1] + 2 * bleed

    @property
    def _flips_sideways(self) -> bool:
        return (self.layout.backs == "long") != self.is_landscape

    def slot(self, number: int) -> Slot:
        """The place of the card with this number (from 0) on the page of fronts, row by row."""
        row, column = divmod(number, self.columns)
        step_x, step_y = self._steps
        return Slot(row, column, self.origin[0] + column * step_x, self.origin[1] + row * step_y)

    def behind(self, slot: Slot) -> Slot:
        """The place on the page of backs that meets this front when the sheet is turned over, without the offset."""
        row = slot.row if self._flips_sideways else self.rows - 1 - slot.row
        column = self.columns - 1 - slot.column if self._flips_sideways else slot.column
        return self.slot(row * self.columns + column)

    def back(self, slot: Slot) -> Slot:
        """The place on the page of backs, with the offset."""
        behind, (right, down) = self.behind(slot), self.layout.offset
        return Slot(behind.row, behind.column, behind.x + right, behind.y + down)

    def beside(self, slot: Slot) -> Slot:
        """The back's place beside a front, across the fold."""
        right, down = self.layout.offset
        return Slot(slot.row, slot.column, slot.x + self.layout.format.width + right, slot.y + down)

    def spill(self, number: int, count: int) -> Sides:
        """How far the front of card `number` of `count` on this page runs beyond its cuts: not into its neighbours."""
        if self.layout.bleed:
            left = right = top = bottom = self.layout.bleed
        else:
            row, column = divmod(number, self.columns)
            left = SPILL if column == 0 else 0.0
            right = SPILL if column == self.columns - 1 or number == count - 1 else 0.0
            top = SPILL if row == 0 else 0.0
            bottom = SPILL if row == self.rows - 1 or number + self.columns >= count else 0.0
        return (left, top, 0.0, bottom) if self.fold else (left, top, right, bottom)

    def spill_back(self, number: int, count: int) -> Sides:
        """The same for its back."""
        left, top, right, bottom = self.spill(number, count)
        if self.fold:
            return 0.0, top, left, bottom
        return (right, top, left, bottom) if self._flips_sideways else (left, bottom, right, top)

    def cuts(self) -> tuple[list[float], list[float]]:
        """Every x and every y at which is cut."""
        across = {round(x, 4) for n in range(self.columns) for x in (self.slot(n).x, self.slot(n).x + self.cell[0])}
        rows = range(0, self.count, self.columns)
        down = {round(y, 4) for n in rows for y in (self.slot(n).y, self.slot(n).y + self.cell[1])}
        return sorted(across), sorted(down)

    def folds(self) -> list[float]:
        """Every x at which is folded."""
        return [self.slot(n).x + self.layout.format.width for n in range(self.columns)] if self.fold else []


def grid(layout: Layout) -> Grid:
    """The arrangement that brings most cards on a sheet; upright where both do alike. Raises DoesNotFitOnPaper."""
    paper, fold = layout.paper, layout.backs == "fold"
    upright = _filled(layout, paper.width, paper.height, fold)
    on_side = _filled(layout, paper.height, paper.width, fold)
    best = on_side if on_side.count > upright.count else upright
    if not best.count:
        raise DoesNotFitOnPaper(layout)
    return best


def alone(layout: Layout, room: float) -> Grid:
    """A page of its own for every card (front and back side by side, to be folded), with so much room around it."""
    made = Grid(layout, 0, 0, 1, 1, layout.backs == "fold")
    width, height = made.cell
    return replace(made, width=width + 2 * room, height=height + 2 * room)


def _filled(layout: Layout, width: float, height: float, fold: bool) -> Grid:
    cell_width, cell_height = layout.format.width * (2 if fold else 1), layout.format.height
    between = 2 * layout.bleed

    def count(length: float, size: float) -> int:
        room = min(length - 2 * layout.margin + between, length)
        return max(0, int((room + 1e-6) // (size + between)))

    return Grid(layout, width, height, count(width, cell_width), count(height, cell_height), fold)


Mark = tuple[float, float, float, float]
"""A line from (x, y) to (x, y)."""


def marks(made: Grid, count: int) -> Iterator[Mark]:
    """The lines that show where to cut `count` cards; they stand on fronts only."""
    kind = made.layout.marks
    xs, ys = made.cuts()
    if kind == "full":
        yield from ((x, 0, x, made.height) for x in xs)
        yield from ((0, y, made.width, y) for y in ys)
    elif kind == "outside" and made.layout.bleed:
        yield from _around_each(made, count)
    elif kind == "outside":
        yield from _around_all(made, xs, ys)


def corner_marks(made: Grid, room: float) -> Iterator[Mark]:
    """The lines that show where to cut a card on a page of its own: in the room around its bleed."""
    far, near = 1.0, room - (made.layout.bleed or SPILL) - 1.0
    xs, ys = made.cuts()
    for x in xs:
        yield (x, far, x, near)
        yield (x, made.height - near, x, made.height - far)
    for y in ys:
        yield (far, y, near, y)
        yield (made.width - near, y, made.width - far, y)


def ruler(made: Grid) -> tuple[float, float, int]:
    """Where a ruler stands below the first column, and its length in mm: whole centimetres, at most five.

    Beside it there is room for its label.
    """
    xs, ys = made.cuts()
    length = int(min(50, xs[1] - xs[0] - 10) // 10 * 10)
    free = made.height - ys[-1] - (made.layout.bleed or SPILL)
    return xs[0] + 2.5, made.height - free / 2 + 1.0, length


def ruler_marks(made: Grid) -> Iterator[Mark]:
    """The ruler that shows whether the sheet was printed at its size."""
    x, y, length = ruler(made)
    yield (x, y, x + length, y)
    for at in range(length + 1):
        yield (x + at, y, x + at, y - (2.2 if at % 10 == 0 else 1.6 if at % 5 == 0 else 1.0))


def fold_marks(made: Grid) -> Iterator[Mark]:
    """Where to fold: above and below the cards."""
    _, ys = made.cuts()
    for x in made.folds():
        yield (x, max(0, ys[0] - 9), x, ys[0] - 2)
        yield (x, ys[-1] + 2, x, min(made.height, ys[-1] + 9))


def _around_all(made: Grid, xs: list[float], ys: list[float]) -> Iterator[Mark]:
    near, far = SPILL + 0.5, SPILL + 5.5
    for x in xs:
        yield (x, max(0, ys[0] - far), x, ys[0] - near)
        yield (x, ys[-1] + near, x, min(made.height, ys[-1] + far))
    for y in ys:
        yield (max(0, xs[0] - far), y, xs[0] - near, y)
        yield (xs[-1] + near, y, min(made.width, xs[-1] + far), y)


def _around_each(made: Grid, count: int) -> Iterator[Mark]:
    """Ticks in the bleed of every card, which is cut away."""
    near, far = 0.6, made.layout.bleed
    width, height = made.cell
    for number in range(count):
        slot = made.slot(number)
        for x in (slot.x, slot.x + width):
            yield (x, slot.y - far, x, slot.y - near)
            yield (x, slot.y + height + near, x, slot.y + height + far)
        for y in (slot.y, slot.y + height):
            yield (slot.x - far, y, slot.x - near, y)
            yield (slot.x + width + near, y, slot.x + width + far, y)

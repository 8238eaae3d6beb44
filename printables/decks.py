"""A deck of cards as a PDF to print and cut, as single cards for a print shop, or as one picture a card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from companion.modes.deck import PrintedCard
from printables import cards, sheets
from printables.cards import Printing
from printables.faces import front
from printables.ops import FELT, PAPER, Op, line
from printables.paint import paint, save_png
from printables.pdf import DUPLEX, Document
from printables.sheets import Grid, Layout, Slot

MARK_ROOM = 7.0
"""Around the bleed of a single card with crop marks, in mm."""

Tick = Callable[[], None]


@dataclass(frozen=True)
class Deck:
    """Cards to be printed, and at how many pixels an inch."""

    cards: tuple[PrintedCard, ...]
    printing: Printing
    dpi: int

    def face(self, card: PrintedCard, bleed: float) -> Image.Image:
        """The painted face. Raises CardDoesNotFit or MissingCharacter."""
        return self._painted(front(card, self.printing), bleed, PAPER)

    def back(self, bleed: float) -> Image.Image:
        """The painted back."""
        return self._painted(cards.back(self.printing.format, bleed), bleed, FELT)

    def _painted(self, ops: Sequence[Op], bleed: float, ground: str) -> Image.Image:
        form = self.printing.format
        return paint(ops, form.width, form.height, self.dpi, self.printing.fonts, ground=ground, bleed=bleed)

    def key(self, card: PrintedCard) -> str:
        """Cards with the same key look alike."""
        return f"{card.identity}-{card.copy}" if self.printing.codes else card.identity

    @property
    def pictures(self) -> int:
        """How many pictures will be painted, the back included."""
        return len({self.key(card) for card in self.cards}) + 1

    @property
    def title(self) -> str:
        return self.printing.mode.name[self.printing.lang]


def write_sheets(deck: Deck, layout: Layout, path: Path, tick: Tick = lambda: None) -> Grid:
    """The deck on sheets of paper. `tick` is called once a picture. Raises DoesNotFitOnPaper."""
    made = sheets.grid(layout)

    def finish(document: Document, count: int, is_back: bool) -> None:
        if layout.marks != "off" and not is_back:
            document.lines(sheets.marks(made, count))
            _ruler(document, deck, made)

    _write(deck, made, path, finish, tick)
    return made


def write_single(deck: Deck, layout: Layout, path: Path, tick: Tick = lambda: None) -> None:
    """One page a card, at its size with bleed, each followed by its back; for print shops.

    Paper and margin of the layout mean nothing here.
    """
    has_marks = layout.marks != "off"
    room = (layout.bleed or sheets.SPILL) + MARK_ROOM if has_marks else layout.bleed
    made = sheets.alone(layout, room)

    def finish(document: Document, count: int, is_back: bool) -> None:
        if has_marks:
            document.lines(sheets.corner_marks(made, room))

    _write(deck, made, path, finish, tick, room)


Finish = Callable[[Document, int, bool], None]
"""Adds what stands beside so many cards to the page, which may be one of backs."""


def _write(deck: Deck, made: Grid, path: Path, finish: Finish, tick: Tick, room: float = 0.0) -> None:
    """The deck in this arrangement. `room`: from the edge of a page to where it is cut."""
    layout, form = made.layout, deck.printing.format
    document = Document(path, deck.title, DUPLEX[layout.backs])
    bleed = layout.bleed or sheets.SPILL
    trim = (room, layout.bleed if room else 0.0)
    if layout.backs != "none":
        document.picture("back", deck.back(bleed), form.width + 2 * bleed, form.height + 2 * bleed)
    tick()
    for start in range(0, len(deck.cards), made.count):
        shown = deck.cards[start : start + made.count]
        document.page(made.width, made.height, *trim)
        for number, card in enumerate(shown):
            _know(deck, document, card, bleed, tick)
            slot = made.slot(number)
            _place(document, deck.key(card), slot, made.spill(number, len(shown)), form, bleed)
            if made.fold:
                _place(document, "back", made.beside(slot), made.spill_back(number, len(shown)), form, bleed)
        finish(document, len(shown), False)
        document.lines(sheets.fold_marks(made), dashed=True)
        document.end_page()
        if layout.backs in ("long", "short"):
            document.page(made.width, made.height, *trim)
            for number in range(len(shown)):
                back = made.back(made.slot(number))
                _place(document, "back", back, made.spill_back(number, len(shown)), form, bleed)
            finish(document, len(shown), True)
            document.end_page()
    document.save()


def _ruler(document: Document, deck: Deck, made: Grid) -> None:
    """The ruler, and beside it how long it is."""
    x, y, length = sheets.ruler(made)
    document.lines(sheets.ruler_marks(made))
    if not document.knows("ruler"):
        fonts, size = deck.printing.fonts, 2.0
        words = line(f"{length} mm", fonts.sans, (0.2, 1.9), size)
        width = fonts.sans.measure(words.text) * size + 0.4
        document.picture("ruler", paint([words], width, 2.5, deck.dpi, fonts), width, 2.5)
    document.place("ruler", x + length + 0.6, y - 2.1)


def write_pictures(deck: Deck, folder: Path, bleed: float, tick: Tick = lambda: None) -> list[Path]:
    """One PNG a card that looks like no other, and one of the back, numbered in the order of the deck."""
    folder.mkdir(parents=True, exist_ok=True)
    distinct = {deck.key(card): card for card in reversed(deck.cards)}
    written = []
    for number, (key, card) in enumerate(reversed(distinct.items()), 1):
        path = folder / f"{number:02}-{key.replace(':', '-')}.png"
        save_png(deck.face(card, bleed), path)
        written.append(path)
        tick()
    save_png(deck.back(bleed), folder / "back.png")
    tick()
    return [*written, folder / "back.png"]


def _know(deck: Deck, document: Document, card: PrintedCard, bleed: float, tick: Tick) -> None:
    form = deck.printing.format
    if not document.knows(deck.key(card)):
        document.picture(deck.key(card), deck.face(card, bleed), form.width + 2 * bleed, form.height + 2 * bleed)
        tick()


def _place(
    document: Document,
    key: str,
    slot: Slot,
    spill: sheets.Sides,
    form: cards.Format,
    bleed: float,
) -> None:
    left, top, right, bottom = spill
    clip = (slot.x - left, slot.y - top, form.width + left + right, form.height + top + bottom)
    document.place(key, slot.x - bleed, slot.y - bleed, clip)

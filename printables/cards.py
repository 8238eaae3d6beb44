"""What all cards share: their sizes, how a deck is printed, the frame, and the one back."""

from __future__ import annotations

from dataclasses import dataclass

from companion.modes import Mode
from companion.modes.deck import PrintedCard
from printables.fonts import Fonts
from printables.labels import Lang
from printables.ops import FELT_LINE, INK, PAPER, WAX, Op, Shape, frame


@dataclass(frozen=True)
class Format:
    """A card's size when cut, in mm."""

    width: float
    height: float

    @property
    def scale(self) -> float:
        """How much larger than a poker card it is."""
        return min(self.width / 63, self.height / 88)


POKER, US, TAROT = Format(63, 88), Format(63.5, 88.9), Format(70, 120)


@dataclass(frozen=True)
class Printing:
    """How the cards of one deck are printed. `codes`: by card; `address`: what stands before a code in its QR code."""

    mode: Mode
    lang: Lang
    format: Format
    fonts: Fonts
    codes: dict[PrintedCard, str] | None = None
    address: str | None = None


class CardDoesNotFit(ValueError):
    """A card with a text that is too long for it."""

    def __init__(self, card: str, text: str) -> None:
        super().__init__(f"{card}: this text is too long for the card, even in the smallest type: {text}")
        self.card = card
        self.text = text


INSET = 3.0
"""From the cut to the frame, in mm of a poker card."""


def border(width: float, height: float, k: float, inset: float = INSET) -> list[Op]:
    """A frame with square hooks in its corners."""
    edge, hook = inset * k, 4.4 * k
    right, bottom = width - edge - hook, height - edge - hook
    corners = ((edge, edge), (right, edge), (right, bottom), (edge, bottom))
    return [
        *frame(edge, edge, width - 2 * edge, height - 2 * edge, 0.44 * k, INK),
        *(Shape("hook", x, y, hook, INK, turns) for turns, (x, y) in enumerate(corners)),
    ]


def back(form: Format, bleed: float) -> list[Op]:
    """The back: the same for every card, and the same again when it is turned half round."""
    k = form.scale
    tile = _tile(form)
    across, down = _tiles(form.width + 2 * bleed, tile), _tiles(form.height + 2 * bleed, tile)
    centre_x, centre_y = form.width / 2, form.height / 2
    found: list[Op] = [
        Shape("lattice", centre_x + column * tile, centre_y + row * tile, tile, FELT_LINE)
        for row in range(-down, down)
        for column in range(-across, across)
    ]
    stamp, disc = 15 * k, 27 * k
    found.append(Shape("dot", centre_x - disc / 2, centre_y - disc / 2, disc, "#16241d"))
    found.append(Shape("ring", centre_x - disc / 2, centre_y - disc / 2, disc, "#b9a878"))
    x, y = centre_x - stamp / 2, centre_y - stamp / 2
    return [*found, Shape("wax_even", x, y, stamp, WAX), Shape("cut_even", x, y, stamp, PAPER)]


def _tile(form: Format) -> float:
    """The size of some 4.5 mm at which cuts stay farthest from the lattice's lines, for no cut is exact."""

    def clearance(tile: float) -> float:
        cuts = [side / 2 / tile % 1 for side in (form.width, form.height)]
        return tile * min(max(min(cut - start, end - cut) for start, end in _PLAIN) for cut in cuts)

    return max((form.scale * (4.2 + step / 100) for step in range(61)), key=clearance)


_PLAIN = ((0.025, 0.229), (0.275, 0.417), (0.583, 0.725), (0.771, 0.975))
"""What lies between the lines of the lattice's unit (see `glyphs`)."""


def _tiles(length: float, tile: float) -> int:
    return int(length / 2 / tile) + 1

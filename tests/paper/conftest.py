"""What the tests of paper share: the fonts, decks, and pages drawn by a reader that shares no code with the writer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from PIL import Image

from companion.modes import deck, find_mode
from printables import cards, decks, sheets
from printables.fonts import Fonts, fonts
from printables.labels import Lang
from printables.sheets import Layout

KEY = "ABCDEFGH12345678"
GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="session")
def noto() -> Fonts:
    return fonts()


MakeDeck = Callable[..., decks.Deck]


@pytest.fixture(scope="session")
def make_deck(noto: Fonts) -> MakeDeck:
    def make(
        mode: str = "court8",
        lang: Lang = "zh_hans",
        form: cards.Format = cards.POKER,
        dpi: int = 150,
        address: str | None = None,
    ) -> decks.Deck:
        found = find_mode(mode)
        made = deck.cards(found)
        codes = deck.Codes(KEY, [found])
        printing = cards.Printing(found, lang, form, noto, {card: codes.code(card) for card in made}, address)
        return decks.Deck(made, printing, dpi)

    return make


class Pdf:
    """A PDF as pypdfium2 sees it."""

    def __init__(self, path: Path) -> None:
        self.raw = path.read_bytes()
        self._document = pypdfium2.PdfDocument(self.raw)

    def __len__(self) -> int:
        return len(self._document)

    def size(self, page: int) -> tuple[float, float]:
        """In mm."""
        width, height = self._document[page].get_size()
        return width / 72 * 25.4, height / 72 * 25.4

    def box(self, page: int, name: str) -> tuple[float, ...]:
        """The trim or bleed box in mm: left, bottom, right, top."""
        found: Any = getattr(self._document[page], f"get_{name}box")()
        return tuple(side / 72 * 25.4 for side in found)

    def image(self, page: int, dpi: int = 150) -> Image.Image:
        picture: Image.Image = self._document[page].render(scale=dpi / 72).to_pil()
        return picture.convert("RGB")


@pytest.fixture
def sheets_pdf(tmp_path: Path, make_deck: MakeDeck) -> Callable[..., tuple[Pdf, sheets.Grid, decks.Deck]]:
    def write(
        mode: str = "court8", paper: sheets.Paper = sheets.A4, **chosen: Any
    ) -> tuple[Pdf, sheets.Grid, decks.Deck]:
        made = make_deck(mode, **{key: chosen.pop(key) for key in ("form", "address", "lang") if key in chosen})
        path = tmp_path / "cards.pdf"
        grid = decks.write_sheets(made, Layout(made.printing.format, paper, **chosen), path)
        return Pdf(path), grid, made

    return write


def wax(image: Image.Image) -> Iterator[tuple[int, int]]:
    """The pixels that are as red as the seal."""
    content = image.tobytes()
    for at in range(0, len(content), 3):
        if content[at] > 140 and content[at + 1] < 70 and content[at + 2] < 60:
            yield at // 3 % image.width, at // 3 // image.width

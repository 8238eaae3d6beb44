"""Writes pages of paper as a PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from PIL import Image

from printables.fonts import Fonts
from printables.ops import Page
from printables.paint import paint
from printables.pdf import Document, Duplex

BAND, CALM = 1200, 8
"""In pixels: the height of a band, and of the stretch of equal rows in whose middle two bands meet."""


def write_pages(
    pages: Sequence[Page],
    path: Path,
    title: str,
    dpi: int,
    fonts: Fonts,
    *,
    duplex: Duplex = "Simplex",
    tick: Callable[[], None] = lambda: None,
) -> None:
    """The pages as they are. `tick` is called once a page."""
    document = Document(path, title, duplex)
    for number, page in enumerate(pages):
        document.page(page.width, page.height)
        _place(document, str(number), page, paint(page.ops, page.width, page.height, dpi, fonts))
        document.end_page()
        tick()
    document.save()


def _place(document: Document, key: str, page: Page, image: Image.Image) -> None:
    """The page in bands, for reportlab copies every picture several times."""
    mm = page.height / image.height
    for top, bottom in pairwise([0, *seams(image), image.height]):
        band = image.crop((0, top, image.width, bottom))
        document.picture(f"{key}-{top}", band, page.width, (bottom - top) * mm)
        document.place(f"{key}-{top}", 0, top * mm)


def seams(image: Image.Image) -> Iterator[int]:
    """Where bands meet: where nothing but upright lines crosses, so that no renderer's rounding shows."""
    top = 0
    while top + BAND < image.height:
        places = range(top + BAND, top + BAND // 4, -CALM // 2)
        top = next((place for place in places if _is_calm(image, place)), top + BAND)
        yield top


def _is_calm(image: Image.Image, y: int) -> bool:
    rows = image.crop((0, y - CALM // 2, image.width, y + CALM // 2)).tobytes()
    return rows[: 3 * image.width] * CALM == rows

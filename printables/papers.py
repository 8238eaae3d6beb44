"""Writes pages of paper as a PDF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image

from printables.fonts import Fonts
from printables.ops import Page
from printables.paint import paint
from printables.pdf import Document, Duplex

BAND, OVERLAP = 1200, 2
"""Pixels."""


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
    """The page in bands, for reportlab copies every picture several times; they overlap so that no seam shows."""
    mm = page.height / image.height
    for top in range(0, image.height, BAND):
        bottom = min(image.height, top + BAND + OVERLAP)
        band = image.crop((0, top, image.width, bottom))
        document.picture(f"{key}-{top}", band, page.width, (bottom - top) * mm)
        document.place(f"{key}-{top}", 0, top * mm)

"""Writes pages of paper as a PDF."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from printables.fonts import Fonts
from printables.ops import Page
from printables.paint import paint
from printables.pdf import Document, Duplex


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
    """The pages as they are, one picture each. `tick` is called once a page."""
    document = Document(path, title, duplex)
    for number, page in enumerate(pages):
        document.page(page.width, page.height)
        document.picture(str(number), paint(page.ops, page.width, page.height, dpi, fonts), page.width, page.height)
        document.place(str(number), 0, 0)
        document.end_page()
        tick()
    document.save()

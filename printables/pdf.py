"""Places painted pictures on the pages of a PDF, with what a printer has to know of them. Millimetres, y downwards."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from PIL import Image
from reportlab import rl_config
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from printables.sheets import Backs, Mark

MM = 72 / 25.4

Duplex = Literal["Simplex", "DuplexFlipLongEdge", "DuplexFlipShortEdge"]

DUPLEX: dict[Backs, Duplex] = {
    "long": "DuplexFlipLongEdge",
    "short": "DuplexFlipShortEdge",
    "fold": "Simplex",
    "none": "Simplex",
}
"""What the printer is told."""


class Document:
    """A PDF in the making. Viewers are told not to scale it, and how to turn the sheet."""

    def __init__(self, path: Path, title: str, duplex: Duplex = "Simplex") -> None:
        rl_config.useA85 = 0
        self._canvas = Canvas(str(path), invariant=1, pageCompression=1)
        self._canvas.setTitle(title)
        self._canvas.setCreator("Identity Companion")
        self._canvas.setViewerPreference("PrintScaling", "None")
        self._canvas.setViewerPreference("Duplex", duplex)
        self._height = 0.0
        self._known: dict[str, tuple[float, float]] = {}

    def page(self, width: float, height: float, trim: float = 0.0, bleed: float = 0.0) -> None:
        """Begin a page. `trim`: from the edge of the page to where it is cut; `bleed`: from the cut outwards."""
        self._height = height
        self._canvas.setPageSize((width * MM, height * MM))
        self._canvas.setTrimBox(_inset(width, height, trim))
        self._canvas.setBleedBox(_inset(width, height, trim - bleed))

    def end_page(self) -> None:
        self._canvas.showPage()

    def picture(self, key: str, image: Image.Image, width: float, height: float) -> None:
        """Keep a picture of this size under a key, to be placed as often as wanted; it is stored once."""
        self._canvas.beginForm(key, 0, 0, width * MM, height * MM)
        self._canvas.drawImage(ImageReader(image), 0, 0, width * MM, height * MM)
        self._canvas.endForm()
        self._known[key] = (width, height)

    def knows(self, key: str) -> bool:
        return key in self._known

    def place(self, key: str, x: float, y: float, clip: tuple[float, float, float, float] | None = None) -> None:
        """Place a kept picture with its upper left corner at (x, y); only what lies in the box x, y, width, height."""
        canvas = self._canvas
        canvas.saveState()
        if clip:
            left, top, width, height = clip
            path = canvas.beginPath()
            path.rect(left * MM, (self._height - top - height) * MM, width * MM, height * MM)
            canvas.clipPath(path, stroke=0, fill=0)
        canvas.translate(x * MM, (self._height - y - self._known[key][1]) * MM)
        canvas.doForm(key)
        canvas.restoreState()

    def lines(self, marks: Iterable[Mark], dashed: bool = False) -> None:
        """Hairlines, black with a white edge, so that they are seen on any ground."""
        drawn = [(x1 * MM, (self._height - y1) * MM, x2 * MM, (self._height - y2) * MM) for x1, y1, x2, y2 in marks]
        if not drawn:
            return
        for width, grey in ((0.75, 1.0), (0.25, 0.0)):
            self._canvas.setDash(*((2, 2) if dashed else ()))
            self._canvas.setLineWidth(width)
            self._canvas.setStrokeGray(grey)
            self._canvas.lines(drawn)

    def save(self) -> None:
        self._canvas.save()


def _inset(width: float, height: float, inset: float) -> tuple[float, float, float, float]:
    """A page box so far inside the page, in points."""
    return inset * MM, inset * MM, (width - inset) * MM, (height - inset) * MM

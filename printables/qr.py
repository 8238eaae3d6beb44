"""QR codes as SVG text that fits any page: no raster image, no script, no fixed size."""

from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import Literal

from qrcode.constants import ERROR_CORRECT_H, ERROR_CORRECT_L, ERROR_CORRECT_M, ERROR_CORRECT_Q
from qrcode.exceptions import DataOverflowError
from qrcode.main import QRCode
from qrcode.util import QRData

Level = Literal["L", "M", "Q", "H"]

_LEVELS: dict[Level, int] = {
    "L": ERROR_CORRECT_L,
    "M": ERROR_CORRECT_M,
    "Q": ERROR_CORRECT_Q,
    "H": ERROR_CORRECT_H,
}


def matrix(text: str, level: Level = "M") -> list[list[bool]]:
    """The modules of the smallest code that holds `text`, row by row, without quiet zone; True is dark.

    Text of digits, capitals, space and `$%*+-./:` alone takes the alphanumeric mode, which makes a smaller code.
    `level` is the error correction: M for a screen, Q for paper. Raises ValueError when no code can hold the text.
    """
    code = QRCode(error_correction=_LEVELS[level], border=0)
    code.add_data(QRData(text))
    try:
        code.make(fit=True)
    except (DataOverflowError, ValueError) as error:
        raise ValueError(f"text of {len(text)} characters does not fit a QR code of level {level}") from error
    return code.get_matrix()


def svg(text: str, *, label: str, level: Level = "M", quiet: int = 4) -> str:
    """An `<svg>` element that shows `text` as a QR code, black on white, one unit a module.

    It has no size of its own: the page gives it one. `label` is what a screen reader says; `quiet` is the width of
    the white border in modules (readers expect 4). Raises ValueError when no code can hold the text.
    """
    rows = matrix(text, level)
    side = len(rows) + 2 * quiet
    dark = "".join(_bars(rows, quiet))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" shape-rendering="crispEdges"'
        f' role="img" aria-label="{escape(label)}">'
        f'<rect width="{side}" height="{side}" fill="#fff"/><path d="{dark}"/></svg>'
    )


def blocks(text: str, *, level: Level = "M", quiet: int = 4) -> list[str]:
    """`text` as lines of half blocks, two rows of modules in each: to be written dark on light, in a console."""
    rows = matrix(text, level)
    side = len(rows) + 2 * quiet
    blank = [[False] * side for _ in range(quiet)]
    framed = [*blank, *([False] * quiet + row + [False] * quiet for row in rows), *blank, [False] * side]
    return [
        "".join(" ▄▀█"[2 * above + below] for above, below in zip(*framed[y : y + 2], strict=True))
        for y in range(0, side, 2)
    ]


def wifi(network: str, password: str = "") -> str:
    """The text of a code that joins a phone to a Wi-Fi network (WPA, or an open one without password)."""
    kind = "WPA" if password else "nopass"
    return f"WIFI:T:{kind};S:{_escaped(network)};" + (f"P:{_escaped(password)};" if password else "") + ";"


def _escaped(text: str) -> str:
    return "".join(f"\\{character}" if character in '\\;,:"' else character for character in text)


def _bars(rows: list[list[bool]], quiet: int) -> Iterator[str]:
    """One closed sub-path for each run of dark modules in a row."""
    for y, row in enumerate(rows, quiet):
        x = quiet
        for is_dark, run in groupby(row):
            width = len(list(run))
            if is_dark:
                yield f"M{x} {y}h{width}v1H{x}z"
            x += width

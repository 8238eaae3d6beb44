"""Fonts as the layout needs them: which characters they have, how wide these are, and where their files lie."""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from sys import byteorder
from typing import BinaryIO, Literal

from PIL import ImageFont

FaceName = Literal["sans", "serif", "title"]

_NARROW = {"“": (-0.57, 0.43), "”": (0.0, 0.43), "‘": (-0.74, 0.26), "’": (0.0, 0.26)}
"""Quotation marks that Chinese fonts draw a character wide, for Latin text: shift to the right and width, in em."""


class MissingCharacter(ValueError):
    """A character that the font has no shape for."""

    def __init__(self, character: str, font: Path, text: str) -> None:
        super().__init__(
            f"{font.name} has no character {character} (U+{ord(character):04X}), which stands in: {text[:60]}"
        )
        self.character = character
        self.text = text


@dataclass(frozen=True)
class Face:
    """A font. Widths are in em: they hold for every size, so a line breaks alike at every resolution."""

    name: FaceName
    path: Path
    _starts: array[int] = field(repr=False, compare=False)
    _ends: array[int] = field(repr=False, compare=False)
    _widths: dict[str, float] = field(repr=False, compare=False, default_factory=dict)

    def has(self, character: str) -> bool:
        """Whether the font has a shape for the character."""
        at = bisect_right(self._starts, ord(character)) - 1
        return at >= 0 and ord(character) <= self._ends[at]

    def require(self, text: str) -> None:
        """Raises MissingCharacter for the first character that the font lacks."""
        for character in text:
            if not self.has(character):
                raise MissingCharacter(character, self.path, text)

    def width(self, character: str) -> float:
        """How far the character takes the pen, in em."""
        if character not in self._widths:
            self._widths[character] = self.sized(1000).getlength(character) / 1000
        return self._widths[character]

    def placed(self, character: str, latin: bool) -> tuple[float, float]:
        """How far its shape moves to the right, and how far it takes the pen, in em.

        `latin`: quotation marks that the font draws as wide as a Chinese character take a Latin one's room.
        """
        width = self.width(character)
        return _NARROW[character] if latin and width > 0.8 and character in _NARROW else (0.0, width)

    def measure(self, text: str, latin: bool = False) -> float:
        """The width of the text in em."""
        return sum(self.placed(character, latin)[1] for character in text)

    def sized(self, pixels: float) -> ImageFont.FreeTypeFont:
        """The font for drawing at so many pixels an em."""
        return _sized(self.path, pixels)


@cache
def _sized(path: Path, pixels: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, pixels, layout_engine=ImageFont.Layout.BASIC)


@cache
def face(name: FaceName, path: Path) -> Face:
    """The font in this file (TrueType or OpenType). Raises ValueError where it is none."""
    try:
        ImageFont.truetype(path, 10, layout_engine=ImageFont.Layout.BASIC)
        with path.open("rb") as file:
            return Face(name, path, *_ranges(file))
    except (OSError, struct.error) as error:
        raise ValueError(f"{path} is not a font that can be used: {error}") from error


@dataclass(frozen=True)
class Fonts:
    """The faces that the paper is set in. Without a title font of one's own, titles stand in the serif face."""

    sans: Face
    serif: Face
    title: Face

    def __getitem__(self, name: FaceName) -> Face:
        return {"sans": self.sans, "serif": self.serif, "title": self.title}[name]


def fonts(title: Path | None = None) -> Fonts:
    """The fonts that come along, Noto Sans and Noto Serif for both ways of writing Chinese, and a file for titles.

    Raises ValueError where the file is not a font.
    """
    from pylopdf_fonts_zh_cn import sans_path, serif_path

    serif = serif_path()
    return Fonts(face("sans", sans_path()), face("serif", serif), face("title", title or serif))


def _ranges(file: BinaryIO) -> tuple[array[int], array[int]]:
    """First and last code points of the ranges that the font's character map covers, ascending."""
    table = _table(file, b"cmap")
    file.seek(table)
    _, count = struct.unpack(">HH", file.read(4))
    records = [struct.unpack(">HHI", file.read(8)) for _ in range(count)]
    offsets = {(platform, encoding): offset for platform, encoding, offset in records}
    for key in ((3, 10), (0, 4), (0, 6), (3, 1), (0, 3)):
        if key in offsets:
            return _subtable(file, table + offsets[key])
    raise ValueError("it has no Unicode character map")


def _table(file: BinaryIO, wanted: bytes) -> int:
    """The offset of a table; of a collection, the first font's."""
    start = 0
    if file.read(4) == b"ttcf":
        file.seek(12)
        (start,) = struct.unpack(">I", file.read(4))
    file.seek(start + 4)
    (count,) = struct.unpack(">H", file.read(2))
    file.seek(start + 12)
    for _ in range(count):
        tag, _, offset, _ = struct.unpack(">4sIII", file.read(16))
        if tag == wanted:
            return int(offset)
    raise ValueError(f"it has no {wanted.decode()} table")


def _subtable(file: BinaryIO, offset: int) -> tuple[array[int], array[int]]:
    file.seek(offset)
    (form,) = struct.unpack(">H", file.read(2))
    if form == 12:
        file.seek(offset + 12)
        (count,) = struct.unpack(">I", file.read(4))
        groups = _numbers("I", file.read(12 * count))
        return groups[0::3], groups[1::3]
    if form == 4:
        file.seek(offset + 6)
        (count,) = struct.unpack(">H", file.read(2))
        file.seek(offset + 14)
        ends = _numbers("H", file.read(count))
        file.seek(2, 1)
        return _numbers("H", file.read(count)), ends
    raise ValueError(f"its character map has the unknown form {form}")


def _numbers(kind: Literal["H", "I"], content: bytes) -> array[int]:
    numbers = array(kind, content)
    if byteorder == "little":
        numbers.byteswap()
    return numbers

"""Paints draw operations with Pillow: millimetres in, pixels out, at any resolution."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from math import ceil, floor
from pathlib import Path

from PIL import Image, ImageChops, ImageColor, ImageDraw

from printables import glyphs, qr
from printables.fonts import Face, Fonts
from printables.ops import Code, Fill, Op, Run, Shape, Upside

STROKE = 0.026
"""How much bold text is thickened on every side, in em,"""
MOST_STROKE = 0.28
"""and in mm: large characters would clot."""
_FINE = 4
"""Shapes are drawn so many times larger and reduced, which smooths their edges."""


def paint(
    ops: Iterable[Op], width: float, height: float, dpi: int, fonts: Fonts, *, ground: str = "#ffffff", bleed: float = 0
) -> Image.Image:
    """The operations on a ground of `width` × `height` mm and `bleed` mm more on every side, as an RGB image."""
    pixels = dpi / 25.4
    size = (round((width + 2 * bleed) * pixels), round((height + 2 * bleed) * pixels))
    image = Image.new("RGB", size, _colour(ground))
    brush = _Brush(image, pixels, bleed, fonts)
    for op in ops:
        brush.draw(op)
    image.info["dpi"] = (dpi, dpi)
    return image


class _Brush:
    def __init__(self, image: Image.Image, pixels: float, bleed: float, fonts: Fonts) -> None:
        self._image = image
        self._canvas = ImageDraw.Draw(image)
        self._pixels = pixels
        self._bleed = bleed
        self._fonts = fonts

    def draw(self, op: Op) -> None:
        match op:
            case Fill():
                self._box(op.x, op.y, op.width, op.height, op.colour)
            case Shape():
                left, top = self._at(op.x), self._at(op.y)
                mask = shape(op.name, max(1, round(op.size * self._pixels)), op.turns % 4)
                self._image.paste(_colour(op.colour), (round(left), round(top)), mask)
            case Run():
                self._run(op)
            case Code():
                self._code(op)
            case Upside():
                self._upside(op)

    def _at(self, position: float) -> float:
        return (position + self._bleed) * self._pixels

    def _box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        left, top = round(self._at(x)), round(self._at(y))
        right, bottom = max(left + 1, round(self._at(x + width))), max(top + 1, round(self._at(y + height)))
        self._canvas.rectangle((left, top, right - 1, bottom - 1), fill=_colour(colour))

    def _run(self, op: Run) -> None:
        face = self._fonts[op.face]
        face.require(op.text)
        em = op.size * self._pixels
        x, y = self._at(op.x), self._at(op.y)
        for character in op.text:
            if op.vertical:
                self._character(face, character, em, x - face.width(character) * em / 2, y + 0.88 * em, op)
                y += (1 + op.gap) * em
                continue
            shift, width = face.placed(character, op.latin)
            self._character(face, character, em, x + shift * em, y, op)
            x += (width + op.gap) * em

    def _character(self, face: Face, character: str, em: float, x: float, y: float, op: Run) -> None:
        whole = floor(x)
        is_late = x - whole >= 0.5
        mask, left, top = _mask(
            face, character, em, is_late, min(STROKE * em, MOST_STROKE * self._pixels) if op.bold else 0.0
        )
        if mask:
            self._image.paste(_colour(op.colour), (whole + left, round(y) + top), mask)

    def _upside(self, op: Upside) -> None:
        left, top = round(self._at(op.x)), round(self._at(op.y))
        box = (left, top, round(self._at(op.x + op.width)), round(self._at(op.y + op.height)))
        part = self._image.crop(box).transpose(Image.Transpose.ROTATE_180)
        brush = _Brush(part, self._pixels, 0, self._fonts)
        for inner in op.ops:
            brush.draw(inner)
        self._image.paste(part.transpose(Image.Transpose.ROTATE_180), (left, top))

    def _code(self, op: Code) -> None:
        rows = qr.matrix(op.text, "Q")
        module = op.size / len(rows)
        for y, row in enumerate(rows):
            for x, is_dark in enumerate(row):
                if is_dark:
                    self._box(op.x + x * module, op.y + y * module, module, module, "#000000")


@cache
def _colour(name: str) -> tuple[int, int, int]:
    red, green, blue = ImageColor.getrgb(name)[:3]
    return red, green, blue


@lru_cache(maxsize=4096)
def _mask(face: Face, character: str, em: float, is_late: bool, stroke: float) -> tuple[Image.Image | None, int, int]:
    """The character's coverage and where its box lies from the pen, in pixels; `is_late`: moved by half a pixel."""
    font = face.sized(em)
    box = font.getbbox(character, anchor="ls", stroke_width=stroke)
    left, top, right, bottom = floor(box[0]) - 1, floor(box[1]) - 1, ceil(box[2]) + 2, ceil(box[3]) + 1
    if character.isspace() or right <= left or bottom <= top:
        return None, 0, 0
    mask = Image.new("L", (right - left, bottom - top))
    canvas = ImageDraw.Draw(mask)
    canvas.text((0.5 * is_late - left, -top), character, fill=255, font=font, anchor="ls", stroke_width=stroke)
    return mask, left, top


@lru_cache(maxsize=256)
def shape(name: str, size: int, turns: int) -> Image.Image:
    """The coverage of a drawn shape in `size` × `size` pixels."""
    side = size * _FINE
    scale = side / glyphs.UNITS
    covered = Image.new("1", (side, side))
    for polygon in glyphs.outline(name):
        one = Image.new("1", (side, side))
        ImageDraw.Draw(one).polygon([(x * scale - 0.5, y * scale - 0.5) for x, y in polygon], fill=1)
        covered = ImageChops.logical_xor(covered, one)
    mask = covered.convert("L").reduce(_FINE)
    turned = (Image.Transpose.ROTATE_270, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_90)
    return mask.transpose(turned[turns - 1]) if turns else mask


def save_png(image: Image.Image, path: Path) -> None:
    """Write the image with its resolution, so that it prints at its size."""
    image.save(path, dpi=image.info["dpi"], compress_level=3)

"""Reads QR codes with a reader that shares no code with what draws them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

import zxingcpp
from PIL import Image

SVG = "{http://www.w3.org/2000/svg}"


def codes_on(picture: Image.Image) -> list[str]:
    """What the codes on a picture say."""
    return [code.text for code in zxingcpp.read_barcodes(picture)]


def painted(modules: Sequence[Sequence[bool]], pixels: int = 4) -> Image.Image:
    """The picture on which each module is a square of so many pixels."""
    side = len(modules)
    picture = Image.frombytes("L", (side, side), bytes(0 if is_dark else 255 for row in modules for is_dark in row))
    return picture.resize((side * pixels, side * pixels), Image.Resampling.NEAREST)


def drawn(svg: str) -> list[list[bool]]:
    """The modules that an SVG of `qr.svg` covers with its dark path, quiet zone included."""
    root = ElementTree.fromstring(svg)
    side = int(root.attrib["viewBox"].split()[2])
    modules = [[False] * side for _ in range(side)]
    path = root.find(f"{SVG}path")
    assert path is not None
    bar = re.compile(r"M(\d+) (\d+)h(\d+)v1H(\d+)z")
    assert bar.sub("", path.attrib["d"]) == ""
    for x, y, width, back in (tuple(map(int, match)) for match in bar.findall(path.attrib["d"])):
        assert back == x
        modules[y][x : x + width] = [True] * width
    return modules

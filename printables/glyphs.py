"""The drawn shapes: camp glyphs, the seal, ornaments. Each is an outline in a square of 24 units, y downwards.

The glyphs of royal, rebel, renegade and other camps are those of the screens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from math import atan2, cos, hypot, pi, sin, sqrt

Point = tuple[float, float]
Outline = tuple[tuple[Point, ...], ...]
"""Closed polygons; a point is inside where an odd number of them enclose it."""

UNITS = 24

CAMPS: dict[str, str] = {
    # A crown
    "royal": "M2 6.5l5.2 4.4L12 3l4.8 7.9L22 6.5 20 18H4zM4 19.8h16V22H4z",
    # A banner
    "rebel": "M4 1.5h2.2V3H21l-4.6 5.2L21 13.5H6.2v9H4z",
    # Half light, half dark
    "renegade": "M12 1.5a10.5 10.5 0 1 1 0 21a10.5 10.5 0 0 1 0-21zM12 3.7a8.3 8.3 0 0 1 0 16.6z",
    # A folding fan
    "sycophant": (
        "M1.2 9.6A14.4 14.4 0 0 1 22.8 9.6L14.6 17.2A3.6 3.6 0 0 0 9.4 17.2z"
        "M7.1 8.1L10.6 14.5L9.4 15.3L5.3 9.2zM11.3 6.9h1.4v7.2h-1.4zM16.9 8.1L18.7 9.2L14.6 15.3L13.4 14.5z"
        "M12 18a2.4 2.4 0 1 1 0 4.8a2.4 2.4 0 0 1 0-4.8z"
    ),
    # A tied turban
    "yellow_turban": (
        "M2.4 13.6C2.4 6.4 6.6 2.6 12 2.6S21.6 6.4 21.6 13.6C18.6 12.2 15.4 11.6 12 11.6S5.4 12.2 2.4 13.6z"
        "M2.4 15.6C5.2 14.2 8.4 13.4 12 13.4S18.8 14.2 21.6 15.6V18.6C18.8 17.2 15.4 16.4 12 16.4S5.2 17.2 2.4 18.6z"
        "M16.4 18.9L22.4 20.4L20.2 22.8L15 20.6z"
    ),
    # A dagger
    "assassin": "M12 .8L15 6V14.6H9V6zM4.6 15.6H19.4V18H4.6zM10.6 19H13.4V23.2H10.6zM11.5 4.6V13.4H12.5V4.6z",
    # A crown upside down
    "false_emperor": "M2 17.5l5.2-4.4L12 21l4.8-7.9L22 17.5 20 6H4zM4 2h16v2.2H4z",
    # A hall
    "restorer": (
        "M12 1.5L23 9.2H1zM3.5 10.6H6.3V18.6H3.5zM10.6 10.6H13.4V18.6H10.6z"
        "M17.7 10.6H20.5V18.6H17.7zM1.5 20H22.5V22.5H1.5z"
    ),
    # Two arms that carry one weight
    "supporter": (
        "M12 1.5a4 4 0 1 1 0 8a4 4 0 0 1 0-8z"
        "M1.5 7.5H4.7C4.7 12 7.6 14.6 12 14.6S19.3 12 19.3 7.5H22.5"
        "C22.5 13 19 16.9 13.6 17.6V22.5H10.4V17.6C5 16.9 1.5 13 1.5 7.5z"
    ),
    # A hand's grip: a ring seized from above
    "usurper": "M3 1.5H6V9.5H9V1.5H12V9.5H15V1.5H18V9.5H21V13A9 9 0 0 1 3 13zM12 13a3 3 0 1 0 0 6a3 3 0 0 0 0-6z",
    # A flame
    "disruptor": (
        "M12.6 1C13.2 5.4 20.4 8.6 20.4 15.2A8.4 8.4 0 0 1 12 23A8.4 8.4 0 0 1 3.6 15C3.6 11 6.6 9.6 7.4 5.8"
        "C9.4 7 10.2 8.6 10.2 10.6C12.2 8.4 13.2 5 12.6 1zM12 13.2C11.6 15.6 8.8 16.4 8.8 18.8"
        "A3.2 3.2 0 0 0 15.2 18.8C15.2 16.6 13.2 15.6 12 13.2z"
    ),
    # A tripod
    "chu": (
        "M4 1.5H7.4V6H16.6V1.5H20V6H22.3V9H20.5C20.5 13.2 19 15.2 17.6 16.2L19.2 22.5H15.9L14.6 17.3H9.4"
        "L8.1 22.5H4.8L6.4 16.2C5 15.2 3.5 13.2 3.5 9H1.7V6H4zM7 9V11H17V9z"
    ),
    # A river
    "han": (
        "M1.5 4.6C4 2.1 6.5 2.1 9 4.6S14 7.1 16.5 4.6S20.8 3.1 22.5 4.6"
        "V7.8C20.8 6.3 18.6 6.3 16.5 7.8S11.5 10.3 9 7.8S4 5.3 1.5 7.8z"
        "M1.5 11C4 8.5 6.5 8.5 9 11S14 13.5 16.5 11S20.8 9.5 22.5 11"
        "V14.2C20.8 12.7 18.6 12.7 16.5 14.2S11.5 16.7 9 14.2S4 11.7 1.5 14.2z"
        "M1.5 17.4C4 14.9 6.5 14.9 9 17.4S14 19.9 16.5 17.4S20.8 15.9 22.5 17.4"
        "V20.6C20.8 19.1 18.6 19.1 16.5 20.6S11.5 23.1 9 20.6S4 18.1 1.5 20.6z"
    ),
    "other": "M12 1.5L22.5 12L12 22.5L1.5 12zM12 6.1L6.1 12l5.9 5.9l5.9-5.9z",
}

SHAPES: dict[str, str] = CAMPS | {
    # The seal: the wax and what is cut into it, the square maze of the screens; that of the back has no top
    "wax": (
        "M3 1.75C5.5.95 18.5 1.05 21 1.75C22 2.05 22.3 2.75 22.35 3.75C22.6 7.75 22.55 16.25 22.35 20.25"
        "C22.3 21.25 21.9 21.85 21 22.1C18.5 22.7 5.5 22.75 3 22.1C2.05 21.85 1.7 21.25 1.65 20.25"
        "C1.4 16.25 1.45 7.75 1.65 3.75C1.7 2.75 2.1 1.95 3 1.75z"
    ),
    "cut": (
        "M4.2 4.2H19.8V19.8H4.2zM5.8 5.8V18.2H18.2V5.8z"
        "M7.2 7.2H16.8V16.8H10.2V11.95H12.8V13.55H11.8V15.2H15.2V8.8H8.8V16.8H7.2z"
    ),
    "cut_even": "M4.2 4.2H19.8V19.8H4.2zM6 6V18H18V6zM8.2 8.2H15.8V15.8H8.2zM10 10V14H14V10z",
    "wax_even": "M3 1.6H21L22.4 3V21L21 22.4H3L1.6 21V3z",
    # What sits in a corner of the frame: a square hook
    "hook": "M6 6H16V16H10V13.6H13.6V8.4H8.4V22H6z",
    # One unit of the lattice on the back: it tiles, and looks alike from both sides
    "lattice": "M0 0H24V24H0zM.6.6V23.4H23.4V.6zM5.5 5.5H18.5V18.5H5.5zM6.6 6.6V17.4H17.4V6.6zM10 10H14V14H10z",
    "clockwise": "M19 1.5v6h-6l2.3-2.3A7.5 7.5 0 1 0 19.4 13h2.5A10 10 0 1 1 17.1 3.4z",
    "counter_clockwise": "M5 1.5v6h6L8.7 5.2A7.5 7.5 0 1 1 4.6 13H2.1A10 10 0 1 0 6.9 3.4z",
    "dot": "M12 0a12 12 0 1 1 0 24a12 12 0 0 1 0-24z",
    "ring": (
        "M12 0a12 12 0 1 1 0 24a12 12 0 0 1 0-24zM12 .5a11.5 11.5 0 1 0 0 23a11.5 11.5 0 0 0 0-23z"
        "M12 1.1a10.9 10.9 0 1 1 0 21.8a10.9 10.9 0 0 1 0-21.8z"
        "M12 1.35a10.65 10.65 0 1 0 0 21.3a10.65 10.65 0 0 0 0-21.3z"
    ),
    "arrow": "M0 10.5H15V5L24 12L15 19V13.5H0z",
    "diamond": "M12 0L24 12L12 24L0 12z",
}
"""Every shape by its name."""


def camp_glyph(camp: str) -> str:
    """The name of the camp's glyph; camps that have none of their own share one."""
    return camp if camp in CAMPS else "other"


@cache
def outline(name: str) -> Outline:
    """The polygons of a shape, curves in steps finer than any printer shows."""
    return tuple(tuple(points) for points in _Reader(SHAPES[name]).polygons())


_STEPS = 24


class _Reader:
    """Reads the path commands that the shapes use: M L H V C S A z, absolute and relative."""

    def __init__(self, path: str) -> None:
        self._words = re.findall(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)", path)
        self._at = 0
        self._pen: Point = (0.0, 0.0)
        self._handle: Point | None = None

    def polygons(self) -> Iterator[list[Point]]:
        points: list[Point] = []
        command = ""
        while self._at < len(self._words):
            if self._words[self._at].isalpha():
                command = self._words[self._at]
                self._at += 1
                if command in "zZ":
                    self._pen = points[0]
                    yield points
                    points = []
                    continue
            points += self._step(command)

    def _step(self, command: str) -> list[Point]:
        is_relative = command.islower()
        origin = self._pen if is_relative else (0.0, 0.0)
        start, handle, self._handle = self._pen, self._handle, None
        match command.upper():
            case "M" | "L":
                added = [self._point(origin)]
            case "H":
                added = [(origin[0] + self._number(), start[1])]
            case "V":
                added = [(start[0], origin[1] + self._number())]
            case "C":
                added = self._curve(start, self._point(origin), self._point(origin), self._point(origin))
            case "S":
                mirrored = (2 * start[0] - handle[0], 2 * start[1] - handle[1]) if handle else start
                added = self._curve(start, mirrored, self._point(origin), self._point(origin))
            case "A":
                radius, _, _ = self._number(), self._number(), self._number()
                is_large, is_clockwise = bool(self._number()), bool(self._number())
                added = _arc(start, self._point(origin), radius, is_large, is_clockwise)
            case _:
                raise ValueError(f"no path command {command}")
        self._pen = added[-1]
        return added

    def _number(self) -> float:
        self._at += 1
        return float(self._words[self._at - 1])

    def _point(self, origin: Point) -> Point:
        return (origin[0] + self._number(), origin[1] + self._number())

    def _curve(self, a: Point, b: Point, c: Point, d: Point) -> list[Point]:
        self._handle = c
        steps = [step / _STEPS for step in range(1, _STEPS + 1)]
        return [(_bezier(t, a[0], b[0], c[0], d[0]), _bezier(t, a[1], b[1], c[1], d[1])) for t in steps]


def _bezier(t: float, a: float, b: float, c: float, d: float) -> float:
    u = 1 - t
    return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d


def _arc(start: Point, end: Point, radius: float, is_large: bool, is_clockwise: bool) -> list[Point]:
    """A circle's arc; a radius too small for the distance grows as SVG has it."""
    half = hypot(end[0] - start[0], end[1] - start[1]) / 2
    radius = max(radius, half)
    height = sqrt(max(radius * radius - half * half, 0)) * (1 if is_large == is_clockwise else -1)
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    along = ((end[0] - start[0]) / (2 * half), (end[1] - start[1]) / (2 * half))
    centre = (middle[0] + along[1] * height, middle[1] - along[0] * height)
    first = atan2(start[1] - centre[1], start[0] - centre[0])
    turn = atan2(end[1] - centre[1], end[0] - centre[0]) - first
    if is_clockwise and turn <= 0:
        turn += 2 * pi
    elif not is_clockwise and turn >= 0:
        turn -= 2 * pi
    angles = [first + turn * step / (2 * _STEPS) for step in range(1, 2 * _STEPS)]
    return [*((centre[0] + radius * cos(a), centre[1] + radius * sin(a)) for a in angles), end]

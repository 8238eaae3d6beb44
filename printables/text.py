"""Setting text: where Chinese and English lines may break, how they fill a width, how a text is made to fit.

All widths here are in em of the text's size, so that the same lines come out at every size of page and resolution.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from printables.fonts import Face

NO_START = frozenset("，。、；：？！”’」』）》〉】〕］｝…—～·％‰℃,.;:?!)]}%／/")
"""Characters that never begin a line."""
NO_END = frozenset("“‘「『（《〈【〔［｛([{＋+")
"""Characters that never end a line."""

_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\ufe10-\ufe4f\uff01-\uff60\U00020000-\U0003ffff]|[“”‘’…—·]")
_TOKEN = re.compile(r"(?P<space>\s+)|(?P<dashes>—+|…+)|(?P<wide>" + _WIDE.pattern + r")|(?P<word>[^\s—…])")

VERTICAL = dict(
    zip(
        "，、。：；！？〖〗…‥—–（）｛｝〔〕【】《》〈〉「」『』［］“”‘’",
        "︐︑︒︓︔︕︖︗︘︙︰︱︲︵︶︷︸︹︺︻︼︽︾︿﹀﹁﹂﹃﹄﹇﹈﹃﹄﹁﹂",
        strict=True,
    )
)
"""The forms that punctuation takes in vertical lines."""


class DoesNotFit(ValueError):
    """A text that is too long for its place even at the smallest size."""

    def __init__(self, text: str) -> None:
        super().__init__(f"this text does not fit, even in the smallest type: {text}")
        self.text = text


STEP = 0.1
"""By so much type becomes smaller at a time, in the page's unit."""
BOLD_GAP = 0.03
"""What a character of bold text takes more, in em."""


@dataclass(frozen=True)
class Span:
    """Text in one style. `bold` thickens the strokes; `latin`: quotation marks are as narrow as Latin text has them."""

    text: str
    face: Face
    bold: bool = False
    latin: bool = False

    def width(self, text: str) -> float:
        """The width in em of some of its text."""
        return self.face.measure(text, self.latin) + (BOLD_GAP * len(text) if self.bold else 0)


@dataclass(frozen=True)
class Piece:
    """Some text of one span, that starts `x` em into its line; `gap` em are added behind each character."""

    x: float
    text: str
    span: Span
    gap: float = 0.0


Line = tuple[Piece, ...]


@dataclass(frozen=True)
class Block:
    """Paragraphs in lines: the size of an em, and each line with its baseline's distance from the top."""

    size: float
    lines: tuple[tuple[float, Line], ...]
    height: float


@lru_cache(maxsize=1024)
def tokens(text: str, latin: bool = False) -> tuple[str, ...]:
    """The text in pieces between which a line may break; spaces stay at the end of the piece before them.

    `latin`: quotation marks belong to the words that they enclose.
    """
    found: list[str] = []
    for unit in _units(text, latin):
        if found and (unit.isspace() or not _may_break(found[-1], unit)):
            found[-1] += unit
        else:
            found.append(unit)
    return tuple(found)


def _units(text: str, latin: bool) -> Iterator[str]:
    """Spaces, single wide characters, whole dashes, and words."""
    word = ""
    for match in _TOKEN.finditer(text):
        unit = match[0]
        if match["word"] or (latin and unit in "“”‘’·"):
            word += unit
            continue
        if word:
            yield word
            word = ""
        yield unit
    if word:
        yield word


def _may_break(before: str, unit: str) -> bool:
    last = before.rstrip()[-1:]
    return not (unit[0] in NO_START or last in NO_END)


def lines(spans: Sequence[Span], width: float, justify: bool) -> list[Line]:
    """A paragraph of spans in lines of at most `width` em. Raises DoesNotFit where a word is wider than that."""
    found: list[Line] = []
    pieces: list[Piece] = []
    pen = 0.0
    for span, token in _flow(spans):
        bare, whole = _widths(span, token)
        if pieces and pen + bare > width + 1e-6:
            found.append(_filled(pieces, width) if justify else tuple(_trimmed(pieces)))
            pieces, pen = [], 0.0
        if bare > width + 1e-6:
            raise DoesNotFit(token)
        pieces.append(Piece(pen, token, span))
        pen += whole
    return [*found, tuple(_joined(_trimmed(pieces)))] if pieces else found


@lru_cache(maxsize=8192)
def _widths(span: Span, token: str) -> tuple[float, float]:
    """The token's width in em without the spaces at its end, and with them."""
    return span.width(token.rstrip()), span.width(token)


def _flow(spans: Sequence[Span]) -> Iterator[tuple[Span, str]]:
    for span in spans:
        span.face.require(span.text.replace("\n", " "))
        for token in tokens(span.text, span.latin):
            yield span, token


def _trimmed(pieces: list[Piece]) -> list[Piece]:
    last = pieces[-1]
    return _joined([*pieces[:-1], Piece(last.x, last.text.rstrip(), last.span)])


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Neighbours of one style as one piece."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and joined[-1].span is piece.span:
            joined[-1] = Piece(joined[-1].x, joined[-1].text + piece.text, piece.span)
        else:
            joined.append(piece)
    return joined


def _filled(pieces: list[Piece], width: float) -> Line:
    """A line drawn out to its full width, where that needs no more than a quarter of an em a character."""
    trimmed = _trimmed(pieces)
    count = sum(len(piece.text) for piece in trimmed) - 1
    slack = width - trimmed[-1].x - trimmed[-1].span.width(trimmed[-1].text)
    if count < 1 or slack / count > 1 / 4:
        return tuple(trimmed)
    gap, shift, spread = slack / count, 0.0, []
    for piece in trimmed:
        spread.append(Piece(piece.x + shift, piece.text, piece.span, gap))
        shift += gap * len(piece.text)
    return tuple(spread)


def block(
    paragraphs: Sequence[Sequence[Span]], width: float, size: float, *, leading: float, space: float, justify: bool
) -> Block:
    """The paragraphs in type of `size`, in lines of `width` (one unit with `size`, millimetres for instance).

    `leading`: from baseline to baseline, `space`: more between paragraphs, both in em.
    """
    placed: list[tuple[float, Line]] = []
    y = 0.0
    for number, paragraph in enumerate(paragraphs):
        y += space * size if number else 0
        for line in lines(paragraph, width / size, justify):
            placed.append((y + (0.5 * leading + 0.38) * size, line))
            y += leading * size
    return Block(size, tuple(placed), y)


def fit(
    paragraphs: Sequence[Sequence[Span]],
    width: float,
    height: float,
    sizes: tuple[float, float],
    *,
    leading: float,
    space: float,
    justify: bool,
) -> Block:
    """The largest setting between the sizes (largest, smallest), in steps of a tenth, that keeps to the height.

    Raises DoesNotFit.
    """
    largest, smallest = sizes

    def attempt(step: int) -> Block | None:
        try:
            made = block(
                paragraphs, width, max(smallest, largest - STEP * step), leading=leading, space=space, justify=justify
            )
        except DoesNotFit:
            return None
        return made if made.height <= height + 1e-6 else None

    steps = range(ceil((largest - smallest) / STEP - 1e-6) + 1)
    step = bisect_left(steps, True, key=lambda step: attempt(step) is not None)
    if step == len(steps):
        raise DoesNotFit(" ".join("".join(span.text for span in paragraph) for paragraph in paragraphs))
    return attempt(step) or block(paragraphs, width, smallest, leading=leading, space=space, justify=justify)


def upright(text: str) -> str:
    """The text as it stands in a vertical line: punctuation in its vertical form, no spaces."""
    return "".join(VERTICAL.get(character, character) for character in text if not character.isspace())

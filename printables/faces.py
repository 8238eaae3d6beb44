"""From an identity to the draw operations of its card's face, in Chinese and in English. Pure: nothing is painted.

Lengths are those of a poker card; `k` makes them larger for larger cards. The smallest type is the same on all.
"""

from __future__ import annotations

from companion.modes import Mode
from companion.modes.deck import PrintedCard, spaced
from printables.cards import CardDoesNotFit, Printing, border
from printables.fonts import FaceName, Fonts
from printables.glyphs import camp_glyph
from printables.labels import Lang, label
from printables.ops import FADED, INK, PAPER, TINT, WAX, Code, Fill, Op, Run, Shape, runs, seal
from printables.text import Block, DoesNotFit, Span, fit, upright

SIDE = 6.0
"""From the cut to the text."""
FOOT = 8.4
COMFORTABLE = 2.3
"""Every card of every mode is set in at least this on a poker card."""
STAMP = 7.4
SCAN, QUIET = 13.0, 1.8


def front(card: PrintedCard, printing: Printing) -> list[Op]:
    """The face of a card. Raises CardDoesNotFit, and MissingCharacter where the font lacks one."""
    role = printing.mode.roles[card.role]
    made = _English(card, printing) if printing.lang == "en" else _Chinese(card, printing)
    try:
        return made.ops()
    except DoesNotFit as error:
        raise CardDoesNotFit(role.name[printing.lang], error.text) from None


def paragraphs(role_id: str, mode: Mode, lang: Lang, fonts: Fonts) -> list[list[Span]]:
    """What stands on the card: the goal, the skills with their timing, and where the mode has it, the meaning.

    Clauses that are long or shared by many are told in brief; the reference sheet has them whole.
    """
    role = mode.roles[role_id]
    latin = lang == "en"
    space = " " if latin else "\u3000"

    def entry(title: str, text: str) -> list[Span]:
        return [Span(title + space, fonts.title, bold=True, latin=latin), Span(text, fonts.sans, latin=latin)]

    found = [entry(label("goal", lang), role.goal[lang])]
    found += [entry(mode.clauses[one].title[lang], mode.clauses[one].on_card[lang]) for one in role.clauses]
    meaning = getattr(role, "meaning", None)
    return [*found, [Span(meaning[lang], fonts.serif, latin=latin)]] if meaning else found


class _Face:
    """A face in the making: the frame, the name's zone above, the text below a rule, mode and code at the foot."""

    zones = (27.0, 21.0)
    """Height left to camp and name; the second where the text would otherwise become smaller than COMFORTABLE."""
    largest = 3.1
    smallest = 1.9
    leading = 1.42
    is_latin = False

    def __init__(self, card: PrintedCard, printing: Printing) -> None:
        self.card = card
        self.printing = printing
        self.lang = printing.lang
        self.fonts = printing.fonts
        self.k = printing.format.scale
        self.width, self.height = printing.format.width, printing.format.height
        self.left, self.right = SIDE * self.k, self.width - SIDE * self.k
        self.role = printing.mode.roles[card.role]
        self.glyph = camp_glyph(self.role.camp)
        self.code = printing.codes[card] if printing.codes else None
        self.has_scan = bool(self.code and printing.address)

    def ops(self) -> list[Op]:
        k = self.k
        body = self._body()
        top = self.height - FOOT * k - body.height
        return [
            *border(self.width, self.height, k),
            *self.zone(SIDE * k, top - 4.8 * k),
            *self._rule(top - 2.6 * k),
            *runs(body, self.left, top, INK),
            *self._foot(self.height - 5.2 * k),
        ]

    def zone(self, top: float, bottom: float) -> list[Op]:
        """The upper part: the camp in the corner and behind, the name, the seal."""
        raise NotImplementedError

    def _body(self) -> Block:
        """The text in the largest type that leaves room for the name; small type takes more of that room."""
        roomy, narrow = self.zones
        try:
            return self._set(roomy, COMFORTABLE)
        except DoesNotFit:
            return self._set(narrow, self.smallest)

    def _set(self, zone: float, smallest: float) -> Block:
        return fit(
            paragraphs(self.card.role, self.printing.mode, self.lang, self.fonts),
            self.right - self.left,
            self.height - (FOOT + SIDE + zone + 4.8) * self.k,
            (max(smallest, self.largest * self.k), smallest),
            leading=self.leading,
            space=0.42,
            justify=not self.is_latin,
        )

    def emblem(self, left: float, right: float, top: float, bottom: float) -> list[Op]:
        """The camp's glyph, large and pale, in the middle of a room that is not too small for it."""
        size = min(bottom - top - self.k, (right - left) * 0.92, 34 * self.k)
        middle, centre = (left + right) / 2, (top + bottom) / 2
        return [Shape(self.glyph, middle - size / 2, centre - size / 2, size, TINT)] if size > 11 * self.k else []

    def camp(self) -> tuple[str, str | None]:
        """The words for the camp and, where it has one, the colour."""
        colour = self.card.colour
        return self.printing.mode.camps[self.role.camp][self.lang], label(
            f"colour_{colour}", self.lang
        ) if colour else None

    def scan(self, left: float, top: float) -> Code:
        """The code as a QR code; nothing may stand nearer to it than QUIET."""
        text = f"{(self.printing.address or '').rstrip('/')}/{self.code}".upper()
        return Code(left, top, SCAN * self.k, text)

    def _rule(self, y: float) -> list[Op]:
        k, middle = self.k, self.width / 2
        return [
            Fill(self.left, y, self.right - self.left, 0.28 * k, INK),
            Shape("diamond", middle - 1.3 * k, y - 1.16 * k, 2.6 * k, PAPER),
            Shape("diamond", middle - 0.8 * k, y - 0.66 * k, 1.6 * k, WAX),
        ]

    def _foot(self, y: float) -> list[Op]:
        """The mode, and the code, clear of the frame's hooks."""
        k, aside, gap = self.k, 2.6 * self.k, 0.06
        name = self.printing.mode.name[self.lang]
        found: list[Op] = [Run(self.left + aside, y, 2.0 * k, name, "sans", FADED, latin=self.is_latin)]
        if self.code:
            text, size = spaced(self.code), 2.2 * k
            width = (self.fonts.sans.measure(text) + gap * len(text)) * size
            found.append(Run(self.right - aside - width, y, size, text, "sans", FADED, gap=gap))
        return found


class _Chinese(_Face):
    """The name stands in a column on the right, and the seal beside its end, as a painter signs."""

    def zone(self, top: float, bottom: float) -> list[Op]:
        k, stamp = self.k, STAMP * self.k
        index, end = self._index(top)
        scan = self._scan(end, bottom) if self.has_scan else None
        taken = scan.x + scan.size + QUIET * k if scan else self.left
        title = upright(self.role.name[self.lang])
        height = bottom - top
        size = min(20.5 * k, height / (len(title) * 1.04), self.right - taken - stamp - 0.6 * k)
        gap = min(0.22, max(0.0, height / size / len(title) - 1)) if len(title) > 1 else 0.0
        length = (len(title) * (1 + gap) - gap) * size
        start = top + (height - length) / 3
        edge = self.right - size - 1.2 * k
        return [
            *self.emblem(taken if scan else self.left + 3 * k, edge, top, bottom),
            *index,
            Run(self.right - size / 2, start, size, title, "title", INK, bold=True, gap=gap, vertical=True),
            *([scan] if scan else []),
            *seal(edge - stamp + 0.6 * k, start + length - stamp, stamp),
        ]

    def _index(self, top: float) -> tuple[list[Op], float]:
        """The camp's glyph and word in the corner, as a playing card has its suit; and where they end."""
        k, size, type_size, gap = self.k, 5.6 * self.k, 3.4 * self.k, 0.05
        camp, colour = self.camp()
        word = upright(f"{camp}·{colour}" if colour else camp)
        start = top + size + 1.6 * k
        run = Run(self.left + size / 2, start, type_size, word, "title", INK, True, gap, vertical=True)
        end = start + len(word) * (1 + gap) * type_size
        return [Shape(self.glyph, self.left, top + 0.4 * k, size, INK), run], end

    def _scan(self, end: float, bottom: float) -> Code:
        """Below the camp's word where there is room, else beside it. `end`: where the word ends."""
        k = self.k
        is_low = bottom - SCAN * k - QUIET * k >= end
        return self.scan(self.left + (0 if is_low else 9 * k), bottom - SCAN * k)


class _English(_Face):
    """The name stands above the rule; on the right is the Chinese one with the seal below it."""

    largest = 3.0
    smallest = 1.8
    leading = 1.24
    is_latin = True

    def __init__(self, card: PrintedCard, printing: Printing) -> None:
        super().__init__(card, printing)
        if self.has_scan:
            self.zones = (27.0, 22.1)

    def zone(self, top: float, bottom: float) -> list[Op]:
        edge, column = self._column(top, bottom)
        title = Span(self.role.name["en"], self.fonts.title, bold=True, latin=True)
        k = self.k
        name = fit(
            [[title]],
            edge - self.left,
            bottom - top - 8 * k,
            (9.2 * k, 4.0 * k),
            leading=1.1,
            space=0,
            justify=False,
        )
        return [
            *self.emblem(self.left, edge, top, bottom),
            *self._index(top, edge),
            *column,
            *runs(name, self.left, bottom - name.height, INK),
        ]

    def _column(self, top: float, bottom: float) -> tuple[float, list[Op]]:
        """What stands on the right, and where its room begins."""
        k, stamp = self.k, STAMP * self.k
        title = upright(self.role.name["zh_hans"])
        face: FaceName = "title" if all(map(self.fonts.title.has, title)) else "serif"
        if self.has_scan:
            code = self.scan(self.right - (SCAN + 3.0) * k, top - 0.4 * k)
            size = 4.4 * k
            edge = code.x - QUIET * k - size
            name = Run(edge + size / 2, top, size, title, face, FADED, vertical=True)
            return edge - k, [name, code, *seal(self.right - stamp, bottom - stamp, stamp)]
        size = min(8.0 * k, (bottom - top - stamp - 2 * k) / len(title))
        middle = self.right - max(size, stamp) / 2
        name = Run(middle, top, size, title, face, FADED, vertical=True)
        stamped = seal(middle - stamp / 2, top + size * len(title) + 1.6 * k, stamp)
        return self.right - max(size, stamp) - 1.5 * k, [name, *stamped]

    def _index(self, top: float, edge: float) -> list[Op]:
        k, size = self.k, 5.6 * self.k
        camp, colour = self.camp()
        words = Span(f"{colour} – {camp}" if colour else camp, self.fonts.title, bold=True, latin=True)
        start, top = self.left + size + 1.4 * k, top + 0.4 * k

        def within(height: float, smallest: float) -> Block:
            sizes = (3.3 * k, min(smallest, 3.3 * k))
            return fit([[words]], edge - start, height * k, sizes, leading=1.1, space=0, justify=False)

        try:
            made = within(3.7, COMFORTABLE)
        except DoesNotFit:
            made = within(6.0, self.smallest)
        return [
            Shape(self.glyph, self.left, top, size, INK),
            *runs(made, start, top + (size - made.height) / 2, INK),
        ]

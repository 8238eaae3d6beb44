"""The reference sheet of a mode: identities with goals and skills, who knows what, the order of triggers, who wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from companion.modes import Mode
from companion.modes.loader import Clause
from printables.fonts import Fonts
from printables.glyphs import camp_glyph
from printables.labels import LABELS, Lang, label
from printables.ops import FADED, INK, WAX, Fill, Op, Page, Shape, line, runs, seal
from printables.sheets import Paper
from printables.text import Span, block

MARGIN = 12.0
GUTTER = 7.0
_SIZES = (3.9, 3.6, 3.3, 3.0, 2.8, 2.6, 2.4, 2.25)
"""Type sizes that are tried for one page, then for two."""
_SHARED_BY = 3
"""A clause that so many identities have is told once."""


@dataclass(frozen=True)
class Item:
    """Something that stays in one column. `draw`: its operations with the upper left corner at (x, y)."""

    height: float
    draw: Callable[[float, float], list[Op]]
    keeps_next: bool = False


def pages(mode: Mode, lang: Lang, paper: Paper, fonts: Fonts) -> list[Page]:
    """The sheet: one page if the text can be read at that, else more. Raises MissingCharacter."""
    made: list[Page] = []
    for most in (1, 2):
        for size in _SIZES:
            made = _Sheet(mode, lang, paper, fonts, size).pages()
            if len(made) <= most:
                return made
    return made


class _Sheet:
    """The sheet in type of one size."""

    def __init__(self, mode: Mode, lang: Lang, paper: Paper, fonts: Fonts, size: float) -> None:
        self.mode = mode
        self.lang = lang
        self.paper = paper
        self.fonts = fonts
        self.size = size
        self.latin = lang == "en"
        self.dot = " – " if self.latin else " · "
        self.column = (paper.width - 2 * MARGIN - GUTTER) / 2

    def pages(self) -> list[Page]:
        """Items flow down the left column, the right one, and on; the columns of the last page are equally long."""
        found: list[Page] = []
        left: Sequence[Item] = [*self._items()]
        while left:
            ops, top = self._running_head(len(found) + 1) if found else self._head()
            room = self.paper.height - MARGIN - top
            columns, rest = _columns(left, room)
            if not rest:
                columns = _balanced(left, room)
            for number, column in enumerate(columns):
                x, y = MARGIN + number * (self.column + GUTTER), top
                for item in column:
                    ops += item.draw(x, y)
                    y += item.height
            found.append(Page(self.paper.width, self.paper.height, tuple(ops)))
            left = rest
        return found

    def _running_head(self, page: int) -> tuple[list[Op], float]:
        """What stands on top of a page after the first, and where the columns begin."""
        name, far = self.mode.name[self.lang], self.paper.width - MARGIN
        return [
            line(name, self.fonts.title, (MARGIN, MARGIN + 4), 4.4, bold=True, latin=self.latin),
            line(str(page), self.fonts.sans, (far, MARGIN + 4), 3.0, align="right"),
            Fill(MARGIN, MARGIN + 6, far - MARGIN, 0.4, INK),
        ], MARGIN + 9.4

    def _head(self) -> tuple[list[Op], float]:
        """What stands on top of the first page, and where the columns begin."""
        width, names = self.paper.width, self.mode.name
        turn = "clockwise" if self.mode.clockwise else "counter_clockwise"
        counts = self.mode.players
        players = f"{counts[0]}–{counts[-1]}" if len(counts) > 1 else str(counts[0])
        facts = f"{label('players', self.lang, n=players)}{self.dot}{label(turn, self.lang)}"
        room = width - 2 * MARGIN - 16
        blurb = block(
            [[Span(self.mode.blurb[self.lang], self.fonts.sans, latin=self.latin)]],
            room,
            min(3.0, self.size + 0.3),
            leading=1.3,
            space=0,
            justify=False,
        )
        rule = MARGIN + max(17.6, 9.4 + blurb.height + 1.4)
        return [
            *seal(MARGIN, MARGIN, 12),
            line(names[self.lang], self.fonts.title, (MARGIN + 16, MARGIN + 7.6), 8.4, bold=True, latin=self.latin),
            Shape(turn, width - MARGIN - 5, MARGIN + 1, 5, INK),
            line(facts, self.fonts.sans, (width - MARGIN - 6.5, MARGIN + 4.8), 3.0, align="right", latin=self.latin),
            *runs(blurb, MARGIN + 16, MARGIN + 9.4, FADED),
            Fill(MARGIN, rule, width - 2 * MARGIN, 0.4, INK),
        ], rule + 3.4

    def _items(self) -> Iterator[Item]:
        mode = self.mode
        used = Counter(clause for role in mode.roles.values() for clause in role.clauses)
        shared = [clause for clause, n in used.items() if n >= _SHARED_BY and len(mode.roles) > _SHARED_BY]
        yield self._heading("identities")
        for role in mode.roles:
            yield from self._role(role, shared)
        if shared:
            yield self._heading("shared")
            yield from self._clauses(shared)
        views = [one for one in mode.clauses.values() if _is_view(one) and one.id not in shared]
        if views:
            yield self._heading("views")
            yield from (self._text([Span(one.text[self.lang], self.fonts.sans, latin=self.latin)]) for one in views)
        yield self._heading("order")
        yield from self._order()
        endings = [ending.clause for ending in mode.ruleset.endings if ending.clause in mode.clauses]
        yield self._heading("endings")
        yield from self._clauses(endings)
        told = {*used, *endings, *(one.id for one in views)}
        rest = [one for one in mode.clauses.values() if one.id not in told and not _holds_everywhere(one)]
        if notes := [one.id for one in rest if one.where != "deal"]:
            yield self._heading("notes")
            yield from self._clauses(notes)
        dealt = [one.id for one in rest if one.where == "deal"]
        if dealt or len(mode.compositions) > 1:
            yield self._heading("composition")
            yield from self._clauses(dealt)
            yield from self._compositions()

    def _heading(self, key: str) -> Item:
        size = self.size * 1.5
        above, height = 0.9 * size, 2.5 * size

        def draw(x: float, y: float) -> list[Op]:
            words = line(
                label(key, self.lang),
                self.fonts.title,
                (x + 3.2, y + above + 0.86 * size),
                size,
                bold=True,
                latin=self.latin,
            )
            mark = Shape("diamond", x, y + above + 0.5 * size - 1.0, 2.0, WAX)
            return [mark, words, Fill(x, y + above + 1.2 * size, self.column, 0.2, INK)]

        return Item(height, draw, keeps_next=True)

    def _role(self, role_id: str, shared: list[str]) -> Iterator[Item]:
        role = self.mode.roles[role_id]
        size = self.size * 1.3
        camp = self.mode.camps[role.camp][self.lang]
        beside = f"{role.name['zh_hans']}{self.dot}{camp}" if self.latin else camp

        def draw(x: float, y: float) -> list[Op]:
            base = y + 1.25 * size
            name = line(
                role.name[self.lang], self.fonts.title, (x + 1.5 * size, base), size, bold=True, latin=self.latin
            )
            end = name.x + (self.fonts.title.measure(name.text) + 0.05 * len(name.text)) * size
            words = line(beside, self.fonts.sans, (end + size * 0.6, base), self.size * 0.9, colour=FADED)
            return [Shape(camp_glyph(role.camp), x, base - 0.95 * size, 1.1 * size, INK), name, words]

        yield Item(1.65 * size, draw, keeps_next=True)
        goal = self._titled(label("goal", self.lang), role.goal[self.lang])
        own = [self._titled(*self._words(clause)) for clause in role.clauses if clause not in shared]
        meaning = getattr(role, "meaning", None)
        told = [[Span(meaning[self.lang], self.fonts.serif, latin=self.latin)]] if meaning else []
        yield self._text(goal, *own, *told)

    def _words(self, clause: str) -> tuple[str, str]:
        found = self.mode.clauses[clause]
        return found.title[self.lang], found.text[self.lang]

    def _clauses(self, clauses: Iterable[str]) -> Iterator[Item]:
        """The clauses in full; a title that several share stands before the first of them."""
        before = ""
        for title, text in map(self._words, clauses):
            yield self._text(self._titled(title if title != before else "", text))
            before = title

    def _titled(self, title: str, text: str) -> list[Span]:
        space = " " if self.latin else "\u3000"
        told = Span(text, self.fonts.sans, latin=self.latin)
        return [Span(title + space, self.fonts.title, bold=True, latin=self.latin), told] if title else [told]

    def _text(self, *paragraphs: list[Span]) -> Item:
        made = block(paragraphs, self.column, self.size, leading=1.34, space=0.15, justify=not self.latin)
        return Item(made.height + 0.3 * self.size, lambda x, y: [*runs(made, x, y, INK)])

    def _order(self) -> Iterator[Item]:
        """For everything that sets clauses off: their titles in the order in which they are settled."""
        for fact, tiers in self.mode.ruleset.order.items():
            key = f"order_{fact.__name__}"
            if key not in LABELS:
                continue
            seen = [[clause for clause in one if not self._is_silent(clause)] for one in tiers]
            steps = [" / ".join(dict.fromkeys(map(self._step, one))) for one in seen if one]
            chain = " → ".join(dict.fromkeys(steps))
            yield self._text(self._titled(label(key, self.lang), chain))

    def _is_silent(self, clause: str) -> bool:
        return clause in self.mode.clauses and self.mode.clauses[clause].silent

    def _step(self, clause: str) -> str:
        return label("verdict", self.lang) if clause == "verdict" else self.mode.clauses[clause].title[self.lang]

    def _compositions(self) -> Iterator[Item]:
        listed = ", " if self.latin else "、"
        for row in self.mode.compositions:
            roles = listed.join(f"{self.mode.roles[role].name[self.lang]} {n}" for role, n in row.roles.items() if n)
            title = label("players", self.lang, n=row.players)
            keys = (f"option_{name if value == 'on' else value}" for name, value in row.options.items())
            options = listed.join(label(key, self.lang) for key in keys if key in LABELS)
            yield self._text(self._titled(f"{title}{self.dot}{options}" if options else title, roles))


def _columns(items: Sequence[Item], room: float) -> tuple[list[Sequence[Item]], Sequence[Item]]:
    """The items of two columns of this height, and those that are left."""
    found: list[Sequence[Item]] = []
    rest = items
    while rest and len(found) < 2:
        count, used = 0, 0.0
        while count < len(rest):
            item = rest[count]
            following = rest[count + 1].height if item.keeps_next else 0
            if count and used + item.height + following > room:
                break
            used += item.height
            count += 1
        found.append(rest[:count])
        rest = rest[count:]
    return found, rest


def _balanced(items: Sequence[Item], room: float) -> list[Sequence[Item]]:
    """The items in the shortest two columns that hold them, at most as high as the room."""
    height = sum(item.height for item in items) / 2
    while height < room:
        columns, rest = _columns(items, height)
        if not rest:
            return columns
        height += 1
    return _columns(items, room)[0]


def _holds_everywhere(clause: Clause) -> bool:
    """Whether it is a ruling for the games of all modes."""
    return clause.id.startswith("X")


def _is_view(clause: Clause) -> bool:
    """Whether it says who knows what."""
    return clause.where == "view" or clause.id.endswith("-VIEW") or clause.title["en"] == "Who knows what"

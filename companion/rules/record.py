"""The game record as text: reading it (all errors collected) and writing it.

The form is a contract that other tools rely on: tags, numbered inputs, `>` lines of derived facts, `;` comments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from companion.rules.facts import Dealt, DyingBegan, Happened, Learnt, Revealed
from companion.rules.inputs import Card, Deal, IllegalInput, Input, read, write
from companion.rules.ruleset import Ruleset, write_options
from companion.rules.table import Table
from companion.rules.views import facts_for

VERSION = "1"

# Possessive, so that a huge tag that is not closed costs no memory.
_TAG = re.compile(r'\[\s*(\w+)(?:\s+(\d{1,3}))?\s+"((?:[^"\\]++|\\.)*+)"\s*\]')
_INPUT = re.compile(r"\d+\s*\.\s*(.*)")


@dataclass(frozen=True)
class Problem:
    """Something wrong in a record: its line and step (0: none), the clause, and a refusal's key and parameters."""

    line: int
    step: int
    clause: str | None
    reason: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass
class Line:
    """One input of a record. `entered` is None where the text is not an input."""

    number: int
    step: int
    entered: Input | None
    derived: list[str] = field(default_factory=list)


@dataclass
class Game:
    """One game of a record as it was written. `names` by seat; `tags` holds all other tags, unknown ones included."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    ruleset: Ruleset | None = None


@dataclass
class Played:
    """What came of a game of a record. `table` is None where its mode or its options are unknown."""

    game: Game
    table: Table | None
    problems: list[Problem]


def parse(text: str, find_ruleset: Callable[[str], Ruleset]) -> list[Game]:
    """The games of a record. What is not right stands in each game's `problems`; nothing is raised.

    `find_ruleset` gives the rules of a mode id and raises IllegalInput for an unknown one.
    """
    return _Parser(find_ruleset).parse(text)


class _Parser:
    def __init__(self, find_ruleset: Callable[[str], Ruleset]) -> None:
        self._find = find_ruleset
        self._games: list[Game] = []
        self._in_tags = False
        self._known: dict[tuple[str, str], Input] = {}

    def parse(self, text: str) -> list[Game]:
        for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
            stripped = line.strip()
            if stripped and not stripped.startswith(";"):
                self._line(number, stripped)
        self._choose_rules()
        return self._games

    def _line(self, number: int, line: str) -> None:
        if line.startswith("["):
            self._tag(number, line)
            return
        self._choose_rules()
        game = self._games[-1] if self._games else self._begin(number)
        if line.startswith(">") and game.lines:
            game.lines[-1].derived.append(line[1:])
        elif numbered := _INPUT.fullmatch(line):
            self._input(game, number, numbered[1])
        else:
            game.problems.append(Problem(number, 0, None, "not_a_line"))

    def _begin(self, number: int) -> Game:
        self._games.append(Game(number))
        return self._games[-1]

    def _tag(self, number: int, line: str) -> None:
        game = self._games[-1] if self._in_tags else self._begin(number)
        self._in_tags = True
        match = _TAG.fullmatch(line)
        if not match:
            game.problems.append(Problem(number, 0, None, "not_a_tag"))
            return
        name, seat, value = match[1], match[2], re.sub(r"\\(.)", r"\1", match[3])
        if name == "Seat" and seat:
            game.names[int(seat)] = value
        elif name == "Companion" and value != VERSION:
            game.problems.append(Problem(number, 0, None, "record_version", {"found": value[:20], "known": VERSION}))
        else:
            game.tags[f"{name} {seat}" if seat else name] = value

    def _choose_rules(self) -> None:
        """Once a game's tags are read: which rules its inputs are read by."""
        if not self._in_tags:
            return
        self._in_tags = False
        game = self._games[-1]
        if "Mode" not in game.tags:
            game.problems.append(Problem(game.line, 0, None, "no_mode"))
            return
        try:
            game.ruleset = self._find(game.tags["Mode"])
        except IllegalInput as refusal:
            game.problems.append(Problem(game.line, 0, refusal.clause, refusal.reason, dict(refusal.params or {})))

    def _input(self, game: Game, number: int, text: str) -> None:
        line = Line(number, len(game.lines) + 1, None)
        game.lines.append(line)
        try:
            line.entered = self._read(game, text)
        except IllegalInput as refusal:
            if game.ruleset:
                game.problems.append(_problem(number, line.step, refusal))

    def _read(self, game: Game, text: str) -> Input:
        """What the line stands for. The same few lines come again and again, so each is taken apart once."""
        key = (game.ruleset.id if game.ruleset else "", text)
        if key not in self._known:
            self._known[key] = game.ruleset.read(text) if game.ruleset else read(text, {})
        return self._known[key]


def _problem(line: int, step: int, refusal: IllegalInput) -> Problem:
    return Problem(line, step, refusal.clause, refusal.reason, dict(refusal.params or {}))


def run(game: Game, to: int | None = None) -> Played:
    """Play a game of a record, its first `to` inputs only where given. It stops at the first input that is refused."""
    problems = list(game.problems)
    if game.ruleset is None:
        return Played(game, None, problems or [Problem(game.line, 0, None, "no_mode")])
    try:
        table = Table(game.ruleset, game.tags.get("Options", ""))
    except IllegalInput as refusal:
        return Played(game, None, [*problems, _problem(game.line, 0, refusal)])
    for line in game.lines[:to]:
        if line.entered is None:
            break
        before = len(table.facts)
        try:
            table.feed(line.entered)
        except IllegalInput as refusal:
            problems.append(_problem(line.number, line.step, refusal))
            break
        if line.derived and not _agrees(line.derived, derived_text(table.facts[before:], line.step)):
            problems.append(Problem(line.number, line.step, None, "derived_differs"))
    if to is None and "Result" in game.tags and game.tags["Result"] != result(table):
        problems.append(Problem(game.line, 0, None, "result_differs", {"found": game.tags["Result"][:40]}))
    return Played(game, table, sorted(problems, key=lambda problem: problem.line))


def _agrees(written: list[str], derived: str) -> bool:
    text = " | ".join(written).strip()
    return text == derived or _normal(text) == _normal(derived)


def _normal(derived: str) -> list[str]:
    return [" ".join(fact.split()) for fact in derived.split("|") if fact.strip()]


def derived_text(facts: list[Happened], step: int) -> str:
    """What the input at `step` led to, as it stands after `>`."""
    return " | ".join(map(str, _written(happened for happened in facts if happened.step == step)))


def _written(facts: Iterable[Happened]) -> list[Happened]:
    return [h for h in facts if not (isinstance(h.fact, DyingBegan) and h.fact.implied)]


def result(table: Table) -> str | None:
    """The Result tag: the verdict's clause, `end` where the host ended it, None while the game goes on."""
    if not table.state.ended:
        return None
    return table.state.verdict or "end"


def format_game(
    table: Table,
    viewer: int,
    tags: Mapping[str, str],
    names: Mapping[int, str],
    comments: Mapping[int, Sequence[object]],
) -> str:
    """The record of a game as the viewer may know it; the whole record for `HOST`, and for all once the game has ended.

    `tags` come after Mode and Options (Date, for instance); what the table knows better is not taken from them.
    `comments` by the step that they follow (0: before all).
    Identities that the viewer does not know are written `?`; such a record is for reading, not for replaying.
    """
    head = {"Companion": VERSION, "Mode": table.ruleset.id, "Options": write_options(table.options)}
    head |= {name: value for name, value in tags.items() if name not in (*head, "Result")}
    lines = [f"[{name} {_quoted(value)}]" for name, value in head.items() if value.split()]
    lines += [f"[Seat {seat} {_quoted(name)}]" for seat, name in sorted(names.items())]
    if table.state.ended:
        lines.append(f"[Result {_quoted(result(table) or '')}]")
    lines += ["", *(f"; {comment}" for comment in comments.get(0, ()))]
    visible = facts_for(table, viewer)
    told = {step: list(facts) for step, facts in groupby(visible, lambda happened: happened.step)}
    for step, entered in enumerate(table.inputs, 1):
        if isinstance(entered, Deal) and visible is not table.facts:
            entered = _masked(entered, told[step])
        lines.append(f"{step}. {write(entered)}")
        if facts := _written(told.get(step, [])):
            lines.append("   > " + " | ".join(map(str, facts)))
        lines += [f"; {comment}" for comment in comments.get(step, ())]
    return "\n".join(lines) + "\n"


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{" ".join(escaped.split())}"'


def _masked(entered: Deal, told: list[Happened]) -> Deal:
    """The deal as somebody saw it who was told these facts of it."""
    seen = {f.seat: Card(*_card(f)) for _, _, f in told if isinstance(f, Dealt | Revealed | Learnt)}
    seen |= {f.seat: Card(*_card(f)) for _, _, f in told if isinstance(f, Dealt)}  # one's own keeps its target
    return Deal(tuple(seen.get(seat, Card("?")) for seat in range(1, len(entered.cards) + 1)))


def _card(fact: Dealt | Revealed | Learnt) -> tuple[str, str | None, int | None]:
    return fact.identity.role, fact.identity.colour, fact.target if isinstance(fact, Dealt) else None

"""1,500 games of each mode as people play them, in `MODE.txt.gz`: the inputs alone, without what the program derives.

`python -m tests.bench.corpus` writes the files anew; the seed is fixed, so that it gives the same games.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from random import Random

from companion.modes import MODES, find_mode
from companion.rules.facts import HOST
from companion.rules.inputs import Answer, Damage, Death, Heal, IllegalInput, Input, Provinces, Touch, Turn, Use
from companion.rules.record import format_game
from companion.rules.table import Table
from tests.rules.deals import random_deal

GAMES = 1500
PLAYERS = 5
"""So many people or more, where the mode has room for them."""


def file(mode: str) -> Path:
    """Where the mode's games are kept."""
    return Path(__file__).with_name(f"{mode}.txt.gz")


def unpacked(mode: str, folder: Path) -> Path:
    """The mode's games as a plain record file in the folder."""
    plain = folder / f"{mode}.txt"
    plain.write_bytes(gzip.decompress(file(mode).read_bytes()))
    return plain


def game(mode: str, rng: Random) -> Table:
    """One game to its verdict: turns in order of play, blows, and now and then a death."""
    options, deal = random_deal(find_mode(mode), rng, PLAYERS)
    table = Table(find_mode(mode).ruleset, options)
    table.feed(deal)
    while not table.state.ended:
        for number in table.state.numbers_in_order():
            if table.seat(number).alive and not table.state.ended:
                table.feed(Turn(number))
                for entered in _happens(table, rng, number):
                    _try(table, entered)
                    _answer(table, rng)
    return table


def _happens(table: Table, rng: Random, turn: int) -> Iterator[Input]:
    """What is recorded in a turn; not all of it is legal. One input is entered before the next one is drawn."""
    if table.ruleset.id == "sixteen":
        yield from _marks_and_skills(table, rng, turn)
    if table.has("provinces") and rng.random() < 0.5:
        yield Provinces(turn, rng.choice((-1, 1)), True)
    others = [seat for seat in table.state.living if seat.number != turn]
    if table.state.ended or not others:
        return
    target = rng.choice(others)
    if table.has("hp") and rng.random() < 0.7:
        hurt = target.is_dying or rng.random() < 0.8
        yield Damage(target.number, rng.randint(1, 2), turn) if hurt else Heal(target.number, 1, turn)
        if not table.state.ended and table.seat(target.number).is_dying:
            yield Death(target.number, turn)
    elif rng.random() < 0.25:
        yield Death(target.number, turn if rng.random() < 0.9 else 0)


def _marks_and_skills(table: Table, rng: Random, turn: int) -> Iterator[Input]:
    skills = find_mode("sixteen").skills.items()
    for word in [word for word, skill in skills if skill.role == table.seat(turn).role]:
        if rng.random() < 0.2:
            others = [seat.number for seat in table.state.living if seat.number != turn]
            yield Use(turn, word, tuple(rng.sample(others, min(1, len(others), dict(skills)[word].most))))
    for _ in range(rng.randint(0, 2)):
        if not table.state.ended:
            yield Touch(rng.choice(table.state.living).number, turn)


def _answer(table: Table, rng: Random) -> None:
    while table.pending:
        table.feed(Answer(table.pending.seat, rng.choice(table.pending.choices)))


def _try(table: Table, entered: Input) -> None:
    try:
        table.feed(entered)
    except IllegalInput:
        return


def write(mode: str) -> str:
    """Write the mode's games; what was written, in words."""
    rng = Random(f"{mode} 20261130")
    games = [game(mode, rng) for _ in range(GAMES)]
    names = {number: f"P{number}" for number in range(1, 13)}
    texts = []
    for played in games:
        seated = {seat.number: names[seat.number] for seat in played.state.seats}
        texts.append(format_game(played, HOST, {"Date": "2026-11-30"}, seated, {}))
    kept = [line for line in "\n".join(texts).splitlines() if not line.startswith("   >")]
    file(mode).write_bytes(gzip.compress(("\n".join(kept) + "\n").encode(), 9, mtime=0))
    return f"{mode}: {GAMES} games, {sum(len(g.inputs) for g in games)} inputs, {file(mode).stat().st_size} bytes"


def main() -> None:
    for mode in MODES:
        print(write(mode), flush=True)


if __name__ == "__main__":
    main()

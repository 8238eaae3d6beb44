"""1,500 `court8` games as people play them, in `court8.txt.gz`: the inputs alone, without what the program derives.

`python -m tests.bench.corpus` writes the file anew; the seed is fixed, so that it gives the same games.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random

from companion.modes import find_mode
from companion.rules.facts import HOST
from companion.rules.inputs import Card, Damage, Deal, Death, Heal, IllegalInput, Input, Turn
from companion.rules.record import format_game
from companion.rules.table import Table

GAMES = 1500
FILE = Path(__file__).with_name("court8.txt.gz")


def unpacked(folder: Path) -> Path:
    """The games as a plain record file in the folder."""
    plain = folder / "court8.txt"
    plain.write_bytes(gzip.decompress(FILE.read_bytes()))
    return plain


def _game(rng: Random, options: str) -> Table:
    """One game to its verdict: turns in order of play, blows where hit points are counted, now and then a death."""
    mode = find_mode("court8")
    composition = mode.composition(8, mode.ruleset.read_options(options)) or {}
    roles = [role for role, count in composition.items() for _ in range(count) if role != "lord"]
    rng.shuffle(roles)
    table = Table(mode.ruleset, options)
    table.feed(Deal((Card("lord"), *map(Card, roles))))
    while True:
        for seat in table.state.living:
            if table.seat(seat.number).alive and not table.state.ended:
                table.feed(Turn(seat.number))
                _happens(table, rng, seat.number)
        if table.state.ended:
            return table


def _happens(table: Table, rng: Random, turn: int) -> None:
    others = [seat for seat in table.state.living if seat.number != turn]
    target = rng.choice(others)
    if table.has("hp") and rng.random() < 0.7:
        hurt = target.is_dying or rng.random() < 0.8
        _try(table, Damage(target.number, rng.randint(1, 2), turn) if hurt else Heal(target.number, 1, turn))
        if table.seat(target.number).is_dying:
            table.feed(Death(target.number, turn))
    elif rng.random() < 0.25:
        table.feed(Death(target.number, turn if rng.random() < 0.9 else 0))


def _try(table: Table, entered: Input) -> None:
    try:
        table.feed(entered)
    except IllegalInput:
        return


def main() -> None:
    rng = Random(20261130)
    names = {number: f"P{number}" for number in range(1, 9)}
    games = [_game(rng, "" if number % 4 else "hp=on") for number in range(GAMES)]
    texts = [format_game(game, HOST, {"Date": "2026-11-30"}, names, {}) for game in games]
    kept = [line for line in "\n".join(texts).splitlines() if not line.startswith("   >")]
    FILE.write_bytes(gzip.compress(("\n".join(kept) + "\n").encode(), 9, mtime=0))
    inputs = sum(len(game.inputs) for game in games)
    print(f"{GAMES} games, {inputs} inputs, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()

"""Whole games as records: their inputs are read, and all that follows must be as it was.

`pytest --rewrite` writes what follows anew; in a new record it is enough to write the inputs.
`tests/regressions` holds games that once went wrong: each says in its Event tag how.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion.modes import MODES, find_ruleset
from companion.rules.facts import HOST
from companion.rules.record import Game, format_game, parse, run
from tests.rules.games import again

TESTS = Path(__file__).parents[1]
PLAYTHROUGHS = sorted((TESTS / "playthroughs").glob("*.txt"))
REGRESSIONS = sorted((TESTS / "regressions").glob("*.txt"))


def rewritten(game: Game) -> str:
    """The record of the game as it runs now."""
    table = run(game).table
    assert table
    assert len(table.inputs) == len(game.lines), f"input {len(table.inputs) + 1} is refused: {run(game).problems}"
    return format_game(table, HOST, game.tags, game.names, {})


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_a_game_goes_as_it_went(path: Path, golden: Callable[[Path, str], None]) -> None:
    golden(path, "\n".join(rewritten(game) for game in parse(path.read_text("utf-8"), find_ruleset)))
    for game in parse(path.read_text("utf-8"), find_ruleset):
        played = run(game)
        assert played.problems == []
        assert played.table
        assert again(played.table).facts == played.table.facts


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda path: path.stem)
def test_what_once_went_wrong_goes_well(path: Path) -> None:
    for game in parse(path.read_text("utf-8"), find_ruleset):
        assert run(game).problems == []
        assert game.tags["Event"]
        assert any(line.derived for line in game.lines), "nothing is compared"


@pytest.mark.parametrize("mode", MODES)
def test_some_games_of_every_mode_are_kept(mode: str) -> None:
    games = [game for path in PLAYTHROUGHS for game in parse(path.read_text("utf-8"), find_ruleset)]
    assert len([game for game in games if game.tags["Mode"] == mode and game.tags.get("Result")]) >= 3

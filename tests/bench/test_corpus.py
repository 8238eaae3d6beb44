"""The games on which speed is measured are played by today's rules as they were written down."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.modes import MODES
from tests.bench import corpus


@pytest.mark.parametrize("mode", MODES)
def test_every_game_of_the_corpus_is_replayed_to_its_verdict(mode: str, tmp_path: Path) -> None:
    replayed = CliRunner().invoke(main, ["replay", "--json", str(corpus.unpacked(mode, tmp_path))])
    assert replayed.exit_code == 0, replayed.output[-500:]
    games = [json.loads(line) for line in replayed.stdout.splitlines()]
    assert len(games) == corpus.GAMES and all(game["clause"] for game in games)

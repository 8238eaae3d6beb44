"""Records of real games in which lines are lost, doubled, moved and spoilt: read, played and told to everybody."""

from __future__ import annotations

from functools import cache
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion import report
from companion.modes import MODES, find_mode, find_ruleset
from companion.rules.facts import HOST, TABLE
from companion.rules.record import Game, format_game, parse, run
from companion.words import Lang, Words
from tests.fuzz.words import lines, words
from tests.rules.games import random_game, whole_record

TAGS = st.builds(
    '[{} "{}"]'.format, st.sampled_from(["Mode", "Options", "Seat 1", "Result", "Companion"]) | words, words
)
LINES = lines.map("1. {}".format) | lines.map("> {}".format) | TAGS | st.text(max_size=40)
SPOILS = st.tuples(st.sampled_from(["drop", "double", "move", "insert", "replace", "word"]), st.integers(0, 80), LINES)
VIEWERS: tuple[tuple[int, Lang], ...] = ((HOST, "zh-Hans"), (TABLE, "zh-Hant"), (2, "en"))
RECORDS = st.tuples(st.sampled_from(MODES), st.integers(0, 5), st.lists(SPOILS, max_size=5))


@cache
def real(mode: str, seed: int) -> str:
    return whole_record(random_game(find_mode(mode), Random(seed), most=30))


def spoilt(record: str, spoils: list[tuple[str, int, str]]) -> str:
    """The record after each spoil was done to one of its lines."""
    text = record.split("\n")
    for how, number, line in spoils:
        place = number % len(text)
        match how:
            case "drop":
                text[place : place + 1] = [] if len(text) > 1 else [""]
            case "double":
                text.insert(place, text[place])
            case "move":
                text.insert(len(text) - place, text.pop(place))
            case "insert":
                text.insert(place, line)
            case "replace":
                text[place] = line
            case "word":
                parts = text[place].split(" ")
                parts[number % len(parts)] = line.split(" ")[-1]
                text[place] = " ".join(parts)
    return "\n".join(text)


@settings(max_examples=100)
@given(RECORDS)
def test_no_record_breaks_the_reader(record: tuple[str, int, list[tuple[str, int, str]]]) -> None:
    mode, seed, spoils = record
    text = spoilt(real(mode, seed), spoils)
    for game in parse(text, find_ruleset):
        check(game, text.count("\n") + 1)


def check(game: Game, length: int) -> None:
    """It can be played, as far as it goes, and told; what goes wrong stands at one of its lines."""
    for to in (None, 3):
        played = run(game, to)
        assert all(0 < problem.line <= length for problem in played.problems)
        for viewer, language in VIEWERS:
            told = Words(language, find_mode(game.ruleset.id) if game.ruleset else None, game.names.get)
            seen, problems = report.view(played, viewer), report.faults(played, viewer, to)
            inputs = played.table.inputs if played.table else ()
            assert report.as_text(game, seen, inputs, problems, told)
            assert report.as_json(game, seen, problems, told)
    whole = run(game)
    if whole.table:
        again = run(parse(format_game(whole.table, HOST, game.tags, game.names, {}), find_ruleset)[0])
        assert not again.problems and again.table and again.table.facts == whole.table.facts


fuzz = test_no_record_breaks_the_reader.hypothesis.fuzz_one_input  # type: ignore[attr-defined]

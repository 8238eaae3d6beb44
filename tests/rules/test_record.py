"""Records: written and read again, and everything that can be wrong in one is said with its line."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.modes import MODES, find_mode, find_ruleset
from companion.rules import inputs as i
from companion.rules.facts import HOST, TABLE
from companion.rules.inputs import IllegalInput
from companion.rules.record import Played, format_game, parse, run
from tests.rules.games import again, played, random_game

NAMES = st.text(max_size=12) | st.sampled_from(
    ['"', "\\", '\\"', "甲 \n乙", "[Seat 2]", "1. end", "> Died 1", "; x", "\r\n"]
)

RECORD = """[Companion "1"]
[Mode "classic"]
[Date "2026-11-30"]
[Seat 1 "甲"]
[Seat 3 "丙"]
[Result "CL-4.3"]

1. deal lord rebel renegade
2. turn 2
3. death 2 by 1
   > Died 2 by 1 | Revealed 2 rebel [X4] | Instructed 1 draw 3 [CL-3]
4. death 3 by 1
   > Died 3 by 1 | Revealed 3 renegade [X4] | Ended CL-4.3 1=win,2=lose,3=lose [CL-4.3]
"""


def plain(text: str) -> str:
    """White space is written as one blank: a tag is one line."""
    return " ".join(text.split())


def replay(text: str, to: int | None = None) -> Played:
    """The only game of a record."""
    [game] = parse(text, find_ruleset)
    return run(game, to)


def said(text: str) -> list[tuple[int, int, str]]:
    """All problems of a record: line, step, reason."""
    return [(p.line, p.step, p.reason) for game in parse(text, find_ruleset) for p in run(game).problems]


def test_a_good_record_has_no_problems() -> None:
    replayed = replay(RECORD)
    assert replayed.problems == []
    assert replayed.table
    assert replayed.table.state.verdict == "CL-4.3"
    assert replayed.game.names == {1: "甲", 3: "丙"}
    assert replayed.game.tags["Date"] == "2026-11-30"


@given(names=st.dictionaries(st.integers(1, 99), NAMES, max_size=4), event=NAMES, seed=st.integers(0, 2**32))
def test_names_and_tags_of_any_text_come_back(names: dict[int, str], event: str, seed: int) -> None:
    table = random_game(find_mode(Random(seed).choice(MODES)), Random(seed), most=6)
    text = format_game(table, HOST, {"Event": event}, names, {})
    [game] = parse(text, find_ruleset)
    assert run(game).problems == []
    assert game.names == {seat: plain(name) for seat, name in names.items()}
    assert game.tags.get("Event", "") == plain(event)
    assert format_game(table, HOST, game.tags, game.names, {}) == text


@given(st.text() | st.text(alphabet='[]"\\>;.|-+,:? \n\r\ufeff0123deal lord', max_size=80))
def test_no_text_breaks_the_reader(text: str) -> None:
    for game in parse(text, find_ruleset):
        assert run(game).problems, "a text like this is no game, and that must be said"


@given(cut=st.integers(0, len(RECORD)), junk=st.text(max_size=6))
def test_a_record_cut_short_or_spoilt_anywhere_never_breaks_the_reader(cut: int, junk: str) -> None:
    for text in (RECORD[:cut], RECORD[:cut] + junk, RECORD[:cut] + junk + RECORD[cut + len(junk) :]):
        for game in parse(text, find_ruleset):
            lines = text.count("\n") + 1
            assert all(0 < problem.line <= lines for problem in run(game).problems)


BAD_INPUTS = {
    "2.": "too_short",
    "2. death": "too_short",
    "2. death 2 by": "too_short",
    "2. death 2 from 1": "unexpected",
    "2. death two by 1": "not_a_number",
    "2. death 2 by 1 2": "too_long",
    "2. death 2": "no_killer",
    "2. death -2 by 1": "not_in_range",
    "2. death 0 by 1": "not_in_range",
    "2. death ٢ by 1": "not_a_number",
    "2. death 2 by 9999999999999999999999": "not_a_number",
    "2. death 9 by 1": "no_seat",
    "2. death 2 by 9": "no_seat",
    "2. turn": "too_short",
    "2. turn 4": "no_seat",
    "2. turn 100": "not_in_range",
    "2. fly 3": "unknown_input",
    "2. Turn 3": "unknown_input",
    "2. limit 1 1": "not_signed",
    "2. limit 1 +-1": "not_in_range",
    "2. provinces 1 -": "not_a_number",
    "2. deaths 1 by 2,": "too_short",
    "2. deal lord rebel renegade": "dealt_twice",
    "2. touch 1 by 2": "not_in_mode",
    "2. damage 1 1 by 2": "hp_off",
    "2. correct 1 luck 3": "not_correctable",
    "2. answer 1 yes": "no_question",
    "2. saved 1": "not_dying",
    "2. end now": "too_long",
    "turn 2": "not_a_line",
    "hello": "not_a_line",
    "２": "not_a_line",
}


@pytest.mark.parametrize(("line", "reason"), BAD_INPUTS.items())
def test_a_bad_line_is_named(line: str, reason: str) -> None:
    problems = replay(f'[Mode "classic"]\n\n1. deal lord rebel renegade\n; fine\n{line}\n6. turn 2\n').problems
    assert [(problem.line, problem.reason) for problem in problems] == [(5, reason)]
    assert problems[0].step == (0 if reason == "not_a_line" else 2)


BAD_DEALS = {
    "1. deal lord ? renegade": "hidden_role",
    "1. deal lord pope renegade": "unknown_role",
    "1. deal lord: rebel renegade": "too_short",
    "1. deal lord rebel> renegade": "not_a_number",
    "1. deal lord rebel>1 renegade": "plain_cards",
    "1. deal lord rebel rebel": "composition",
    "1. deal rebel lord renegade": "seat_1",
    "1. deal lord": "players",
    "1. turn 1": "not_dealt",
}


@pytest.mark.parametrize(("line", "reason"), BAD_DEALS.items())
def test_a_bad_deal_is_named(line: str, reason: str) -> None:
    replayed = replay(f'[Mode "classic"]\n{line}\n2. turn 2\n')
    assert [(p.line, p.step, p.reason) for p in replayed.problems] == [(2, 1, reason)]
    assert replayed.table
    assert (replayed.table.facts, replayed.table.inputs) == ([], [])


BAD_HEADS = {
    '[Mode "whist"]\n1. deal lord rebel': [(1, 0, "unknown_mode")],
    "1. deal lord rebel": [(1, 0, "no_mode")],
    '[Date "2026"]\n1. deal lord rebel': [(1, 0, "no_mode")],
    '[Mode "classic"]\n[Options "hp=perhaps"]\n1. deal lord rebel': [(1, 0, "option_value")],
    '[Mode "classic"]\n[Options "branch=duo"]\n1. deal lord rebel': [(1, 0, "unknown_option")],
    '[Companion "2"]\n[Mode "classic"]\n1. deal lord rebel': [(1, 0, "record_version")],
    '[Mode "classic"]\n[Seat 1 甲]\n1. deal lord rebel': [(2, 0, "not_a_tag")],
    '[Mode "classic"]\n[Seat 1 "a"b"]\n1. deal lord rebel': [(2, 0, "not_a_tag")],
    '[Mode "classic"]\n[Seat ' + "1" * 5000 + ' "a"]\n1. deal lord rebel': [(2, 0, "not_a_tag")],
    '[Mode "classic"\n1. deal lord rebel': [(1, 0, "not_a_tag"), (1, 0, "no_mode")],
    '[Mode "classic"]\n> Died 2 by 1\n1. deal lord rebel': [(2, 0, "not_a_line")],
    '[Mode "classic"]\n[Result "CL-4.3"]\n1. deal lord rebel': [(1, 0, "result_differs")],
    '[Mode "classic"]\n[Result "end"]\n1. deal lord rebel\n2. death 1 by 2': [(1, 0, "result_differs")],
}


@pytest.mark.parametrize(("text", "problems"), BAD_HEADS.items(), ids=[text[:50] for text in BAD_HEADS])
def test_a_bad_head_is_named(text: str, problems: list[tuple[int, int, str]]) -> None:
    assert said(text) == problems


def test_all_errors_are_collected_and_the_game_stops_at_the_first() -> None:
    text = RECORD.replace("2. turn 2", "2. turn two").replace("4. death 3 by 1", "4. deth 3 by 1") + "what?\n"
    assert said(text) == [
        (1, 0, "result_differs"),
        (9, 2, "not_a_number"),
        (12, 4, "unknown_input"),
        (14, 0, "not_a_line"),
    ]
    table = replay(text).table
    assert table
    assert len(table.inputs) == 1


def test_games_after_a_bad_one_still_run() -> None:
    text = RECORD + "\n" + '[Mode "whist"]\n1. deal king queen\n\n' + RECORD
    games = parse(text, find_ruleset)
    assert [bool(run(game).problems) for game in games] == [False, True, False]
    assert [game.line for game in games] == [1, 15, 18]


def test_numbers_need_not_be_right() -> None:
    text = RECORD.replace("\n2. ", "\n77. ").replace("\n3. ", "\n3 . ").replace("\n4. ", "\n1.")
    assert said(text) == []
    assert [line.step for line in parse(text, find_ruleset)[0].lines] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + RECORD,
        RECORD.replace("\n", "\r\n"),
        RECORD.replace("\n", "\n\n"),
        RECORD.replace("\n", "\n; 一句话\n"),
        RECORD.rstrip("\n"),
        RECORD.replace("lord rebel renegade", "主公 反贼 内奸"),
        RECORD.replace("lord rebel renegade", "主公 反賊 內奸"),
        RECORD.replace("death 2 by 1", "  death   2\tby 1 "),
    ],
    ids=["bom", "crlf", "blank lines", "comments", "no last newline", "zh_hans", "zh_hant", "blanks"],
)
def test_the_form_is_forgiving(text: str) -> None:
    assert said(text) == []
    assert [i.write(line.entered) for line in parse(text, find_ruleset)[0].lines if line.entered] == [
        "deal lord rebel renegade",
        "turn 2",
        "death 2 by 1",
        "death 3 by 1",
    ]


def test_unknown_tags_are_kept() -> None:
    text = RECORD.replace("[Date ", '[Weather "rain \\"hard\\""]\n[Clock 3 "slow"]\n[Date ')
    replayed = replay(text)
    assert replayed.problems == []
    assert replayed.table
    assert replayed.game.tags["Weather"] == 'rain "hard"'
    written = format_game(replayed.table, HOST, replayed.game.tags, replayed.game.names, {})
    assert '[Weather "rain \\"hard\\""]\n[Clock 3 "slow"]' in written


def test_comments_stand_behind_their_input() -> None:
    table = played("classic", "deal lord rebel; turn 1")
    text = format_game(table, HOST, {}, {}, {0: ["before"], 1: ["undone: turn 2"]})
    assert "\n; before\n1. deal" in text
    assert "\n; undone: turn 2\n2. turn 1" in text
    assert said(text) == []


def test_derived_lines_are_compared_where_they_stand() -> None:
    assert said(RECORD.replace("draw 3", "draw 4")) == [(10, 3, "derived_differs")]
    assert said(RECORD.replace(" | Instructed 1 draw 3 [CL-3]", "")) == [(10, 3, "derived_differs")]
    assert said(RECORD.replace(" | Instructed", "\n   > Instructed").replace("Died 2 by 1", "Died   2  by 1")) == []
    assert said("\n".join(line for line in RECORD.splitlines() if not line.lstrip().startswith(">"))) == []


@pytest.mark.parametrize("to", range(6))
def test_only_the_first_inputs_are_played(to: int) -> None:
    replayed = replay(RECORD, to)
    assert replayed.problems == [], "the Result is that of the whole game"
    assert replayed.table
    assert len(replayed.table.inputs) == min(to, 4)
    assert replayed.table.state.ended == (to >= 4)


def test_an_error_behind_the_inputs_that_are_played_is_not_reached() -> None:
    text = RECORD.replace("4. death 3 by 1", "4. death 2 by 1")
    assert replay(text, 3).problems == []
    assert [problem.step for problem in replay(text, 4).problems] == [4]


@pytest.mark.parametrize(
    ("text", "result"),
    [("", None), ("end", "end"), ("death 2 by 1", "CL-4.3")],
)
def test_the_result_tag(text: str, result: str | None) -> None:
    written = format_game(played("classic", f"deal lord rebel; {text}"), HOST, {}, {}, {})
    assert [line for line in written.splitlines() if "Result" in line] == ([f'[Result "{result}"]'] if result else [])
    assert said(written) == []


SECRETS = "deal lord crown_prince loyalist rebel_chief rebel rebel rebel renegade; turn 1; death 3 by 8"


@pytest.mark.parametrize("viewer", [TABLE, 1, 2, 5, 8])
def test_an_export_of_a_running_game_holds_what_its_reader_may_know_and_cannot_be_replayed(viewer: int) -> None:
    table = played("court8", SECRETS)
    text = format_game(table, viewer, {}, {1: "甲"}, {})
    own = table.state.seat(viewer).role if viewer else None
    hidden = {"crown_prince", "rebel_chief", "rebel", "renegade"} - {own}
    assert not hidden & set(text.replace("|", " ").split())
    cards = ["lord", *("?" if seat != viewer else str(own) for seat in range(2, 9))]
    assert f"1. deal {' '.join(cards)}\n" in text
    assert "3. death 3 by 8\n   > Died 3 by 8 | Revealed 3 loyalist [X4]\n" in text
    assert [problem.reason for problem in replay(text).problems] == ["hidden_role"]


def test_the_whole_record_is_the_hosts_and_everybodys_once_the_game_is_over() -> None:
    table = played("court8", SECRETS)
    assert "deal lord crown_prince" in format_game(table, HOST, {}, {}, {})
    table.feed(i.End())
    whole = format_game(table, HOST, {}, {}, {})
    assert all(format_game(table, viewer, {}, {}, {}) == whole for viewer in range(9))


ALL_INPUTS: list[i.Input] = [
    i.Deal((i.Card("lord", "red"), i.Card("assassin", None, 3), i.Card("false_emperor", "blue", 1))),
    i.Hp(1, 4),
    i.Turn(99),
    i.Damage(1, 2, 3),
    i.Heal(1, 2, 0),
    i.Lose(5, 1),
    i.Dying(1, 0),
    i.Save(1),
    i.Save(1, 3),
    i.Save(1, 1, (2, 3)),
    i.Save(1, 2, (2,)),
    i.Death(1),
    i.Death(1, 0),
    i.Death(1, 4),
    i.Deaths((i.Blow(1, 0), i.Blow(2, 1))),
    i.Use(1, "emerge"),
    i.Use(1, "alliance", (2, 3)),
    i.Touch(1, 2),
    i.Answer(4, "no"),
    i.Provinces(1, 0, False),
    i.Provinces(1, 2, True),
    i.Provinces(1, -2, True),
    i.Limit(1, -1),
    i.Leave(3),
    i.Correct(1, "hp", -3),
    i.End(),
]


@pytest.mark.parametrize("entered", ALL_INPUTS, ids=i.write)
def test_every_input_is_written_and_read_the_same(entered: i.Input) -> None:
    roles = {name: name for name in ("lord", "assassin", "false_emperor")}
    assert i.read(i.write(entered), roles) == entered


@given(st.text(alphabet=" 0123456789-+,:>?byxdealthsv", max_size=30))
def test_any_line_is_an_input_or_is_refused(text: str) -> None:
    try:
        entered = i.read(text, {"x": "x"})
    except IllegalInput as refusal:
        assert refusal.reason
    else:
        assert i.read(i.write(entered), {"x": "x"}) == entered


def test_playing_again_gives_the_same_facts() -> None:
    table = random_game(find_mode("court8"), Random(1))
    assert again(table).facts == table.facts

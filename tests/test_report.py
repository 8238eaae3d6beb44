"""What is told of a replayed game: the object that other tools rely on, the report for people, nobody's secrets."""

from __future__ import annotations

import json
import re
from collections import Counter
from random import Random

import pytest

from companion import report
from companion.modes import MODES, find_mode, find_ruleset
from companion.rules.facts import HOST, TABLE
from companion.rules.inputs import Deal
from companion.rules.record import format_game, parse, run
from companion.rules.table import Table
from companion.rules.views import view_of
from companion.words import LANGS, Lang, Words
from tests.rules.games import offer
from tests.rules.worlds import has_secrets, pairs

COURT = """[Companion "1"]
[Mode "court8"]
[Options "hp=on"]
[Date "2026-11-30"]
[Seat 1 "甲"]
[Seat 2 "乙"]

1. deal lord crown_prince loyalist rebel_chief rebel rebel rebel renegade
2. turn 1
3. damage 5 9 by 1
4. death 5
5. death 6 by 3
"""
KEYS = ["mode", "ended", "clause", "grades", "seats", "pending", "announcements", "errors"]
SEAT_KEYS = ["seat", "player", "role", "colour", "camp", "alive", "departed", "public"]
SEAT_KEYS += ["hp", "max_hp", "marks", "provinces", "limit", "target"]


def told(text: str, viewer: int = HOST, to: int | None = None, lang: Lang = "en") -> tuple[str, str]:
    """The only game of the text as JSON and as a report."""
    [game] = parse(text, find_ruleset)
    played = run(game, to)
    words = Words(lang, find_mode(game.ruleset.id) if game.ruleset else None, game.names.get)
    seen, problems = report.view(played, viewer), report.faults(played, viewer, to)
    inputs = played.table.inputs if played.table else ()
    return (
        json.dumps(report.as_json(game, seen, problems, words), ensure_ascii=False),
        report.as_text(game, seen, inputs, problems, words),
    )


def test_the_object_has_the_keys_of_the_contract_in_their_order() -> None:
    game = json.loads(told(COURT)[0])
    assert list(game) == KEYS
    assert [list(seat) for seat in game["seats"]] == [SEAT_KEYS] * 8
    assert game["mode"] == "court8"
    assert (game["ended"], game["clause"], game["grades"], game["pending"], game["errors"]) == (
        False,
        None,
        {},
        None,
        [],
    )
    assert list(game["seats"][4].values()) == [5, None, "rebel", None, "rebel", False, False, True, 0, 4] + [None] * 4
    assert [seat["player"] for seat in game["seats"]] == ["甲", "乙"] + [None] * 6
    assert game["announcements"][0] == {
        "step": 1,
        "seat": 1,
        "do": "reveal",
        "n": None,
        "clause": "C8-LORD.1",
        "role": "lord",
    }
    assert list(game["announcements"][-1].values()) == [5, 3, "draw", 3, "C8-REBEL.1"]


def test_grades_are_by_seat_in_their_order() -> None:
    game = json.loads(told(COURT + "6. death 1 by 8\n7. death 2 by 8\n")[0])
    assert (game["ended"], game["clause"]) == (True, "C8-V1")
    assert list(game["grades"]) == [str(seat) for seat in range(1, 9)]
    assert {seat for seat, grade in game["grades"].items() if grade == "win"} == {"4", "5", "6", "7"}


def test_a_game_that_the_host_ended_has_neither_clause_nor_grades() -> None:
    game = json.loads(told(COURT + "6. end\n")[0])
    assert (game["ended"], game["clause"], game["grades"]) == (True, None, {})
    assert all(seat["public"] for seat in game["seats"])


def test_names_and_points_are_null_where_there_are_none() -> None:
    game = json.loads(told('[Mode "classic"]\n1. deal lord rebel\n')[0])
    assert {(seat["player"], seat["hp"], seat["max_hp"]) for seat in game["seats"]} == {(None, None, None)}


def test_errors_are_collected_with_line_step_clause_and_message() -> None:
    text = COURT + "6. death 5 by 1\n7. turn 3\n8. trun 3\nwhat\n"
    game = json.loads(told(text)[0])
    assert [list(error.values())[:3] for error in game["errors"]] == [
        [13, 6, "X3"],
        [15, 8, None],
        [16, None, None],
    ]
    assert game["errors"][0]["message"].startswith("seat 5 is dead or gone already.")
    assert "trun" in game["errors"][1]["message"]


@pytest.mark.parametrize("mode", ['[Mode "court10"]\n', '[Mode "no such"]\n', '[Date "today"]\n', ""])
def test_a_game_of_an_unknown_mode_is_an_object_too(mode: str) -> None:
    as_json, as_text = told(mode + "1. deal lord rebel\n")
    game = json.loads(as_json)
    assert list(game) == KEYS
    assert game["mode"] == (mode[7:-3] if mode.startswith("[Mode") else None)
    assert game["seats"] == [] and len(game["errors"]) == 1
    assert game["errors"][0]["message"] in as_text


def test_only_messages_depend_on_the_language() -> None:
    text = COURT + "6. death 5 by 1\n"
    games = [json.loads(told(text, lang=lang)[0]) for lang in LANGS]
    assert len({game["errors"][0].pop("message") for game in games}) == 3
    assert games[0] == games[1] == games[2]
    assert len({told(text, lang=lang)[1] for lang in LANGS}) == 3


def test_up_to_a_step_and_no_further() -> None:
    text = COURT + "6. death 5 by 1\n"
    game = json.loads(told(text, to=3)[0])
    assert [seat["alive"] for seat in game["seats"]] == [True] * 8
    assert game["errors"] == []
    assert json.loads(told(text, to=0)[0])["seats"] == []
    assert json.loads(told(text, to=6)[0])["errors"] == json.loads(told(text)[0])["errors"] != []


def test_the_report_in_full() -> None:
    ended = told(COURT + "6. death 1 by 8\n7. death 2 by 8\n8. turn 3\n", lang="zh-Hans")[1]
    lines = ended.splitlines()
    assert lines[:6] == [
        "初级版（八人）",
        "日期：2026-11-30",
        "选项：记体力",
        "座次：1 甲、2 乙",
        "",
        "  1. 发身份牌：甲 主公、乙 储君、3号位 忠臣、4号位 贼首、5号位 反贼、6号位 反贼、7号位 反贼、8号位 内奸",
    ]
    assert "  3. 甲 对 5号位 造成 9 点伤害\n     · 5号位 濒死\n" in ended
    assert "     · 甲 摸 3 张牌 [C8-REBEL.1 赏令]\n" in ended
    assert lines[lines.index("反贼获胜 [C8-V1]") :] == [
        "反贼获胜 [C8-V1]",
        "主公和储君都已阵亡，有反贼存活：反贼获胜。",
        "胜：4号位（贼首）、5号位（反贼）、6号位（反贼）、7号位（反贼）",
        "负：甲（主公）、乙（储君）、3号位（忠臣）、8号位（内奸）",
        "",
        "有 1 处不对：",
        "  第 15 行（第 8 条）：这一局已经结束。要改结果，先撤销最后一条。 [X5]",
    ]


def test_the_report_of_a_running_game_says_who_is_in_play() -> None:
    running = told(COURT, viewer=TABLE)[1]
    assert "In play: 甲 (Lord), 乙 (?), seat 3 (?), seat 4 (Rebel Chief), seat 7 (?), seat 8 (?)" in running
    assert "Out: seat 5 (Rebel), seat 6 (Rebel)" in running


# Nobody's secrets


def swapped(text: str, one: int, other: int) -> str:
    """The record with the cards of two seats exchanged, in the deal and in what is derived from it."""
    game = parse(text, find_ruleset)[0]
    played = run(game)
    assert played.table and not played.problems
    deal = played.table.inputs[0]
    assert isinstance(deal, Deal)
    cards = list(deal.cards)
    cards[one - 1], cards[other - 1] = cards[other - 1], cards[one - 1]
    table = Table(played.table.ruleset, game.tags.get("Options", ""))
    table.feed(Deal(tuple(cards)))
    for entered in played.table.inputs[1:]:
        table.feed(entered)
    return format_game(table, HOST, {"Date": game.tags["Date"]}, game.names, {})


WORLDS = [swapped(COURT, 4, 4), swapped(COURT, 3, 8), swapped(COURT, 2, 8), swapped(COURT, 7, 2)]
VIEWERS = [TABLE, 1, 4, 5, 6]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("lang", LANGS)
def test_what_cannot_be_known_is_not_told(viewer: int, lang: Lang) -> None:
    assert len(set(WORLDS)) == 4
    assert len({told(text, viewer, lang=lang) for text in WORLDS}) == 1
    assert len({told(text, HOST, lang=lang) for text in WORLDS}) == 4


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_refusal_tells_nothing(viewer: int) -> None:
    for line in ("death 5 by 1", "turn 9", "trun 1", "deal lord", "what", "correct 2 hp 9", "death 8"):
        assert len({told(f"{text}9. {line}\n", viewer) for text in WORLDS}) == 1


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_derived_line_that_disagrees_in_something_hidden_tells_nothing(viewer: int) -> None:
    """The same derived text stands in every world, so it is wrong in all but one."""
    derived = re.search("   > GameBegan.*\n", WORLDS[0])
    assert derived
    texts = [re.sub("   > GameBegan.*\n", derived[0], text) for text in WORLDS]
    assert [json.loads(told(text)[0])["errors"] == [] for text in texts].count(True) == 1
    assert len({told(text, viewer) for text in texts}) == 1
    assert json.loads(told(texts[0], viewer)[0])["errors"] == []


@pytest.mark.parametrize("viewer", [HOST, *VIEWERS])
def test_a_derived_line_that_disagrees_in_something_known_is_told(viewer: int) -> None:
    texts = [text.replace("Instructed 1 draw 3", "Instructed 1 draw 4") for text in WORLDS]
    assert texts != WORLDS
    errors = [json.loads(told(text, viewer)[0])["errors"] for text in texts]
    assert [(error["line"], error["step"]) for error in errors[0]] == [(14, 4)]
    assert errors == errors[:1] * 4


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_deal_that_is_refused_tells_nothing(viewer: int) -> None:
    decks = (
        "lord crown_prince:red loyalist rebel_chief rebel rebel rebel renegade",
        "lord crown_prince loyalist:red rebel_chief rebel rebel rebel renegade",
        "lord crown_prince loyalst rebel_chief rebel rebel rebel renegade",
        "lord ? loyalist rebel_chief rebel rebel rebel renegade",
    )
    reports = {told(f'[Mode "court8"]\n1. deal {deck}\n', viewer) for deck in decks}
    assert len(reports) == 1
    assert "loyalst" not in reports.pop()[1]
    unread = {told(f'[Mode "court8"]\n[Options "no=on"]\n1. deal {deck}\n', viewer) for deck in decks[2:]}
    assert len(unread) == 1


def test_once_it_has_ended_everybody_sees_everything() -> None:
    text = COURT + "6. end\n7. turn 2\n"
    reports = {told(text, viewer) for viewer in (HOST, TABLE, *range(1, 9))}
    assert len(reports) == 1
    assert len(json.loads(reports.pop()[0])["errors"]) == 1


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("mode", [mode for mode in MODES if has_secrets(find_mode(mode))])
def test_two_worlds_print_the_same_for_who_cannot_tell_them_apart(mode: str, seed: int) -> None:
    """Random games, recorded in full in both worlds until one of them tells the viewer something else."""
    pair = next(pairs(find_mode(mode), find_ruleset(mode), Random(seed)))
    tables = [Table(find_ruleset(mode), pair.options) for _ in pair.deals]
    texts: list[str] = []
    for one, other in zip((pair.deals[0], *pair.entered), (pair.deals[1], *pair.entered), strict=True):
        offer(tables[0], one), offer(tables[1], other)
        views = [view_of(table, pair.viewer).facts for table in tables]
        if views[0] != views[1] or any(table.state.ended for table in tables):
            break
        texts = [format_game(table, HOST, {}, {1: "甲"}, {}) for table in tables]
    assert texts[0] != texts[1]
    assert told(texts[0], pair.viewer) == told(texts[1], pair.viewer)
    deals = [_deal(text) for text in texts]
    assert told(texts[0].replace(deals[0], deals[1]), pair.viewer) == told(texts[1], pair.viewer)
    assert told(texts[1].replace(deals[1], deals[0]), pair.viewer) == told(texts[0], pair.viewer)


def _deal(text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith("1. deal"))


# A viewer without a place, and the modes


def test_a_seat_that_the_game_lacks_sees_what_the_table_sees() -> None:
    game = json.loads(told(COURT, 9)[0])
    assert game["errors"].pop(0)["line"] == 1
    assert game == json.loads(told(COURT, TABLE)[0])
    assert json.loads(told(COURT, 9, to=0)[0])["errors"] == []


def test_modes_for_programs() -> None:
    for mode in MODES:
        listed = json.loads(json.dumps(report.mode_json(find_mode(mode))))
        assert list(listed) == ["id", "names", "players", "options", "roles", "clauses"]
        assert listed["id"] == mode
        assert [role["id"] for role in listed["roles"]] == list(find_mode(mode).roles)
        assert all(0 <= role["count"]["min"] <= role["count"]["max"] for role in listed["roles"])
        assert {clause["id"] for clause in listed["clauses"]} == find_mode(mode).clauses.keys()
        assert all(set(one["text"]) == set(one["title"]) == set(LANGS) for one in listed["clauses"])
    classic = json.loads(json.dumps(report.mode_json(find_mode("classic"))))
    assert classic["players"] == list(range(2, 11))
    assert [role["count"] for role in classic["roles"] if role["id"] == "renegade"] == [{"min": 0, "max": 2}]


@pytest.mark.parametrize("lang", LANGS)
def test_modes_for_people(lang: Lang) -> None:
    text = report.modes_text([find_mode(mode) for mode in MODES], lang)
    modes_with = Counter(clause for mode in MODES for clause in find_mode(mode).clauses)
    for mode in MODES:
        for clause in find_mode(mode).clauses.values():
            times = modes_with[clause.id]
            assert text.count(f"  {clause.id} ") == (1 if times == len(MODES) else times)
            assert Words(lang, find_mode(mode)).clause(clause.id) in text
    assert "%" not in text

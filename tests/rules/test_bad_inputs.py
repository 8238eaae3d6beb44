"""What people enter wrongly: refused with the clause, nothing applied, and nobody learns from it what is hidden."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from companion.modes import find_mode
from companion.rules import inputs as i
from companion.rules.inputs import IllegalInput
from companion.rules.table import Table
from tests.rules.games import everything, played

TWELVE = "deal 主公 储君 丞相 大将 佞宦 党人 贼首 穷寇 义贼 暴民 盗匪 内奸"
EIGHT = "deal 主公 忠臣 上将 禁军 反贼 军师 黄巾 内奸"


class Bad(NamedTuple):
    """A game so far, with other cards that look alike to everybody but their owners, and what is entered then."""

    mode: str
    options: str
    deals: tuple[str, ...]
    before: str
    line: str
    refused: tuple[str, str]


BAD = {
    "a touch of the dead": Bad(
        "sixteen",
        "",
        (EIGHT, "deal 主公 忠臣 黄巾 禁军 反贼 军师 上将 内奸", "deal 主公 黄巾 上将 禁军 反贼 军师 内奸 忠臣"),
        "death 5 by 1",
        "touch 5 by 7",
        ("dead", "X3"),
    ),
    "a touch by the dead": Bad("sixteen", "", (EIGHT,), "death 5 by 1", "touch 2 by 5", ("dead", "X3")),
    "a touch of oneself": Bad("sixteen", "", (EIGHT,), "", "touch 7 by 7", ("touch_two", "SX-4.1")),
    "a touch where hit points are counted": Bad(
        "sixteen", "hp=on", (EIGHT,), "", "touch 2 by 7", ("touch_with_hp", "SX-4.1")
    ),
    "a skill used twice": Bad(
        "sixteen",
        "",
        (EIGHT, "deal 主公 黄巾 上将 禁军 反贼 军师 忠臣 内奸"),
        "use 3 quell",
        "use 3 quell",
        ("skill_used", "SX-CHAMP.1"),
    ),
    "a skill of one who never had it, or has it no more": Bad(
        "sixteen",
        "",
        (EIGHT, "deal 主公 上将 忠臣 禁军 反贼 军师 黄巾 内奸"),
        "touch 3 by 7; touch 3 by 7; touch 3 by 7",
        "use 3 quell",
        ("not_holder", "SX-5"),
    ),
    "a skill of the dead": Bad("sixteen", "", (EIGHT,), "death 3 by 1", "use 3 quell", ("dead", "SX-5")),
    "a skill that there is not": Bad("sixteen", "", (EIGHT,), "", "use 3 fly", ("unknown_skill", "SX-5")),
    "a province too many": Bad(
        "ambition",
        "provinces=on",
        ("deal 匡 辅 夺 乱 乱", "deal 匡 乱 乱 辅 夺"),
        "provinces 2 3",
        "provinces 2 +1",
        ("provinces_range", "AM-3.1"),
    ),
    "provinces below none": Bad(
        "ambition",
        "provinces=on",
        ("deal 匡 夺 乱", "deal 匡 乱 夺"),
        "",
        "provinces 2 -4",
        ("provinces_range", "AM-3.1"),
    ),
    "saved to more provinces than the limit": Bad(
        "ambition",
        "provinces=on",
        ("deal 匡 夺 乱", "deal 匡 乱 夺"),
        "dying 2 by 1",
        "saved 2 4",
        ("provinces_range", "AM-3.1"),
    ),
    "provinces that are not counted": Bad(
        "ambition", "", ("deal 匡 夺 乱", "deal 匡 乱 夺"), "", "provinces 2 +1", ("provinces_off", "AM-2.5")
    ),
    "an answer by the wrong seat": Bad(
        "court12",
        "",
        (TWELVE, "deal 主公 储君 盗匪 暴民 佞宦 党人 贼首 穷寇 义贼 大将 丞相 内奸"),
        "death 12 by 3",
        "answer 5 yes",
        ("other_asked", "X14"),
    ),
    "an answer that is none": Bad(
        "court12", "", (TWELVE,), "death 12 by 3", "answer 2 maybe", ("not_a_choice", "C12-REN.2")
    ),
    "an answer when nothing is asked": Bad("court12", "", (TWELVE,), "", "answer 2 yes", ("no_question", "X14")),
    "something else while a question is open": Bad(
        "sixteen",
        "",
        ("deal 先主 忠臣 反贼 内奸", "deal 先主 内奸 忠臣 反贼"),
        "leave 1",
        "turn 2",
        ("question_open", "X14"),
    ),
    "a successor who is dead": Bad(
        "sixteen",
        "",
        ("deal 先主 忠臣 忠臣 反贼 反贼 内奸",),
        "death 4 by 1; death 1 by 2",
        "answer 1 4",
        ("not_a_choice", "SX-6.3"),
    ),
}


def refusal(table: Table, line: str) -> IllegalInput:
    """What is said to the line, which changes nothing."""
    before = everything(table)
    with pytest.raises(IllegalInput) as caught:
        table.feed(table.ruleset.read(line))
    assert everything(table) == before
    return caught.value


@pytest.mark.parametrize("bad", BAD)
def test_what_is_wrong_is_refused_with_its_clause_and_changes_nothing(bad: str) -> None:
    mode, options, deals, before, line, refused = BAD[bad]
    told = [refusal(played(mode, f"{deal}; {before}", options), line) for deal in deals]
    assert (told[0].reason, told[0].clause) == refused
    assert {(one.reason, one.clause, str(one.params), one.step) for one in told} == {
        (*refused, str(told[0].params), told[0].step)
    }, "whose cards lie where can be told from a refusal"


@pytest.mark.parametrize(
    ("mode", "cards", "reason", "clause"),
    [
        ("court12", "主公 储君", "players", "X7"),
        ("court8", "主公 储君 忠臣 忠臣 贼首 反贼 反贼 内奸", "composition", "X7"),
        ("classic", "主公 主公", "composition", "CL-1"),
        ("ambition", "匡 乱 乱", "composition", "AM-1"),
        ("ambition", "匡", "players", "AM-1.2"),
        ("sixteen", "主公", "players", "SX-1.1"),
        ("sixteen", "主公:red 忠臣:blue 反贼", "colour_without_lord", "SX-1.4"),
        ("sixteen", "主公:red 主公:blue 忠臣", "colour_missing", "SX-1.4"),
        ("sixteen", "主公 反贼:red", "colourless", "SX-1.4"),
        ("sixteen", "主公 忠臣 刺客", "won_already", "SX-1.7"),
        ("chuhan", "chu chu chu han", "composition", "CH-1"),
    ],
)
def test_a_wrong_composition_is_refused_with_its_clause(mode: str, cards: str, reason: str, clause: str) -> None:
    ruleset = find_mode(mode).ruleset
    deal = ruleset.read(f"deal {cards}")
    assert isinstance(deal, i.Deal)
    reasons = ruleset.check(ruleset.read_options(""), deal.cards, False)
    assert (reason, clause) in [(one.reason, one.clause) for one in reasons]
    table = Table(ruleset)
    assert refusal(table, f"deal {cards}").clause
    assert not table.facts


@pytest.mark.parametrize(("mode", "clause"), [("sixteen", "SX-1.1"), ("ambition", "AM-1"), ("court8", "X7")])
@pytest.mark.parametrize("role", ["dragon", "主公公", ""])
def test_an_unknown_identity_is_refused_with_the_clause_of_the_composition(role: str, mode: str, clause: str) -> None:
    with pytest.raises(IllegalInput) as caught:
        find_mode(mode).ruleset.read(f"deal {role}:red")
    assert (caught.value.reason, caught.value.clause) == ("unknown_role", clause)


def test_a_hidden_identity_is_refused_with_its_clause() -> None:
    with pytest.raises(IllegalInput) as caught:
        find_mode("sixteen").ruleset.read("deal lord ?:red")
    assert (caught.value.reason, caught.value.clause) == ("hidden_role", "X7")

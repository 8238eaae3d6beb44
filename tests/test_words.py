"""The companion's sentences: every refusal, order and record has words, and every word is there in three languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from companion.modes import MODES, find_mode
from companion.modes.sixteen_roles import COLOURS
from companion.rules import facts, inputs
from companion.rules.facts import NOBODY
from companion.rules.goals import DRAW, LOSE, WIN
from companion.rules.inputs import IllegalInput, read
from companion.rules.ruleset import OPTION_VALUES
from companion.rules.state import State
from companion.rules.views import Announcement
from companion.wordings import REFUSALS
from companion.words import LANGS, NEVER_PUBLISHED, Lang, Words, catalogue
from tests.rules.games import played

ROOT = Path(__file__).parents[1]
CATALOGUES = ROOT / "companion" / "translations"
CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
COURT = find_mode("court8")

# Where a refusal's key and its parameters stand: positions of the key and of a mapping of parameters.
MAKERS = {"refuse": (0, None), "IllegalInput": (0, 2), "Problem": (3, 4)}


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"%\((\w+)\)", text))


def refusals(path: Path) -> Iterator[tuple[str, set[str], str]]:
    """Key, parameters and place of every refusal that the module makes; one that is handed on is left out."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS):
            continue
        key_at, params_at = MAKERS[node.func.id]
        params = {keyword.arg for keyword in node.keywords if keyword.arg}
        if params_at and len(node.args) > params_at and isinstance(node.args[params_at], ast.Dict):
            params |= {ast.literal_eval(key) for key in node.args[params_at].keys if key}  # type: ignore[attr-defined]
        key = node.args[key_at]
        for choice in (key.body, key.orelse) if isinstance(key, ast.IfExp) else (key,):
            if ast.unparse(choice).rpartition(".")[2] == "reason":
                continue
            assert isinstance(choice, ast.Constant), f"{path.name}:{node.lineno}: the key cannot be read"
            yield str(choice.value), params, f"{path.name}:{node.lineno}"


MADE = [refusal for path in sorted((ROOT / "companion").rglob("*.py")) for refusal in refusals(path)]


@pytest.mark.parametrize(("key", "params", "place"), MADE, ids=[f"{key}-{place}" for key, _, place in MADE])
def test_every_refusal_has_words_for_exactly_its_parameters(key: str, params: set[str], place: str) -> None:
    assert placeholders(REFUSALS[key]) == params, place


def test_no_words_are_left_of_refusals_that_are_gone() -> None:
    assert REFUSALS.keys() == {key for key, _, _ in MADE}


def translations(path: Path) -> dict[str | tuple[str, ...], tuple[str, ...]]:
    """The translations of a catalogue, one or several for each message id; none may be marked as doubtful."""
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.parts[-3]) if path.suffix == ".po" else read_mo(file)
    assert not [message.id for message in catalog if message.id and message.fuzzy]
    texts = {_key(message.id): message.string for message in catalog if message.id}
    return {key: (text,) if isinstance(text, str) else tuple(text or ()) for key, text in texts.items()}


def _key(msgid: str | Sequence[str]) -> str | tuple[str, ...]:
    return msgid if isinstance(msgid, str) else tuple(msgid)


def messages() -> set[str | tuple[str, ...]]:
    """The message ids that the source marks."""
    marks = {"say": None, "say_many": (1, 2), "worded": None}
    found = set()
    web = ("web/showing/own.py", "web/showing/composing.py", "web/showing/changing.py")
    for name in ("words.py", "wordings.py", "report.py", "cli.py", "cli_print.py", "doctor.py", *web):
        for _, _, message, _, _ in extract_from_dir(
            ROOT / "companion", [(name, "python")], keywords=marks, comment_tags=()
        ):
            found.add(_key(message))
    return found


def catalogue_of(locale: str, name: str) -> Path:
    return CATALOGUES / locale / "LC_MESSAGES" / name


@pytest.mark.parametrize("locale", ["zh_Hant", "en"])
def test_the_catalogue_is_complete_and_compiled(locale: str) -> None:
    texts = translations(catalogue_of(locale, "words.po"))
    assert texts == translations(catalogue_of(locale, "words.mo"))
    assert texts.keys() == messages()
    for msgid, translated in texts.items():
        source = msgid if isinstance(msgid, str) else msgid[0]
        assert translated and all(translated), f"{msgid} is not translated"
        assert {frozenset(placeholders(one)) for one in translated} == {frozenset(placeholders(source))}, msgid


def test_english_is_english_and_traditional_is_not_simplified() -> None:
    english = translations(catalogue_of("en", "words.po")).values()
    assert not [text for text in english if CHINESE.search("".join(text))]
    traditional = translations(catalogue_of("zh_Hant", "words.po")).values()
    simplified_only = set("这个还没发记阵体选项濒杀伤复获开结说请写错误张势额读执档检")
    assert not [text for text in traditional if set("".join(text)) & simplified_only]


@pytest.mark.parametrize("locale", ["zh_Hant", "en"])
def test_screens_and_command_line_say_the_same(locale: str) -> None:
    ours, theirs = (translations(catalogue_of(locale, name)) for name in ("words.po", "messages.po"))
    both = ours.keys() & theirs.keys()
    assert both
    assert {msgid: ours[msgid] for msgid in both} == {msgid: theirs[msgid] for msgid in both}


# Words that the rules use


def orders() -> set[str]:
    """The `do` words that facts and modes announce."""
    found = {kind.do for kind in vars(facts).values() if isinstance(kind, type) and issubclass(kind, facts.Fact)}
    for path in (ROOT / "companion" / "modes").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Instructed":
                found.add(ast.literal_eval(node.args[1]))
    return {word for word in found if word} - {word for mode in MODES for word in find_mode(mode).instructions}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("do", sorted(orders()))
def test_every_order_has_words(lang: Lang, do: str) -> None:
    told = Announcement(1, 2, do, 3, "C8-V0", "rebel", ("yes", "2"))
    words = Words(lang, COURT, {2: "乙"}.get)
    assert words.does(told) != words.title("C8-V0")
    assert words.step(told).startswith("乙")
    assert "%" not in words.step(told)


def test_orders_in_full() -> None:
    told = [
        Announcement(3, 1, "draw", 1, "C8-REBEL.1"),
        Announcement(3, 1, "draw", 3, "C8-REBEL.1"),
        Announcement(3, 1, "max_hp", -1, "C8-LORD.1"),
        Announcement(3, 2, "reveal", None, "X4", "rebel_chief"),
        Announcement(3, None, "choose", None, "X4", choices=("yes", "2")),
    ]
    english, chinese = (Words(lang, COURT, {1: "Ann"}.get) for lang in ("en", "zh-Hans"))
    assert [english.step(one) for one in told] == [
        "Ann: draw 1 card",
        "Ann: draw 3 cards",
        "Ann: max HP −1",
        "seat 2: Revealed: Rebel Chief",
        "choose one: Yes / seat 2",
    ]
    assert [chinese.step(one) for one in told] == [
        "Ann 摸 1 张牌",
        "Ann 摸 3 张牌",
        "Ann 体力上限 −1",
        "2号位 亮明身份：贼首",
        "任选一项：愿意／2号位",
    ]


def test_an_order_without_words_is_called_by_its_clause() -> None:
    assert Words("en", COURT).does(Announcement(1, 2, "dance", None, "C8-LORD.1")) == "Majesty"


LINES = {
    "deal lord rebel": "发身份牌",
    "turn 2": "乙 的回合",
    "hp 2 4": "乙 体力 4",
    "damage 2 3 by 1": "甲 对 乙 造成 3 点伤害",
    "damage 2 3 by -": "乙 受到 3 点无来源的伤害",
    "heal 2 1 by 1": "甲 令 乙 回复 1 点体力",
    "heal 2 1 by -": "乙 回复 1 点体力",
    "lose 2 1": "乙 失去 1 点体力",
    "dying 2 by 1": "乙 濒死，来源是 甲",
    "dying 2 by -": "乙 濒死",
    "saved 2": "乙 脱离濒死",
    "saved 2 by 1 3": "乙 被 甲、3号位 救回",
    "death 2": "乙 阵亡",
    "death 2 by -": "乙 阵亡，无凶手",
    "death 2 by 1": "乙 阵亡，凶手是 甲",
    "deaths 2 by 1, 1 by -": "乙 阵亡，凶手是 甲；甲 阵亡，无凶手",
    "use 2 alliance": "乙 发动“alliance”",
    "use 2 alliance 1 3": "乙 对 甲、3号位 发动“alliance”",
    "touch 2 by 1": "甲 伤害或治疗了 乙",
    "touch 2 by -": "无来源 伤害或治疗了 乙",
    "answer 2 yes": "乙 的回答：愿意",
    "answer 2 1": "乙 的回答：甲",
    "provinces 2 3": "乙 的州：3",
    "provinces 2 +1": "乙 的州：+1",
    "limit 2 -1": "乙 的州的上限：-1",
    "leave 2": "乙 离开牌局",
    "correct 2 max_hp 5": "更正：乙 的体力上限：5",
    "end": "房主结束了牌局",
}


@pytest.mark.parametrize(("line", "sentence"), LINES.items())
def test_every_input_is_a_sentence(line: str, sentence: str) -> None:
    entered = read(line, COURT.ruleset.names)
    names = {1: "甲", 2: "乙"}.get
    assert Words("zh-Hans", COURT, names).entry(entered) == sentence
    for lang in ("zh-Hant", "en"):
        told = Words(lang, COURT, names).entry(entered)
        assert "%" not in told
        assert ("乙" in told) == ("乙" in sentence)


def test_all_inputs_are_among_them() -> None:
    assert {type(read(line, COURT.ruleset.names)) for line in LINES} == set(get_args(inputs.Input))


@pytest.mark.parametrize("lang", LANGS)
def test_what_a_game_is_made_of_has_names(lang: Lang) -> None:
    for words in (Words(lang, find_mode(mode)) for mode in MODES):
        assert words.mode
        for option, values in OPTION_VALUES.items():
            for value in values[1:]:
                assert words.option(option, value) != f"{option}={value}"
        for role in words.mode.roles.values():
            assert words.role(role.id) != role.id
            assert words.camp(role.camp)
        for clause in words.mode.clauses.values():
            assert words.title(clause.id) and words.clause(clause.id)
    words = Words(lang)
    assert len({words.colour(colour) for colour in COLOURS} - {*COLOURS}) == (0 if lang == "en" else 3)
    assert len({words.grade(grade) for grade in (WIN, DRAW, LOSE)}) == 3
    for ask in ("turncoat", "scheme", "successor"):
        assert words.question(ask) != ask
    assert words.choices(["yes", "no", "extra_turn", "drain"]).isascii() == (lang == "en")


# Refusals in full


def refused(reason: str, **params: object) -> str:
    return Words("zh-Hans", COURT, {1: "甲"}.get).refusal(reason, params)


def test_seats_in_refusals_are_names() -> None:
    assert refused("dead", seat=1).startswith("甲 已经阵亡")
    assert refused("dead", seat=3).startswith("3号位 已经阵亡")
    assert Words("en").refusal("no_seat", {"seat_number": 9, "most": 8}) == (
        "There is no seat 9; this game has 8 seats."
    )


def test_roles_in_refusals_are_names() -> None:
    assert refused("seat_1", role="lord") == "一号位必须是主公。请从主公开始排座次。"
    assert refused("composition", roles={"lord": 1, "rebel": 3}, found=4) == "4 人局的身份应当是：主公 1、反贼 3。"


def test_skills_and_colours_in_refusals_are_names() -> None:
    sixteen = Words("zh-Hans", find_mode("sixteen"), {1: "曹操"}.get)
    used = {"seat": 1, "skill": "alliance"}
    assert sixteen.refusal("skill_used", used) == "曹操 已经用过“诸侯同盟”。"
    colour = {"role": "loyalist", "colour": "blue"}
    assert sixteen.refusal("colour_without_lord", colour) == "没有蓝色的主公，忠臣就不能是这个颜色。"
    assert sixteen.refusal("won_already", {"ending": "SX-7.1"}).count(sixteen.title("SX-7.1")) == 1
    assert sixteen.refusal("excludes", {"role": "former_lord", "role_other": "crown_prince"}).startswith("先主和储君")


def test_a_skill_is_called_by_its_clause() -> None:
    sixteen = Words("zh-Hans", find_mode("sixteen"), {1: "曹操", 2: "刘备"}.get)
    assert sixteen.entry(inputs.Use(1, "alliance", (2,))) == "曹操 对 刘备 发动“诸侯同盟”"
    used = Announcement(3, 1, "use", None, "SX-VAN.1", skill="charge", seats=(2,))
    assert sixteen.step(used) == "曹操 发动“冲锋陷阵” → 刘备"
    assert Words("en", find_mode("chuhan")).does(Announcement(3, 1, "gain_skill", None, "CH-2")).startswith("gain")


def test_an_identity_is_said_with_its_colour() -> None:
    shown = Announcement(3, 2, "reveal", None, "X4", "loyalist", colour="blue")
    assert Words("zh-Hans", find_mode("sixteen")).step(shown) == "2号位 亮明身份：蓝色忠臣"
    assert Words("en", find_mode("sixteen")).step(shown) == "seat 2: Revealed: blue Loyalist"


def test_the_start_of_ambition_is_said_by_the_mode() -> None:
    ambition = find_mode("ambition")
    for seat, do in ((None, "set_aside"), (1, "show_role_card")):
        told = Announcement(1, seat, do, None, "AM-2.3")
        assert Words("zh-Hant", ambition).step(told) == ambition.instructions[do]["zh_hant"]
    limits = [Announcement(2, 1, "limit", n, "AM-4.4") for n in (-1, 1)]
    assert [Words("en", ambition, {1: "Ann"}.get).step(one) for one in limits] == [
        "Ann: province limit −1",
        "Ann: province limit +1",
    ]
    excess = [Announcement(2, 1, "discard_provinces", n, "AM-3.2") for n in (1, 2, None)]
    assert [Words("en", ambition).does(one) for one in excess] == [
        "discard 1 province",
        "discard 2 provinces",
        "discard the provinces above the limit",
    ]


def test_numbers_of_players_are_short() -> None:
    classic = Words("en", find_mode("classic"))
    params = {"mode": "classic", "found": 11, "players": find_mode("classic").players}
    assert classic.refusal("players", params) == "Classic takes 2–10 players, not 11."
    assert [classic.players(counts) for counts in ((8,), (2, 3), (2, 3, 4), (2, 4))] == ["8", "2, 3", "2–4", "2, 4"]


@pytest.mark.parametrize("lang", LANGS)
def test_why_there_is_no_court_game_for_nine_to_eleven(lang: Lang) -> None:
    assert COURT.refusal
    reason = Words(lang).text(COURT.refusal)
    with_mode = Words(lang, COURT).refusal("players", {"mode": "court8", "found": 10, "players": (8,)})
    assert with_mode.endswith(reason) and "10" in with_mode
    for mode in NEVER_PUBLISHED:
        with pytest.raises(IllegalInput) as caught:
            find_mode(mode)
        assert Words(lang).refusal(caught.value.reason, caught.value.params) == reason


def test_typed_text_cannot_break_a_sentence() -> None:
    assert "%(x)s %" in refused("unknown_role", found="%(x)s %")


def test_nobody_is_no_seat() -> None:
    assert Words("en").step(Announcement(1, NOBODY, "extra_turn", None, "X4")) == (
        "take an extra turn after the current one"
    )


def test_the_source_language_needs_no_catalogue() -> None:
    assert catalogue("zh-Hans").gettext("额外回合") == "额外回合"
    assert catalogue("en").gettext("额外回合") == "extra turn"
    assert Words("en").verdict(State(ended=True)) == "The host stopped the game; nobody wins or loses."


@pytest.mark.parametrize(
    ("mode", "inputs", "said", "english"),
    [
        ("court8", "deal 主公 储君 忠臣 贼首 反贼 反贼 反贼 内奸; leave 2; leave 1", "反贼获胜", "Rebels win"),
        ("chuhan", "deal chu han han chu; leave 2; leave 3", "楚军获胜", "Victory: Chu"),
        ("chuhan", "deal chu han han chu; leave 1; leave 4", "汉军获胜", "Victory: Han"),
        ("ambition", "deal 匡 辅 夺 乱; leave 3; leave 4", "匡获胜", "The Restorer wins"),
        ("ambition", "deal 匡 辅 夺 乱; leave 4; leave 1", "无人达成志向", "Nobody wins"),
        ("sixteen", "deal 主公 忠臣 反贼; leave 3", "主忠获胜", "Royal camp wins"),
        ("sixteen", "deal 主公:red 主公:blue 忠臣:blue; leave 1", "蓝色主忠获胜", "Victory: Royal (blue)"),
        ("sixteen", "deal 先主 忠臣 反贼 反贼; leave 1; answer 1 3; leave 3", "主忠获胜", "Victory: Royal"),
        ("sixteen", "deal 主公 内奸 刺客>4 反贼; death 4 by 3; leave 1", "内奸获胜", "Victory: Renegade"),
        ("sixteen", "deal 主公 内奸 反贼; leave 3; leave 1", "内奸获胜", "Victory: Renegade"),
    ],
)
def test_a_verdict_says_who_has_won(mode: str, inputs: str, said: str, english: str) -> None:
    state = played(mode, inputs).state
    assert Words("zh-Hans", find_mode(mode)).verdict(state) == said
    assert Words("en", find_mode(mode)).verdict(state) == english

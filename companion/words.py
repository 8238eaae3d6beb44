"""What the companion says about a game, as sentences in the reader's language: refusals, records, orders, verdicts.

The message ids are Simplified Chinese; the other languages stand in the catalogue `words`, apart from that of the
templates (`translations/*/LC_MESSAGES/words.po`). Its messages are those marked with `say`, `say_many` and `worded`::

    pybabel extract --no-default-keywords -k say -k say_many:1,2 -k worded --no-wrap --sort-output \\
        -o words.pot companion/words.py companion/report.py companion/cli.py
    pybabel update -D words --no-wrap --no-fuzzy-matching --ignore-pot-creation-date \\
        -i words.pot -d companion/translations
    pybabel compile -D words -d companion/translations
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Literal

from companion.modes import Mode, find_mode
from companion.paths import PACKAGE
from companion.rules import inputs as i
from companion.rules.facts import NOBODY, Identity
from companion.rules.goals import DRAW, LOSE, WIN
from companion.rules.views import Announcement

Lang = Literal["zh-Hans", "zh-Hant", "en"]
LANGS: tuple[Lang, ...] = ("zh-Hans", "zh-Hant", "en")

NEVER_PUBLISHED = ("court", "court9", "court10", "court11")
"""Ids under which people may ask for the ten-player court game, whose text nobody has supplied."""


def worded(msgid: str) -> str:
    """Marks a message id that is looked up later."""
    return msgid


REFUSALS: Mapping[str, str] = {
    # What the table allows now
    "dead": worded("%(seat)s 已经阵亡或离场。如果先前记错了，先撤销那一条。"),
    "over": worded("这一局已经结束。要改结果，先撤销最后一条。"),
    "not_dealt": worded("还没有发身份牌。先发牌，再记别的。"),
    "dealt_twice": worded("身份牌已经发过了。要重新发，请另开一局。"),
    "question_open": worded("正在问 %(seat)s，先记下回答。"),
    "no_question": worded("现在没有提问，不用回答。"),
    "other_asked": worded("现在问的是 %(seat)s，请记这一位的回答。"),
    "not_a_choice": worded("没有这个选项。请从这些里选：%(choices)s。"),
    "no_seat": worded("没有 %(seat_number)s，这一局只有 %(most)s 个座位。"),
    "not_in_mode": worded("本模式没有“%(verb)s”这种记录。"),
    # Hit points and dying
    "hp_off": worded("这一局不记体力。想记体力，下一局发牌前打开“记体力”。"),
    "begun": worded("武将的体力要在第一个回合之前记。现在要改，请用更正。"),
    "full": worded("%(seat)s 体力已满，不能再回复。看看是不是记错了人。"),
    "already_dying": worded("%(seat)s 已经濒死。接下来记救回，或者记阵亡。"),
    "not_dying": worded("%(seat)s 没有濒死。先记濒死，再记救回。"),
    "no_killer": worded("%(seat)s 的凶手是谁？没有凶手就写 by -。"),
    "not_correctable": worded("“%(found)s”在本模式不能更正。"),
    # How a line is written
    "too_short": worded("这一行没有写完，请补全。"),
    "too_long": worded("从“%(found)s”起是多余的，请删去。"),
    "unexpected": worded("这里要写“%(wanted)s”，不是“%(found)s”。"),
    "not_a_number": worded("“%(found)s”不是数字，请写 1、2、3 这样的数字。"),
    "not_in_range": worded("%(found)s 不行，要在 %(least)s 到 %(most)s 之间。"),
    "not_signed": worded("“%(found)s”前面要写 + 或 -，例如 +1。"),
    "unknown_input": worded("没有“%(found)s”这种记录，请检查拼写。"),
    "unknown_role": worded("本模式没有“%(found)s”这个身份，请检查拼写。"),
    "hidden_role": worded("“%(found)s”是看不到的身份。这样的记录只供阅读；要重放，请用完整的记录。"),
    "not_a_line": worded("看不懂这一行。记录以“1.”这样的编号开头，说明以“;”开头。"),
    "not_a_tag": worded('这个标签没有写对，应当像 [Mode "court8"] 这样。'),
    # The record as a whole
    "record_version": worded("这份记录的格式是 %(found)s，这个程序只认 %(known)s。请换用新版程序。"),
    "no_mode": worded('没有写是什么模式。请在开头加上 [Mode "court8"] 这样的一行。'),
    "derived_differs": worded("“>”后面写的和重放的结果不一样。看看这一条或前面的记录是不是改过。"),
    "result_differs": worded("[Result] 写的是“%(found)s”，重放的结果却不是。"),
    "viewer_lacks_seat": worded("这一局没有这个座位，只列出大家都知道的。"),
    "hidden_deal": worded("第一条应当是发身份牌，这一条不能用。不带 --as 再运行一次，就能看到原因。"),
    # Mode, options, composition
    "unknown_mode": worded("没有“%(found)s”这个模式。可以选：%(known)s。"),
    "unknown_option": worded("本模式没有“%(option)s”这个选项，请去掉它。"),
    "option_value": worded("选项“%(option)s”只能是：%(values)s。"),
    "players": worded("%(mode)s要 %(players)s 人，现在是 %(found)s 人。"),
    "no_composition": worded("%(found)s 人局不能用这个选项。请改选项，或者换人数。"),
    "composition": worded("%(found)s 人局的身份应当是：%(roles)s。"),
    "plain_cards": worded("%(role)s在本模式只写身份，不带颜色，也不带目标。"),
    "seat_1": worded("一号位必须是%(role)s。请从%(role)s开始排座次。"),
    # Provinces
    "provinces_off": worded("这一局不记州，只记上限。州以桌上面朝下的牌为准。"),
    "provinces_range": worded("%(seat)s 的基本州只能是 0 到上限 %(most)s，不能是 %(found)s。"),
    # Identity skills
    "unknown_skill": worded("没有“%(found)s”这个身份技，请检查拼写。"),
    "skill_seats": worded("“%(skill)s”要写 %(least)s 到 %(most)s 个座位。"),
    "skill_used": worded("%(seat)s 已经用过“%(skill)s”。"),
    "not_holder": worded("%(seat)s 不能用“%(skill)s”。"),
    "not_own_turn": worded("只能在 %(seat)s 自己的回合用。先记下回合。"),
    "not_oneself": worded("%(seat)s 不能选自己，请选别人。"),
    "no_lord_dying": worded("没有与 %(seat)s 同色的公开主公在濒死，现在不能护驾。"),
    "not_from_damage": worded("%(seat)s 是失去体力而濒死，不能代为承受。"),
    "named_twice": worded("%(seat)s 写了两遍，请去掉一个。"),
    "touch_with_hp": worded("这一局记体力，伤害和治疗请直接记。"),
    "touch_two": worded("这里要写两位不同的人。"),
    # What may be dealt
    "excludes": worded("%(role)s和%(role_other)s不能同局。请换掉其中一张。"),
    "only_one": worded("%(role)s最多一张。"),
    "only_one_a_colour": worded("%(colour)s色最多一张%(role)s。"),
    "needs_copied_lord": worded("有伪帝就要有主公或明主给他复制。"),
    "no_lord": worded("至少要有一位主公、明主、先主或潜龙。"),
    "colour_twice": worded("%(colour)s色有两位主公。每种颜色只能有一位。"),
    "colour_missing": worded("有几位主公时，%(role)s要写颜色，例如 :red。"),
    "colour_without_lord": worded("没有%(colour)s色的主公，%(role)s就不能是这个颜色。"),
    "colourless": worded("%(role)s没有颜色，请去掉。"),
    "unknown_colour": worded("没有“%(found)s”这种颜色，只有 red、blue、green。"),
    "turban_players": worded("%(least)s 人以上才能有黄巾。"),
    "turban_count": worded("有 %(found)s 张黄巾，最多 %(most)s 张（少于人数的一半）。"),
    "won_already": worded("这样一开局就已分出胜负（%(ending)s）。请加入对手。"),
    "other_mode": worded("楚军和汉军只出现在楚汉争霸。"),
    "never_dealt": worded("%(role)s不发牌，只由先主指定。"),
    "target_missing": worded("%(seat)s 的%(role)s没有写目标，例如 >2。"),
    "target_wrong": worded("%(role)s不能指向 %(found)s 号位：刺客指向别人，伪帝指向主公或明主。"),
    "pointless": worded("%(role)s没有目标，请去掉“>”。"),
    "seating": worded("座次要是楚、汉、汉、楚：一号和四号位是楚军。"),
    # An evening
    "no_name": worded("请写下名字。"),
    "table_full": worded("一桌最多坐 %(most)s 人。"),
    "game_runs": worded("牌局正在进行，等这一局结束再改。"),
    "no_person": worded("这个人已经不在这一桌了。"),
    "draft_held": worded("有一条记录还在等着生效。等它生效，或者先撤销它。"),
    "rules_changed": worded("这一局是用旧版规则记的，不能再接着记。记录可以下载，请另开一局。"),
    "no_table": worded("没有这一桌。请再扫一次桌上的二维码。"),
}
"""The words of every refusal and of every fault in a record, by its key."""

_ORDERS: Mapping[str, str] = {
    "use": worded("发动“%(skill)s”"),
    "heal": worded("回复 %(n)s 点体力"),
    "set_hp": worded("体力变为 %(n)s"),
    "lose_hp": worded("失去 %(n)s 点体力"),
    "damage": worded("受到 %(n)s 点伤害"),
    "discard_all": worded("弃置所有手牌和装备区里的牌"),
    "discard_zones": worded("弃置手牌、装备区和判定区里的所有牌"),
    "lord_skill": worded("获得武将牌上的主公技"),
    "extra_turn": worded("当前回合结束后，额外进行一个回合"),
    "modifier_on": worded("“%(skill)s”开始生效"),
    "modifier_off": worded("“%(skill)s”不再生效"),
    "choose": worded("任选一项：%(choices)s"),
    "reveal": worded("亮出身份：%(identity)s"),
    "become": worded("变为%(identity)s"),
    "depart": worded("离场，成绩已定"),
    "swap": worded("与%(seats)s交换行动顺序"),
    "uprising": worded("黄巾起义：所有黄巾亮出身份，此后不再转化"),
    "gain_skill": worded("获得“%(skill)s”的效果"),
    "take_random": worded("从其他每人处随机获得一张手牌或装备"),
    "draw_tactics": worded("获得 %(n)s 张随机战法牌"),
    "play_slashes": worded("可以对 %(choices)s 打出所有【杀】"),
    "take_trophy": worded("可以收走阵亡者的志向牌，正面朝上放在自己的州后面"),
    "lose_all_but_provinces": worded("失去州区以外的所有牌（手牌、将区、客区）"),
    "settle_conquest": worded("进行攻陷或攻取结算"),
    "survive": worded("体力回到 1 点以上，没有阵亡"),
}
"""What is to be done or came about, where one wording serves for every number."""

_ASKS: Mapping[str, str] = {
    "turncoat": worded("愿意成为叛徒，加入内奸一方吗？"),
    "scheme": worded("要一个额外回合，还是令其他人各失去 1 点体力？"),
    "successor": worded("立谁为后主？"),
}
_CHOICES: Mapping[str, str] = {
    "yes": worded("愿意"),
    "no": worded("不愿意"),
    "extra_turn": worded("额外回合"),
    "drain": worded("其他人各失去 1 点体力"),
    "heal 1": worded("回复 1 点体力"),
    "draw 2": worded("摸两张牌"),
}
_GRADES: Mapping[str, str] = {WIN: worded("胜"), DRAW: worded("平"), LOSE: worded("负")}
_COUNTERS: Mapping[str, str] = {
    "hp": worded("体力"),
    "max_hp": worded("体力上限"),
    "provinces": worded("州"),
    "limit": worded("州的上限"),
}
_OPTIONS: Mapping[tuple[str, str], str] = {
    ("hp", "on"): worded("记体力"),
    ("provinces", "on"): worded("记州数"),
    ("branch", "luan"): worded("六人起多一乱"),
    ("branch", "duo"): worded("六人起多一夺"),
    ("double", "on"): worded("双内奸"),
    ("hidden_dead", "on"): worded("阵亡不亮身份"),
    ("hide_composition", "on"): worded("不公布身份配置"),
}
_COLOURS: Mapping[str, str] = {"red": worded("红"), "blue": worded("蓝"), "green": worded("绿")}


@cache
def catalogue(lang: str) -> gettext.NullTranslations:
    """The translations into the language; the message ids themselves for the source language, zh-Hans."""
    if lang == "zh-Hans":
        return gettext.NullTranslations()
    folder = PACKAGE / "translations" / lang.replace("-", "_") / "LC_MESSAGES"
    with (folder / "words.mo").open("rb") as compiled:
        return gettext.GNUTranslations(compiled)


class Words:
    """Sentences for one reader: `lang` picks the language, `mode` gives the names of roles and clauses.

    `name` gives the name at a seat, or None where it has none ("3号位" is said then). Only what is handed in is said:
    whatever a reader must not know may not be asked of it.
    """

    def __init__(
        self, lang: Lang, mode: Mode | None = None, name: Callable[[int], str | None] = lambda seat: None
    ) -> None:
        self.lang = lang
        self.mode = mode
        self._name = name
        self._catalogue = catalogue(lang)
        self._key = lang.replace("-", "_").lower()

    def say(self, msgid: str, **params: object) -> str:
        """The sentence with its parameters."""
        return self._catalogue.gettext(msgid) % params

    def say_many(self, one: str, many: str, n: int, **params: object) -> str:
        """The sentence for so many things, which it calls `num`."""
        return self._catalogue.ngettext(one, many, n) % {"num": n, **params}

    def text(self, texts: Mapping[str, str]) -> str:
        """The reader's language of a mode's text."""
        return texts[self._key]

    # Names

    def seat(self, number: int) -> str:
        """The name at the seat, or its number."""
        return self._name(number) or self.say("%(number)s号位", number=number)

    def seats(self, numbers: Iterable[int]) -> str:
        return self.listed(self.seat(number) for number in numbers)

    def listed(self, items: Iterable[str]) -> str:
        return self.say("、").join(items)

    def role(self, role: str) -> str:
        """The identity's name; its id where the mode is unknown."""
        return self.text(self.mode.roles[role].name) if self.mode and role in self.mode.roles else role

    def identity(self, identity: Identity) -> str:
        """The identity's name with its colour where it has one."""
        role = self.role(identity.role)
        if not identity.colour:
            return role
        return self.say("%(colour)s色%(role)s", colour=self.colour(identity.colour), role=role)

    def colour(self, colour: str) -> str:
        return self.say(_COLOURS[colour]) if colour in _COLOURS else colour

    def skill(self, word: str) -> str:
        """The name of the skill that the word uses; the word itself where the mode has none such."""
        return self.title(self.mode.skills[word]) if self.mode and word in self.mode.skills else word

    def camp(self, camp: str) -> str:
        return self.text(self.mode.camps[camp]) if self.mode and camp in self.mode.camps else camp

    def title(self, clause: str) -> str:
        """The clause's title: a skill's name, for instance."""
        return self.text(self.mode.clauses[clause].title) if self.mode and clause in self.mode.clauses else clause

    def clause(self, clause: str) -> str:
        """What the clause says."""
        return self.text(self.mode.clauses[clause].text) if self.mode and clause in self.mode.clauses else ""

    def option(self, name: str, value: str) -> str:
        """An option that is not at its default."""
        return self.say(_OPTIONS[name, value]) if (name, value) in _OPTIONS else f"{name}={value}"

    def roles(self, roles: Mapping[str, int]) -> str:
        """So many of each identity: "主公 1、反贼 3"."""
        return self.listed(f"{self.role(role)} {n}" for role, n in roles.items())

    def players(self, counts: tuple[int, ...]) -> str:
        """Ascending numbers of players: "8", "2–10", "2、4"."""
        if len(counts) > 2 and counts == tuple(range(counts[0], counts[-1] + 1)):
            return f"{counts[0]}–{counts[-1]}"
        return self.listed(map(str, counts))

    # Refusals

    def refusal(self, reason: str, params: Mapping[str, object] | None = None) -> str:
        """What is wrong and what to do, for the key and parameters of an IllegalInput or a Problem."""
        params = params or {}
        if reason == "players" and self.mode and self.mode.refusal:
            return self.text(self.mode.refusal)
        if reason == "unknown_mode" and params["found"] in NEVER_PUBLISHED:
            return self.text(find_mode("court8").refusal or {})
        return self.say(REFUSALS[reason], **{key: self._param(key, value) for key, value in params.items()})

    def _param(self, key: str, value: object) -> str:
        if key.startswith("seat") and isinstance(value, int):
            return self.seat(value)
        if key.startswith("role") and isinstance(value, str):
            return self.role(value)
        if named := {"colour": self.colour, "skill": self.skill, "ending": self.title}.get(key):
            return named(str(value))
        if isinstance(value, Mapping):
            return self.roles(value)
        if isinstance(value, tuple):
            return self.players(value)
        if key == "mode" and self.mode:
            return self.text(self.mode.name)
        return str(value)

    # What was recorded, and what follows

    def entry(self, entered: i.Input) -> str:
        """What people recorded, without a deal's identities."""
        match entered:
            case i.Deal():
                return self.say("发身份牌")
            case i.Turn(seat):
                return self.say("%(who)s 的回合", who=self.seat(seat))
            case i.Leave(seat):
                return self.say("%(who)s 离开牌局", who=self.seat(seat))
            case i.Answer(seat, choice):
                return self.say("%(who)s 的回答：%(answer)s", who=self.seat(seat), answer=self.choice(choice))
            case i.Use(seat, skill, seats):
                used = self.say("%(who)s 发动 %(skill)s", who=self.seat(seat), skill=self.skill(skill))
                return f"{used} → {self.seats(seats)}" if seats else used
            case i.Deaths(blows):
                return self.listed(self.entry(i.Death(blow.seat, blow.by)) for blow in blows)
            case i.End():
                return self.say("房主结束了牌局")
            case i.Death() | i.Dying() | i.Save():
                return self._fate(entered)
            case _:
                return self._points(entered)

    def _fate(self, entered: i.Death | i.Dying | i.Save) -> str:
        who = self.seat(entered.seat)
        match entered:
            case i.Death(_, by):
                if by is None:
                    return self.say("%(who)s 阵亡", who=who)
                if by == NOBODY:
                    return self.say("%(who)s 阵亡，无凶手", who=who)
                return self.say("%(who)s 阵亡，凶手是 %(by)s", who=who, by=self.seat(by))
            case i.Dying(_, 0):
                return self.say("%(who)s 濒死", who=who)
            case i.Dying(_, by):
                return self.say("%(who)s 濒死，来源是 %(by)s", who=who, by=self.seat(by))
            case i.Save(_, _, healers):
                if not healers:
                    return self.say("%(who)s 脱离濒死", who=who)
                return self.say("%(who)s 被 %(by)s 救回", who=who, by=self.seats(healers))

    def _points(self, entered: i.Hp | i.Damage | i.Heal | i.Lose | i.Touch | i.Provinces | i.Limit | i.Correct) -> str:
        who = self.seat(entered.seat)
        match entered:
            case i.Hp(_, n):
                return self.say("%(who)s 体力 %(n)s", who=who, n=n)
            case i.Damage(_, n, 0):
                return self.say("%(who)s 受到 %(n)s 点无来源的伤害", who=who, n=n)
            case i.Damage(_, n, by):
                return self.say("%(by)s 对 %(who)s 造成 %(n)s 点伤害", who=who, n=n, by=self.seat(by))
            case i.Heal(_, n, 0):
                return self.say("%(who)s 回复 %(n)s 点体力", who=who, n=n)
            case i.Heal(_, n, by):
                return self.say("%(by)s 令 %(who)s 回复 %(n)s 点体力", who=who, n=n, by=self.seat(by))
            case i.Lose(_, n):
                return self.say("%(who)s 失去 %(n)s 点体力", who=who, n=n)
            case i.Touch(_, by):
                return self.say("%(by)s 伤害或治疗了 %(who)s", who=who, by=self.seat(by) if by else self.nobody)
            case i.Provinces(_, n, relative):
                return self._counter(who, "provinces", f"{n:+d}" if relative else str(n))
            case i.Limit(_, change):
                return self._counter(who, "limit", f"{change:+d}")
            case i.Correct(_, what, value):
                return self.say("更正：%(counter)s", counter=self._counter(who, what, str(value)))

    def _counter(self, who: str, what: str, value: str) -> str:
        counter = self.say(_COUNTERS[what]) if what in _COUNTERS else what
        return self.say("%(who)s 的%(counter)s：%(value)s", who=who, counter=counter, value=value)

    @property
    def nobody(self) -> str:
        return self.say("无来源")

    def does(self, told: Announcement) -> str:
        """What is to be done or came about, without saying by whom; the clause's title for words not known here."""
        if self.mode and told.do in self.mode.instructions:
            return self.text(self.mode.instructions[told.do])
        if told.do not in _ORDERS:
            return self._counted(told, told.n or 0)
        skill = told.clause if told.do == "use" or not told.skill else told.skill
        done = self.say(
            _ORDERS[told.do],
            n=told.n or 0,
            identity=self.identity(Identity(told.role, None, told.colour)) if told.role else "",
            skill=self.title(skill),
            choices=self.choices(told.choices),
            seats=self.seats(told.seats),
        )
        if told.do == "use" and told.seats:
            return f"{done} → {self.seats(told.seats)}"
        return self.say("%(does)s，X 为 %(n)s", does=done, n=told.n) if told.do == "modifier_on" and told.n else done

    def _counted(self, told: Announcement, n: int) -> str:
        """Where the wording depends on the number."""
        match told.do:
            case "draw" if told.n is None:
                return self.say("摸等同体力上限的牌，至多五张")
            case "draw":
                return self.say_many("摸 %(num)s 张牌", "摸 %(num)s 张牌", n)
            case "discard":
                return self.say_many("弃置 %(num)s 张牌", "弃置 %(num)s 张牌", n)
            case "max_hp":
                return self.say("体力上限 +%(n)s", n=n) if n > 0 else self.say("体力上限 −%(n)s", n=-n)
            case "limit":
                return self.say("州的上限 +%(n)s", n=n) if n > 0 else self.say("州的上限 −%(n)s", n=-n)
            case "discard_provinces" if told.n is None:
                return self.say("把超过上限的州弃掉")
            case "discard_provinces":
                return self.say_many("弃掉 %(num)s 个州", "弃掉 %(num)s 个州", n)
        return self.title(told.clause)

    def step(self, told: Announcement) -> str:
        """The announcement as a sentence: whom it is about, and what is to be done or came about."""
        if told.seat in (None, NOBODY) or (self.mode and told.do in self.mode.instructions):
            return self.does(told)
        return self.say("%(who)s %(does)s", who=self.seat(told.seat), does=self.does(told))

    def knows(self, seat: int, role: str) -> str:
        """What the reader was told in private of another's card."""
        return self.say("%(who)s 的身份是%(identity)s", who=self.seat(seat), identity=self.role(role))

    # Questions, and how it ends

    def question(self, ask: str) -> str:
        """What is asked."""
        return self.say(_ASKS[ask]) if ask in _ASKS else ask

    def choice(self, choice: str) -> str:
        """The label of an answer: a seat by its name."""
        if choice.isdecimal():
            return self.seat(int(choice))
        return self.say(_CHOICES[choice]) if choice in _CHOICES else choice

    def choices(self, choices: Iterable[str]) -> str:
        return self.say("／").join(map(self.choice, choices))

    def grade(self, grade: str) -> str:
        return self.say(_GRADES[grade])

    def verdict(self, clause: str | None) -> str:
        """Who has won, as the title of the verdict's clause says it; None: the host ended the game."""
        return self.title(clause) if clause else self.say("房主结束了牌局，不分胜负。")

"""What the companion says about a game, as sentences in the reader's language: refusals, records, orders, verdicts.

The message ids are Simplified Chinese; the other languages stand in the catalogue `words`, apart from that of the
templates (`translations/*/LC_MESSAGES/words.po`). Its messages are those marked with `say`, `say_many` and `worded`::

    pybabel extract --no-default-keywords -k say -k say_many:1,2 -k worded --no-wrap --sort-output \\
        -o words.pot companion/words.py companion/wordings.py companion/report.py \
        companion/cli.py companion/cli_print.py companion/doctor.py companion/web/showing/own.py \
        companion/web/showing/composing.py \
        companion/web/showing/changing.py
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
from companion.rules.goals import won_alone
from companion.rules.state import Modifier, State
from companion.rules.views import Announcement
from companion.wordings import (
    ASKS,
    CHOICES,
    COLOURS,
    CONDITIONS,
    COUNTERS,
    GRADES,
    NOTES,
    OPTIONS,
    ORDERS,
    REFUSALS,
    RESCUES,
    VERBS,
    worded,
)

Lang = Literal["zh-Hans", "zh-Hant", "en"]
LANGS: tuple[Lang, ...] = ("zh-Hans", "zh-Hant", "en")

NEVER_PUBLISHED = ("court", "court9", "court10", "court11")
"""Ids under which people may ask for the ten-player court game, whose text nobody has supplied."""


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
        self._terms = tuple(mode.terms.get(self._key, {}).items()) if mode else ()

    def say(self, msgid: str, **params: object) -> str:
        """The sentence with its parameters, in the mode's own terms."""
        text = self._catalogue.gettext(msgid)
        for term, own in self._terms:
            text = text.replace(term, own)
        return self.written(text) % params

    def say_many(self, one: str, many: str, n: int, **params: object) -> str:
        """The sentence for so many things, which it calls `num`."""
        return self.written(self._catalogue.ngettext(one, many, n)) % {"num": n, **params}

    def written(self, text: str) -> str:
        """A sentence before its parameters are put in. Words for pages make markup of it, which guards them."""
        return text

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
        """The word of a colour."""
        return self.say(COLOURS[colour]) if colour in COLOURS else colour

    def camp(self, camp: str) -> str:
        return self.text(self.mode.camps[camp]) if self.mode and camp in self.mode.camps else camp

    @property
    def acting_lord(self) -> str:
        """What somebody is called who rules in the lord's stead."""
        return self.say("代行主公")

    def trophies(self, roles: Iterable[str]) -> str:
        """The identity cards that somebody has taken."""
        return self.say("收%(roles)s", roles=self.listed(map(self.role, roles)))

    def title(self, clause: str) -> str:
        """The clause's title: a skill's name, for instance."""
        return self.text(self.mode.clauses[clause].title) if self.mode and clause in self.mode.clauses else clause

    def skill(self, word: str) -> str:
        """The name of the skill that the word uses; the word itself where the mode has none such."""
        return self.title(self.mode.skills[word].clause) if self.mode and word in self.mode.skills else word

    def clause(self, clause: str) -> str:
        """What the clause says."""
        return self.text(self.mode.clauses[clause].text) if self.mode and clause in self.mode.clauses else ""

    def option(self, name: str, value: str) -> str:
        """An option that is not at its default."""
        return self.say(OPTIONS[name, value]) if (name, value) in OPTIONS else f"{name}={value}"

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
        if reason == "unknown_mode" and params["found"] in NEVER_PUBLISHED:
            return self.text(find_mode("court8").refusal or {})
        said = self.say(REFUSALS[reason], **{key: self._param(key, value) for key, value in params.items()})
        if reason == "players" and self.mode and self.mode.refusal:
            return self.say("%(refusal)s%(advice)s", refusal=said, advice=self.text(self.mode.refusal))
        return said

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
                who, used = self.seat(seat), self.skill(skill)
                if seats:
                    return self.say(
                        "%(who)s 对 %(seats)s 发动“%(skill)s”", who=who, seats=self.seats(seats), skill=used
                    )
                return self.say("%(who)s 发动“%(skill)s”", who=who, skill=used)
            case i.Deaths(blows):
                return self.say("；").join(self.entry(i.Death(blow.seat, blow.by)) for blow in blows)
            case i.End():
                return self.say("房主结束了牌局")
            case i.Death() | i.Dying() | i.Save():
                return self._fate(entered)
            case _:
                return self._points(entered)

    def note(self, what: str, line: str) -> str:
        """What became of a line (in words) that stands no more."""
        return self.say(NOTES[what], line=line)

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
        return self.say("%(who)s 的%(counter)s：%(value)s", who=who, counter=self.counter(what), value=value)

    def counter(self, what: str) -> str:
        """The name of something that is counted."""
        return self.say(COUNTERS[what]) if what in COUNTERS else what

    @property
    def nobody(self) -> str:
        return self.say("无来源")

    def does(self, told: Announcement) -> str:
        """What is to be done or came about, without saying by whom; the clause's title for words not known here."""
        if self.mode and told.do in self.mode.instructions:
            return self.text(self.mode.instructions[told.do])
        if told.do not in ORDERS:
            return self._counted(told, told.n or 0)
        if told.up_to:
            return self.say("回复体力至上限，至多 %(n)s 点", n=told.n)
        skill = told.clause if told.do == "use" or not told.skill else told.skill
        done = self.say(
            ORDERS[told.do],
            n=told.n or 0,
            identity=self.identity(Identity(told.role, told.camp, told.colour)) if told.role else "",
            skill=self.title(skill),
            choices=self.choices(told.choices),
            seats=self.seats(told.seats),
        )
        if told.do == "use" and told.seats:
            return self.say("%(does)s → %(seats)s", does=done, seats=self.seats(told.seats))
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

    def knows(self, seat: int, identity: Identity) -> str:
        """What the reader was told in private of another's card."""
        return self.say("%(who)s 的身份是%(identity)s", who=self.seat(seat), identity=self.identity(identity))

    def effect(self, stands: Modifier) -> str:
        """An effect that stands: its name, whom it bears on, how much."""
        title = self.title(stands.skill)
        who = "" if stands.seat is None else self.seat(stands.seat)
        if stands.n is not None:
            return self.say("%(skill)s：%(who)s，X 为 %(n)s", skill=title, who=who, n=stands.n)
        return self.say("%(skill)s：%(who)s", skill=title, who=who) if who else title

    # What can be recorded, and how people fare

    def verb(self, verb: str) -> tuple[str, str]:
        """What an event that can be recorded of a person is called, and what is asked to record it."""
        label, ask = VERBS[verb]
        return self.say(label), self.say(ask)

    def rescue(self, counter: str) -> tuple[str, str]:
        """What is asked of whoever is dying, and what to record that they are saved (see `RESCUES`)."""
        asked, ask = RESCUES[counter]
        return self.say(asked), self.say(ask)

    def back_to(self, provinces: int) -> str:
        """That somebody who was dying holds so many provinces again."""
        return self.say_many("恢复到 %(num)s 州", "恢复到 %(num)s 州", provinces)

    def hero(self) -> tuple[str, str]:
        """What people call whom they play, and what is asked to write that down."""
        return self.say("我的武将"), self.say("武将名（大家都看得到）")

    def condition(self, condition: str) -> str:
        """How somebody fares who is not simply alive."""
        return self.say(CONDITIONS[condition]) if condition in CONDITIONS else ""

    def impending(self, entered: i.Input, is_shown: bool) -> str:
        """What is about to become of people whose record waits. `is_shown`: their identities are revealed then."""
        match entered:
            case i.Leave(seat):
                leaves = worded("%(who)s 即将离开并亮牌") if is_shown else worded("%(who)s 即将离开牌局")
                return self.say(leaves, who=self.seat(seat))
            case i.Deaths(blows):
                return self.say("%(who)s 即将阵亡亮牌", who=self.seats(blow.seat for blow in blows))
            case i.Death(seat):
                dies = worded("%(who)s 即将阵亡亮牌") if is_shown else worded("%(who)s 即将阵亡")
                return self.say(dies, who=self.seat(seat))
        return self.entry(entered)

    # Questions, and how it ends

    def question(self, ask: str) -> str:
        """What is asked."""
        return self.say(ASKS[ask]) if ask in ASKS else ask

    def choice(self, choice: str) -> str:
        """The label of an answer: a seat by its name."""
        if choice.isdecimal():
            return self.seat(int(choice))
        return self.say(CHOICES[choice]) if choice in CHOICES else choice

    def choices(self, choices: Iterable[str]) -> str:
        return self.say("／").join(map(self.choice, choices))

    def grade(self, grade: str) -> str:
        return self.say(GRADES[grade])

    def verdict(self, state: State) -> str:
        """Who has won: as the title of the deciding clause says it, where that always means the same camp."""
        if not state.verdict:
            return self.say("房主结束了牌局，不分胜负。")
        winner, colour = won_alone(state)
        if colour:
            return self.say("%(colour)s色%(camp)s获胜", colour=self.colour(colour), camp=self.camp(winner or ""))
        clause = self.mode.clauses[state.verdict] if self.mode else None
        if winner and clause and not (clause.winner and clause.where == "ending"):
            return self.say("%(camp)s获胜", camp=self.camp(winner))
        return self.title(state.verdict)

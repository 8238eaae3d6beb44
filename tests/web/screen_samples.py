"""One sample of every screen in every state worth looking at, in three languages, with awkward names."""

from dataclasses import replace
from typing import Any

from markupsafe import Markup

from companion.modes import find_mode
from companion.rules import facts
from companion.rules.inputs import Answer, Death, Leave, read
from companion.rules.inputs import Card as Dealt
from companion.rules.inputs import Dying as Falls
from companion.rules.ruleset import OPTION_VALUES
from companion.rules.state import Modifier
from companion.rules.views import Announcement as Told
from companion.web.markup import PageWords
from companion.web.screens import (
    Address,
    Composer,
    Drawing,
    ErrorScreen,
    Frame,
    Group,
    HostScreen,
    Invitation,
    JobScreen,
    JoinScreen,
    Lang,
    Lobby,
    ModeChoice,
    Notice,
    Option,
    Person,
    PrintScreen,
    ScanScreen,
    SeatEnd,
    SeatLobby,
    SeatPlay,
    StartScreen,
    Stepper,
    TableEnd,
    TableLink,
    TableLobby,
    TablePlay,
    Wifi,
)
from companion.web.screens.mending import Choices, EverythingScreen, LineScreen, Misfit, RehearsalScreen
from companion.web.screens.parts import (
    Amends,
    Announcement,
    Camp,
    Card,
    Choice,
    Claim,
    Draft,
    Dying,
    Effect,
    Ending,
    Entry,
    Hero,
    Identity,
    Known,
    Named,
    Play,
    Question,
    Recorder,
    Result,
    Ring,
    SeatNews,
    Skill,
    Spot,
    Step,
    Use,
    Verb,
)
from companion.web.screens.seats import ClaimScreen, HostingScreen, OfferScreen, PassedScreen, PassScreen
from companion.web.showing.recording import VERBS
from companion.words import Words

_STANDS = Modifier("C8-CHIEF.1", 4, 3)
LANGS: tuple[Lang, ...] = ("zh-Hans", "zh-Hant", "en")
Screen = (
    StartScreen
    | TableLobby
    | TablePlay
    | TableEnd
    | JoinScreen
    | SeatLobby
    | SeatPlay
    | SeatEnd
    | HostScreen
    | ScanScreen
    | ClaimScreen
    | PassScreen
    | PassedScreen
    | OfferScreen
    | HostingScreen
    | PrintScreen
    | JobScreen
    | ErrorScreen
    | LineScreen
    | RehearsalScreen
    | EverythingScreen
)

_TEXTS: dict[str, tuple[str, str, str]] = {
    "mode": ("初级版", "初級版", "Court, beginners"),
    "classic": ("主忠反内", "主忠反內", "Classic"),
    "classic blurb": ("大家最熟悉的身份局", "大家最熟悉的身份局", "The identity game most tables know"),
    "blurb": (
        "储君、贼首与内奸各有身份技",
        "儲君、賊首與內奸各有身份技",
        "Crown Prince, Rebel Chief and Renegade have skills of their own",
    ),
    "royal": ("主忠", "主忠", "Loyal camp"),
    "rebels": ("反贼", "反賊", "Rebel camp"),
    "renegades": ("内奸", "內奸", "Renegade"),
    "lord": ("主公", "主公", "Lord"),
    "crown_prince": ("储君", "儲君", "Crown Prince"),
    "loyalist": ("忠臣", "忠臣", "Loyalist"),
    "rebel_chief": ("贼首", "賊首", "Rebel Chief"),
    "rebel": ("反贼", "反賊", "Rebel"),
    "renegade": ("内奸", "內奸", "Renegade"),
    "goal": (
        "主公、储君都阵亡而反贼阵营还有人活着时获胜。",
        "主公、儲君都陣亡而反賊陣營還有人活著時獲勝。",
        "You win when Lord and Crown Prince are dead and anyone of the rebel camp lives.",
    ),
    "goal lord": (
        "反贼与内奸全部阵亡，而主公、储君、忠臣中还有人活着时获胜。",
        "反賊與內奸全部陣亡，而主公、儲君、忠臣中還有人活著時獲勝。",
        "You win when every rebel and the Renegade are dead and anyone of your camp lives.",
    ),
    "unite": ("统义", "統義", "Unite the Rebels"),
    "unite text": (
        "主公阵亡后，或反贼阵营首次有人阵亡后：亮出身份，体力上限 +1，回复 1 点体力，获得主公技。全局一次。",
        "主公陣亡後，或反賊陣營首次有人陣亡後：亮出身份，體力上限 +1，回復 1 點體力，獲得主公技。全局一次。",
        "After the Lord dies, or after the first death in the rebel camp: reveal, max HP +1, heal 1 and gain the lord"
        " skill. Once a game.",
    ),
    "bounty": ("赏令", "賞令", "Bounty"),
    "bounty text": ("阵亡时，凶手摸 5 张牌。", "陣亡時，兇手摸 5 張牌。", "When you die, your killer draws 5 cards."),
    "succeed": ("继位", "繼位", "Succession"),
    "succeed text": (
        "主公阵亡，储君继位，此后代行主公之职。",
        "主公陣亡，儲君繼位，此後代行主公之職。",
        "The Lord is dead; the Crown Prince reigns in his stead.",
    ),
    "effect": ("军溃：反贼阵营失去身份技", "軍潰：反賊陣營失去身份技", "Rout: the rebel camp has lost its skills"),
    "knows": (
        "主公是 1 号。其余人的身份你都不知道。",
        "主公是 1 號。其餘人的身份你都不知道。",
        "Seat 1 is the Lord. Nobody else is known to you.",
    ),
    "question": (
        "愿意成为叛徒，加入内奸一方吗？",
        "願意成為叛徒，加入內奸一方嗎？",
        "Will you become the Turncoat and join the Renegade?",
    ),
    "yes": ("愿意", "願意", "Yes"),
    "no": ("不愿意", "不願意", "No"),
    "verdict": (
        "主公、储君皆亡，反贼尚存。",
        "主公、儲君皆亡，反賊尚存。",
        "Lord and Crown Prince are dead, and a rebel lives.",
    ),
    "refused": (
        "这一席已经阵亡，不能再记一次阵亡。",
        "這一席已經陣亡，不能再記一次陣亡。",
        "This seat is dead already; a death cannot be recorded twice.",
    ),
    "eight": ("这个模式要正好 8 人。", "這個模式要正好 8 人。", "This mode needs exactly 8 people."),
    "when": ("11月30日 20:15", "11月30日 20:15", "30 Nov, 20:15"),
}
_CAMPS = {"royal": "royal", "rebels": "rebel", "renegades": "renegade"}
_ROLES = {
    "lord": "royal",
    "crown_prince": "royal",
    "loyalist": "royal",
    "rebel_chief": "rebels",
    "rebel": "rebels",
    "renegade": "renegades",
}
_DEAL = ("lord", "rebel", "crown_prince", "rebel_chief", "rebel", "loyalist", "renegade", "rebel")
_NAMES = (
    "张三",
    "李四",
    "诸葛村夫卧龙岗散淡的人啊",
    "Maximiliana von Habsburg",
    "Ann",
    "王五",
    "阿福",
    "司馬仲達",
    "关云长",
    "Zoë",
    "小乔",
    "貂蝉",
)
_QR = Markup(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 33 33" role="img" aria-label="QR">'
    '<rect width="33" height="33" fill="#fff"/><path d="M4 4h7v7H4zM22 4h7v7h-7zM4 22h7v7H4zM13 13h7v7h-7z"/></svg>'
)


def _verbs(*words: str) -> tuple[Verb, ...]:
    return tuple(VERBS[word] for word in words)


_VERBS = _verbs("death", "turn", "leave")
_HP_VERBS = _verbs("death", "damage", "heal", "lose", "saved", "turn", "leave")


class _PageWords(Words):
    def written(self, text: str) -> str:
        return Markup(text)


def _name(seat: int) -> Markup:
    return Markup('<bdi class="name">{}</bdi>').format(_NAMES[seat - 1])


class Samples:
    """Everything in one language; `all()` is what the tests and the gallery render."""

    def __init__(self, lang: Lang) -> None:
        self.lang = lang
        self.at = LANGS.index(lang)
        table = Frame(lang, "/t/K7QX", "/t/K7QX", "table", "K7QX", "k1", '"12-table"', "/t/K7QX/stream")
        self.table = table
        self.seat = replace(table, url="/t/K7QX/seat", back="seat", etag='"12-3"')
        self.host = replace(table, url="/t/K7QX/host", back="host", etag='"12-host"')

    def t(self, key: str) -> str:
        return _TEXTS[key][self.at]

    def camp(self, key: str) -> Camp:
        return Camp(_CAMPS[key], self.t(key))

    def identity(self, role: str) -> Identity:
        return Identity(role, self.t(role), self.camp(_ROLES[role]))

    def who(self, seat: int) -> Named:
        return Named(seat, _NAMES[seat - 1])

    def ring(self, count: int = 8, *, seats: bool = True, you: int = 0, hp: bool = False, fallen: bool = True) -> Ring:
        spots = []
        for seat in range(1, count + 1):
            spot = Spot(_NAMES[seat - 1], seat if seats else None, you=seat == you)
            if seats and seat == 1:
                spot = replace(spot, identity=self.identity("lord"), turn=not fallen)
            if seats and hp:
                spot = replace(spot, hp=4 if seat != 6 else 0, max_hp=5, condition="dying" if seat == 6 else "alive")
            if seats and fallen and seat in (1, 2):
                role = _DEAL[seat - 1]
                spot = replace(
                    spot,
                    condition="dead",
                    state=self.words().condition("dead"),
                    identity=self.identity(role),
                    hp=0 if hp else None,
                )
            if seats and fallen and seat == 3:
                spot = replace(spot, identity=self.identity("crown_prince"), turn=True)
            spots.append(spot)
        return Ring(tuple(spots))

    def words(self, mode: str = "court8") -> Words:
        """As a page has them: with names marked up."""
        return _PageWords(self.lang, find_mode(mode), _name)

    def entries(self) -> tuple[Entry, ...]:
        heir, fell = self.steps("C8-PRINCE.1", 3, "reveal", "max_hp", "heal"), self.steps("X4", 2, "reveal")
        lines = (
            "deal lord",
            "turn 1",
            "death 2 by -",
            "death 1 by 4",
            "damage 6 2 by 8",
            "dying 6 by 8",
            "saved 6 by 3",
            "heal 6 1 by 3",
            "lose 6 2",
        )
        words, names = self.words(), find_mode("court8").ruleset.names
        entries = [Entry(step, words.entry(read(line, names))) for step, line in enumerate(lines, 1)]
        entries[2] = replace(entries[2], then=fell)
        entries[3] = replace(entries[3], then=heir, clauses=("C8-PRINCE.1", "C8-CHIEF.1"), recorder="阿福")
        return tuple(reversed(entries))

    def steps(self, clause: str, seat: int, *orders: str, n: int | None = 1) -> tuple[Step, ...]:
        words, role = self.words(), _DEAL[seat - 1]
        told = [Told(4, seat, do, n, clause, role, ("yes", "no"), clause) for do in orders]
        return (Step(tuple(map(words.does, told)), (self.who(seat),)),)

    def announcement(self) -> Announcement:
        steps = self.steps("C8-PRINCE.1", 3, "reveal", "max_hp", "heal", "lord_skill")
        return Announcement("a4", "C8-PRINCE.1", self.t("succeed"), steps, self.t("succeed text"))

    def every_step(self) -> Announcement:
        some = self.steps("C8-REN.1", 4, "draw", "max_hp", n=-1)
        more = self.steps("C8-REN.1", 4, "draw", "discard", "discard_all", "extra_turn", "choose", "modifier_on", n=3)
        return Announcement("a5", "C8-REN.1", self.t("unite"), some + more)

    def play(self, count: int = 8, you: int = 0, *, hp: bool = False) -> Play:
        verbs = _HP_VERBS if hp else _VERBS
        dying = (self.dying(6, ""),) if hp and count > 5 else ()
        return Play(
            self.t("mode"),
            2,
            self.ring(count, you=you, hp=hp, fallen=count > 2),
            Hero(*self.words().hero()),
            recorder=self.recorder(verbs, self.who(min(4, count))),
            log=self.entries(),
            dying=dying,
        )

    def dying(self, seat: int, counter: str, rescuers: int = 0) -> Dying:
        words = self.words("ambition" if counter else "court8")
        title, asked = words.entry(Falls(seat, 0)), words.rescue(counter)[0]
        rescues = [Choice(f"saved {seat}", words.verb("saved")[0])]
        if counter == "provinces":
            rescues = [Choice(f"saved {seat} {count}", words.back_to(count)) for count in (1, 2, 3, 4)]
        return Dying(
            self.who(seat), title, asked, tuple(rescues), Choice(f"death {seat}", words.verb("death")[0]), rescuers
        )

    def rescued(self, you: int = 0) -> Play:
        """Hit points are counted, and who saved somebody may tell."""
        play = self.play(you=you, hp=True)
        assert play.recorder
        verbs = tuple(replace(verb, rescuers=5) if verb.id == "saved" else verb for verb in play.recorder.verbs)
        return replace(play, dying=(self.dying(6, "", 5),), recorder=replace(play.recorder, verbs=verbs))

    def recorder(self, verbs: tuple[Verb, ...], who: Named | None, **more: Any) -> Recorder:
        worded = [(verb, self.words().verb(verb.id)) for verb in verbs]
        return Recorder(tuple(replace(verb, label=label, ask=ask) for verb, (label, ask) in worded), who, **more)

    def asked(self, play: Play) -> Play:
        """Somebody is asked; until the answer only a leave is recorded."""
        return replace(play, question=self.question(), recorder=self.recorder((Verb("leave"),), None))

    def provinces(self, you: int = 0) -> Play:
        """Provinces are counted; several may fall at one stroke, and an extra turn is owed."""
        play = self.play(6, you)
        spots = tuple(
            replace(spot, provinces=3, limit=4, tags=(self.t("yes"), self.t("no"))[: spot.seat or 0])
            for spot in play.ring.spots
        )
        verbs = _verbs("death", "dying", "saved", "provinces", "limit", "turn", "leave")
        recorder = self.recorder(verbs, self.who(3), extra=True, several=tuple(map(self.who, range(3, 7))))
        return replace(play, ring=Ring(spots, clockwise=True), recorder=recorder, effects=self.effects())

    def fresh(self, count: int = 8, you: int = 0, verbs: tuple[Verb, ...] = _VERBS) -> Play:
        ring = self.ring(count, you=you, fallen=False)
        ring = replace(ring, spots=tuple(replace(spot, turn=False) for spot in ring.spots))
        hero = Hero(*self.words().hero())
        return Play(self.t("mode"), 1, ring, hero, recorder=self.recorder(verbs, self.who(1)), log=self.entries()[-1:])

    def effects(self) -> tuple[Effect, ...]:
        return (Effect(self.t("effect"), self.t("succeed text")), Effect(self.words().effect(_STANDS), self.t("goal")))

    def draft(self) -> Draft:
        return Draft("d1", self.words().impending(Death(3, 4), True), self.words().entry(Death(3, 4)), 3, 4)

    def question(self) -> Question:
        choices = (Choice("answer 4 yes", self.t("yes")), Choice("answer 4 no", self.t("no")))
        return Question(self.who(4), self.t("question"), "C12-REN.2", choices)

    def card(self, role: str = "rebel_chief") -> Card:
        skills = (Skill(self.t("unite"), self.t("unite text")), Skill(self.t("bounty"), self.t("bounty text")))
        if role == "rebel_chief":
            return Card(self.identity(role), self.t("goal"), (self.t("knows"),), skills)
        return Card(self.identity(role), self.t("goal lord"))

    def lobby(self, count: int, missing: int = 0, blockers: tuple[str, ...] = ()) -> Lobby:
        rows = (("lord", 1), ("crown_prince", 1), ("loyalist", 1), ("rebel_chief", 1), ("rebel", 3), ("renegade", 1))
        composition = tuple((self.identity(role), number) for role, number in rows)
        return Lobby(self.t("mode"), "8", self.ring(count, seats=False), missing, blockers, composition)

    def invitation(self) -> Invitation:
        addresses = (
            Address("192.168.1.23", "http://192.168.1.23:8765", "Wi-Fi", True),
            Address("10.8.0.2", "http://10.8.0.2:8765", "tun0"),
        )
        return Invitation(_QR, "http://192.168.1.23:8765/t/K7QX", "K7QX", addresses)

    def wifi(self) -> Wifi:
        return Wifi(_QR, "TP-LINK_5G_8F2A", "12345678")

    def ending(self, *, again: bool = True) -> Ending:
        results = tuple(
            Result(
                self.who(seat),
                self.identity(role),
                "dead" if seat in (1, 2, 3, 6) else "alive",
                self.words().condition("dead" if seat in (1, 2, 3, 6) else "alive"),
                "win" if _ROLES[role] == "rebels" else "lose",
                you=seat == 3,
            )
            for seat, role in enumerate(_DEAL, 1)
        )
        log = tuple(reversed(self.entries()))
        camp, clause = self.camp("rebels"), "C8-V1"
        title = self.words().title(clause)
        return Ending("win", self.t("mode"), 2, results, log, camp, clause, title, self.t("verdict"), again)

    def boards(self) -> dict[str, Screen]:
        invite = self.invitation()
        play = self.play()
        busy = replace(play, current=self.announcement(), waiting=2, effects=self.effects(), draft=self.draft())
        return {
            "board-lobby-empty": TableLobby(self.table, self.lobby(0, 8), invite, host=True),
            "board-lobby": TableLobby(self.table, self.lobby(6, 2), invite),
            "board-lobby-ready": TableLobby(self.table, self.lobby(8), invite, host=True),
            "board-lobby-12": TableLobby(self.table, self.lobby(12, -4, (self.t("eight"),)), invite, host=True),
            "board-lobby-wifi": TableLobby(self.table, self.lobby(3, 5), invite, host=True, wifi=self.wifi()),
            "board-lobby-stuck": TableLobby(self.table, self.lobby(0, 8), invite, True, self.wifi(), stuck=True),
            "board-lobby-stuck-guest": TableLobby(self.table, self.lobby(0, 8), invite, stuck=True),
            "board-start": TablePlay(self.table, self.fresh(), invite),
            "board-provinces": TablePlay(self.table, self.provinces(), invite),
            "board-play": TablePlay(self.table, play, invite, host=True),
            "board-announce": TablePlay(self.table, replace(busy, draft=None), invite),
            "board-draft": TablePlay(self.table, busy, invite),
            "board-steps": TablePlay(self.table, replace(play, current=self.every_step()), invite),
            "board-question": TablePlay(self.table, self.asked(play), invite),
            "board-before-question": TablePlay(self.table, self.asked(replace(busy, draft=None)), invite),
            "board-rescue": TablePlay(self.table, self.rescued(), invite),
            "board-dying-provinces": TablePlay(
                self.table, replace(self.provinces(), dying=(self.dying(5, "provinces"),)), invite
            ),
            "board-2": TablePlay(self.table, self.play(2), invite),
            "board-5": TablePlay(self.table, self.play(5), invite),
            "board-12": TablePlay(self.table, self.play(12, hp=True), invite),
            "board-12-announce": TablePlay(
                self.table, replace(self.play(12, hp=True), current=self.announcement()), invite
            ),
            "board-end": TableEnd(self.table, self.ending(), invite, host=True),
        }

    def seats(self) -> dict[str, Screen]:
        play = self.play(you=4)
        busy = replace(play, current=self.announcement(), waiting=2, effects=self.effects())
        name = _NAMES[3]
        card = self.card()
        leaving = replace(self.draft(), title=self.words().impending(Leave(3), True))
        refused = Notice("refused", self.t("refused"), clause="X3")
        repeat = Notice("repeat", "阿福", "death 3 by 4")
        ending = self.ending(again=False)
        bare = tuple(replace(one, grade=None, condition="departed") for one in ending.results)
        stopped = replace(ending, kind="stopped", results=bare, camp=None, clause="", title="", text="")
        drawn = tuple(replace(one, grade="draw", you=False) for one in ending.results)
        return {
            "seat-join": JoinScreen(replace(self.seat, stream=None), "", ("张三", "Ann")),
            "seat-join-refused": JoinScreen(replace(self.seat, stream=None, notice=refused), "张三"),
            "seat-lobby": SeatLobby(self.seat, name, self.lobby(6, 2)),
            "seat-lobby-ready": SeatLobby(self.seat, name, self.lobby(8), host=True),
            "seat-start": SeatPlay(self.seat, self.fresh(you=4), name, card),
            "seat-start-hp": SeatPlay(self.seat, self.fresh(you=4, verbs=(*_HP_VERBS, VERBS["hp"])), name, card),
            "seat-rescue": SeatPlay(self.seat, self.rescued(you=4), name, card),
            "seat-play": SeatPlay(self.seat, play, name, card),
            "seat-play-lord": SeatPlay(self.seat, play, name, self.card("lord")),
            "seat-announce": SeatPlay(self.seat, busy, name, card, host=True),
            "seat-draft": SeatPlay(self.seat, replace(busy, draft=self.draft()), name, card),
            "seat-leaving": SeatPlay(self.seat, replace(play, draft=leaving), name, card),
            "seat-question": SeatPlay(self.seat, self.asked(play), name, card),
            "seat-refused": SeatPlay(replace(self.seat, notice=refused), play, name, card),
            "seat-repeat": SeatPlay(replace(self.seat, notice=repeat), play, name, card),
            "seat-full": SeatPlay(replace(self.seat, notice=Notice("full")), play, name, card),
            "seat-readonly": SeatPlay(replace(self.seat, notice=Notice("readonly")), play, name, card),
            "seat-broken": SeatPlay(replace(self.seat, notice=Notice("broken")), play, name, card),
            "seat-hp-12": SeatPlay(self.seat, self.play(12, you=4, hp=True), name, card),
            "seat-provinces": SeatPlay(self.seat, self.provinces(you=2), name, card),
            "seat-2": SeatPlay(self.seat, self.play(2, you=1), name, card),
            "seat-spectator": SeatPlay(self.seat, play),
            "seat-end": SeatEnd(self.seat, ending, name),
            "seat-end-draw": SeatEnd(
                self.seat, replace(ending, kind="draw", results=drawn, clause="C8-V0", camp=None), may_join=True
            ),
            "seat-end-stopped": SeatEnd(self.seat, stopped, name, host=True),
        }

    def composer(self) -> Composer:
        """More cards than can be dealt, which do not go together either."""
        mode, words = find_mode("sixteen"), PageWords(self.lang, find_mode("sixteen"))
        assert mode.composer
        cards = [
            Dealt("former_lord", "red"),
            Dealt("lord", "red"),
            *[Dealt("false_emperor")] * 2,
            *[Dealt("rebel")] * 7,
        ]
        kinds: dict[str, list[Stepper]] = {}
        for card in mode.composer.offers:
            identity = facts.Identity(card.role, mode.roles[card.role].camp, card.colour)
            label = Words(self.lang, mode).identity(identity)
            stepper = Stepper(str(card), words.shown(identity), cards.count(card), label)
            kinds.setdefault(stepper.identity.colour or stepper.identity.camp.name, []).append(stepper)
        groups = tuple(Group(f"cards-{n}", kind, tuple(of_kind)) for n, (kind, of_kind) in enumerate(kinds.items()))
        reasons = [
            (Words(self.lang, mode).refusal(reason.reason, reason.params), reason.clause or "")
            for reason in mode.ruleset.check({}, cards, False)
        ]
        return Composer(groups, len(cards), 8, False, False, tuple(reasons))

    def hosts(self) -> dict[str, Screen]:
        modes = (
            ModeChoice("court8", self.t("mode"), "8", self.t("blurb"), chosen=True),
            ModeChoice("classic", self.t("classic"), "2–10", self.t("classic blurb")),
        )
        options = tuple(
            Option(name, "on" if name == "hp" else values[0], values) for name, values in OPTION_VALUES.items()
        )
        people = tuple(Person(f"p{at}", name) for at, name in enumerate(_NAMES[:8]))
        lobby = HostScreen(self.host, "lobby", self.lobby(8), modes, options, people, 4, self.invitation())
        last = self.entries()[5]
        return {
            "host-lobby": lobby,
            "host-lobby-empty": replace(lobby, lobby=self.lobby(0, 8), people=(), options=()),
            "host-wifi": replace(lobby, wifi="桃园"),
            "host-composer": replace(lobby, composer=self.composer()),
            "host-blocked": replace(lobby, lobby=self.lobby(8, -1, (self.t("eight"),))),
            "host-play": replace(lobby, phase="play", play=self.play(), last=last, counters=("hp", "max_hp", "limit")),
            "host-play-fresh": replace(lobby, phase="play", play=self.fresh()),
            "host-end": replace(lobby, phase="end", ending=self.ending(), last=last),
        }

    def amends(self) -> Amends:
        back, more = self.steps("C8-REN.1", 4, "draw", n=3), self.steps("C8-REN.1", 5, "draw", "max_hp", n=3)
        return Amends("change-9", (self.who(2), self.who(6)), back, more)

    def mended(self) -> dict[str, Screen]:
        """Lines are changed, the game rests, a host without a seat sees everything."""
        words = self.words()
        was, becomes = words.entry(Death(1, 4)), words.entry(Death(1, 5))
        entries = self.entries()
        changed = replace(entries[5], notes=(words.note("was", was), words.note("no longer fits", becomes)))
        play = replace(self.play(), log=(*entries[:5], changed, *entries[6:]), moderated=True)
        frame = replace(self.host, url="/t/K7QX/host/line", stream=None)
        people = [(str(seat), name) for seat, name in enumerate(_NAMES[:8], 1)]
        fields = (
            Choices("who", words.say("谁"), people, "1"),
            Choices("n", words.say("多少"), [("1", "1"), ("2", "2")], "1"),
            Choices("by", words.say("凶手"), [*people, ("-", words.nobody)], "4"),
            Choices("by-3", _NAMES[2], [("", words.say("还在")), *people], ""),
            Choices("rescuer-2", words.say("还有谁救的"), [("", words.say("不记")), *people], "3"),
        )
        line = LineScreen(frame, changed, "death", fields, 5)
        misfit = Misfit(words.entry(Leave(5)), words.refusal("dead", {"seat": 5}), "X3")
        done = self.steps("C8-REN.1", 4, "draw", "max_hp", n=3)
        turned, answer = (self.who(2), self.who(5)), words.entry(Answer(4, "yes"))
        rehearsal = RehearsalScreen(
            frame, "change", 4, 9, 12, "death 1 by 5", (was,), becomes, (misfit,), turned, done, (answer,)
        )
        seats = tuple(Known(self.who(seat), self.identity(role), "") for seat, role in enumerate(_DEAL, 1))
        known = replace(seats[3], state=words.condition("dead"), knows=(self.t("knows"),))
        lobby = self.hosts()["host-lobby"]
        assert isinstance(lobby, HostScreen)
        host = replace(lobby, phase="play", play=play, last=entries[0], log=play.log[:-1], everything="offered")
        rests = replace(play, paused=True, recorder=None)
        return {
            "board-amends": TablePlay(self.table, replace(play, amends=self.amends()), self.invitation()),
            "board-paused": TablePlay(self.table, rests, self.invitation()),
            "seat-amends": SeatPlay(self.seat, replace(play, amends=self.amends()), _NAMES[2], self.card()),
            "seat-paused": SeatPlay(self.seat, rests, _NAMES[2], self.card()),
            "host-mending": host,
            "host-paused": replace(host, play=rests, everything="open"),
            "host-line": line,
            "host-line-newest": replace(line, verb="", choices=(), since=1),
            "host-change": rehearsal,
            "host-change-ended": replace(rehearsal, ended=True),
            "host-strike": replace(rehearsal, how="strike", line="", becomes="", misfits=(), turned=()),
            "host-undo": replace(rehearsal, how="undo", was=(was, becomes), line="", becomes="", misfits=()),
            "host-undo-newest": replace(rehearsal, how="undo", last=4, misfits=(), turned=(), done=(), answers=()),
            "host-everything": EverythingScreen(frame, (*seats[:3], known, *seats[4:])),
        }

    def others(self) -> dict[str, Screen]:
        bare = Frame(self.lang, "/")
        tables = (
            TableLink("K7QX", "play", self.t("mode"), _NAMES[:8], self.t("when")),
            TableLink("B2MN", "lobby", self.t("classic"), (), self.t("when")),
            TableLink("PP4T", "end", self.t("mode"), _NAMES[:2], self.t("when")),
        )
        found: dict[str, Screen] = {"start": StartScreen(bare), "start-tables": StartScreen(bare, tables)}
        lost = replace(self.seat, stream=None)
        found["error-not_found"] = ErrorScreen(bare, 404, "not_found")
        found["error-no_table"] = ErrorScreen(bare, 404, "no_table")
        found["error-not_host"] = ErrorScreen(lost, 403, "not_host")
        found["error-forbidden"] = ErrorScreen(lost, 403, "forbidden")
        found["error-busy"] = ErrorScreen(bare, 503, "busy")
        found["error-broken"] = ErrorScreen(bare, 500, "broken")
        found["error-storage"] = ErrorScreen(lost, 507, "storage")
        return found

    def drawn(self) -> dict[str, Screen]:
        """Printed cards are dealt."""
        some = replace(self.lobby(8), drawing=Drawing(_NAMES[2:5], (*_NAMES[:2], *_NAMES[5:8])))
        all_in = replace(some, drawing=Drawing(_NAMES[:8], ()))
        wrong = replace(some, drawing=Drawing(_NAMES[:8], (), wrong=True))
        seat = SeatLobby(self.seat, _NAMES[3], some)
        invite, modes = self.invitation(), (ModeChoice("court8", self.t("mode"), "8", self.t("blurb"), chosen=True),)
        host = HostScreen(self.host, "lobby", some, modes, (), (), 4, invite)
        return {
            "board-drawing": TableLobby(self.table, some, invite, host=True),
            "board-drawn": TableLobby(self.table, all_in, invite, host=True),
            "board-drawn-wrong": TableLobby(self.table, wrong, invite),
            "board-end-drawing": TableEnd(self.table, self.ending(), invite, True, some),
            "seat-draw": replace(seat, drawn="nothing"),
            "seat-drawn": replace(seat, drawn="entered"),
            "seat-drawn-all": replace(seat, lobby=all_in, drawn="entered"),
            "seat-drawn-twice": replace(seat, lobby=wrong, drawn="twice"),
            "seat-drawn-other": replace(seat, lobby=wrong, drawn="other"),
            "seat-end-draw": SeatEnd(self.seat, self.ending(again=False), _NAMES[3], lobby=some, drawn="nothing"),
            "seat-scan-one": ScanScreen(Frame(self.lang, "/"), "0AB1CX", ("K7QX",)),
            "seat-scan": ScanScreen(Frame(self.lang, "/"), "0AB1CX", ("K7QX", "B2MN")),
            "seat-scan-nowhere": ScanScreen(Frame(self.lang, "/"), "0AB1CX"),
            "host-drawing": host,
            "host-end-drawing": replace(host, phase="end", ending=self.ending()),
        }

    def prints(self) -> dict[str, Screen]:
        names = "\n".join(_NAMES[:8])
        typed = {"what": "cards", "mode": "court8", "in": self.lang.replace("-", "_").lower(), "names": names}
        typed |= dict.fromkeys(
            ("players", "variant", "paper", "size", "dpi", "backs", "marks", "bleed", "margin", "x", "y"), ""
        )
        typed |= dict.fromkeys(("network", "width", "height", "single", "address"), "")
        modes = (("court8", self.t("mode")), ("classic", self.t("classic")))
        variants = (("double=on", self.t("classic"), "double"), ("double=off", self.t("classic"), "no_double"))
        bare = Frame(self.lang, "/print")
        order = PrintScreen(bare, modes, variants, 10, typed, True, ("http://192.168.1.23:8765",))
        at_table = replace(bare, base="/t/K7QX", url="/t/K7QX/print", code="K7QX")
        job = JobScreen(replace(bare, url="/print/job"), "waiting", 0, 0, 2, "", "court8-cards.pdf", "/print")
        return {
            "print-order": order,
            "print-order-table": replace(order, frame=at_table, has_codes=False),
            "print-order-wifi": replace(order, frame=at_table, has_wifi=True),
            "print-order-refused": replace(order, fault=self.t("eight"), typed={**typed, "what": "tents"}),
            "print-order-wrong": replace(
                order, fault=self.t("eight"), typed={**typed, "bleed": "99"}, wrong="bleed", detailed=True
            ),
            "print-waiting": job,
            "print-working": replace(job, state="working", done=3, total=9),
            "print-done": replace(job, state="done"),
            "print-failed": replace(job, state="failed"),
            "print-refused": replace(job, state="failed", error=self.t("eight")),
        }

    def lost(self) -> dict[str, Screen]:
        """Seats lost and found."""
        people = tuple(Person(f"{at}", name) for at, name in enumerate(_NAMES[:8]))
        frame = replace(self.seat, url="/t/K7QX/claim", back="claim", stream="/t/K7QX/stream?of=claim")
        bare = replace(self.seat, stream=None)
        mine, taking = Claim(7, "gourd", _NAMES[1]), Claim(8, "umbrella", _NAMES[3], _NAMES[9])
        twice = (replace(mine, contested=True), replace(mine, id=9, symbol="sun", contested=True))
        kinds = (SeatNews("moved", _NAMES[1]), SeatNews("taken", *_NAMES[2:4]), SeatNews("opened", *_NAMES[4:6]))
        news = (*kinds, SeatNews("host"))
        told = replace(self.seat, asked=_NAMES[1:4], approves=True, news=news)
        played = self.play(you=4)
        log = (replace(played.log[0], seats=news), *played.log[1:])
        host = self.hosts()["host-lobby"]
        assert isinstance(host, HostScreen)
        without = (*host.people[:3], replace(host.people[3], phone=False))
        skill = Skill(self.t("unite"), self.t("unite text"), True, Use(4, "unite"))
        card = replace(self.card(), skills=(skill,), acts=True)
        waiting = replace(self.lobby(8), drawing=Drawing(_NAMES[2:5], _NAMES[:2]))
        passing = replace(self.seat, url="/t/K7QX/pass", back="pass")
        url = "http://192.168.1.23:8765/t/K7QX/hosting/token"
        return {
            "claim": ClaimScreen(frame, people, takes_over=True, name="Zoë"),
            "claim-nobody": ClaimScreen(frame, ()),
            "claim-waiting": ClaimScreen(frame, people, mine),
            "claim-taking": ClaimScreen(frame, people, taking, takes_over=True),
            "pass": PassScreen(passing, people[2:4]),
            "pass-nobody": PassScreen(passing, ()),
            "pass-drawing": PassScreen(passing, people[2:4], True, frozenset({"2"})),
            "passed": PassedScreen(bare, people[3], card),
            "offer": OfferScreen(replace(self.host, stream=None), _QR, 3),
            "hosting": HostingScreen(replace(bare, url=url.partition("8765")[2]), "token"),
            "hosting-gone": HostingScreen(bare),
            "seat-lost": SeatPlay(replace(self.seat, lost=_NAMES[1]), replace(played, recorder=None)),
            "seat-told": SeatPlay(told, replace(played, log=log), _NAMES[3], self.card(), phoneless=_NAMES[4:6]),
            "seat-lobby-told": SeatLobby(told, _NAMES[3], waiting, drawn="nothing", phoneless=_NAMES[4:6]),
            "board-told": TablePlay(replace(told, back="table"), replace(played, log=log), self.invitation()),
            "board-lobby-told": TableLobby(replace(told, back="table"), self.lobby(8), self.invitation()),
            "host-claims": replace(host, frame=replace(self.host, asked=_NAMES[1:4]), claims=(mine, taking)),
            "host-claims-contested": replace(host, people=without, claims=(*twice, taking)),
            "error-no_seat": ErrorScreen(bare, 403, "no_seat"),
        }

    def all(self) -> dict[str, Screen]:
        games = self.boards() | self.seats() | self.hosts() | self.mended() | self.drawn() | self.lost()
        return games | self.others() | self.prints()


TEMPLATES: dict[type, str] = {
    StartScreen: "start.html",
    TableLobby: "board/lobby.html",
    TablePlay: "board/play.html",
    TableEnd: "board/end.html",
    JoinScreen: "seat/join.html",
    SeatLobby: "seat/lobby.html",
    SeatPlay: "seat/play.html",
    SeatEnd: "seat/end.html",
    HostScreen: "host/host.html",
    ScanScreen: "seat/scan.html",
    ClaimScreen: "seat/claim.html",
    PassScreen: "seat/pass.html",
    PassedScreen: "seat/passed.html",
    OfferScreen: "host/offer.html",
    HostingScreen: "host/hosting.html",
    PrintScreen: "print/order.html",
    JobScreen: "print/job.html",
    ErrorScreen: "error.html",
    LineScreen: "host/line.html",
    RehearsalScreen: "host/rehearsal.html",
    EverythingScreen: "host/everything.html",
}

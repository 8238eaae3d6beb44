"""From a mode's TOML and its behaviour to a typed `Mode`. What does not fit together is refused at once."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, Protocol, TypeVar

from companion.rules.facts import Happened
from companion.rules.goals import Ending
from companion.rules.inputs import INPUT_WORDS, Card, IllegalInput
from companion.rules.ruleset import OPTION_VALUES, VERDICT, Options, Order, Rule, Ruleset, Steps
from companion.rules.state import State

LANGUAGES = ("zh_hans", "zh_hant", "en")

Text = Mapping[str, str]
"""The same words by language: `zh_hans`, `zh_hant`, `en`."""

Check = Callable[[Options, Sequence[Card], bool], list[IllegalInput]]

Thing = TypeVar("Thing")


class Choose(Protocol):
    """Picks one of several things at random, such as `random.SystemRandom().choice`."""

    def __call__(self, options: Sequence[Thing], /) -> Thing: ...


Arrange = Callable[[Sequence[Card], Choose], tuple[int, tuple[Card, ...]]]
"""From shuffled cards round the ring of people: at which of them seat 1 is, and all cards in seat order."""


class Skill(NamedTuple):
    """A skill that is used by a word: its clause, whose it is, and how many seats are named with it.

    `each_turn`: once in each of its owner's turns, in no other; else once a game, at any time.
    """

    clause: str
    role: str
    least: int = 0
    most: int = 0
    each_turn: bool = False


class Shield(NamedTuple):
    """A skill that saves who is dying, and the roles that it saves: everybody waits a moment when one of them is.

    `averts`: whether it can save the dying seat, as far as the facts tell that everybody knows.
    """

    skill: str
    roles: tuple[str, ...]
    averts: Callable[[Sequence[Happened], int], bool]


@dataclass(frozen=True)
class Composer:
    """How the host of a mode puts a game together.

    `groups`: the roles by kind, in the order in which they are offered; `coloured`: those that have a colour. `settle`
    fills in the colours that may be left out. `draw` makes a composition of the mode's own row at random.
    """

    groups: tuple[tuple[str, ...], ...]
    coloured: tuple[str, ...]
    colours: tuple[str, ...]
    settle: Callable[[Sequence[Card]], tuple[Card, ...]]
    draw: Callable[[Mapping[str, int], Choose], tuple[Card, ...]]

    @property
    def offers(self) -> tuple[Card, ...]:
        """Every card that can be chosen, in the order in which they are offered."""
        roles = [role for group in self.groups for role in group]
        return tuple(
            Card(role, colour) for role in roles for colour in (self.colours if role in self.coloured else (None,))
        )


@dataclass(frozen=True)
class Behaviour:
    """What happens in a mode: order, rules, endings.

    `composition`: the clause that fixes the composition; `headcount`: the one that fixes the number of players, where
    it is another. `seat_1`: the role that must sit there, and the clause.
    `check` replaces the check of a fixed composition; `inputs` are handlers of the mode's own. `arrange` says who sits
    where if that is more than whose seat 1 is; `composer` that the host composes. `skills`: those that are used by a
    word; `shield`: the one that saves the dying. `acting_lord`: the seat that rules, as far as the folded facts tell.
    """

    order: Order
    rules: tuple[Rule, ...]
    endings: tuple[Ending, ...]
    composition: str
    headcount: str | None = None
    seat_1: tuple[str, str] | None = None
    check: Check | None = None
    inputs: Mapping[type, Callable[..., Steps]] = field(default_factory=dict)
    arrange: Arrange | None = None
    composer: Composer | None = None
    skills: Mapping[str, Skill] = field(default_factory=dict)
    shield: Shield | None = None
    acting_lord: Callable[[State], int | None] = lambda state: None


@dataclass(frozen=True)
class Role:
    """An identity as it is printed. `clauses`: the ids of its skills and rules, in reading order.

    `meaning`: who took this side in history, and why.
    """

    id: str
    camp: str
    name: Text
    goal: Text
    clauses: tuple[str, ...]
    meaning: Text | None = None


@dataclass(frozen=True)
class Clause:
    """A numbered clause. `kinds`: engine, table, print. `declassifies`: it may tell hidden identities apart (X16).

    `where`: "rule" and "ending" are code of that id; "deal" is the check of a composition, "input" what is entered,
    "order" the place of the verdict, "grades" what endings grade by, "view" facts' audiences; another clause's id is
    whose code does it too.
    `silent`: the table neither sees nor does anything at it, so that a printed order leaves it out.
    `brief`: the words on a printed card, where the whole text would be too long for it.
    `winner`: the camp that an ending gives the game to ("draw": all alike; "nobody": all lose).
    """

    id: str
    kinds: tuple[str, ...]
    where: str
    title: Text
    text: Text
    declassifies: bool = False
    winner: str | None = None
    silent: bool = False
    brief: Text | None = None

    @property
    def on_card(self) -> Text:
        """What stands on a printed card; the whole text is on the reference sheet."""
        return self.brief or self.text


@dataclass(frozen=True)
class SetupStep:
    """What people do after the deal, one step of it.

    `public`: what those do whose identities are public; without any of them the step is left out. `hp`: the words where
    hit points are counted; `running` and `over`: those while everybody looks, and after it.
    """

    id: str
    title: Text
    text: Text | None = None
    public: Text | None = None
    hp: Text | None = None
    running: SetupStep | None = None
    over: SetupStep | None = None


@dataclass(frozen=True)
class Composition:
    """How often each role is dealt to so many players, where the options hold."""

    players: int
    options: Mapping[str, str]
    roles: Mapping[str, int]


@dataclass(frozen=True)
class Mode:
    """A mode: its rules for the engine and its words for people. Direction of play: `clockwise` or not (X1).

    `records`: the events that are offered for recording, by their words, in order; those of hit points are added to
    them where these are counted.
    `terms`: by language, the mode's own words for those that the companion's sentences use.
    `instructions`: what the mode's own instructions tell people to do, by their word (see `Instructed`). `looks`: there
    is private news while the game runs, so that all look at their cards from time to time. `setup`: what is done before
    the first turn, first what comes before the announcements of the deal, then what comes after them. `arrange`,
    `composer`, `skills` and `shield` as in `Behaviour`.
    """

    ruleset: Ruleset
    clockwise: bool
    name: Text
    blurb: Text
    camps: Mapping[str, Text]
    roles: Mapping[str, Role]
    clauses: Mapping[str, Clause]
    compositions: tuple[Composition, ...]
    seat_1: str | None
    records: tuple[str, ...]
    acting_lord: Callable[[State], int | None]
    refusal: Text | None = None
    terms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    instructions: Mapping[str, Text] = field(default_factory=dict)
    arrange: Arrange = field(default=lambda cards, _: (0, tuple(cards)))
    composer: Composer | None = None
    skills: Mapping[str, Skill] = field(default_factory=dict)
    shield: Shield | None = None
    looks: bool = False
    setup: tuple[tuple[SetupStep, ...], tuple[SetupStep, ...]] = ((), ())

    @property
    def id(self) -> str:
        return self.ruleset.id

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that the mode can be played with, ascending."""
        return tuple(sorted({row.players for row in self.compositions}))

    def composition(self, players: int, options: Options) -> Mapping[str, int] | None:
        """How often each role is dealt; None where there is no such game."""
        return _composition(self.compositions, players, options)


def _composition(rows: tuple[Composition, ...], players: int, options: Options) -> Mapping[str, int] | None:
    for row in rows:
        if row.players == players and all(options[name] == value for name, value in row.options.items()):
            return row.roles
    return None


def load(mode: str, behaviour: Behaviour) -> Mode:
    """Read `mode`.toml and join it with its behaviour. Raises ValueError where the two do not fit."""
    data = _toml(mode)
    if data["id"] != mode:
        raise ValueError(f"{mode}.toml says it is {data['id']}")
    roles = {role: _role(role, row) for role, row in data["roles"].items()}
    clauses = _rulings() | {clause: _clause(clause, row, behaviour) for clause, row in data["clauses"].items()}
    compositions = tuple(_compositions(data["compositions"]))
    _fit(mode, behaviour, roles, clauses, compositions, data)
    players = tuple(sorted({row.players for row in compositions}))
    return Mode(
        ruleset=Ruleset(
            id=mode,
            version=data["version"],
            names={name: role for role, row in roles.items() for name in _names(row, data)} | data.get("strangers", {}),
            camps={role: row.camp for role, row in roles.items()},
            options=tuple(data["options"]),
            composition=behaviour.composition,
            check=behaviour.check or fixed(mode, compositions, players, behaviour),
            order=behaviour.order,
            rules={rule.clause: rule for rule in behaviour.rules},
            endings=behaviour.endings,
            inputs=behaviour.inputs,
        ),
        clockwise=data["clockwise"],
        name=_text(data["name"]),
        blurb=_text(data["blurb"]),
        camps={camp: _text(row) for camp, row in data["camps"].items()},
        roles=roles,
        clauses=clauses,
        compositions=compositions,
        seat_1=behaviour.seat_1[0] if behaviour.seat_1 else None,
        records=tuple(data["records"]),
        acting_lord=behaviour.acting_lord,
        refusal=_optional_text(data, "refusal"),
        terms=data.get("terms", {}),
        instructions={word: _text(row) for word, row in data.get("instructions", {}).items()},
        arrange=behaviour.arrange or _from_seat_1(behaviour),
        composer=behaviour.composer,
        skills=behaviour.skills,
        shield=behaviour.shield,
        looks=data.get("looks", False),
        setup=_setup(data["setup"]),
    )


def _setup(steps: Sequence[str]) -> tuple[tuple[SetupStep, ...], tuple[SetupStep, ...]]:
    """The steps of these ids, before and after what the deal announces."""
    rows, announced = _toml("setting_up"), steps.index("announced")
    before, after = (
        tuple(_setup_step(step, rows[step]) for step in part) for part in (steps[:announced], steps[announced + 1 :])
    )
    return before, after


def _setup_step(step: str, row: Mapping[str, Any]) -> SetupStep:
    text, public, hp = (_optional_text(row, key) for key in ("text", "public", "hp"))
    running, over = (_setup_step(step, row[key]) if key in row else None for key in ("running", "over"))
    return SetupStep(step, _text(row["title"]), text, public, hp, running, over)


def _from_seat_1(behaviour: Behaviour) -> Arrange:
    """Seat 1 is whoever holds the role that must sit there; else whoever is first."""
    role = behaviour.seat_1[0] if behaviour.seat_1 else None

    def arrange(cards: Sequence[Card], _: Choose) -> tuple[int, tuple[Card, ...]]:
        first = next((index for index, card in enumerate(cards) if card.role == role), 0)
        return first, (*cards[first:], *cards[:first])

    return arrange


def fixed(mode: str, rows: tuple[Composition, ...], players: tuple[int, ...], behaviour: Behaviour) -> Check:
    """The check of a mode whose composition follows from the number of players and the options."""

    def check(options: Options, cards: Sequence[Card], seated: bool) -> list[IllegalInput]:
        clause = behaviour.composition
        if len(cards) not in players:
            headcount = behaviour.headcount or clause
            return [IllegalInput("players", headcount, {"mode": mode, "found": len(cards), "players": players})]
        wanted = _composition(rows, len(cards), options)
        if wanted is None:
            return [IllegalInput("no_composition", clause, {"found": len(cards)})]
        reasons = [
            IllegalInput("plain_cards", clause, {"role": card.role}) for card in cards if card.colour or card.target
        ]
        if Counter(card.role for card in cards) != wanted:
            reasons.append(IllegalInput("composition", clause, {"roles": wanted, "found": len(cards)}))
        elif seated and behaviour.seat_1 and cards[0].role != behaviour.seat_1[0]:
            role, seat_clause = behaviour.seat_1
            reasons.append(IllegalInput("seat_1", seat_clause, {"role": role}))
        return reasons

    return check


@cache
def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads(files("companion.modes").joinpath(f"{name}.toml").read_text("utf-8"))


def _text(row: Mapping[str, str]) -> Text:
    missing = [language for language in LANGUAGES if not row.get(language)]
    if missing:
        raise ValueError(f"no {', '.join(missing)} beside {dict(row)}")
    return dict(row)


def _optional_text(row: Mapping[str, Any], key: str) -> Text | None:
    return _text(row[key]) if key in row else None


def _role(role: str, row: Mapping[str, Any]) -> Role:
    name, goal, meaning = _text(row["name"]), _text(row["goal"]), _optional_text(row, "meaning")
    return Role(role, row["camp"], name, goal, tuple(row["clauses"]), meaning)


def _names(role: Role, data: Mapping[str, Any]) -> set[str]:
    """The id, the Chinese names, and other names under which the role may be typed."""
    return {role.id, role.name["zh_hans"], role.name["zh_hant"], *data["roles"][role.id].get("aliases", ())}


def _clause(clause: str, row: Mapping[str, Any], behaviour: Behaviour) -> Clause:
    where = row.get("where", "print" if row["kind"] == ["print"] else "")
    if clause in {rule.clause for rule in behaviour.rules}:
        where = "rule"
    elif clause in {ending.clause for ending in behaviour.endings}:
        where = "ending"
    return Clause(
        clause,
        tuple(row["kind"]),
        where,
        _text(row["title"]),
        _text(row["text"]),
        row.get("declassifies", False),
        row.get("winner"),
        row.get("silent", False),
        _optional_text(row, "brief"),
    )


@cache
def _rulings() -> dict[str, Clause]:
    """The rulings that hold in every mode."""
    return {
        clause: Clause(
            clause,
            ("engine",),
            "rule",
            _text(row.get("title") or dict.fromkeys(LANGUAGES, clause)),
            _text(row["text"]),
            row.get("declassifies", False),
        )
        for clause, row in _toml("rulings")["clauses"].items()
    }


def _compositions(rows: Sequence[Mapping[str, Any]]) -> list[Composition]:
    return [Composition(row["players"], row.get("options", {}), row["roles"]) for row in rows]


def _fit(
    mode: str,
    behaviour: Behaviour,
    roles: Mapping[str, Role],
    clauses: Mapping[str, Clause],
    compositions: tuple[Composition, ...],
    data: Mapping[str, Any],
) -> None:
    """Refuse a mode whose parts do not name each other rightly."""
    rules = {rule.clause for rule in behaviour.rules}
    ordered = {clause for tiers in behaviour.order.values() for tier in tiers for clause in tier} - {VERDICT}
    named = rules | ordered | {clause for role in roles.values() for clause in role.clauses}
    named |= {ending.clause for ending in behaviour.endings} | {behaviour.composition}
    named |= {behaviour.headcount or behaviour.composition}
    faults = [f"unknown clause {clause}" for clause in named - clauses.keys()]
    faults += [f"no rule for {clause}" for clause in ordered - rules]
    faults += [f"{clause} never comes up in the order" for clause in rules - ordered]
    faults += [f"nothing carries out {clause.id}" for clause in clauses.values() if not clause.where]
    faults += [f"unknown option {option}" for option in data["options"] if option not in OPTION_VALUES]
    faults += [f"nothing to record is called {word}" for word in data["records"] if word not in INPUT_WORDS]
    for row in compositions:
        if sum(row.roles.values()) != row.players or row.roles.keys() - roles.keys():
            faults.append(f"a wrong composition for {row.players} players")
    if faults:
        raise ValueError(f"{mode}: " + "; ".join(sorted(faults)))

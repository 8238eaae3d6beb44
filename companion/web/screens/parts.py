"""What a screen tells of a running or finished game: the parts that screens are made of, already worded.

Nothing here may hold what the viewer must not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from unicodedata import combining, east_asian_width

Condition = Literal["alive", "dying", "dead", "departed"]
Grade = Literal["win", "draw", "lose"]


@dataclass(frozen=True, slots=True)
class Camp:
    """A camp: `id` as in the rulebooks ("royal", "rebel", "renegade" …) picks the glyph, `name` is the word."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Identity:
    """An identity that the viewer may see. `role` is its id, `colour` the word of its colour where it has one.

    A camp that is not told has no id and no name.
    """

    role: str
    name: str
    camp: Camp
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """A person in a game: seat number and name."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Spot:
    """One place of the ring. `seat` is None before the deal; `identity` is the public one or None.

    `state` words a condition other than "alive". Counters are None where they are not kept. `tags` are further public
    marks, in words ("代行主公"). `hero` is whom the person plays, as written down ("": not written).
    """

    name: str
    seat: int | None = None
    condition: Condition = "alive"
    state: str = ""
    identity: Identity | None = None
    turn: bool = False
    you: bool = False
    hp: int | None = None
    max_hp: int | None = None
    provinces: int | None = None
    limit: int | None = None
    tags: tuple[str, ...] = ()
    hero: str = ""

    @property
    def size(self) -> Literal["brief", "", "long"]:
        """How much room the name takes: up to four Chinese characters or six letters, up to six or ten, more."""
        width = sum(5 if east_asian_width(sign) in "WF" else 3 for sign in self.name if not combining(sign))
        return "brief" if width <= 20 else "" if width <= 30 else "long"


@dataclass(frozen=True, slots=True)
class Ring:
    """The people in order of play (`spots`), to be drawn `clockwise` or not."""

    spots: tuple[Spot, ...]
    clockwise: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """What the same people have to do or what came about, in words, one after the other. `who` may be nobody."""

    texts: tuple[str, ...]
    who: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class Announcement:
    """What one clause tells the table to do now. `title` is the skill's or event's name, `text` the clause in words.

    While a table sets up: `setup` is the step's id where no clause announces it, `left` the seconds of the look that
    all take together (None: it has not begun; 0: it is over), and `last` is the last step of all, which ends them.
    """

    id: str
    clause: str
    title: str
    steps: tuple[Step, ...]
    text: str = ""
    setup: str = ""
    left: int | None = None
    last: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One button that records `input`."""

    input: str
    label: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked openly of `who`; anyone may record the spoken answer."""

    who: Named
    text: str
    clause: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A record held back until `seconds` (whole, rounded up) have passed; `total` is the host's setting.

    `title` says what is about to become of whom, `text` is the record in words, killers included.
    """

    id: str
    title: str
    text: str
    seconds: int
    total: int


@dataclass(frozen=True, slots=True)
class Verb:
    """An event that can be recorded of a person: `id` is the record's word ("death", "turn" …), `label` its name, `ask`
    what is asked then. `by`: the killer or source is asked for. `amounts`: the numbers offered, changes where `signed`.
    `rescuers`: how many of those who saved the person can be named, one after the other.

    `when`: whether it is offered for a person who is well, dying, or both.
    """

    id: str
    by: bool = False
    amounts: tuple[int, ...] = ()
    when: Literal["alive", "dying", "both"] = "both"
    signed: bool = False
    rescuers: int = 0
    label: str = ""
    ask: str = ""


@dataclass(frozen=True, slots=True)
class Recorder:
    """What can be recorded now, by mode and public state alone. `next_turn` is the person whose turn follows; `extra`:
    it is one that is owed to him. `several`: those who may fall at one stroke (none where the mode has no such thing).
    """

    verbs: tuple[Verb, ...]
    next_turn: Named | None = None
    extra: bool = False
    several: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class Dying:
    """Somebody who is dying, and how that ends: `title` and `ask` in the mode's own words, the choices that record a
    rescue or the death. `rescuers`: how many of those who saved the person can be named, one after the other.
    """

    who: Named
    title: str
    ask: str
    rescues: tuple[Choice, ...]
    death: Choice
    rescuers: int = 0


@dataclass(frozen=True, slots=True)
class SeatNews:
    """What became of a seat, for everybody to read: it "moved" to another phone of `who`, was "taken" over by `by`, the
    card of `who` was "opened" on the phone of `by`; or hosting went to another device ("host")."""

    kind: Literal["moved", "taken", "opened", "host"]
    who: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A phone that asks for the seat of `who`, or to take it over as `name`. `symbol` is shown on that phone as well.

    `contested`: another phone asks for the same seat.
    """

    id: int
    symbol: str
    who: str
    name: str = ""
    contested: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log: an input in words, and what publicly followed.

    `recorder` is who entered it, where known, `clauses` the ids that spoke. `notes`: what stood here before, and the
    lines after this one that were taken back or no longer fit. `seats`: what became of seats afterwards.
    """

    step: int
    text: str
    then: tuple[Step, ...] = ()
    clauses: tuple[str, ...] = ()
    recorder: str | None = None
    notes: tuple[str, ...] = ()
    seats: tuple[SeatNews, ...] = ()


@dataclass(frozen=True, slots=True)
class Touch:
    """Asked at the end of every turn where hit points are not counted: who damaged or healed whom in it.

    `step` names the turn, `by` is preset (whose turn it is), `done` are the pairs (by, whom) recorded in this turn.
    """

    step: int
    by: Named
    people: tuple[Named, ...]
    done: tuple[tuple[Named, Named], ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect that stands: what and on whom (`name`), and what its clause says."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Amends:
    """What the table makes good after the host has changed a line: whose cards are `covered` again, what is put `back`,
    and what `more` is to be done. `id` is sent like that of an announcement.
    """

    id: str
    covered: tuple[Named, ...] = ()
    back: tuple[Step, ...] = ()
    more: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Hero:
    """Where people write down whom they play, in the mode's own words."""

    title: str
    label: str


@dataclass(frozen=True, slots=True)
class Play:
    """The running game as everybody at the table may see it: the same for every viewer, `Spot.you` apart.

    `log` is newest first.

    `dying` are asked about while nothing else is. `touch` is asked before the next turn. `look`: now everybody looks at
    the own card for a moment. `saveable` are the dying whom somebody's skill may still save: everybody waits `pause`
    seconds.

    `waiting` counts the announcements after `current`. `recorder` is None for viewers who may not record, and for all
    while the game is `paused`; while a question waits it offers nothing but that somebody leaves. `moderated`: the host
    has been shown everything.
    """

    mode: str
    number: int
    ring: Ring
    hero: Hero
    effects: tuple[Effect, ...] = ()
    current: Announcement | None = None
    waiting: int = 0
    question: Question | None = None
    draft: Draft | None = None
    recorder: Recorder | None = None
    log: tuple[Entry, ...] = ()
    dying: tuple[Dying, ...] = ()
    touch: Touch | None = None
    look: bool = False
    saveable: tuple[Named, ...] = ()
    pause: int = 0
    amends: Amends | None = None
    paused: bool = False
    moderated: bool = False


@dataclass(frozen=True, slots=True)
class Use:
    """How a skill is used now: `word` as in the record, on `least` to `most` of `people`."""

    seat: int
    word: str
    least: int = 0
    most: int = 0
    people: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class Skill:
    """An identity skill: its name and what it says. `acts`: its owner uses it; `use` is None where that is not now."""

    name: str
    text: str
    acts: bool = False
    use: Use | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """The viewer's own card. `knows` are sentences of private knowledge; `meaning` says who took this side, and why.

    `acts`: in this mode there are skills that are used; the place for them is on every card.
    """

    identity: Identity
    goal: str
    knows: tuple[str, ...] = ()
    skills: tuple[Skill, ...] = ()
    meaning: str = ""
    acts: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """One person as the view of everything has it: the true identity, and what the own card says besides."""

    who: Named
    identity: Identity
    state: str
    knows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """One person at the end; `grade` is None where the game ended without one."""

    who: Named
    identity: Identity
    condition: Condition
    state: str
    grade: Grade | None
    you: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended. `kind` "win": `camp` won; "draw"; "nobody": all have lost; "stopped": the host ended it without
    a verdict.

    `clause` and `text` are the deciding clause and its words, `title` says who has won (all empty when stopped).
    `timeline` is oldest first.
    """

    kind: Literal["win", "draw", "nobody", "stopped"]
    mode: str
    number: int
    results: tuple[Result, ...]
    timeline: tuple[Entry, ...]
    camp: Camp | None = None
    clause: str = ""
    title: str = ""
    text: str = ""
    again: bool = False
    blocked: tuple[str, ...] = ()

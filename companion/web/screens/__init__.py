"""What each template receives: the contract between the routes and `templates/`.

Every screen is one frozen dataclass (those of seats lost and found stand in `seat_screens`), rendered as
``render_template(template, screen=screen)`` in an environment with
flask-babel's gettext and with `trim_blocks` and `lstrip_blocks` on:

====================  =====================  ==============================================
screen                template               address
====================  =====================  ==============================================
`StartScreen`         start.html             GET ``/``
`TableLobby`          board/lobby.html       GET ``/t/CODE`` before the deal
`TablePlay`           board/play.html        GET ``/t/CODE`` while a game runs
`TableEnd`            board/end.html         GET ``/t/CODE`` after it
`JoinScreen`          seat/join.html         GET ``/t/CODE/seat`` of a phone without a place
`SeatLobby`           seat/lobby.html        GET ``/t/CODE/seat`` before the deal
`SeatPlay`            seat/play.html         GET ``/t/CODE/seat`` while a game runs (spectators too)
`SeatEnd`             seat/end.html          GET ``/t/CODE/seat`` after it (spectators too)
`HostScreen`          host/host.html         GET ``/t/CODE/host``
`ScanScreen`          seat/scan.html         GET ``/C/CARD``
`ClaimScreen`         seat/claim.html        GET ``/t/CODE/claim``
`PassScreen`          seat/pass.html         GET ``/t/CODE/pass``
`PassedScreen`        seat/passed.html       POST ``/t/CODE/pass``
`OfferScreen`         host/offer.html        POST ``/t/CODE/host/offer``
`HostingScreen`       host/hosting.html      GET ``/t/CODE/hosting/TOKEN``
`PrintScreen`         print/order.html       GET ``/print``, ``/t/CODE/print``
`JobScreen`           print/job.html         GET ``/print/JOB``
`ErrorScreen`         error.html             any refused or missing page
====================  =====================  ==============================================

The pages on which the host changes a line, and sees everything, stand in `mending_screens`.

Forms
-----
All forms are POST with ``application/x-www-form-urlencoded`` and carry `key` (idempotency, from `Frame.key`) and `back`
(the page that they were sent from: a `Back`). Paths are relative to the table's address ``/t/CODE``.

==================  =====================================================================================
path                fields
==================  =====================================================================================
``/`` (no table)    none: opens a table
``/join``           ``name``
``/card``           ``card``: the code of the printed card that this person drew
``/card/back``      none: the card is taken back
``/C`` (no table)   ``card``, ``table``: as ``/card``, where several tables wait
``/print``          what is to be printed (see `prints.read`; with a table or without)
``/record``         a complete record line in ``input``; or ``verb``, ``who`` (seat) and, where `Verb` wants them,
                    ``n`` and ``by`` (seat or "-"): the line is then ``{verb} {who}[ {n}][ by {by}]``. A verb
                    with `by` and `amounts` sends its number as ``points``. Fields that the verb does not want
                    may be there: ignore them. ``verb=saved``: those who saved, in order, in ``rescuer-1``,
                    ``rescuer-2`` … (seat, or empty). ``verb=deaths``: for each who fell,
                    ``by-SEAT`` (seat or "-"; empty: lives). ``verb=correct`` (the host): ``who``, ``what``,
                    ``n``. ``again=1`` after the double-entry question
                    A skill: ``verb`` = "use", ``who`` (its owner), ``skill`` and any number of ``on`` (seats); only
                    from its owner's own page. ``verb`` = "touch", ``who``, ``by``: who damaged or healed whom
``/withdraw``       ``draft`` (`Draft.id`)
``/done``           ``announcement`` (`Announcement.id`)
``/again``          none: new cards with the same places
``/leave``          none: this phone's person leaves the table, between games
``/add``            ``name``: somebody without a phone sits down
``/claim``          ``person`` (`Person.id`): this phone asks for that seat; with ``name``: to take it over so named
``/claim/drop``     none: it asks no longer
``/pass``           ``person``: the card of somebody without a phone is opened here; the answer is that card, covered
``/pass/use``       as a skill in ``/record``, and ``person``, whose card is open here
``/pass/card``      ``person``, ``card``: the code of the printed card that somebody without a phone drew
``/pass/card/back``  ``person``: it is taken back
``/hosting``        ``token``: this browser becomes the host
``/host/approve``   any number of ``claim`` (`Claim.id`): exactly these get their seats
``/host/refuse``    ``claim``
``/host/offer``     none: answers with a code that makes one phone the host
``/host/settings``  ``mode``, ``pause`` (seconds, 0-10), one ``option-ID`` for each option shown, with its value;
                    unticked ones are absent, ``shown`` lists the ids that the form showed, separated by spaces
``/host/address``   ``address`` (`Address.id`)
``/host/wifi``      ``network``, ``password``, ``kind`` = "wpa" or "open"; an empty ``network`` takes it off the screen
``/host/composition``  ``preset`` = "basic" or "random"; or ``count`` = a card and how many of it ("loyalist:red 2")
``/host/move``      ``person`` (`Person.id`), ``to`` = "up" or "down" (towards the start or the end of the ring), or the
                    number of the place, from 1
``/host/remove``    ``person``
``/host/dealing``   ``by`` = "phones" or "cards"
``/host/collect``   none: all printed cards are taken back
``/host/deal``      none
``/host/places``    ``do`` = "ask" (all tap their places), "set" (as tapped so far) or "stop"
``/place``          none: the sender's place is the next one; the host: ``person``
``/look``           none: everybody looks at the own card for ten seconds
``/hero``           ``name`` of the hero that the sender plays, ``hp`` where it is counted; both may be left out
``/host/undo``      ``step`` (`HostScreen.last`'s step, so that two taps undo one record); with ``last`` all from
                    ``step`` to ``last``, which must be the newest
``/host/line``      (GET) ``step``; ``how`` = "undo", "strike", or "change" with the fields of ``/record``
``/host/change``    ``step``, ``line`` (empty: taken out), ``seen`` (`RehearsalScreen.seen`)
``/host/pause``     ``on`` = "1" or "0"
``/host/everything``  none: this browser is shown everything, and has no seat in this game
``/host/end``       none: ends the game without a verdict
==================  =====================================================================================

A form that succeeded answers 303 to the page named by ``back``, or with that page at once (`Frame.partial`) when
``HX-Request`` is there. A refused one answers 4xx with that page in its present state (`Frame.partial` likewise) and a
`Notice` in its frame. Languages are changed by
``?lang=zh-Hans|zh-Hant|en`` on any page (store it in a cookie, redirect to the clean address). The record is downloaded
from ``/record.txt``.

Liveness
--------
A page with `Frame.stream` asks for itself again: a GET of `Frame.url` with ``HX-Request: true`` and ``If-None-Match`` =
the last ``ETag`` seen (`Frame.etag` at first). Answer 304, or the same screen with `Frame.partial` set and its ``ETag``
header; 401 or 404 reloads the page. `Frame.notice` belongs to the answer of one POST and stays on the page until the
next POST, so the polls between leave it out. `Frame.key` must not change while the page's state stays the same.

Texts
-----
Names of people, modes, identities, camps, goals, skills and clauses arrive in the viewer's language as plain strings.
What people recorded and what must be done arrives as sentences too (`Entry.text`, `Step.texts`; made by
`companion.words`), with names marked up. Options and phases arrive as words (`Option.id`, `Phase`); the templates word
them. Nothing here may hold what the viewer must not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from companion.web.screens.parts import Card, Claim, Ending, Entry, Identity, Play, Ring, SeatNews

Lang = Literal["zh-Hans", "zh-Hant", "en"]
Back = Literal["table", "seat", "host", "claim", "pass"]
Phase = Literal["lobby", "play", "end"]


@dataclass(frozen=True, slots=True)
class Notice:
    """What a POST is answered with besides the present state; and what every page says while nothing can be kept.

    `kind` "refused": `text` is the reason. "repeat": `text` is the name of whoever recorded the same thing within ten
    seconds and `input` the record line to be sent again with ``again=1``. "ok": `text` confirms something invisible.
    "full", "readonly", "broken": the laptop's disk has no room, may not be written, has failed.
    """

    kind: Literal["refused", "repeat", "ok", "full", "readonly", "broken"]
    text: str = ""
    input: str | None = None
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """What every page needs.

    `url` is the page's own path, `base` the table's (``/t/CODE``; empty on pages without a table), `etag` the quoted
    ETag of this rendering, `stream` the path of the event stream (None: the page does not change by itself), `key` an
    idempotency key, `partial` whether only the inside of ``<main>`` is wanted. `shared` is equal on all pages that show
    the same public state in the same language: with a template global ``once(shared, caller)`` that keeps what it
    rendered under that name, the public part of a running game is rendered once for the table screen and every phone.

    `asked`: whose seats other phones ask for (`approves`: this browser decides); `news`: what became of seats since the
    newest record; all screens say so alike. `lost`: the name of whose seat was here before another phone got it.
    """

    lang: Lang
    url: str
    base: str = ""
    back: Back | None = None
    code: str = ""
    key: str = ""
    etag: str = ""
    stream: str | None = None
    partial: bool = False
    notice: Notice | None = None
    shared: str = ""
    asked: tuple[str, ...] = ()
    approves: bool = False
    news: tuple[SeatNews, ...] = ()
    lost: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Printed cards are dealt: who has entered one (`entered`) and who has not (`waiting`), both in ring order.

    `wrong`: all have, and the cards are not those of the composition; nobody is told whose.
    """

    entered: tuple[str, ...]
    waiting: tuple[str, ...]
    wrong: bool = False

    @property
    def ready(self) -> bool:
        """Whether the game can begin."""
        return not self.waiting and not self.wrong


@dataclass(frozen=True, slots=True)
class Seating:
    """People tap their places in the direction of play: who has (`taken`, in this order), and who has not yet.

    `yours`: the visitor's own place in that order, from 1; 0 where it is still to be tapped, None for who has none.
    """

    taken: tuple[str, ...]
    waiting: tuple[Person, ...]
    clockwise: bool
    yours: int | None = None


Drawn = Literal["nothing", "entered", "twice", "other"]
"""One's own printed card: not entered yet, entered; or it does not belong to the whole: entered by somebody else as
well, not in the composition. For its owner's eyes only."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """What is known before the deal. `missing` people are still needed (negative: too many), `blockers` are other
    reasons, already worded, why it cannot be dealt; while people are missing, for how many the mode is, where it says
    that. `composition` is how often each identity will be dealt."""

    mode: str
    players: str
    ring: Ring
    missing: int = 0
    blockers: tuple[str, ...] = ()
    composition: tuple[tuple[Identity, int], ...] = ()
    drawing: Drawing | None = None
    seating: Seating | None = None

    @property
    def ready(self) -> bool:
        """Whether the game can begin: cards can be dealt, or have been drawn."""
        return self.settled and (self.drawing is None or self.drawing.ready)

    @property
    def settled(self) -> bool:
        """Whether cards can be dealt or drawn now."""
        return self.missing == 0 and not self.blockers


@dataclass(frozen=True, slots=True)
class Address:
    """An address that phones might reach: `url` is the one to be typed, `label` the interface's name."""

    id: str
    url: str
    label: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Invitation:
    """How to join: `qr` is an inline ``<svg>`` with a viewBox and no styles, `url` its text, `code` the short code."""

    qr: Markup
    url: str
    code: str
    addresses: tuple[Address, ...] = ()


@dataclass(frozen=True, slots=True)
class Wifi:
    """The network to join first. For the table screen alone: `qr`, an inline ``<svg>``, holds the password too."""

    qr: Markup
    name: str
    password: str


@dataclass(frozen=True, slots=True)
class TableLink:
    """A table of this laptop that can be resumed. `when` is worded (a local date and time)."""

    code: str
    phase: Phase
    mode: str
    names: tuple[str, ...]
    when: str


@dataclass(frozen=True, slots=True)
class StartScreen:
    """The first page."""

    frame: Frame
    tables: tuple[TableLink, ...] = ()


@dataclass(frozen=True, slots=True)
class TableLobby:
    """The table screen before the deal. `host`: this browser may change settings and deal. `stuck`: nobody has come
    for a minute, so it says what to try."""

    frame: Frame
    lobby: Lobby
    invitation: Invitation
    host: bool = False
    wifi: Wifi | None = None
    stuck: bool = False


@dataclass(frozen=True, slots=True)
class TablePlay:
    """The table screen while a game runs."""

    frame: Frame
    play: Play
    invitation: Invitation
    host: bool = False


@dataclass(frozen=True, slots=True)
class TableEnd:
    """The table screen after a game."""

    frame: Frame
    ending: Ending
    invitation: Invitation
    host: bool = False
    lobby: Lobby | None = None
    seating: Seating | None = None


@dataclass(frozen=True, slots=True)
class JoinScreen:
    """A phone without a place: a name is asked for. `name` was typed or remembered, `names` are there already."""

    frame: Frame
    name: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatLobby:
    """A phone that has its place and waits. `host`: this browser also holds the host page. `drawn`: one's own card.

    `phoneless`: the names of those without a phone.
    """

    frame: Frame
    name: str
    lobby: Lobby
    host: bool = False
    drawn: Drawn | None = None
    phoneless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatPlay:
    """A phone while a game runs; without `card` and `name` it is a spectator's. `phoneless`: who looks on others'."""

    frame: Frame
    play: Play
    name: str | None = None
    card: Card | None = None
    host: bool = False
    phoneless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatEnd:
    """A phone after a game. `may_join`: a spectator who may take a place for the next one.

    `lobby` (of the next game), `drawn` and `phoneless` are there where printed cards are dealt.
    """

    frame: Frame
    ending: Ending
    name: str | None = None
    may_join: bool = False
    host: bool = False
    lobby: Lobby | None = None
    drawn: Drawn | None = None
    phoneless: tuple[str, ...] = ()
    seating: Seating | None = None


@dataclass(frozen=True, slots=True)
class ModeChoice:
    """A mode that the host may choose. `players` words its counts ("8", "2–10"), `blurb` is one sentence."""

    id: str
    name: str
    players: str
    blurb: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the chosen mode, with its values as in the record; most have "off" and "on"."""

    id: str
    value: str
    values: tuple[str, ...] = ("off", "on")


@dataclass(frozen=True, slots=True)
class Person:
    """A person with a place, in the order of the ring. `id` names the place in forms. `phone`: has one at the table."""

    id: str
    name: str
    phone: bool = True


@dataclass(frozen=True, slots=True)
class Stepper:
    """How many of a card ("loyalist:red") are dealt. `label`: its name with its colour, as text."""

    card: str
    identity: Identity
    count: int
    label: str


@dataclass(frozen=True, slots=True)
class Group:
    """Cards of a kind, under a title. `id` names it in the page."""

    id: str
    title: str
    cards: tuple[Stepper, ...]

    @property
    def count(self) -> int:
        """How many of the group are dealt."""
        return sum(card.count for card in self.cards)


@dataclass(frozen=True, slots=True)
class Composer:
    """What the host puts together. `total` cards for `people` people; `reasons` (text, clause) why not, all of them.

    `basic`: the mode's own composition is taken. `hidden`: it is not shown to the others.
    """

    groups: tuple[Group, ...]
    total: int
    people: int
    basic: bool
    hidden: bool
    reasons: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class HostScreen:
    """The host's page. `last` is the newest record, which undo takes back (None: nothing to undo). `counters`: what can
    be corrected, by the record's words ("hp", "max_hp", "provinces", "limit").

    `wifi`: the name of the network that the table screen shows. `play` holds the running game, `ending` the finished
    one; settings and places change in "lobby" and "end" only. `drifted`: the steps that come out otherwise than
    when they were recorded, as the rules have changed since; `lost`: the lines of the record that no longer fit.
    `log`: all lines that can be changed, newest first. `everything`: this host may be shown all ("offered"), is shown
    it ("open"), or neither.
    """

    frame: Frame
    phase: Phase
    lobby: Lobby
    modes: tuple[ModeChoice, ...]
    options: tuple[Option, ...]
    people: tuple[Person, ...]
    pause: int
    invitation: Invitation
    wifi: str = ""
    last: Entry | None = None
    counters: tuple[str, ...] = ()
    play: Play | None = None
    ending: Ending | None = None
    composer: Composer | None = None
    drifted: tuple[int, ...] = ()
    lost: tuple[str, ...] = ()
    log: tuple[Entry, ...] = ()
    everything: Literal["", "offered", "open"] = ""
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class ScanScreen:
    """A card was scanned. `tables`: the codes of those that wait for one from this browser."""

    frame: Frame
    card: str
    tables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PrintScreen:
    """What can be printed. `typed`: the fields as they were sent, or their defaults; `fault`: why not; `wrong`: the
    field that has to be changed. `detailed`: what is folded away was changed, and stands open.

    `modes`: id and name; `variants`: value, the mode's name and the value's key ("double", "luan" …). `names`: one a
    line; `has_codes`: whether cards get codes (on the laptop itself only); `has_table`: the host
    may print exactly what the table's composition says. `has_wifi`: the host's table keeps a network's password, which
    is taken where none is typed.
    """

    frame: Frame
    modes: tuple[tuple[str, str], ...]
    variants: tuple[tuple[str, str, str], ...]
    most: int
    typed: Mapping[str, str]
    has_codes: bool
    addresses: tuple[str, ...]
    fault: str = ""
    has_table: bool = False
    has_wifi: bool = False
    wrong: str = ""
    detailed: bool = False


@dataclass(frozen=True, slots=True)
class JobScreen:
    """Something that is being printed. `ahead`: jobs before it; `error`: why it failed ("": the program's own fault).

    `file`: its name; `back`: where to print more.
    """

    frame: Frame
    state: Literal["waiting", "working", "done", "failed"]
    done: int
    total: int
    ahead: int
    error: str
    file: str
    back: str


@dataclass(frozen=True, slots=True)
class ErrorScreen:
    """A page that cannot be shown. `reason` picks the words: "not_found" (no such page), "no_table" (no such table),
    "not_host" (this page belongs to the host), "no_seat" (it is for those who sit here), "forbidden" (a form from
    elsewhere), "too_many" (wrong codes in a minute), "busy" (come back in a moment), "broken" (a fault of this
    program), "storage" (nothing can be saved or read)."""

    frame: Frame
    status: int
    reason: Literal[
        "not_found", "no_table", "not_host", "no_seat", "forbidden", "too_many", "busy", "broken", "storage"
    ]

"""What people order on paper from a page, and the jobs that make it: one after the other, each a PDF in memory."""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, cast, get_args

from companion.modes import MODES, Mode, find_mode
from companion.modes.deck import PrintedCard, cards
from companion.rules.inputs import IllegalInput

if TYPE_CHECKING:
    from printables.labels import Lang
    from printables.ops import Page
    from printables.sheets import Backs, Layout, Marks, Paper
    from printables.table import Flip

What = Literal["cards", "sheet", "strip", "trackers", "tents", "poster", "calibration"]
WHATS: tuple[What, ...] = get_args(What)
SIZES = {"poker": (63.0, 88.0), "us": (63.5, 88.9), "tarot": (70.0, 120.0)}
DPIS = (150, 300, 600)
KEPT_SECONDS = 15 * 60
MOST_WAITING = 4
MOST_KEPT = 8

State = Literal["waiting", "working", "done", "failed"]
Fault = Literal["mode", "players", "size", "number", "names", "trackers"]


class BadOrder(ValueError):
    """An order that cannot be carried out. `fault` says what is wrong with it, `field` where that was typed."""

    def __init__(self, fault: Fault, field: str = "") -> None:
        super().__init__(fault)
        self.fault: Fault = fault
        self.field = field


class TooMany(Exception):
    """As many jobs wait as may wait."""


@dataclass(frozen=True)
class Order:
    """What is to be printed. `variant`: an option and its value, "double=on", or "" for all; sizes in mm.
    `own`: exactly these cards instead.

    `codes` are those of the cards; `card_address` stands before it in a QR code. `password` is kept nowhere else.
    """

    what: What
    mode: Mode
    lang: Lang
    players: int | None = None
    variant: str = ""
    paper: str = "a4"
    size: tuple[float, float] = SIZES["poker"]
    dpi: int = 300
    backs: str = "long"
    marks: str = "outside"
    bleed: float = 0.0
    margin: float = 4.0
    offset: tuple[float, float] = (0.0, 0.0)
    single: bool = False
    own: tuple[PrintedCard, ...] = ()
    names: tuple[str, ...] = ()
    address: str = ""
    network: str = ""
    password: str = field(default="", repr=False)
    codes: dict[PrintedCard, str] | None = field(default=None, repr=False)
    card_address: str | None = None

    @property
    def file_name(self) -> str:
        of_mode = self.what in ("cards", "sheet", "strip", "trackers")
        return f"{self.mode.id}-{self.what}.pdf" if of_mode else f"{self.what}.pdf"

    def deck(self) -> tuple[PrintedCard, ...]:
        """The cards. Raises BadOrder where the mode has no such game."""
        if self.own:
            return self.own
        name, _, value = self.variant.partition("=")
        try:
            return cards(self.mode, self.players, {name: value} if name else {})
        except IllegalInput as error:
            raise BadOrder("players", "players") from error


def variants() -> list[tuple[Mode, str, str]]:
    """The options on which a mode's cards depend, each with its values."""
    rows = ((mode, row.options) for mode in map(find_mode, MODES) for row in mode.compositions)
    found = {(mode.id, name, value): mode for mode, options in rows for name, value in options.items()}
    return [(mode, name, value) for (_, name, value), mode in found.items()]


def read(form: Mapping[str, str], lang: Lang) -> Order:
    """The order that a form's fields stand for; what is left out has its default. Raises BadOrder."""
    what = form.get("what", "cards")
    mode = form.get("mode", MODES[0])
    if what not in WHATS or mode not in MODES:
        raise BadOrder("mode")
    single = form.get("single") == "on"
    order = Order(
        what=what,
        mode=find_mode(mode),
        lang=lang,
        players=_players(form.get("players", "")),
        variant=form.get("variant", "")[:40],
        paper=_one_of(form.get("paper"), ("a4", "letter")),
        size=_size(form),
        dpi=int(_one_of(form.get("dpi"), ("300", "150", "600"))),
        backs=_one_of(form.get("backs"), ("long", "short", "fold", "none")),
        marks=_one_of(form.get("marks"), ("off", "outside", "full") if single else ("outside", "off", "full")),
        bleed=_number(form, "bleed", 0, 10, 3 if single else 0),
        margin=_number(form, "margin", 0, 100, 4),
        offset=(_number(form, "x", -20, 20, 0), _number(form, "y", -20, 20, 0)),
        single=single,
        network=form.get("network", "")[:32],
        password=form.get("password", "")[:63],
    )
    if what == "cards":
        order.deck()
    return order


def _one_of(text: str | None, known: tuple[str, ...]) -> str:
    return text if text in known else known[0]


def _players(text: str) -> int | None:
    if text and not (text.isascii() and text.isdigit() and len(text) < 3):
        raise BadOrder("players", "players")
    return int(text) if text else None


def _number(
    form: Mapping[str, str], field: str, least: float, most: float, default: float, fault: Fault = "number"
) -> float:
    typed = form.get(field, "").strip().replace(",", ".").replace("，", ".")
    if not typed:
        return default
    if not re.fullmatch(r"[+-]?\d{1,3}(\.\d{1,3})?", typed) or not least <= float(typed) <= most:
        raise BadOrder(fault, field)
    return float(typed)


def _size(form: Mapping[str, str]) -> tuple[float, float]:
    name = form.get("size", "poker")
    if name != "own":
        return SIZES.get(name, SIZES["poker"])
    return _number(form, "width", 30, 300, 63, "size"), _number(form, "height", 30, 300, 88, "size")


def make(order: Order, path: Path, tick: Callable[[], None], total: Callable[[int], None]) -> None:
    """Write the PDF. `total` is told how many steps it takes, `tick` is called after each.

    Raises BadOrder, and what setting text and laying out cards raises (see `printables.faults`).
    """
    if order.what == "cards":
        _make_cards(order, path, tick, total)
        return
    from printables.fonts import fonts
    from printables.papers import write_pages
    from printables.pdf import DUPLEX

    made = _pages(order)
    total(len(made))
    duplex = DUPLEX[_flip(order) if order.what == "calibration" else "none"]
    write_pages(made, path, order.mode.name[order.lang], order.dpi, fonts(), duplex=duplex, tick=tick)


def _flip(order: Order) -> Flip:
    return "short" if order.backs == "short" else "long"


def _pages(order: Order) -> list[Page]:
    from printables import reference, table, trackers
    from printables.fonts import fonts
    from printables.sheets import grid

    mode, lang, paper, known = order.mode, order.lang, _paper(order), fonts()
    if order.what == "sheet":
        return reference.pages(mode, lang, paper, known)
    if order.what == "strip":
        return [trackers.order(mode, lang, paper, known)]
    if order.what == "trackers":
        found = trackers.pages(mode, lang, paper, known)[1:]
        if not found:
            raise BadOrder("trackers")
        return found
    if order.what == "tents":
        if not order.names:
            raise BadOrder("names", "names")
        return table.tents(order.names, paper, known)
    if order.what == "poster":
        return [table.poster(order.address, lang, paper, known, order.network or None, order.password)]
    flip = _flip(order)
    cards_lie = grid(replace(_layout(order), backs=flip))
    return table.calibration(lang, paper, known, flip, cards_lie.is_landscape)


def _make_cards(order: Order, path: Path, tick: Callable[[], None], total: Callable[[int], None]) -> None:
    from printables import decks
    from printables.cards import Format, Printing
    from printables.fonts import fonts

    deck, codes = order.deck(), order.codes
    form = Format(*order.size)
    printing = Printing(order.mode, order.lang, form, fonts(), codes, order.card_address if codes else None)
    job = decks.Deck(deck, printing, order.dpi)
    total(job.pictures)
    write = decks.write_single if order.single else decks.write_sheets
    write(job, _layout(order), path, tick)


def _layout(order: Order) -> Layout:
    from printables.cards import Format
    from printables.sheets import Layout

    backs, marks = cast("Backs", order.backs), cast("Marks", order.marks)
    return Layout(Format(*order.size), _paper(order), order.bleed, backs, marks, order.offset, order.margin)


def _paper(order: Order) -> Paper:
    from printables.sheets import A4, LETTER

    return LETTER if order.paper == "letter" else A4


class _Dropped(Exception):
    """Nobody waits for this job any longer."""


@dataclass
class Job:
    """One order on its way. `whose`: the visitor; `done` of `total` steps are made; `error` is worded.

    `typed`: the form's fields, to start from again at `back`.
    """

    id: str
    whose: str
    order: Order | None
    file_name: str
    back: str
    typed: Mapping[str, str]
    reader: Lang
    at: float
    state: State = "waiting"
    done: int = 0
    total: int = 0
    pdf: bytes = b""
    error: str = ""
    dropped: bool = False


class Prints:
    """All jobs of a server. They are made one at a time, and forgotten after a while; each visitor has one.

    `clock` gives seconds; `word` puts an error into words; `start` runs the work, in a thread of its own by default.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        word: Callable[[Exception, Lang], str],
        start: Callable[[Callable[[], None]], object] | None = None,
    ) -> None:
        self._clock = clock
        self._word = word
        self._start = start or (lambda work: threading.Thread(target=work, daemon=True).start())
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._is_working = False

    def add(self, order: Order, whose: str, back: str, typed: Mapping[str, str], reader: Lang) -> Job:
        """Let it be made; errors are worded for `reader`. The visitor's job that is not done is dropped.

        Raises TooMany.
        """
        with self._lock:
            self._forget()
            for job in [job for job in self._jobs.values() if job.whose == whose and job.state != "done"]:
                self._drop(job)
            if sum(job.state == "waiting" for job in self._jobs.values()) >= MOST_WAITING:
                raise TooMany
            made = Job(secrets.token_urlsafe(24), whose, order, order.file_name, back, typed, reader, self._clock())
            self._jobs[made.id] = made
            starts = not self._is_working
            self._is_working = True
        if starts:
            self._start(self._work)
        return made

    def find(self, job: str, whose: str) -> Job | None:
        """The visitor's job with this id, while it is kept."""
        with self._lock:
            self._forget()
            found = self._jobs.get(job)
        return found if found and found.whose == whose else None

    def before(self, job: Job) -> int:
        """How many jobs are made before this one."""
        with self._lock:
            known = list(self._jobs.values())
            ahead = known[: known.index(job)] if job in known else []
            return sum(one.state in ("waiting", "working") for one in ahead)

    def _forget(self) -> None:
        finished = [job for job in self._jobs.values() if job.state in ("done", "failed")]
        too_many = finished[: max(0, len(finished) - MOST_KEPT)]
        for job in self._jobs.copy().values():
            if job in too_many or self._clock() - job.at > KEPT_SECONDS:
                self._drop(job)

    def _drop(self, job: Job) -> None:
        job.dropped = True
        del self._jobs[job.id]

    def _work(self) -> None:
        while True:
            with self._lock:
                job = next((job for job in self._jobs.values() if job.state == "waiting"), None)
                if job is None:
                    self._is_working = False
                    return
                job.state = "working"
            self._make(job)

    def _make(self, job: Job) -> None:
        order, job.order = job.order, None
        assert order is not None

        def tick() -> None:
            job.done += 1
            if job.dropped:
                raise _Dropped

        def total(steps: int) -> None:
            job.total = steps

        try:
            with TemporaryDirectory() as folder:
                path = Path(folder) / "made.pdf"
                make(order, path, tick, total)
                job.pdf = path.read_bytes()
            job.state = "done"
        except Exception as error:  # whatever it is, the next job has to be made, and this one told about
            job.error = "" if isinstance(error, _Dropped) else self._word(error, job.reader)
            job.state = "failed"

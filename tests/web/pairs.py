"""Games in two worlds: what people do at both tables, and how many pairs of them are compared (see `worlds`)."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlencode

from companion.modes import find_mode
from companion.rules import inputs as i
from companion.rules.facts import NOBODY, TABLE
from companion.tables import Running
from companion.web import stream
from tests.rules.games import random_input
from tests.web.calls import ASTRAY, CALLS, Asked, Visitor
from tests.web.evening import Chance
from tests.web.worlds import LANGUAGES, Lobby, Pair, Plan, plan, seat_everybody


def play(pair: Pair, acts: int, looks: int) -> None:
    """A game at random, entered over HTTP in both worlds, with `looks` looks after each act, until all is told."""
    rng, spared = pair.rng, pair.plan.moved | {1}
    if rng.random() < 0.2:
        pair.deal()
        pair.act(pair.visitor("host"), "/host/end", {})
    pair.deal()
    if rng.random() < 0.3:
        pair.moderate()
    pair.listen()
    _set_up(pair)
    for number in range(acts):
        if pair.is_over:
            break
        is_compared = pair.after_death >= 7  # long enough: now the worlds may part
        deaths = 0.1 if number < 1 else 0.9 if not pair.after_death else 0.3 if is_compared else 0.02
        _act(pair, deaths, frozenset() if is_compared else spared)
        pair.hear()
        pair.look_about(looks)
    if not pair.is_over:
        _part(pair)


def _part(pair: Pair) -> None:
    """At last somebody dies whose card differs: until that counts, and but for the card, nothing does."""
    rng, game = pair.rng, pair.worlds[0].game
    living = [seat.number for seat in game.table.state.living if seat.number in pair.plan.moved]
    if game.held:
        pair.move_clock(pair.worlds[0].evening.seconds_left())
    pair.act(pair.anybody(), "/record", {"input": i.write(i.Death(rng.choice(living or [1]), NOBODY)), "again": "1"})
    if game.held:
        _try_anything(pair)
        pair.look_about(1)
        pair.move_clock(pair.worlds[0].evening.seconds_left())
    pair.hear()
    pair.look_about(1)


def _set_up(pair: Pair) -> None:
    """Perhaps all look together, some say whom they play, a card is opened for its owner, and a skill is tried."""
    rng = pair.rng
    if rng.random() < 0.5:
        pair.act(pair.anybody(), "/look", {})
        for seconds in (rng.choice((2, 4)), rng.choice((3, 5)), 10):
            pair.look_about(1)
            pair.move_clock(seconds)
        pair.hear()
    for _ in range(rng.choice((0, 1, 3))):
        _name_hero(pair)
    if pair.plan.phoneless and rng.random() < 0.8:
        pair.open_card()
    if rng.random() < 0.4:
        _try_skill(pair)


def _name_hero(pair: Pair) -> None:
    """Somebody says whom he plays, or another one than before."""
    rng = pair.rng
    player = rng.choice([one for one in pair.visitors if one.viewer != TABLE])
    pair.act(player, "/hero", {"name": f"武将{rng.randint(1, 9)}", "hp": rng.choice(("", "", "4"))})


def _try_skill(pair: Pair) -> None:
    """Somebody tries a skill that is another's: also the table screen, and with a card that is not open there.

    Mostly it is one that its owner has, in one of the worlds at least.
    """
    rng, seats = pair.rng, range(1, pair.plan.players + 1)
    owner = rng.choice([*seats, *pair.plan.moved, *pair.plan.moved])
    roles = [deal.cards[owner - 1].role for deal in pair.plan.deals]
    own = [(word, skill) for word, skill in pair.mode.skills.items() if skill.role in roles]
    word, skill = rng.choice(own or list(pair.mode.skills.items()) or [("guard", None)])
    on = rng.sample([seat for seat in seats if seat != owner], min(skill.most, 2) if skill else rng.randint(0, 2))
    line = i.write(i.Use(owner, word, tuple(on)))
    sender = rng.choice([one for one in pair.visitors if one.may_record and one.viewer != owner])
    if rng.random() < 0.8 or sender.viewer == TABLE:
        pair.act(sender, "/record", {"input": line})
    else:
        if owner == pair.plan.phoneless in pair.told:  # perhaps the card is open here, and answers
            pair.told.add(sender.viewer)
        pair.act(sender, "/pass/use", {"person": str(rng.choice((pair.last, 99))), "input": line})


def _while_held(pair: Pair, host: Visitor, game: Running) -> None:
    """A death is about to count: it is taken back, or counts in time; meanwhile other things are tried."""
    rng, held = pair.rng, game.held
    assert held is not None
    chance = rng.random()
    if chance < 0.12:
        pair.act(rng.choice([host, pair.visitor("seat 1")]), "/withdraw", {"draft": held.draft.key})
    elif chance < 0.7:
        pair.move_clock(pair.worlds[0].evening.seconds_left())
    else:
        _try_anything(pair)


def _try_anything(pair: Pair) -> None:
    """Somebody records something though a death is held."""
    if pair.rng.random() < 0.5:
        _try_skill(pair)
    else:
        entered = random_input(pair.worlds[0].table, pair.rng, 0.2, pair.plan.moved)
        pair.act(pair.anybody(), "/record", {"input": i.write(entered)})


def _act(pair: Pair, deadly: float, spared: frozenset[int]) -> None:
    """Something that people do. It is chosen by what happened in the first world, and by public things only."""
    rng, game = pair.rng, pair.worlds[0].game
    pair.move_clock(rng.choice((1, 1, 5, 12)) if not game.held else rng.choice((0, 1, 2)))
    host, cards = rng.choice([one for one in pair.visitors if one.is_host]), game.cards()
    chance = rng.random()
    if game.held:
        _while_held(pair, host, game)
    elif chance < 0.04:
        pair.act(host, "/host/undo", {"step": str(len(game.standing))})
    elif chance < (0.06 if pair.after_death < 5 else 0.2) and len(game.standing) > 2:
        _mend(pair, host)
    elif chance > 0.94 and game.row.pointer < len(cards):
        pair.act(host, "/done", {"announcement": cards[game.row.pointer].id})
    elif chance > 0.9:
        rng.choice((_try_skill, _try_skill, _name_hero))(pair)
    elif chance > 0.87 and pair.plan.phoneless:
        pair.open_card()
    else:
        entered = random_input(pair.worlds[0].table, rng, deadly, spared)
        while isinstance(entered, i.Use) and entered.seat in spared and pair.after_death < 5:  # it would show the card
            entered = random_input(pair.worlds[0].table, rng, deadly, spared)
        if not isinstance(entered, i.End):
            pair.record(entered)
        if game.held:
            _try_anything(pair)


def _mend(pair: Pair, host: Visitor) -> None:
    """The host changes a line or takes it out, having seen what that would mean; takes several back; lets it rest."""
    rng, game = pair.rng, pair.worlds[0].game
    last = len(game.standing)
    step = rng.randint(2, last)
    if rng.random() < 0.2:
        pair.act(host, "/host/undo", {"step": str(step), "last": str(last)})
        return
    if rng.random() < 0.2:
        pair.act(host, "/host/pause", {"on": "1"})
        pair.look_about(2)
        pair.act(host, "/host/pause", {"on": "0"})
        return
    line = "" if rng.random() < 0.3 else i.write(random_input(pair.worlds[0].table, rng, 0.3, pair.plan.moved | {1}))
    how = {"how": "change", "input": line} if line else {"how": "strike"}
    pair.ask(host, Asked("GET", f"/t/{pair.code}/host/line?{urlencode({'step': step, **how})}"))
    pair.act(host, "/host/change", {"step": str(step), "line": line, "seen": str(game.log.last_seq)})
    if amends := pair.worlds[0].evening.amends():
        pair.look_about(2)
        pair.act(rng.choice(pair.visitors), "/done", {"announcement": amends.id})


def rehearse_everything(pair: Pair) -> None:
    """The host looks in silence at what every change of every line would mean, in the midst of a game."""
    pair.deal()
    host = pair.visitor("host")
    for number in range(8):
        _act(pair, 0.1 if number < 2 else 0.5, pair.plan.moved | {1})
        if host.viewer in pair.told or pair.worlds[0].evening.phase == "end":
            return
    game = pair.worlds[0].game
    for step in range(2, len(game.standing) + 1):
        ways: list[dict[str, object]] = [{"how": "strike"}, {"how": "undo"}]
        for seat in range(1, pair.plan.players + 1):
            killers = pair.rng.sample(range(1, pair.plan.players + 1), 2)
            ways += ({"how": "change", "verb": "death", "who": seat, "by": by} for by in killers)
        for way in ways:
            pair.ask(host, Asked("GET", f"/t/{pair.code}/host/line?{urlencode({'step': step, **way})}"))


def visit_everything(pair: Pair) -> None:
    """A short game; at each of its moments everybody calls every route, each time in the next language."""
    for _ in _moments(pair):
        _everybody_calls_everything(pair)
        pair.hear()


def _moments(pair: Pair) -> Iterator[None]:
    phones = {one.viewer for one in pair.visitors} - {TABLE}
    victim, knowing = max(phones - {1, 2} - pair.plan.moved), min(phones & pair.plan.moved)
    pair.visitors = [one for one in pair.visitors if one.viewer in (TABLE, 1, 2, victim, knowing)]
    host, by = pair.visitor("host"), pair.visitor("seat 1")
    yield
    pair.deal()
    pair.listen()
    pair.moderate()
    pair.act(by, "/look", {})
    yield
    pair.open_card(pair.visitor(f"seat {knowing}"))
    pair.act(by, "/record", {"input": "turn 2"})
    yield
    pair.act(by, "/record", {"verb": "death", "who": str(victim), "by": "-"})
    yield  # it is held
    pair.move_clock(4)
    yield  # it counts
    pair.act(host, "/host/undo", {"step": str(len(pair.worlds[0].table.inputs))})
    yield
    pair.act(host, "/host/end", {})
    yield


def _everybody_calls_everything(pair: Pair) -> None:
    calls = [*CALLS.values(), *((variant,) for variant in ASTRAY)]
    watching = [visitor for visitor in pair.visitors if visitor.viewer not in pair.plan.moved]
    for number, visitor in enumerate(watching):
        for place, variants in enumerate(calls):
            for variant in variants:
                pair.look(visitor, variant, LANGUAGES[(number + place) % 3], as_fragment=(number + place) % 2 == 0)


@contextmanager
def console() -> Iterator[StringIO]:
    """What the server prints and logs, at whatever level."""
    printed, root = StringIO(), logging.getLogger()
    handler, level = logging.StreamHandler(printed), root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        with redirect_stdout(printed), redirect_stderr(printed):
            yield printed
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


@dataclass
class Worlds:
    """Makes pairs in a folder, with chance and the streams' beat held still. `compared` counts by visitor, `parted_by`
    by the clauses that told somebody the worlds apart, `done` by what was done (see `Pair.act`).
    """

    folder: Path
    chance: Chance = field(default_factory=Chance)
    compared: Counter[str] = field(default_factory=Counter)
    parted_by: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    after_death: list[int] = field(default_factory=list)
    lobbies: dict[tuple[str, str, int, int, bool], Lobby] = field(default_factory=dict)

    def lobby(self, plan: Plan) -> Lobby:
        """The lobby in which both worlds of the pair begin."""
        kind = (plan.mode, plan.options, plan.players, plan.pause)
        if (*kind, plan.is_last_phoneless) not in self.lobbies:
            database = self.folder / f"lobby {len(self.lobbies)}.sqlite3"
            lobby = seat_everybody(database, *kind, is_last_phoneless=plan.is_last_phoneless)
            self.lobbies[*kind, plan.is_last_phoneless] = lobby
        return self.lobbies[*kind, plan.is_last_phoneless]

    def pair(self, plan: Plan, run: Callable[[Pair], None]) -> None:
        """Run something with a pair of worlds."""
        with self.chance.instead_of_secrets(), patch.object(stream, "BEAT_SECONDS", 0), console() as printed:
            pair = Pair(self.folder, self.lobby(plan), plan, self.chance, printed)
            try:
                run(pair)
            finally:
                pair.close()
        self.compared += pair.compared
        self.parted_by += pair.parted_by
        self.done += pair.done
        self.after_death.append(pair.after_death)

    def many(self, mode: str, seeds: range, acts: int = 13, looks: int = 1) -> None:
        """A pair of one mode for each seed, each with a game. Raises Leak."""
        for seed in seeds:
            self.pair(plan(find_mode(mode), seed), lambda pair: play(pair, acts, looks))

    def rehearsals(self, mode: str, count: int) -> None:
        """So many pairs, in which every change of a line is rehearsed. Raises Leak."""
        for seed in range(count):
            self.pair(plan(find_mode(mode), seed, pauses=(0,)), rehearse_everything)

    def all_of_it(self, mode: str, seed: int) -> None:
        """Every route and method, from every kind of visitor, at every moment of one game. Raises Leak."""
        shared = plan(find_mode(mode), seed, pauses=(4,))
        self.pair(shared._replace(is_last_phoneless=True), visit_everything)
